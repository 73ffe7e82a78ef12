"""One episode of the drone suite: an office, an agent, a witness, a verdict."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import Any

from sayso.bench.episode import play
from sayso.bench.random_plans import RANDOM, RANDOM_IS
from sayso.bench.suite import REFERENCE, Conditions, Score, Suite, Trial
from sayso.models.latency import ModelledLatency
from sayso.perception.detecting import seen_through
from sayso.planners.stream import Stream
from sayso.planners.texts import TextPlanner
from sayso.prompts import plan_prompt
from sayso.robots.drone.suite.double import reference
from sayso.robots.drone.suite.tasks import TASKS, UNHARMED
from sayso.roles import Brief
from sayso.skill import SkillSet
from sayso.worlds import make as make_world

ABLATIONS = ("no-streaming", "no-probe", "no-replan", "python")


class Whole(TextPlanner):
    """Normal interpreting, for comparison: waits for a planner's whole text before it passes any on.

    With `instead` the text that was waited for is not the plan that runs: the double spoke Python, at Python's length,
    and the last MiniSpec in that list is handed over.
    """

    def __init__(self, inner: Stream, instead: list[str] | None = None) -> None:
        self.inner, self.instead = inner, instead
        self.replans = inner.replans
        self.name = f"{inner.name}, whole"

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        text = "".join([chunk async for chunk in self.inner.plan(brief)])
        yield self.instead[-1] if self.instead else text


def run_episode(trial: Trial) -> Score:
    """Fly one trial in virtual time. A mission that fails is a score, not an exception."""
    task = next(t for t in TASKS if t.id == trial.task)
    variant = task.variants[trial.episode % len(task.variants)]
    world = make_world("office", scene=variant.scene, seed=trial.seed)
    spoken: list[str] = []
    double = ModelledLatency(reference(trial.task, trial.ablation, spoken))
    without = _without(trial.ablation, spoken)
    if trial.detector:
        without["perception"] = seen_through(world.robot, trial.detector)
    return play(trial, task.sentence, world, variant.goal, double, also=UNHARMED, says=f"{variant.scene}: ", **without)


def _without(ablation: str, spoken: list[str]) -> dict[str, Any]:
    """What the agent is given so that one thing is left out."""
    match ablation:
        case "no-replan":
            return {"planner": partial(Stream, render=plan_prompt, replans=0)}
        case "no-probe":
            return {"skills": _without_probe}
        case "no-streaming":
            return {"planner": lambda model: Whole(Stream(model, plan_prompt))}
        case "python":
            return {"planner": lambda model: Whole(Stream(model, plan_prompt), instead=spoken)}
    return {}


def _without_probe(skills: SkillSet) -> SkillSet:
    return skills.only(s for s in skills if s not in ("probe", "scan_abstract"))


def _unfit(trial: Trial) -> str:
    if trial.ablation == "python" and trial.model != REFERENCE:
        return "the ablation python compares texts of one plan, so it needs --model reference"
    return ""


CONDITIONS = Conditions(
    physics="the quadrotor flies by physics; things and people stand where they were put",
    told="what a camera could see (frustum, size, rays past what hides it), with names and without error; no pixels",
    failures="none but those of the way: things stand in it",
    developed="on these very sentences and scenes: prompts, skills and the double's plans",
    episodes="the scenes of a task in turn; within one, things stray by some centimetres with the seed: one trial each",
)

SUITE = Suite(
    name="drone",
    says="the eleven tasks of TypeFly in the office",
    tasks=TASKS,
    kind="drone",
    ablations=ABLATIONS,
    of_planner=dict.fromkeys(("no-replan", "no-streaming", "python"), "stream"),
    unfit=_unfit,
    doubles={RANDOM: RANDOM_IS},
    alike=True,
    sees=True,
    conditions=CONDITIONS,
    run_episode=run_episode,
)
