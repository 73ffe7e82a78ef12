"""What runs teach the detection model: Eq. 11 is the frequency, and a wrong table is put right by trials."""

from __future__ import annotations

import math
from random import Random

import pytest
from rescue_acts import act

from sayso.robots.aircraft.search.detection import Detection, detection
from sayso.robots.aircraft.search.experience import TRUST, Experience, Pass, passes
from sayso.robots.aircraft.search.lost import Subject
from sayso.robots.aircraft.world.country import Rescue

FIELD, WOOD = ("eo", 60.0, "field"), ("eo", 60.0, "forest")


def test_counting_is_bayes_rule_with_the_situation_as_divisor() -> None:
    runs = Experience()
    runs.add([Pass(*FIELD, 0.8, n < 6) for n in range(8)] + [Pass(*WOOD, 0.4, n < 1) for n in range(10)])
    assert runs.completes(*FIELD) == pytest.approx(6 / 8)
    assert runs.completes(*WOOD) == pytest.approx(1 / 10)
    assert math.isnan(runs.completes("ir", 60.0, "field"))


def test_without_experience_the_table_stands_and_a_little_moves_it_a_little() -> None:
    model = detection()
    assert Experience().factor("eo", "field") == 1.0
    runs = Experience()
    runs.add([Pass(*FIELD, 0.5, False)])
    assert 0.9 < runs.factor("eo", "field") < 1.0
    known = ("eo", 60.0, 0.7, "red", "field", "summer", "day")
    assert runs.learnt(model).glimpse(*known) == pytest.approx(model.glimpse(*known) * runs.factor("eo", "field"))
    elsewhere = ("eo", 60.0, 0.7, "red", "forest", "summer", "day")
    assert runs.learnt(model).glimpse(*elsewhere) == model.glimpse(*elsewhere)


@pytest.mark.parametrize("really", [0.5, 0.8])
def test_many_trials_find_what_the_table_has_wrong(really: float) -> None:
    rng, runs = Random(3), Experience()
    pod = 1 - math.exp(-1.4 * 0.6 * really)
    runs.add([Pass(*FIELD, 1 - math.exp(-1.4 * 0.6), rng.random() < pod) for _ in range(100 * int(TRUST))])
    assert runs.factor("eo", "field") == pytest.approx(really, abs=0.06)


def trials(count: int, world_model: Detection, table: Detection) -> list[Pass]:
    """Passes over a dummy in the west field, in worlds whose cameras see as `world_model` says."""
    found: list[Pass] = []
    for seed in range(count):
        subject = Subject("person", "thing", mobile=False, within=("west field",), colour="red")
        world = Rescue("valley", seed, subjects=[subject], model=world_model)
        act(world, "take_off")
        act(world, "ascend", 60)
        dummy = next(iter(world.truth().present.values()))
        if dummy.open_to_sky:
            for _ in range(2):
                act(world, "search_area", "west field")
            place = dummy.pose.x_m, dummy.pose.y_m
            found += passes(world.camera.scene(), subject, place, world.terrain, table)
    return found


def off(some: list[Pass], told_pods: list[float]) -> float:
    """By how many standard errors more was found than these chances say."""
    error = math.sqrt(sum(p * (1 - p) for p in told_pods))
    return (sum(one.found for one in some) - sum(told_pods)) / error


def test_trials_in_a_world_whose_cameras_are_worse_than_the_table_says() -> None:
    """The world's own detector sees half as well in fields; trials with a dummy there teach it."""
    told = detection()
    worse = Detection({**told.table, "learnt": {"eo": {"field": 0.5}}})
    some = trials(180, worse, told)
    assert len(some) > 250
    really = [1 - math.sqrt(1 - one.expected) for one in some]  # half of the glimpse in POD = 1 − exp(−coverage·g)
    assert abs(off(some, really)) < 3, "found as often as the world's own cameras find"
    assert off(some, [one.expected for one in some]) < -5, "and far less often than the table says"
    runs = Experience()
    runs.add(some)
    assert 0.4 < runs.factor("eo", "field") < 0.75
