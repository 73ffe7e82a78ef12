"""The rescue aircraft's lessons: read back by the planner's own reader to their goal, split by design.

Besides, they are free of the suite's sentences and short enough to be read.
"""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest
import training_path  # noqa: F401

from lessons import rescue
from lessons.guard import RESCUE, likeness
from lessons.phrasing import frames, tables
from lessons.record import Lesson
from lessons.rescue import rescue_lesson
from lessons.rescue_asides import CHILD_AGES, age, unknown
from lessons.rescue_caller import Caller
from lessons.rescue_change import change
from lessons.rescue_goal import goal, named
from lessons.rescue_places import Ground, ground
from lessons.rescue_score import LAST, asked, moment, sensible
from lessons.rescue_words import phrase, then
from lessons.rescue_written import cases
from lessons.telling import Side, Unsaid
from sayso.models.pocket import net as nets
from sayso.models.pocket.tokenizer import Tokenizer
from sayso.robots.aircraft.domain import KINDS
from sayso.robots.aircraft.mission import NOTHING, Grounds, read_mission
from sayso.robots.aircraft.search.lost import categories
from sayso.robots.aircraft.search.terrain import KINDS as GROUND_KINDS
from sayso.robots.aircraft.search.wish import SearchWish

SOME = [rescue_lesson(7, number, held_out=0.3) for number in range(1500)]
READ_MAX, WRITE_MAX = 320, 160


@pytest.fixture
def wished(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[Ground, SearchWish]]:
    """The goal that each lesson came from, by its number, as it is made."""
    found: dict[str, tuple[Ground, SearchWish]] = {}
    mission, changed = rescue.mission, rescue.change
    latest: list[SearchWish] = []

    def remembered(c: Caller, wanted: rescue.Goal) -> str:
        latest[:] = [wanted.wish]
        return mission(c, wanted)

    def remembered_change(c: Caller, running: rescue.Goal) -> tuple[str, rescue.Goal]:
        said, wanted = changed(c, running)
        latest[:] = [wanted.wish]
        return said, wanted

    prompted = rescue._lesson

    def lesson(c: Caller, id_: str, *rest: object) -> Lesson:
        prompt = rest[2]
        places = tuple(prompt.question.split("\n"))  # type: ignore[attr-defined]
        found[id_] = (Grounds(places, GROUND_KINDS, categories()), latest[0])  # type: ignore[assignment]
        return prompted(c, id_, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(rescue, "mission", remembered)
    monkeypatch.setattr(rescue, "change", remembered_change)
    monkeypatch.setattr(rescue, "_lesson", lesson)
    latest[:] = [SearchWish(())]
    return found


def test_every_target_is_read_back_to_its_goal(wished: dict[str, tuple[Grounds, SearchWish]]) -> None:
    read = Counter[str]()
    for number in range(450):
        one = rescue_lesson(11, number, held_out=0.2)
        target = one.target.removesuffix("<end>")
        if one.kind == "score":
            continue
        grounds, wish = wished[one.id]
        reading = read_mission(target, grounds)
        assert reading.problems == () or target == NOTHING
        assert reading.wish == (None if target == NOTHING else wish), one
        read[one.intent] += 1
    assert read["rescue.mission"] > 100 and read["rescue.change"] > 60 and read["rescue.none"] > 20


def test_the_same_dice_make_the_same_lesson() -> None:
    assert [rescue_lesson(7, n, 0.3) for n in range(30)] == SOME[:30]
    assert rescue_lesson(8, 3, 0.3) != SOME[3]


def test_a_letter_is_one_of_those_asked_for() -> None:
    asked_for = [one for one in SOME if one.kind == "score"]
    assert len(asked_for) > 200
    for one in asked_for:
        choices = one.prompt.partition("<ask>")[2].partition("<say>")[0].split(";")
        assert len(choices) >= 2
        assert 0 <= ord(one.target[0]) - ord("A") < len(choices) and one.target[1:] == "<end>"


def test_letters_are_drawn_with_the_chances_of_the_oracle() -> None:
    rng = Random(5)
    now = moment(rng, goal(rng, ground(rng)))
    while len(sensible(now)) < 6:
        now = moment(rng, goal(rng, ground(rng)))
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


def test_what_a_change_leaves_alone_stays() -> None:
    rng, seen = Random(3), 0
    for _ in range(600):
        running = goal(rng, ground(rng))
        try:
            said, after = change(Caller(rng, Side()), running)
        except Unsaid:
            continue
        seen += 1
        kept = [f for f in ("objects", "areas", "avoid", "on_find") if getattr(running, f) == getattr(after, f)]
        assert len(kept) >= 1 and after.wish != running.wish and said
        assert not set(after.areas) & set(after.avoid) or set(running.areas) & set(running.avoid)
    assert seen > 200


def test_confirming_is_in_the_goal_where_the_words_ask_for_it() -> None:
    rng, heard = Random(8), Counter[bool]()
    for _ in range(300):
        wanted = goal(rng, ground(rng))
        if wanted.on_find == ("confirm", "home"):
            continue
        spoken = phrase(Caller(rng, Side()), wanted.objects[0])
        said = then(Caller(rng, Side()), wanted.on_find, spoken, terse=rng.random() < 0.5)
        asks = "confirm" in wanted.on_find
        assert bool(re.search("confirm|verif|identif|sure|certain|check that|id\\b|positive|really", said)) is asks, (
            said
        )
        heard[asks] += 1
    assert heard[True] > 30 and heard[False] > 15


def test_an_age_is_that_of_a_child_or_not() -> None:
    rng, told = Random(2), Counter[str]()
    for _ in range(3000):
        one = named(rng, ground(rng))
        if said := age(rng, one):
            young = [word for word in said.split() if word.isdigit() and int(word) <= CHILD_AGES[1]]
            assert one.person and (not young or one.sought.label == "child"), (one, said)
            told[one.sought.label] += 1
    assert told["child"] > 50 and told["person"] > 20


def test_what_is_not_known_contradicts_nothing_that_is_told() -> None:
    sentences = ["lkp unknown", "clothing unknown", "time unknown", "that is all we know"]
    told = frozenset({"seen", "colour", "ago"})
    assert {unknown(Random(n), sentences, told) for n in range(30)} == {"that is all we know"}
    assert {unknown(Random(n), sentences, told - {"colour"}) for n in range(30)} >= {"clothing unknown"}
    assert unknown(Random(1), ["lkp unknown"], told) == ""


def test_after_a_denial_close_by_the_lessons_climb_before_they_search_on() -> None:
    rng, seen = Random(4), 0
    for _ in range(400):
        now = moment(rng, goal(rng, ground(rng)))
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
    places = {p for one in SOME if one.kind == "mission" for p in one.prompt.partition("<see>")[2].split(";")}
    assert len(places) > 2000


def test_what_people_wrote_can_be_read_and_is_in_no_lesson() -> None:
    some = list(cases())
    assert len(some) > 35 and sum(case.wish is None for case in some) > 4
    for case in some:
        assert case.wish is None or read_mission(case.wish.in_short(), case.grounds).wish == case.wish
        assert RESCUE.forbids(case.say) or len(case.say.split()) < 3
        assert case.wish or not case.running or read_mission(case.running, case.grounds).wish
