"""The goals of the warehouse's instructions, and whether they are met: pure logic over where things were.

A state is where each thing is, by id; an episode is its states in order, from the first. What a goal asks for is told
in `tasks.toml`. Selections are over the world as it was at first, so a thing that is moved stays selected.
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

State = Mapping[str, str]
"""The place of each thing, by id; empty while it is carried or lies about."""

HOME = "home"


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing and where it was at first."""

    id: str
    name: str
    category: str
    color: str
    size_cm: float
    likes: frozenset[str]
    origin: str
    home: str


@dataclass(frozen=True, slots=True)
class Task:
    """One instruction. `oracle` is the shortest way: pairs of a thing's id and where it goes."""

    id: str
    level: int
    world: str
    instruction: str
    final: tuple[Mapping[str, Any], ...]
    oracle: tuple[tuple[str, str], ...]
    sometime: tuple[Mapping[str, Any], ...] = ()
    bind: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    robot_at: str = ""
    after: str = ""
    ambiguous: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the goal was met, whether nothing else was moved, and the share of its conditions that hold."""

    success: bool
    clean: bool
    conditions: float


@cache
def tasks() -> tuple[Task, ...]:
    """All 55, in the paper's order."""
    data = tomllib.loads(resources.files(__package__).joinpath("tasks.toml").read_text("utf-8"))
    return tuple(
        Task(**{**t, "final": tuple(t["final"]), "sometime": tuple(t.get("sometime", ())),
                "oracle": tuple((i, p) for i, p in t["oracle"])})
        for t in data["task"]
    )  # fmt: skip


def task(id_: str) -> Task:
    return next(t for t in tasks() if t.id == id_)


def first_state(wanted: Task, stock: State) -> dict[str, str]:
    """Where things are when a task begins: as its scene has them, or as the task before it left them."""
    state = dict(stock)
    for id_, place in task(wanted.after).oracle if wanted.after else ():
        state[id_] = place
    return state


def things(kinds: Mapping[str, Mapping[str, Any]], homes: Mapping[str, str], state: State) -> list[Thing]:
    """The things of a first state. `kinds` tells of each id what it is like, `homes` the table of a category."""
    return [
        Thing(
            id_, kinds[id_]["name"], kinds[id_]["category"], kinds[id_]["paint"], float(kinds[id_]["size_cm"]),
            frozenset(kinds[id_]["likes"]), origin, homes[kinds[id_]["category"]],
        )
        for id_, origin in state.items()
    ]  # fmt: skip


def select(sel: Mapping[str, Any], all_of_them: Sequence[Thing], tables: Iterable[str]) -> list[Thing]:
    """The things that a selection names. `tables` are the places where a category belongs, and nothing else does."""
    found = [t for t in all_of_them if _fits(sel, t, frozenset(tables))]
    if "size" in sel and found:
        pick = min if sel["size"] == "min" else max
        size = pick(t.size_cm for t in found)
        found = [t for t in found if t.size_cm == size]
    return found


def _fits(sel: Mapping[str, Any], thing: Thing, tables: frozenset[str]) -> bool:
    misplaced = thing.origin in tables and thing.origin != thing.home
    tests: dict[str, Callable[[Any], bool]] = {
        "name": lambda v: thing.name == v,
        "name_in": lambda v: thing.name in v,
        "category": lambda v: thing.category == v,
        "not_category": lambda v: thing.category != v,
        "color": lambda v: thing.color == v,
        "attr": lambda v: v in thing.likes,
        "origin": lambda v: thing.origin == v,
        "misplaced": lambda v: misplaced == v,
        "size": lambda v: True,
    }
    return all(tests[key](value) for key, value in sel.items())


@dataclass(frozen=True)
class Judge:
    """Judges one task by the states that an episode went through. `tables` are the homes of categories."""

    task: Task
    things: Sequence[Thing]
    tables: frozenset[str]

    def verdict(
        self,
        states: Sequence[State],
        *,
        robot_at: str = "",
        holding: str = "",
        said_done: bool = True,
        meddled: Collection[str] = (),
    ) -> Verdict:
        """`states` in order, the first one included; what is wanted has to hold in the last one. What others moved
        (`meddled`) does not count as a mess, and what they brought to where it should be need not be moved by the
        robot. `said_done` is the mission's outcome: who says that it could not has not.
        """
        held = [self._held(states, chosen) for chosen in self._bindings()]
        best = max(held, key=sum)
        if self.task.robot_at:
            best = [*best, robot_at == self.task.robot_at]
        success = bool(best) and all(best) and not holding and said_done
        meant = {i for i, p in dict(self.task.oracle).items() if states[0][i] != p}
        moved = {i for i in states[0] if states[-1].get(i) != states[0][i]} - set(meddled)
        clean = success and len(moved) <= len(meant)
        return Verdict(success, clean, sum(best) / len(best) if best else 0.0)

    def _bindings(self) -> Iterator[Mapping[str, Thing]]:
        """Every choice of the things that conditions speak of by a letter."""
        names = list(self.task.bind)
        choices = [select(self.task.bind[n], self.things, self.tables) for n in names]
        for chosen in itertools.product(*choices):
            yield dict(zip(names, chosen, strict=True))

    def _held(self, states: Sequence[State], bound: Mapping[str, Thing]) -> list[bool]:
        """Every condition, those over "all" taken apart: whether it holds."""
        held = [h for c in self.task.final for h in self._holds(c, states[0], states[-1], bound)]
        for condition in self.task.sometime:
            thing, place = bound[condition["var"]], condition["place"]
            held.append(any(s.get(thing.id) == place for s in states[1:-1]))
        return held

    def _holds(self, condition: Mapping[str, Any], first: State, last: State, bound: Mapping[str, Thing]) -> list[bool]:
        if "var" in condition:
            return [last.get(bound[condition["var"]].id) == condition["place"]]
        found = select(condition["sel"], self.things, self.tables)
        if condition["count"] == "all":
            return [last.get(t.id) == self._place(condition, t) for t in found] or [False]  # all of nothing is not met
        place = condition["place"]
        fresh = [t for t in found if last.get(t.id) == place and first.get(t.id) != place]
        return [len(fresh) >= condition["count"]]

    @staticmethod
    def _place(condition: Mapping[str, Any], thing: Thing) -> str:
        return thing.home if condition["place"] == HOME else str(condition["place"])


def oracle_states(wanted: Task, first: State, moves: int | None = None) -> list[dict[str, str]]:
    """The states that the oracle goes through in its first `moves` moves; all without a number."""
    states = [dict(first)]
    for id_, place in wanted.oracle[:moves]:
        states.append({**states[-1], id_: place})
    return states
