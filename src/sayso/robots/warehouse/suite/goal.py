"""The warehouse's instructions with their goals, and what the judge knows of things beyond the world's truth.

The goals stand in `tasks.toml`, in the language of goals.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeAlias

from sayso.bench.judge import TruthRecorder
from sayso.robots.warehouse.world import STORE
from sayso.tables import toml
from sayso.world import Truth
from sayso.worlds.indoor.scene import default_place, knowledge, stock_kinds

State: TypeAlias = Mapping[str, str]
"""The place of each thing, by id; empty while it is carried or lies about."""

LOOSE = ("floor", "")


@dataclass(frozen=True, slots=True)
class Task:
    """One instruction. `oracle` is the shortest way: pairs of a thing's id and where it goes."""

    id: str
    level: int
    world: str
    instruction: str
    goal: str
    oracle: tuple[tuple[str, str], ...]
    robot_at: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the goal was met, whether nothing else was moved, and the share of its clauses that hold."""

    success: bool
    clean: bool
    conditions: float


@cache
def tasks() -> tuple[Task, ...]:
    """All 55, in the paper's order."""
    data = toml(__package__, "tasks.toml")
    return tuple(Task(**{**t, "oracle": tuple((i, p) for i, p in t["oracle"])}) for t in data["task"])


def task(id_: str) -> Task:
    return next(t for t in tasks() if t.id == id_)


def first_state(wanted: Task, stock: State) -> dict[str, str]:
    """Where things are when a task begins: as its scene has them, or as the task before it left them."""
    state = dict(stock)
    for id_, place in task(wanted.after).oracle if wanted.after else ():
        state[id_] = place
    return state


def places(truth: Truth) -> dict[str, str]:
    """Where every thing is now."""
    return {i: "" if o.holder or o.on in LOOSE else o.place for i, o in truth.things.items()}


def told_of(truth: Truth, first: State) -> Truth:
    """The truth with what is known of each thing: what it is like, and whether it is misplaced, since it stood on one
    of the tables where others are at home."""
    kinds, now = stock_kinds(STORE), places(truth)
    tables = {p["name"] for p in knowledge(STORE)["places"] if p["kind"] == "home"}
    things = {}
    for id_, real in truth.things.items():
        wrong = first[id_] in tables and first[id_] != default_place(kinds[id_], STORE)
        about = {**real.attributes, "likes": " ".join(kinds[id_]["likes"]), "is": "misplaced" if wrong else ""}
        things[id_] = replace(real, attributes=about, at=frozenset({now[id_]} - {""}))
    return replace(truth, things=things)


def verdict(wanted: Task, witness: TruthRecorder, first: State, last: State, meddled: Collection[str] = ()) -> Verdict:
    """What others moved (`meddled`) does not count as a mess, and what they brought to where it should be need not be
    moved by the robot. Who keeps something in the hand, or says that it could not, has not done it."""
    held, free = witness.verdict(wanted.goal), witness.verdict("not holding(thing)")
    said_done = witness.ended is not None and witness.ended.outcome == "achieved"
    success = bool(held.truth and free.truth and said_done)
    meant = {i for i, p in dict(wanted.oracle).items() if first[i] != p}
    moved = {i for i in first if last.get(i) != first[i]} - {*meddled}
    clean = success and len(moved) <= len(meant)
    return Verdict(success, clean, sum(p.truth is True for p in held.parts) / len(held.parts))
