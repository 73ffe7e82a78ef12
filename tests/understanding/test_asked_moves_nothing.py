"""What is asked of the robot itself, or said to it in talk, runs no skill, in every world (U1)."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sayso import events as ev
from sayso.clock import SimClock
from sayso.setup import Setup
from sayso.tables import toml
from sayso.understanding import requested
from sayso.wish import Act

WORLDS = ("office", "home", "warehouse", "rescue", "soccer")
FRAMES = ("{}", "{}?", "what about your {}?", "tell me your {}", "are you {}?", "can you {}?", "is it {} with you?")
WAYS_MAX = 4


def _said(pattern: str) -> Iterator[str]:
    """Some of the ways to say a pattern, with everything that may be left out left out."""
    parts = pattern.replace("(", "\0(").replace(")", ")\0").split("\0")
    choices: list[Sequence[str]] = [
        [way.strip() for way in part[1:-1].split("|")][:WAYS_MAX] if part.startswith("(") else [part] for part in parts
    ]
    for way in itertools.product(*choices):
        yield " ".join("".join(f" {word} " for word in way).replace("<words>", "it").replace("<thing>", "it").split())


@functools.cache
def _sentences() -> Sequence[str]:
    """Sentences made of what topics of facts are asked by, and of talk, as far as they are no commands."""
    rows = [way for topic in toml("sayso.grounding", "facts.toml")["topic"] for way in topic["say"]]
    plain = [said for row in rows if "[" not in row for said in itertools.islice(_said(row), WAYS_MAX)]
    return sorted(
        {f.format(said) for said in plain for f in FRAMES if requested(f.format(said)).act in (Act.SELF, Act.TALK)}
    )


def events_of(said: str, world: str = "office") -> list[ev.Event]:
    async def main() -> list[ev.Event]:
        robot, around = Setup(world=world).make_robot()
        async with Setup(world=world).make_agent(robot, around) as agent:
            return [event async for event in agent.say(said)]

    return SimClock().run(main())


@pytest.mark.parametrize("world", WORLDS)
@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_u1_what_is_asked_of_the_robot_runs_no_skill(world: str, data: st.DataObject) -> None:
    events = events_of(data.draw(st.sampled_from(_sentences())), world)
    assert not [e for e in events if isinstance(e, ev.TaskStarted)]
    assert isinstance(events[-1], ev.MissionEnded) and events[-1].outcome in ("achieved", "not_achieved")
    assert [e.text for e in events if isinstance(e, ev.Said)]


def test_u1_what_is_only_told_moves_nothing_before_a_yes() -> None:
    events = events_of("I have no way of reaching the bottle")
    assert not [e for e in events if isinstance(e, ev.TaskStarted) and e.skill != "log"]
    assert isinstance(events[-1], ev.MissionEnded) and events[-1].outcome != "achieved"


def test_u5_a_wait_longer_than_a_mission_may_take_is_refused_before_anything_moves() -> None:
    events = events_of("go up 40 cm, wait 2 hours and land")
    assert not [e for e in events if isinstance(e, ev.TaskStarted)]
    assert isinstance(events[-1], ev.MissionEnded) and events[-1].reason.startswith("I cannot wait 120 minutes")
