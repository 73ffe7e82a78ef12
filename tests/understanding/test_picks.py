"""Plain commands about things that have to be picked, read by code to their last word (U3, U7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.errors import Unclear
from sayso.goal import Clause
from sayso.goals.text import parse, show, written
from sayso.understanding.picks import picked

PLAIN = {
    "stay there": "waited(1 s)",
    "come back": "home",
    "rise 40 cm": "moved(up, 40 cm)",
    "take a picture": "picture",
}


def plain(text: str) -> Clause | None:
    """A double of the plain commands."""
    return parse(PLAIN[text]) if text in PLAIN else None


@pytest.mark.parametrize(
    ("sentence", "goal"),
    [
        ("fly to the lamp that is closest to you", "at(nearest lamp)"),
        ("please turn to the smallest mug", "facing(smallest mug)"),
        ("go to the lamp or the bench, whichever is nearer", "at(nearest {lamp or bench})"),
        ("approach the taller of the lamp and the bench", "at(tallest {lamp or bench})"),
        ("photograph everybody but the woman in white", "each(all person but woman.white) { picture(it) }"),
        ("visit both lamps and come back", "each(2 lamp) { at(it) } then home"),
        ("rise 40 cm, then go to the third mug from the right", "moved(up, 0.4 m) then at(nth 3 rightmost mug)"),
        ("go to every lamp and take a picture of it", "each(all lamp) { at(it) then picture(it) }"),
        ("find the largest mug, then take a photo of it", "found(largest mug) then picture(largest mug)"),
        ("take pictures of the lamp, the mug and the bench", "picture(lamp) then picture(mug) then picture(bench)"),
        ("go to the lamp or the bench", "at(lamp) or at(bench)"),
        ("head to either the bench or the mug", "at(bench) or at(mug)"),
        ("go to the red lamp and stay there", "at(lamp.red) then waited(1 s)"),
        ("go to the man with the kettle", "at(man.kettle)"),
        ("approach the smaller one of the two lamps", "at(smallest lamp)"),
        ("face the bench with a mug on it", "facing(bench under mug)"),
        ("face the bench with the mug", "facing(bench under mug)"),
        ("face the bench that has no mug on it", "facing(bench but bench under mug)"),
        ("fly to the middle one of the five lamps", "at(nth 3 leftmost lamp)"),
        ("go to the white lamp, not the other one", "at(lamp.white)"),
        ("lamp or bench, whichever is nearer - move there", "at(nearest {lamp or bench})"),
        ("find the mug that's on the bench", "found(mug on bench)"),
        ("find a lamp standing behind the bench", "found(lamp behind bench)"),
        ("look at the woman or man in white", "facing(person.white)"),
        ("fly round the lamp behind you once", "visited(lamp behind you)"),
        ("go to the red lamp, not the blue one", "at(lamp.red)"),
        ("face the man who isn't in white", "facing(man but man.white)"),
        ("face the bench that doesn't have a mug on it", "facing(bench but bench under mug)"),
        ("visit the lamp, the mug and the red bench in that order", "at(lamp) then at(mug) then at(bench.red)"),
        ("if the mug is on the bench, come back", "if found(mug on bench) { home }"),
        ("if there is no mug on the bench, come back", "if not found(mug on bench) { home }"),
        (
            "if you see a mug on the bench, tell me, otherwise come back",
            "if found(mug on bench) { said('Yes, I see it.') } else { home }",
        ),
        ("go to the bench where the mugs are", "at(bench under mug)"),
        (
            "if nobody is by the lamp, come back, otherwise stay there",
            "if found(person beside lamp) { waited(1 s) } else { home }",
        ),
        ("go to the lamp that is further away", "at(furthest lamp)"),
        ("face whoever is standing closest", "facing(nearest person)"),
        ("approach whichever shelf has the vase on it", "at(shelf under vase)"),
        ("unless there is a man by the lamp, come back", "if not found(man beside lamp) { home }"),
        ("if anyone is in white, rise 40 cm", "if found(person.white) { moved(up, 0.4 m) }"),
        (
            "if you see a mug on the bench, go to it and snap it, or else come back",
            "if found(mug on bench) { at(mug on bench) then picture(mug on bench) } else { home }",
        ),
        (
            "if there is a mug on the bench rise 40 cm, otherwise come back",
            "if found(mug on bench) { moved(up, 0.4 m) } else { home }",
        ),
    ],
)
def test_u7_a_plain_command_picks_what_it_says(sentence: str, goal: str) -> None:
    read = picked(sentence, (), plain)
    assert read is not None
    assert written(read) == goal
    assert parse(show(read)) == read


@pytest.mark.parametrize(
    "sentence",
    [
        "go to the lamp",  # a plain command
        "do not go to the nearest lamp",
        "go to the nearest lamp unless somebody is there",
        "bring me the nearest mug",
        "go to the nearest lamp very quickly indeed",
        "face every lamp",
        "if there is a lamp rise 40 cm, otherwise come back",  # a plain command
        "if there is a mug on the bench rise slowly",
    ],
)
def test_u3_what_is_not_read_to_the_last_word_is_left_to_others(sentence: str) -> None:
    assert picked(sentence, (), plain) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("go to the lamp or the mug, whichever is closer", "go to the lamp or the mug, whichever is farther"),
        ("take a picture of every lamp", "take a picture of every lamp but the red one"),
        ("go to the second mug from the left", "go to the second mug from the right"),
        ("go to the mug on the bench", "go to the mug under the bench"),
        ("visit two lamps", "visit three lamps"),
    ],
)
def test_u3_another_word_is_another_goal(one: str, other: str) -> None:
    assert picked(one, (), plain) is not None
    assert picked(one, (), plain) != picked(other, (), plain)


SOME = "go to the nearest lamp or mug and every red it , but both"


@given(st.lists(st.sampled_from(SOME.split()), max_size=14))
def test_any_words_are_a_goal_or_none(said: list[str]) -> None:
    try:
        read = picked(" ".join(said), (), plain)
    except Unclear:
        return
    assert read is None or parse(show(read)) == read
