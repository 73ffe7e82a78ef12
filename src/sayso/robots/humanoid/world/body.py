"""The simulated humanoid's body: commands in, joint targets out, measurements back.

This is what the firmware of a real humanoid would offer: a walk engine that takes a velocity and ramps to it, a kick,
a head and arms with servos of limited speed, a get-up. It knows no ball, no limits and no plan, and of itself only what
joints and IMU measure. `SimHumanoid` is its adapter; pushes come from the world.
"""

import enum
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from sayso.robots.humanoid.ball import Vector
from sayso.robots.humanoid.world.gait import Gait, Path, Walk, along
from sayso.robots.humanoid.world.legs import SOLE_M
from sayso.robots.humanoid.world.motion import Motion, cross, leaning
from sayso.tables import toml

PREFIX = "robot/"
WALK_MAX = (0.3, 0.15, 0.8)
"""Fastest walk forward (m/s), sideways (m/s) and turn (rad/s); backward is as slow as sideways."""
WALK_RAMP = (0.8, 3.0)
"""Walk acceleration (m/s²) and turn acceleration (rad/s²)."""
HEAD_PAN_MAX_RAD = 1.25
HEAD_TILT_MIN_RAD, HEAD_TILT_MAX_RAD = -0.35, 1.15
HEAD_RADPS, ARM_RADPS, LEG_RADPS = 2.5, 8.0, 5.7  # how fast joints are set to turn
SERVO_LAG_S = 0.0116  # how far one is behind: its damping divided by its gain
OFFSET_RAD = 0.01  # how well servos are mounted (standard deviation)
RISEN_RAD = 0.4  # leaning less at the end of a get-up, it stands
QUIET_RADPS = 0.5  # turning slower, it lies still
ON_SIDE = 0.85  # how straight up a side points of who lies on the other
STRIKE = 2  # the point of a kick at which the foot begins to swing forward
WAVE_HZ = 1.2
PUSH_HEIGHT_M = 0.22  # above the hips: at the chest

TABLE = toml(__package__, "gait.toml")
GAIT = Gait(**TABLE["walk"])
STAND_M = GAIT.height_m + SOLE_M + 0.002  # hips above the carpet

ARM, LEG = ("shoulder_pitch", "shoulder_roll", "elbow"), ("hip_yaw", "hip_roll", "hip", "knee", "ankle", "ankle_roll")
JOINTS = ("head_pan", "head_tilt", *(f"{s}_{name}" for limb in (ARM, LEG) for s in ("left", "right") for name in limb))
RADPS = (*[HEAD_RADPS] * 2, *[ARM_RADPS] * 6, *[LEG_RADPS] * 12)
HANG = (0.1, 0.12, -0.45, 0.1, -0.12, -0.45)
AHEAD = (0.0, 0.35)  # where the head looks
STANDING = (*AHEAD, *HANG, *chain(*Walk(GAIT).tick((0.0, 0.0, 0.0), leaning(GAIT.pitch), 0.0)))
"""Angles of all joints of a robot that just stands."""


class Posture(enum.Enum):
    """What the servos do."""

    UP = "the body stands or walks"
    LOOSE = "the servos are soft: it falls or lies"
    RISING = "it gets up"


@dataclass(slots=True)
class Kick:
    """A kick under way, or taken back; `walking` where it was begun out of a walk."""

    foot: str
    walking: bool
    elapsed_s: float = 0.0
    back: bool = False


