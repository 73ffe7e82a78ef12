"""The warehouse suite: 47 instructions of the paper and eight more, each in its world, judged by where things end up.

Models: `reference` is a double that is given the oracle's list; `rules` reads instructions with tables of names; any
other is a real one. Planners: `stepwise`, and `open-loop`, the same model's first list run as one program, unheard.
Ablations can be joined by commas: no-feedback, no-memory, failures-N (every failure of the world at N percent), and
lapses-N (so many answers of the model are nonsense, half of them a `done` before its time).
"""

import math
import random
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from sayso.agent import Agent
from sayso.bench.episode import Outcome, carried_out, model_named
from sayso.bench.judge import TruthRecorder
from sayso.bench.suite import BenchTask, Score, Suite, Trial
from sayso.clock import SimClock
from sayso.events import AnswerEnded, Event, MissionEnded, Prompted, TaskEnded, TaskStarted, Warned
from sayso.memory.agent_memory import AgentMemory
from sayso.memory.journal import Journal
from sayso.mission.defaults import MakePlanner, make_planner
from sayso.models.corrupted import Corrupted
from sayso.models.latency import ModelledLatency
from sayso.planners.scored_domain import literal
from sayso.planners.stepwise import Stepwise
from sayso.planners.stepwise_answer import read_answer
from sayso.planners.text_planner import TextPlanner
from sayso.plugins.steps import DONE
from sayso.prompts import stepwise_prompt
from sayso.robots.warehouse.errands import Errands
from sayso.robots.warehouse.names import Table
from sayso.robots.warehouse.suite.cost import cost
from sayso.robots.warehouse.suite.courier import Courier, Errand, read, speaking
from sayso.robots.warehouse.suite.goal import State, Task, Verdict, first_state, places, task, tasks, told_of, verdict
from sayso.robots.warehouse.world import STORE
from sayso.robots.warehouse.world.sim import KINDS
from sayso.robots.warehouse.world.store import Warehouse
from sayso.roles import Brief, Memory, Model, Planner, Prompt, answered
from sayso.tables import toml
from sayso.understanding.forms import EMBEDDED
from sayso.worlds.indoor.grid_path import find_path, length_m
from sayso.worlds.indoor.scene import knowledge, read_flat, stock_kinds

WORLD = "warehouse"
SPLIT = ("plan_s", "navigate_s", "see_s", "grasp_s", "place_s")
FIGURES = (
    "clean", "conditions", "spl", "invalid", "premature", "struck", *(f"despite_{kind}" for kind in KINDS),
    "gflop", "gflop_whole", "gflop_paper", *SPLIT,
)  # fmt: skip
"""`despite_slip` is the share of success where that failure struck; `gflop_paper` counts the cost as the paper does."""

CALLS_MAX, TOKENS_MAX = 150, 3_000_000
SPENT = {"go_to": "navigate_s", "pick_up": "grasp_s", "place": "place_s"}
"""What the time of a skill counts as; of all others, as seeing."""


class OpenLoop(TextPlanner):
    """The model's first list, run as one program without hearing what comes of it (as code-writing planners do)."""

    name = "open-loop"

    def __init__(self, model: Model) -> None:
        self.model = model

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        skills = ["go_to", "pick_up", "place"]
        text = await answered(self.model, stepwise_prompt(brief, brief, (), skills))
        plan = read_answer(text, dict.fromkeys(skills, 1)).plan
        for step in plan:
            if step.skill != DONE:
                yield f"{step.skill}({','.join(map(literal, step.args))});"
        yield f"->{bool(plan)}"


NONSENSE = (
    "As a language model I cannot touch things.", "", "fly_to(moon)", '{"next_action": "dance(tango)"}',
    '{"step_by_step_reasoning": "the apple is', "pick_up()", "place(apple, gently, now)", "banana banana banana",
)  # fmt: skip
EARLY = '{"step_by_step_reasoning": "all is done", "next_action": "done"}'


