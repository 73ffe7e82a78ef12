"""The service suite: spoken commands drawn anew for every episode, done in the home, judged by how it is afterwards.

Three figures, as in the paper: whether the first answer was admissible and whether one was after asking again, whether
the plan as such does what was said, and whether the mission did. A plan that a mission could do without repair is
right; another one gets two more tries of its own in an undisturbed home, since a slipped grasp is no fault of a plan.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from zlib import crc32

from sayso.agent import Agent
from sayso.bench.episode import Outcome, carried_out, model_named
from sayso.bench.judge import TruthRecorder
from sayso.bench.random_plans import RANDOM
from sayso.bench.suite import BenchTask, Score, Suite, Trial
from sayso.clock import SimClock
from sayso.errors import UsageError
from sayso.events import Event, PlanEnded, Prompted, Replanned, StatementReady
from sayso.mission.defaults import MakePlanner, make_planner
from sayso.models.scripted import Scripted
from sayso.planners.sequence import SORRY_SAID
from sayso.planners.sequence import Sequence as SequencePlanner
from sayso.planners.stream import Stream
from sayso.prompts import plan_prompt
from sayso.robots.service.admit import admit
from sayso.robots.service.prompt import sequence_prompt
from sayso.robots.service.service import PAPER
from sayso.robots.service.suite.commands import CATEGORIES, Command, command
from sayso.robots.service.suite.draw import CHOICES
from sayso.robots.service.world.home import Home
from sayso.roles import Brief, Model, Planner
from sayso.skill import SkillSet
from sayso.skills import skills_for

WORLD_TRIES = 6
PLAN_TRIES = 2


def world_for(one: Command, seed: int) -> Home:
    """A home in which the command can be done; a seed that leaves no room for somebody is passed over."""
    for other in range(seed, seed + 1000 * (WORLD_TRIES - 1), 1000):
        with suppress(UsageError):
            return Home(seed=other, setup=one.setup)
    return Home(seed=seed + 1000 * (WORLD_TRIES - 1), setup=one.setup)


def carry_out(
    one: Command, model: Model | None, make: Planner | MakePlanner, seed: int, *,
    skills: Callable[[SkillSet], SkillSet] = lambda s: s,
) -> Outcome:  # fmt: skip
    """Say the command to a robot in its world, and judge."""
    world = world_for(one, seed)
    agent = Agent(world=world, model=model, planner=make, skills=skills)
    witness = TruthRecorder(world.truth, CHOICES)
    return SimClock().run(carried_out(agent, one.text, witness, one.goals, after_s=one.after_s))


def double(one: Command) -> Scripted:
    """A test double: it understands nothing and answers with the command's reference plan."""
    return Scripted(lambda prompt: "False" if prompt.purpose == "probe" else one.plan, name="reference (a test double)")


def household() -> Brief:
    """What a planner knows of the home before it is told anything."""
    world = Home(setup={"people": []})
    skills = skills_for(world.robot, world.perception)
    return Brief("", skills, knowledge=world.robot.knowledge)


def carry_out_plan(one: Command, plan: str, seed: int) -> Outcome:
    """One plan as it is written, without a second chance."""
    return carry_out(one, Scripted([plan]), partial(Stream, render=plan_prompt, replans=0), seed)


def run_episode(trial: Trial) -> Score:
    """One command of the category. A mission that fails is a score, not an exception."""
    one = command(trial.episode, trial.seed - trial.episode, trial.task)
    dice = crc32(f"{trial.seed} {one.text}".encode())  # not the same dice for every category
    goals = {one.text: "; ".join(one.goals)}
    model = model_named(trial.model, double(one), dice, goals, lambda plan, brief: bool(admit(plan, brief).plan))
    planner = sequence(trial.ablation) if trial.planner == "sequence" else make_planner(trial.planner, model)
    skills = (lambda skills: skills.only(PAPER)) if trial.ablation == "paper-skills" else lambda s: s
    outcome = carry_out(one, model, planner, trial.seed, skills=skills)
    ended, done = outcome.ended, not outcome.missed and outcome.ended.outcome == "achieved"
    right = (done and not ended.replans) or (trial.model != RANDOM and plan_right(one, outcome, trial.seed))
    first, after = admissible(outcome.events)
    figures = {"admissible_first": float(first), "admissible": float(after), "plan_right": float(right)}
    return outcome.score(
        trial,
        done,
        reason=f"{one.frame}: {one.text!r}: {ended.outcome}: {ended.reason}; missed {', '.join(outcome.missed) or '-'}",
        figures={**figures, **{f"right_{kind}": float(right) for kind in one.kinds}},
    )


def admissible(events: Sequence[Event]) -> tuple[bool, bool]:
    """Whether the first answer could be run, and whether any could, before anything moved."""
    asked = 0
    for event in events:
        if isinstance(event, Prompted) and event.purpose != "probe":
            asked += 1
        if isinstance(event, StatementReady):
            return asked == 1 and SORRY_SAID not in event.text, SORRY_SAID not in event.text
        if isinstance(event, PlanEnded | Replanned):
            break
    return False, False


def first_plan(events: Sequence[Event]) -> str:
    """The text of the first plan that was run."""
    numbered: list[str] = []
    for event in events:
        if isinstance(event, PlanEnded):
            break
        if isinstance(event, StatementReady) and event.depth == 0:
            numbered.append(event.text)
    return ";".join(numbered)


def plan_right(one: Command, outcome: Outcome, seed: int) -> bool:
    """Whether the first plan alone does it, in a home where nothing else goes wrong."""
    plan = first_plan(outcome.events)
    if not plan or SORRY_SAID in plan:
        return False
    tries = (carry_out_plan(one, plan, seed + 7 * (n + 1)) for n in range(PLAN_TRIES))
    return any(not t.missed and t.ended.outcome == "achieved" for t in tries)


def sequence(ablation: str = "") -> MakePlanner:
    """The planner `sequence`, with one thing left out."""
    if ablation == "no-handling":
        return lambda model: Stream(model, sequence_prompt)
    render = partial(sequence_prompt, guided=ablation != "no-guided")
    check = partial(admit, exact=ablation == "no-grounding")
    reasks = 0 if ablation == "no-reask" else 5
    return lambda model: SequencePlanner(model, render, check, reasks=reasks)


SUITE = Suite.read(
    __package__, "frames.toml", tasks=tuple(BenchTask(c, c) for c in CATEGORIES), run_episode=run_episode
)
