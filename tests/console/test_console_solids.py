"""The solids of a place: every registered world has something to show, and the robot is found in it."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from console_robot import Sled

from sayso.console.solids import KNEE_M, Spot, alone, changed, read_place
from sayso.drawing import NO_TURN
from sayso.robots.drone.kit import KIT as DRONE
from sayso.scene import Pose
from sayso.worlds import make


@pytest.mark.parametrize("world", ["office", "soccer", "home", "warehouse"])
def test_a_world_with_physics_is_solid_and_its_robot_is_known(world: str) -> None:
    place = read_place(made := make(world))
    assert len(place.bodies) > 3 and 3 < place.span_m < 30 and place.land is None
    robots = [b for b in place.bodies if b.robot]
    assert robots and all(b.moves for b in robots)
    at, pose = place.spots()[robots[0].number].at_m, made.robot.state().pose
    assert math.dist(at[:2], (pose.x_m, pose.y_m)) < 0.1
    assert all(0 < s.opacity <= 1 and s.colour.startswith("#") and max(s.size_m) > 0 for b in place.bodies
               for s in b.solids)  # fmt: skip


@pytest.mark.parametrize(("world", "least"), [("home", 6), ("office", 2), ("warehouse", 4)])
def test_walls_are_cut_to_the_knee_and_nothing_hangs_above(world: str, least: int) -> None:
    static = [s for b in read_place(make(world)).bodies if not b.moves for s in b.solids]
    walls = [s for s in static if s.colour == "#9ea3a8" and s.size_m[2] == KNEE_M]
    assert len(walls) >= least and all(s.at_m[2] == pytest.approx(KNEE_M / 2, abs=0.05) for s in walls)
    assert not [s for s in static if min(s.size_m[:2]) > 2.5 and s.at_m[2] > 1], "no ceiling hides the room"


@pytest.mark.parametrize(
    ("world", "there", "not_there"),
    [("home", {"kitchen", "sideboard"}, {"operator"}), ("warehouse", {"pallet 1"}, {"hall"})],
)
def test_what_the_map_names_is_written_where_it_is(world: str, there: set[str], not_there: set[str]) -> None:
    place = read_place(make(world))
    names = dict(place.names)
    assert there <= set(names) and not not_there & set(names)
    assert all(math.dist(at[:2], place.middle_m[:2]) < place.span_m for at in names.values())


def test_labels_of_things_come_along() -> None:
    assert {"chair", "table"} <= {b.label for b in read_place(make("office")).bodies}


def test_the_robot_can_be_put_elsewhere_as_a_whole() -> None:
    place = read_place(made := make("soccer"))
    home, spots = made.robot.state().pose, place.spots()
    there = Pose(home.x_m + 1, home.y_m, home.z_m, home.yaw_rad + math.pi / 2)
    moved = place.robot_at(there, spots, home)
    assert set(moved) == {b.number for b in place.bodies if b.robot}
    numbers = sorted(moved)
    for a, b in pairwise(numbers):
        assert math.dist(moved[a].at_m, moved[b].at_m) == pytest.approx(
            math.dist(spots[a].at_m, spots[b].at_m), abs=1e-3
        ), "limbs keep their distances"


def test_only_what_moved_is_sent() -> None:
    still, far = Spot((0, 0, 0), NO_TURN), Spot((0.01, 0, 0), NO_TURN)
    turned = Spot((0, 0, 0), ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
    assert changed({1: still}, {1: Spot((0.001, 0, 0), NO_TURN)}) == {}
    assert set(changed({1: still, 2: still}, {1: far, 2: turned, 3: still})) == {1, 2, 3}


def test_a_kit_says_what_its_robot_is_drawn_as_and_it_is_large_enough_to_be_found() -> None:
    place = read_place(make("office", "tour"))
    (drone,) = [b for b in place.bodies if b.robot]
    assert (figure := DRONE.figure) and {s.colour for s in drone.solids} == {s.colour for s in figure.solids}
    reach_m = max(math.hypot(*s.at_m) + max(s.size_m) / 2 for s in drone.solids)
    assert reach_m == pytest.approx(max(figure.share * place.span_m, figure.reach_m))
    assert drone.number in place.spots(), "it moves as the physics do"


def test_a_robot_that_nobody_knows_stands_there_as_well() -> None:
    place = alone(Sled())
    body, fence = place.bodies
    assert not (fence.moves or fence.robot)
    assert body.solids and body.robot and place.spots()[body.number].at_m == (0.0, 0.0, 0.0)


def test_an_articulated_robot_is_shown_as_its_physics_are() -> None:
    assert len([b for b in read_place(make("soccer")).bodies if b.robot]) > 5
