"""The messages of the Tello's SDK, for both ends of the line: short texts in UDP datagrams, centimetres and degrees.

Written after the SDK 2.0 guide (2018) and what users report of the machine: speeds come in decimetres a second, along
the axes that it had when it was switched on; heights in steps of 10 cm.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from sayso.skill import Range

HOST, COMMAND_PORT, STATE_PORT = "192.168.10.1", 8889, 8890
SDK = 20
"""The version from which a Tello knows `stop`."""

SILENCE_S = 15.0
"""A Tello that hears nothing for so long lands by itself."""

STATE_S = 0.1
MOVE_CM, SPEED_CMPS = Range(20, 500), Range(10, 100)
OFFSET_CM = Range(-500, 500)

ARGUMENTS: Mapping[str, Sequence[Range]] = {
    **dict.fromkeys(("forward", "back", "left", "right", "up", "down"), (MOVE_CM,)),
    **dict.fromkeys(("cw", "ccw"), (Range(1, 360),)),
    "go": (OFFSET_CM, OFFSET_CM, OFFSET_CM, SPEED_CMPS),
    "speed": (SPEED_CMPS,),
    **dict.fromkeys(("takeoff", "land", "stop", "emergency", "command", "keepalive"), ()),
}
"""The commands that are spoken here, and the whole numbers that each takes."""

NEEDED = ("yaw", "vgx", "vgy", "vgz", "tof", "h", "bat", "time")
"""What no state may lack."""

FRACTIONS = ("baro", "agx", "agy", "agz")

OK, OUT_OF_RANGE, STOPPED = "ok", "out of range", "forced stop"


def refusal(verb: str, args: Sequence[str]) -> str:
    """What a Tello answers to a command that it does not carry out as written; empty where it does."""
    if verb not in ARGUMENTS:
        return f"unknown command: {verb}"
    ranges = ARGUMENTS[verb]
    try:
        numbers = [int(arg) for arg in args]
    except ValueError:
        return "error"
    if len(numbers) != len(ranges):
        return "error"
    if not all(bounds.low <= n <= bounds.high for n, bounds in zip(numbers, ranges, strict=True)):
        return OUT_OF_RANGE
    return OUT_OF_RANGE if verb == "go" and all(abs(n) < MOVE_CM.low for n in numbers[:3]) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TelloState:
    """One datagram of the state. Its names are the protocol's.

    `pitch`, `roll` and `yaw` in degrees, yaw to the right; `vgx` ahead, `vgy` right and `vgz` down in dm/s; `tof` (down
    to what is below) and `h` (above the take-off) in cm; `bat` in percent; `time` that the motors ran, in s.
    """

    pitch: int = 0
    roll: int = 0
    yaw: int = 0
    vgx: int = 0
    vgy: int = 0
    vgz: int = 0
    templ: int = 60
    temph: int = 63
    tof: int = 10
    h: int = 0
    bat: int = 100
    baro: float = 0.0
    time: int = 0
    agx: float = 0.0
    agy: float = 0.0
    agz: float = -1000.0

    def text(self) -> str:
        """As it is sent."""
        shown = asdict(self).items()
        return "".join(f"{name}:{n:.2f};" if isinstance(n, float) else f"{name}:{n};" for name, n in shown) + "\r\n"

    @classmethod
    def read(cls, text: str) -> Self:
        """Raises `ValueError` where anything that is needed is missing or no number; what else is told is left."""
        said = dict(pair.split(":", 1) for pair in text.strip().split(";") if ":" in pair)
        if missing := [name for name in NEEDED if name not in said]:
            raise ValueError(f"a state without {', '.join(missing)}")
        read: dict[str, Any] = {
            f.name: float(said[f.name]) if f.name in FRACTIONS else int(said[f.name])
            for f in fields(cls)
            if f.name in said
        }
        return cls(**read)
