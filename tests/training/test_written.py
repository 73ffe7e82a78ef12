"""Sentences written whole: what stands before `::` is read into deeds, and every line has a goal."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
import training_path  # noqa: F401

from lessons import written
from lessons.telling import Side, Target, Unsaid, teller
from sayso.goals.text import parse
from sayso.models.pocket.reading import with_units


@pytest.mark.parametrize(
    ("deeds", "read"),
    [
        ("go x; home", (("go", "x"), ("home",))),
        ("3 { up 30; shoot }", (written.Loop(3, (("up", "30"), ("shoot",))),)),
        ("if see x { go x } else { land }", (written.Test("see", "x", (("go", "x"),), (("land",),)),)),
        ("if unseen person { land }", (written.Test("unseen", "person", (("land",),), ()),)),
        ("if more xs 2 { say many }", (written.Test("more", "xs", (("say", "many"),), (), 2),)),
        ("until x 8 { up 30 }", (written.Loop(8, (("up", "30"),), "x"),)),
        ("if exists y { shoot }; home", (written.Test("exists", "y", (("shoot",),), ()), ("home",))),
    ],
)
def test_deeds_are_read(deeds: str, read: tuple[written.Deed, ...]) -> None:
    assert written.deeds_of(deeds) == read


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("fetch x :: fetch {x}", "nobody can fetch"),
        ("go x :: go there", r"has the slots \[\] and the deeds need \['x'\]"),
        ("home :: back from {x}", r"has the slots \['x'\]"),
        ("up :: up we go", "up takes one word behind it"),
        ("3 { up 30 :: thrice up", "a } is missing"),
        ("hint hungerly :: my tummy", "there is no quality hungerly"),
        ("go x", "there is no sentence behind ::"),
        ("if heard x { land } :: land if you hear {x}", "no test is called heard; there are see, unseen"),
        ("until x 8 { up 30 } :: go up", r"has the slots \[\] and the deeds need \['x'\]"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, row: str, wrong: str) -> None:
    file = tmp_path / "some.txt"
    file.write_text(f"# heading\n{row}\n", "utf-8")
    with pytest.raises(ValueError, match=f"some.txt, line 2: .*{wrong}"):
        written._read(file)


def test_every_line_has_a_goal() -> None:
    """As many as fit in a second or two: the dice choose among all lines, both sides of the split."""
    rng, made = Random(5), 0
    for number in range(900):
        t = teller(Random(number), Side(rng.choice(("", "frame"))))
        try:
            clause = written.whole(t, "sentences")
        except Unsaid:
            continue
        assert parse(with_units(clause.goal)), clause
        made += 1
    assert made > 500


def test_deeds_become_a_goal_with_what_stands_in_the_slots() -> None:
    slots = written.Slots(
        teller(Random(1), Side("")), {"d": "half a metre"}, {"x": Target("the big box", "big box", "box")}
    )
    deeds = written.deeds_of("up d; until x 4 { cw 45 }; if missing x { say not there } else { close x }; wait 3")
    assert written._goal(deeds, slots, "turn right 45 degrees up to four times") == (
        "moved(up, 50 cm) then until sees('big box') { turned(right, 45 deg) } most 4"
        " then if not found('big box') { said('not there') } else { at('big box') then picture('big box') }"
        " then waited(3 s)"
    )


def test_two_described_things_in_one_sentence_are_two() -> None:
    deeds = written.deeds_of("wgo q; wface who")
    slots = written._filled(teller(Random(2), Side("")), "fly to {q}, then look at {who}", deeds)
    goal = written._goal(deeds, slots, f"fly to {slots.said['q']}, then look at {slots.said['who']}")
    assert goal.startswith("at(") and " then facing(" in goal
    assert slots.said["q"] != slots.said["who"]
