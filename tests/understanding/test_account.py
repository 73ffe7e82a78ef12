"""The account of a sentence: no phrase of it is without effect and without a word (U3)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sayso.goals.text import parse
from sayso.models.pocket.reading import contradicts
from sayso.understanding import account
from sayso.understanding.account import lost, named, phrases
from sayso.understanding.operators import PLAIN, doubtful

GOES, BRINGS = parse("at(lamp)"), parse("placed('warm milk', 'tea table')")


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("go to the lamp with your lights off", ["with your lights"]),
        ("on Monday, go to the lamp that Ben painted", ["on monday", "that ben painted"]),
        ("tonight, go to the lamp and whistle", ["tonight", "and whistle"]),
        ("go to the lamp from behind the curtain at sunset", ["from behind the curtain", "at sunset"]),
        ("go to the dusty lamp", ["dusty"]),
        ("go to the upper rim of the lamp", ["the upper rim of"]),
        ("go to the lamp over there", []),
        ("glide low to the lamp", ["low"]),
        ("drift over to the lamp", []),
        ("don't go to the vase, go to the lamp", []),
        ("go to the wobbly one", ["wobbly"]),
        ("get to the old lamp now please, I am in the kitchen", ["old"]),
        ("go to the lamp and stay there", []),
        ("go to the lamp in this room if you like", []),
        ("go to the lamp and do not land", []),  # which is not done
    ],
)  # fmt: skip
def test_u3_a_phrase_with_words_of_its_own_asks_for_something(sentence: str, found: list[str]) -> None:
    assert [one.text for one in phrases(sentence, GOES) if not named(one, GOES)] == found


def test_u3_a_phrase_of_which_nothing_is_made_is_lost() -> None:
    said, held = "bring the warm milk to the tea table by the wall", parse("placed(milk, 'tea table')")
    assert [one.text for one in lost(said, BRINGS, held)] == ["warm"]
    assert not [*lost(said, BRINGS, BRINGS)]


WORDS = ["go", "to", "the", "lamp", "with", "that", ",", "and", "on", "my", "red", "fox", "then", "under", "if"]


@example(["if", "lamp", "on", ",", "then", "go"])
@example(["if", "lamp", ",", "then"])
@given(st.lists(st.sampled_from(WORDS), max_size=14))
def test_u3_any_phrase_stands_in_the_sentence_and_within_no_other(words: list[str]) -> None:
    said = " ".join(words)
    found = phrases(said, GOES)
    assert all(said[one.start : one.end].split() == one.text.split() for one in found)
    assert all(one.start < other.start and one.end < other.end for one, other in pairwise(found))


@pytest.mark.parametrize(
    ("sentence", "goal", "found"),
    [
        ("put the milk next to the lamp", "placed(milk, lamp)", "next to"),
        ("go to the left of the lamp", "at(leftmost lamp)", "to the left of"),
        ("hover over the lamp", "at(lamp)", "over the"),
        ("climb until you are as high as the lamp", "at(lamp)", "as high as the"),
        ("go a little closer to the lamp", "at(lamp)", "a little closer"),
        ("go to every other lamp", "each(all lamp) { at(it) }", "every other"),
        ("go to the last but one lamp", "at(lamp but lamp.red)", "the last"),
        ("go to the lamp only if it is lit", "at(lamp)", "if it is lit"),
        ("bring milk but nothing sweet", "placed(milk, me)", "but nothing"),
        ("if the tank is below 20 percent go to the lamp", "if found(tank) { at(lamp) }", "20 percent"),
        ("go next to the lamp", "at(lamp)", ""),
        ("go behind the lamp", "at(place behind lamp)", ""),
        ("put the milk on top of the lamp", "placed(milk, lamp)", ""),
        ("go to the lamp if it is no trouble", "at(lamp)", ""),
    ],
)  # fmt: skip
def test_u3_how_things_stand_to_each_other_and_on_what_it_hangs_is_in_the_goal(
    sentence: str, goal: str, found: str
) -> None:
    lost = [one.text for one in doubtful(sentence, parse(goal)) if one.kind in PLAIN]
    assert found in lost if found else not lost


@pytest.mark.parametrize(
    ("sentence", "of"),
    [
        ("go to the desk only if there is a lamp on the desk", "on the desk"),
        ("go to the desk if there is room", "if there is room"),
        ("take the lamp if there is milk on it", "on it"),
    ],
)
def test_u3_a_condition_of_which_half_is_read_is_not_heard(sentence: str, of: str) -> None:
    goal = parse("if found(lamp) { at(desk) }")
    assert of in [o.text for o in phrases(sentence, goal) if not named(o, goal, sentence) or account.untested(o, goal)]


@pytest.mark.parametrize(
    ("goal", "so"),
    [
        ("if not found(person from hall) { at(person) }", True),
        ("if not sees(lamp) { at(lamp) } else { at(desk) }", True),
        ("if not found(lamp) { at(desk) }", False),
        ("if found(lamp) { at(lamp) }", False),
        ("if not found(milk from desk) { placed(milk from hall, desk) }", False),
        ("2 { turned(right, 360 deg) then landed }", True),
        ("2 { moved(up) then moved(down) }", False),
    ],
)
def test_u3_who_goes_to_what_is_not_there_has_misread(goal: str, so: bool) -> None:
    assert contradicts(parse(goal)) is so


def test_u3_anybody_is_heard_of_a_person() -> None:
    said, goal = "if anybody is in the hall, wave", parse("if found(person from hall) { waved }")
    assert [one.text for one in phrases(said, goal) if not named(one, goal)] == ["wave"], "which its reading tells"


def test_u3_the_second_choice_is_for_when_there_is_none_of_the_first() -> None:
    goal, said = parse("holding(jug) or holding(vase)"), "take the jug, or the vase if there's no {}"
    for of, heard in (("jug", True), ("lid", False)):
        (hangs,) = [one for one in phrases(said.format(of), goal) if one.text.startswith("if")]
        assert named(hangs, goal, said.format(of)) is heard
    assert not named(hangs, parse("holding(jug)"), said.format("jug"))


@pytest.mark.parametrize(
    ("sentence", "goal", "found"),
    [
        ("a jug of warm milk to the tea table", "placed('warm milk', 'tea table')", ["jug of"]),
        ("two spoonfuls of milk to the tea table", "placed(2 milk, 'tea table')", ["spoonfuls of"]),
        ("a bottle of milk to the tea table", "placed(milk, 'tea table')", []),
        ("a picture of people", "picture(person)", []),
    ],
)
def test_u3_a_measure_of_a_thing_is_heard_or_asked_about(sentence: str, goal: str, found: list[str]) -> None:
    assert [one.text for one in phrases(sentence, parse(goal)) if one.text.endswith(" of")] == found


@pytest.mark.parametrize(
    ("goal", "found"),
    [
        ("given(largest pear, person)", ["largest person"]),
        ("given(pear, largest person)", []),
        ("given(pear, person)", []),  # which others give account of
    ],
)
def test_u3_a_superlative_is_of_the_thing_before_which_it_stands(goal: str, found: list[str]) -> None:
    assert [one.text for one in account.misplaced("bring the largest person a pear", parse(goal))] == found


@pytest.mark.parametrize(
    ("said", "goal", "found"),
    [
        ("bring olga's hammer", "given(hammer, olga)", ["olga's hammer"]),
        ("bring olga's brother the hammer", "given(hammer, olga)", ["olga's brother"]),
        ("olga's ill, bring her the hammer", "given(hammer, olga)", []),
        ("bring olga's hammer", "given(hammer, me)", []),
    ],
)
def test_u3_what_is_somebody_s_is_not_for_them(said: str, goal: str, found: list[str]) -> None:
    assert [one.text for one in account.owned(said, parse(goal))] == found


@pytest.mark.parametrize(
    ("said", "goal", "found"),
    [
        ("take the jar to the shed unless there is a hammer there", "if not found(hammer) { placed(jar, shed) }", 1),
        ("take the jar to the shed if there is a hammer", "if found(hammer) { placed(jar, shed) }", 0),
        ("take the jar there if a hammer is there", "if found(hammer from shed) { placed(jar, shed) }", 0),
        ("go to the shed unless anybody is there", "if not found(person) { at(shed) }", 1),
        ("if you find a hammer go there", "if found(hammer) { at(hammer) }", 0),
        ("if there is no rake inside, take the spade instead", "if not found(rake) { holding(spade) }", 0),
    ],
)
def test_u3_a_condition_at_a_place_is_of_that_place(said: str, goal: str, found: int) -> None:
    assert len([*account.unplaced(said, parse(goal))]) == found


@pytest.mark.parametrize(
    ("said", "goal", "found"),
    [
        ("be at the gate in ten seconds", "at(gate) then waited(10 s)", ["in ten seconds"]),
        ("hang the lamp up in two minutes", "placed(lamp, hook)", ["in two minutes"]),
        ("in ten seconds go to the gate", "waited(10 s) then at(gate)", []),
        ("put the lamp in one metre", "placed(lamp, hook)", []),
    ],
)
def test_u3_how_soon_is_no_wait_behind(said: str, goal: str, found: list[str]) -> None:
    assert [one.text for one in account.untimely(said, parse(goal))] == found


@pytest.mark.parametrize(
    ("said", "goal", "found"),
    [
        ("put one pear on each bench", "placed(all pear, bench)", ["each bench"]),
        ("put each pear on the bench", "placed(all pear, bench)", []),
    ],
)
def test_u3_each_is_of_the_thing_before_which_it_stands(said: str, goal: str, found: list[str]) -> None:
    assert [one.text for one in account.misplaced(said, parse(goal))] == found


@pytest.mark.parametrize(
    ("said", "goal", "found"),
    [
        ("find olga and bring her a pear", "given(pear, me)", ["bring her"]),
        ("find olga and bring her a pear", "given(pear, olga)", []),
        ("bring me her pear", "given(pear, me)", []),
    ],
)
def test_u3_a_pronoun_for_somebody_is_not_the_speaker(said: str, goal: str, found: list[str]) -> None:
    assert [one.text for one in account.unmet(said, parse(goal))] == found


@pytest.mark.parametrize(
    ("said", "goal", "found"),
    [
        ("find the cook and ask whether it is ready", "found(cook) then said('whether it is ready')", 1),
        ("shut the gate and report your state", "at(gate) then said('your state')", 1),
        ('say "your tea is ready"', "said('your tea is ready')", 0),
        ("say the tea is ready", "said('the tea is ready')", 0),
    ],
)
def test_u3_what_only_tells_which_words_is_not_recited(said: str, goal: str, found: int) -> None:
    assert len([*account.recited(said, parse(goal))]) == found


@pytest.mark.parametrize(
    ("said", "goal", "found"),
    [
        ("ring the bell unless it is late", "if found(bell.late) { at(bell) }", ["unless it is late"]),
        ("ring the bell unless it is late", "if not found(bell.late) { at(bell) }", []),
        ("unless you see the bell, wait", "if sees(bell) { at(bell) } else { stayed }", []),
        ("ring the bell if it is late", "if found(bell.late) { at(bell) }", []),
    ],
)
def test_u3_an_unless_is_no_if(said: str, goal: str, found: list[str]) -> None:
    assert [one.text for one in account.inverted(said, parse(goal))] == found
