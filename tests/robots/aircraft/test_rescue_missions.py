"""The rescue world: what it promises to judges and planners, mission by mission."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from rescue_acts import act

from sayso import worlds
from sayso.robots.aircraft.search import lost
from sayso.robots.aircraft.search.craft import Craft
from sayso.robots.aircraft.search.lost import Subject
from sayso.robots.aircraft.search.sweep import looks_in, sightings_of
from sayso.robots.aircraft.search.whereabouts import Whereabouts
from sayso.robots.aircraft.world.country import Rescue
from sayso.scene import Scene
from sayso.task import Done, Failed, Refused

LYING = Subject("person", "hiker", colour="red", mobile=False)


def rescue(scene: str = "valley", seed: int = 1, **options: Any) -> Rescue:
    return Rescue(scene, seed, **options)


def flown(world: Rescue, *plan: tuple[Any, ...]) -> list[Any]:
    return [act(world, *action) for action in plan]


ROUND = (("take_off",), ("ascend", 60), ("search_area", "C3"), ("hover", 20.0), ("search_area", "B2"), ("return_home",))


@pytest.fixture(scope="module", autouse=True)
def shared_terrain() -> Iterator[None]:
    """Scenes never change; reading one once is enough for all tests."""
    rescue()
    yield


def test_the_same_seed_is_the_same_mission() -> None:
    first, second, other = (rescue(seed=seed) for seed in (5, 5, 6))
    for world in (first, second, other):
        flown(world, *ROUND)
    assert first.truth() == second.truth()
    assert first.camera.scene() == second.camera.scene()
    assert first.truth().present != other.truth().present


def test_time_may_be_cut_into_any_pieces() -> None:
    whole, cut = rescue(seed=9), rescue(seed=9)
    flown(whole, *ROUND[:3])
    assert isinstance(act(cut, "take_off"), Done) and isinstance(act(cut, "ascend", 60), Done)
    course = cut.charts.search(cut.aircraft.at, "C3")
    cut.frame.fly(course)
    while cut.frame.course is course:
        cut.step_to(cut.time_s + 0.37)
    cut_end_s = cut.camera.looks[-1].at_s
    assert cut_end_s == pytest.approx(whole.camera.looks[-1].at_s, abs=1e-6)
    assert cut.camera.looks[-1].flown_m == pytest.approx(whole.camera.looks[-1].flown_m)
    assert [s.pose for s in cut.camera.sightings] == [s.pose for s in whole.camera.sightings]


def test_a_whole_mission_finds_confirms_and_comes_home() -> None:
    world = rescue(subjects=[LYING])
    world.people.present[0].open_to_sky = True
    row, column = world.people.present[0].cell
    square = next(n for n in world.terrain.squares if _holds(world, n, row, column))
    act(world, "take_off")
    for _ in range(12):
        act(world, "search_area", square)
        if any(world.camera.cause(s.id) for s in world.camera.sightings):
            break
    real = next(s.id for s in world.camera.sightings if world.camera.cause(s.id))
    assert world.truth().present["person 1"].found_s is not None
    answers = [act(world, "confirm", real) for _ in range(3)]
    assert Done(True) in answers
    assert isinstance(act(world, "return_home"), Done)
    truth = world.truth()
    assert truth.present["person 1"].confirmed_s and truth.at_home and not truth.crashed


def _holds(world: Rescue, name: str, row: int, column: int) -> bool:
    rows, columns = world.terrain.areas[name].window
    return rows.start <= row < rows.stop and columns.start <= column < columns.stop


def test_actions_need_what_they_need() -> None:
    world = rescue()
    assert "not taken off" in str(act(world, "search_area", "A1"))
    assert isinstance(act(world, "return_home"), Done)  # it is at home
    act(world, "take_off")
    assert "no sighting" in str(act(world, "confirm", "person"))
    assert "no area" in str(act(world, "search_area", "Atlantis"))
    assert "not above" in str(act(world, "ascend", 30))
    assert "levels" in str(act(world, "ascend", 45))
    assert isinstance(act(world, "descend", 60), Failed)


def test_an_action_that_could_not_be_flown_home_from_is_refused() -> None:
    world = rescue()
    act(world, "take_off")
    world.frame.charge = world.aircraft.limits.battery_reserve + 0.05
    refused = act(world, "search_area", "A1")
    assert isinstance(refused, Refused) and refused.limit == "battery reserve"
    assert isinstance(act(world, "return_home"), Done)
    assert world.frame.charge > world.aircraft.limits.battery_reserve


@pytest.mark.parametrize("scene", ["valley", "moor"])
@pytest.mark.parametrize("wind_mps", [0.0, 5.0])
def test_whatever_is_asked_it_comes_home_with_the_reserve(scene: str, wind_mps: float) -> None:
    chance = np.random.default_rng(3)
    world = rescue(scene, seed=3, wind_mps=wind_mps)
    act(world, "take_off")
    refusals = 0
    while refusals < 6:
        name = str(chance.choice(world.terrain.squares))
        action = [("search_area", name), ("perform_mapping", name), ("hover", 200.0), ("ascend", 90)][
            chance.integers(4)
        ]
        refusals += isinstance(act(world, *action), Refused)
    act(world, "return_home")
    truth = world.truth()
    assert truth.at_home and not truth.crashed
    assert truth.charge >= world.aircraft.limits.battery_reserve - 1e-6


def test_an_empty_battery_in_the_air_is_the_end() -> None:
    world = rescue()
    act(world, "take_off")
    world.frame.charge = 0.001
    world.frame.advance(1e9)
    assert world.truth().crashed and not world.frame.flying
    assert "fell" in world.aircraft.state().summary


def test_detections_come_as_often_as_the_table_says() -> None:
    """One open search at a time, of somebody who lies in a known field; misses and finds over many seeds."""
    found, expected, tries = 0, 0.0, 150
    for seed in range(tries):
        world = rescue(seed=seed, subjects=[LYING])
        one = world.people.present[0]
        one.cell, one.open_to_sky = (10, 33), True
        world.people._stand(one)
        flown(world, ("take_off",), ("ascend", 90))
        square = next(n for n in world.terrain.squares if _holds(world, n, 10, 33))
        look = world.charts.search(world.aircraft.at, square).look
        assert look is not None
        g = world.model.glimpse("eo", 90.0, LYING.size_m, "red", "field", "summer", "day")
        expected += -math.expm1(-look.coverage * g)
        world.camera._false = lambda look, passed: []  # type: ignore[attr-defined]
        act(world, "search_area", square)
        found += len(world.camera.sightings)
    spread = math.sqrt(expected * (1 - expected / tries))
    assert abs(found - expected) < 3 * spread
    assert 0.4 < expected / tries < 0.9


def test_who_stands_under_a_roof_is_never_seen() -> None:
    for seed in range(15):
        world = rescue(seed=seed, subjects=[LYING])
        one = world.people.present[0]
        one.cell, one.open_to_sky = (10, 33), False
        world.people._stand(one)
        square = next(n for n in world.terrain.squares if _holds(world, n, 10, 33))
        flown(world, ("take_off",), ("search_area", square), ("search_area", square))
        assert all(not world.camera.cause(s.id) for s in world.camera.sightings)


def test_false_sightings_come_at_the_tables_rate() -> None:
    craft = Craft(stops_at_sighting=False)
    count, expected = 0, 0.0
    for seed in range(60):
        world = rescue(seed=seed, subjects=[], craft=craft)
        flown(world, ("take_off",), ("ascend", 90), ("search_area", "village"), ("search_area", "north forest"))
        rate = world.model.false_alarms(world.terrain, "eo")
        for name in ("village", "north forest"):
            area = world.terrain.areas[name]
            expected += float(rate[area.window][area.mask].sum())
        count += len(world.camera.sightings)
    assert expected > 15
    assert abs(count - expected) < 3.5 * math.sqrt(expected)


def test_a_sighting_ends_the_sweep_and_is_marked_for_the_belief() -> None:
    for seed in range(40):
        world = rescue(seed=seed)
        flown(world, ("take_off",), ("ascend", 90), ("search_area", "east field"))
        scene: Scene = world.camera.scene()
        (look,) = looks_in(scene)
        if sightings := sightings_of(look, scene):
            assert sightings[0].seen_s == pytest.approx(look.at_s, abs=1e-3)
            assert sightings[0].attributes["status"] == "unconfirmed"
            return
    raise AssertionError("no sighting in 40 searches of a field")


def test_walkers_drift_toward_what_attracts_them() -> None:
    ways = []
    for seed in range(30):
        world = rescue(seed=seed)
        begin_m = world.people.present[0].place[1]
        world.step_to(1500.0)
        ways.append(begin_m - world.people.present[0].place[1])
    assert np.mean(ways) > 40  # the highway lies in the south
    assert len(set(np.round(ways))) > 5


def test_the_truth_is_drawn_from_what_is_told() -> None:
    world = rescue()
    prior = lost.prior(world.subjects[0], world.terrain)
    ranks = []
    for seed in range(200):
        cell = rescue(seed=seed).people.present[0].cell
        ranks.append(prior[prior > prior[cell]].sum())
    assert np.mean(np.array(ranks) < 0.5) == pytest.approx(0.5, abs=0.12)


def test_a_belief_that_follows_the_looks_is_calibrated() -> None:
    """Over missions with drift and false sightings, the true place lies in the p-region about p of the time."""
    inside, chance = [], np.random.default_rng(1)
    for seed in range(80):
        world = rescue(seed=seed)
        act(world, "take_off")
        for name in chance.choice(world.terrain.squares, 5):
            act(world, "search_area", str(name))
        seeker = Whereabouts(world.subjects[0], world.terrain, world.model)
        scene = world.camera.scene()
        for look in looks_in(scene):
            seeker.learn(look, sightings_of(look, scene))
        seeker.advance(world.time_s)
        chances, cell = seeker.belief.probability, world.people.present[0].cell
        inside.append(
            chances[chances > chances[cell]].sum() + chance.random() * chances[chances == chances[cell]].sum()
        )
    assert np.mean(np.array(inside) < 0.5) == pytest.approx(0.5, abs=0.17)
    assert np.mean(np.array(inside) < 0.8) == pytest.approx(0.8, abs=0.14)


def test_by_night_it_flies_with_the_thermal_camera() -> None:
    assert rescue("night").charts.craft.payload == "ir"
    with pytest.raises(worlds.UsageError, match="valley"):
        rescue("moon")


def test_nothing_that_a_planner_may_read_tells_where_anybody_is() -> None:
    one, two = rescue(seed=1), rescue(seed=2)
    assert one.people.present[0].cell != two.people.present[0].cell
    assert one.terrain is two.terrain and one.subjects == two.subjects
    assert one.camera.scene().things == two.camera.scene().things == ()
    assert one.aircraft.state() == two.aircraft.state()


def test_the_picture_from_above_shows_the_search() -> None:
    world = rescue()
    before = world.overview(320, 240).astype(int)
    flown(world, *ROUND[:3])
    after = world.overview(320, 240).astype(int)
    assert before.shape == (240, 320, 3) and np.abs(after - before).max(axis=2).astype(bool).sum() > 800
    assert world.aircraft.picture(160, 120).shape == (120, 160, 3)
