"""What a humanoid concludes from its IMU: which way is up, and whether it has fallen."""

from __future__ import annotations

import math

from sayso.robots.humanoid.world.assist import GRAVITY_MPS2, Vector, cross

FALLEN_RAD, LEANING_RAD, RISEN_RAD = 1.0, 0.5, 0.35
SURE_S = 0.1  # how long the tilt must say so before `fallen` changes
LEANING_S = 1.0  # so long against a post or a board is as bad as lying
TRUST_SHAKEN, TRUST_QUIET = 0.7, 6.0  # how fast the accelerometer corrects the attitude (1/s)
TRUST_BIAS = 0.05  # how fast it corrects the gyro's bias (1/s²)
SHAKEN_MPS2, SHAKE_S = 0.6, 0.2
IMPACT_MPS2 = 30.0


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
