"""What the drone's short form makes of a reading: a name that was said is in it, or asked about (U3)."""

from __future__ import annotations

import pytest

from sayso.errors import NotUnderstood
from sayso.goals.text import parse
from sayso.robots.drone.form import planned, unable
from sayso.scene import Scene
from sayso.skills.talk import spoken
from sayso.understanding.gaps import undirected


def test_u3_a_name_that_the_reading_leaves_out_is_asked_about() -> None:
    with pytest.raises(NotUnderstood, match="“bench” is left out"):
        planned("found(mug)", "find the mug under the bench", Scene())
    assert planned("found(mug)", "My lamp broke. Find the mug!", Scene()), "a story names what is not asked for"
    assert planned("at('something to read')", "fly to something to read by the lamp", Scene()), "eyes look everywhere"


@pytest.mark.parametrize(
    ("reading", "wish", "goal"),
    [
        ("at('mug on the bench')", "fly to the mug on the bench", "at(mug on bench)"),
        ("at('person in white')", "fly to the person in white", "at(person.white)"),
        ("at('juggler in the white coat')", "fly to the juggler in the white coat", "at(person.white)"),
        ("at('lamp furthest on the left')", "fly to the lamp furthest on the left", "at(leftmost lamp)"),
        ("facing(lamp.red but 'red lamp'.blue)", "face the red lamp, not the blue one", "facing(lamp.red)"),
        ("if sees(mug) { home }", "check that the mug is there, then return", "if found(mug) { home }"),
        ("if sees(mug) { home }", "if you see a mug, return", "if sees(mug) { home }"),
        (
            "turned(back) then at(mug behind you)",
            "turn round and fly to the mug behind you",
            "turned(back) then at(mug before you)",
        ),
        (
            "turned(left, 90 deg) then at(mug behind you)",
            "turn left by 90 degrees and fly to the mug behind you",
            "turned(left, 90 deg) then at(mug behind you)",
        ),
        (
            "if sees(person.pink) { at(person) }",
            "if you see someone in pink, fly to them",
            "if sees(person.pink) { at(person.pink) }",
        ),
    ],
)
def test_u7_a_thing_is_told_apart_by_what_a_reading_took_for_its_name(reading: str, wish: str, goal: str) -> None:
    assert planned(reading, wish, Scene()).rpartition("\n")[2] == f"want {goal}"


@pytest.mark.parametrize(
    "wish",
    [
        "please film the bench",
        "fly to the lamp and take a selfie",
        "chase the dog",
        "keep an eye on the mug",
        "set yourself down on the bench",
        "could you carry these plates to the bench",
        "go to the bench and hand me the spoon",
        "take my hat over to the lady",
    ],
)
def test_u3_what_no_skill_does_is_refused_and_not_half_done(wish: str) -> None:
    assert unable(wish)
    assert not any(
        map(
            unable,
            (
                "land on the floor by the bench",
                "find a video camera",
                "take a picture of the film",
                "hold your height",
                "pass the bench on the left",
                "what does he carry?",
                "take off and go to the man",
            ),
        )
    )


def test_u3_what_no_table_tells_of_is_asked_about_before_it_moves() -> None:
    with pytest.raises(NotUnderstood, match="I do not know what “snorfle” is"):
        planned("at(snorfle)", "fly to the snorfle", Scene())


def test_u3_a_way_to_which_no_word_leads_is_asked_about() -> None:
    moved = parse("moved(back, 2 m)")
    assert "Which way do you mean?" in undirected("slip out two metres", moved)
    assert not undirected("go backwards two metres", moved)
    assert not undirected("hop in front by 2 m", parse("moved(forward, 2 m)"))


def test_what_is_said_has_no_names_for_machines() -> None:
    assert spoken("I go to the lamp[0.23], not to the lamp#lamp-2.") == "I go to the lamp, not to the lamp."
    assert spoken("room #5 [1]") == "room #5 [1]"


def test_u9_men_and_women_are_not_counted_by_who_sees_people() -> None:
    with pytest.raises(NotUnderstood, match="cannot tell men from women"):
        planned("answered('how many all round', women)", "how many women are there?", Scene())
    assert planned("answered('how many all round', people)", "how many people are there?", Scene())
