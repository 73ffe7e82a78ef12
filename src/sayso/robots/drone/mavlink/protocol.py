"""The messages of MAVLink's common dialect that are used here, for both ends of the line, and the two autopilots' own.

Written after the messages' own definitions, PX4's pages on offboard mode and failsafes (1.14 and later) and
ArduPilot's on guided mode and its ground station failsafe (4.x).
"""

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pymavlink.dialects.v20 import common as mavlink

from sayso.scene import Pose
from sayso.tables import toml

GROUND_STATION = (255, mavlink.MAV_COMP_ID_MISSIONPLANNER)
"""As whom we speak: ArduPilot's failsafe listens for the heartbeats of system 255."""

BEAT_S = 1.0
GRACE_S = 0.5
"""A heartbeat on its way may still tell of the mode before."""

FORCED = 21196
"""The figure with which motors are stopped in flight."""

ONLY_POSITION = 0b0000_1001_1111_1000  # of SET_POSITION_TARGET_LOCAL_NED: position and yaw count
NO_POSITION, NO_YAW = 0b111, 1 << 10

COPTERS = frozenset(
    getattr(mavlink, f"MAV_TYPE_{name}")
    for name in ("QUADROTOR", "COAXIAL", "HEXAROTOR", "OCTOROTOR", "TRICOPTER", "DODECAROTOR", "DECAROTOR")
)
RESULTS = {n: entry.name.removeprefix("MAV_RESULT_").lower() for n, entry in mavlink.enums["MAV_RESULT"].items()}
ACCEPTED: int = mavlink.MAV_RESULT_ACCEPTED


@dataclass(frozen=True, slots=True)
class Failsafe:
    """An autopilot's own rule: after the seconds of its parameter `after`, `act` says what, one of `lands`."""

    act: str
    lands: frozenset[int]
    after: str
    usual_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """An autopilot. Modes are its `custom_mode`: in `lead` it goes where setpoints say, in `hold` it stays, in `land`
    it comes down, and in `hands` somebody's sticks fly it.

    It is `unled` when nobody leads it any more, and `unheard` when nobody is heard any more: what hovers in `hold` was
    not led before either. Where that is one rule the second is none.
    """

    name: str
    autopilot: int
    lead: int
    hold: int
    land: int
    hands: frozenset[int]
    modes: Mapping[int, str]
    unled: Failsafe
    unheard: Failsafe | None = None
    climbs: bool
    """Whether it takes off by a setpoint above the ground, and not only by NAV_TAKEOFF."""
    bytewise: bool
    """Whether a whole number in a parameter is sent as its four bytes, and not as a float of that value."""

    def called(self, mode: int) -> str:
        return self.modes.get(mode, f"{mode:#x}")


def _stack(name: str, told: dict[str, Any]) -> Stack:
    """An autopilot, as `autopilots.toml` describes it."""
    numbers = {**told["hands"], **told["modes"]}
    rules = {when: Failsafe(**{**rule, "lands": frozenset(rule["lands"])}) for when, rule in told["rules"].items()}
    return Stack(
        name=name,
        autopilot=told["autopilot"],
        **{mode: numbers[told[mode]] for mode in ("lead", "hold", "land")},
        hands=frozenset(told["hands"].values()),
        modes={number: called for called, number in numbers.items()},
        unled=rules["unled"],
        unheard=rules.get("unheard"),
        climbs=told["climbs"],
        bytewise=told["bytewise"],
    )


PX4, ARDUPILOT = (_stack(name, told) for name, told in toml(__package__, "autopilots.toml").items())
STACKS = {stack.autopilot: stack for stack in (PX4, ARDUPILOT)}


def codec(system: int, component: int) -> Any:
    """pymavlink's reader and writer of one end. What is broken on the way it does not raise."""
    codec = mavlink.MAVLink(None, srcSystem=system, srcComponent=component)
    codec.robust_parsing = True
    return codec


