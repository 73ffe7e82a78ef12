"""The simulated humanoid as a robot: what the providers of its tasks may ask of it.

The interface is that of a real kid-size humanoid: a walk velocity, a kick, a head, a wave, a get-up, and what its own
sensors say. Limits are held here, beneath every provider: the walk is slowed in time to stay inside the zone, and cut
to what the legs can do. Whether it has fallen is concluded from a noisy IMU, as on the real machine; its place on the
field is the simulator's, as if it were well localised.
"""

import asyncio
import math
import random
from collections.abc import Callable
from typing import Any

from sayso.errors import RobotError, SkillFailed, UsageError
from sayso.limits import Limits, Zone
from sayso.robots.humanoid.ball import Vector
from sayso.robots.humanoid.world import body as soccer_body
from sayso.robots.humanoid.world.body import Body, Posture
from sayso.robots.humanoid.world.motion import Lean, cross
from sayso.roles import Robot, RobotState
from sayso.scene import Pose
from sayso.task import Refused

IMU_HZ = 90.0
STABLE_S = 0.25
HALT_PATIENCE_S = 15.0
EDGE_M = 0.25  # of the zone, kept free for lag, sway and what it slips along

FALLEN_RAD, LEANING_RAD, RISEN_RAD = 0.8, 0.5, 0.35
SURE_S = 0.1  # how long the tilt must say so before `fallen` changes
LEANING_S = 1.0  # so long against a post or a board is as bad as lying
TRUST_SHAKEN, TRUST_QUIET = 0.7, 6.0  # how fast the accelerometer corrects the attitude (1/s)
TRUST_BIAS = 0.05  # how fast it corrects the gyro's bias (1/s²)
SHAKEN_MPS2, SHAKE_S = 0.6, 0.2
IMPACT_MPS2, GRAVITY_MPS2 = 30.0, 9.81
REACT_S = 0.5  # from a wish to the step that follows it
STRIDE_S = 0.3  # the trunk's speed swings with the steps: while it steps, its mean over so long counts
UNEVEN = 0.85  # a walk is faster than it should be where its servos are mounted so
CREEP_MPS, CREEP_RADPS = 0.01, 0.02  # for less it takes no step


class Attitude:
    """Which way is up, from gyro and accelerometer: the complementary filter of Mahony et al. (2008), without yaw.

    The gyro is trusted from sample to sample; the accelerometer pulls towards gravity, slowly while the body is shaken
    and faster at rest. Its length is kept: a walk shakes both ways, and only the plain mean of the shaking is gravity.
    Impacts are left out.
    """

    def __init__(self) -> None:
        self.up: Vector = (0.0, 0.0, 1.0)
        self._bias: Vector = (0.0, 0.0, 0.0)
        self._shaken_mps2 = 0.0

    @property
    def tilt_rad(self) -> float:
        return math.acos(max(-1.0, min(1.0, self.up[2])))

    def update(self, gyro: Vector, force: Vector, dt_s: float) -> None:
        """One sample: rad/s and m/s² (specific force, so up at rest), in the body frame."""
        size = math.hypot(*force)
        error = (0.0, 0.0, 0.0)
        if size < IMPACT_MPS2:
            error = cross((force[0] / GRAVITY_MPS2, force[1] / GRAVITY_MPS2, force[2] / GRAVITY_MPS2), self.up)
        b, e, g = self._bias, error, gyro
        k = TRUST_BIAS * dt_s
        self._bias = (b[0] + k * e[0], b[1] + k * e[1], b[2] + k * e[2])
        self._shaken_mps2 += (abs(size - GRAVITY_MPS2) - self._shaken_mps2) * min(1.0, dt_s / SHAKE_S)
        k = TRUST_SHAKEN if self._shaken_mps2 > SHAKEN_MPS2 else TRUST_QUIET
        spin = (g[0] + k * e[0] + b[0], g[1] + k * e[1] + b[1], g[2] + k * e[2] + b[2])
        turn = cross(self.up, spin)
        x, y, z = (u + d * dt_s for u, d in zip(self.up, turn, strict=True))
        size = math.hypot(x, y, z)
        self.up = (x / size, y / size, z / size)


class FallEstimate:
    """Fallen or not, from the estimated tilt: sure after a moment, so that one bad sample decides nothing."""

    def __init__(self) -> None:
        self.fallen = False
        self._doubt_s = 0.0

    def update(self, tilt_rad: float, dt_s: float) -> bool:
        """One sample of the tilt. True when the estimate has just changed."""
        doubted = tilt_rad < RISEN_RAD if self.fallen else tilt_rad > LEANING_RAD
        self._doubt_s = self._doubt_s + dt_s if doubted else 0.0
        leaning = not self.fallen and tilt_rad < FALLEN_RAD
        if self._doubt_s < (LEANING_S if leaning else SURE_S):
            return False
        self.fallen, self._doubt_s = not self.fallen, 0.0
        return True


