"""The safety siblings: what watches a robot beside every mission, and takes it over when a limit is in danger.

A guard is pure: a robot's state goes in, a refusal or None comes out. What a guard does about it is one of two things:
`halt` (come to rest here) or `leave` (go home where the robot can, then rest); after leaving, the mission is grounded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sayso.limits import Limits
from sayso.parts import RobotState
from sayso.task import Refused

Reaction: TypeAlias = Literal["halt", "leave"]

MOVING_MPS = 0.05
"""A robot slower than this is not held for where it stands: it could not get back otherwise."""


@dataclass(frozen=True, slots=True)
class Guard:
    """One safety sibling. `trouble` is asked many times a second and must be quick."""

    name: str
    priority: int
    trouble: Callable[[RobotState], Refused | None]
    reaction: Reaction


def guards(limits: Limits) -> tuple[Guard, ...]:
    """The siblings that every robot gets, the strongest first. Reach and obstacles are asked where a motion is made."""

    def link(state: RobotState) -> Refused | None:
        return None if state.connected else Refused("link", "no word from the robot", "a link that answers")

    def place(state: RobotState) -> Refused | None:
        return limits.pose_refusal(state.pose) if state.speed_mps > MOVING_MPS else None

    def speed(state: RobotState) -> Refused | None:
        return limits.speed_refusal(state.speed_mps)

    def battery(state: RobotState) -> Refused | None:
        return limits.battery_refusal(state.charge)

    return (
        Guard("lost_link", 900, link, "leave"),
        Guard("geofence", 800, place, "halt"),
        Guard("overspeed", 700, speed, "halt"),
        Guard("battery", 600, battery, "leave"),
    )
