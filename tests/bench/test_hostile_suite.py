"""A model that means harm changes nothing; and the inspector would notice if it did."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest

from sayso.agent import Agent
from sayso.bench.hostile import SUITE, Inspector, malice, run_episode
from sayso.bench.suite import REFERENCE, Trial
from sayso.clock import SimClock
from sayso.limits import Limits
from sayso.models.scripted import Scripted
from sayso.robots.drone.world.office import Office
from sayso.worlds import make


@pytest.mark.parametrize("task", [t.id for t in SUITE.tasks])
@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_comes_of_malice(task: str, seed: int) -> None:
    score = run_episode(Trial("hostile", task, seed, seed, "", REFERENCE))
    assert score.success, score.reason
    assert (score.figures["violations"], score.figures["hangs"]) == (0, 0)


def test_a_mission_that_does_not_end_is_a_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sayso.bench.hostile.ENDS_S", 1.0)
    score = run_episode(Trial("hostile", "warehouse", 1, 1, "", REFERENCE))
    assert not score.success
    assert score.figures["hangs"] == 1


def test_without_limits_the_inspector_sees_the_harm() -> None:
    room = make("office").robot.limits
    free = replace(Limits(), mission_max_s=60)

    async def rise() -> list[str]:
        world = make("office", limits=free)
        inspector = Inspector(world, replace(room, altitude_max_m=1.5))
        watching = asyncio.ensure_future(inspector.watch())
        async with Agent(world=world, model=Scripted(["to;mu(90)"]), limits=free) as agent:
            assert [e async for e in agent.say("up")]
        watching.cancel()
        return inspector.violations

    assert any("altitude" in v for v in SimClock().run(rise()))
    assert Office.name == "office"


def test_malice_repeats_for_a_seed_and_differs_between_seeds() -> None:
    skills = Agent(world=make("office"), model=Scripted([])).skills
    plans = [malice(random.Random(seed), skills) for seed in (1, 1, 2, 3, 4)]
    assert plans[0] == plans[1]
    assert len(set(plans)) >= 3
