"""In order, again, until, within: whether what takes time was done (docs/goals.md)."""

from __future__ import annotations

import math
from dataclasses import replace

from goal_evidence import AT_CUP, AT_MUG, HOME, KNOWN, MUG, flown, truth

from sayso.goal import Which
from sayso.goals.evidence import Deed, Evidence, Moment
from sayso.goals.judge import judge
from sayso.goals.text import parse
from sayso.scene import Pose, Thing


def test_what_was_only_seen_later_was_there_before() -> None:
    """G9"""
    there_and_back = flown(HOME, AT_MUG, HOME, things={"mug-1": MUG})
    assert truth("at(furthest mug) then home", there_and_back) is None, "there may be another"
    late = [*there_and_back.moments[:-1], replace(there_and_back.moments[-1], things=KNOWN)]
    assert truth("at(furthest mug) then home", replace(there_and_back, moments=late)) is False


def test_what_follows_what_is_not_known_is_looked_for_from_where_that_began() -> None:
    """G10"""
    said = Deed(0.5, "said", ("Dinner is ready.",))
    seen = flown(HOME, AT_MUG, AT_CUP, deeds=(said, Deed(1.0, "waved")))
    assert truth("heard(anna, 'dinner is ready') then waved(1)", seen) is None
    assert truth("at(piano) then waved(1)", seen) is None
    assert truth("heard(anna, 'dinner is ready') then waved(2)", seen) is not True


def test_in_order_each_part_begins_where_the_last_one_was_met() -> None:
    """G10"""
    way = flown(HOME, AT_MUG, HOME, AT_CUP)
    assert truth("at(mug.red) then at(mug.blue)", way) is True
    assert truth("at(mug.blue) then at(mug.red)", way) is False
    assert truth("at(mug.blue); visited(mug.red)", way) is True


def test_a_way_is_measured_from_where_its_turn_came() -> None:
    """G11"""
    half = math.pi / 2
    way = flown(HOME, Pose(0, 0, 1), Pose(0, 0, 1, -half), Pose(0, -2, 1, -half))
    assert truth("moved(up, 1 m) then turned(right, 90 deg) then moved(forward, 2 m)", way) is True
    past = flown(Pose(0, 0, 1), Pose(0, 0, 2.5))
    assert truth("moved(up, 1.5 m)", past) is True and truth("moved(up, 0.9 m)", past) is False
    passing = Evidence([Moment(n / 4, Pose(0, 0, 1 + n / 8)) for n in range(20)])
    assert truth("moved(up, 1 m)", passing) is False, "it went past"
    risen = flown(Pose(), Pose(0, 0, 1), Pose(0, 0, 1.3))
    assert truth("moved(up, 1.3 m)", risen) is True, "from the ground it is the height above it"
    assert truth("moved(up, 0.3 m)", risen) is False
    assert truth("moved(up, 1 m) then turned(left, 90 deg) then moved(forward, 2 m)", way) is False
    [part] = judge(parse("moved(up, 40 cm)"), flown(HOME, Pose(0, 0, 0.2))).missing
    assert part.why == "I did not move up 40 cm, but 20 cm"


def test_a_way_behind_another_is_measured_from_where_the_robot_stopped() -> None:
    """G11: who is to go to a mug is there from a metre off on, and stops half a metre before it (U9)."""
    there = [Pose(n / 8) for n in range(22)]
    back = [Pose(2.625 - n / 8) for n in range(1, 9)]
    moments = [Moment(n / 4, pose, KNOWN) for n, pose in enumerate([*there, *back, back[-1]])]
    gone = "at(mug.red) then moved(back, 1 m)"
    assert truth(gone, Evidence(moments)) is True
    reached = Deed(moments[21].at_s, "at", (Which("mug"),), frozenset({"mug-1"}))
    assert truth(gone, Evidence(moments, (reached,))) is True
    assert truth("at(mug.red) then moved(back, 50 cm)", Evidence(moments)) is False
    stays = [*moments[:22], replace(moments[21], at_s=9.0)]
    assert truth("at(mug.red) then moved(forward, 0.8 m)", Evidence(stays)) is False, "the way there does not count"


def test_each_of_several_is_gone_to_in_its_turn() -> None:
    """G16"""
    assert truth("each(2 mug) { at(it) }", flown(HOME, AT_MUG, AT_CUP)) is True
    [part] = judge(parse("each(2 mug) { at(it) }"), flown(HOME, AT_MUG)).missing
    assert part.why == "I went to one of the 2 mugs; I stopped 3.7 m short of the other"


def test_who_turns_back_turns_by_half_and_who_turns_anyhow_turns() -> None:
    """G11"""
    half, turned = Pose(0, 0, 1), Pose(0, 0, 1, math.pi)
    assert truth("turned(back) then moved(forward, 2 m)", flown(half, turned, Pose(-2, 0, 1, math.pi))) is True
    assert truth("turned(back)", flown(half, Pose(0, 0, 1, math.pi / 2))) is False
    assert truth("turned(left)", flown(half, Pose(0, 0, 1, math.pi / 2))) is True
    assert truth("turned(left)", flown(half, half)) is False and truth("moved(up)", flown(half, half)) is False