class Body:
    """`tick` at the servo rate, after `lean` has been told. `chance` mounts its servos, a little askew."""

    def __init__(self, model: Any, data: Any, chance: random.Random) -> None:
        self._data = data
        base = model.joint(PREFIX + "base")
        self._torso = int(model.body(PREFIX + "torso").id)
        self._q, self._v = int(base.qposadr[0]), int(base.dofadr[0])
        self._ctrl = [int(model.actuator(PREFIX + n).id) for n in JOINTS]
        self._order = [int(model.joint(PREFIX + n).qposadr[0]) for n in JOINTS]
        self._gyro, self._force = (int(model.sensor(PREFIX + n).adr[0]) for n in ("gyro", "accelerometer"))
        self._chest = (0.0, 0.0, PUSH_HEIGHT_M) - model.body_ipos[self._torso]
        self._askew = [chance.gauss(0.0, OFFSET_RAD) for _ in JOINTS]
        self.fit(TABLE)
        self.lean = leaning(GAIT.pitch)
        self.posture = Posture.UP
        self.walk_goal = self.walk = (0.0, 0.0, 0.0)
        self.head_goal: tuple[float, float] = AHEAD
        self.waving = False
        self.kick: Kick | None = None
        self._way_up: Path = ()
        self._rising_s = 0.0
        self._waved_s = 0.0
        self._set: Sequence[float] = self.joints()
        self.tick(0.0)

    def fit(self, table: Mapping[str, Any]) -> None:
        """Take its numbers from there, of the form of `gait.toml`."""
        self._table, self.walker = table, Walk(Gait(**table["walk"]))

    def motion(self) -> Motion:
        x, y, z = self._data.qpos[self._q : self._q + 3].tolist()
        vx, vy, vz, *spin = self._data.qvel[self._v : self._v + 6].tolist()
        m = self._data.xmat[self._torso].tolist()
        turn = sum(a * b for a, b in zip(m[6:], spin, strict=True))
        tilt = math.acos(max(-1.0, min(1.0, m[8])))
        return Motion((x, y, z), math.atan2(m[3], m[0]), tilt, (vx, vy, vz), turn)

    def joints(self) -> list[float]:
        """Measured angles, in the order of `JOINTS`."""
        q = self._data.qpos.tolist()
        return [q[i] for i in self._order]

    def imu(self) -> tuple[Vector, Vector]:
        """Turn rate (rad/s) and specific force (m/s²) in the torso's frame."""
        s = self._data.sensordata.tolist()
        g, a = self._gyro, self._force
        return (s[g], s[g + 1], s[g + 2]), (s[a], s[a + 1], s[a + 2])

    def start_kick(self, foot: str) -> None:
        """Swing `foot` (left or right). The planted foot stops at once, whatever the walk was doing."""
        self.kick = Kick(foot, self.walker.going)
        self.walk_goal = self.walk = (0.0, 0.0, 0.0)

    def cancel_kick(self) -> None:
        """Put the foot down, unless it is already on its way to the ball."""
        if self.kick and self.kick.elapsed_s < self.walker.gait.kick[STRIKE][0]:
            self.kick.back = True

    def start_rise(self) -> None:
        self.posture, self._way_up, self._rising_s = Posture.RISING, (), 0.0
        self.walk_goal = self.walk = (0.0, 0.0, 0.0)
        self.kick = None

    def let_go(self) -> None:
        """Go soft."""
        self.posture = Posture.LOOSE
        self.walk_goal = self.walk = (0.0, 0.0, 0.0)
        self.kick = None
        self.walker.stand()

    def push(self, fx_n: float, fy_n: float) -> None:
        """A force from outside for this step, at the chest, in the world frame."""
        x, y, z = self._data.xmat[self._torso].reshape(3, 3) @ self._chest
        self._data.xfrc_applied[self._torso] = (fx_n, fy_n, 0.0, *cross((x, y, z), (fx_n, fy_n, 0.0)))

    def tick(self, dt_s: float) -> None:
        """Ramp the walk, move limbs on, end what is over, and set the servos."""
        self._ramp(dt_s)
        self._waved_s = self._waved_s + dt_s if self.waving else 0.0
        rises = self.posture is Posture.RISING
        if rises and not self._way_up and max(map(abs, self.lean.rates)) < QUIET_RADPS:
            self._way_up = _way_up(self._table, self.lean.up, self.joints())
        if self.posture is Posture.LOOSE or (rises and not self._way_up):
            self._set = self.joints()
            self._data.ctrl[self._ctrl] = self._set
            return
        goals = self._rising(dt_s) if rises else (*self.head_goal, *self._arms(), *self._legs(dt_s))
        before, reach = self._set, [most * dt_s for most in RADPS]
        self._set = [a + max(-m, min(m, goal - a)) for a, goal, m in zip(before, goals, reach, strict=True)]
        lead = SERVO_LAG_S / dt_s if dt_s else 0.0
        self._data.ctrl[self._ctrl] = [
            now + askew + lead * (now - was) for was, now, askew in zip(before, self._set, self._askew, strict=True)
        ]

    def _ramp(self, dt_s: float) -> None:
        if self.posture is not Posture.UP or self.kick:
            self.walk = (0.0, 0.0, 0.0)
            return
        vx, vy, wz = self.walk
        dx, dy = self.walk_goal[0] - vx, self.walk_goal[1] - vy
        share = min(1.0, WALK_RAMP[0] * dt_s / max(math.hypot(dx, dy), 1e-9))
        turn = WALK_RAMP[1] * dt_s
        self.walk = (vx + dx * share, vy + dy * share, wz + max(-turn, min(turn, self.walk_goal[2] - wz)))

    def _legs(self, dt_s: float) -> Sequence[float]:
        kick = self.kick
        if not kick:
            return [*chain(*self.walker.tick(self.walk, self.lean, dt_s))]
        kick.elapsed_s += -2 * dt_s if kick.back else dt_s
        if not 0.0 <= kick.elapsed_s < self.walker.gait.kick[-1][0]:
            self.kick = None
        return [*chain(*self.walker.kick(1 if kick.foot == "left" else -1, kick.elapsed_s, self.lean))]

    def _arms(self) -> Sequence[float]:
        """Hanging; to wave, the right one is held up beside the head and sways."""
        sway = 0.35 * math.sin(2 * math.pi * WAVE_HZ * self._waved_s)
        return (*HANG[:3], -0.1, -2.35 - sway, -0.3) if self.waving else HANG

    def _rising(self, dt_s: float) -> Sequence[float]:
        self._rising_s += dt_s
        if self._rising_s >= self._way_up[-1][0]:
            if self.lean.up[2] > math.cos(RISEN_RAD):
                self.posture = Posture.UP
            else:
                self.let_go()
        return along(self._way_up, self._rising_s)


def _way_up(table: Mapping[str, Any], up: Vector, lying: Sequence[float]) -> Path:
    """From how it lies to its feet: from the back, from the front, and from a side by way of the front."""
    over = table["side"] if abs(up[1]) > ON_SIDE else []
    rows = [*over, *table["back" if up[0] > 0 and not over else "front"]]
    path: list[tuple[float, ...]] = [(0.0, *lying)]
    for took_s, *angles in rows:
        path.append((path[-1][0] + took_s, *_both(*angles)))
    return [*path, (path[-1][0] + table["stretch_s"], *STANDING)]


def _both(
    shoulder: float, spread: float, elbow: float, hip: float, knee: float, ankle: float, splay: float
) -> tuple[float, ...]:
    """All joints, the left side as the right."""
    arms = (shoulder, spread, elbow, shoulder, -spread, elbow)
    return (*AHEAD, *arms, 0.0, splay, hip, knee, ankle, -splay, 0.0, -splay, hip, knee, ankle, splay)
