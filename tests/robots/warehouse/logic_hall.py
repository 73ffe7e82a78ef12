"""A warehouse in pure logic: goods, a hand and mishaps, told as the skills tell them. No physics, so that hundreds of
missions take seconds."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from sayso.goals.text import parse
from sayso.plugins.steps import DONE, GIVE_UP, Step, StepResult
from sayso.robots.warehouse.errands import Errands
from sayso.robots.warehouse.failures import (
    HAND_FULL,
    LOST,
    NOT_SEEN,
    OUT_OF_REACH,
    SPOT_TAKEN,
    WRONG_THING,
)
from sayso.robots.warehouse.ledger import GO, PICK, PUT, bare
from sayso.robots.warehouse.names import Table
from sayso.robots.warehouse.perception import SeenFromHere
from sayso.robots.warehouse.world import STORE
from sayso.roles import Brief, Observation, RobotState
from sayso.skill import SkillSet
from sayso.task import FELL, SLIPPED, WAY_BLOCKED, Ran

TABLE: Mapping[str, Any] = tomllib.loads((STORE / "names.toml").read_text("utf-8"))
STOCK = {s["id"]: s for s in TABLE["stock"]}
NAMES = Table(TABLE)
STEPS_MAX, SAME_MAX = 80, 4

_POINT = re.compile(r"-?[\d.]+, ?-?[\d.]+")


@dataclass
class Hall:
    """Where things are, by id; empty for what is in the hand. `trouble` is how often mishaps strike."""

    at: dict[str, str]
    trouble: float = 0.0
    seed: int = 0
    robot: str = "entrance"
    hand: str = ""
    sided: bool = False
    view: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.dice = Random(self.seed)
        self.offside = ""

    def seen(self) -> Observation:
        holding = STOCK[self.hand]["name"] if self.hand else ""
        spots = tuple((place, tuple(things)) for place, things in self.view.items())
        return Observation(state=RobotState(holding=holding), believed=(SeenFromHere(spots),))

    def act(self, step: Step) -> StepResult:
        code, *about = {GO: self._go, PICK: self._pick, PUT: self._put}[step.skill](step.args[0]) or ("",)
        ran = Ran(step.skill, step.args, "failed" if code else "done", str(code), None, str(code), tuple(about))
        return StepResult(not code, (ran,), self.seen())

    def _strikes(self, share: float = 1.0) -> bool:
        return self.dice.random() < self.trouble * share

    def _look(self) -> None:
        here = [i for i, place in self.at.items() if place == self.robot]
        self.view = {self.robot: [f"{STOCK[i]['name']} ({STOCK[i]['paint']})" for i in here]} if here else {}

    def _go(self, arg: str) -> tuple[str | float, ...]:
        goal, self.view, self.offside = arg if _POINT.fullmatch(arg) else bare(arg), {}, ""
        if self.hand and self._strikes(0.6):
            self.at[self.hand], self.hand, self.robot = "3.2, 4.1", "", ""
            return FELL, 3.2, 4.1
        if self._strikes(0.7):
            self.robot = ""
            return (self.dice.choice((LOST, WAY_BLOCKED)),)
        self.robot, self.sided = goal, " side of " in arg
        if not self.sided and goal in NAMES.spots and self._strikes(0.7):
            self.offside = self.dice.choice(("far", "left", "right"))
        self._look()
        return ()

    def _pick(self, arg: str) -> tuple[str | float, ...]:
        fits = [i for i, p in self.at.items() if p == self.robot and NAMES.fits(arg, self._label(i), p)]
        ranks = {"smallest": min, "biggest": max}
        if fits and (rank := ranks.get(arg.split()[0])):
            fits = [rank(fits, key=lambda i: NAMES.sizes[STOCK[i]["name"]])]
        if self.hand:
            return (HAND_FULL,)
        if not fits:
            return NOT_SEEN, arg
        if self.offside:
            side, self.offside = self.offside, ""
            return OUT_OF_REACH, side, self.robot
        if self._strikes():
            return (SLIPPED,)
        others = [i for i, p in self.at.items() if p == self.robot and STOCK[i]["name"] != STOCK[fits[0]]["name"]]
        wrong = self.dice.choice(others) if others and self._strikes(0.5) else ""
        self.hand = wrong or fits[0]
        self.at[self.hand] = ""
        self._look()
        return (WRONG_THING, STOCK[wrong]["name"]) if wrong else ()

    def _put(self, arg: str) -> tuple[str | float, ...]:
        assert self.hand and self.robot in NAMES.spots, (arg, self.robot)
        if self._strikes(0.6):
            return (SPOT_TAKEN,)
        self.at[self.hand], self.hand = self.robot, ""
        self._look()
        return ()

    def _label(self, id_: str) -> str:
        return f"{STOCK[id_]['name']} ({STOCK[id_]['paint']})"


@dataclass
class Mission:
    """What came of one: steps as they were asked for, the reason where it was given up, and what was said last."""

    hall: Hall
    ledger: Errands
    steps: list[str]
    gave_up: str = ""
    told: str = ""

    def moved(self, first: Mapping[str, str]) -> dict[str, str]:
        return {i: p for i, p in self.hall.at.items() if p != first.get(i)}


def play(reading: str, at: Mapping[str, str], trouble: float = 0.0, seed: int = 0) -> Mission:
    """A wish that reads so, carried out to its end, with the planner's budgets."""
    hall = Hall(dict(at), trouble, seed)
    ledger = Errands(Brief("", SkillSet(), hall.seen(), knowledge=TABLE))
    ledger.hear(None, StepResult(False, seen=hall.seen()))
    ledger.owe(parse(reading))
    mission, failed = Mission(hall, ledger, []), Counter[str]()
    for _ in range(STEPS_MAX):
        step = ledger.follows()
        assert step is not None
        if step.skill in (DONE, GIVE_UP):
            mission.told = step.args[0] if step.args else ""
            mission.gave_up = mission.told if step.skill == GIVE_UP else ""
            return mission
        heard = hall.act(step)
        mission.steps.append(str(step))
        if heard.worked:
            failed = Counter({k: n for k, n in failed.items() if not k.startswith(f"{step}:")})
        else:
            failed[f"{step}:{heard.ran[0].code} at {hall.robot}"] += 1
        ledger.hear(step, heard)
        if max(failed.values(), default=0) >= SAME_MAX:
            failed.clear()
            if not ledger.put_off():
                mission.gave_up = "the same failure over and over"
                return mission
    mission.gave_up = "too many steps"
    return mission
