"""The warehouse suite: 47 instructions of the paper and eight more, each in its world, judged by where things end up.

Models: `reference` is a double that is given the oracle's list; `rules` reads instructions with tables of names; any
other is a real one. Planners: `stepwise`, and `open-loop`, the same model's first list run as one program, unheard.
Ablations can be joined by commas: no-feedback, no-memory, and failures-N, every failure of the world at N percent.
"""

from __future__ import annotations

import asyncio
import math
import re
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from sayso.agent import Agent
from sayso.bench.suite import BenchTask, Score, Suite, Trial, Variant
from sayso.bench.warehouse_courier import Courier, Errand, speaking
from sayso.bench.warehouse_goal import Judge, Task, Verdict, first_state, task, tasks, things
from sayso.bench.warehouse_rules import Table, read
from sayso.clock import SimClock
from sayso.defaults import replans
from sayso.errors import UsageError
from sayso.events import AnswerEnded, Event, MissionEnded, TaskEnded, TaskStarted, Warned
from sayso.memory.journal import Journal
from sayso.memory.remember import Memories
from sayso.models import make as make_model
from sayso.models.latency import ModelledLatency
from sayso.parts import Brief, Memory, Model, closing
from sayso.perception.household import Stockroom
from sayso.planners.scored_domain import literal
from sayso.planners.stepwise import Form, Stepwise
from sayso.planners.stepwise_answer import DONE, read_answer
from sayso.prompts import STEPWISE
from sayso.search.grid_path import find_path, length_m
from sayso.worlds.home_scene import knowledge, read_flat, stock_kinds
from sayso.worlds.mishaps import KINDS
from sayso.worlds.warehouse import Warehouse

WORLD = "warehouse"
ABLATIONS = ("no-feedback", "no-memory", "failures-20", "failures-20,no-feedback", "failures-20,no-memory")
FIGURES = ("clean", "conditions", "spl", "invalid", "premature", "struck", "navigate_s", "hands_s", "see_s")
PUBLISHED = {1: "90 %", 2: "70 %", 3: "51 %", 4: "95 %"}
"""DaDu-E by level, Table 6."""

CALLS_MAX, TOKENS_MAX = 150, 3_000_000
LOOKS = ("which_side", "describe")


class OpenLoop:
    """The model's first list, run as one program without hearing what comes of it (as code-writing planners do)."""

    name = "open-loop"
    note: Callable[[str], None] = staticmethod(lambda text: None)

    def __init__(self, model: Model, form: Form) -> None:
        self.model, self.form = model, form

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        skills = ["go_to", "pick_up", "place"]
        messages, text = self.form.opening(brief, skills), ""
        async with closing(self.model.stream(self.form.prompt(brief, messages, skills))) as answer:
            async for chunk in answer:
                text += chunk.text
        plan = read_answer(text, dict.fromkeys(skills, 1)).plan
        for step in plan:
            if step.skill != DONE:
                yield f"{step.skill}({','.join(map(literal, step.args))});"
        yield f"->{bool(plan)}"


@dataclass(slots=True)
class Watched:
    """What the bench saw of one episode: where things were after each step, and what took how long."""

    states: list[dict[str, str]]
    calls: int = 0
    tokens: int = 0
    invalid: int = 0
    premature: int = 0
    departures: int = 0
    spent_s: dict[str, float] = field(default_factory=lambda: dict.fromkeys(("navigate_s", "hands_s", "see_s"), 0.0))
    ended: MissionEnded | None = None
    _began: dict[int, float] = field(default_factory=dict)

    def see(self, event: Event, places: Callable[[], dict[str, str]]) -> None:
        match event:
            case TaskStarted(task=number):
                self._began[number] = event.at_s
            case TaskEnded(task=number, skill=skill):
                kind = "navigate_s" if skill == "go_to" else "see_s" if skill in LOOKS else "hands_s"
                self.spent_s[kind] += event.at_s - self._began.pop(number, event.at_s)
                self.states.append(places())
            case AnswerEnded():
                self.calls += 1
                self.tokens += event.tokens_out
            case Warned(text=text):
                self.invalid += text.startswith("not accepted")
                self.premature += text.startswith("done too early")
                self.departures += text.startswith("departs")
            case MissionEnded():
                self.ended = event


