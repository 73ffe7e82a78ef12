"""Memory in the office: the drone finds the apple that it saw on an earlier mission, and notices that it was moved."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest
from memory_rooms import state

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import Event, MissionEnded, Observed, TaskStarted, Warned
from sayso.memory.agent_memory import AgentMemory
from sayso.memory.journal import Journal
from sayso.models.scripted import Scripted
from sayso.worlds import make

SEES_IT = ["to;tu(90);_1=iv('apple');->_1"]


def fly(
    file: Path, wish: str, plans: list[str] | None, moved: tuple[float, float, float] | None = None
) -> tuple[list[Event], Scripted | None]:
    """One mission with everything made anew but the file. `moved` is how far somebody has carried the apple (m)."""
    clock, world = SimClock(), make("office")
    if moved:
        world.model.body("apple-1").pos += moved  # type: ignore[attr-defined]
        mujoco.mj_forward(world.model, world.data)  # type: ignore[attr-defined]
    model = Scripted(plans) if plans else None

    async def main() -> list[Event]:
        with Journal(file) as journal:
            async with Agent(world=world, model=model, memory=AgentMemory(journal, "office/tour")) as agent:
                return [event async for event in agent.say(wish)]

    return clock.run(main()), model


def skills(events: list[Event]) -> list[str]:
    return [e.skill for e in events if isinstance(e, TaskStarted)]


def outcome(events: list[Event]) -> str:
    assert isinstance(events[-1], MissionEnded)
    return events[-1].outcome


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A journal in which one mission has seen the apple."""
    file = tmp_path / "journal.sqlite"
    events, _ = fly(file, "turn to your left and look there", SEES_IT)
    assert outcome(events) == "achieved"
    return file


def test_the_next_mission_goes_straight_to_the_apple(file: Path) -> None:
    events, model = fly(file, "go to the apple", ["g('apple')"])
    first = next(e for e in events if isinstance(e, Observed))
    assert "apple" not in [t["label"] for t in first.scene["things"]], "it is not in view at the start"
    assert outcome(events) == "achieved" and skills(events) == ["goto"]
    assert model is not None
    prompt = model.prompts[0].messages
    assert "\n| remembered: apple (red), last seen " in prompt[1][1] and "to the left" in prompt[1][1]
    assert "where(thing: thing)" in prompt[0][1] and "seen earlier" in prompt[0][1]
    with Journal(file) as journal:
        memories = AgentMemory(journal, "office/tour")
        (apple,) = [u for u in memories.things if u.label == "apple"]
        assert apple.born_s < apple.seen_s and not [u for u in memories.things if u.stale]
        assert state(memories.grid, 0.7, 0.7) == "free"


def test_without_a_model_the_search_begins_where_it_was(file: Path) -> None:
    events, _ = fly(file, "go to the apple", None)
    assert outcome(events) == "achieved"
    assert skills(events) == ["take_off", "recall", "goto"], "no turning round step by step"


def test_an_apple_that_was_moved_is_noticed_and_found(file: Path) -> None:
    plans = ["g('apple')", "?s('apple')==True{g('apple')}:{->False}"]
    events, model = fly(file, "go to the apple", plans, moved=(-2.5, -1.4, 0.0))
    assert outcome(events) == "achieved" and model is not None and len(model.prompts) == 2
    assert "the apple is not where it was seen last" in model.prompts[1].messages[1][1]
    warned = [e.text for e in events if isinstance(e, Warned)]
    assert any("apple is no longer where it was seen" in text for text in warned)
    with Journal(file) as journal:
        memories = AgentMemory(journal, "office/tour")
        (apple,) = [u for u in memories.things if u.label == "apple"]
        assert not apple.stale and apple.pose is not None and apple.pose.x_m < -1.0
        assert [t.what for t in memories.store.history(apple.id)] == ["seen", "missing", "moved"]


def test_a_question_is_answered_from_memory(file: Path) -> None:
    events, _ = fly(file, "where is the apple?", ["->w('apple')"])
    ended = events[-1]
    assert isinstance(ended, MissionEnded) and "last seen" in str(ended.value) and "with banana" in str(ended.value)
    events, _ = fly(file, "where is the unicorn?", ["->w('unicorn')"])
    assert outcome(events) == "not_achieved"
