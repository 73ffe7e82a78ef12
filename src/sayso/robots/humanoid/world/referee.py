"""The referee: the truth about a game, kept for judges and pictures; nothing on the way to a plan may read it.

The referee watches the physics at the servo rate and writes down what a judge may ask later: goals, balls that went
out, kicks and whether the foot met the ball, falls and how long they lasted, touches and waves.
"""

import copy
import math
from dataclasses import dataclass, field
from typing import Any

from sayso.robots.humanoid.world.body import JOINTS, PREFIX, Body, Posture
from sayso.robots.humanoid.world.eye import BALL_RADIUS_M, GOAL_HALF_M, GOAL_X_M
from sayso.scene import Pose
from sayso.world import Done, Real, Truth

FIELD_HALF_M = (4.5, 3.0)
TRAIL_EVERY_S = 0.2
DISTURBED_S = 2.0  # a push is to blame for a fall for this long
SETTLE_S = 1.0  # and a fall for this long after the get-up
KICKED_MPS = 0.5  # a ball that a foot set rolling any slower was not kicked
BALL_SIZE_M = (2 * BALL_RADIUS_M, 2 * BALL_RADIUS_M, 2 * BALL_RADIUS_M)
GOALS_AT = {"own": Pose(-GOAL_X_M), "opponent": Pose(GOAL_X_M)}


@dataclass(frozen=True, slots=True)
class Crossing:
    """The ball went over a line there: `into` a goal, own or opponent, or out."""

    at_s: float
    x_m: float
    y_m: float
    into: str = ""


@dataclass(slots=True)
class KickRecord:
    """One swing of a foot; `walking` where it was begun out of a walk."""

    at_s: float
    foot: str
    touched: bool = False
    ball_mps: float = 0.0
    walking: bool = False


@dataclass(slots=True)
class FallRecord:
    """One fall. `up_s` is when it stood again, None while it lies."""

    at_s: float
    pushed: bool
    up_s: float | None = None


@dataclass(slots=True)
class Ledger:
    """What has happened since the world began."""

    goals: list[Crossing] = field(default_factory=list)
    out: list[Crossing] = field(default_factory=list)
    kicks: list[KickRecord] = field(default_factory=list)
    falls: list[FallRecord] = field(default_factory=list)
    touches: list[float] = field(default_factory=list)
    waves: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTruth(Truth):
    """A game at one moment; `books` are what has happened so far. The ball's distance is from between the feet."""

    ball: Pose
    ball_distance_m: float
    tilt_rad: float
    books: Ledger

    @property
    def done(self) -> tuple[Done, ...]:
        books, ball = self.books, frozenset({"ball"})
        kicks = [k.at_s for k in books.kicks if k.touched and k.ball_mps >= KICKED_MPS]
        return (
            *(Done(at_s, "touched", ball) for at_s in books.touches),
            *(Done(at_s, "kicked", ball) for at_s in kicks),
            *(Done(fall.at_s, "fell") for fall in books.falls),
            *(Done(at_s, "waved") for at_s in books.waves),
        )


