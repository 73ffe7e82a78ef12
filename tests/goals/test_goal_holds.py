"""Whether a goal is met, on evidence: docs/goals.md, rules G7 to G19."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from goal_evidence import AT_CUP, AT_MUG, HOME, KNOWN, flown, truth
from hypothesis import given
from hypothesis import strategies as st

from sayso.goal import Truth, Which
from sayso.goals.deeds import SOUGHT
from sayso.goals.evidence import Deed, Evidence, Moment
from sayso.goals.judge import judge
from sayso.goals.query import every, opposite, some
from sayso.goals.text import parse
from sayso.scene import Pose, Thing


def test_a_state_has_to_hold_when_all_is_over() -> None:
    """G7"""
    assert truth("at(mug.red)", flown(HOME, AT_MUG)) is True
    assert truth("at(mug.red)", flown(HOME, AT_MUG, HOME)) is False
    assert truth("visited(mug.red)", flown(HOME, AT_MUG, HOME)) is True


@pytest.mark.parametrize(
    ("word", "there"),
    [("behind", Pose(3.5, 0.1)), ("before", Pose(2.4)), ("left_of", Pose(3.1, 0.6)), ("right_of", Pose(3.0, -0.7))],
)
def test_at_a_spot_beside_a_thing_is_who_is_on_that_side_of_it(word: str, there: Pose) -> None:
    """G60"""
    spots = {"behind", "before", "left_of", "right_of"}
    told = {w: truth(f"at(place {w} mug.red)", flown(HOME, there)) for w in spots}
    assert told == {w: w == word for w in spots}
    assert truth("at(place beside mug.red)", flown(HOME, there)) is True
    assert truth(f"at(place {word} mug.red)", flown(HOME, HOME)) is False, "too far away"
    assert truth(f"at(place {word} sofa)", flown(HOME, there)) is None, "no sofa was seen"


@pytest.mark.parametrize("want", ["placed(mug.red, sofa)", "each(all mug) { placed(it, sofa) } then at(mug.blue)"])
def test_where_nothing_was_put_and_nobody_looked_nothing_is(want: str) -> None:
    """G59"""
    seen = {k: replace(t, attributes={"color": t.attributes.get("color", "")}) for k, t in KNOWN.items()}
    verdict = judge(parse(want), flown(HOME, AT_CUP, things=seen))
    assert verdict.truth is False
    assert verdict.missing[0].why == "I put nothing at the sofa, and did not look what is there"
    elsewhere, there = (Deed(0.5, "placed", (Which("mug"), Which(to))) for to in ("shelf", "sofa"))
    assert truth(want, flown(HOME, AT_CUP, things=seen, deeds=(elsewhere,))) is False
    assert truth(want, flown(HOME, AT_CUP, things=seen, deeds=(there,))) is None
    other = {**seen, "hat": Thing("hat", "hat", pose=Pose(1.0, 1.0), attributes={"on": "sofa"})}
    assert truth(want, flown(HOME, AT_CUP, things=other)) is None, "a look told what is there"
    assert truth(f"if {want.partition(' then')[0]} {{ home }}", flown(HOME, AT_CUP, things=seen)) is None


def test_it_says_by_how_much() -> None:
    """G7"""
    [part] = judge(parse("at(mug.red)"), flown(HOME, Pose(0.7))).missing
    assert part.why == "I stopped 1.3 m short of the red mug"


def test_what_was_not_seen_is_unknown_and_in_a_whole_look_it_is_not_there() -> None:
    """G8"""
    assert truth("at(piano)", flown(HOME)) is None
    assert truth("at(piano)", flown(HOME, surveyed=True)) is False
    assert truth("at(piano)", flown(HOME, closed=True)) is False


def test_so_many_are_given_and_from_where_they_were() -> None:
    """G13, G19"""
    one = Deed(0.2, "given", (Which("mug"), Which("me")))
    assert truth("given(2 mug, me)", flown(HOME, deeds=(one,))) is False
    assert truth("given(2 mug, me)", flown(HOME, deeds=(one, replace(one)))) is True
    assert truth("given(all mug, me)", flown(HOME, deeds=(one,), surveyed=True)) is False
    assert truth("given(all mug, me)", flown(HOME, deeds=(one, replace(one)))) is None, "there may be another"
    assert truth("given(all mug, me)", flown(HOME, deeds=(one, replace(one)), surveyed=True)) is True
    twice = "given(mug, me) then given(mug, me)"
    assert truth(twice, flown(HOME, deeds=(one,))) is False, "what is wanted again is done again"
    assert truth(twice, flown(HOME, deeds=(one, replace(one)))) is True
    them = replace(one, args=(Which("mug"), Which("them")))
    assert truth("given(mug, person)", flown(HOME, deeds=(them,))) is None, "nothing told who that was"
    known = replace(one, things=frozenset({"mug-1"}))
    assert truth("given(mug from table, me)", flown(HOME, deeds=(known,))) is True
    assert truth("given(mug from shelf, me)", flown(HOME, deeds=(known,))) is False
    assert truth("given(mug from sink, me)", flown(HOME, deeds=(known,))) is None
    assert truth("given(mug from sink, me)", flown(HOME, deeds=(one,))) is None, "nothing told which it was"


def test_facing_is_as_close_as_it_is_wanted() -> None:
    """G11"""
    turned = flown(HOME, Pose(yaw_rad=math.radians(30)), closed=True)
    assert truth("facing(mug.red)", turned) is False
    assert truth("toward(mug.red, 40 deg)", turned) is True


@pytest.mark.parametrize("faces", [True, False])
def test_what_was_behind_as_it_was_tested_is_meant_where_it_is_faced(faces: bool) -> None:
    """G11"""
    away = Pose(yaw_rad=math.pi)
    looks = [(away, {}), (HOME, KNOWN), (away, KNOWN), (HOME if faces else away, KNOWN)]
    views = [frozenset({"mug-1"} if things and pose is HOME else ()) for pose, things in looks]
    moments = [Moment(float(n), *look, views[n]) for n, look in enumerate(looks)]
    seen = Evidence(moments, closed=True)
    assert truth("if found(mug.red behind you) { facing(mug.red behind you) }", seen) is faces


def test_what_is_done_behind_a_search_is_measured_from_where_that_ended() -> None:
    """G11"""
    quarters = [Pose(yaw_rad=math.radians(-90.0 * n)) for n in (0, 1, 2, 3, 4, 5, 6, 7, 8)]
    moments = [Moment(float(n), pose, {}) for n, pose in enumerate(quarters)]
    sought = Deed(4.0, SOUGHT, (Which("goat"),))
    seen = Evidence(moments, (sought,), surveyed_s=3.0)
    assert judge(parse("if found(goat) { landed } else { turned(right, 360 deg) }"), seen).truth is True
    assert judge(parse("if found(goat) { landed } else { turned(right, 450 deg) }"), seen).truth is False


@pytest.mark.parametrize(
    ("text", "wants"),
    [
        ("holding(mug)", None),
        ("guided(person, sink)", None),
        ("landed", None),
        ("over(river)", None),
        ("never touched(mug)", None),
    ],
)
def test_what_no_sense_tells_stays_unknown(text: str, wants: Truth) -> None:
    """G8"""
    assert truth(text, flown(HOME)) is wants


truths = st.sampled_from((True, False, None))


@given(st.lists(truths, max_size=5))
def test_it_is_kleenes_logic(some_of_them: list[Truth]) -> None:
    """G8"""
    assert every(some_of_them) is opposite(some(map(opposite, some_of_them)))
    assert every([t for t in some_of_them if t is not None]) is not None
