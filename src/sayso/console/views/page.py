"""The page: a head that never scrolls away, with the stop in it; and what can be looked at below."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from nicegui import ui

from sayso.console.camera import Camera
from sayso.console.desk import Desk
from sayso.console.solids import Place
from sayso.console.views.choose import ChooseDialog
from sayso.console.views.parts import Text, block, button, put, show_if
from sayso.console.views.past import PastView
from sayso.console.views.scene import SceneView
from sayso.console.views.side import BeliefsCard, CameraCard, FiguresCard, MachineCard, TreeCard, figures
from sayso.console.views.talk import Conversation
from sayso.memory.mission_view import words

TICK_S = 1 / 30
"""More than twenty updates of the scene a second, also where some come late; everything else follows less often."""

SLOW = 6
EMPTY = 0.005
"""Of a full battery; what is nearer to the reserve lasts for no step."""

HEAD = """<link rel="stylesheet" href="/console/console.css"><script src="/console/console.js"></script>"""


class Page:
    """One operator's page. Build it inside a NiceGUI page function."""

    def __init__(self, desk: Desk, journal: Path, camera: list[Camera]) -> None:
        client = ui.context.client
        self._desk, self._camera, self._seat = desk, camera, client.id
        self._ticks = 0
        self._scene: SceneView | None = None
        self._place: Place | None = None
        ui.add_head_html(HEAD)
        self._dark = ui.dark_mode(None)
        client.on_connect(self._arrived)
        client.on_disconnect(lambda: desk.seats.leave(self._seat))
        client.on_delete(lambda: desk.seats.forget(self._seat))
        with block("frame"):
            self._head()
            self._live()
            self._past = PastView(journal)
        self._choose = ChooseDialog(desk, self._seat)
        self._open("live")
        ui.timer(TICK_S, self._tick)

    def _arrived(self) -> None:
        self._desk.seats.sit(self._seat)
        ui.run_javascript(f'sayso.begin("{self._seat}")')

    # The head

    def _head(self) -> None:
        unsent = Text("NOT SENT: no connection to the robot. Trying again …", "gone")
        unsent.props.update({"id": "unsent", "role": "alert"})
        with block("top", "header"):
            Text("sayso", "name", "h1")
            with block("nav", "nav", aria_label="pages"):
                self._nav = {
                    name: button(text, partial(self._open, name), "")
                    for name, text in (("live", "Live"), ("past", "Missions"))
                }
            self._status = Text("", "pill")
            self._status.props["role"] = "status"
            self._where = button("", lambda: self._choose.open(), "pill plain quiet", title="choose the setup")
            block("grow")
            self._who = Text("", "pill plain")
            self._take = button("Take control", lambda: self._desk.take(self._seat))
            button("◐", self._skin, "quiet", aria_label="light or dark", title="light or dark")
            with block("halt"):
                self._release = button("Release", self._lift, "button gone")
                self._stop = block(tag="button")
                with self._stop:
                    Text("STOP", tag="span")
                    Text("space bar", tag="small")
                self._stop.props.update(
                    {"id": "stop", "type": "button", "aria-keyshortcuts": "Space Escape", "title": "Space or Esc"}
                )

    def _skin(self) -> None:
        """Light, dark, then what the machine prefers."""
        self._dark.value = {None: True, True: False, False: None}[self._dark.value]

    def _lift(self) -> None:
        self._talk.hint(self._desk.release(self._seat), bad=True)

    def _open(self, name: str) -> None:
        for key, link in self._nav.items():
            link.props.set_optional("aria-current", "page" if key == name else None)
        for key, view in (("live", self._live_box), ("past", self._past.box)):
            show_if(view, key == name)
        if name == "past":
            self._past.opened()

    def _refresh_head(self) -> None:
        desk = self._desk
        kind, text = status(desk)
        put(self._status, text)
        if kind not in self._status.classes:
            self._status.classes(remove="running stopped idle", add=kind)
        choice = desk.choice
        name = f"{choice.robot or choice.world}{f' · {choice.scene}' if choice.scene else ''}"
        model = desk.agent.model.name if desk.ready and desk.agent.model else "no model"
        put(self._where, f"{name} · {words(model, 40)} ▾")
        mine = desk.seats.control == self._seat
        others = len(desk.seats.taken) - 1
        beside = f", {others} more {'looks' if others == 1 else 'look'} on" if others > 0 else ""
        put(self._who, f"you hold control{beside}" if mine else f"{desk.seats.holder or 'nobody'} holds control")
        show_if(self._take, not mine)
        show_if(self._release, bool(desk.stopped_by) and not desk.running)
        running = "1" if desk.running else "0"
        if self._stop.props.get("data-running") != running:
            self._stop.props["data-running"] = running

    # What goes on

    def _live(self) -> None:
        with block("live", "main") as self._live_box:
            self._talk = Conversation(self._desk, self._seat)
            with block("middle"):
                self._stage = block("card stage", "section", aria_label="scene")
                with self._stage:
                    self._empty = Text("", "empty")
                    with block("over"):
                        self._legend = Text("", "pill plain gone")
                with block("seen"):
                    self._camera_card = CameraCard()
                    self._beliefs = BeliefsCard()
            with block("side"):
                self._machine = MachineCard()
                self._figures = FiguresCard()
                self._tree = TreeCard()

    def _set_place(self) -> None:
        """The place has become another one; once there was one, there always is."""
        self._place = self._desk.place
        if self._place and self._scene:
            self._scene.set_place(self._place)
        elif self._place:
            with self._stage:
                self._scene = SceneView(self._place)

    def _refresh_heat(self, number: int) -> None:
        """What a search believes, on the ground and in words."""
        believed, place = self._desk.believed(), self._desk.place
        told = believed.says if believed and place and place.land else ""
        put(self._legend, told)
        show_if(self._legend, bool(told))
        if self._scene and (number or not told):
            self._scene.paint(f"/heat.jpg?{number}" if told else "")

    async def _tick(self) -> None:
        desk = self._desk
        self._ticks += 1
        if self._scene and self._place is desk.place:
            self._scene.move(desk.spots())
        if self._place is not desk.place or self._talk.stale:
            await self._in_turn(self._draw)
        if self._ticks % SLOW == 0:
            await self._in_turn(self._slow)
        self._past.tick(TICK_S)

    async def _in_turn(self, draw: Callable[[], None]) -> None:
        async with self._desk.drawing:
            draw()
            await asyncio.sleep(0)

    def _draw(self) -> None:
        if self._place is not self._desk.place:
            self._set_place()
        put(self._empty, "" if self._place else self._desk.trouble)
        self._talk.refresh()

    def _slow(self) -> None:
        self._refresh_head()
        desk, shown, now_s = self._desk, self._desk.shown, self._desk.clock_s()
        state = desk.state()
        self._figures.show(figures(shown, desk.limits, state), state.charge, desk.limits.battery_reserve)
        self._machine.show(desk.machine())
        self._tree.show(desk.tree())
        self._beliefs.show(shown, now_s)
        if self._camera:
            front = self._camera[0].front
            self._camera_card.picture(front.number, time.monotonic() - front.true_s)
            self._refresh_heat(self._camera[0].heat.number)
        self._camera_card.show(shown, now_s)
        if self._scene:
            self._scene.trail(shown.trail)
            self._scene.foresee(desk.foreseen)
            self._scene.believe(shown.beliefs, now_s)


def status(desk: Desk) -> tuple[str, str]:
    """How it stands, in a word or two, and which colour that has."""
    state = desk.state()
    if not desk.ready:
        return "stopped", desk.trouble or "connecting"
    if desk.stopped_by:
        return "stopped", f"stopped by {desk.stopped_by} · {state.summary}"
    if desk.shown.approval:
        return "running", "waits for your approval"
    if desk.running:
        return "running", f"running · {state.summary}"
    if desk.agent.world and state.charge <= desk.limits.battery_reserve + EMPTY:
        return "stopped", "battery at its reserve · “Use this” in the setup brings a full one"
    return "idle", f"ready · {state.summary}" if state.summary else "ready"
