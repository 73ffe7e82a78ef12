"""What a robot with an arm between racks brings along."""

from __future__ import annotations

from sayso.kits import Given, Kit, Outfit, fitting
from sayso.skill import SkillSet, skills_of
from sayso.skills import common
from sayso.skills.warehouse import Picking, PickingRobot


def _outfit(given: Given) -> Outfit:
    picking = Picking(fitting(given.robot, PickingRobot), given.eyes, given.tell)
    return Outfit(SkillSet([*skills_of(picking), *common(given)]))


KIT = Kit(
    kind="warehouse",
    says="drives between racks, picks and places",
    adapter=PickingRobot,
    outfit=_outfit,
    planner="stepwise",
    lessons="warehouse",
    taught_planner="stepwise",
)
