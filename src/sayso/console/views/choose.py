"""The dialog that chooses world, planner, model and limits. Nothing changes before `Use this` is pressed."""

from dataclasses import asdict, replace
from functools import partial
from typing import Any

from nicegui import ui

from sayso.console.choices import LIMITS, PLANNERS, ConsoleSetup, machine_of, robots, try_model, with_address, worlds
from sayso.console.station import Station
from sayso.console.views.parts import Text, block, button, choice, field, fill, put, show_if
from sayso.errors import UsageError
from sayso.worlds import first_scene, scenes


class ChooseDialog:
    """The dialog over the page; a choice that cannot be is told and changes nothing."""

    def __init__(self, station: Station, seat: str) -> None:
        self._station, self._seat = station, seat
        self._draft = station.choice
        self._address = ""
        self._limits: dict[str, str] = {}
        self._dialog = ui.dialog()
        self._dialog.props["aria-label"] = "choose the setup"

    def open(self) -> None:
        """Show the present choice."""
        self._draft, self._limits = self._station.choice, {}
        self._address = self._draft.robot.removeprefix(machine_of(self._draft.robot)).removeprefix(":")
        self._dialog.clear()
        with self._dialog, block("form", "section"):
            self._fields()
        self._dialog.open()

    def _fields(self) -> None:
        draft = self._draft
        Text("Where, how and with whom", tag="h2")
        choice("robot", {n: f"{n}: {says}" if n else says for n, says in robots(draft.robot).items()},
               machine_of(draft.robot), self._set_robot)  # fmt: skip
        with block("two") as self._of_machine:
            field("address, where it is not the usual one", self._address, self._set_address, spellcheck="false")
            field("zone, in metres from where it stands", draft.zone, lambda v: self._set(zone=v.strip()),
                  spellcheck="false", placeholder="ahead=3,back=1,left=2,right=2,up=2").mark("zone")  # fmt: skip
        with block("rows") as self._of_world:
            choice("world", {n: f"{n}: {says}" for n, says in worlds().items()}, draft.world, self._set_world)
            with block("two"):
                self._scene = choice("scene", _scenes(draft.world), draft.scene, lambda v: self._set(scene=v))
                field("seed", str(draft.seed), lambda v: self._set(seed=int(v or 0)), "number", min="0")
        self._show_robot()
        choice("planner", {k: f"{k or 'auto'}: {v}" for k, v in PLANNERS.items()}, draft.planner,
               lambda v: self._set(planner=v))  # fmt: skip
        with block("line"):
            with block("grow"):
                field("model (openai:NAME, http://HOST:PORT/v1#NAME, or empty)", draft.model,
                      lambda v: self._set(model=v.strip()), spellcheck="false")  # fmt: skip
            button("Test", self._test)
        self._tested = Text("", "hint")
        self._tested.props["role"] = "status"
        self._switches(draft)
        self._bounds()
        self._told = Text("", "hint bad")
        self._told.props["role"] = "alert"
        with block("line"):
            block("grow")
            button("Cancel", self._dialog.close)
            button("Use this", self._use, "button main")

    def _switches(self, draft: ConsoleSetup) -> None:
        with block(tag="label").classes("check"):
            box = block(tag="input", type="checkbox")
            if draft.approve:
                box.props["^checked"] = ""
            box.on("change", lambda e: self._set(approve=bool(e.args)), js_handler="(e) => emit(e.target.checked)")
            Text("show me every plan before it runs", tag="span")
        field("dead man: stop when my page is silent for so many seconds (0: never)", f"{draft.dead_man_s:g}",
              lambda v: self._set(dead_man_s=float(v or 0)), "number", min="0", step="0.5")  # fmt: skip

    def _bounds(self) -> None:
        own = asdict(self._station.limits)
        with block(tag="details"):
            Text("Limits (they can be tightened here, not lifted)", tag="summary")
            with block("two"):
                for name, says in LIMITS.items():
                    field(says, f"{own[name]:g}", partial(self._bound, name))

    def _bound(self, name: str, value: str) -> None:
        self._limits[name] = value

    def _set(self, **changes: Any) -> None:
        self._draft = replace(self._draft, **changes)

    def _set_robot(self, robot: str) -> None:
        if robot in robots(self._station.choice.robot):
            self._limits.clear()
            self._set(robot=robot, limits=())
            self._show_robot()

    def _show_robot(self) -> None:
        """A machine has a zone, and no world to be simulated in."""
        show_if(self._of_machine, bool(self._draft.robot))
        show_if(self._of_world, not self._draft.robot)

    def _set_address(self, address: str) -> None:
        self._address = address.strip()

    def _set_world(self, world: str) -> None:
        self._limits.clear()
        self._set(world=world, scene="")
        fill(self._scene, _scenes(world), "")

    async def _test(self) -> None:
        if self._station.seats.control != self._seat:  # it makes this machine ask an address
            put(self._tested, "take control first")
            return
        put(self._tested, "asking …")
        good, says = await try_model(self._draft.model)
        put(self._tested, says)
        self._tested.classes(add="" if good else "bad", remove="bad" if good else "")

    async def _use(self) -> None:
        if self._station.seats.control != self._seat:
            put(self._told, "take control first")
            return
        try:
            bounds = dict(self._draft.limits) | {n: float(v) for n, v in self._limits.items()}
        except ValueError as error:
            put(self._told, f"a limit is a number: {error}")
            return
        put(self._told, "")
        try:
            robot = self._draft.robot and with_address(machine_of(self._draft.robot), self._address)
        except UsageError as error:
            put(self._told, str(error))
            return
        draft = replace(self._draft, robot=robot, zone=self._draft.zone if robot else "")
        wrong = await self._station.choose(replace(draft, limits=tuple(sorted(bounds.items()))))
        put(self._told, wrong)
        if not wrong:
            self._dialog.close()


def _scenes(world: str) -> dict[str, str]:
    usual = first_scene(world) if world else ""
    return {"": usual or "the only one"} | {s: s for s in (scenes(world) if world else ()) if s != usual}