def lapse(answer: str, prompt: Prompt, chance: random.Random) -> str:
    """How a model that chooses steps goes wrong: by words that name no step, by a step that does not exist, or half of
    the time by `done`, which is no answer to the task itself."""
    first = not any(role == "assistant" for role, _ in prompt.messages)
    return chance.choice(NONSENSE) if first or chance.random() < 0.5 else EARLY


def run_episode(trial: Trial, model: Model | None = None, say: str = "") -> Score:
    """Play one trial in virtual time; failing is a score. `model` replaces the one it names, `say` what is said."""
    wanted = task(trial.task)
    parts = set(filter(None, trial.ablation.split(",")))
    clock = SimClock()
    first = first_state(wanted, read_flat(wanted.world, STORE).stock)
    failures = {kind: _percent(parts, "failures") for kind in KINDS if kind != "absent"}
    aim = [id_ for id_, _ in wanted.oracle]
    world = Warehouse(wanted.world, trial.seed, setup={"objects": first}, failures=failures, aim=aim)
    speaker = model or _model(trial, wanted, first, parts)

    async def play(memory: Memory | None) -> Score:
        limits = replace(world.robot.limits, model_calls_max=CALLS_MAX, tokens_max=TOKENS_MAX)
        planner = _planner(trial, speaker, parts)
        agent = Agent(world=world, model=speaker, planner=planner, limits=limits, memory=memory)
        at_first = places(world.truth())
        witness = TruthRecorder(lambda: told_of(world.truth(), at_first))
        sees = TaskEnded | MissionEnded
        outcome = await carried_out(agent, say or told(wanted), witness, (), after_s=0.5, sees=sees)
        return _score(trial, wanted, world, witness, outcome, at_first)

    with ExitStack() as stack:
        if "no-memory" in parts:
            return clock.run(play(None))
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        journal = stack.enter_context(Journal(Path(folder) / "journal.db"))
        memories = AgentMemory(journal, f"{WORLD}/{wanted.world}")
        memories.teach(knowledge(STORE) | {"places": world.table["places"]})
        return clock.run(play(memories))


def told(wanted: Task) -> str:
    """The instruction as the robot hears it: one that speaks of a list is given the scene's."""
    if "task list" not in wanted.instruction.lower():
        return wanted.instruction
    return f"{wanted.instruction}: Put an apple on the storage rack. Put a coke in the basket."


def _percent(parts: set[str], kind: str) -> float:
    """N of `kind-N`, as a share."""
    return next((int(p.removeprefix(f"{kind}-")) / 100 for p in parts if p.startswith(f"{kind}-")), 0.0)


def _planner(trial: Trial, model: Model, parts: set[str]) -> Planner | MakePlanner:
    if trial.planner == "open-loop":
        return lambda model_named: OpenLoop(model_named)
    if trial.planner != "stepwise":
        return make_planner(trial.planner, model)
    hears, terse = "no-feedback" not in parts, trial.model == EMBEDDED
    return lambda model_named: Stepwise(model_named, stepwise_prompt, ledger=Errands, feedback=hears, terse=terse)


def _model(trial: Trial, wanted: Task, first: dict[str, str], parts: set[str]) -> Model:
    remembers, share = "no-memory" not in parts, _percent(parts, "lapses")
    if trial.model == "rules":
        table = Table(knowledge(STORE))
        model: Model = speaking(lambda wish: Courier(read(wish, table), remembers), "rules: tables of names, no model")
    else:
        double = speaking(lambda wish: Courier(errands(wanted, first), remembers), "oracle double (a test double)")
        goals = {told(wanted): f"{wanted.goal}; not holding(thing)"}
        model = model_named(trial.model, ModelledLatency(double), trial.seed, goals)
    return Corrupted(model, share, trial.seed, lapse) if share else model


def errands(wanted: Task, first: dict[str, str]) -> list[Errand]:
    """The oracle's moves in words, as one who knows where everything was at first would say them."""
    kinds, now = stock_kinds(STORE), dict(first)
    every = [p["name"] for p in knowledge(STORE)["places"] if p.get("placement")]
    some = []
    for id_, to in wanted.oracle:
        alike = {kinds[i]["paint"] for i, place in now.items() if kinds[i]["name"] == kinds[id_]["name"]}
        name = f"{kinds[id_]['paint']} {kinds[id_]['name']}" if len(alike) > 1 else kinds[id_]["name"]
        some.append(Errand(name, (now[id_], *(p for p in every if p != now[id_])), to))
        now[id_] = to
    return [*some, Errand("", (), wanted.robot_at)] if wanted.robot_at else some


