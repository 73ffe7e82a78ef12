"""Moments as they arise in play: a coarse field in plain numbers, on which the oracle, or a worse player, has its way.

No physics: a ball that is somewhere, a head that sees a part of what is around, legs that turn, walk, kick and now and
then fall. But what is told of it goes through the planner's own bookkeeping (`Course`), its reading of answers and the
perception's own words, so that a brief made here reads like one of a real mission.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from lessons import humanoid_oracle as oracle
from sayso.planners.rolling_answer import Answer, read_answer
from sayso.planners.rolling_course import Course, State
from sayso.robots.humanoid.ball import BALL_RANGE_M, STILL_VISIBLE_S, Ball, BallState
from sayso.robots.humanoid.soccer import LOST_S, TASKS, TURN_RADPS
from sayso.roles import Brief, Observation, RobotState
from sayso.scene import wrap
from sayso.skill import SkillSet
from sayso.task import Ran

PERIOD_S, TICK_S = 2.0, 0.5
SEES_RAD, PAN_MAX_RAD = 0.62, 1.5
WALK_MPS, REACH_M = 0.42, 0.4
ROUNDS = (0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 9, 12)
"""From the request to the moment of the lesson; it may be over before that."""

NAMES = tuple(TASKS)
_NOWHERE = State()
_SKILLS = SkillSet()


class Field:
    """Robot and ball. `rng` throws for all that a player cannot know."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.away_m = rng.choice((0.25, 0.3, 0.7, 0.75, 0.8, 0.9, rng.uniform(0.4, 7.0), rng.uniform(0.4, 4.0)))
        self.bearing_rad = rng.choice((math.pi, math.pi, 0.0, rng.uniform(-math.pi, math.pi)))
        self.unseen_s = rng.choice((None, None, None, 0.0, rng.uniform(0.0, 4.0), rng.uniform(0.0, 40.0)))
        self.down_s = rng.uniform(0.2, 3.5) if rng.random() < 0.04 else 0.0
        self.kicking_s, self.arrived_s = 0.0, 0.0
        self.walking = self.waving = False
        if self.unseen_s == 0.0:
            self.bearing_rad = rng.uniform(-0.5, 0.5)

    def seen(self) -> Observation:
        """As the robot and its perception tell it."""
        state = RobotState(summary=self._doing, doing=self._doing)
        if self.unseen_s is None:
            return Observation(state=state, believed=(Ball(),))
        away_m = max(0.05, self.away_m + self.rng.gauss(0.0, 0.015))
        ball = BallState(self.unseen_s <= STILL_VISIBLE_S, self.unseen_s, away_m)
        return Observation(state=state, believed=(ball.told,))

    @property
    def _doing(self) -> str:
        if self.down_s > 0:
            return "fallen" if self.down_s > 1.7 else "getting up"
        if self.kicking_s > 0:
            return "kicking"
        return "walking" if self.walking else "waving" if self.waving else "standing"

    def pass_by(self, tasks: Sequence[str], seconds: float) -> list[Ran]:
        """Let time go by while these tasks are pursued, the strongest first; what ended, as the executive tells it."""
        ended: list[Ran] = []
        left_s = seconds
        while left_s > 0:
            dt_s = min(TICK_S, left_s)
            going = [t for t in tasks if not any(one.skill == t for one in ended)]
            ended += self._tick(going, dt_s)
            left_s -= dt_s
        if self.rng.random() < 0.02:  # somebody takes the ball away
            self.away_m, self.bearing_rad = self.rng.uniform(0.5, 6.0), self.rng.uniform(-math.pi, math.pi)
        return ended

    def _tick(self, tasks: Sequence[str], dt_s: float) -> list[Ran]:
        self.walking = False
        self.waving = "Wave" in tasks
        ended = self._legs(tasks, dt_s) if self.down_s <= 0 else []
        self.down_s = max(0.0, self.down_s - dt_s)
        self._look(tasks, dt_s)
        return ended

    def _legs(self, tasks: Sequence[str], dt_s: float) -> list[Ran]:
        if self.kicking_s > 0:
            self.kicking_s -= dt_s
            return self._kicked() if self.kicking_s <= 0 else []
        walkable = self.unseen_s is not None and self.unseen_s < LOST_S
        for task in tasks:
            if task == "KickBall" and walkable and self.away_m < REACH_M and self.rng.random() < 0.5:
                self.kicking_s = 1.0
                return []
            if task == "TurnOnSpot":
                self._step(dt_s)
                self.bearing_rad = wrap(self.bearing_rad - TURN_RADPS * dt_s)
                return []
            if task == "WalkToBall":
                return self._walk(dt_s) if walkable else []
            if task == "StandStill":
                return []
        return []

    def _walk(self, dt_s: float) -> list[Ran]:
        if abs(self.bearing_rad) > 0.3 or self.away_m > 0.3:
            self._step(dt_s)
            self.away_m -= WALK_MPS * dt_s * max(0.0, math.cos(self.bearing_rad))
            self.away_m = max(self.away_m, 0.22 + 0.06 * self.rng.random())
            self.bearing_rad -= math.copysign(min(abs(self.bearing_rad), dt_s), self.bearing_rad)
            self.arrived_s = 0.0
            return []
        self.arrived_s += dt_s
        return [Ran("WalkToBall")] if self.arrived_s > self.rng.uniform(0.0, 1.2) else []

    def _step(self, dt_s: float) -> None:
        self.walking = True
        if self.rng.random() < 0.012 * dt_s / TICK_S:
            self.down_s = 3.5

    def _kicked(self) -> list[Ran]:
        roll = self.rng.random()
        if roll < 0.08:
            self.down_s = 3.5
            return [Ran("KickBall", outcome="failed", reason="fell over while kicking")]
        if roll < 0.9:
            self.away_m = self.rng.uniform(0.55, 4.0)
            self.bearing_rad = self.rng.gauss(0.0, 0.3)
        return [Ran("KickBall")]

    def _look(self, tasks: Sequence[str], dt_s: float) -> None:
        """Is the ball in the picture, wherever the head is turned?"""
        known = self.unseen_s is not None and self.unseen_s < LOST_S
        if known and ("LookAtBall" in tasks or "WalkToBall" in tasks):
            pan_rad = max(-PAN_MAX_RAD, min(PAN_MAX_RAD, self.bearing_rad))
        else:
            pan_rad = self.rng.choice((0.0, 1.1, -1.1)) if "LookAround" in tasks else 0.0
        near_enough = self.away_m < BALL_RANGE_M and self.down_s < 2.5
        if near_enough and abs(wrap(self.bearing_rad - pan_rad)) < SEES_RAD and self.rng.random() < 0.97:
            self.unseen_s = self.rng.choice((0.0, 0.0, 0.0, 0.1, 0.1, 0.2))
        elif self.unseen_s is not None:
            self.unseen_s += dt_s


