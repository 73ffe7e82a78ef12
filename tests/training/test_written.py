"""Sentences written whole: what stands before `::` is read into deeds, and every line makes a plan that can be run."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
import training_path  # noqa: F401

from lessons import written
from lessons.oracle import joined
from lessons.skillset import drone_set
from lessons.telling import Side, Target, Unsaid, teller
from sayso.language import check


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


def test_every_line_makes_a_plan_that_can_be_run() -> None:
    """As many as fit in a second or two: the dice choose among all lines, both sides of the split."""
    rng, made = Random(5), 0
    for number in range(900):
        t = teller(Random(number), Side(rng.choice(("", "frame"))))
        try:
            clause = written.whole(t, "sentences")
            plan = joined(clause.steps(t.view))
        except Unsaid:
            continue
        assert check(plan, drone_set()) == [], (clause.words, plan)
        made += 1
    assert made > 500


def test_what_comes_behind_an_until_is_done_where_the_thing_shows_up() -> None:
    """Since the plan that has seen it is over."""
    t = teller(Random(1), Side(""), airborne=True)
    slots = written.Slots(t, things={"x": Target("the box", "box", "box")})
    plan = joined(written._done(written.deeds_of("up 50; until x 4 { cw 45 }; say there; land"), slots, t.view))
    assert plan == "mu(50);4{?iv('box'){l('there');la;->True}tc(45)}l('I see no box.');->False"
    assert check(plan, drone_set()) == []


def test_two_described_things_in_one_sentence_are_two() -> None:
    t = teller(Random(2), Side(""), airborne=True)
    slots = written._filled(t, "fly to {q}, then look at {who}", written.deeds_of("wgo q; wface who"))
    plan = joined(written._done(written.deeds_of("wgo q; wface who"), slots, t.view))
    asked = [slots.wanted[name].ask for name in ("q", "who")]
    assert asked[0] != asked[1] and plan.index(asked[0]) < plan.index("g(_1)") < plan.index(asked[1])
