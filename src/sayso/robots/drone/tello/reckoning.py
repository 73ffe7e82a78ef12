"""The dead reckoning of a Tello, which knows its speed, its height and its heading, and no position.

Dead reckoning adds up errors, so the estimate carries its own. How large they are on the real machine nobody has
measured here: the shares below are guesses on the careful side.
"""

import math
from dataclasses import dataclass, field, replace

from sayso.robots import real
from sayso.robots.drone.tello.protocol import TelloState
from sayso.scene import Pose, wrap

SWAYS_DEG = 1

ALOFT_CM = 20
"""Above that it flies, whatever its motors' clock says."""

MOTORS_S, SPOOL_S = 1.5, 2.0
"""The clock of the motors counts seconds while they run; one that stood for so long has stopped. They take a while to
begin."""

PER_METRE, PER_SECOND = 0.1, 0.02
"""How much the estimate may be off, in metres: of the way flown, and of the time in the air."""

GAP_S = 0.35
"""Between two states; what passes in a longer gap is not known, and counts as error at the speed before it."""


@dataclass(slots=True)
class Reckoning(real.Telemetry):
    """The reckoning of one Tello, fed with every state that arrives. x, y and z from where `begin` was called, x along
    the nose then."""

    moving = (0.11, 0.0)
    """Speeds are told in steps of 0.1 m/s; up to the first one a Tello sways where it hovers."""

    last: TelloState = field(default_factory=TelloState)
    error_m: float = 0.0
    _motors_s: float = -math.inf
    _yaw_deg: int = 0

    def begin(self) -> None:
        """The machine stands where it was put; here is the origin."""
        self.pose, self.error_m, self._yaw_deg = Pose(), 0.0, self.last.yaw

    def hear(self, told: TelloState, now_s: float) -> None:
        """The next state."""
        last, gap_s, before_mps = self.last, now_s - self.heard_s, self.speed_mps
        if told.time != last.time and math.isfinite(self.heard_s):
            self._motors_s = now_s
        self.speed_mps = math.hypot(told.vgx, told.vgy, told.vgz) / 10
        if self.speed_mps > self.moving[0] or abs(told.yaw - last.yaw) > SWAYS_DEG:
            self.moved_s = now_s
        self.charge, self.lean_rad = told.bat / 100, math.radians(math.hypot(told.pitch, told.roll))
        self.last, self.heard_s = told, now_s
        if math.isfinite(gap_s) and self.aloft:
            self._go_on(last, told, gap_s)
            self.error_m += before_mps * max(0.0, gap_s - GAP_S)
        z_m = told.tof / 100 if told.h >= ALOFT_CM and abs(told.tof - told.h) <= 15 else told.h / 100
        self.pose = replace(self.pose, z_m=z_m, yaw_rad=wrap(math.radians(self._yaw_deg - told.yaw)))

    def _go_on(self, last: TelloState, told: TelloState, gap_s: float) -> None:
        ahead, left = (last.vgx + told.vgx) / 20 * gap_s, -(last.vgy + told.vgy) / 20 * gap_s
        here = replace(self.pose, yaw_rad=math.radians(self._yaw_deg)).moved(ahead, left)
        self.pose = replace(self.pose, x_m=here.x_m, y_m=here.y_m)
        self.error_m += PER_METRE * math.hypot(ahead, left) + PER_SECOND * gap_s

    def arrived(self, there: Pose) -> None:
        """The machine says that it is there, and what was reckoned does not speak against it."""
        self.pose = replace(self.pose, x_m=there.x_m, y_m=there.y_m)

    def landed(self) -> None:
        """The machine says that its motors stand."""
        self._motors_s = -math.inf

    def spins(self) -> None:
        """It was just told to take off: from here on it may fly."""
        self._motors_s = self.heard_s + SPOOL_S

    @property
    def aloft(self) -> bool:
        """Whether its motors run, as far as can be told."""
        return self.last.h >= ALOFT_CM or self.heard_s - self._motors_s < MOTORS_S
