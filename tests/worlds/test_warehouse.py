"""The warehouse and its robot: what stands where, one errand in physics, and each failure as it is felt."""

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import UsageError
from sayso.events import Event, TaskEnded
from sayso.planners.text_planner import TextPlanner
from sayso.robots.warehouse.world import STORE
from sayso.robots.warehouse.world.sim import KINDS, Mishaps
from sayso.roles import Brief
from sayso.worlds import make, scenes
from sayso.worlds.indoor.scene import read_flat


class Written(TextPlanner):
    """A planner with one plan."""

    name = "written"

    def __init__(self, text: str) -> None:
        self.text = text

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        yield self.text


def run(plan: str, scene: str = "store", world: Any = None, **options: Any) -> tuple[Any, list[TaskEnded]]:
    """The world after a plan, and how each step ended."""
    world = world or make("warehouse", scene, **options)
    ended: list[Event] = []

    async def main() -> None:
        async with Agent(world=world, planner=Written(plan)) as agent:
            ended.extend([event async for event in agent.say("go")])

    SimClock().run(main())
    return world, [e for e in ended if isinstance(e, TaskEnded)]


@pytest.mark.parametrize(("scene", "count"), [("store", 22), ("inbound", 30), ("inbound_full", 32), ("real", 13)])
def test_scenes_hold_their_things_where_they_say(scene: str, count: int) -> None:
    world = make("warehouse", scene, seed=1)
    objects = world.truth().things
    assert len(objects) == count and scene in scenes("warehouse")
    assert {i: o.on for i, o in objects.items()} == dict(read_flat(scene, STORE).stock)


def test_an_errand_from_table_to_shelf() -> None:
    world, steps = run("go_to('fruit table');pick_up('banana');go_to('shipping shelf');place('banana')")
    assert [s.outcome for s in steps] == ["done"] * 4
    truth = world.truth()
    assert truth.things["banana_1"].on == "shipping shelf" and not truth.contacts
    assert world.arm.shape.reach_m == pytest.approx(0.63)
    assert sum(o.on == "shipping shelf" for o in truth.things.values()) == 1
    assert "banana" in str(world.perception.believed()[-1])


def test_what_is_not_here_is_not_taken() -> None:
    _, steps = run("go_to('drink table');pick_up('apple')")
    assert steps[-1].outcome == "failed" and "no apple is seen here" in steps[-1].detail and "pepsi" in steps[-1].detail


def test_far_side_is_out_of_reach_and_says_where_to_go() -> None:
    _, steps = run("go_to('far side of fruit table');_1=which_side('banana');log(_1);pick_up('banana')")
    assert steps[1].value == "far"
    assert steps[-1].outcome == "failed" and "far side of fruit table" in steps[-1].detail


@pytest.mark.parametrize(
    ("kind", "plan", "says"),
    [
        ("slip", "go_to('fruit table');pick_up('banana')", "slipped out"),
        ("wrong_object", "go_to('fruit table');pick_up('plum')", "instead of the plum"),
        ("drop", "go_to('fruit table');pick_up('banana');go_to('shipping shelf')", "has fallen near"),
        ("blocked_place", "go_to('fruit table');pick_up('banana');go_to('shipping shelf');place('banana')", "pushed"),
        ("navigation", "go_to('fruit table')", "lost its way"),
        ("wrong_side", "go_to('fruit table');pick_up('banana')", "out of reach"),
        ("miss", "go_to('fruit table');pick_up('banana')", "is seen here"),
    ],
)
def test_failures_are_felt_as_a_robot_feels_them(kind: str, plan: str, says: str) -> None:
    world, steps = run(plan, failures={kind: 1.0})
    assert steps[-1].outcome == "failed" and says in steps[-1].detail
    assert kind == "miss" or kind in {k for k, _, _ in world.mishaps.struck}


def test_what_fell_can_be_picked_up_from_the_floor() -> None:
    plan = "go_to('fruit table');pick_up('banana');go_to('shipping shelf')"
    world, steps = run(plan, failures={"drop": 1.0})
    fell = world.things.all["banana_1"]
    assert world.things.on(fell) == "floor"
    where = re.search(r"near x (\S+), y (\S+)$", steps[-1].detail)
    assert where is not None
    world.mishaps.rates.clear()
    _, steps = run(f"go_to('{where[1]}, {where[2]}');pick_up('banana')", world=world)
    assert [s.outcome for s in steps] == ["done", "done"] and fell.holder == "robot"


def test_absent_and_moved_things() -> None:
    world: Any = make("warehouse", failures={"absent": 1.0}, aim=["apple_1"])
    assert "apple_1" not in world.truth().things and len(world.truth().things) == 21
    world, _ = run("go_to('shipping shelf')", failures={"moved": 1.0}, aim=["apple_1"])
    assert world.mishaps.struck[0][0] == "moved"


def test_dice_are_repeatable_and_apart() -> None:
    one, other = Mishaps({"slip": 0.3}, 7), Mishaps({"slip": 0.3, "drop": 0.9}, 7)
    drawn = [one.strikes("slip", 0.0) for _ in range(200)]
    assert drawn == [(other.strikes("drop", 0.0), other.strikes("slip", 0.0))[1] for _ in range(200)]
    assert 30 < sum(drawn) < 90


def test_wrong_failures_and_set_ups_are_refused() -> None:
    with pytest.raises(UsageError, match="no failure"):
        Mishaps({"explode": 1.0}, 0)
    with pytest.raises(UsageError, match="probability"):
        Mishaps({"slip": 2.0}, 0)
    with pytest.raises(UsageError, match="no object is called"):
        make("warehouse", setup={"objects": {"unicorn": "fruit table"}})
    assert set(KINDS) >= {"absent", "moved", "miss", "slip", "drop"}
