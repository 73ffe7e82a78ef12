"""One episode of the soccer suite: a field, an agent, a bystander who pushes, a verdict."""

import asyncio
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from sayso.agent import Agent
from sayso.bench.episode import model_named
from sayso.bench.suite import BenchTask, Score, Suite, Trial, Variant
from sayso.clock import SimClock
from sayso.events import AnswerEnded, ChunkArrived, Event, MissionEnded, TaskStarted, Warned
from sayso.executive.missions import DirectorExecutive
from sayso.limits import Limits
from sayso.mission.defaults import MakePlanner, make_planner
from sayso.models.latency import ModelledLatency
from sayso.planners.rolling import Rolling
from sayso.planners.rolling_answer import read_answer
from sayso.plugins.kits import Capabilities
from sayso.prompts import rolling_prompt
from sayso.robots.humanoid.soccer import OPPONENT_GOAL, RECOVERY, soccer_providers, watch_robot
from sayso.robots.humanoid.soccer import TASKS as ROBOT_TASKS
from sayso.robots.humanoid.suite.bystander import Bystander
from sayso.robots.humanoid.suite.double import state_following_double
from sayso.robots.humanoid.suite.goals import GOALS, Goal, goal
from sayso.robots.humanoid.world.pitch import Soccer
from sayso.robots.humanoid.world.referee import Ledger
from sayso.roles import Model, Observation, Planner
from sayso.scene import Pose
from sayso.skill import SkillSet

LINGER_S = 8.0
"""After the judge is content: time for the agent to notice it too."""
WATCH_ON_S = 3.5
"""After the agent has ended its mission: judges want to see a state last, and a quick model ends at once."""
MODEL_CALLS_MAX = 150


@dataclass(slots=True)
class Answers:
    """The model's answers, from the events of a mission: how many, and how many could be executed as they were."""

    whole: int = 0
    executable: int = 0
    tokens: int = 0
    refusals: int = 0
    moved_s: float | None = None
    _pieces: dict[int, str] = field(default_factory=dict)

    def see(self, event: Event) -> None:
        match event:
            case ChunkArrived(call=call, text=text):
                self._pieces[call] = self._pieces.get(call, "") + text
            case AnswerEnded(call=call, tokens_out=tokens):
                self.whole += 1
                self.executable += read_answer(self._pieces.pop(call, ""), ROBOT_TASKS).executable
                self.tokens += tokens
            case TaskStarted() if self.moved_s is None:
                self.moved_s = event.at_s
            case Warned(text=text) if text.startswith("not accepted"):
                self.refusals += 1

    @property
    def executability(self) -> float | None:
        """The share of answers in the right form in which every task exists; None without answers."""
        return self.executable / self.whole if self.whole else None


def run_episode(trial: Trial, model: Model | None = None) -> Score:
    """Play one trial in virtual time; `model` replaces the one that the trial names. A goal that is not reached is a
    score, not an exception."""
    row = goal(trial.task)
    clock = SimClock()
    world = Soccer(trial.seed, **_apart(row.apart_m, trial.seed))

    async def play() -> Score:
        agent = _agent(world, row, trial, model)
        bystander = Bystander(world, row, agent.change, trial.seed)
        answers = Answers()
        async with agent:
            ended = await _mission(agent, row, bystander, answers)
        return _score(trial, row, world, bystander, answers, ended)

    return clock.run(play())


def _apart(apart_m: float, seed: int) -> dict[str, Any]:
    """The usual set-up, or robot and ball this far apart, a little varied."""
    if not apart_m:
        return {}
    chance = random.Random(seed)
    robot = Pose(-apart_m / 4, chance.uniform(-0.3, 0.3), 0.0, math.pi + chance.uniform(-0.15, 0.15))
    return {"robot_at": robot, "ball_at": (robot.x_m + apart_m, chance.uniform(-0.3, 0.3))}


