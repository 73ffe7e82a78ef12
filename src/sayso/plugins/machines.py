"""Real machines by name, registered by entry point:

    [project.entry-points."sayso.machines"]
    rover = "my_rover.adapter:MACHINE"

`--robot rover` or `--robot rover:ADDRESS` reaches one, and `--robot fake:rover` is its dry run: the same adapter, with
a simulated machine behind the same protocol. A machine has no walls to be read from, so a person stakes out where it
may be: `--zone ahead=3,back=1,left=2,right=2,up=2`.
"""

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Self

from sayso.errors import UsageError
from sayso.limits import Limits, Zone
from sayso.plugins.loading import is_file, made, registered
from sayso.roles import Robot

FAKE = "fake"
SIDES = ("ahead", "back", "left", "right", "up")
SIDE_MAX_M = 1000.0


@dataclass(frozen=True, slots=True)
class StakedRoom:
    """The room staked out for a machine: metres from where it is connected, `ahead` along its nose."""

    ahead: float
    back: float
    left: float
    right: float
    up: float = math.inf

    @classmethod
    def read(cls, text: str) -> Self:
        """`ahead=3,back=1,left=2,right=2,up=2`; what stays on the ground needs no `up`. Raises `UsageError`."""
        try:
            sides = {side.strip(): float(metres) for side, metres in (part.split("=") for part in text.split(","))}
            room = cls(**sides)
        except (TypeError, ValueError):
            raise UsageError(f"a zone is written {'=2,'.join(SIDES)}=2, in metres; not {text!r}") from None
        if not all(0 < metres <= SIDE_MAX_M for metres in sides.values()):
            raise UsageError(f"each side of a zone is more than 0 and at most {SIDE_MAX_M:g} m; not {text!r}")
        return room

    def within(self, limits: Limits) -> Limits:
        """The limits of a machine that stands in this room."""
        zone = Zone(-self.back, self.ahead, -self.right, self.left)
        return replace(limits, zone=zone, altitude_max_m=min(limits.altitude_max_m, self.up))


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """One kind of machine. `make(address, room)` gives its adapter, with an empty address for the usual one, and `fake`
    the same one with a simulated machine that it connects itself; neither touches the machine before `open`.

    Without a room the adapter still connects and tells its state, and refuses to move (S19).
    """

    says: str
    make: Callable[[str, StakedRoom | None], Robot]
    fake: Callable[[StakedRoom | None], Robot]


@functools.cache
def machines() -> Mapping[str, Machine]:
    """Every registered machine, by name."""
    return dict(registered("sayso.machines", Machine))


def reached(where: str, zone: str) -> Robot:
    """The robot that `--robot` names, with the zone that a person staked out. Raises `UsageError`."""
    if is_file(where):
        if zone:
            raise UsageError("a robot in a file brings its own zone along: --zone is for a registered machine")
        return made(where, Robot)
    room = StakedRoom.read(zone) if zone else None
    name, _, address = where.partition(":")
    if fake := name == FAKE:
        name, address = address, ""
    if name not in machines():
        known = ", ".join((*machines(), *(f"{FAKE}:{machine}" for machine in machines())))
        raise UsageError(
            f"there is no machine {where!r}; there are {known}, and FILE.py[:NAME] of your own; a "
            "simulated robot is chosen with its world (--world, sayso worlds)"
        )
    return machines()[name].fake(room) if fake else machines()[name].make(address, room)
