"""One episode of TypeFly's eleven tasks (`suite.toml`): an office, an agent, a witness, a verdict.

The double's plans are written by hand. It takes from what is seen what a plan cannot know beforehand (the labels in
view), by rules given here per task. Because it cheats on language, a score with it says that worlds, skills and judges
are right, and nothing about understanding.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias

from sayso.bench.episode import play
from sayso.bench.suite import REFERENCE, Score, Suite, Trial
from sayso.language import parse, to_python
from sayso.models.latency import ModelledLatency
from sayso.models.scripted import Scripted
from sayso.perception.detecting import seen_through
from sayso.planners.stream import Stream
from sayso.planners.text_planner import TextPlanner
from sayso.prompts import plan_prompt
from sayso.roles import Brief, Prompt
from sayso.scene import Scene
from sayso.tables import toml
from sayso.worlds import make as make_world

Answer: TypeAlias = Callable[[Scene], str]


def first_of(*labels: str) -> Answer:
    """Answer the first thing in view that has one of these labels, else False."""
    return lambda scene: next((scene.pick(t) for t in scene if t.label in labels), "False")


def _holds_cup(scene: Scene) -> str:
    return str(any(t.label == "person" and t.attributes.get("holding") == "cup" for t in scene))


def _tallest_of_three(scene: Scene) -> str:
    people = scene.alike("person")
    if len(people) <= 2:
        return "l('No more than two people here');->False"
    return f"o('{scene.pick(max(people, key=lambda t: t.box.height if t.box else 0.0))}')"


@dataclass(frozen=True, slots=True)
class Plans:
    """What the double writes for a task: `plan` first, `then` after a replan; `answer` serves the probes; `unprobed` is
    the best plan without probe."""

    plan: str
    then: str | Answer = ""
    answer: Answer = field(default=lambda scene: "False")
    unprobed: str = ""


def _plans(plan: str, answers: Sequence[str] = (), **more: str) -> Plans:
    return Plans(plan, answer=first_of(*answers), **more)


PLANS = {task: _plans(**told) for task, told in toml(__package__, "reference.toml").items()}
PLANS["10"] = replace(PLANS["10"], then=_tallest_of_three)
PLANS["11"] = replace(PLANS["11"], answer=_holds_cup)


def _eat_or_drink(question: str, scene: Scene) -> str:
    labels = ("coke", "bottle") if "drink" in question else ("sandwich", "apple", "banana")
    return first_of(*labels)(scene)


def reference(task: str, ablation: str = "", spoken: list[str] | None = None) -> Scripted:
    """The double for one task. Under the ablation `python` it speaks the same plan in Python; `spoken` then receives
    the MiniSpec that it stands for."""
    plans = PLANS[task]

    def answer(prompt: Prompt) -> str:
        assert prompt.brief
        scene = prompt.brief.scene
        if prompt.purpose == "probe":
            return _eat_or_drink(prompt.question, scene) if task == "8" else plans.answer(scene)
        if ablation == "no-probe" and (plans.unprobed or "p(" in plans.plan or "sa(" in plans.plan):
            return plans.unprobed or plans.plan
        then = plans.then(scene) if callable(plans.then) else plans.then
        text = (then if prompt.purpose != "plan" else "") or plans.plan
        if spoken is not None:
            spoken.append(text)
        return to_python(parse(text), prompt.brief.skills) if ablation == "python" else text

    return Scripted(answer, name="reference")


UNHARMED = "never touched(thing)"


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
    task = SUITE.task(trial.task)
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
            return {"skills": lambda skills: skills.only(s for s in skills if s not in ("probe", "scan_abstract"))}
        case "no-streaming":
            return {"planner": lambda model: Whole(Stream(model, plan_prompt))}
        case "python":
            return {"planner": lambda model: Whole(Stream(model, plan_prompt), instead=spoken)}
    return {}


def _unfit(trial: Trial) -> str:
    if trial.ablation == "python" and trial.model != REFERENCE:
        return "the ablation python compares texts of one plan, so it needs --model reference"
    return ""


SUITE = Suite.read(__package__, "suite.toml", unfit=_unfit, run_episode=run_episode)
