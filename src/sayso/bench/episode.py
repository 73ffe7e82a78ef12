"""One episode of an ordinary suite: a sentence said to an agent in virtual time, judged by what really came of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sayso.agent import Agent
from sayso.bench.judge import Judge, Witness
from sayso.bench.suite import Score, Trial
from sayso.clock import SimClock
from sayso.defaults import make_planner, replans
from sayso.events import LimitHeld
from sayso.models import make as make_model
from sayso.models.scripted import Scripted
from sayso.parts import Prompt, World

REFERENCE = "reference"
"""The name of every suite's double: what answers where no model is named."""


def play(
    trial: Trial, sentence: str, world: World, judge: Judge, double: Callable[[Prompt], str], **more: Any
) -> Score:
    """A sentence in `world`; `double` answers where no model is named. `more` is the agent's.

    A mission that fails is a score, not an exception.
    """
    clock = SimClock()
    named = trial.model != REFERENCE
    model = make_model(trial.model, clock) if named else Scripted(double, name=f"{REFERENCE} (a test double)")
    more = {"planner": make_planner(trial.planner, model, world.robot), "replans": replans(trial.planner), **more}
    return judged(trial, clock, Agent(world=world, model=model, **more), sentence, judge)


def judged(trial: Trial, clock: SimClock, agent: Agent, sentence: str, judge: Judge, says: str = "") -> Score:
    """What came of a sentence that was said to `agent`. `says` goes before the reason."""

    async def mission() -> Score:
        refusals = 0
        assert agent.world is not None
        async with agent:
            witness = Witness(agent.world.truth)
            async for event in agent.say(sentence):
                witness.see(event)
                refusals += isinstance(event, LimitHeld)
            ended = witness.ended
            assert ended is not None, "every mission ends"
            return Score(
                task=trial.task,
                episode=trial.episode,
                success=judge(witness),
                reason=f"{says}{ended.outcome}: {ended.reason}",
                r_time_s=ended.r_time_s,
                c_time_s=ended.c_time_s,
                tokens=ended.plan_tokens,
                replans=ended.replans,
                model_calls=ended.model_calls,
                collisions=witness.collisions,
                refusals=refusals,
            )

    return clock.run(mission())
