"""What the rover brings along, and where it drives."""

from __future__ import annotations

from typing import Any

from sayso.plugins.kits import Capabilities, Kit, MissionServices
from sayso.skill import SkillSet
from sayso.skills import shared
from sayso.tables.words import Words
from sayso.world import World
from sayso.worlds import Entry
from sayso_rover.rover import Rover


def _capabilities(given: MissionServices) -> Capabilities:
    return Capabilities(SkillSet(shared(given)))  # its own skills, looking, measuring in the image, talking


def _yard(**options: Any) -> World:
    from sayso_rover.yard import Yard

    return Yard(**options)


KIT = Kit(
    kind="rover",
    adapter=Rover,
    capabilities=_capabilities,
    words=Words(what="a rover with a gripper"),
    looking=frozenset({"turn_left"}),  # all that it may do for a question
)
YARD = Entry(_yard, "a yard with three blocks, a rover and no physics but its speed")
