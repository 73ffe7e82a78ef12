"""A client that means harm drives the robots through the protocol, and nothing comes of it."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("mcp")

from sayso.agent import Agent
from sayso.bench.hostile import attacked
from sayso.bench.hostile_mcp import run_episode
from sayso.bench.suite import REFERENCE, Trial


@pytest.mark.parametrize("task", ["office", "home"])
def test_nothing_comes_of_malice_through_the_protocol(task: str) -> None:
    """The protocol is one for all places; test_hostile_suite is in each of them."""
    score = run_episode(Trial("hostile-mcp", task, 0, 3, "", REFERENCE))
    assert score.success, score.reason
    assert score.figures["missions"] > 1


def test_where_nobody_approves_nothing_begins_whatever_the_client_says() -> None:
    score = run_episode(Trial("hostile-mcp", "office", 10, 3, "", REFERENCE))
    assert score.success, score.reason
    assert (score.figures["missions"] > 1, score.figures["motions"]) == (True, 0)


def test_a_skill_that_begins_unapproved_would_be_seen() -> None:
    async def drive(agent: Agent, rng: random.Random) -> None:
        async for _ in agent.say("be good"):
            pass

    assert not attacked(Trial("hostile", "office", 0, 1, "", REFERENCE), drive, idle=True).success
