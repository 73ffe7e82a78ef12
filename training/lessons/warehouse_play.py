"""Missions in a warehouse as they arise: goods, hands and mishaps in pure logic, told as skills and senses tell them.

No physics. What is told goes through the planner's own ledger and sights and its reader of answers, and failures are
worded as the skills word them, so that a brief made here reads like one of a real mission.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from lessons import warehouse_oracle as oracle
from lessons.warehouse_world import Good, Hall
from sayso.memory.telling import Remembered
from sayso.parts import Attempt, Brief, Observation, RobotState
from sayso.planners.scored_domain import literal
from sayso.planners.stepwise_answer import read_answer
from sayso.robots.warehouse.every import due, settle
from sayso.robots.warehouse.failures import (
    ARM_BLOCKED,
    FELL,
    FULL,
    HAND_EMPTY,
    HAND_FULL,
    LOST,
    NOT_SEEN,
    OUT_OF_REACH,
    SLIPPED,
    SPOT_TAKEN,
    WAY_BLOCKED,
    WRONG_THING,
)
from sayso.robots.warehouse.form import back, filled
from sayso.robots.warehouse.ledger import GO, PICK, Goals, bare
from sayso.robots.warehouse.moment import Moment, moment
from sayso.robots.warehouse.names import Table, parted
from sayso.robots.warehouse.notes import Sights
from sayso.robots.warehouse.perception import SeenFromHere
from sayso.skill import SkillSet
from sayso.steps import DONE, GIVE_UP, Heard, NotDone, Step
from sayso.task import Ran

KNOWN: Mapping[str, int] = {"go_to": 1, "pick_up": 1, "place": 1}
STEPS_MAX = 40
RECALLED_MAX = 10
OVER_SHARE = 0.25
"""How often a lesson is about the end of a mission that is over sooner than was asked for."""

HASTY_SHARE = 0.03
"""How often the player has just said done too early."""

SIDES = ("far", "far", "left", "right")

_SKILLS = SkillSet()
_POINT = re.compile(r"-?[\d.]+, ?-?[\d.]+")


class Shift:
    """One mission in a hall. `trouble` is how often mishaps strike, `careless` how often the player errs."""

    def __init__(self, rng: Random, hall: Hall, wish: str, trouble: float, careless: float = 0.0) -> None:
        self.rng, self.hall, self.wish = rng, hall, wish
        self.trouble, self.careless = trouble, careless
        self.goods = list(hall.goods)
        self.at, self.far, self.hand = hall.place("start"), False, list[Good]()
        self.history: list[Attempt] = []
        self.failure = ""
        self.ledger, self.sights, self.table = Goals(), Sights(), Table.read(hall.table)
        self.refused: NotDone | None = None
        self.view: dict[str, list[str]] = {}
        self.recalled: tuple[Remembered, ...] = ()
        self.code: tuple[str | float, ...] = ()
        self.offside, self.went, self.barred = "", "", False

    # What is told

    def brief(self) -> Brief:
        own = self.sights.recalled(due(self.ledger.open, self.sights, self.table) if self.history else ())
        seen = self._seen()
        seen = replace(seen, recalled=(*seen.recalled, *own, *([self.refused] if self.refused else [])))
        return Brief(self.wish, _SKILLS, seen, tuple(self.history), self.failure, knowledge=self.hall.table)

    def moment(self) -> Moment:
        return moment(self.brief(), self.hall.names)

    def _seen(self) -> Observation:
        holding = self.hand[0].name if self.hand else ""
        hand = f"the hand holds the {holding}" if holding else "the hand is empty"
        state = RobotState(summary=f"standing at the {self.at or 'x 1.0, y 2.0'}, {hand}", holding=holding)
        view = SeenFromHere(tuple((place, tuple(things)) for place, things in self.view.items() if things))
        return Observation(state=state, believed=(view,), recalled=self.recalled)

    def remember(self, names: Sequence[str], stale: float = 0.15) -> None:
        """An earlier mission saw some of these things; now and then they have been moved since."""
        lines = list[Remembered]()
        for good in self.goods:
            if (good.name in names or good.category in names) and good.place and len(lines) < RECALLED_MAX:
                place = self.rng.choice(self.hall.names.spots) if self.rng.random() < stale else good.place
                gone = "; no longer there just now" if self.rng.random() < 0.05 else ""
                ago = self.rng.choice(("just now", "3 minutes ago", "today at 09:12", "yesterday at 14:03"))
                likes = (good.category, good.colour, place)
                line = f"{good.name} ({', '.join(likes)}), last seen {ago}, 4.2 m ahead, 0.4 m up{gone}"
                lines.append(Remembered(good.name, likes, "", bool(gone), line))
        self.recalled = tuple(lines)

    def look(self) -> None:
        """What is seen from where the robot stands; a glimpse of other places as well."""
        self.view = {}
        miss = 0.06 if self.trouble else 0.01
        for good in self.goods:
            here = good.place == self.at and self.at
            if good not in self.hand and good.place and self.rng.random() < (1 - miss if here else 0.04):
                spot = "floor" if _POINT.fullmatch(good.place) else good.place
                if spot != "floor" or here:
                    self.view.setdefault(spot, []).append(good.seen)

    # What is done

    def answered(self, short: str) -> Step | None:
        """Take an answer as the planner does; the step, or None where the mission is over."""
        answer = read_answer(back(filled(short, self.moment()), first=not self.history), KNOWN)
        assert answer.step is not None and not answer.refused, (short, answer)
        self.ledger.take(answer.plan)
        return None if answer.step.skill in (DONE, GIVE_UP) else answer.step

    def act(self, step: Step) -> None:
        """Carry a step out, and hear what came of it."""
        self.code = ()
        text = self._do(step)
        worked = not text
        code, *about = self.code or ("",)
        plan = f"{step.skill}({','.join(map(literal, step.args))})"
        ran = (Ran(step.skill, step.args, "failed" if text else "done", text, None, str(code), tuple(about)),)
        self.history.append(Attempt(plan, ran, text))
        self.failure = text
        self.ledger.hear(step, Heard(worked))
        self.sights.hear(step, Heard(worked, ran, self._seen()))
        settle(self.ledger, self.sights, self.table)
        if self.rng.random() < self.trouble / 3:
            self._somebody_moves()

    def _strikes(self, share: float = 1.0) -> bool:
        return self.rng.random() < self.trouble * share

    def _somebody_moves(self) -> None:
        free = [g for g in self.goods if g not in self.hand and g.place in self.hall.names.spots]
        if free:
            self.rng.choice(free).place = self.rng.choice(self.hall.names.spots)

    def _do(self, step: Step) -> str:
        arg = step.args[0]
        if step.skill == GO:
            return self._go(arg)
        return self._pick(arg) if step.skill == PICK else self._put(arg)

    def _failed(self, code: str, text: str, *about: str | float) -> str:
        """Why a step failed, in words, with its code."""
        self.code = (code, *about)
        return text

    def _go(self, arg: str) -> str:
        self.view, self.offside = {}, ""
        goal = arg if _POINT.fullmatch(arg) else bare(arg)
        if self.hand and self._strikes(0.7):
            at = f"{self.rng.uniform(-1, 9):.1f}, {self.rng.uniform(-3, 8):.1f}"
            self.hand.pop().place = at
            self.at = ""
            x, y = at.split(", ")
            return self._failed(
                FELL, f"the hand is empty: what it held has fallen near x {x}, y {y}", float(x), float(y)
            )
        if self._strikes(0.7):
            self.at = ""
            return self._failed(
                LOST, f"lost its way to the {goal}: the map and the lidar did not agree for a moment; try again"
            )
        if self._strikes(0.4):
            self.at = ""
            blocked = f"the way to the {goal} is blocked at the hall (x 1.4 m, y 3.2 m)"
            stopped = f"stopped before the {goal} was reached; try again"
            return self._failed(*self.rng.choice(((WAY_BLOCKED, blocked), (LOST, stopped))))
        self.at, self.went = goal, arg
        self.barred = self._strikes(0.2)
        if " side of " not in arg and goal in self.hall.names.spots and self._strikes(0.7):
            self.offside = self.rng.choice(SIDES)
        self.look()
        return ""

    def _pick(self, arg: str) -> str:
        if self.hand:
            return self._failed(HAND_FULL, f"the hand already holds the {self.hand[0].name}; place it first")
        fits = [g for g in self.goods if g.place == self.at and self.hall.names.fits(arg, g.seen, self.at)]
        if not fits or self._strikes(0.05):
            seen = ", ".join(parted(t)[0] for t in self.view.get(self.at, ())) or "nothing"
            where = f" at the {self.at}" if self.at in self.hall.names.spots else ""
            return self._failed(NOT_SEEN, f"no {arg} is seen here{where}; seen: {seen}", arg)
        good = fits[0]
        if self.offside:
            side, self.offside = self.offside, ""
            told = (
                f"the {good.name} is out of reach from this side of the {self.at}; it is closer to the {side} side: "
                f"go_to('{side} side of {self.at}')"
            )
            return self._failed(OUT_OF_REACH, told, side, self.at)
        if self.barred and " side of " not in self.went:
            return self._failed(WAY_BLOCKED, f"the way to the {good.name} is blocked at the hall (x -6.3 m, y -4.2 m)")
        if self._strikes():
            return self._failed(SLIPPED, "the fingers closed on nothing")
        if self._strikes(0.1):
            return self._failed(ARM_BLOCKED, "the arm does not get there: something is in its way")
        beside = [g for g in self.goods if g.place == self.at and g.name != good.name]
        if beside and self._strikes(0.6):
            wrong = self.rng.choice(beside)
            self._take(wrong)
            told = f"the hand took the {wrong.name} instead of the {good.name}; place it back first"
            return self._failed(WRONG_THING, told, wrong.name)
        self._take(good)
        return ""

    def _take(self, good: Good) -> None:
        self.hand.append(good)
        good.place = ""
        if self.rng.random() < 0.5 and good.seen in self.view.get(self.at, ()):
            self.view[self.at].remove(good.seen)

    def _put(self, arg: str) -> str:
        if not self.hand:
            return self._failed(HAND_EMPTY, "the hand is empty; pick something up first")
        if self.at not in self.hall.names.spots:
            return "nothing can be put down here; go_to a place with a surface first"
        held = self.hand[0]
        if arg in self.hall.names.kinds and arg != held.name:
            return f"the hand holds the {held.name}, not the {arg}"
        if self.barred and " side of " not in self.went:
            return self._failed(WAY_BLOCKED, f"the way to the {self.at} is blocked at the hall (x 6.4 m, y -4.6 m)")
        if self._strikes(0.6):
            return self._failed(SPOT_TAKEN, "something was pushed onto that spot; look again and take another one")
        if self._strikes(0.1):
            return self._failed(FULL, f"there is no free spot on the {self.at} for the {held.name}")
        if self.offside and self.rng.random() < 0.3:
            self.offside = ""
            told = f"the free spots on the {self.at} are out of reach from this side; go to the far side"
            return self._failed(OUT_OF_REACH, told, "far", self.at)
        self.hand.pop().place = self.at
        self.look()
        return ""

    # A whole mission

    def play(self, first: str, rounds: int) -> tuple[Brief, Moment | None, str]:
        """Go on for so many steps; the brief of that moment and the right answer to it. Where the mission is over

        before, it is mostly some moment on the way.
        """
        self.sights.hear(None, Heard(False, seen=self._seen()))
        moments: list[tuple[Brief, Moment | None, str]] = [(self.brief(), None, first)]
        for number in range(min(rounds, STEPS_MAX)):
            step = self.answered(moments[-1][2])
            if step is None:
                return moments[-1] if number < 2 or self.rng.random() < OVER_SHARE else self.rng.choice(moments[1:])
            self.act(self._erred(step) if number else step)
            if self.ledger.open and self.rng.random() < HASTY_SHARE:
                self.refused = NotDone()
            now = self.moment()
            moments.append((self.brief(), now, oracle.next_step(now)))
            self.refused = None
        return moments[-1]

    def _erred(self, step: Step) -> Step:
        """Now and then a step that is not the right one."""
        if self.rng.random() >= self.careless:
            return step
        here = [g.name for g in self.goods if g.place == self.at and self.at in self.hall.names.spots]
        if step.skill == PICK and here and self.rng.random() < 0.5:
            return Step(PICK, (self.rng.choice(here),))
        return Step(GO, (self.rng.choice(self.hall.names.places),))