async def _mission(agent: Agent, row: Goal, bystander: Bystander, answers: Answers) -> MissionEnded | None:
    """Until the agent ends it, the judge has been content for a while, or time is over."""
    watching = asyncio.ensure_future(bystander.watch())
    ended: MissionEnded | None = None
    try:
        async for event in agent.say(row.sentence):
            answers.see(event)
            if isinstance(event, MissionEnded):
                ended = event
            elif watching.done():
                break
            elif bystander.met_s is not None and bystander.now_s > bystander.met_s + LINGER_S:
                break
        if ended and ended.outcome == "achieved" and not watching.done():
            await asyncio.wait([watching], timeout=WATCH_ON_S)
    finally:
        broken = watching.done()
        watching.cancel()
        await asyncio.wait([watching])
    if broken:
        watching.result()  # raises what went wrong in the bench itself
    return ended


def _agent(world: Soccer, row: Goal, trial: Trial, model: Model | None) -> Agent:
    limits = replace(world.robot.limits, mission_max_s=row.limit_s, model_calls_max=MODEL_CALLS_MAX)
    goals = {row.sentence: row.wants, **({row.then: row.then_wants} if row.then else {})}
    model = model or model_named(trial.model, ModelledLatency(state_following_double()), trial.seed, goals)
    planner: Planner | MakePlanner = make_planner(trial.planner, model, world.robot)
    if trial.ablation == "no-state":
        planner = _blind
    return Agent(
        world=world, model=model, planner=planner, limits=limits, executive=_executive(world, limits, trial.ablation),
    )  # fmt: skip


def _blind(model: Model) -> Rolling:
    """The planner without any feedback of state: its prompts tell neither what is seen nor what has ended."""
    return Rolling(model, lambda brief: rolling_prompt(replace(brief, seen=Observation(), history=())))


def _executive(
    world: Soccer, limits: Limits, ablation: str
) -> Callable[[SkillSet, Callable[[Event], None]], DirectorExecutive] | None:
    """The humanoid's executive with something left out; None for the ordinary one."""
    if ablation not in ("no-safety", "no-soft-transitions"):
        return None
    providers = soccer_providers(world.robot, world.perception, OPPONENT_GOAL)
    if ablation == "no-soft-transitions":
        providers = [replace(p, when=()) for p in providers]
    siblings = () if ablation == "no-safety" else (RECOVERY,)

    def make(skills: SkillSet, emit: Callable[[Event], None]) -> DirectorExecutive:
        feels = partial(watch_robot, world.robot)
        return DirectorExecutive(Capabilities(skills, tuple(providers), siblings, feels), world.robot, limits, emit)

    return make


def _score(
    trial: Trial, row: Goal, world: Soccer, bystander: Bystander, answers: Answers, ended: MissionEnded | None
) -> Score:
    claimed = ended is not None and ended.outcome == "achieved"
    success = bystander.met() and (row.feasible or (ended is not None and not claimed))
    return Score(
        task=trial.task,
        episode=trial.episode,
        success=success,
        reason=f"{ended.outcome}: {ended.reason}" if ended else "the bench ended it, the goal being reached",
        r_time_s=answers.moved_s,
        c_time_s=None if bystander.met_s is None else round(bystander.met_s - bystander.began_s, 3),
        tokens=answers.tokens,
        model_calls=answers.whole,
        refusals=answers.refusals,
        outcome=ended.outcome if ended else "",
        verified=ended is not None and ended.verified is True,
        figures=_figures(world.truth().books, bystander.reaction_s, answers, claimed and not success),
    )


def _figures(books: Ledger, reaction_s: float | None, answers: Answers, wrong_claim: bool) -> dict[str, float]:
    """What no other suite has. `falls` leaves out those that a push caused, `hard_kicks` counts kicks out of a walk."""
    up_s = [f.up_s - f.at_s for f in books.falls if f.up_s is not None]
    figures = {
        "executability": answers.executability,
        "falls": sum(not f.pushed for f in books.falls),
        "hard_kicks": sum(k.walking for k in books.kicks),
        "wrong_claims": float(wrong_claim),
        "up_again_s": max(up_s, default=None),
        "reaction_s": reaction_s,
    }
    return {name: round(value, 3) for name, value in figures.items() if value is not None}


TASKS = tuple(BenchTask(g.id, g.sentence, (Variant("", g.judged),), g.published, g.feasible) for g in GOALS)
SUITE = Suite.read(__package__, "goals.toml", tasks=TASKS, run_episode=run_episode)
