"""What an autopilot tells of itself, message by message."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

from pymavlink.dialects.v20 import common as mavlink

from sayso.robots.drone.mavlink.frames import Ned
from sayso.robots.drone.mavlink.protocol import Stack

GRACE_S = 0.5
"""A heartbeat on its way may still tell of the mode before."""

SPOOL_S = 2.5
"""Motors that were told to turn count as turning, until a heartbeat can have told."""

MOVING_MPS, MOVING_RADPS = 0.1, 0.05
JUMP_M, JUMP_MPS = 0.6, 3.0
"""Between two positions it cannot have moved by more; then its estimate has jumped, and the zone with it."""

UNKNOWN = -1
NEEDED = frozenset(("LOCAL_POSITION_NED", "ATTITUDE", "SYS_STATUS"))


@dataclass(slots=True)
class Told:
    """The latest of it. `ned` is where it is, in its own frame, `mode` its `custom_mode`; times are the loop's.

    `missing` are the messages that have to have been heard, `said` is the last text of a warning, `jumped_m` how far
    its estimate of its place jumped in the air.
    """

    ned: Ned = field(default_factory=Ned)
    speed_mps: float = 0.0
    turn_radps: float = 0.0
    lean_rad: float = 0.0
    charge: float = -1.0
    stands: bool = False
    armed: bool = False
    mode: int = UNKNOWN
    said: str = ""
    jumped_m: float = 0.0
    missing: set[str] = field(default_factory=lambda: set(NEEDED))
    heard_s: float = -math.inf
    moved_s: float = -math.inf
    asked_s: float = -math.inf
    spun_s: float = -math.inf

    def hear(self, message: Any, now_s: float) -> None:
        """The next message."""
        kind = message.get_type()
        self.missing.discard(kind)
        match kind:
            case "HEARTBEAT":
                self.armed = bool(message.base_mode & mavlink.MAV_MODE_FLAG_SAFETY_ARMED)
                if now_s - self.asked_s > GRACE_S:
                    self.mode = int(message.custom_mode)
            case "LOCAL_POSITION_NED":
                self._place(message, now_s)
            case "ATTITUDE":
                self.ned = replace(self.ned, heading_rad=message.yaw)
                self.turn_radps, self.lean_rad = abs(message.yawspeed), math.hypot(message.roll, message.pitch)
            case "SYS_STATUS":
                self.charge = message.battery_remaining / 100
            case "EXTENDED_SYS_STATE":
                self.stands = message.landed_state == mavlink.MAV_LANDED_STATE_ON_GROUND
            case "STATUSTEXT" if message.severity <= mavlink.MAV_SEVERITY_WARNING:
                self.said = str(message.text)

    def _place(self, message: Any, now_s: float) -> None:
        last, gap_s = self.ned, now_s - self.heard_s
        way_m = math.dist((message.x, message.y, message.z), (last.north_m, last.east_m, last.down_m))
        if self.armed and way_m > JUMP_M + JUMP_MPS * gap_s:
            self.jumped_m += way_m
        self.ned = replace(last, north_m=message.x, east_m=message.y, down_m=message.z)
        self.speed_mps, self.heard_s = math.hypot(message.vx, message.vy, message.vz), now_s
        if self.speed_mps > MOVING_MPS or self.turn_radps > MOVING_RADPS:
            self.moved_s = now_s

    def asked(self, mode: int, now_s: float) -> None:
        """It was told to go into a mode, and goes, or it is `UNKNOWN` whether it does."""
        self.mode, self.asked_s = mode, now_s

    def flies(self, now_s: float) -> bool:
        """Whether its motors turn, or may turn by now."""
        return self.armed or now_s - self.spun_s < SPOOL_S

    def piloted(self, stack: Stack) -> bool:
        """Whether somebody's sticks fly it."""
        return self.armed and self.mode in stack.hands
