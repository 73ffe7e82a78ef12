"""One episode of the drone suite: an office, an agent, a witness, a verdict."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from sayso.agent import Agent
from sayso.bench.episode import REFERENCE, judged
from sayso.bench.suite import Score, Suite, Trial
from sayso.clock import SimClock
from sayso.errors import UsageError
from sayso.models import make as make_model
from sayso.models.latency import ModelledLatency
from sayso.parts import Brief, Model, Planner
from sayso.planners.reflex import Reflex
from sayso.planners.stream import Stream
from sayso.prompts import plan_prompt
from sayso.robots.drone.suite.double import reference
from sayso.robots.drone.suite.tasks import TASKS
from sayso.skill import SkillSet
from sayso.worlds import make as make_world

ABLATIONS = ("no-streaming", "no-probe", "no-replan", "python")


class Whole:
    """Normal interpreting, for comparison: waits for a planner's whole text before it passes any on.

    With `instead` the text that was waited for is not the plan that runs: the double spoke Python, at Python's length,
    and the last MiniSpec in that list is handed over.
    """

    def __init__(self, inner: Planner, instead: list[str] | None = None) -> None:
        self.inner, self.instead = inner, instead
        self.name = f"{inner.name}, whole"

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        text = "".join([chunk async for chunk in self.inner.plan(brief)])
        yield self.instead[-1] if self.instead else text


def run_episode(trial: Trial) -> Score:
    """Fly one trial in virtual time. A mission that fails is a score, not an exception."""
    task = next(t for t in TASKS if t.id == trial.task)
    variant = task.variants[trial.episode % len(task.variants)]
    clock = SimClock()
    world = make_world("office", scene=variant.scene, seed=trial.seed)
    spoken: list[str] = []
    agent = Agent(
        world=world,
        model=_model(trial, clock, spoken),
        planner=_planner(trial, spoken),
        replans=0 if trial.ablation == "no-replan" else 4,
        skills=_without_probe if trial.ablation == "no-probe" else lambda skills: skills,
    )
    return judged(trial, clock, agent, task.sentence, variant.judge, f"{variant.scene}: ")


def _model(trial: Trial, clock: SimClock, spoken: list[str]) -> Model | None:
    if trial.planner == "reflex":
        return None
    if trial.model != REFERENCE:
        return make_model(trial.model, clock)
    return ModelledLatency(reference(trial.task, trial.ablation, spoken))


def _without_probe(skills: SkillSet) -> SkillSet:
    return skills.only(s for s in skills if s not in ("probe", "scan_abstract"))


def _planner(trial: Trial, spoken: list[str]) -> Planner | Callable[[Model], Planner]:
    if trial.planner == "reflex":
        return Reflex()
    if trial.planner != "stream":
        raise UsageError(f"the drone suite knows the planners stream and reflex, not {trial.planner!r}")
    if trial.ablation == "no-streaming":
        return lambda model: Whole(Stream(model, plan_prompt))
    if trial.ablation == "python":
        if trial.model != REFERENCE:
            raise UsageError("the ablation python compares texts of one plan, so it needs --model reference")
        return lambda model: Whole(Stream(model, plan_prompt), instead=spoken)
    return lambda model: Stream(model, plan_prompt)


SUITE = Suite(
    name="drone",
    says="the eleven tasks of TypeFly in the office",
    tasks=TASKS,
    ablations=ABLATIONS,
    slower=("no-streaming", "python"),
    run_episode=run_episode,
)
