"""One mission from the command line: build the parts, fly, show, and leave the robot at rest.

A plan that ran can be drawn as the state machine that it is: a state for each call, what came of it, where it went on.
"""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from sayso.agent import Agent
from sayso.clock import Clock, SimClock, WallClock
from sayso.errors import RobotError, UsageError
from sayso.events import Event, MissionEnded, MissionStarted, Replanned, TaskEnded, TaskStarted
from sayso.grounding.answers import meant
from sayso.memory.event_text import Line, call, clean, one_line
from sayso.memory.journal import Journal, home
from sayso.result import Result
from sayso.setup import Setup
from sayso.terminal.film import Film
from sayso.terminal.person import answer_to, asked, done
from sayso.terminal.stops import Stops
from sayso.wish import Wish

WATCHED_PACE = 4.0
"""Simulated seconds per second when a person looks on."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of a mission from the command line. `collisions` is None where the world does not tell."""

    mission: str
    result: Result
    collisions: int | None

    def as_json(self) -> dict[str, Any]:
        result, ended = self.result, self.result.ended
        return {
            "success": bool(result),
            "mission": self.mission,
            **result.told(),
            "value": ended.value,
            "r_time_s": ended.r_time_s,
            "c_time_s": ended.c_time_s,
            "tokens": ended.plan_tokens,
            "model_calls": ended.model_calls,
            "replans": ended.replans,
            "collisions": self.collisions,
            "pictures": list(result.pictures),
        }


def fly(
    wish: Wish,
    setup: Setup,
    stops: Stops,
    *,
    console: Console,
    view: Path | None = None,
    pace: float | None = None,
    journal: Path | None = None,
    show_tree: bool = False,
    answers: bool = False,
) -> CommandResult:
    """One mission in an embedded world, from sentence to verdict. `answers`: a person can be asked back."""
    if not wish.latest.strip():
        raise UsageError('say what you want, such as sayso run "take off and go to the chair"')
    watched = WATCHED_PACE if pace is None and console.is_terminal else pace or 0.0
    clock = WallClock() if setup.real_time else SimClock(pace=watched)
    robot, world = setup.make_robot()
    if view and world is None:
        raise UsageError("a film is drawn of a simulated world, and this robot stands in none; leave --view out")
    film = Film(world, _folder(view)) if view and world else None
    with Journal(journal) as kept:
        agent = setup.make_agent(robot, world, memory=setup.remembers(kept), pictures=view or home() / "pictures")
        flown = clock.run(_fly(agent, wish, console, clock, stops, film, show_tree, answers))
    for path in film.write() if film else ():
        console.print(Text(f"{'':11}wrote    {path}", "cyan"), soft_wrap=True)
    return flown


async def _fly(
    agent: Agent,
    wish: Wish,
    console: Console,
    clock: Clock,
    stops: Stops,
    film: Film | None,
    show_tree: bool,
    answers: bool,
) -> CommandResult:
    events: list[Event] = []
    mission, began_s = "", asyncio.get_running_loop().time()

    def hear(event: Event) -> None:
        nonlocal mission
        if isinstance(event, MissionStarted) and agent.mission:
            mission = agent.mission.id
            stops.heard_by(agent.stop)
        if film:
            film.see(event)

    try:
        async with agent:
            tree = agent.executive.tree if show_tree else None
            events = await done(agent, wish, console, clock, tree=tree, hear=hear)
            while answers and (question := asked(events)):
                if not (answer := await answer_to(question, console, clock, agent, stops)):
                    break
                events, wish = [], meant(wish, question, answer)
                events = await done(agent, wish, console, clock, tree=tree, hear=hear)
            stops.unheard()  # it lands now, which nothing but a second signal should cut short
            before = agent.reading.now()
        rests = agent.reading.now().summary
        if before.resting and before.summary != rests:  # nothing moved, and its way to rest changed something
            rests = f"{rests}; it was “{before.summary}” until the end, when its rest() was called"
    except RobotError as error:
        if not events or not isinstance(events[-1], MissionEnded):
            raise
        rests = f"NOT: {error}"
    console.print(Text(Line(asyncio.get_running_loop().time() - began_s, "rests", rests).short), soft_wrap=True)
    collisions = len(agent.world.truth().contacts) if agent.world else None
    return CommandResult(mission, Result.of(events), collisions)


def asked_by(file: Path | None, mission: str, answer: str) -> tuple[Wish, Setup]:
    """The wish of a mission on record that ended with a question, with its answer, and the mission's setup.

    Raises `UsageError` where it asked nothing.
    """
    with Journal(file) as kept:
        events = kept.events(kept.resolve(mission))
    started, question = events[0], asked(events)
    if not question or not isinstance(started, MissionStarted):
        raise UsageError(f"the mission {mission} ended without a question, so there is nothing to answer")
    return started.wish.answered(question, answer), Setup.recorded(started.setup)


def _folder(path: Path) -> Path:
    """The folder, made now: better to fail before anything flies. Raises `UsageError`."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write pictures into {path}: {error.strerror}") from error
    return path


CALL_COLUMNS = 44
STYLES = {"done": "green", "failed": "red", "refused": "red", "preempted": "yellow"}


def drawn(events: Iterable[Event]) -> Text:
    """One line a state, in the order in which they were entered."""
    return Text("\n").join(_lines(list(events)))


def _lines(events: list[Event]) -> Iterator[Text]:
    ends = {e.task: e for e in events if isinstance(e, TaskEnded)}
    number = 0
    for event in events:
        match event:
            case TaskStarted() if event.statement:
                number += 1
                yield _state(number, event, ends.get(event.task))
            case Replanned():
                yield Text(f"{'>':>3}  a new plan", "yellow")
            case MissionEnded():
                yield Text(f"{'=':>3}  {event.outcome.replace('_', ' ')}", "bold")


def _state(number: int, began: TaskStarted, ended: TaskEnded | None) -> Text:
    line = Text(f"{number:>3}  {one_line(call(began), CALL_COLUMNS):<{CALL_COLUMNS}} ")
    if ended is None:
        return line.append("never ended", "yellow")
    line.append(f"{ended.outcome:<10}", STYLES.get(ended.outcome, ""))
    line.append(f"{ended.at_s - began.at_s:6.1f} s  ", "dim")
    came = ended.detail or ("" if ended.value is None else f"-> {ended.value}")
    return line.append(clean(came), "dim")
