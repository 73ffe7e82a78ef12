"""Memory across restarts in the warehouse: straight to what was seen last time, and noticing that somebody moved it.

The model is a double that knows what is wanted; where to look is not its to say.
"""

from __future__ import annotations

import json
from pathlib import Path

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import Event, TaskEnded, TaskStarted, Warned
from sayso.memory.agent_memory import AgentMemory
from sayso.memory.journal import Journal
from sayso.models.scripted import Scripted
from sayso.planners.stepwise import Stepwise
from sayso.prompts import stepwise_prompt
from sayso.robots.warehouse.errands import Errands
from sayso.robots.warehouse.world.store import Warehouse
from sayso.roles import Prompt

FETCH = "put the apple into the basket"


def answer(prompt: Prompt) -> str:
    assert prompt.brief is not None
    wish = prompt.brief.instruction
    return json.dumps({"want": "want placed(apple, basket)" if wish == FETCH else f"want visited('{wish}')"})


def mission(file: Path, wish: str, apple: str) -> tuple[list[Event], Warehouse, AgentMemory]:
    """One start of the robot: it knows what the file holds, and the apple is where it is said to be."""
    world = Warehouse("real", 3, setup={"objects": {"apple_1": apple, "apple_3": None}})
    with Journal(file) as journal:
        memories = AgentMemory(journal, "warehouse/real")
        memories.teach(world.robot.knowledge)
        events: list[Event] = []

        async def run() -> None:
            agent = Agent(
                world=world, model=Scripted(answer, name="double", chunk=500), memory=memories,
                planner=lambda heard: Stepwise(heard, stepwise_prompt, ledger=Errands, terse=True),
            )  # fmt: skip
            async with agent:
                events.extend([event async for event in agent.say(wish)])

        SimClock().run(run())
        return events, world, memories


def went(events: list[Event]) -> list[str]:
    return [str(e.args[0]) for e in events if isinstance(e, TaskStarted) and e.skill == "go_to"]


def test_after_a_restart_it_goes_straight_to_what_it_saw_and_notices_what_was_moved(tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    events, _, memories = mission(file, "dining table", "dining table")
    assert [e.outcome for e in events if isinstance(e, TaskEnded)] == ["done"]
    assert memories.places.named("purchase table") is not None, "fixed places are labelled, by their aliases as well"
    columns, rows = memories.grid.states().shape
    assert columns > 60 and rows > 60, "the lidar's map covers metres around both stands"

    events, world, memories = mission(file, FETCH, "dining table")
    assert went(events)[0] == "dining table" and world.truth().things["apple_1"].on == "basket"
    assert len(went(events)) == 2

    other = tmp_path / "other.db"
    mission(other, "dining table", "dining table")
    events, world, _ = mission(other, FETCH, "toy rack")  # where somebody has put it meanwhile
    assert went(events)[0] == "dining table"
    told = [e.text for e in events if isinstance(e, Warned) and "apple" in e.text]
    assert told, "the operator hears that it is not where it was"
    assert world.truth().things["apple_1"].on == "basket"
