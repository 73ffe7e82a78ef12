"""A wish that changes in flight, ground that is left out, others that are lost: each with a belief of its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from rescue_sky import RED, Sky, can, step

from sayso.errors import NotUnderstood
from sayso.robots.aircraft.search.wish import SearchWish, Sought
from sayso.roles import Brief


def test_everything_is_more_than_what_is_possible() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.tell(domain)
    possible = [c.statement for k in domain.kinds() if k.can > 0 for c in domain.candidates(k.name)]
    every = [c.statement for c in domain.everything()]
    assert possible == ["take_off()"] and set(possible) < set(every)
    assert len(every) == len(set(every)) == 10 + 6 + 6 + 3 + 1


def test_a_changed_wish_changes_the_belief_and_does_not_begin_it_again() -> None:
    sky = Sky()
    sky.wishes["she was last seen in the wood"] = SearchWish((replace(RED.sought[0], seen_at="wood", seen_ago_s=60.0),))
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    sky.swept("A1")
    sky.tell(domain, step(domain, "search_area", 1))
    cooled = domain.hunted[0].where.belief.probability.copy()
    sky.says = "she was last seen in the wood"
    sky.tell(domain)
    belief = domain.hunted[0].where.belief
    wood = np.zeros(sky.ground.shape)
    wood[:, 24:] = 1
    assert (belief.probability * wood).sum() > 2 * (cooled * wood).sum()
    window = sky.ground.area("A1").window
    unsearched = sky.ground.area("A3").window
    assert belief.probability[window].sum() < belief.probability[unsearched].sum(), "A1 stays searched"
    assert len(domain.steps) == 1


def test_words_that_are_no_search_change_nothing() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    domain.news()

    async def nothing(brief: Brief, running: SearchWish | None) -> SearchWish:
        raise NotUnderstood("no search")

    domain._read = nothing
    sky.says = "what is the capital of France"
    sky.tell(domain)
    assert domain.wish == RED and "go on as before: I search for a red person" in domain.news()[0]
    fresh = sky.domain()
    fresh._read = nothing
    with pytest.raises(NotUnderstood):
        sky.tell(fresh)


def test_ground_that_is_to_be_left_out_is_not_offered() -> None:
    sky = Sky()
    sky.wishes["not the wood"] = replace(RED, avoid=("wood",))
    domain = sky.domain()
    sky.fly()
    sky.says = "not the wood"
    sky.tell(domain)
    offered = {c.statement.split('"')[1] for c in domain.candidates("search_area")}
    assert "wood" not in offered and "A1" in offered
    in_wood = [a.name for a in sky.ground.areas.values() if (a.mask & (sky.ground.kinds[a.window] == 1)).any()]
    assert not offered & set(in_wood)
    sky.says = "not the wood, but that square"
    named = next(n for n in in_wood if n != "wood")
    sky.wishes[sky.says] = replace(RED, areas=(named,), avoid=("wood",))
    sky.tell(domain)
    assert named in {c.statement.split('"')[1] for c in domain.candidates("search_area")}


def test_another_object_gets_a_belief_of_its_own() -> None:
    sky = Sky()
    sky.wishes["and the dog"] = SearchWish((*RED.sought, Sought("dog")))
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    person = domain.hunted[0]
    sky.says = "and the dog"
    sky.tell(domain)
    assert [h.label for h in domain.hunted] == ["person", "dog"]
    assert domain.hunted[0] is person
    assert len(domain.pay(domain.candidates("search_area"))) == 10


def test_several_lost_at_once_are_several_and_a_confirmation_closes_one() -> None:
    sky = Sky(wishes={"find her": SearchWish((replace(RED.sought[0], count=2),))})
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    assert [h.label for h in domain.hunted] == ["person", "person"]
    sky.swept("A1", seen=[(-200.0, 200.0)])
    sky.tell(domain, step(domain, "search_area", 1))
    assert [c.statement for c in domain.candidates("confirm")] == ['confirm("s10")'], "one sighting is shown once"
    sky.asked("s10", "yes", (-200.0, 200.0))
    sky.tell(domain, step(domain, "confirm"))
    assert sorted(h.found for h in domain.hunted) == [False, True] and not domain.all_found
    assert "confirm" not in can(domain)
    (other,) = domain.hunt.missing
    there = other.where.belief.probability[domain.charts.terrain.area("A1").window].sum()
    assert there < 1 / 9, "that the first one was sighted there says nothing of the second"
    sky.swept("C3", seen=[(150.0, -200.0)])
    sky.tell(domain, step(domain, "search_area", 1))
    (again,) = domain.candidates("confirm")
    assert again.statement != 'confirm("s10")' and again.can > 0.5
    sky.asked(again.statement[9:12], "yes", (150.0, -200.0))
    sky.tell(domain, again)
    assert domain.all_found


def test_one_more_of_the_same_in_flight_is_looked_for_by_all_that_was_seen() -> None:
    sky = Sky()
    sky.wishes["there are two of them"] = SearchWish((replace(RED.sought[0], count=2),))
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    sky.swept("A1")
    sky.tell(domain, step(domain, "search_area", 1))
    first = domain.hunted[0]
    sky.says = "there are two of them"
    sky.tell(domain)
    assert domain.hunted[0] is first and len(domain.hunted) == 2
    window = domain.charts.terrain.area("A1").window
    of_both = [one.where.belief.probability[window].sum() for one in (domain.hunted[1], first)]
    assert of_both[0] == pytest.approx(of_both[1], abs=1e-6)