class SimHumanoid(Robot):
    """Legs, head, arms and an IMU, in the soccer world."""

    name = "sim-humanoid"
    kind = "humanoid"

    limits = Limits(zone=Zone(-5.1, 5.1, -3.6, 3.6), speed_max_mps=0.5, model_calls_max=300)

    def __init__(self, body: Body, seed: int = 0) -> None:
        self.held: Refused | None = None
        self.attitude = Attitude()
        self.camera: Callable[[int, int], Any] | None = None
        self._body = body
        self._noise = random.Random(seed)
        self._gyro_bias = tuple(self._noise.gauss(0.0, 0.01) for _ in range(3))
        self._wish = (0.0, 0.0, 0.0)
        self._fall = FallEstimate()
        self._steady_s = 0.0
        self._motion = body.motion()
        self._odometry = [0.0, 0.0, 0.0, 0.0]

    @property
    def pose(self) -> Pose:
        """Where it stands: the ground point under the hips, facing yaw."""
        now = self._motion
        return Pose(now.at[0], now.at[1], 0.0, now.yaw_rad)

    @property
    def velocity(self) -> tuple[float, float, float]:
        """Forward and left (m/s) and turn rate (rad/s), as the legs' odometry gives them."""
        yaw = self.pose.yaw_rad
        c, s = math.cos(yaw), math.sin(yaw)
        vx, vy, _, turn = self._odometry
        return c * vx + s * vy, c * vy - s * vx, turn

    @property
    def speed_mps(self) -> float:
        return math.hypot(*self._odometry[:3])

    @property
    def walking(self) -> bool:
        """Asked to walk, or not yet at a standstill from it."""
        return self._body.walker.going or any(self._body.walk) or any(self._wish)

    @property
    def stable(self) -> bool:
        """Upright, at a standstill on both feet, for a moment: the state that a kick starts from."""
        return self._steady_s >= STABLE_S

    @property
    def fallen(self) -> bool:
        """Lying, by the IMU. Stays true while getting up, until upright again."""
        return self._fall.fallen

    @property
    def kicking(self) -> bool:
        return self._body.kick is not None

    @property
    def getting_up(self) -> bool:
        return self._body.posture is Posture.RISING

    @property
    def waving(self) -> bool:
        return self._body.waving

    @property
    def head(self) -> tuple[float, float]:
        """Pan (positive is left) and tilt (positive is down), in radians, as measured."""
        pan, tilt = self._body.joints()[:2]
        return pan, tilt

    def state(self) -> RobotState:
        return RobotState(
            pose=self.pose,
            speed_mps=self.speed_mps,
            resting=self._resting,
            summary=self._summary,
            doing=self._summary,
            trouble="fallen over" if self.fallen else "",
        )

    @property
    def _summary(self) -> str:
        if self.getting_up:
            return "getting up"
        if self.fallen:
            return "fallen"
        if self.kicking:
            return "kicking"
        if self.walking:
            return "walking"
        return "waving" if self.waving else "standing"

    @property
    def _resting(self) -> bool:
        quiet = not (self.walking or self.kicking or self.waving or self.getting_up)
        return quiet and (self.stable or (self.fallen and self.speed_mps < 0.05))

    def set_walk(self, vx_mps: float, vy_mps: float, wz_radps: float) -> None:
        """Walk with this velocity until told otherwise; cut to what the legs can do and what the limits allow.

        Does nothing while fallen or getting up. Raises `UsageError` for a number that is not finite.
        """
        if not all(map(math.isfinite, (vx_mps, vy_mps, wz_radps))):
            raise UsageError(f"a walk velocity must be finite, not ({vx_mps}, {vy_mps}, {wz_radps})")
        if self.fallen or self.getting_up:
            self._wish = (0.0, 0.0, 0.0)
            return
        ahead, aside, turn = soccer_body.WALK_MAX
        vx, vy = max(-aside, min(ahead, vx_mps)), max(-aside, min(aside, vy_mps))
        share = min(1.0, min(ahead, UNEVEN * self.limits.speed_max_mps) / max(math.hypot(vx, vy), 1e-9))
        self._wish = (vx * share, vy * share, max(-turn, min(turn, wz_radps)))

    def stop_walking(self) -> None:
        self._wish = (0.0, 0.0, 0.0)

    def start_kick(self, foot: str = "right") -> None:
        """Swing `foot` (left or right) once. Raises `SkillFailed` when not on its feet.

        Kicking out of a walk is possible, as on the real machine, and as there it is a way to fall: ask `stable`.
        """
        if foot not in ("left", "right"):
            raise UsageError(f"kick with left or right, not {foot!r}")
        if self.fallen or self._body.posture is not Posture.UP:
            raise SkillFailed("cannot kick: not on its feet")
        if self._body.kick is None:
            self._body.start_kick(foot)
        self.stop_walking()

    def set_head(self, pan_rad: float, tilt_rad: float) -> None:
        """Turn the head there, as fast as its servos can; cut to its range. Raises `UsageError` when not finite."""
        if not (math.isfinite(pan_rad) and math.isfinite(tilt_rad)):
            raise UsageError(f"head angles must be finite, not ({pan_rad}, {tilt_rad})")
        most = soccer_body.HEAD_PAN_MAX_RAD
        low, high = soccer_body.HEAD_TILT_MIN_RAD, soccer_body.HEAD_TILT_MAX_RAD
        self._body.head_goal = (max(-most, min(most, pan_rad)), max(low, min(high, tilt_rad)))

    def wave(self, on: bool = True) -> None:
        """Hold the right arm up and sway it, or let it hang again."""
        self._body.waving = on

    def start_get_up(self) -> None:
        """Begin to get up; `getting_up` says until when. Raises `SkillFailed` when it does not lie on the ground."""
        if self.getting_up:
            return
        if not self.fallen or self._body.posture is not Posture.LOOSE:
            raise SkillFailed("cannot get up: it has not fallen")
        self._body.start_rise()

    async def halt(self) -> None:
        """Stop walking, put a raised foot down, lower the arm; returns when standing still or lying still.

        A get-up under way is finished first: half-way up is no safe state. The head stays where it looks.
        """
        deadline_s = asyncio.get_running_loop().time() + HALT_PATIENCE_S
        while True:
            self.stop_walking()
            self.wave(False)
            self._body.cancel_kick()
            if self._resting:
                return
            if asyncio.get_running_loop().time() > deadline_s:
                raise RobotError(f"the humanoid is not at rest {HALT_PATIENCE_S:g} s after halt; is its world running?")
            await asyncio.sleep(1 / IMU_HZ)

    def picture(self, width_px: int = 480, height_px: int = 360) -> Any:
        return self.camera(width_px, height_px) if self.camera else None

    def sense(self, dt_s: float) -> None:
        """One IMU sample; the fallen estimate, the stable state and the limits follow from it."""
        self._motion = self._body.motion()
        gain = dt_s / STRIDE_S if self._body.walker.going else 1.0
        really = (*self._motion.velocity, self._motion.turn_radps)
        self._odometry = [was + gain * (now - was) for was, now in zip(self._odometry, really, strict=True)]
        gyro, force = self._body.imu()
        noise, b = self._noise.gauss, self._gyro_bias
        rates = (gyro[0] + b[0] + noise(0, 0.01), gyro[1] + b[1] + noise(0, 0.01), gyro[2] + b[2] + noise(0, 0.01))
        force = (force[0] + noise(0, 0.2), force[1] + noise(0, 0.2), force[2] + noise(0, 0.2))
        self.attitude.update(rates, force, dt_s)
        self._body.lean = Lean(self.attitude.up, rates)
        if self._fall.update(self.attitude.tilt_rad, dt_s) and self.fallen and self._body.posture is Posture.UP:
            self.stop_walking()
            self._body.let_go()
        self._judge_stance(dt_s)
        self._govern()

    def _judge_stance(self, dt_s: float) -> None:
        vx, vy, wz = self.velocity
        still = math.hypot(vx, vy) < 0.05 and abs(wz) < 0.15 and self.attitude.tilt_rad < 0.12
        busy = self.fallen or self.getting_up or self.kicking or self.walking
        self._steady_s = self._steady_s + dt_s if still and not busy else 0.0

    def _govern(self) -> None:
        """Pass the wish on, without the part that would lead out of the zone."""
        pose, zone = self.pose, self.limits.zone
        c, s = math.cos(pose.yaw_rad), math.sin(pose.yaw_rad)
        vx, vy, wz = self._wish
        wish_x, wish_y = c * vx - s * vy, s * vx + c * vy
        held_x = max(-_brakes(pose.x_m - zone.x_min_m), min(_brakes(zone.x_max_m - pose.x_m), wish_x))
        held_y = max(-_brakes(pose.y_m - zone.y_min_m), min(_brakes(zone.y_max_m - pose.y_m), wish_y))
        self.held = None
        if (held_x, held_y) != (wish_x, wish_y):
            self.held = Refused("geofence", f"x {pose.x_m:.2f} m, y {pose.y_m:.2f} m and further", str(zone))
        if not zone.shrunk(EDGE_M).holds(pose) and math.hypot(*self._body.walk[:2]) > 0.05:
            wz = 0.0  # a turn would swing the velocity that is left over the edge, faster than the ramp takes it away
        goes = any(self._wish) and (math.hypot(held_x, held_y) > CREEP_MPS or abs(wz) > CREEP_RADPS)
        self._body.walk_goal = (c * held_x + s * held_y, c * held_y - s * held_x, wz) if goes else (0.0, 0.0, 0.0)


def _brakes(room_m: float) -> float:
    """The fastest speed (m/s) from which a stop within `room_m` is sure; who goes on beyond the edge goes back."""
    slow, free_m = soccer_body.WALK_RAMP[0] / 2, room_m - EDGE_M  # half of what the ramp can do
    return math.sqrt((slow * REACT_S) ** 2 + 2 * slow * max(0.0, free_m)) - slow * REACT_S + min(0.0, free_m)
