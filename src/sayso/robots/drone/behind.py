"""What stands behind the line in a dry run of any flying machine: the simulated drone in a bare office."""

from __future__ import annotations

from sayso.perception.geometry import GeometricCamera
from sayso.robots.drone.world.office import Office


def bare_office() -> Office:
    return Office("empty", perception=GeometricCamera)
