"""The kit of robots with an arm between racks."""

from sayso.grounding.names import read_names
from sayso.plugins.kits import Capabilities, Kit, MissionServices, fitting
from sayso.robots.warehouse.errands import Errands
from sayso.robots.warehouse.form import WishForm
from sayso.robots.warehouse.perception import SeenFromHere
from sayso.robots.warehouse.picking import Picking, PickingRobot
from sayso.skill import SkillSet, skills_of
from sayso.skills import common
from sayso.skills.finding import Finding
from sayso.skills.moves import BY_AMOUNT, Moves
from sayso.tables.guidance import read_guidance
from sayso.tables.words import Words
from sayso.worlds import Entry, Errand


def _capabilities(given: MissionServices) -> Capabilities:
    robot = fitting(given.robot, PickingRobot)
    picking = Picking(robot, given.eyes, given.home)
    finding = Finding(picking.search, picking.names, picking.there, given.tell)
    own = [s for part in (picking, finding, Moves(robot)) for s in skills_of(part)]
    return Capabilities(
        SkillSet([*own, *common(given)], read_guidance(__package__)), ground=read_names(robot.knowledge).ground
    )


KIT = Kit(
    kind="warehouse",
    adapter=PickingRobot,
    capabilities=_capabilities,
    planner="stepwise",
    ledger=Errands,
    form=WishForm(),
    taught_planner="reflex+stepwise",
    wishes=("put a strawberry into the basket", "bring a drink to the shipping shelf"),
    words=Words(what="a robot with an arm that fetches and puts things", only=BY_AMOUNT),
    beliefs=(SeenFromHere,),
    looking=frozenset(("go_to", "describe", "which_side", "find_out")),
)


STORE = Entry.of(
    "sayso.robots.warehouse.world.store:Warehouse",
    "a warehouse with racks, 33 things that there can be, and a robot with an arm; failures by seed and rate",
    "store",
    Errand(
        "please drive over to the fruit table", "visited('fruit table')", "go_to('fruit table')", frozenset({"go_to"})
    ),
)
