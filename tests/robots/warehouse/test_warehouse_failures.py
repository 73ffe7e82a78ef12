"""What goes wrong in a warehouse is told in words, and as a code with what it is about."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import Event, TaskEnded
from sayso.memory.agent_memory import AgentMemory
from sayso.memory.journal import Journal
from sayso.models.scripted import Scripted
from sayso.planners.stream import Stream
from sayso.prompts import plan_prompt
from sayso.robots.warehouse.failures import LOST, NOT_SEEN
from sayso.robots.warehouse.world.sim import SimPicker
from sayso.robots.warehouse.world.store import Warehouse
from sayso.task import FELL, SLIPPED

TO_APPLE = 'go_to("dining table");pick_up("apple")'


def ended(plan: str, file: Path | None = None, **world: Any) -> list[TaskEnded]:
    """The tasks of a plan in a small hall, as they ended; the model is a double that answers with the plan."""
    hall = Warehouse("real", 3, setup={"objects": {"apple_1": "dining table"}}, **world)
    events: list[Event] = []

    async def run(memories: AgentMemory | None) -> None:
        planner = partial(Stream, render=plan_prompt, replans=0)
        async with Agent(world=hall, model=Scripted([plan], chunk=200), memory=memories, planner=planner) as agent:
            events.extend([event async for event in agent.say("bring it")])

    if file is None:
        SimClock().run(run(None))
    else:
        with Journal(file) as journal:
            SimClock().run(run(AgentMemory(journal, "warehouse/real")))
    return [e for e in events if isinstance(e, TaskEnded)]


@pytest.mark.parametrize(
    ("plan", "failures", "code", "about"),
    [
        (TO_APPLE, {"slip": 1.0}, SLIPPED, ()),
        (TO_APPLE, {"navigation": 1.0}, LOST, ()),
        ('go_to("dining table");pick_up("school bus")', {}, NOT_SEEN, ("school bus",)),
    ],
)
def test_a_failure_has_a_code(plan: str, failures: dict[str, float], code: str, about: tuple[str, ...]) -> None:
    last = ended(plan, failures=failures)[-1]
    assert (last.outcome, last.code, last.about) == ("failed", code, about)


def test_what_is_not_seen_where_it_was_put_is_not_said_to_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    release = SimPicker.release_at

    async def aside(robot: SimPicker, x_m: float, y_m: float, z_m: float) -> None:
        await release(robot, x_m + 0.2, y_m, z_m)

    monkeypatch.setattr(SimPicker, "release_at", aside)
    last = ended(f'{TO_APPLE};place("apple")')[-1]
    assert (last.outcome, last.code) == ("failed", FELL)
    assert "apple is not where I put it down" in last.detail


def test_where_something_fell_is_data_and_in_the_journal(tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    last = ended(f'{TO_APPLE};go_to("basket")', file, failures={"drop": 1.0})[-1]
    x_m, y_m = last.about
    assert last.code == FELL and f"fallen near x {x_m}, y {y_m}" in last.detail
    with Journal(file) as journal:
        (mission,) = journal.missions()
        kept = [e for e in journal.events(mission.id) if isinstance(e, TaskEnded)]
    assert kept[-1] == last
