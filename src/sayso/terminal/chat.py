"""A conversation in the terminal: one agent, wish after wish, each with what was said and done before."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from rich.console import Console
from rich.text import Text

from sayso.agent import Agent
from sayso.clock import Clock, SimClock, WallClock
from sayso.errors import UsageError
from sayso.events import Event, Said
from sayso.grounding.answers import meant
from sayso.memory.journal import Journal, home
from sayso.setup import Setup
from sayso.terminal.person import asked, done, read_line
from sayso.terminal.stops import Stops
from sayso.wish import Wish

QUIT = frozenset({"quit", "exit", "bye"})


class TypedInput:
    """Wishes from the keyboard."""

    help = "say what you want, or answer what is asked; quit ends, Ctrl-C stops the robot"

    def __init__(self, console: Console, clock: Clock) -> None:
        self._console, self._clock = console, clock

    async def wish(self, agent: Agent, question: str) -> str | None:
        """What is said next, empty for nothing; None for the end."""
        self._console.print("your answer> " if question else "> ", end="", highlight=False)
        with self._clock.real():
            line = await read_line()
        wish = line.strip()
        return None if not line or wish.lower() in QUIT else wish

    async def overhear(self, agent: Agent) -> None:
        """What is said while the robot is at it: nothing, as Ctrl-C is what stops it. Until cancelled."""

    async def ended(self, said: Sequence[str]) -> None:
        """A wish is over; what the robot said and asked."""


Person: TypeAlias = Callable[[Console, Clock], TypedInput]
"""Made where the loop runs."""


def chat(
    setup: Setup, stops: Stops, console: Console, pace: float | None, journal: Path | None, by: Person = TypedInput
) -> None:
    """Until `quit` or the end of the input. The robot comes to rest before this returns."""
    watched = 1.0 if pace is None and console.is_terminal else pace or 0.0
    clock = WallClock() if setup.real_time else SimClock(pace=watched)
    robot, world = setup.make_robot()
    with Journal(journal) as kept:
        memory = setup.remembers(kept)
        agent = setup.make_agent(robot, world, memory=memory, pictures=home() / "pictures", earlier=())
        clock.run(_talk(agent, stops, console, clock, by))


async def _talk(agent: Agent, stops: Stops, console: Console, clock: Clock, who: Person) -> None:
    person = who(console, clock)
    console.print(Text(person.help, "dim"))
    async with agent:
        stops.heard_by(agent.stop)
        said, question = Wish(""), ""
        while (wish := await person.wish(agent, question)) is not None:
            if wish == "release":
                agent.release("key")
            elif wish:
                said, question = await _do(agent, meant(said, question, wish), console, clock, person)
            if by := agent.executive.stopped_by:
                stops.done()
                console.print(Text(f"stopped by {by}; release lets it go on", "bold red"))
        stops.unheard()
    console.print(Text(f"{agent.reading.now().summary}", "dim"))


async def _do(agent: Agent, wish: Wish, console: Console, clock: Clock, person: TypedInput) -> tuple[Wish, str]:
    """One wish; the question that it ends with, where it does."""
    events: list[Event] = []
    overhearing = asyncio.ensure_future(person.overhear(agent))
    try:
        events = await done(agent, wish, console, clock)
    except UsageError as error:
        console.print(Text(str(error), "red"))
    finally:
        overhearing.cancel()
    aloud = [event.text for event in events if isinstance(event, Said)]
    question = asked(events)
    await person.ended([*aloud, question] if question not in aloud else aloud)
    return wish, question
