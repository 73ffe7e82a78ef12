"""The warehouse's instructions with their goals, and whether one is met: pure logic over where things were.

A state is where each thing is, by id; an episode is its states in order, from the first. The goals stand in
`tasks.toml`, in the language of goals; states are the evidence, and nothing is missing in it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any, TypeAlias

from sayso.goal import Which
from sayso.goals.evidence import Deed, Evidence, Moment
from sayso.goals.holds import judge
from sayso.goals.text import parse
from sayso.scene import Pose, Thing

State: TypeAlias = Mapping[str, str]
"""The place of each thing, by id; empty while it is carried or lies about."""

LOOSE = "floor"


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
    ambiguous: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the goal was met, whether nothing else was moved, and the share of its clauses that hold."""

    success: bool
    clean: bool
    conditions: float


@cache
def tasks() -> tuple[Task, ...]:
    """All 55, in the paper's order."""
    data = tomllib.loads(resources.files(__package__).joinpath("tasks.toml").read_text("utf-8"))
    return tuple(Task(**{**t, "oracle": tuple((i, p) for i, p in t["oracle"])}) for t in data["task"])


def task(id_: str) -> Task:
    return next(t for t in tasks() if t.id == id_)


def first_state(wanted: Task, stock: State) -> dict[str, str]:
    """Where things are when a task begins: as its scene has them, or as the task before it left them."""
    state = dict(stock)
    for id_, place in task(wanted.after).oracle if wanted.after else ():
        state[id_] = place
    return state


def things(
    kinds: Mapping[str, Mapping[str, Any]], homes: Mapping[str, str], tables: Collection[str], state: State
) -> dict[str, Thing]:
    """The things of a first state, by id. `kinds` tells of each what it is like, `homes` where a category belongs:
    what stands on one of the `tables` of others is misplaced."""
    found = {}
    for id_, place in state.items():
        kind = kinds[id_]
        wrong = "misplaced" if place in tables and place != homes[kind["category"]] else ""
        about = {"category": kind["category"], "color": kind["paint"], "likes": " ".join(kind["likes"]), "is": wrong}
        found[id_] = Thing(id_, kind["name"], attributes={**about, "on": place})
    return found


@dataclass(frozen=True)
class Judge:
    """Judges one task by the states that an episode went through."""

    task: Task
    things: Mapping[str, Thing]
    sizes_m: Mapping[str, tuple[float, float]]

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
        deeds = [Deed(len(states) - 1.0, "visited", (Which(robot_at),))] if robot_at else []
        moments = [Moment(float(n), Pose(), self._now(state)) for n, state in enumerate(states)]
        held = judge(parse(self.task.goal), Evidence(moments, deeds, closed=True, sizes_m=self.sizes_m))
        success = held.truth is True and not holding and said_done
        meant = {i for i, p in dict(self.task.oracle).items() if states[0][i] != p}
        moved = {i for i in states[0] if states[-1].get(i) != states[0][i]} - set(meddled)
        clean = success and len(moved) <= len(meant)
        return Verdict(success, clean, sum(p.truth is True for p in held.parts) / len(held.parts))

    def _now(self, state: State) -> dict[str, Thing]:
        return {
            id_: replace(thing, attributes={**thing.attributes, "on": state.get(id_) or LOOSE})
            for id_, thing in self.things.items()
        }


def oracle_states(wanted: Task, first: State, moves: int | None = None) -> list[dict[str, str]]:
    """The states that the oracle goes through in its first `moves` moves; all without a number."""
    states = [dict(first)]
    for id_, place in wanted.oracle[:moves]:
        states.append({**states[-1], id_: place})
    return states
