"""Several aircraft over one search: ground is held by one at a time, beliefs are shared, the judge sees all of them."""

from __future__ import annotations

import numpy as np
import pytest

from sayso.bench.suite import Trial
from sayso.robots.aircraft.search.pay import Effort
from sayso.robots.aircraft.search.team import Team
from sayso.robots.aircraft.search.terrain import Terrain, area_of, squares
from sayso.robots.aircraft.suite.episode import FLEETS, SUITE, Played, mission, play, score

QUICK = {"effort": Effort(focus=4, expansions=8)}
SWEEPS = ("search_area", "perform_mapping")


def ground() -> Terrain:
    """A field of 600 m, 3 × 3 squares, with a road along its south."""
    kinds = np.zeros((30, 30), dtype=np.uint8)
    kinds[0] = 4
    road = area_of("road", "road", kinds == 4)
    areas = {"road": road, **{s.name: s for s in squares(kinds.shape, 3, 3)}}
    return Terrain(kinds, np.zeros(kinds.shape), 20.0, areas)


def test_what_one_holds_nobody_else_may_search() -> None:
    team = Team(ground())
    first, second = team.join("1-"), team.join("2-")
    first.hold("A1")
    assert first.may_search("A1"), "its own"
    assert not second.may_search("A1") and not second.may_search("A1-B2"), "the same, and what it is part of"
    assert second.may_search("B2"), "next to it"
    first.hold()
    assert second.may_search("A1")


def test_one_operator_looks_at_one_sighting_at_a_time() -> None:
    team = Team(ground())
    first, second = team.join("1-"), team.join("2-")
    first.hold(asks=True)
    assert first.may_ask and not second.may_ask
    assert second.owns("2-s1") and not second.owns("1-s1")


@pytest.fixture(scope="module")
def fleet() -> Played:
    return play(mission("two-fields"), 1, "scored-2", steps_max=8, **QUICK)


def test_two_aircraft_never_sweep_the_same_ground_at_once(fleet: Played) -> None:
    one, other = ([a for a in p.acts if a.kind in SWEEPS] for p in fleet.pilots)
    assert one and other
    for a in one:
        for b in other:
            if a.from_s < b.at_s and b.from_s < a.at_s:
                assert not fleet.domain.seat.team.overlap(a.args[0], b.args[0])


def test_all_come_home_and_share_one_belief_and_one_reading(fleet: Played) -> None:
    assert fleet.home
    assert len(fleet.domain.hunt.hunted) == 1
    first, second = (p.planner.now for p in fleet.pilots)
    assert first.hunt is second.hunt  # type: ignore[union-attr]
    assert fleet.success == np.isfinite(fleet.confirmed_s)


def test_the_same_people_walk_in_every_aircrafts_world(fleet: Played) -> None:
    later = max(p.world.time_s for p in fleet.pilots)
    places = []
    for pilot in fleet.pilots:
        pilot.world.step_to(later)
        places.append({id_: one.pose for id_, one in pilot.world.truth().present.items()})
    assert places[0] == places[1]


def test_a_fleet_is_scored_like_any_other_planner(fleet: Played) -> None:
    assert SUITE.planners["scored-2"] and FLEETS["scored-2"] == len(fleet.pilots)
    one = score(fleet, Trial("rescue", "two-fields", 0, 1, "scored-2", "reference"))
    assert one.success == fleet.success and one.figures["away"] == 0
