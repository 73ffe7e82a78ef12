"""One episode of an ordinary suite: a sentence said to an agent in virtual time, judged by what really came of it.

A suite brings a world, a sentence, a goal and a double; whichever model and planner were named do the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from sayso.agent import Agent
from sayso.bench.judge import Witness
from sayso.bench.random_plans import RANDOM, random_plans, wishing
from sayso.bench.suite import REFERENCE, Score, Trial
from sayso.clock import SimClock
from sayso.defaults import make_planner
from sayso.events import Event, LimitHeld, MissionEnded, Said
from sayso.goals.holds import Verdict
from sayso.models import make as make_model
from sayso.models.corrupted import read_corrupted
from sayso.models.latency import ModelledLatency
from sayso.models.scripted import Scripted
from sayso.parts import Model, Prompt, World

Double: TypeAlias = Callable[[Prompt], str] | Model
"""What answers where no model is named: a model, or what it says to a prompt."""

Goal: TypeAlias = str | Callable[[], Verdict]
"""What is wanted, as text, or its verdict where a world keeps books that no other has."""


def heard(spec: str, double: Double, dice: int = 0) -> Model:
    """The model that `spec` names. `reference` is the suite's double, `modelled:` and `corrupted:` may stand around it,

    the latter with `dice` as its seed. Raises `UsageError` for an unknown one.
    """
    kind, _, rest = spec.partition(":")
    if spec == REFERENCE:
        return double if isinstance(double, Model) else Scripted(double, name=f"{REFERENCE} (a test double)")
    if kind == "modelled" and rest:
        return ModelledLatency(heard(rest, double, dice))
    if kind == "corrupted" and rest:
        return read_corrupted(rest, lambda inner: heard(inner, double, dice), dice)
    return make_model(spec)


@dataclass(slots=True)
class Account:
    """What is noted of any mission: how it ended, how often limits held it, what was said last."""

    ended: MissionEnded | None = None
    held: int = 0
    said: str = ""

    def see(self, event: Event) -> None:
        match event:
            case MissionEnded():
                self.ended = event
            case LimitHeld():
                self.held += 1
            case Said(text=text):
                self.said = text

    def score(self, trial: Trial, success: bool, says: str = "", **more: Any) -> Score:
        """The score of a mission that ended. `says` goes before its reason, `more` are a score's own fields."""
        ended = self.ended
        assert ended is not None, "every mission ends"
        known: dict[str, Any] = {
            "reason": f"{says}{ended.outcome}: {ended.reason}",
            "r_time_s": ended.r_time_s,
            "c_time_s": ended.c_time_s,
            "tokens": ended.plan_tokens,
            "replans": ended.replans,
            "model_calls": ended.model_calls,
            "refusals": self.held,
            "outcome": ended.outcome,
            "verified": ended.verified is True,
            "error": ended.reason if ended.outcome == "error" else "",
            "asked": ended.outcome == "asked",
        }
        return Score(trial.task, trial.episode, success, **(known | more))


def play(
    trial: Trial,
    sentence: str,
    world: World,
    goal: Goal,
    double: Double,
    *,
    also: str = "",
    says: str = "",
    **more: Any,
) -> Score:
    """A sentence in `world`, with the planner that the trial names; `double` answers where no model is named.

    `also` is a goal that nobody speaks of and that counts all the same; `says` goes before the reason, `more` is the
    agent's. A mission that fails is a score, not an exception.
    """
    clock = SimClock()
    if trial.model == RANDOM and isinstance(goal, str):
        model: Model = random_plans(goal, trial.seed)
        more["planner"] = wishing(make_planner(trial.planner, model, world.robot), goal)
    else:
        model = heard(trial.model, double, trial.seed)
        more = {"planner": make_planner(trial.planner, model, world.robot), **more}
    agent = Agent(world=world, model=model, **more)

    async def mission() -> Score:
        account = Account()
        async with agent:
            witness = Witness(world.truth)
            async for event in agent.say(sentence):
                witness.see(event)
                account.see(event)
            verdicts = [goal() if callable(goal) else witness.verdict(goal), *([witness.verdict(also)] if also else [])]
            met = all(v.truth is True for v in verdicts)
            return account.score(trial, met, says, collisions=witness.collisions)

    return clock.run(mission())
