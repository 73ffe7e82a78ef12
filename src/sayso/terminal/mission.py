"""From the words on a command line to a flown mission: build the parts, fly, show, and leave the robot at rest."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.defaults import make_planner, replans, settled
from sayso.errors import RobotError, UsageError
from sayso.events import Event, MissionEnded, PictureTaken
from sayso.memory.journal import Journal, home
from sayso.memory.remember import Memories
from sayso.models import make as make_model
from sayso.parts import Memory, World, closing
from sayso.terminal.film import Film
from sayso.terminal.live import LiveView
from sayso.terminal.person import asking
from sayso.terminal.stops import Stops
from sayso.terminal.told import Told
from sayso.worlds import first_scene
from sayso.worlds import make as make_world

WATCHED_PACE = 4.0
"""Simulated seconds per second when a person looks on."""


@dataclass(frozen=True, slots=True)
class Setup:
    """All it takes to run a mission again, besides the instruction."""

    model: str = ""
    planner: str = ""
    world: str = "office"
    scene: str = ""
    seed: int = 0
    wind_mps: float = 0.0
    approve: bool = False
    memory: bool = False

    @property
    def map_id(self) -> str:
        """The frame in which this world's things have their places: the same for all of its seeds."""
        return f"{self.world}/{self.scene or first_scene(self.world)}".rstrip("/")

    def remembers(self, journal: Journal) -> Memory:
        """What the agent keeps its events in, and what it may recall."""
        return Memories(journal, self.map_id) if self.memory else journal

    @property
    def live(self) -> bool:
        """Whether the model is somewhere outside and takes real time."""
        return any(kind in self.model for kind in ("openai:", "http:", "https:"))

    def make_world(self) -> World:
        """The simulated world. Raises `UsageError` for one that cannot be."""
        if not 0 <= self.wind_mps < math.inf:
            raise UsageError(f"a wind of {self.wind_mps:g} m/s cannot blow; 0 is calm, 3 a breeze")
        if self.seed < 0:
            raise UsageError(f"a seed is a whole number from 0, not {self.seed}")
        options: dict[str, Any] = {"wind_mps": self.wind_mps} if self.wind_mps else {}
        return make_world(self.world, self.scene, self.seed, **options)

    def make_agent(self, world: World, clock: SimClock, **more: Any) -> Agent:
        """An agent for the world's robot. Raises `UsageError` for an unknown model or planner."""
        name, planner = settled(self.model, self.planner, world.robot.kind)
        model = make_model(name, clock) if name else None
        setup = asdict(replace(self, model=name, planner=planner))
        more = {"replans": replans(planner), **more}
        return Agent(world=world, model=model, planner=make_planner(planner, model, world.robot), setup=setup, **more)


@dataclass(frozen=True, slots=True)
class Flown:
    """What came of a mission. `collisions` is None where the world does not tell."""

    mission: str
    ended: MissionEnded
    collisions: int | None
    pictures: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        ended = self.ended
        return {
            "success": ended.outcome == "achieved",
            "mission": self.mission,
            "outcome": ended.outcome,
            "reason": ended.reason,
            "value": ended.value,
            "r_time_s": ended.r_time_s,
            "c_time_s": ended.c_time_s,
            "tokens": ended.plan_tokens,
            "model_calls": ended.model_calls,
            "replans": ended.replans,
            "collisions": self.collisions,
            "pictures": list(self.pictures),
        }


def fly(
    instruction: str,
    setup: Setup,
    stops: Stops,
    *,
    console: Console,
    view: Path | None = None,
    pace: float | None = None,
    journal: Path | None = None,
    show_tree: bool = False,
) -> Flown:
    """One mission in an embedded world, from sentence to verdict."""
    if not instruction.strip():
        raise UsageError('say what you want, such as sayso run "take off and go to the chair"')
    clock = SimClock(pace=WATCHED_PACE if pace is None and console.is_terminal else pace or 0.0)
    world = setup.make_world()
    film = Film(world, _folder(view)) if view else None
    with Journal(journal or home() / "journal.sqlite") as kept:
        agent = setup.make_agent(world, clock, memory=setup.remembers(kept), pictures=view or home() / "pictures")
        flown = clock.run(_fly(agent, world, instruction, console, clock, stops, film, show_tree))
    for path in film.write() if film else ():
        console.print(Text(f"{'':11}wrote    {path}", "cyan"), soft_wrap=True)
    return flown


async def _fly(
    agent: Agent,
    world: World,
    instruction: str,
    console: Console,
    clock: SimClock,
    stops: Stops,
    film: Film | None,
    show_tree: bool,
) -> Flown:
    events: list[Event] = []
    mission = ""
    try:
        async with agent:
            tree = agent.executive.tree if show_tree else None
            with LiveView(console, agent.limits, world.truth(), tree) as live:
                ask = asking(console, clock, live) if agent.setup["approve"] else None
                async with closing(agent.say(instruction, approve=ask)) as happening:
                    async for event in happening:
                        if not events and agent.mission:
                            mission = agent.mission.id
                            stops.heard_by(agent.stop)
                        events.append(event)
                        live.see(event)
                        if film:
                            film.see(event)
                stops.unheard()  # it lands now, which nothing but a second signal should cut short
        rests = agent.robot.state().summary
    except RobotError as error:
        if not events or not isinstance(events[-1], MissionEnded):
            raise
        rests = f"NOT: {error}"
    console.print(Told(asyncio.get_running_loop().time(), "rests", rests).line(), soft_wrap=True)
    return _flown(mission, events, world)


def _flown(mission: str, events: Sequence[Event], world: World) -> Flown:
    ended = events[-1]
    assert isinstance(ended, MissionEnded), "every mission ends with its verdict"
    pictures = tuple(e.file for e in events if isinstance(e, PictureTaken) and e.file)
    touched = world.truth().get("collisions")
    return Flown(mission, ended, None if touched is None else len(touched), pictures)


def _folder(path: Path) -> Path:
    """The folder, made now: better to fail before anything flies. Raises `UsageError`."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write pictures into {path}: {error.strerror}") from error
    return path
