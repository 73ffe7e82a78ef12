"""One episode of an ordinary suite: a sentence said to an agent in virtual time, judged by the world.

A suite brings a world, a sentence, a goal and a double; whichever model and planner were named do the rest.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

from sayso.agent import Agent
from sayso.bench.judge import TruthRecorder
from sayso.bench.random_plans import RANDOM, Admits, RandomPlans, admits
from sayso.bench.suite import REFERENCE, Score, Trial
from sayso.clock import SimClock
from sayso.events import Event, LimitHeld, MissionEnded
from sayso.mission.defaults import make_planner
from sayso.models import make as make_model
from sayso.models.scripted import Scripted
from sayso.roles import Model, Prompt
from sayso.world import World

Double: TypeAlias = Callable[[Prompt], str] | Model
"""What answers where no model is named: a model, or what it says to a prompt."""


def model_named(
    spec: str, double: Double, dice: int = 0, goals: Mapping[str, str] = MappingProxyType({}), admits: Admits = admits
) -> Model:
    """The model that `spec` names. `reference` is the suite's double, and `random` another one: it knows what each wish
    means (`goals`), draws with `dice` what to do, and leaves to the first what is no question of that; `admits` tells
    which of its plans may run. `modelled:` and `corrupted:` may stand around any. Raises `UsageError` for an unknown
    one."""

    def doubled(name: str) -> Model | None:
        if name not in (REFERENCE, RANDOM):
            return None
        known = double if isinstance(double, Model) else Scripted(double, name=f"{REFERENCE} (a test double)")
        return known if name == REFERENCE else RandomPlans(goals, dice, known, admits)

    return make_model(spec, doubled, dice)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one mission: what happened, which goals were missed, and how often the robot touched something."""

    events: Sequence[Event]
    missed: Sequence[str]
    collisions: int

    @property
    def ended(self) -> MissionEnded:
        last = self.events[-1]
        assert isinstance(last, MissionEnded), "every mission ends"
        return last

    def score(self, trial: Trial, success: bool, says: str = "", **more: Any) -> Score:
        """The score of that mission. `says` goes before its reason, `more` are a score's own fields."""
        ended = self.ended
        known: dict[str, Any] = {
            "reason": f"{says}{ended.outcome}: {ended.reason}",
            "r_time_s": ended.r_time_s,
            "c_time_s": ended.c_time_s,
            "tokens": ended.plan_tokens,
            "replans": ended.replans,
            "model_calls": ended.model_calls,
            "collisions": self.collisions,
            "refusals": sum(isinstance(event, LimitHeld) for event in self.events),
            "outcome": ended.outcome,
            "verified": ended.verified is True,
            "error": ended.reason if ended.outcome == "error" else "",
            "asked": ended.outcome == "asked",
        }
        return Score(trial.task, trial.episode, success, **(known | more))


async def carried_out(
    agent: Agent,
    sentence: str,
    witness: TruthRecorder,
    goals: Iterable[str],
    *,
    after_s: float = 0.0,
    sees: Any = Event,
) -> Outcome:
    """Say it to an agent, and see its mission to the end and so long after it. The witness `sees` these events."""
    events = list[Event]()
    async with agent:
        async for event in agent.say(sentence):
            events.append(event)
            if isinstance(event, sees):
                witness.see(event)
        await asyncio.sleep(after_s)
        witness.note()
        missed = tuple(goal for goal in goals if witness.verdict(goal).truth is not True)
    return Outcome(events, missed, witness.collisions)


def play(
    trial: Trial,
    sentence: str,
    world: World,
    goal: str,
    double: Double,
    *,
    wants: str = "",
    also: str = "",
    says: str = "",
    **more: Any,
) -> Score:
    """A sentence in `world`, with the planner that the trial names; `double` answers where no model is named.

    `wants` is as much of the goal as the robot can know of, where that is less; `also` is a goal that nobody speaks of
    and that counts all the same; `says` goes before the reason, `more` is the agent's. A mission that fails is a score,
    not an exception.
    """
    model = model_named(trial.model, double, trial.seed, {sentence: wants or goal})
    planner = more.pop("planner", None) or make_planner(trial.planner, model, world.robot)
    agent = Agent(world=world, model=model, planner=planner, **more)
    goals = filter(None, (goal, also))
    outcome = SimClock().run(carried_out(agent, sentence, TruthRecorder(world.truth), goals))
    return outcome.score(trial, not outcome.missed, says)