def run_episode(trial: Trial, model: Model | None = None) -> Score:
    """Play one trial in virtual time; `model` replaces the one that the trial names. Failing is a score."""
    wanted = task(trial.task)
    parts = set(filter(None, trial.ablation.split(",")))
    clock = SimClock()
    first = first_state(wanted, read_flat(wanted.world, WORLD).stock)
    world = Warehouse(
        wanted.world, trial.seed, perception=Stockroom, setup={"objects": first}, failures=_rates(parts),
        aim=[id_ for id_, _ in wanted.oracle],
    )  # fmt: skip

    async def play(memory: Memory | None) -> Score:
        limits = replace(world.robot.limits, model_calls_max=CALLS_MAX, tokens_max=TOKENS_MAX)
        agent = Agent(
            world=world, model=model or _model(trial, wanted, first, parts, clock), planner=_planner(trial, parts),
            limits=limits, memory=memory, replans=0 if trial.planner == "open-loop" else replans(trial.planner),
        )  # fmt: skip
        watched = Watched([places(world)])
        async with agent:
            async for event in agent.say(told(wanted)):
                watched.see(event, lambda: places(world))
            await asyncio.sleep(0.5)
            watched.states.append(places(world))
        return _score(trial, wanted, world, watched)

    with ExitStack() as stack:
        if "no-memory" in parts:
            return clock.run(play(None))
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        journal = stack.enter_context(Journal(Path(folder) / "journal.db"))
        return clock.run(play(Memories(journal, f"{WORLD}/{wanted.world}")))


def told(wanted: Task) -> str:
    """The instruction as the robot hears it: one that speaks of a list is given the scene's."""
    if "task list" not in wanted.instruction.lower():
        return wanted.instruction
    return f"{wanted.instruction}: Put an apple on the storage rack. Put a coke in the basket."


def places(world: Warehouse) -> dict[str, str]:
    """Where every thing is now."""
    loose = {"floor", ""}
    objects = world.truth()["objects"]
    return {i: "" if o["holder"] or o["on"] in loose else o["place"] for i, o in objects.items()}


def judge(wanted: Task, first: dict[str, str]) -> Judge:
    homes = {c["name"]: c["place"] for c in knowledge(WORLD)["categories"]}
    tables = frozenset(p["name"] for p in knowledge(WORLD)["places"] if p["kind"] == "home")
    return Judge(wanted, things(stock_kinds(WORLD), homes, first), tables)


def _rates(parts: set[str]) -> dict[str, float]:
    percent = next((int(p.removeprefix("failures-")) for p in parts if p.startswith("failures-")), 0)
    return {kind: percent / 100 for kind in KINDS if kind != "absent"} if percent else {}


def _planner(trial: Trial, parts: set[str]) -> Callable[[Model], Any]:
    if trial.planner == "open-loop":
        return lambda heard: OpenLoop(heard, STEPWISE)
    if trial.planner != "stepwise":
        raise UsageError(f"the warehouse suite knows the planners stepwise and open-loop, not {trial.planner!r}")
    return lambda heard: Stepwise(heard, STEPWISE, feedback="no-feedback" not in parts)


def _model(trial: Trial, wanted: Task, first: dict[str, str], parts: set[str], clock: SimClock) -> Model:
    remembers = "no-memory" not in parts
    if trial.model == "rules":
        table = Table(knowledge(WORLD))
        return speaking(lambda wish: Courier(read(wish, table), remembers), "rules: tables of names, no model")
    if trial.model != "reference":
        return make_model(trial.model, clock)
    double = speaking(lambda wish: Courier(errands(wanted, first), remembers), "oracle double (a test double)")
    return ModelledLatency(double)


