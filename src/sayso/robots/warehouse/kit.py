"""What a robot with an arm between racks brings along."""

from __future__ import annotations

from sayso.grounding.names import read_names
from sayso.guidance import read_guidance
from sayso.kits import Given, Kit, Outfit, fitting
from sayso.outside import later
from sayso.robots.warehouse.errands import Errands
from sayso.robots.warehouse.form import WishForm
from sayso.robots.warehouse.perception import SeenFromHere
from sayso.robots.warehouse.picking import Picking, PickingRobot
from sayso.skill import SkillSet, skills_of
from sayso.skills import common
from sayso.worlds import Entry, Errand


def _outfit(given: Given) -> Outfit:
    robot = fitting(given.robot, PickingRobot)
    picking = Picking(robot, given.eyes, given.home)
    skills = SkillSet([*skills_of(picking), *common(given)], read_guidance(__package__))
    return Outfit(skills, ground=read_names(robot.knowledge).ground)


KIT = Kit(
    kind="warehouse",
    adapter=PickingRobot,
    outfit=_outfit,
    planner="stepwise",
    ledger=Errands,
    form=WishForm(),
    taught_planner="stepwise",
    wishes=("put a strawberry into the basket", "bring a drink to the shipping shelf"),
    beliefs=(SeenFromHere,),
)


STORE = Entry(
    later("sayso.robots.warehouse.world.store:Warehouse"),
    "a warehouse with racks, 33 things that there can be, and a robot with an arm; failures by seed and rate",
    later("sayso.robots.warehouse.world.store:Warehouse.scenes"),
    "store",
    Errand(
        "please drive over to the fruit table", "visited('fruit table')", "go_to('fruit table')", frozenset({"go_to"})
    ),
)
