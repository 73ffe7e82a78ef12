"""The ownership of robots (S14): which agent drives which robot, by the robot's identity."""

import weakref
from collections.abc import Callable
from typing import Any, Protocol

from sayso.errors import UsageError
from sayso.executive import Executive
from sayso.executive.state_reader import StateReader
from sayso.roles import Robot


class Driver(Protocol):
    """The interface of whatever drives a robot."""

    robot: Robot
    executive: Executive
    reading: StateReader

    @property
    def opened(self) -> bool:
        """Whether it is connected, on a loop that still runs."""

    @property
    def reachable(self) -> bool:
        """Whether its loop still runs, connected or on the way to that."""

    def stop(self, by: str) -> None:
        """Bring the robot to rest, from any thread."""

    def soon(self, call: Callable[..., None], *given: Any) -> bool:
        """Schedule a call on this driver's loop, from any thread, and return whether that loop still runs."""


_driven: weakref.WeakValueDictionary[str, Driver] = weakref.WeakValueDictionary()


def claim(driver: Driver) -> None:
    """Take the robot for this driver. Raises `UsageError` where another one drives it."""
    other = _driven.get(_which(driver.robot))
    if other is not None and other is not driver and other.opened:
        name = driver.robot.identity or driver.robot.name
        raise UsageError(f"{name} has an agent already; close that one first")
    _driven[_which(driver.robot)] = driver


def unclaim(driver: Driver) -> None:
    """Free the robot for another agent."""
    if _driven.get(_which(driver.robot)) is driver:
        del _driven[_which(driver.robot)]


def driven() -> tuple[Driver, ...]:
    """The drivers of all robots of this program, connected or connecting."""
    return tuple(driver for ref in _driven.valuerefs() if (driver := ref()) and driver.reachable)


def _which(robot: Robot) -> str:
    return robot.identity or f"object {id(robot)}"
