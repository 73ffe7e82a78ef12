"""The words that change what a sentence asks for, and whether a goal has each of them (U3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.goals.text import parse
from sayso.understanding.operators import KINDS, doubtful, is_most, missing, operators, unheard, without


@pytest.mark.parametrize(
    ("sentence", "kinds"),
    [
        ("roll to the crate", []),
        ("roll to the third crate", ["ordinal"]),
        ("roll to the crate but not the one with the lid", ["exception"]),
        ("do not touch the lamp", ["negation"]),
        ("roll to the crate or the barrel", ["alternative"]),
        ("photograph every barrel", ["deed", "quantifier"]),
        ("roll to the crate unless you see a cat", ["condition"]),
        ("turn until you see a cat", ["waiting"]),
        ("wave before you leave", ["order"]),
        ("rise at most 30 cm", ["bound", "amount"]),
        ("hum softly", ["manner"]),
        ("the heaviest of the barrels", ["comparison"]),
        ("roll under the bench", ["place"]),
        ("how tall is the lamp?", ["measure"]),
        ("say 'not before noon' to her", []),
        ("roll to the crate if the lid is shut", ["state"]),
        ("hum as soon as I clap", ["signal"]),
        ("at my command roll on", ["signal"]),
        ("wait for him to nod and roll on", ["signal"]),
        ("photograph the lamp from different angles", ["deed", "extent"]),
        ("photograph the lamp from below", ["deed", "extent"]),
        ("roll to the crate behind you", ["side"]),
        ("roll to the crate in a zigzag", ["shape"]),
        ("take a selfie", ["shape"]),
        ("each time you see a cat, hum", ["signal"]),
        ("rise another 30 cm", ["amount"]),
        ("would you mind, if you can, not to worry, rolling to the crate all the way", []),
    ],
)
def test_u3_what_changes_a_wish_is_heard(sentence: str, kinds: list[str]) -> None:
    assert [o.kind for o in operators(sentence)] == kinds


@pytest.mark.parametrize(
    ("sentence", "goal", "left"),
    [
        ("roll to the third crate", "want at(nth 3 leftmost crate)", []),
        ("roll to the third crate", "want at(crate)", ["the third"]),
        ("photograph every barrel", "want each(all barrel) { picture(it) }", []),
        ("photograph every barrel", "want picture(barrel)", ["every"]),
        ("roll to the crate but not the wet one", "want at(crate but crate.wet)", []),
        ("roll to the crate but not the wet one", "want at(crate)", ["but not"]),
        ("roll to the crate unless you see a cat", "want if not sees(cat) { at(crate) }", []),
        ("roll to the crate unless you see a cat", "want at(crate)", ["unless"]),
        ("rise 30 cm and wait 4 seconds", "want moved(up, 30 cm) then waited(4 s)", []),
        ("rise 30 cm and wait 4 seconds", "want moved(up, 30 cm)", ["4 seconds"]),
        ("roll to the crate if the lid is shut", "want if found(lid.shut) { at(crate) }", []),
        ("roll to the crate if the lid is shut", "want if found(lid) { at(crate) }", ["if the lid is shut"]),
        ("roll to the crate 2 metres away", "want at(crate)", ["2 metres"]),
        ("roll to 2 crates", "want each(2 crate) { at(it) }", []),
        ("roll under the bench", "want at(place under bench)", []),
        ("roll under the bench", "want at(bench)", ["under the"]),
        ("roll to the crate behind you", "want at(crate behind you)", []),
        ("roll to the crate behind you", "want at(crate)", ["behind you"]),
        ("tell her not to come before noon", "want heard(her, 'not to come before noon')", []),
        ("how tall is the lamp?", "want answered('how far', lamp)", ["how tall"]),
        ("roll to the largest crate", "want at('largest crate')", []),
        ("turn right 40 degrees once, then wave", "want turned(right, 40 deg) then waved", []),
        ("once you see the crate, wave", "want waved", ["once"]),
        ("wait for us at the crate", "want at(crate)", []),
        ("wait for us to come back", "want home", ["wait for us"]),
        ("roll to what is closest to the crate", "want at(thing beside crate)", []),
    ],
)
def test_u3_a_word_stands_in_a_clause_or_is_missing(sentence: str, goal: str, left: list[str]) -> None:
    assert [o.text for o in missing(sentence, parse(goal))] == left


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        ("roll at least two metres", "roll at most two metres"),
        ("wave before you leave", "wave after you leave"),
        ("roll to the crate or the barrel and stop", "roll to the crate and stop"),
        ("photograph every barrel", "photograph the barrel"),
        ("do not roll", "do roll"),
    ],
)
def test_u3_a_sentence_is_told_without_the_word_or_with_its_contrary(sentence: str, other: str) -> None:
    said = next(o for o in operators(sentence) if o.kind not in ("amount", "deed"))
    assert without(sentence, said) == other


def test_u3_a_word_with_a_contrary_is_doubtful_even_where_its_form_is_there() -> None:
    """What waits and then lands may do it before or after: only another reading tells whether that was heard."""
    goal = parse("want waited(9 s) then landed")
    assert [o.text for o in doubtful("land before nine seconds are over", goal)] == ["before"]
    assert missing("land before nine seconds are over", goal) == []


WORDS = [
    "roll",
    "to",
    "the",
    "crate",
    "not",
    "every",
    "second",
    "or",
    "if",
    "before",
    "barrel",
    "3",
    "cm",
    "under",
    "quickly",
    "other",
    "than",
]


@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_u3_any_sentence_has_operators_that_stand_in_it_in_order(words: list[str]) -> None:
    sentence = " ".join(words)
    found = operators(sentence)
    assert [o.start for o in found] == sorted(o.start for o in found)
    assert all(o.kind in KINDS and sentence[o.start : o.end].split() == o.text.split() for o in found)
    assert all(without(sentence, o) != sentence for o in found)


@pytest.mark.parametrize(
    ("part", "meant", "goal", "heard"),
    [
        ("rise 20 cm", "moved(up, 20 cm)", "turned(back)", False),
        ("rise 20 cm", "moved(up, 20 cm)", "height(0.2 m)", True),
        ("rise 20 cm", "moved(up, 20 cm)", "moved(up, 1.5 m)", False),
        ("rise 20 cm", "moved(up, 20 cm)", "moved(left, 20 cm)", False),
        ("rise 20 cm", "moved(up, 20 cm)", "turned(left, 20 deg) then moved(up, 1 m)", False),
        ("wait 4 seconds", "waited(4 s)", "at(lamp)", False),
        ("hold it there", "waited(1 s)", "at(lamp)", True),
        ("take a picture", "picture", "moved(up, 20 cm)", False),
        ("find a lamp", "found(lamp)", "at(lamp)", True),
        ("go to the lamp", "at(lamp)", "at(thing beside lamp)", False),
        ("go to the lamp", "at(lamp)", "at(lamp) then at(thing beside lamp)", True),
    ],
)
def test_u3_a_part_that_code_reads_is_done_by_some_clause(part: str, meant: str, goal: str, heard: bool) -> None:
    assert (unheard(part, parse(meant), parse(goal)) is None) is heard


def test_u3_where_one_thing_is_compares_no_two() -> None:
    asked = "is the mug closer to the lamp or to the bench?"
    assert [one.text for one in missing(asked, parse("answered('where', mug)"))] == ["closer", "or"]
    assert not missing("which is closer, the lamp or the bench?", parse("answered('which is nearest', lamp, bench)"))
    assert missing("which is heavier, the lamp or the bench?", parse("answered('which are more', lamp, bench)"))


@pytest.mark.parametrize(
    ("sentence", "goal", "left"),
    [
        ("roll to the crate, not the barrel", "at(crate)", []),
        ("rather than the barrel take the crate", "holding(crate)", []),
        ("roll to the crate, not the tool shelf this time", "at(crate)", []),
        ("fetch a drink, not the beer", "holding(drink)", ["not"]),
        ("fetch the ball, not the blue", "holding(ball)", ["not", "blue"]),
        ("roll to the red crate, not the blue crate", "at(crate.red)", ["not", "blue"]),
        ("fetch something to sit on, not the stool", "holding('something to sit on')", ["not"]),
        ("roll to the crate, not the long way", "at(crate)", ["not"]),
        ("do not roll to the barrel", "at(crate)", ["not"]),
        ("do not fly", "at(crate)", ["not"]),
        ("fetch the crate before the rain comes", "holding(crate)", []),
        ("fetch the crate before the crate gets wet", "holding(crate)", ["before"]),
        ("fetch the crate before you land", "holding(crate)", ["before", "land"]),
        ("before the barrel is full fetch the crate and the lid", "holding(crate) then holding(lid)", []),
        ("fetch the crate after the rain", "holding(crate)", ["after"]),
    ],
)
def test_u3_what_is_not_wanted_is_heard_where_the_goal_has_nothing_of_its_kind(
    sentence: str, goal: str, left: list[str]
) -> None:
    assert [o.text for o in missing(sentence, parse(goal))] == left


@pytest.mark.parametrize(
    ("said", "most"), [("the juiciest pear", "juiciest"), ("the forest", ""), ("an honest guest", ""), ("to rest", "")]
)
def test_u7_a_superlative_is_told_by_its_form(said: str, most: str) -> None:
    assert "".join(one.text for one in operators(said) if is_most(one)) == most


def test_u4_more_than_so_many_and_a_few_are_neither_that_many_nor_all() -> None:
    assert [one.text for one in missing("more than three jars to the desk", parse("placed(3 jar, desk)"))] == [
        "more than three"
    ]
    assert [one.text for one in missing("several jars to the desk", parse("placed(all jar, desk)"))] == ["several"]
    assert not missing("several jars to the desk", parse("placed(2 jar, desk)"))
