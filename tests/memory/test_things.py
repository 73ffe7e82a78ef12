"""Identity: what is seen again is the same thing, what moved has moved, what is gone is not silently kept."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_rooms import EYE, look, thing, unnamed

from sayso.errors import UsageError
from sayso.memory.thing_record import ThingRecord
from sayso.memory.things import ThingMap
from sayso.scene import Box, Pose, Thing


def only(things: ThingMap) -> ThingRecord:
    (unit,) = things
    return unit


def whats(things: ThingMap) -> list[str]:
    return [turn.what for turn in things.drain().turns]


def test_the_same_thing_from_two_sides_is_one_unit() -> None:
    things = ThingMap()
    things.see(look([thing("apple", 2, 0)], 1))
    there = Pose(4, 0, 1, 3.14)
    things.see(look([thing("apple", 2.1, 0.1, eye=there)], 2, eye=there, mission="another"))
    unit = only(things)
    assert (unit.label, unit.born_s, unit.seen_s) == ("apple", 1, 2)
    assert unit.pose and unit.pose.x_m == 2.1, "the last look counts"
    assert whats(things) == ["seen"]


def test_two_like_things_stay_two() -> None:
    things = ThingMap()
    for at_s in range(4):
        things.see(look([thing("can", 2, 0), thing("can", 2, 0.3)], at_s, mission=f"m{at_s}"))
    assert len(things) == 2
    things.see(look([thing("can", 2, 0.32, id_="new")], 9, mission="m9"))
    assert len(things) == 2 and max(u.seen_s for u in things) == 9
    assert {round(u.pose.y_m, 2) for u in things if u.pose} == {0.0, 0.32}


def test_attributes_that_contradict_tell_things_apart() -> None:
    things = ThingMap()
    things.see(look([thing("cup", 2, 0, likes={"color": "red"})], 1))
    things.see(look([thing("cup", 2, 0.05, likes={"color": "blue"}, id_="b")], 2, mission="n"))
    things.see(look([thing("cup", 2, 0.05, likes={"size": "large"}, id_="c")], 3, mission="o"))
    assert sorted(u.attributes["color"] for u in things) == ["blue", "red"], "the third one said nothing against either"


def test_perceptions_ids_count_within_a_mission_only() -> None:
    things = ThingMap()
    things.see(look([thing("apple", 2, 0, id_="7")], 1))
    things.see(look([thing("apple", 2, 1.8, id_="7")], 20))
    assert only(things).pose == Pose(2, 1.8, 1.0)
    assert whats(things) == ["seen", "moved"]
    things.see(look([thing("apple", 3.5, -1.5, id_="7")], 30, mission="tomorrow"))
    assert len(things) == 2, "another mission's 7 is another thing, for all that is known"


def test_a_label_for_an_id_tells_nothing_apart() -> None:
    things = ThingMap()
    things.see(look([unnamed(thing("chair", 2, 0))], 1))
    things.see(look([unnamed(thing("chair", 2, 1.9))], 2))
    assert len(things) == 2


def test_something_followed_by_eye_makes_no_history() -> None:
    things = ThingMap()
    for n in range(20):
        things.see(look([thing("ball", 1 + 0.3 * n, 0, id_="b")], n, seeing=False))
    assert whats(things) == ["seen"]
    assert only(things).pose == thing("ball", 1 + 0.3 * 19, 0).pose


def test_without_a_distance_the_image_decides() -> None:
    things = ThingMap()
    things.see(look([thing("apple", 2, 0)], 1))
    flat = Thing("a", "apple", Box(0.5, 0.5, 0.05, 0.05))
    things.see(look([flat], 2, mission="n"))
    assert only(things).pose == Pose(2, 0, 1), "the place is kept"
    things.see(look([flat, replace(flat, id="b", box=Box(0.1, 0.5, 0.05, 0.05))], 3, mission="o"))
    assert [u.pose for u in things] == [Pose(2, 0, 1), None], "one more, whose place nobody knows"
    things.see(look([thing("apple", 2, 0), thing("apple", 2, 1.1)], 4, mission="p"))
    assert sorted(u.pose.y_m for u in things if u.pose) == [0, 1.1], "now it is known"


def test_from_far_away_errors_are_larger() -> None:
    things, far = ThingMap(), Pose(0, 0, 50)
    things.see(look([thing("car", 200, 0, eye=far)], 1, eye=far))
    things.see(look([thing("car", 206, 3, eye=far)], 2, eye=far, mission="n"))
    things.see(look([thing("car", 200, 90, eye=far)], 3, eye=far, mission="o"))
    assert len(things) == 2


# Negative evidence


def test_a_place_seen_without_its_object_marks_it_stale() -> None:
    things = ThingMap()
    things.see(look([thing("apple", 2, 0)], 1))
    for at_s in (2, 3, 4):
        assert not only(things).stale
        things.see(look([], at_s))
    unit = only(things)
    assert unit.stale and unit.missed_s == 4 and unit.pose == Pose(2, 0, 1), "kept, and known to be gone"
    assert whats(things) == ["seen", "missing"]
    things.see(look([thing("apple", 2, 0)], 5))
    assert not only(things).stale and only(things).missed_s == 0
    assert whats(things) == ["found"]


TABLE = replace(thing("table", 2, 0, 0.5), box=Box(0.5, 0.7, 0.6, 0.5), distance_m=1.2)
SCREEN = replace(thing("screen", 1, 0), box=Box(0.5, 0.5, 0.3, 0.3), distance_m=0.9)


@pytest.mark.parametrize(
    ("first", "later", "eye", "gone"),
    [
        ([], [], EYE, True),
        ([], [SCREEN], EYE, False),  # something stands in front
        ([TABLE], [TABLE], EYE, True),  # it lies on the table, which hid nothing before
        ([], [TABLE], EYE, False),  # a table that was not there before may hide it
        ([], [], Pose(0, 0, 1, 0.58), False),  # at the edge of the frame
        ([], [], Pose(0, 0, 1, 3.0), False),  # behind the camera
        ([], [], Pose(-3, 0, 1, 0), False),  # further away than it was ever recognised
        ([], [], Pose(1.9, 0, 1, 0), False),  # too near
    ],
)  # fmt: skip
def test_absence_says_something_only_where_presence_would_show(
    first: list[Thing], later: list[Thing], eye: Pose, gone: bool
) -> None:
    things = ThingMap()
    apple = replace(thing("apple", 2, 0), box=Box(0.5, 0.5, 0.05, 0.05))
    things.see(look([apple, *first], 1))
    for at_s in range(2, 8):
        things.see(look(later, at_s, eye=eye))
    assert next(u for u in things if u.label == "apple").stale is gone


def test_without_a_known_view_nothing_is_missed() -> None:
    things = ThingMap()
    things.see(look([thing("apple", 2, 0)], 1, seeing=False))
    for at_s in range(2, 9):
        things.see(look([], at_s, seeing=False))
    assert not only(things).stale


def test_a_look_into_the_past_takes_nothing_back() -> None:
    things = ThingMap()
    things.see(look([thing("apple", 2, 0)], 10))
    for at_s in range(1, 9):
        things.see(look([], at_s))
    things.see(look([thing("apple", 2, 0.2)], 5))
    assert not only(things).stale and only(things).pose == Pose(2, 0, 1) and only(things).born_s == 5


def test_what_was_missing_and_is_seen_elsewhere_has_moved() -> None:
    things = ThingMap()
    things.see(look([thing("apple", 2, 0, likes={"color": "red"})], 1, mission="yesterday"))
    for at_s in (20, 21, 22):
        things.see(look([], at_s, mission="today"))
    other = Pose(0, 0, 1, 1.57)
    things.see(look([thing("apple", 0, 3, likes={"color": "green"}, eye=other)], 23, mission="today", eye=other))
    assert len(things) == 2, "a green one is not the red one"
    things.see(look([thing("apple", 0.9, 2.8, likes={"color": "red"}, eye=other)], 24, mission="today", eye=other))
    red = next(u for u in things if u.attributes["color"] == "red")
    assert len(things) == 2 and red.id == 1 and red.pose == Pose(0.9, 2.8, 1) and not red.stale
    assert whats(things) == ["seen", "missing", "seen", "moved"]


def test_what_is_seen_elsewhere_first_and_then_missed_has_moved_too() -> None:
    things = ThingMap()
    things.see(look([thing("apple", 2, 0)], 1, mission="yesterday"))
    other = Pose(0, 0, 1, 1.57)
    things.see(look([thing("apple", 0, 3, eye=other)], 20, mission="today", eye=other))
    assert len(things) == 2
    for at_s in (21, 22, 23):
        things.see(look([], at_s, mission="today"))
    unit = only(things)
    assert unit.id == 1 and unit.born_s == 1 and unit.pose == Pose(0, 3, 1)
    changes = things.drain()
    assert changes.gone == {2: 1} and [t.what for t in changes.turns] == ["seen", "seen", "missing", "moved"]


# The hand, and people


def test_what_is_held_is_not_missed_and_what_is_released_is_found() -> None:
    things = ThingMap()
    things.see(look([thing("apple", 2, 0), thing("pear", 2, 0.5)], 1))
    things.hold(1, 2)
    for at_s in range(3, 9):
        things.see(look([thing("pear", 2, 0.5)], at_s))
    assert things[1].held and not things[1].stale
    things.see(look([thing("apple", 0.4, 0.1), thing("pear", 2, 0.5)], 9))
    assert len(things) == 2, "the apple before the camera is the one in the hand"
    things.release(1, 10, "toy rack")
    assert things[1].place == "toy rack" and things[1].pose is None
    things.see(look([thing("apple", 3, -1)], 11))
    assert things[1].pose == Pose(3, -1, 1) and not things[1].held and len(things) == 2
    assert [w for w in whats(things) if w != "seen"][:2] == ["held", "released"]


def test_a_person_knows_better() -> None:
    things = ThingMap()
    things.see(look([thing("coke", 2, 0, likes={"color": "red"})], 1))
    better = things.correct(1, 2, name="Mary's can", attributes={"color": "", "full": "yes"})
    assert (better.called, better.label, dict(better.attributes)) == ("Mary's can", "coke", {"full": "yes"})
    assert things.correct(1, 3, present=False).stale
    assert things.correct(1, 4, place="fridge").pose is None
    things.see(look([thing("coke", 5, 5, eye=Pose(4, 5, 1))], 5, eye=Pose(4, 5, 1)))
    assert only(things).called == "Mary's can", "the camera goes on calling it coke"
    things.forget(1)
    assert len(things) == 0 and things.drain().gone == {1: 0}
    with pytest.raises(UsageError, match="no thing 1"):
        things.forget(1)


# Rules for any observations

SPOTS = [(x, y) for x in (1.0, 2.2) for y in (-1.2, 0.0, 1.2)]
PLACED = st.lists(
    st.tuples(st.sampled_from(["apple", "cup", "can"]), st.sampled_from(SPOTS)),
    min_size=1,
    max_size=6,
    unique_by=lambda p: p[1],
)


@settings(max_examples=60)
@given(PLACED, st.integers(2, 6), st.randoms(use_true_random=False))
def test_any_order_of_looks_at_a_still_room_gives_the_same_things(
    room: list[tuple[str, tuple[float, float]]], looks: int, chance: random.Random
) -> None:
    def seen(at_s: int) -> list[Thing]:
        shown = [p for p in room if at_s == 0 or chance.random() < 0.7]
        near = [(label, x + chance.uniform(-0.1, 0.1), y + chance.uniform(-0.1, 0.1)) for label, (x, y) in shown]
        return [unnamed(thing(*n)) for n in near]

    all_looks = [look(seen(n), n, mission=f"m{n % 2}", seeing=False) for n in range(looks)]
    results = []
    for _ in range(2):
        things = ThingMap()
        for one in all_looks:
            things.see(one)
        results.append(sorted((u.label, u.pose.x_m, u.pose.y_m, u.seen_s, u.born_s) for u in things if u.pose))
        chance.shuffle(all_looks)
    assert results[0] == results[1]
    assert sorted(label for label, *_ in results[0]) == sorted(label for label, _ in room)


LOOKS = st.lists(
    st.tuples(PLACED, st.floats(0, 50), st.sampled_from(["a", "b"]), st.booleans(), st.floats(-3, 3)), max_size=12
)


@settings(max_examples=60)
@given(LOOKS)
def test_any_looks_leave_what_was_seen_last_and_agreeing_files(looks: list[tuple]) -> None:  # type: ignore[type-arg]
    things = ThingMap()
    for room, at_s, mission, seeing, yaw in sorted(looks, key=lambda one: one[1]):
        eye = replace(EYE, yaw_rad=yaw)
        shown = [thing(label, x, y, eye=eye) for label, (x, y) in room]
        things.see(look(shown, at_s, mission=mission, eye=eye, seeing=seeing))
        for one in shown:
            assert any(u.label == one.label and u.pose == one.pose and not u.stale for u in things), one
        assert len({u.id for u in things}) == len(things)
        again = ThingMap(things)
        assert [*again] == [*things]
        assert {k: v for k, v in again._kinds.items() if v} == {k: v for k, v in things._kinds.items() if v}
