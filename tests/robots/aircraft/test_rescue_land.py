"""Open country in the scene: its net and paint, and what a search believes on it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sayso.console.solids import read_place
from sayso.drawing import Believing
from sayso.models.scripted import Scripted
from sayso.planners.scored import Scored
from sayso.prompts.score import score_prompt
from sayso.robots.aircraft.domain import believed
from sayso.robots.aircraft.search.lost import Subject
from sayso.robots.aircraft.search.whereabouts import Whereabouts
from sayso.robots.aircraft.world.country import Rescue
from sayso.robots.aircraft.world.draw import Land, half_of
from sayso.scene import Pose
from sayso.search.grid import region
from sayso.worlds import make


@pytest.fixture(scope="module")
def world() -> Rescue:
    made = make("rescue", "valley")
    assert isinstance(made, Rescue)
    return made


@pytest.fixture
def ground(world: Rescue) -> Land:
    return world.land()


def test_indoors_there_is_no_land() -> None:
    assert make("office").land() is None


def test_the_net_lies_on_the_land_and_home_is_at_zero(ground: Land) -> None:
    net = ground.net()
    wide_m, high_m = ground.terrain.size_m
    assert net[0][0] and net[0][0][:2] == [-wide_m / 2, high_m / 2], "north-west first, as in a picture"
    assert net[-1][-1] and net[-1][-1][:2] == [wide_m / 2, -high_m / 2]
    assert ground.height_m(*ground.terrain.home) == 0


def test_areas_are_named_on_the_ground(world: Rescue, ground: Land) -> None:
    named = dict(world.names())
    assert set(named) == set(ground.terrain.named)
    assert all(p.z_m == ground.height_m(p.x_m, p.y_m) for p in named.values())


def test_the_paint_shows_what_is_believed_and_not_who_is_there(world: Rescue, ground: Land) -> None:
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


def test_what_is_believed_is_summed_over_those_who_are_missing(world: Rescue) -> None:
    person, dog = (Whereabouts(Subject(label), world.terrain, world.model) for label in ("person", "dog"))
    told = believed([person, dog])
    assert told and told.chances.sum() == pytest.approx(2) and "where the person or the dog may be" in told.says
    assert (left := believed([dog])) and "where the dog may be" in left.says
    assert believed([]) is None


def test_the_words_count_hectares(world: Rescue) -> None:
    where = Whereabouts(Subject("person"), world.terrain, world.model)
    told, hectares = believed([where]), region(where.belief.probability, 0.5).sum() * world.terrain.cell_m**2 / 1e4
    assert told and told.says.endswith(f"half of the probability on {hectares:.0f} ha")


def test_a_planner_without_a_search_believes_nothing() -> None:
    planner = Scored(Scripted([]), _no_domain, score_prompt)
    assert isinstance(planner, Believing) and planner.believed() is None


async def _no_domain(brief: object) -> Any:
    raise AssertionError("no plan is asked for")


def test_the_aircraft_is_an_icon_that_flies_along(world: Rescue) -> None:
    place = read_place(world)
    (icon,) = place.bodies
    pose = world.robot.state().pose
    assert icon.robot and place.spots()[icon.number].at_m == pytest.approx((pose.x_m, pose.y_m, pose.z_m))
    there = Pose(10, 20, 30, 1.0)
    assert place.robot_at(there, place.spots(), pose)[icon.number].at_m == pytest.approx((10, 20, 30), abs=1e-3)
