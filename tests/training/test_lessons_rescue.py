"""The rescue aircraft's lessons: readings of what was said, that code hears as it was meant, split by design.

Besides, they are free of the suite's sentences and short enough to be read.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from training_path import Once

from lessons.guard import RESCUE, likeness
from lessons.phrasing import frames, tables
from lessons.rescue import rescue_lesson
from lessons.rescue_caller import Caller
from lessons.rescue_places import ground
from lessons.rescue_says import CHANGES, Told, change, search, spoken
from lessons.rescue_score import LAST, Moment, asked, moment, sensible, wanted
from lessons.rescue_written import cases
from lessons.telling import Side, Unsaid
from sayso.errors import NotUnderstood, Unclear
from sayso.grounding.utterance import figured
from sayso.models.pocket import net as nets
from sayso.models.pocket.tokenizer import Tokenizer
from sayso.robots.aircraft.domain import KINDS
from sayso.robots.aircraft.form import SEARCH
from sayso.robots.aircraft.operator_wish import Grounds, clauses_of, heard
from sayso.robots.aircraft.search.terrain import KINDS as GROUND_KINDS
from sayso.robots.aircraft.search.wish import SearchWish, Sought

SOME = Once(lambda: (rescue_lesson(7, number, held_out=0.3) for number in range(900)))
READ_MAX, WRITE_MAX = 320, 160
LOST = ("dementia", "hiker", "child")


def told(rng: Random) -> Told:
    """Some search that can be said."""
    while True:
        try:
            return search(Caller(rng, Side()), ground(rng))
        except Unsaid:
            continue


def missing(rng: Random) -> Moment:
    """Some moment of a search for somebody."""
    while not (one := told(rng)).who:
        continue
    return moment(rng, wanted(one))


def test_a_reading_is_heard_with_all_that_it_says() -> None:
    rng, seen = Random(6), Counter[str]()
    for _ in range(250):
        one = told(rng)
        said, reading = ". ".join(one.parts), clauses_of(one.reading)
        assert reading, one.reading
        places = tuple(dict.fromkeys(c[1] for c in reading if c[0] in ("in", "seen", "toward", "skip", "off")))
        try:
            wish = heard(reading, said, Grounds(places, GROUND_KINDS, LOST))
        except Unclear:
            seen["asked"] += 1
            continue
        except NotUnderstood as error:
            assert any(c[0] in ("hands", "unsafe") for c in reading) or "do not fly lower" in str(error), one.reading
            seen["refused"] += 1
            continue
        seen["heard"] += 1
        assert sum(s.count for s in wish.sought) >= len(one.who)
        assert set(wish.areas) == {c[1] for c in reading if c[0] == "in"}
        assert {*wish.avoid} == {c[1] for c in reading if c[0] in ("skip", "off")}
        assert {*one.steps} - {"home"} <= {*wish.on_find} or any(c[0] == "no" for c in reading)
        assert (wish.bounds.reserve is not None) == any(c[0] == "battery" for c in reading)
        assert not any(text[0].isdigit() and text.endswith((" m", " %")) for text in wish.left_out), (
            said,
            one.reading,
            wish.left_out,
        )
    assert seen["heard"] > 100 and seen["asked"] > 10 and seen["refused"] > 10, seen


def test_every_kind_of_news_changes_a_running_search_or_is_asked_about() -> None:
    for number, make in enumerate(CHANGES):
        heard_once = False
        for dice in range(60):
            rng = Random(f"{number}/{dice}")
            one = Told(Caller(rng, Side()), ground(rng))
            try:
                said = make(one)
            except Unsaid:
                continue
            reading = clauses_of(one.reading)
            if not reading:
                continue
            places = ("old mill", *(x for c in reading for x in c[1:]))
            avoid = tuple(x for c in reading if c[0] == "free" for x in c[1:])
            steps = rng.choice((("confirm", "home"), ("confirm", "image", "home")))
            running = SearchWish((Sought("person", "red"),), ("old mill",), avoid, steps)
            try:
                heard_once |= heard(reading, said, Grounds(places, GROUND_KINDS, LOST), running) != running
            except NotUnderstood:
                continue
        assert heard_once, make


def test_amounts_are_read_as_code_writes_them_in_figures() -> None:
    rng = Random(9)
    for _ in range(200):
        one = told(rng)
        if one.where.squares:
            said = figured(spoken(one)).lower()
            for clause in clauses_of(one.reading) or ():
                if clause[0] in ("under", "most", "least", "at", "battery"):
                    assert clause[1].split()[0] in said, (said, clause)


def test_changes_are_said() -> None:
    rng, seen = Random(3), 0
    for _ in range(300):
        try:
            one = change(Caller(rng, Side()), ground(rng))
        except Unsaid:
            continue
        seen += bool(spoken(one) and clauses_of(one.reading))
    assert seen > 150


def test_the_same_dice_make_the_same_lesson() -> None:
    assert [rescue_lesson(7, n, 0.3) for n in range(30)] == SOME[:30]
    assert rescue_lesson(8, 3, 0.3) != SOME[3]


def test_a_letter_is_one_of_those_asked_for() -> None:
    asked_for = [one for one in SOME if one.kind == "score"]
    assert len(asked_for) > 120
    for one in asked_for:
        choices = one.prompt.partition("<ask>")[2].partition("<say>")[0].split(";")
        assert len(choices) >= 2
        assert 0 <= ord(one.target[0]) - ord("A") < len(choices) and one.target[1:] == "<end>"


def test_letters_are_drawn_with_the_chances_of_the_oracle() -> None:
    rng = Random(5)
    now = missing(rng)
    while len(sensible(now)) < 6:
        now = missing(rng)
    likes = sensible(now)
    drawn = Counter[str]()
    for _ in range(4000):
        prompt, letter, about = asked(now, "find him")
        if about == "kinds":
            drawn[prompt.question.split("\n")[ord(letter) - 65]] += 1
    for kind, says in KINDS:
        assert drawn[says] / drawn.total() == pytest.approx(likes.get(kind, 0.0), abs=0.03)


def test_everything_can_be_read_and_written() -> None:
    words = Tokenizer.load(nets.FOLDER / "vocab.txt")
    read = [len(words.read(one.prompt)) for one in SOME]
    assert sum(n <= READ_MAX for n in read) / len(read) > 0.99
    for one in SOME:
        ids = words.write(one.target)
        assert len(ids) < WRITE_MAX
        assert words.text(ids) == one.target.removesuffix("<end>")


def test_no_lesson_says_what_the_suite_says() -> None:
    assert all(likeness(one.sentence, says) <= 0.73 for one in SOME[:300] for says in RESCUE.suite)
    assert RESCUE.forbids(RESCUE.suite[0]) and not RESCUE.forbids("where is the moon")
    longest = max(RESCUE.written, key=len)
    assert RESCUE.forbids(longest.replace("the ", "a ", 1) + " please")


def test_held_out_frames_are_only_in_lessons_for_measuring() -> None:
    mine = [name for name in tables() if name.startswith("rescue.")]
    every = {f.id: f for name in mine for kind in tables()[name] for f in frames(name, kind)}
    held = {f.id for f in every.values() if f.held_out}
    assert 0.04 < len(held) / len(every) < 0.18
    for one in SOME:
        if one.held == "frame":
            assert held & set(one.frames) or any(f.startswith(("refuse.", "shells.")) for f in one.frames)
        else:
            assert not held & set(one.frames)
    assert {"", "frame", "combo"} == {one.held for one in SOME}


def test_after_a_denial_close_by_the_lessons_climb_before_they_search_on() -> None:
    rng, seen = Random(4), 0
    for _ in range(800):
        now = missing(rng)
        if (
            now.flying
            and now.level == 0
            and now.actions > LAST
            and now.within
            and not now.unchecked
            and not now.all_found
        ):
            likes = sensible(now)
            assert max(likes, key=lambda kind: likes[kind]) == "ascend"
            seen += any("denies" in step.ended for step in now.steps[-3:])
    assert seen > 15


def test_there_is_no_end_of_names_and_sentences() -> None:
    assert len({one.sentence for one in SOME}) > 0.97 * len(SOME)
    places = {
        c[1] for one in SOME for c in clauses_of(one.target.removesuffix("<end>")) or () if c[0] in ("in", "seen")
    }
    assert len(places) > 600


def test_what_people_wrote_can_be_read_and_is_in_no_lesson() -> None:
    some = list(cases())
    assert len(some) > 35 and sum(case.wish is None for case in some) > 4
    for case in some:
        assert RESCUE.forbids(case.say) or len(case.say.split()) < 3
        assert len(SEARCH.reads(case.say)) > 12
