"""The flight controller: from where the drone should be to what each rotor should push.

A cascade, as in every small quadrotor: position → velocity → acceleration → attitude → body rates → torques → mixer.
Each stage tracks the feed-forward of the motion profile and corrects what is left; an integrator on velocity leans the
drone into a steady wind. It runs at every physics step, hence plain floats and no arrays.

Frames: world z up; body x forward, y left, z up. Rotors are counted front left, rear left, rear right, front right.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sayso.scene import Pose

Rotors = tuple[float, float, float, float]
Triple = tuple[float, float, float]

GRAVITY = 9.81
MASS_KG = 0.08
INERTIA = (1.0e-4, 1.0e-4, 1.9e-4)  # kg m², about the body axes
ROTOR_ARM_M = 0.046  # from the centre to each rotor, along x and along y
ROTOR_TORQUE_M = 0.012  # drag torque per thrust
ROTOR_MAX_N = 0.42

POSITION_GAIN = 2.2  # 1/s
VELOCITY_GAIN = 4.5  # 1/s
WIND_GAIN = 3.0  # 1/s², the integrator
WIND_MAX = 4.0  # m/s² that the integrator may hold
ATTITUDE_GAIN = 12.0  # 1/s
RATE_GAIN = 26.0  # 1/s
LEAN_MAX = math.tan(math.radians(32))
CLIMB_MAX = 5.0  # m/s² up or down
CORRECTION_MAX = 1.5  # m/s that the position loop may ask for


@dataclass(slots=True)
class Setpoint:
    """Where to be now (full turns included), and how fast that point itself moves. Metres, radians, world frame."""

    at: Pose = Pose()
    velocity: Triple = (0.0, 0.0, 0.0)
    acceleration: Triple = (0.0, 0.0, 0.0)
    yaw_rate: float = 0.0


class Autopilot:
    """Turns a setpoint and the measured state into four rotor thrusts (N)."""

    def __init__(self) -> None:
        self._held = [0.0, 0.0, 0.0]

    def reset(self) -> None:
        """Forget the wind, as at every take-off."""
        self._held = [0.0, 0.0, 0.0]

    def thrusts(self, to: Setpoint, pose: Sequence[float], motion: Sequence[float], dt_s: float) -> Rotors:
        """`pose` is x, y, z and the quaternion w, x, y, z; `motion` is world velocity, then body rates."""
        wanted = self._acceleration(to, pose, motion, dt_s)
        body = rotation(pose[3], pose[4], pose[5], pose[6])
        push, target = _attitude(wanted, body, to.at.yaw_rad)
        torque = _torque(body, target, motion, to.yaw_rate)
        return _mix(push, torque)

    def _acceleration(self, to: Setpoint, pose: Sequence[float], motion: Sequence[float], dt_s: float) -> Triple:
        """What the rotors must add to free fall, in the world frame."""
        goal = (to.at.x_m, to.at.y_m, to.at.z_m)
        asked = [0.0, 0.0, 0.0]
        for i in range(3):
            correction = POSITION_GAIN * (goal[i] - pose[i])
            correction = max(-CORRECTION_MAX, min(CORRECTION_MAX, correction))
            slip = to.velocity[i] + correction - motion[i]
            self._held[i] = max(-WIND_MAX, min(WIND_MAX, self._held[i] + WIND_GAIN * slip * dt_s))
            asked[i] = to.acceleration[i] + VELOCITY_GAIN * slip + self._held[i]
        up = GRAVITY + max(-CLIMB_MAX, min(CLIMB_MAX, asked[2]))
        lean = math.hypot(asked[0], asked[1])
        scale = min(1.0, LEAN_MAX * up / lean) if lean > 0.0 else 1.0
        return asked[0] * scale, asked[1] * scale, up


Rotation = tuple[Triple, Triple, Triple]


def rotation(w: float, x: float, y: float, z: float) -> Rotation:
    """The rows of the rotation matrix of a unit quaternion: its columns are the body axes in the world."""
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


def _attitude(wanted: Triple, body: Rotation, yaw: float) -> tuple[float, tuple[Triple, Triple, Triple]]:
    """Total thrust (N), and the axes x, y, z that the body should have: z along the force, nose towards `yaw`."""
    wx, wy, wz = wanted
    push = MASS_KG * (wx * body[0][2] + wy * body[1][2] + wz * body[2][2])
    size = math.sqrt(wx * wx + wy * wy + wz * wz)
    zx, zy, zz = wx / size, wy / size, wz / size
    c, s = math.cos(yaw), math.sin(yaw)
    xz = -(c * zx + s * zy) / zz  # the nose keeps its heading however the body leans
    size = math.sqrt(1.0 + xz * xz)
    xx, xy, xz = c / size, s / size, xz / size
    y_axis = (zy * xz - zz * xy, zz * xx - zx * xz, zx * xy - zy * xx)
    return push, ((xx, xy, xz), y_axis, (zx, zy, zz))


def _torque(body: Rotation, target: tuple[Triple, Triple, Triple], motion: Sequence[float], yaw_rate: float) -> Triple:
    """Torques about the body axes that turn `body` towards `target` (Lee et al. 2010, eq. 10)."""
    (a, b, c), (d, e, f), (g, h, i) = body
    tx, ty, tz = target
    about_x = (tz[0] * b + tz[1] * e + tz[2] * h) - (ty[0] * c + ty[1] * f + ty[2] * i)
    about_y = (tx[0] * c + tx[1] * f + tx[2] * i) - (tz[0] * a + tz[1] * d + tz[2] * g)
    about_z = (ty[0] * a + ty[1] * d + ty[2] * g) - (tx[0] * b + tx[1] * e + tx[2] * h)
    half = -0.5 * ATTITUDE_GAIN
    return (
        INERTIA[0] * RATE_GAIN * (half * about_x - motion[3]),
        INERTIA[1] * RATE_GAIN * (half * about_y - motion[4]),
        INERTIA[2] * RATE_GAIN * (half * about_z + yaw_rate - motion[5]),
    )


def _mix(push: float, torque: Triple) -> Rotors:
    """Share thrust and torques among the rotors; lift comes before yaw where the rotors cannot give both."""
    lift = max(0.0, push) / 4
    roll = torque[0] / (4 * ROTOR_ARM_M)
    pitch = torque[1] / (4 * ROTOR_ARM_M)
    spare = 0.25 * ROTOR_MAX_N
    spin = max(-spare, min(spare, torque[2] / (4 * ROTOR_TORQUE_M)))
    return (
        _bounded(lift + roll - pitch + spin),
        _bounded(lift + roll + pitch - spin),
        _bounded(lift - roll + pitch + spin),
        _bounded(lift - roll - pitch - spin),
    )


def _bounded(thrust_n: float) -> float:
    return max(0.0, min(ROTOR_MAX_N, thrust_n))
