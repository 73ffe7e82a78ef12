"""Replaying a mission from its journal, and saying whether it went the same way."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import fields

from sayso.agent import Agent, Approve
from sayso.clock import SimClock
from sayso.events import Event, MissionEnded
from sayso.memory.replay import Diverged, Record, RecordedExecutive, RecordedEyes, RecordedRobot, difference
from sayso.models.recorded import Recorded
from sayso.terminal.live import LiveView
from sayso.terminal.mission import Setup, make_planner


def replay(events: Sequence[Event], live: LiveView) -> str | None:
    """Run a mission again with its robot, sensors, model and person played back from the record.

    Returns what went otherwise, or None where it ended the same.
    """
    record = Record(events)
    clock = SimClock()
    seen: list[Event] = []

    async def again() -> None:
        agent = _agent(record)
        cut = asyncio.ensure_future(_play_stop(agent, record))
        try:
            async for event in agent.say(record.started.instruction, approve=_approve(record)):
                seen.append(event)
                live.see(event)
        finally:
            cut.cancel()

    try:
        clock.run(again())
    except Diverged as error:
        return str(error)
    return difference(record.events, seen if record.ended else _until_death(seen, record))


def _agent(record: Record) -> Agent:
    known = {f.name for f in fields(Setup)}
    setup = Setup(**{k: v for k, v in record.started.setup.items() if k in known})
    original = setup.make_world().robot
    robot = RecordedRobot(record, original.kind)
    robot.limits = original.limits
    model = Recorded.from_events(record.events) if setup.model else None
    return Agent(
        robot,
        perception=RecordedEyes(record),
        model=model,
        planner=make_planner(setup.planner, model),
        executive=lambda skills, emit: RecordedExecutive(record, emit),
        setup=record.started.setup,
    )


async def _play_stop(agent: Agent, record: Record) -> None:
    """The person's (or the watchdog's) stop, when it came; or the death of the process, where the record just ends."""
    if record.stop:
        await asyncio.sleep(record.stop.at_s)
        agent.stop(record.stop.by)
    elif record.ended is None:
        await asyncio.sleep(record.events[-1].at_s + 1e-3)
        agent.stop("the end of the record")


def _approve(record: Record) -> Approve | None:
    if not record.approvals:
        return None
    given = record.approvals[0]

    async def approve(plan: str) -> bool:
        now_s = asyncio.get_running_loop().time()
        await asyncio.sleep(max(0.0, given.at_s - now_s))
        return given.approved

    return approve


def _until_death(seen: Sequence[Event], record: Record) -> list[Event]:
    """Of a mission whose process died, only what it lived to write can be compared."""
    last_s = record.events[-1].at_s
    kept = [e for e in seen if e.at_s <= last_s + 1e-6 and not isinstance(e, MissionEnded)]
    return kept[: len(record.events)]
