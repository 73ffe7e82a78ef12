"""Open country in the scene: its net and paint, and what a search believes on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from sayso.console.ground import Believed, Ground, believed_by, ground_of, half_of
from sayso.console.solids import read_place
from sayso.models.scripted import Scripted
from sayso.planners.scored import Scored
from sayso.prompts.score import score_prompt
from sayso.robots.aircraft.search.lost import Subject
from sayso.robots.aircraft.search.whereabouts import Whereabouts
from sayso.robots.aircraft.world.country import Rescue
from sayso.scene import Pose
from sayso.worlds import make


@pytest.fixture(scope="module")
def world() -> Rescue:
    made = make("rescue", "valley")
    assert isinstance(made, Rescue)
    return made


@pytest.fixture
def ground(world: Rescue) -> Ground:
    found = ground_of(world)
    assert found is not None
    return found


def test_only_a_world_with_a_terrain_has_ground() -> None:
    assert ground_of(make("office")) is None


def test_the_net_lies_on_the_land_and_home_is_at_zero(ground: Ground) -> None:
    net = ground.net()
    wide_m, high_m = ground.terrain.size_m
    assert net[0][0] and net[0][0][:2] == [-wide_m / 2, high_m / 2], "north-west first, as in a picture"
    assert net[-1][-1] and net[-1][-1][:2] == [wide_m / 2, -high_m / 2]
    assert ground.height_m(*ground.terrain.home) == 0
    assert {name for name, _ in ground.names()} == set(ground.terrain.named)


def test_the_paint_shows_what_is_believed_and_not_who_is_there(world: Rescue, ground: Ground) -> None:
    plain = ground.paint()
    world.people.present[0].place  # noqa: B018 - somebody is there
    assert np.array_equal(plain, ground.paint(np.zeros(ground.terrain.shape)))
    belief = np.zeros(ground.terrain.shape)
    belief[0, 0] = 1.0  # the south-west corner, which is at the bottom left of a picture
    hot = ground.paint(belief)
    changed = np.argwhere((hot != plain).any(axis=2))
    assert changed[:, 0].min() > 0.9 * plain.shape[0] and changed[:, 1].max() < 0.1 * plain.shape[1]


def test_half_of_the_probability_is_on_the_fewest_cells() -> None:
    belief = np.array([[0.4, 0.1], [0.2, 0.3]])
    assert half_of(belief).tolist() == [[True, False], [False, True]]
    assert half_of(10 * belief).tolist() == half_of(belief).tolist(), "a sum over several who are missing is read alike"


@dataclass
class Hunted:
    """A double of what a search holds about one person."""

    where: Whereabouts
    found: bool = False


@dataclass
class Domain:
    """A double of a search."""

    hunted: list[Hunted] = field(default_factory=list)


def test_what_a_planner_believes_is_summed_over_those_who_are_missing(world: Rescue) -> None:
    def about(label: str) -> Hunted:
        return Hunted(Whereabouts(Subject(label), world.terrain, world.model))

    planner = Scored(Scripted([]), _no_domain, score_prompt)
    assert believed_by(planner) is None and believed_by(object()) is None
    domain: Any = Domain([about("person"), about("dog")])
    planner.now = domain
    believed = believed_by(planner)
    assert believed and believed.labels == ("person", "dog") and believed.chances.sum() == pytest.approx(2)
    assert "where the person or the dog may be" in believed.says(20.0)
    domain.hunted[0].found = True
    assert (left := believed_by(planner)) and left.labels == ("dog",)
    domain.hunted[1].found = True
    assert believed_by(planner) is None


async def _no_domain(brief: object) -> Any:
    raise AssertionError("no plan is asked for")


def test_the_words_count_hectares() -> None:
    assert Believed(("person",), np.full((10, 10), 0.01)).says(20.0).endswith("half of the probability on 2 ha")


def test_the_aircraft_is_an_icon_that_flies_along(world: Rescue) -> None:
    place = read_place(world)
    (icon,) = place.bodies
    pose = world.robot.state().pose
    assert icon.robot and place.spots()[icon.number].at_m == pytest.approx((pose.x_m, pose.y_m, pose.z_m))
    there = Pose(10, 20, 30, 1.0)
    assert place.robot_at(there, place.spots(), pose)[icon.number].at_m == pytest.approx((10, 20, 30), abs=1e-3)
