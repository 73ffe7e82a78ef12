"""One episode of the soccer suite: a field, an agent, a bystander who pushes, a verdict."""

import asyncio
import math
import random
import statistics
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
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


def run_episode(trial: Trial, model: Model | None = None) -> Score:
    """Play one trial in virtual time; `model` replaces the one that the trial names. A goal that is not reached is a
    score, not an exception."""
    row = goal(trial.task)
    clock = SimClock()
    world = Soccer(trial.seed, **_apart(row.apart_m, trial.seed))

    async def play() -> Score:
        agent = _agent(world, row, trial, model)
        bystander = Bystander(world, row, agent.change, trial.seed)
        async with agent:
            events = await _mission(agent, row, bystander)
        return _score(trial, row, world, bystander, events)

    return clock.run(play())


def _apart(apart_m: float, seed: int) -> dict[str, Any]:
    """The usual set-up, or robot and ball this far apart, a little varied."""
    if not apart_m:
        return {}
    chance = random.Random(seed)
    robot = Pose(-apart_m / 4, chance.uniform(-0.3, 0.3), 0.0, math.pi + chance.uniform(-0.15, 0.15))
    return {"robot_at": robot, "ball_at": (robot.x_m + apart_m, chance.uniform(-0.3, 0.3))}


async def _mission(agent: Agent, row: Goal, bystander: Bystander) -> Sequence[Event]:
    """What happens until the agent ends it, the judge has been content for a while, or time is over."""
    watching = asyncio.ensure_future(bystander.watch())
    events: list[Event] = []
    try:
        async for event in agent.say(row.sentence):
            events.append(event)
            met = bystander.met_s is not None and bystander.now_s > bystander.met_s + LINGER_S
            if (met or watching.done()) and not isinstance(event, MissionEnded):
                break
        if isinstance(event, MissionEnded) and event.outcome == "achieved" and not watching.done():
            await asyncio.wait([watching], timeout=WATCH_ON_S)
    finally:
        broken = watching.done()
        watching.cancel()
        await asyncio.wait([watching])
    if broken:
        watching.result()  # raises what went wrong in the bench itself
    return events


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


def _score(trial: Trial, row: Goal, world: Soccer, bystander: Bystander, events: Sequence[Event]) -> Score:
    ended = events[-1] if isinstance(events[-1], MissionEnded) else None
    answers = [e for e in events if isinstance(e, AnswerEnded)]
    claimed = ended is not None and ended.outcome == "achieved"
    success = bystander.met() and (row.feasible or (ended is not None and not claimed))
    return Score(
        task=trial.task,
        episode=trial.episode,
        success=success,
        reason=f"{ended.outcome}: {ended.reason}" if ended else "the bench ended it, the goal being reached",
        r_time_s=next((e.at_s for e in events if isinstance(e, TaskStarted)), None),
        c_time_s=None if bystander.met_s is None else round(bystander.met_s - bystander.began_s, 3),
        tokens=sum(e.tokens_out for e in answers),
        model_calls=len(answers),
        refusals=sum(isinstance(e, Warned) and e.text.startswith("not accepted") for e in events),
        outcome=ended.outcome if ended else "",
        verified=ended is not None and ended.verified is True,
        figures=_figures(world.truth().books, bystander.reaction_s, executable(events), claimed and not success),
    )


def executable(events: Sequence[Event]) -> list[bool]:
    """Of each answer whether it is in the right form and every task in it exists."""
    texts, good = defaultdict[int, str](str), list[bool]()
    for event in events:
        match event:
            case ChunkArrived(call=call, text=text):
                texts[call] += text
            case AnswerEnded(call=call):
                good.append(read_answer(texts.pop(call, ""), ROBOT_TASKS).executable)
    return good


def _figures(books: Ledger, reaction_s: float | None, good: Sequence[bool], wrong_claim: bool) -> dict[str, float]:
    """What no other suite has. `falls` leaves out those that a push caused, `hard_kicks` counts kicks out of a walk."""
    up_s = [f.up_s - f.at_s for f in books.falls if f.up_s is not None]
    figures = {
        "executability": statistics.fmean(good) if good else None,
        "falls": sum(not f.pushed for f in books.falls),
        "hard_kicks": sum(k.walking for k in books.kicks),
        "wrong_claims": float(wrong_claim),
        "up_again_s": max(up_s, default=None),
        "reaction_s": reaction_s,
    }
    return {name: round(value, 3) for name, value in figures.items() if value is not None}


TASKS = tuple(BenchTask(g.id, g.sentence, (Variant("", g.judged),), g.published, g.feasible) for g in GOALS)
SUITE = Suite.read(__package__, "goals.toml", tasks=TASKS, run_episode=run_episode)
