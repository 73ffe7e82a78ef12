"""The page of an operator: a head with the stop that never scrolls away, and the views below."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from nicegui import ui

from sayso.console.camera import Camera
from sayso.console.solids import Place
from sayso.console.station import Station
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

    def __init__(self, station: Station, journal: Path, camera: list[Camera]) -> None:
        client = ui.context.client
        self._station, self._camera, self._seat = station, camera, client.id
        self._ticks = 0
        self._scene: SceneView | None = None
        self._place: Place | None = None
        ui.add_head_html(HEAD)
        self._dark = ui.dark_mode(None)
        client.on_connect(self._arrived)
        client.on_disconnect(lambda: station.seats.leave(self._seat))
        client.on_delete(lambda: station.seats.forget(self._seat))
        with block("frame"):
            self._head()
            self._live()
            self._past = PastView(journal)
        self._choose = ChooseDialog(station, self._seat)
        self._open("live")
        ui.timer(TICK_S, self._tick)

    def _arrived(self) -> None:
        self._station.seats.sit(self._seat)
        ui.run_javascript(f'sayso.begin("{self._seat}")')

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
            self._take = button("Take control", lambda: self._station.take(self._seat))
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
        self._talk.hint(self._station.release(self._seat), bad=True)

    def _open(self, name: str) -> None:
        for key, link in self._nav.items():
            link.props.set_optional("aria-current", "page" if key == name else None)
        for key, view in (("live", self._live_box), ("past", self._past.box)):
            show_if(view, key == name)
        if name == "past":
            self._past.opened()

    def _refresh_head(self) -> None:
        station = self._station
        kind, text = status(station)
        put(self._status, text)
        if kind not in self._status.classes:
            self._status.classes(remove="running stopped idle", add=kind)
        choice = station.choice
        name = f"{choice.robot or choice.world}{f' · {choice.scene}' if choice.scene else ''}"
        model = station.agent.model.name if station.ready and station.agent.model else "no model"
        put(self._where, f"{name} · {words(model, 40)} ▾")
        mine = station.seats.control == self._seat
        others = len(station.seats.taken) - 1
        beside = f", {others} more {'looks' if others == 1 else 'look'} on" if others > 0 else ""
        put(self._who, f"you hold control{beside}" if mine else f"{station.seats.holder or 'nobody'} holds control")
        show_if(self._take, not mine)
        show_if(self._release, bool(station.stopped_by) and not station.running)
        running = "1" if station.running else "0"
        if self._stop.props.get("data-running") != running:
            self._stop.props["data-running"] = running

    def _live(self) -> None:
        with block("live", "main") as self._live_box:
            self._talk = Conversation(self._station, self._seat)
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
        self._place = self._station.place
        if self._place and self._scene:
            self._scene.set_place(self._place)
        elif self._place:
            with self._stage:
                self._scene = SceneView(self._place)

    def _refresh_heat(self, number: int) -> None:
        """What a search believes, on the ground and in words."""
        believed, place = self._station.believed(), self._station.place
        told = believed.says if believed and place and place.land else ""
        put(self._legend, told)
        show_if(self._legend, bool(told))
        if self._scene and (number or not told):
            self._scene.paint(f"/heat.jpg?{number}" if told else "")

    async def _tick(self) -> None:
        station = self._station
        self._ticks += 1
        if self._scene and self._place is station.place:
            self._scene.move(station.spots())
        if self._place is not station.place or self._talk.stale:
            await self._in_turn(self._draw)
        if self._ticks % SLOW == 0:
            await self._in_turn(self._slow)
        self._past.tick(TICK_S)

    async def _in_turn(self, draw: Callable[[], None]) -> None:
        async with self._station.drawing:
            draw()
            await asyncio.sleep(0)

    def _draw(self) -> None:
        if self._place is not self._station.place:
            self._set_place()
        put(self._empty, "" if self._place else self._station.trouble)
        self._talk.refresh()

    def _slow(self) -> None:
        self._refresh_head()
        station, shown, now_s = self._station, self._station.shown, self._station.clock_s()
        state = station.state()
        self._figures.show(figures(shown, station.limits, state), state.charge, station.limits.battery_reserve)
        self._machine.show(station.machine())
        self._tree.show(station.tree())
        self._beliefs.show(shown, now_s)
        if self._camera:
            front = self._camera[0].front
            self._camera_card.picture(front.number, time.monotonic() - front.true_s)
            self._refresh_heat(self._camera[0].heat.number)
        self._camera_card.show(shown, now_s)
        if self._scene:
            self._scene.trail(shown.trail)
            self._scene.foresee(station.foreseen)
            self._scene.believe(shown.beliefs, now_s)


def status(station: Station) -> tuple[str, str]:
    """The robot's status in a word or two, and its colour."""
    state = station.state()
    if not station.ready:
        return "stopped", station.trouble or "connecting"
    if station.stopped_by:
        return "stopped", f"stopped by {station.stopped_by} · {state.summary}"
    if station.shown.approval:
        return "running", "waits for your approval"
    if station.running:
        return "running", f"running · {state.summary}"
    if station.agent.world and state.charge <= station.limits.battery_reserve + EMPTY:
        return "stopped", "battery at its reserve · “Use this” in the setup brings a full one"
    return "idle", f"ready · {state.summary}" if state.summary else "ready"
