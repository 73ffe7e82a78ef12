"""The nine goals of the humanoid paper's Table 1, and how the world tells whether each was reached.

Published figures: Table 2, ten runs each in simulation. The robot stands on the centre line facing its own goal, the
ball lies on the centre circle behind it; only for goal 4 the two are further apart, so that the robot is still on its
way when the request changes. Goals 8 and 9 cannot be reached: there it is right to end honestly, with nothing done in
their place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from sayso.bench.suite import BenchTask
from sayso.robots.humanoid.world.referee import Ledger
from sayso.scene import Pose, wrap

FOUND_S, ARRIVED_S = 3.0, 1.0
NEAR_M = 0.4
STILL_MPS = 0.05
FACING_RAD = math.radians(40)
KICKED_MPS, KICKED_M = 0.5, 0.5
STAYED_M, FACED_RAD = 0.1, 0.2
REACTION_S = 2.5
WAVES, AFTER_CHANGE_S = 2, 6.0
SAMPLE_S = 0.1


@dataclass(frozen=True, slots=True)
class Sample:
    """The truth at one moment, as far as judges ask for it. `waves` counts from the start of the game."""

    at_s: float
    robot: Pose
    ball: Pose
    speed_mps: float
    fallen: bool
    ball_in_view: bool
    waves: int

    @property
    def ball_m(self) -> float:
        """From between the robot's feet to the ball, on the ground."""
        return math.hypot(self.ball.x_m - self.robot.x_m, self.ball.y_m - self.robot.y_m)

    @property
    def stands(self) -> bool:
        return self.speed_mps < STILL_MPS and not self.fallen


@dataclass(slots=True)
class Game:
    """What the bench saw of one episode. `changed_s` is when the request was changed; `claimed` what the agent says of

    its mission once that is over: True where it says that the wish is met.
    """

    samples: list[Sample] = field(default_factory=list)
    books: Ledger = field(default_factory=Ledger)
    changed_s: float | None = None
    claimed: bool | None = None

    def last(self, seconds: float) -> Sequence[Sample]:
        """The samples of the last while; empty where the game is not that old yet."""
        since_s = self.samples[-1].at_s - seconds
        if not self.samples or self.samples[0].at_s > since_s:
            return ()
        return [s for s in self.samples if s.at_s >= since_s - 1e-9]

    def since(self, at_s: float) -> Sequence[Sample]:
        return [s for s in self.samples if s.at_s >= at_s]


Judge: TypeAlias = Callable[[Game], bool]


def found(game: Game) -> bool:
    """The ball has really been in the picture of a robot on its feet, for longer than a turn sweeps past it."""
    last = game.last(FOUND_S)
    return bool(last) and all(s.ball_in_view and not s.fallen for s in last)


def approached(game: Game) -> bool:
    """It has come to a stand at the ball, turned to it."""
    last = game.last(ARRIVED_S)
    return bool(last) and all(_at_ball(s) for s in last)


def _at_ball(s: Sample) -> bool:
    return s.stands and s.ball_m <= NEAR_M and abs(s.robot.bearing_rad(s.ball)) <= FACING_RAD


def recovered(game: Game) -> bool:
    """It was felled by a push and got up, and reached the ball after that."""
    pushed = [f for f in game.books.falls if f.pushed]
    return bool(pushed) and all(f.up_s is not None for f in pushed) and approached(game)


def kicked(game: Game) -> bool:
    """A foot met the ball in a kick, and the ball went away."""
    hit = any(k.touched and k.ball_mps >= KICKED_MPS for k in game.books.kicks)
    start, now = game.samples[0].ball, game.samples[-1].ball
    return hit and start.distance_m(now) >= KICKED_M


def scored(game: Game) -> bool:
    return any(g.into == "opponent" for g in game.books.goals)


def obeyed(game: Game) -> bool:
    """On its way to the ball, and not yet there, when the request changed; soon after that it stands and waves."""
    if game.changed_s is None or not game.last(AFTER_CHANGE_S):
        return False
    before, after = [s for s in game.samples if s.at_s < game.changed_s], game.since(game.changed_s)
    if not before or after[-1].at_s - game.changed_s < AFTER_CHANGE_S:
        return False
    on_its_way = NEAR_M < before[-1].ball_m < before[0].ball_m - 0.5
    reacted = reaction_s(game)
    return on_its_way and reacted is not None and reacted <= REACTION_S and after[-1].waves - after[0].waves >= WAVES


def reaction_s(game: Game) -> float | None:
    """From the changed request to the moment from which the robot stands; None while it does not, or never walked."""
    if game.changed_s is None:
        return None
    after = game.since(game.changed_s)
    if not after or after[0].stands or not after[-1].stands:
        return None
    moving = [s.at_s for s in after if not s.stands]
    return moving[-1] + SAMPLE_S - game.changed_s


def hard_kicks(game: Game) -> int:
    """Kicks that began while the robot had not come to a stand."""
    before = [[s for s in game.samples if s.at_s <= kick.at_s] for kick in game.books.kicks]
    return sum(bool(samples) and not samples[-1].stands for samples in before)


def gave_up(game: Game) -> bool:
    """It ended by itself, and says that the wish is not met; the ball was left alone."""
    return game.claimed is False and not game.books.kicks


def refused(game: Game) -> bool:
    """It gave up, and did nothing in place of what it cannot do: no jump, no step, no turn, no wave."""
    start = game.samples[0].robot
    stayed = all(start.distance_m(s.robot) < STAYED_M for s in game.samples)
    faced = all(abs(wrap(s.robot.yaw_rad - start.yaw_rad)) < FACED_RAD for s in game.samples)
    return gave_up(game) and stayed and faced and game.samples[-1].waves == 0


@dataclass(frozen=True, slots=True)
class Goal:
    """One row of the table: what is said, what the bench does meanwhile, and the judge.

    `then` is said `then_s` after the start; `push` fells the robot on its way. `apart_m`, where it is set, is how far
    the ball lies behind the robot. `limit_s` ends the episode. `feasible`
    goals are over when the judge is content, the others when the agent ends by itself.
    """

    id: str
    sentence: str
    judge: Judge
    limit_s: float
    published: tuple[str, str]
    feasible: bool = True
    push: bool = False
    then: str = ""
    then_s: float = 20.0
    apart_m: float = 0.0


GOALS = (
    Goal("1", "Find the ball", found, 40.0, ("9/10", "1.0")),
    Goal("2", "Approach the ball", approached, 60.0, ("10/10", "1.0")),
    Goal("3", "Approach the ball", recovered, 90.0, ("10/10", "1.0"), push=True),
    Goal(
        "4", "Approach the ball", obeyed, 40.0, ("10/10", "1.0"),
        then="Stand still and wave", then_s=19.0, apart_m=5.9,
    ),
    Goal("5", "Approach and kick the ball", kicked, 60.0, ("10/10", "1.0")),
    Goal("6", "Play soccer", scored, 150.0, ("2/10", "1.0")),
    Goal("7", "Playing soccer", scored, 150.0, ("9/10", "1.0")),
    Goal("8", "Pick up the ball", gave_up, 60.0, ("–", "1.0"), feasible=False),
    Goal("9", "Jump", refused, 60.0, ("–", "0.53"), feasible=False),
)  # fmt: skip

TASKS = tuple(
    BenchTask(g.id, g.sentence, (), {"success": g.published[0], "executability": g.published[1]}, g.feasible)
    for g in GOALS
)


def goal(id_: str) -> Goal:
    return next(g for g in GOALS if g.id == id_)
