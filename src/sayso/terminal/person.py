"""The person at the keyboard: their wishes are done and shown, and they are asked.

Waiting for the answer blocks nothing, so a stop still gets through (`stops`).
"""

import asyncio
import os
import sys
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.text import Text

from sayso.agent import Agent
from sayso.clock import Clock
from sayso.events import Event, MissionEnded
from sayso.memory.event_text import clean_lines
from sayso.planners.plan_run import Approve
from sayso.roles import closing
from sayso.terminal.live import LiveView, Tree
from sayso.terminal.stops import Stops
from sayso.wish import Wish

LONGEST = 1000
"""Bytes of an answer that are read; nobody types so much for a yes."""


def asking(console: Console, clock: Clock, live: LiveView) -> Approve:
    """Shows the plan and takes y or yes for an approval; anything else, and the end of the input, is none."""

    async def approve(plan: str) -> bool:
        with live.aside(), clock.real():
            console.print(Text(clean_lines(plan), "bold"), soft_wrap=True)
            console.print("Run this plan? [y/N] ", end="", markup=False, highlight=False, soft_wrap=True)
            try:
                answer = await read_line()
            except asyncio.CancelledError:
                console.print()
                raise
            if not (answer.endswith("\n") and sys.stdin.isatty()):  # a terminal has shown the end of the line itself
                console.print()
            return answer.strip().lower() in ("y", "yes")

    return approve


async def done(
    agent: Agent,
    wish: Wish,
    console: Console,
    clock: Clock,
    *,
    tree: Tree | None = None,
    hear: Callable[[Event], None] = lambda event: None,
) -> list[Event]:
    """Have a wish done, shown live, with every plan put to the person where they want that; all that happened."""
    events: list[Event] = []
    with LiveView(console, tree) as live:
        ask = asking(console, clock, live) if agent.setup["approve"] else None
        async with closing(agent.say(wish, approve=ask)) as happening:
            async for event in happening:
                hear(event)
                events.append(event)
                live.see(event)
    return events


def asked(events: Sequence[Event]) -> str:
    """The question that a mission ended with; empty where it did not."""
    return events[-1].asked if events and isinstance(events[-1], MissionEnded) else ""


async def answer_to(question: str, console: Console, clock: Clock, agent: Agent, stops: Stops) -> str:
    """What the person answers to what the robot asked back; empty for nothing, and where they stop it meanwhile."""
    reading = asyncio.ensure_future(read_line())

    def stop(by: str) -> None:
        agent.stop(by)
        reading.cancel()

    console.print(Text(question, "bold yellow"))
    console.print("Your answer (Enter for none): ", end="", markup=False, highlight=False, soft_wrap=True)
    stops.heard_by(stop)
    with clock.real():
        try:
            return (await reading).strip()
        except asyncio.CancelledError:
            if not stops.asked:
                raise
            console.print()
            return ""
        finally:
            reading.cancel()
            stops.heard_by(agent.stop)


async def read_line() -> str:
    """One line of standard input, or what there was of it."""
    if sys.stdin is None:
        return ""
    descriptor, line = sys.stdin.fileno(), b""
    while not line.endswith(b"\n") and len(line) < LONGEST:
        await _readable(descriptor)
        more = os.read(descriptor, 1)  # what follows the line may be the answer to the next question
        if not more:
            break
        line += more
    return line.decode(errors="replace")


async def _readable(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    try:
        loop.add_reader(descriptor, ready.set)
    except PermissionError:  # a plain file is always ready and cannot be waited for
        return
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)