class Match:
    """One player on a field, from request to request. `careless` is how often it answers something else."""

    def __init__(self, rng: Random, careless: float) -> None:
        self._rng, self._careless = rng, careless
        self._field = Field(rng)
        self._latency_s = rng.choice((0.05, 0.1, 0.3, 0.6, 1.0, 1.4))
        self._now_s = 0.0
        self._course = Course("", _NOWHERE)

    def asked(self, request: str, goal: Sequence[str], rounds: int) -> Brief:
        """A new request; the brief of the round after `rounds` others, or of the one in which it is over."""
        self._course = Course(request, _NOWHERE, self._course.in_force)
        for _ in range(rounds):
            brief = self._brief(request)
            right = oracle.answer(goal, oracle.moment(brief))
            if right == oracle.DONE:
                return brief
            self._follow(self._answered(right))
        return self._brief(request)

    def _brief(self, request: str) -> Brief:
        course = self._course
        history = course.history(self._now_s)
        return Brief(request, _SKILLS, self._field.seen(), history, "\n".join(course.told))

    def _answered(self, right: str) -> Answer:
        if self._rng.random() < self._careless:
            return read_answer(careless(self._rng, right), NAMES)
        return read_answer(right, NAMES)

    def _follow(self, answer: Answer) -> None:
        """What the planner does with an answer, and what becomes of it until the next prompt."""
        course = self._course
        course.asked()
        self._go_on(self._latency_s)
        course.told = list(answer.refused)
        if answer.tasks:
            course.take(answer, self._now_s)
        elif answer.word == "cannot":
            course.drop()
        elif answer.word == "done":
            course.told = ["Done, while nothing has happened yet that would show it"]
        self._go_on(PERIOD_S - self._latency_s)

    def _go_on(self, seconds: float) -> None:
        going = sorted(self._course.in_force, key=lambda task: -task.priority)
        self._course.see(_NOWHERE, self._field.pass_by([task.type for task in going], seconds))
        self._now_s += seconds


def careless(rng: Random, right: str) -> str:
    """An answer that is not the right one: other tasks, a wrong name, one twice, a word too early."""
    roll = rng.random()
    if roll < 0.55:
        return oracle.written(rng.sample(NAMES, rng.choice((1, 1, 2, 3))))
    if roll < 0.65:
        return rng.choice((oracle.DONE, oracle.CANNOT))
    if roll < 0.75:
        return f"{right}\n{right}"
    wrong = rng.choice(
        ("Kick", "Jump", "Walk", "WalkToGoal", "LookAtball2", "Turn", "PickUpBall", "Search", "Run", "Grab")
    )
    line = f"Task: {wrong} Priority: {rng.randrange(1, 4)}"
    return f"{right}\n{line}" if rng.random() < 0.5 else line
