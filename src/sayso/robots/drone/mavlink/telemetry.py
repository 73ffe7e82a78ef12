"""The telemetry of an autopilot, taken in message by message."""

import math
from dataclasses import dataclass, field, replace
from typing import Any

from pymavlink.dialects.v20 import common as mavlink

from sayso.robots import real
from sayso.robots.drone.mavlink.protocol import GRACE_S, placed

SPOOL_S = 2.5
"""Motors that were told to turn count as turning, until a heartbeat can have told."""

UNKNOWN = -1
NEEDED = frozenset(("LOCAL_POSITION_NED", "ATTITUDE", "SYS_STATUS"))


@dataclass(slots=True)
class AutopilotTelemetry(real.Telemetry):
    """The latest telemetry; the place can jump while it is `armed`. `mode` is its `custom_mode`, `missing` are the
    messages that have to have been heard, `said` is the last text of a warning."""

    moving, jump = (0.1, 0.05), (0.6, 3.0)

    stands: bool = False
    armed: bool = False
    mode: int = UNKNOWN
    said: str = ""
    missing: set[str] = field(default_factory=lambda: set(NEEDED))
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
                pose = placed(message.x, message.y, message.z, -self.pose.yaw_rad)
                gap_s = now_s - self.heard_s if self.armed else math.inf
                self.stood(pose, math.hypot(message.vx, message.vy, message.vz), gap_s, now_s)
            case "ATTITUDE":
                self.pose = replace(self.pose, yaw_rad=-message.yaw)
                self.turn_radps, self.lean_rad = abs(message.yawspeed), math.hypot(message.roll, message.pitch)
            case "SYS_STATUS":
                self.charge = message.battery_remaining / 100
            case "EXTENDED_SYS_STATE":
                self.stands = message.landed_state == mavlink.MAV_LANDED_STATE_ON_GROUND
            case "STATUSTEXT" if message.severity <= mavlink.MAV_SEVERITY_WARNING:
                self.said = str(message.text)

    def asked(self, mode: int, now_s: float) -> None:
        """It was told to go into a mode, and goes, or it is `UNKNOWN` whether it does."""
        self.mode, self.asked_s = mode, now_s

    def flies(self, now_s: float) -> bool:
        """Whether its motors turn, or may turn by now."""
        return self.armed or now_s - self.spun_s < SPOOL_S