def errands(wanted: Task, first: dict[str, str]) -> list[Errand]:
    """The oracle's moves in words, as one who knows where everything was at first would say them."""
    kinds, now = stock_kinds(WORLD), dict(first)
    every = [p["name"] for p in knowledge(WORLD)["places"] if p.get("placement")]
    some = []
    for id_, to in wanted.oracle:
        alike = {kinds[i]["paint"] for i, place in now.items() if kinds[i]["name"] == kinds[id_]["name"]}
        name = f"{kinds[id_]['paint']} {kinds[id_]['name']}" if len(alike) > 1 else kinds[id_]["name"]
        some.append(Errand(name, (now[id_], *(p for p in every if p != now[id_])), to))
        now[id_] = to
    return [*some, Errand("", (), wanted.robot_at)] if wanted.robot_at else some


def _score(trial: Trial, wanted: Task, world: Warehouse, watched: Watched) -> Score:
    truth, ended = world.truth(), watched.ended
    assert ended is not None, "every mission ends"
    verdict = judge(wanted, watched.states[0]).verdict(
        watched.states, robot_at=truth["robot"]["place"], holding=truth["robot"]["holding"],
        said_done=ended.outcome == "achieved",
    )  # fmt: skip
    return Score(
        task=trial.task,
        episode=trial.episode,
        success=verdict.success,
        reason=f"{wanted.world}: {ended.outcome}: {ended.reason}",
        r_time_s=ended.r_time_s,
        c_time_s=ended.c_time_s,
        tokens=watched.tokens,
        replans=watched.departures,
        model_calls=watched.calls,
        collisions=len(truth["collisions"]),
        figures=_figures(wanted, world, watched, verdict),
    )


def _figures(wanted: Task, world: Warehouse, watched: Watched, verdict: Verdict) -> dict[str, float]:
    driven_m = sum(a.distance_m(b) for a, b in pairwise(world.trail))
    least_m = shortest_m(world, wanted, watched.states[0])
    return {
        "clean": float(verdict.clean),
        "conditions": round(verdict.conditions, 3),
        "spl": round(verdict.success * least_m / max(driven_m, least_m, 1e-9), 3),
        "invalid": float(watched.invalid),
        "premature": float(watched.premature),
        "struck": float(len(world.mishaps.struck)),
        **{f"struck_{kind}": float(n) for kind in KINDS if (n := sum(k == kind for k, _, _ in world.mishaps.struck))},
        **{name: round(seconds, 2) for name, seconds in watched.spent_s.items()},
    }


def shortest_m(world: Warehouse, wanted: Task, first: dict[str, str]) -> float:
    """The way that the oracle drives, from place to place over the map."""
    stands = {p["name"]: (p["stand"][0], p["stand"][1]) for p in world.table["places"]}
    now, here, total = dict(first), (world.layout.robot.x_m, world.layout.robot.y_m), 0.0
    stops: list[str] = []
    for id_, to in wanted.oracle:
        stops += [now.get(id_, ""), to]
        now[id_] = to
    for stop in filter(None, [*stops, wanted.robot_at]):
        path = find_path(world.map, here, stands[stop], world.base.shape.radius_m + 0.02, near_m=0.3)
        total += length_m(path) if path else math.dist(here, stands[stop])
        here = stands[stop]
    return total


def _bench_task(wanted: Task) -> BenchTask:
    published = {"success": PUBLISHED.get(wanted.level, "")} if re.match("L", wanted.id) else {}
    return BenchTask(wanted.id, wanted.instruction, (Variant(wanted.world, lambda witness: False),), published)


SUITE = Suite(
    name=WORLD,
    says="the 47 instructions of the warehouse paper, and eight more",
    tasks=tuple(map(_bench_task, tasks())),
    ablations=ABLATIONS,
    slower=(),
    planner="stepwise",
    figures=FIGURES,
    run_episode=run_episode,
)
