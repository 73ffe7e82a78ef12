"""The suite's sentences, read as they should be, are the searches that the suite means."""

from __future__ import annotations

import pytest

from sayso.grounding.terms import terms
from sayso.robots.aircraft.form import SEARCH
from sayso.robots.aircraft.operator_wish import Grounds, clauses_of, heard
from sayso.robots.aircraft.search.lost import categories
from sayso.robots.aircraft.search.terrain import KINDS
from sayso.robots.aircraft.search.wish import subject_of
from sayso.robots.aircraft.suite.episode import mission, missions
from sayso.robots.aircraft.world.scene import read_scene

READINGS = {
    "open-fields": "find(person); colour(red); in('open fields')",
    "highway": "find(person); colour(orange); is(dementia); toward(highway); seen('north field'); ago(300 s)",
    "road-walker": "find(person); colour(white); is(dementia); seen(highway); ago(240 s)",
    "two-fields": "find(person); colour(yellow); moves(still); in('north field'); in('east field')",
    "child-south": "find(child); colour(red); seen('south field'); ago(240 s)",
    "west-unconscious": "find(person); colour(blue); moves(still); in('west field'); then(image)",
    "car": "find(car); colour(white); in('north field'); in('south field'); in(highway)",
    "west-south": "find(person); colour(orange); in('west field'); in('south field')",
    "dog": "find(dog); colour(white); seen('east field'); ago(180 s)",
    "brook": "find(child); colour(yellow); toward(village); seen(brook); ago(240 s)",
    "north-patient": "find(person); colour(red); is(dementia); seen('north field'); ago(240 s)",
    "south-east": "find(person); colour(orange); is(hiker); in('south field'); in('east field')",
    "west-moor": "find(person); colour(red); is(hiker); toward(track); seen(farm); ago(240 s)",
    "snow-child": "find(child); colour(red); seen(track); ago(240 s)",
    "track": "find(car); colour(black); in(track); in(farm)",
    "lake": "find(person); colour(orange); seen(lake); ago(240 s)",
    "lake-patient": "find(person); colour(black); is(dementia); toward(track); seen(lake); ago(300 s)",
    "park": "find(child); colour(yellow); in(park)",
    "meadow": "find(person); moves(still); in(meadow); in(park)",
    "town-child": "find(child); toward(town); seen(park); ago(240 s)",
    "night-patient": "find(person); is(dementia); seen(street); ago(180 s)",
    "night-dog": "find(dog); seen(meadow); ago(180 s)",
}  # fmt: skip


def test_every_mission_has_a_reading() -> None:
    assert {m.id for m in missions()} == READINGS.keys()


@pytest.mark.parametrize("name", READINGS)
def test_a_sentence_read_as_it_should_be_is_the_search_that_is_meant(name: str) -> None:
    row, reading = mission(name), f"{READINGS[name]}; then(confirm); then(home)"
    held_to = SEARCH.constraint(SEARCH.reads(row.says))
    assert held_to.take(reading) and held_to.may_end
    clauses, terrain = clauses_of(reading), read_scene(row.scene).terrain
    assert clauses
    wish = heard(clauses, row.says, Grounds(terrain.places, KINDS, categories()))
    assert (wish.areas, wish.avoid, wish.on_find, wish.bounds, wish.left_out) == (
        row.wish.areas, row.wish.avoid, row.wish.on_find, row.wish.bounds, (),
    )  # fmt: skip
    assert tuple(subject_of(s, wish, terrain) for s in wish.sought) == row.subjects(terrain)


@pytest.mark.parametrize(
    ("said", "areas"),
    [
        ("a woman is missing, look for her near the lake", ("lake",)),
        ("a woman was seen near the lake, look for her", ()),
    ],
)
def test_u3_near_a_place_is_searched_unless_that_part_tells_that_somebody_was_seen_there(
    said: str, areas: tuple[str, ...]
) -> None:
    terrain = read_scene(mission("lake").scene).terrain
    clauses = (("find", "person"), ("seen", "lake"), *terms(said, terrain.places))
    assert heard(clauses, said, Grounds(terrain.places, KINDS, categories())).areas == areas
