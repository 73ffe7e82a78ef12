"""The search domain: what may be done when, and what is believed after each look."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from rescue_sky import RED, Sky, can, step

from sayso.robots.aircraft.reach import NEARLY_MAX, Flight
from sayso.robots.aircraft.search_state import AGAIN, LOOKS_MAX
from sayso.roles import Attempt


def test_on_the_ground_there_is_only_the_take_off() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.tell(domain)
    assert can(domain) == {"take_off": 1.0}
    assert domain.news() == [
        "I search for a red person (not moving) everywhere. On a find I confirm it and come home to land."
    ]
    assert domain.news() == []


def test_in_the_air_everything_but_a_confirmation_without_a_sighting() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    assert set(can(domain)) == {
        "search_area", "ascend", "descend", "hover", "take_image", "perform_mapping", "return_home",
    }  # fmt: skip
    assert [c.statement for c in domain.candidates("ascend")] == ["ascend(90)"]
    assert len(domain.candidates("search_area")) == 10


def test_the_last_action_is_the_way_home_and_so_is_an_empty_battery() -> None:
    sky = Sky()
    domain = sky.domain(steps_max=2)
    sky.fly()
    sky.tell(domain)
    sky.tell(domain, step(domain, "search_area"))
    assert can(domain) == {"return_home": 1.0}
    tired = Sky()
    tired.fly(charge=0.17)
    domain = tired.domain()
    tired.tell(domain)
    assert "search_area" not in can(domain) and can(domain)["return_home"] == 1.0


def test_the_last_sweep_is_by_the_exact_course_where_the_estimate_says_no() -> None:
    """What the aircraft itself would not refuse is offered, what it would is not; and only the likeliest are asked."""
    sky, most = Sky(), 0
    domain = sky.domain()
    for charge in np.arange(0.20, 0.36, 0.01):
        sky.fly(charge=float(charge))
        sky.tell(domain)
        offered = {c.statement.split('"')[1] for c in domain.candidates("search_area")}
        left = {
            a: domain.charts.left_at_home(float(charge), sky.flight.at, domain.charts.search(sky.flight.at, a))
            for a in domain.hunt.areas
        }
        assert all(left[a] >= domain.charts.craft.reserve for a in offered), "nothing that would be refused"
        estimate = domain.hunted[0].surveys.spared(sky.flight.at, float(charge), 1) >= domain.charts.craft.reserve
        assert {a for a, yes in zip(domain.hunt.areas, estimate, strict=True) if yes} <= offered
        more = len(offered) - int(estimate.sum())
        assert 0 <= more <= NEARLY_MAX
        most = max(most, more)
    assert most > 0, "the exact course allows more than the estimate"


def test_four_squares_at_once_are_a_sweep_and_no_place_to_be_told_of() -> None:
    sky = Sky()
    domain = sky.domain()
    domain.hunt.areas = (*domain.hunt.areas, *sky.ground.blocks)
    sky.fly()
    sky.tell(domain)
    found = {c.statement.split('"')[1]: c.can for c in domain.candidates("search_area")}
    assert found["A1-B2"] > max(found[a] for a in ("A1", "A2", "B1", "B2"))
    assert "areas within reach of the battery: 10" in domain.told().notes


def test_a_sweep_without_a_find_cools_its_area_and_is_told() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    before = {c.statement: c.can for c in domain.candidates("search_area")}
    sky.swept("A1")
    sky.tell(domain, next(c for c in domain.candidates("search_area") if "A1" in c.statement))
    after = {c.statement: c.can for c in domain.candidates("search_area")}
    assert after['search_area("A1")'] < 0.5 * before['search_area("A1")']
    assert after['search_area("A3")'] > before['search_area("A3")']
    assert domain.told().history == (Attempt("search A1", ended="nothing new"),)


def test_a_sighting_is_to_be_confirmed_and_the_operators_word_counts() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    sky.swept("A1", seen=[(-200.0, 200.0)])
    sky.tell(domain, step(domain, "search_area", 1))
    assert 0.5 < can(domain)["confirm"] <= 1.0
    assert "sightings not checked: person" in " ".join(domain.told().notes)
    confirm = step(domain, "confirm")
    assert confirm.statement == 'confirm("s10")'
    sky.asked("s10", "no", (-200.0, 200.0))
    sky.tell(domain, confirm)
    assert "confirm" not in can(domain)
    assert "denies" in domain.told().history[-1].ended
    assert not domain.all_found


def test_what_is_not_to_be_confirmed_is_reported_and_not_flown_to() -> None:
    sky = Sky(wishes={"find her": replace(RED, unconfirmed=True)})
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    sky.swept("A1", seen=[(-200.0, 200.0)])
    domain.news()
    sky.tell(domain, step(domain, "search_area", 1))
    assert "confirm" not in can(domain) and not domain.candidates("confirm")
    assert not any(c.kind == "confirm" for c in domain.everything())
    [news] = domain.news()
    assert news.startswith("A person may be at x -200 m, y 200 m") and news.endswith("I do not fly there.")
    sky.flight = Flight((0.0, 0.0, 0.0), 0.9)
    sky.tell(domain)
    ended = domain.over()
    assert ended and not ended.met and news in ended.reason


def test_found_confirmed_and_home_is_the_end() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    sky.swept("A1", seen=[(-200.0, 200.0)])
    sky.tell(domain, step(domain, "search_area", 1))
    sky.asked("s10", "yes", (-200.0, 200.0))
    sky.tell(domain, step(domain, "confirm"))
    assert domain.all_found and domain.over() is None
    assert max(zip(domain.pay(every := [step(domain, "hover"), step(domain, "return_home")]), every, strict=True),
               key=lambda pair: pair[0])[1].kind == "return_home"  # fmt: skip
    sky.fly((0.0, 0.0, 0.0))
    sky.tell(domain, step(domain, "return_home"))
    verdict = domain.over()
    assert verdict is not None and verdict.met and "found the person" in verdict.reason


def test_what_was_asked_for_on_a_find_is_due_until_it_is_done() -> None:
    sky = Sky(wishes={"find her": replace(RED, on_find=("confirm", "image", "home"))})
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    sky.swept("A1", seen=[(-200.0, 200.0)])
    sky.tell(domain, step(domain, "search_area", 1))
    assert not any("still to do" in note for note in domain.told().notes)
    sky.asked("s10", "yes", (-200.0, 200.0))
    sky.tell(domain, step(domain, "confirm"))
    assert "still to do: take one image of what is below" in domain.told().notes
    sky.tell(domain, step(domain, "take_image"))
    assert not any("still to do" in note for note in domain.told().notes)


def test_a_step_that_failed_is_not_offered_at_once_again() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    refused = step(domain, "search_area", 2)
    sky.tell(domain, refused, failure="the limit battery reserve is at least 15%")
    assert refused.statement not in [c.statement for c in domain.candidates("search_area")]
    assert "battery reserve" in domain.told().history[-1].ended
    sky.tell(domain, step(domain, "hover"))
    assert refused.statement in [c.statement for c in domain.candidates("search_area")]


def test_a_likely_sighting_that_was_denied_is_shown_again_but_not_for_ever() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.fly()
    sky.swept("B2", [(0.0, 0.0)])
    sky.tell(domain)
    sighting = domain.candidates("confirm")[0].statement.split('"')[1]
    shown = 0
    while can(domain).get("confirm") and shown < 10:
        sky.asked(sighting, "no", (0.0, 0.0))
        sky.tell(domain, step(domain, "confirm"))
        shown += 1
    assert 1 <= shown <= LOOKS_MAX
    assert shown > 1 or domain.hunted[0].where.belief.probability.max() < AGAIN
