"""What every machine that stands somewhere has in common: a check list before its first motion.

The zone of a simulated robot is read from its walls. Here it is what a person staked out around the spot where the
machine stands, and without one nothing moves (S19).
"""

from __future__ import annotations

import math
from typing import ClassVar

from sayso.parts import Check, Robot, RobotState

START_CHARGE = 0.1
"""How much more than its reserve the battery must hold to set out."""


class Real(Robot):
    """A machine. `flies` says that its zone needs a height."""

    flies: ClassVar[bool] = False

    def unfit(self) -> str:
        """What about the machine itself forbids a first motion, such as how it stands; empty where it is fit."""
        return ""

    def checks(self) -> tuple[Check, ...]:
        state, unfit = self.state(), self.unfit()
        return (
            Check("link", "answers" if state.connected else "silent", "" if state.connected else "a link that answers"),
            self._battery(state),
            self._zone(),
            Check("place", unfit or f"stands at {_spot(state)}", "fit to set out" if unfit else ""),
        )

    def _battery(self, state: RobotState) -> Check:
        least = self.limits.battery_reserve + START_CHARGE
        return Check("battery", f"{state.charge:.0%}", "" if state.charge >= least else f"at least {least:.0%}")

    def _zone(self) -> Check:
        zone = self.limits.zone
        ends = [zone.x_min_m, zone.x_max_m, zone.y_min_m, zone.y_max_m]
        ends += [self.limits.altitude_max_m] if self.flies else []
        up = f", up to {self.limits.altitude_max_m:g} m" if self.flies else ""
        if all(map(math.isfinite, ends)):
            return Check("zone", f"{zone}{up}")
        return Check("zone", "not set", "one that a person sets, such as --zone ahead=3,back=1,left=2,right=2,up=2")


def _spot(state: RobotState) -> str:
    return f"x {state.pose.x_m:.1f} m, y {state.pose.y_m:.1f} m"