def test_where_they_were_when_it_began_stays_what_is_meant() -> None:
    """G13"""
    moved = {**KNOWN, "mug-1": Thing("mug-1", "mug", pose=Pose(0, 4, 0.8), attributes={"color": "red", "on": "shelf"})}
    seen = Evidence([Moment(0.0, HOME, KNOWN), Moment(9.0, HOME, moved)])
    assert truth("placed(mug from table, shelf)", seen) is True
    assert truth("placed(mug from shelf, table)", seen) is False


def test_if_counts_as_it_stood() -> None:
    """G14"""
    seen = flown(HOME, AT_MUG, views=("anna",))
    assert truth("if sees(person) { at(mug.red) } else { at(mug.blue) }", seen) is True
    assert truth("if sees(piano) { at(mug.blue) } else { at(mug.red) }", seen) is None
    assert truth("if sees(piano) { at(mug.blue) } else { at(mug.red) }", flown(HOME, AT_MUG, surveyed=True)) is True


def test_never_is_asked_of_every_moment() -> None:
    """G15"""
    assert truth("never at(mug.red)", flown(HOME, AT_MUG, HOME, closed=True)) is False
    assert truth("never at(mug.red)", flown(HOME, AT_CUP, HOME, closed=True)) is True
    [part] = judge(parse("never above(2 m)"), flown(HOME, Pose(0, 0, 3), HOME)).missing
    assert part.why == "1 s into the mission I rose above 2 m"


def test_each_is_asked_of_every_one() -> None:
    """G16"""
    both = flown(HOME, AT_MUG, AT_CUP, surveyed=True)
    assert truth("each(all mug) { visited(it) }", both) is True
    assert truth("each(all mug) { visited(it) }", flown(HOME, AT_MUG, surveyed=True)) is False
    assert truth("each(all mug) { visited(it) }", flown(HOME, AT_MUG, AT_CUP)) is None


def test_until_ends_where_its_test_holds_or_its_count_is_full() -> None:
    """G17"""
    climbed = flown(HOME, Pose(0, 0, 0.5), Pose(0, 0, 1.0), views=("anna",))
    assert truth("until sees(person) { moved(up, 50 cm) } most 5", climbed) is True
    assert truth("until sees(person) { moved(up, 50 cm) } most 5", flown(HOME, HOME, surveyed=True)) is False
    assert truth("until sees(piano) { moved(up, 50 cm) } most 2", climbed) is True


def test_within_looks_at_the_clock() -> None:
    """G18"""
    assert truth("within(5 s) { visited(mug.red) }", flown(HOME, AT_MUG)) is True
    assert truth("within(1 s) { visited(mug.red) }", flown(HOME, HOME, AT_MUG)) is False


def test_who_turns_on_the_spot_does_not_wait() -> None:
    """G19"""
    still = Evidence([Moment(float(n), Pose(yaw_rad=0.05 * (n % 2))) for n in range(5)])
    turns = Evidence([Moment(float(n), Pose(yaw_rad=0.5 * n)) for n in range(5)])
    assert truth("waited(3 s)", still) is True
    assert truth("waited(3 s)", turns) is False


def test_waves_are_counted_and_falls_are_told_by_who_saw_them() -> None:
    """G19"""
    deeds = (Deed(0.5, "waved"), Deed(1.5, "fell"), Deed(2.5, "waved"))
    seen = [Moment(float(n), HOME, upright=n != 2) for n in range(4)]
    judged, own = Evidence(seen, deeds, closed=True), Evidence([replace(m, upright=None) for m in seen])
    assert truth("waved(2); fell then waved; upright", judged) is True
    assert (
        truth("waved(3)", judged) is truth("fell then waved(2)", judged) is truth("never not upright", judged) is False
    )
    assert {truth(goal, own) for goal in ("waved", "fell", "upright")} == {None}, "nobody tells a robot of these"


def test_only_asks_of_everything_that_was_done_whether_it_was_this() -> None:
    """G33"""
    of_mug, of_both, of_cup = (
        Deed(1.0, "picture", (), frozenset(ids)) for ids in (("mug-1",), ("mug-1", "mug-2"), ("mug-2",))
    )
    assert truth("only picture(mug.red)", flown(HOME, HOME, deeds=(of_mug, of_both))) is True
    assert truth("only picture(mug.red)", flown(HOME, HOME, deeds=(of_mug, of_cup))) is False
    assert truth("only picture(mug.red)", flown(HOME, HOME)) is True, "none was taken: that is for another clause"
    assert truth("picture(mug.red); only picture(mug.red)", flown(HOME, HOME)) is False
