"""One robot, one agent (S14): which agent drives which robot, by the robot's identity."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Protocol

from sayso.errors import UsageError
from sayso.executive import Executive
from sayso.executive.reading import Reading
from sayso.roles import Robot


class Driver(Protocol):
    """Whoever drives a robot."""

    robot: Robot
    executive: Executive
    reading: Reading

    @property
    def opened(self) -> bool:
        """Whether it is connected, on a loop that still runs."""

    @property
    def reachable(self) -> bool:
        """Whether its loop still runs, connected or on the way to that."""

    def stop(self, by: str) -> None:
        """Bring the robot to rest, from any thread."""

    def soon(self, call: Callable[..., None], *given: Any) -> bool:
        """Have it done on this driver's loop, from any thread; whether there is one that still runs."""


_driven: weakref.WeakValueDictionary[str, Driver] = weakref.WeakValueDictionary()


def claim(driver: Driver) -> None:
    """The robot is this one's. Raises `UsageError` where another one drives it."""
    other = _driven.get(_which(driver.robot))
    if other is not None and other is not driver and other.opened:
        name = driver.robot.identity or driver.robot.name
        raise UsageError(f"{name} has an agent already; close that one first")
    _driven[_which(driver.robot)] = driver


def unclaim(driver: Driver) -> None:
    """The robot is free for another agent."""
    if _driven.get(_which(driver.robot)) is driver:
        del _driven[_which(driver.robot)]


def driven() -> tuple[Driver, ...]:
    """Whoever drives a robot of this program, or is connecting to one."""
    return tuple(driver for ref in _driven.valuerefs() if (driver := ref()) and driver.reachable)


def _which(robot: Robot) -> str:
    return robot.identity or f"object {id(robot)}"
