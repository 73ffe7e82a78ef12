"""Briefs for the reflex planner's tests: the drone's real skills, of which none is flown here."""

from __future__ import annotations

from typing import Any

from sayso.planners.reflex import Command
from sayso.robots.drone.kit import KIT
from sayso.roles import Brief, Observation
from sayso.scene import Box, Pose, Scene, Thing
from sayso.skills import skills_for
from sayso.worlds import make

OFFICE = make("office")
SKILLS = skills_for(OFFICE.robot, OFFICE.perception)
HOVERING = Pose(z_m=1.0)
LANDED = Pose(z_m=0.02)


def brief(sentence: str, *labels: str, observer: Pose = HOVERING, **more: Any) -> Brief:
    """What a planner would be told by somebody who says `sentence` to a drone that sees `labels`."""
    things = tuple(Thing(str(i), label, Box(0.5, 0.5, 0.1, 0.1)) for i, label in enumerate(labels))
    return Brief(
        sentence, more.pop("skills", SKILLS), Observation(Scene(things, observer)), **{"words": KIT.words, **more}
    )


def plan(sentence: str, *labels: str, **more: Any) -> str:
    """The plan as one line."""
    return " ".join(Command.read(brief(sentence, *labels, **more)).plan)


def sought(thing: str, then: str) -> str:
    """A search with the usual end where nothing is found."""
    name = thing.partition("[")[0]
    return f"?s('{thing}')==True{{{then}}}:{{l('I looked all round and found no {name}.');->False}}"