def messages(codec: Any, data: bytes) -> list[Any]:
    """What stands in a datagram; what is left of one that was cut off or is none spoils no later one."""
    whole = [message for message in codec.parse_buffer(data) or () if message.get_type() != "BAD_DATA"]
    if codec.buf_len():
        codec.buf, codec.buf_index = bytearray(), 0
    return whole


def packed(codec: Any, message: Any) -> bytes:
    """A message as it is sent."""
    data: bytes = bytes(message.pack(codec))
    codec.seq = (codec.seq + 1) % 256
    return data


def heartbeat(autopilot: int = mavlink.MAV_AUTOPILOT_INVALID, mode: int = 0, armed: bool = False) -> Any:
    """A quadrotor's, or a ground station's where no autopilot is named."""
    if autopilot == mavlink.MAV_AUTOPILOT_INVALID:
        return mavlink.MAVLink_heartbeat_message(
            mavlink.MAV_TYPE_GCS, autopilot, 0, 0, mavlink.MAV_STATE_ACTIVE, mavlink_version=3
        )
    base = mavlink.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED | (mavlink.MAV_MODE_FLAG_SAFETY_ARMED if armed else 0)
    status = mavlink.MAV_STATE_ACTIVE if armed else mavlink.MAV_STATE_STANDBY
    return mavlink.MAVLink_heartbeat_message(
        mavlink.MAV_TYPE_QUADROTOR, autopilot, base, mode, status, mavlink_version=3
    )


def command(system: int, number: int, *params: float) -> Any:
    """COMMAND_LONG to an autopilot; parameters that are not given do not matter."""
    seven = (*params, *(0.0,) * (7 - len(params)))
    return mavlink.MAVLink_command_long_message(system, mavlink.MAV_COMP_ID_AUTOPILOT1, number, 0, *seven)


def mode_command(system: int, mode: int) -> Any:
    """PX4's modes have two parts, ArduPilot's one."""
    main, sub = (mode >> 16 & 0xFF, mode >> 24) if mode > 0xFFFF else (mode, 0)
    flag = mavlink.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED
    return command(system, mavlink.MAV_CMD_DO_SET_MODE, flag, main, sub)


def commanded_mode(main: float, sub: float, stack: Stack) -> int:
    """The way back; -1 where it is none of the autopilot's."""
    mode = int(main) << 16 | int(sub) << 24 if stack.lead > 0xFFFF else int(main)
    return mode if mode in stack.modes else -1


def placed(north_m: float, east_m: float, down_m: float, heading_rad: float) -> Pose:
    """A place in an autopilot's own frame, its heading clockwise from north, as a pose with x north, y west, z up."""
    return Pose(north_m, -east_m, -down_m, -heading_rad)


def setpoint(system: int, at: Pose, boot_ms: int) -> Any:
    """Be there, with that heading; in the autopilot's own frame."""
    return mavlink.MAVLink_set_position_target_local_ned_message(
        boot_ms & 0xFFFFFFFF,
        system,
        mavlink.MAV_COMP_ID_AUTOPILOT1,
        mavlink.MAV_FRAME_LOCAL_NED,
        ONLY_POSITION,
        *(at.x_m, -at.y_m, -at.z_m),
        *(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        -at.yaw_rad,
        0.0,
    )


def param_value(message: Any, stack: Stack) -> float:
    """What a PARAM_VALUE says."""
    if stack.bytewise and message.param_type == mavlink.MAV_PARAM_TYPE_INT32:
        return float(struct.unpack("<i", struct.pack("<f", message.param_value))[0])
    return float(message.param_value)


def param_float(value: float, whole: bool, stack: Stack) -> float:
    """A parameter's value as the float that is sent."""
    if stack.bytewise and whole:
        return float(struct.unpack("<f", struct.pack("<i", int(value)))[0])
    return float(value)


def finite(*numbers: float) -> bool:
    return all(map(math.isfinite, numbers))
