"""The simulated humanoid's body: commands in, joint targets and assist out, measurements back.

This is what the firmware of a real humanoid would offer: a walk engine that takes a velocity and ramps to it, a kick,
a head and arms with servos of limited speed, a get-up. It knows no ball, no limits and no plan. `SimHumanoid` is its
adapter; pushes come from the world.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from sayso.robots.humanoid.world import assist, gait
from sayso.robots.humanoid.world.assist import Motion, Posture, Vector

PREFIX = "robot/"
WALK_MAX = (0.4, 0.2, 1.0)
"""Fastest walk forward (m/s), sideways (m/s) and turn (rad/s); backward is as slow as sideways."""
WALK_RAMP = (0.6, 3.0)
"""Walk acceleration (m/s²) and turn acceleration (rad/s²)."""
HEAD_PAN_MAX_RAD = 1.25
HEAD_TILT_MIN_RAD, HEAD_TILT_MAX_RAD = -0.35, 1.15
HEAD_MAX_RADPS = 2.5
ARM_MAX_RADPS = 5.0
RISE_S = 2.8
RISE_FAILED_RAD = 1.0


@dataclass(slots=True)
class Kick:
    """A kick under way."""

    foot: str
    elapsed_s: float = 0.0


@dataclass(slots=True)
class Rise:
    """A get-up under way: from where to where the torso is carried."""

    place: Vector
    start: assist.Quaternion
    end: assist.Quaternion
    elapsed_s: float = 0.0


class Body:
    """`steer` before every physics step, `tick` at the servo rate."""

    def __init__(self, model: Any, data: Any) -> None:
        self._data = data
        base = model.joint(PREFIX + "base")
        self._torso = int(model.body(PREFIX + "torso").id)
        self._q, self._v = int(base.qposadr[0]), int(base.dofadr[0])
        self._ctrl = [int(model.actuator(PREFIX + n).id) for n in JOINTS]
        self._order = [int(model.joint(PREFIX + n).qposadr[0]) for n in JOINTS]
        self._gyro = int(model.sensor(PREFIX + "gyro").adr[0])
        self._accelerometer = int(model.sensor(PREFIX + "accelerometer").adr[0])
        self._centre: Vector = tuple(model.body_ipos[self._torso].tolist())
        self.mass_kg = float(model.body_subtreemass[self._torso])
        self.posture = Posture.HELD
        self.walk_goal = self.walk = (0.0, 0.0, 0.0)
        self.head_goal = self.head = (0.0, 0.35)
        self.waving = False
        self.kick: Kick | None = None
        self.rise: Rise | None = None
        self._phase_rad = self._stride = self._waved_s = 0.0
        self._arms = [*gait.hang(1), *gait.hang(-1)]
        self.tick(0.0)

    # Measurements

    def motion(self) -> Motion:
        qpos, qvel = self._data.qpos, self._data.qvel
        x, y, z, *attitude = qpos[self._q : self._q + 7].tolist()
        vx, vy, vz, *spin = qvel[self._v : self._v + 6].tolist()
        quaternion = (attitude[0], attitude[1], attitude[2], attitude[3])
        return Motion((x, y, z), quaternion, (vx, vy, vz), assist.rotate(quaternion, (spin[0], spin[1], spin[2])))

    def joints(self) -> list[float]:
        """Measured angles, in the order of `JOINTS`."""
        q = self._data.qpos.tolist()
        return [q[i] for i in self._order]

    def imu(self) -> tuple[Vector, Vector]:
        """Turn rate (rad/s) and specific force (m/s²) in the torso's frame."""
        s = self._data.sensordata.tolist()
        g, a = self._gyro, self._accelerometer
        return (s[g], s[g + 1], s[g + 2]), (s[a], s[a + 1], s[a + 2])

    # Commands

    def start_kick(self, foot: str) -> None:
        """Swing `foot` (left or right). The planted foot stops at once, whatever the walk was doing."""
        self.kick = Kick(foot)
        self.walk_goal = self.walk = (0.0, 0.0, 0.0)

    def cancel_kick(self) -> None:
        """Put the foot down, unless it is already on its way to the ball."""
        if self.kick and self.kick.elapsed_s < gait.STRIKE_S[0]:
            self.kick = None

    def start_rise(self) -> None:
        now = self.motion()
        self.rise = Rise(now.at, now.attitude, assist.upright(now.attitude))
        self.posture = Posture.RISING
        self.walk_goal = self.walk = (0.0, 0.0, 0.0)
        self.kick = None

    # Every physics step

    def add_force(self, force: Vector, lever: Vector) -> None:
        """A force from outside for this step (N), at `lever` from the torso's origin (m), both in the world frame."""
        now = self.motion()
        centre = now.turned(self._centre)
        arm = (lever[0] - centre[0], lever[1] - centre[1], lever[2] - centre[2])
        self._data.xfrc_applied[self._torso] += (*force, *assist.cross(arm, force))

    def steer(self) -> None:
        """Let the assist act for one step, or let go."""
        now = self.motion()
        if self.posture is Posture.HELD and now.tilt_rad > self._strength.let_go_rad:
            self._let_go()
        self._data.xfrc_applied[self._torso] = self._wrench(now)

    @property
    def _strength(self) -> assist.Strength:
        return assist.ONE_LEG if self.kick else assist.TWO_LEGS

    def _wrench(self, now: Motion) -> assist.Wrench:
        if self.posture is Posture.LOOSE:
            return assist.NOTHING
        if self.rise:
            return self._lifting(now, self.rise)
        yaw = assist.yaw_of(now.attitude)
        c, s = math.cos(yaw), math.sin(yaw)
        vx, vy, wz = self.walk
        wish = (c * vx - s * vy, s * vx + c * vy, wz)
        return assist.hold(now, wish, self.mass_kg, gait.STAND_M, self._centre, self._strength)

    def _lifting(self, now: Motion, rise: Rise) -> assist.Wrench:
        share = gait.smooth((rise.elapsed_s - 0.4) / (RISE_S - 0.7))
        x, y, z = rise.place
        attitude = assist.between(rise.start, rise.end, share)
        return assist.lift(now, (x, y, z + (gait.STAND_M - z) * share), attitude, self.mass_kg)

    def _let_go(self) -> None:
        self.posture = Posture.LOOSE
        self.walk_goal = self.walk = (0.0, 0.0, 0.0)
        self.kick = self.rise = None

    # Every servo tick

    def tick(self, dt_s: float) -> None:
        """Ramp the walk, move limbs on, end what is over, and set the servos."""
        self._ramp(dt_s)
        self._advance(dt_s)
        left, right = self._legs(dt_s)
        targets = [*self._turn_head(dt_s), *self._swing_arms(dt_s), *left, *right]
        for index, angle in zip(self._ctrl, targets, strict=True):
            self._data.ctrl[index] = angle

    def _ramp(self, dt_s: float) -> None:
        if self.posture is not Posture.HELD or self.kick:
            self.walk = (0.0, 0.0, 0.0)
            return
        vx, vy, wz = self.walk
        dx, dy = self.walk_goal[0] - vx, self.walk_goal[1] - vy
        share = min(1.0, WALK_RAMP[0] * dt_s / max(math.hypot(dx, dy), 1e-9))
        turn = WALK_RAMP[1] * dt_s
        self.walk = (vx + dx * share, vy + dy * share, wz + max(-turn, min(turn, self.walk_goal[2] - wz)))

    def _advance(self, dt_s: float) -> None:
        if self.kick:
            self.kick.elapsed_s += dt_s
            if self.kick.elapsed_s >= gait.KICK_S:
                self.kick = None
        if self.rise:
            self._rising(self.rise, dt_s)

    def _rising(self, rise: Rise, dt_s: float) -> None:
        rise.elapsed_s += dt_s
        now = self.motion()
        share = gait.smooth((rise.elapsed_s - 0.4) / (RISE_S - 0.7))
        wanted = assist.between(rise.start, rise.end, share)
        error = assist.rotation_vector(assist.multiply(wanted, assist.conjugate(now.attitude)))
        if math.hypot(*error) > RISE_FAILED_RAD:
            self._let_go()
        elif rise.elapsed_s >= RISE_S:
            self.rise = None
            self.posture = Posture.HELD

    def _legs(self, dt_s: float) -> tuple[gait.Leg, gait.Leg]:
        if self.rise:
            both = gait.rise(self.rise.elapsed_s / (RISE_S - 0.3))
            return both, both
        stand = gait.leg(0.0, gait.STANCE_M)
        if self.kick:
            swing = gait.kick(self.kick.elapsed_s)
            return (swing, stand) if self.kick.foot == "left" else (stand, swing)
        return self._step(dt_s)

    def _step(self, dt_s: float) -> tuple[gait.Leg, gait.Leg]:
        vx, vy, wz = self.walk
        pace = max(math.hypot(vx, vy) / WALK_MAX[0], abs(wz) / WALK_MAX[2])
        going = 1.0 if pace > 0.03 else 0.0
        self._stride += max(-4 * dt_s, min(4 * dt_s, going - self._stride))
        if self._stride <= 0.0:
            self._phase_rad = 0.0
        self._phase_rad += 2 * math.pi * gait.STEP_HZ * dt_s
        half_m = max(-gait.STRIDE_MAX_M, min(gait.STRIDE_MAX_M, vx / (4 * gait.STEP_HZ)))
        left = gait.step(self._phase_rad, half_m, self._stride)
        return left, gait.step(self._phase_rad + math.pi, half_m, self._stride)

    def _turn_head(self, dt_s: float) -> tuple[float, float]:
        most = HEAD_MAX_RADPS * dt_s
        pan, tilt = (h + max(-most, min(most, goal - h)) for h, goal in zip(self.head, self.head_goal, strict=True))
        self.head = (pan, tilt)
        return self.head

    def _swing_arms(self, dt_s: float) -> list[float]:
        self._waved_s = self._waved_s + dt_s if self.waving else 0.0
        swing = gait.SWING * self.walk[0] / (4 * gait.STEP_HZ) * math.cos(self._phase_rad)
        right = gait.wave(-1, self._waved_s) if self.waving else gait.hang(-1, -swing)
        most = ARM_MAX_RADPS * dt_s
        goals = (*gait.hang(1, swing), *right)
        self._arms = [a + max(-most, min(most, goal - a)) for a, goal in zip(self._arms, goals, strict=True)]
        return self._arms


JOINTS = (
    "head_pan", "head_tilt",
    "left_shoulder_pitch", "left_shoulder_roll", "left_elbow",
    "right_shoulder_pitch", "right_shoulder_roll", "right_elbow",
    "left_hip", "left_knee", "left_ankle",
    "right_hip", "right_knee", "right_ankle",
)  # fmt: skip

STANDING = dict(
    zip(
        JOINTS,
        (0.0, 0.35, *gait.hang(1), *gait.hang(-1), *gait.leg(0.0, gait.STANCE_M), *gait.leg(0.0, gait.STANCE_M)),
        strict=True,
    )
)
"""Joint angles of a robot that just stands."""
