"""Names are grounded and descriptions picked, on views made by hand."""

from __future__ import annotations

import pytest

from sayso.errors import SkillFailed
from sayso.grounding.matching import wanted_person, wanted_thing
from sayso.grounding.names import read_names
from sayso.robots.service.world import FLAT
from sayso.scene import Box, Pose, Thing
from sayso.worlds.indoor.rooms import table
from sayso.worlds.indoor.scene import read_flat
from sayso.worlds.indoor.voice import _called

NAMES = read_names(table(read_flat("flat", FLAT), Pose()))


def thing(label: str, x: float, on: str = "counter", z_m: float = 0.9, **attributes: str) -> Thing:
    kind = NAMES.kinds[label]
    known = {"category": kind["category"], "color": kind["paint"], "on": on, **attributes}
    return Thing(label, label, Box(x, 0.5, 0.1, 0.1), 1.0, Pose(0.5 - x, 0.0, z_m), known)


def person(name: str, **attributes: str) -> Thing:
    return Thing(name, "person", Box(0.5, 0.5, 0.2, 0.6), 2.0, Pose(1, 0, 1), {"name": name, **attributes})


VIEW = (
    thing("coke", 0.3),
    thing("sprite", 0.5),
    thing("cup", 0.7),
    thing("apple", 0.7, on="cup", z_m=1.0),
    thing("bowl", 0.9),
)
PEOPLE = (
    person("operator", gender="female", pose="standing"),
    person("Mary", gender="female", pose="sitting", gesture="waving", shirt="red", clothing="red t-shirt"),
    person("Alex", gender="male", pose="standing", gesture="raising left arm", shirt="blue", clothing="blue jacket"),
)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("kitchen", "kitchen"), ("the Living Room", "living room"), ("to the kitchen, please", "kitchen"),
        ("sofa", "couch"), ("bookshelf", "bookcase"), ("dinning table", "dining table"), ("end_table", "end table"),
        ("I would like to go to the bedroom", "bedroom"), ("cab", "taxi"), ("kitchn", "kitchen"),
    ],
)  # fmt: skip
def test_places_are_grounded(said: str, name: str) -> None:
    place = NAMES.place(said)
    assert place is not None and place.name == name


def test_an_unknown_place_tells_the_known_ones() -> None:
    with pytest.raises(SkillFailed, match=r"no place is called 'garage'.*living room"):
        NAMES.must_place("garage")
    with pytest.raises(SkillFailed, match="did you mean"):
        NAMES.must_place("book stand")


@pytest.mark.parametrize(
    ("said", "name"),
    [("cola", "coke"), ("apples", "apple"), ("a coke, please", "coke"), ("chips", "potato chips"), ("orange", "orange"),
     ("orange juice", "orange juice"), ("mug", "cup"), ("dragon", "")],
)  # fmt: skip
def test_objects_are_grounded(said: str, name: str) -> None:
    assert NAMES.thing(said) == name


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("coke", ["coke"]), ("drink", ["coke", "sprite"]), ("green drink", ["sprite"]),
        ("red object", ["coke", "apple", "bowl"]),
        ("object on top of the cup", ["apple"]), ("the object to the left of the sprite", ["coke"]),
        ("dish under the apple", ["cup"]), ("leftmost drink", ["coke", "sprite"]), ("biggest dish", ["bowl", "cup"]),
        ("lightest object", ["apple", "cup", "bowl", "coke", "sprite"]), ("apple on the sink", []),
        ("drinks on the counter", ["coke", "sprite"]),
    ],
)  # fmt: skip
def test_descriptions_pick_things(said: str, found: list[str]) -> None:
    wanted = wanted_thing(said, NAMES)
    assert wanted is not None and [t.label for t in wanted.pick(VIEW)] == found


def test_what_names_nothing_is_no_description() -> None:
    assert wanted_thing("dragon", NAMES) is None


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Mary", ["Mary"]), ("me", ["operator"]), ("person", ["Mary", "Alex"]), ("woman", ["Mary"]),
        ("a man", ["Alex"]),
        ("person waving", ["Mary"]), ("somebody sitting", ["Mary"]), ("person raising their left arm", ["Alex"]),
        ("person pointing to the left", []), ("woman wearing a red t-shirt", ["Mary"]),
        ("person in the blue jacket", ["Alex"]),
        ("person wearing a blue shirt", []), ("standing person", ["Alex"]), ("him", ["Alex"]), ("Robert", []),
    ],
)  # fmt: skip
def test_descriptions_pick_people(said: str, found: list[str]) -> None:
    assert [p.id for p in wanted_person(said, NAMES, PEOPLE[2]).pick(PEOPLE)] == found


def test_questions_are_answered_from_the_table() -> None:
    assert "Paris" in NAMES.answer("What is the capital of France?")
    assert "Saturday" in NAMES.answer("tell me what day is today")
    assert NAMES.answer("what colour is envy?") == ""


@pytest.mark.parametrize(
    ("sentence", "called"),
    [
        ("Where can I find Charlie?", False),
        ("Charlie, where are you?", True),
        ("Hello Charlie, how are you?", True),
        ("Please leave, Charlie.", True),
        ("Please take the coke, Charlie.", True),
        ("This is Charlie.", True),
        ("Where can I find Mary?", False),
    ],
)
def test_a_question_about_somebody_is_not_said_to_them(sentence: str, called: bool) -> None:
    assert _called("Charlie", sentence) is called


def test_the_ground_is_rooms_and_furniture_by_name() -> None:
    """G47"""
    ground, kitchen = NAMES.ground, NAMES.places["kitchen"]
    counter = next(p for p in NAMES.within("kitchen") if p.at)
    assert ground.below(kitchen.stand) == {"kitchen"}
    assert counter.at is not None and ground.below(counter.at) == {"kitchen", counter.name}
    assert counter.name in ground.spots and "kitchen" not in ground.spots
    assert {"kitchen", counter.name} <= ground.names