def _score(
    trial: Trial, wanted: Task, world: Warehouse, witness: TruthRecorder, outcome: Outcome, first: State
) -> Score:
    last, events = places(world.truth()), outcome.events
    judged = verdict(wanted, witness, first, last, world.meddled)
    answers = [e for e in events if isinstance(e, AnswerEnded)]
    figures = {
        "moved": float(sum(last[i] != place for i, place in first.items())),
        "tokens_in": float(sum(e.tokens_in for e in answers)),
        "invalid": float(_warned(events, "not accepted")),
        "premature": float(_warned(events, "done too early")),
        **cost([(e.tokens_in, e.tokens_out) for e in answers], answers[-1].counter if answers else ""),
        **_spent_s(events),
        **_figures(wanted, world, judged, first),
    }
    return outcome.score(
        trial,
        judged.success,
        f"{wanted.world}: ",
        tokens=sum(e.tokens_out for e in answers),
        replans=_warned(events, "departs"),
        model_calls=len(answers),
        figures=figures,
    )


def _warned(events: Sequence[Event], how: str) -> int:
    return sum(isinstance(e, Warned) and e.text.startswith(how) for e in events)


def _spent_s(events: Sequence[Event]) -> dict[str, float]:
    """What took how long: thinking, and each skill."""
    spent_s, began_s, asked_s = dict.fromkeys(SPLIT, 0.0), dict[int, float](), 0.0
    for event in events:
        match event:
            case TaskStarted(task=number):
                began_s[number] = event.at_s
            case TaskEnded(task=number, skill=skill):
                spent_s[SPENT.get(skill, "see_s")] += event.at_s - began_s.pop(number, event.at_s)
            case Prompted():
                asked_s = event.at_s
            case AnswerEnded():
                spent_s["plan_s"] += event.at_s - asked_s
    return {name: round(seconds, 2) for name, seconds in spent_s.items()}


def _figures(wanted: Task, world: Warehouse, judged: Verdict, first: State) -> dict[str, float]:
    driven_m = sum(a.distance_m(b) for a, b in pairwise(world.trail))
    least_m = shortest_m(world, wanted, first)
    return {
        "clean": float(judged.clean),
        "conditions": round(judged.conditions, 3),
        "spl": round(judged.success * least_m / max(driven_m, least_m, 1e-9), 3),
        "struck": float(len(world.mishaps.struck)),
        "driven_m": round(driven_m, 2),
        **{f"despite_{kind}": float(judged.success) for kind, _, _ in world.mishaps.struck},
    }


def shortest_m(world: Warehouse, wanted: Task, first: State) -> float:
    """The way that the oracle drives, from place to place over the map."""
    stands = {p["name"]: (p["stand"][0], p["stand"][1]) for p in world.table["places"]}
    now, here, total = dict(first), world.layout.robot.xy, 0.0
    stops: list[str] = []
    for id_, to in wanted.oracle:
        stops += [now.get(id_, ""), to]
        now[id_] = to
    for stop in filter(None, [*stops, wanted.robot_at]):
        path = find_path(world.map, here, stands[stop], world.base.radius_m + 0.02, near_m=0.3)
        total += length_m(path) if path else math.dist(here, stands[stop])
        here = stands[stop]
    return total


def _bench_task(wanted: Task) -> BenchTask:
    group = f"level {wanted.level}" if wanted.id.startswith("L") else ""
    published = toml(__package__, "tasks.toml")["published"].get(group, {})
    return BenchTask(wanted.id, wanted.instruction, published=published, group=group)


SUITE = Suite.read(
    __package__, "tasks.toml", tasks=tuple(map(_bench_task, tasks())), figures=FIGURES, run_episode=run_episode
)