class Referee:
    """Watches one robot and one ball."""

    def __init__(self, model: Any, data: Any, body: Body) -> None:
        self._data, self._body = data, body
        joint = model.joint("ball")
        self._q, self._v = int(joint.qposadr[0]), int(joint.dofadr[0])
        self._ball = int(model.geom("ball").id)
        self._robot_geoms = {g for g in range(model.ngeom) if model.geom(g).name.startswith(PREFIX)}
        self._feet = {int(model.geom(f"{PREFIX}{side}_foot").id): side for side in ("left", "right")}
        self.ledger = Ledger()
        self.ball_trail: list[tuple[float, float]] = []
        self._kick: KickRecord | None = None
        self._kick_seen: Any = None
        self._posture = body.posture
        self._ball_in = True
        self._touching = False
        self._arm_high = False
        self._trailed_s = -math.inf
        self._disturbed_until_s = -math.inf

    def ball(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Position (m) and velocity (m/s) of the ball."""
        x, y, z = self._data.qpos[self._q : self._q + 3].tolist()
        vx, vy, vz = self._data.qvel[self._v : self._v + 3].tolist()
        return (x, y, z), (vx, vy, vz)

    def pushed(self, now_s: float) -> None:
        self._disturbed_until_s = now_s + DISTURBED_S

    def touch(self, now_s: float) -> None:
        """After every physics step: does the robot touch the ball, and is it the kicking foot?"""
        pairs = self._data.contact.geom.tolist() if self._data.ncon else []
        meets = [b if a == self._ball else a for a, b in pairs if self._ball in (a, b)]
        touching = any(g in self._robot_geoms for g in meets)
        if touching and not self._touching:
            self.ledger.touches.append(now_s)
        self._touching = touching
        if self._kick and any(self._feet.get(g) == self._kick.foot for g in meets):
            self._kick.touched = True

    def note(self, now_s: float) -> None:
        """Once a servo tick."""
        ball, ball_v = self.ball()
        self._note_kick(now_s, math.hypot(ball_v[0], ball_v[1]))
        self._note_fall(now_s)
        self._note_lines(now_s, ball)
        self._note_wave(now_s)
        if now_s - self._trailed_s >= TRAIL_EVERY_S - 1e-9:
            self._trailed_s = now_s
            self.ball_trail.append(ball[:2])

    def _note_kick(self, now_s: float, ball_mps: float) -> None:
        under_way = self._body.kick
        if under_way is not self._kick_seen and under_way:
            self._kick = KickRecord(now_s, under_way.foot, walking=under_way.walking)
            self.ledger.kicks.append(self._kick)
        self._kick_seen = under_way
        if self._kick and self._kick.touched:
            self._kick.ball_mps = max(self._kick.ball_mps, ball_mps)
        if not under_way:
            self._kick = None

    def _note_fall(self, now_s: float) -> None:
        before, self._posture = self._posture, self._body.posture
        if before is Posture.UP and self._posture is Posture.LOOSE:
            self.ledger.falls.append(FallRecord(now_s, pushed=now_s <= self._disturbed_until_s))
        if self._posture is not Posture.UP:
            self._disturbed_until_s = max(self._disturbed_until_s, now_s + SETTLE_S)
        elif before is not Posture.UP and self.ledger.falls:
            self.ledger.falls[-1].up_s = now_s

    def _note_lines(self, now_s: float, ball: tuple[float, float, float]) -> None:
        x, y, _ = ball
        inside = abs(x) <= FIELD_HALF_M[0] + BALL_RADIUS_M and abs(y) <= FIELD_HALF_M[1] + BALL_RADIUS_M
        if self._ball_in and not inside:
            scored = abs(x) > GOAL_X_M and abs(y) < GOAL_HALF_M
            if scored:
                self.ledger.goals.append(Crossing(now_s, x, y, "opponent" if x > 0 else "own"))
            else:
                self.ledger.out.append(Crossing(now_s, x, y))
        self._ball_in = inside

    def _note_wave(self, now_s: float) -> None:
        """One wave is the raised arm's way out and back."""
        roll_rad = self._body.joints()[JOINTS.index("right_shoulder_roll")]
        if self._arm_high and roll_rad > -2.25:
            self.ledger.waves.append(now_s)
            self._arm_high = False
        elif roll_rad < -2.45:
            self._arm_high = True

    def really(self) -> tuple[Pose, float]:
        """Where the robot is, and its speed over ground in m/s."""
        now = self._body.motion()
        return Pose(*now.at, now.yaw_rad), math.hypot(now.velocity[0], now.velocity[1])

    def _where_ball(self) -> str:
        """The goal that it is in, if it is in one."""
        crossed = max([*self.ledger.goals, *self.ledger.out], key=lambda c: c.at_s, default=None)
        return f"{crossed.into} goal" if crossed and crossed.into and not self._ball_in else ""

    def truth(self, now_s: float, in_frame: frozenset[str]) -> GameTruth:
        now = self._body.motion()
        ball, _ = self.ball()
        pose, speed_mps = self.really()
        return GameTruth(
            time_s=now_s,
            pose=pose,
            speed_mps=speed_mps,
            things={
                "ball": Real(label="ball", pose=Pose(*ball), size_m=BALL_SIZE_M, on=self._where_ball()),
                **{f"{side} goal": Real(label=f"{side} goal", pose=at) for side, at in GOALS_AT.items()},
            },
            in_frame=in_frame,
            ball=Pose(*ball),
            ball_distance_m=math.dist(now.at[:2], ball[:2]),
            fallen=self._body.posture is not Posture.UP,
            tilt_rad=now.tilt_rad,
            books=copy.deepcopy(self.ledger),
        )
