"""Whether a goal is met, on evidence: docs/goals.md, rules G7 to G19."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.goal import Amount, Truth, Which
from sayso.goals.asked import every, opposite, some
from sayso.goals.deeds import names_in
from sayso.goals.evidence import Deed, Evidence, Moment
from sayso.goals.holds import judge
from sayso.goals.text import parse
from sayso.grounding.phrases import asked_of
from sayso.scene import Pose, Thing

MUG = Thing("mug-1", "mug", pose=Pose(3.0, 0.0, 0.8), attributes={"color": "red", "on": "table"})
CUP = Thing("mug-2", "mug", pose=Pose(0.0, 4.0, 0.8), attributes={"color": "blue", "on": "shelf"})
ANNA = Thing("anna", "person", pose=Pose(5.0, 1.0, 0.0), attributes={"shirt": "yellow vest"})
KNOWN = {t.id: t for t in (MUG, CUP, ANNA)}


def flown(*poses: Pose, things: Mapping[str, Thing] | None = None, deeds: tuple[Deed, ...] = (), closed: bool = False,
          surveyed: bool = False, views: tuple[str, ...] = (), holding: str | None = None) -> Evidence:  # fmt: skip
    """A second between two poses, at each of which it rests half a second; `views` are in view at the end."""
    seen = KNOWN if things is None else things
    rests = [(n + half, p) for n, p in enumerate(poses) for half in (0.0, 0.5)][:-1]
    moments = [Moment(t, p, seen, frozenset(views if t == len(poses) - 1 else ()), holding) for t, p in rests]
    return Evidence(moments, deeds, closed, 0.0 if surveyed else None)


HOME = Pose()
AT_MUG = Pose(2.5)
AT_CUP = Pose(0.0, 3.4)


def truth(text: str, evidence: Evidence) -> Truth:
    return judge(parse(text), evidence).truth


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


def test_who_hears_what_the_robot_says_is_not_observed() -> None:
    """G53"""
    said = flown(HOME, deeds=(Deed(0.2, "said", ("Anna wears a vest.",)),))
    for text in ("informed(bob, 'clothes', anna)", "introduced(anna, bob)"):
        assert truth(text, said) is None
        assert truth(text, flown(HOME)) is False
    heard = (Deed(0.2, "heard", ("this is bob",), frozenset({"anna"})), Deed(0.2, "heard", ("anna",), frozenset({"b"})))
    bob = Thing("b", "bob", pose=Pose(5.0, 1.5))
    anna = replace(ANNA, label="anna")
    world = flown(HOME, things={"b": bob, "anna": anna}, deeds=heard, closed=True)
    assert truth("introduced(anna, bob)", world) is True
    assert truth("introduced(anna, bob)", replace(world, deeds=heard[:1])) is False


def test_who_was_asked_and_did_not_say_yes_has_not_agreed() -> None:
    """G53"""
    asked = Deed(0.1, "asked", (Which("person"), "tea?"))
    assert truth("agreed(anna)", flown(HOME)) is None
    assert truth("agreed(anna)", flown(HOME, deeds=(asked,))) is False
    assert truth("agreed(anna)", flown(HOME, deeds=(asked, Deed(0.2, "agreed", (Which("person"),))))) is True


def test_what_no_look_weighs_is_not_known() -> None:
    """G54"""
    for rank in ("heaviest", "lightest", "thinnest"):
        assert truth(f"at({rank} mug)", flown(HOME, AT_MUG, surveyed=True)) is None
    assert truth("at(nearest mug)", flown(HOME, AT_MUG, surveyed=True)) is True


def test_it_says_by_how_much() -> None:
    """G7"""
    [part] = judge(parse("at(mug.red)"), flown(HOME, Pose(0.7))).missing
    assert part.why == "I stopped 1.3 m short of the red mug"


def test_what_was_not_seen_is_unknown_and_in_a_whole_look_it_is_not_there() -> None:
    """G8"""
    assert truth("at(piano)", flown(HOME)) is None
    assert truth("at(piano)", flown(HOME, surveyed=True)) is False
    assert truth("at(piano)", flown(HOME, closed=True)) is False


def test_all_of_them_is_only_sure_where_everything_was_looked_at() -> None:
    """G9"""
    deeds = (Deed(1.0, "picture", (), frozenset({"mug-1", "mug-2"})),)
    assert truth("picture(all mug)", flown(HOME, HOME, deeds=deeds)) is None
    assert truth("picture(all mug)", flown(HOME, HOME, deeds=deeds, surveyed=True)) is True
    assert (
        truth("picture(all mug)", flown(HOME, HOME, deeds=(Deed(1.0, "picture", (), frozenset({"mug-1"})),))) is False
    )


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


def test_one_of_a_category_is_given_by_that_name() -> None:
    """G19"""
    apple = Thing("apple-1", "apple", pose=Pose(1, 0), attributes={"category": "fruits"})
    given_ = Deed(0.5, "given", (Which("fruits"), Which("me")), frozenset({"fruits"}))
    seen = flown(HOME, AT_MUG, things={"apple-1": apple}, deeds=(given_,))
    assert truth("given(fruits, me)", seen) is True
    assert truth("given(drinks, me)", seen) is False
    who = replace(given_, args=(Which("fruits"), Which("anna")), things=frozenset({"fruits", "anna"}))
    both = replace(seen, deeds=(who,), moments=[replace(m, things={**m.things, "anna": ANNA}) for m in seen.moments])
    assert truth("given(fruits, anna)", both) is True
    assert truth("given('largest fruits', me)", seen) is not True
    other = replace(given_, args=(Which("coke"), Which("me")), things=frozenset({"coke-1"}))
    assert truth("given(fruits, me)", replace(seen, deeds=(other,))) is False


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
    assert truth("moved(up, 0.3 m)", risen) is True, "it hovers before it goes up"
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


def test_except_and_not_leave_out() -> None:
    """G12"""
    deeds = (Deed(1.0, "picture", (), frozenset({"mug-1"})),)
    seen = flown(HOME, HOME, deeds=deeds, surveyed=True)
    assert truth("picture(all mug but mug.blue)", seen) is True
    assert truth("not picture(mug.blue)", seen) is True
    assert truth("not picture(mug.red)", seen) is False


def test_superlatives_and_ordinals_are_measured() -> None:
    """G9, G12"""
    assert truth("at(nearest mug)", flown(HOME, AT_MUG, surveyed=True)) is True
    assert truth("at(furthest mug)", flown(HOME, AT_MUG, surveyed=True)) is False
    assert truth("at(furthest mug)", flown(HOME, AT_CUP, surveyed=True)) is True  # as it was when that was said
    assert truth("at(nth 2 nearest mug)", flown(HOME, AT_CUP, surveyed=True)) is True
    assert truth("at(nearest mug)", flown(HOME, AT_MUG)) is None, "one that nobody saw may be nearer"
    assert truth("at(furthest mug)", flown(HOME, AT_MUG)) is False
    assert truth("visited(mug left_of person)", flown(HOME, AT_CUP, surveyed=True)) is True
    assert truth("visited(person.yellow)", flown(HOME, Pose(4.5, 1.0))) is True


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


def test_what_was_said_and_asked_is_what_was_heard() -> None:
    """G19"""
    deeds = (
        Deed(1.0, "said", ("Dinner is ready, Anna!",)),
        Deed(2.0, "asked", (Which("person"), "who wants tea?"), frozenset({"anna"})),
        Deed(3.0, "waited", (Amount(4.0, "s"),)),
    )
    seen = flown(HOME, HOME, HOME, HOME, deeds=deeds)
    assert truth("said('dinner ready')", seen) is True
    assert truth("said('breakfast')", seen) is False
    assert truth("asked(piano, 'who wants tea')", seen) is False
    assert truth("asked(person.yellow, 'who wants tea')", seen) is True
    assert truth("waited(4 s)", seen) is True
    assert truth("answered('what is it?')", seen) is None, "nothing tells whether that is the answer"
    asks = replace(seen, deeds=(Deed(1.0, "said", ("Which one do you mean?",)), Deed(1.0, "answered", ("who is it?",))))
    assert truth("answered('what is it?')", asks) is False
    assert truth("answered('who is it?')", asks) is None
    assert truth("waited(4 s) then answered('what is it?')", seen) is False, "it was said before"


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


@pytest.mark.parametrize(
    ("said", "wants"),
    [
        ("It is a mug.", True),
        ("There is no such thing.", False),
        ("A mug, a person, a piano.", False),
        ("I see a person.", False),
    ],
)
def test_who_names_all_has_named_nothing(said: str, wants: Truth) -> None:
    """G34"""
    seen = flown(HOME, HOME, views=("mug-1", "anna"), deeds=(Deed(1.0, "said", (said,)),), closed=True)
    assert truth("named(mug)", seen) is wants
    assert truth("named(mug)", replace(seen, given_up=True)) is False
    unseen = flown(HOME, HOME, deeds=(Deed(1.0, "said", (said,)),), closed=True)
    assert truth("named(mug)", unseen) is False


def test_the_longer_name_is_meant_before_the_shorter_one() -> None:
    """G34"""
    assert names_in("It's the orange juice!", ("orange", "orange juice")) == {"orange juice"}


def test_who_was_told_what_is_what_they_heard() -> None:
    """G19"""
    deeds = (
        Deed(1.0, "heard", ("Dinner is ready.",), frozenset({"anna"})),
        Deed(1.0, "heard", ("Dinner is ready.",), frozenset({"anna"})),
        Deed(2.0, "heard", ("There are three mugs. Is that all?",), frozenset({"anna", "bob"})),
    )
    seen = replace(flown(HOME, HOME, HOME, deeds=deeds, closed=True), choices={"number": ("1", "2", "3")})
    assert truth("heard(person, 'dinner is ready', 2)", seen) is True
    assert truth("heard(person, 'dinner is ready', 3)", seen) is False
    assert truth("heard(person, 'supper is/dinner is')", seen) is True
    assert truth("told(person, '3', 'number')", seen) is True
    assert truth("told(person, '2', 'number')", seen) is False
    assert truth("told(mug, '3')", seen) is False
    spoken = flown(HOME, HOME, deeds=(Deed(1.0, "said", ("Dinner is ready.",)),))
    assert truth("heard(person, 'dinner is ready')", spoken) is None, "who speaks does not observe who hears it"
    assert truth("told(person, 'supper')", spoken) is False


def test_who_was_taken_somewhere_and_who_went_is_where_they_are() -> None:
    """G7"""
    away = {**KNOWN, "anna": replace(ANNA, pose=Pose(8.0, 1.0))}
    at = {"anna": frozenset({"kitchen", "sink"}), "mug-1": frozenset({"kitchen"})}
    seen = Evidence([Moment(0.0, HOME, KNOWN), Moment(9.0, HOME, away, whereabouts=at)], closed=True)
    assert truth("guided(person, sink); gone(person); not gone(mug); placed(mug.red, kitchen)", seen) is True
    assert truth("guided(person, bed)", seen) is False
    assert truth("guided(person, mug.red)", seen) is False, "in one room, and far from it"
    assert truth("there(mug.red); not there(mug.green)", seen) is True
    door = {**away, "door": Thing("door", "door", pose=HOME)}
    nowhere = Evidence([Moment(9.0, HOME, door, whereabouts=at)], closed=True)
    assert truth("not placed(thing, bed)", nowhere) is True, "what is at no place is at none, for a judge"


def test_whatever_was_touched_is_something() -> None:
    """G19"""
    bumped = flown(HOME, HOME, deeds=(Deed(1.0, "touched", (Which("wall"),)),), closed=True)
    assert truth("never touched(thing)", bumped) is False
    assert truth("never touched(mug)", bumped) is True


def test_facing_is_as_close_as_it_is_wanted() -> None:
    """G11"""
    turned = flown(HOME, Pose(yaw_rad=math.radians(30)), closed=True)
    assert truth("facing(mug.red)", turned) is False
    assert truth("toward(mug.red, 40 deg)", turned) is True


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


@pytest.mark.parametrize("closed", [False, True], ids=["observed", "the world's truth"])
@pytest.mark.parametrize(
    "want",
    [
        "at('something red')",
        "at(mug beside 'something warm')",
        "at(thing beside 'something warm')",
        "at(mug on 'something flat' beside shelf)",
        "at(mug beside thing on 'something flat')",
        "at(mug but 'something blue')",
        "at(mug but mug beside 'something warm')",
        "at(nearest mug beside 'something warm')",
        "at(mug from 'something flat')",
        "not at('something blue')",
        "not at(mug beside 'something warm')",
        "never at('something red')",
        "each('something red') { visited(it) }",
        "each(all 'something red') { visited(it) }",
        "each(all mug beside 'something warm') { visited(it) }",
        "if at('something red') { at(mug) } else { at(mug.blue) }",
        "placed(mug.red, 'something flat')",
        "placed('something red', table)",
        "visited(all 'something red')",
    ],
)
def test_what_hangs_on_what_is_only_described_is_not_known(want: str, closed: bool) -> None:
    """G49: not even by the world's truth, which has names alone."""
    near = {**KNOWN, "stove": Thing("stove", "stove", pose=Pose(3.5, 0.0, 0.8), attributes={"on": "table"})}
    assert truth(want, flown(HOME, AT_MUG, things=near, closed=closed, surveyed=True)) is None


@pytest.mark.parametrize("closed", [False, True])
def test_where_not_even_anything_would_do_it_is_known_not_to_be_so(closed: bool) -> None:
    """G49"""
    far = flown(Pose(-9.0), closed=closed, surveyed=True)
    for want in ("at('something red')", "at(2 'something red')", "visited(mug beside 'something warm')"):
        assert truth(want, far) is False
    assert truth("at('something red')", flown(Pose(-9.0))) is None, "it may stand where nobody looked"
    assert truth("not at('something red')", far) is True
    assert truth("at(all 'something red')", far) is None


def test_a_place_that_is_known_is_a_name_though_no_dictionary_has_it() -> None:
    """G49"""
    reached = (Deed(1.0, "visited", (Which("fruit table"),)),)
    seen = replace(flown(HOME, AT_MUG, deeds=reached), spots=frozenset({"fruit table"}))
    assert truth("visited('fruit table')", seen) is True


def test_a_name_that_reads_like_a_description_is_a_name_where_a_thing_is_called_so() -> None:
    """G49"""
    water = Thing("w", "bottle of water", pose=Pose(3.0, 0.0, 0.8))
    things = {**KNOWN, "w": water}
    for closed in (False, True):
        assert truth("at('bottle of water')", flown(AT_MUG, things=things, closed=closed))
        assert not truth("at('bottle of water')", flown(AT_CUP, things=things, closed=closed))


def test_the_word_of_who_saw_a_picture_makes_true_and_nothing_false() -> None:
    """G51"""
    judged = {"something sour": frozenset({MUG.id})}
    there, elsewhere = (replace(flown(HOME, pose), judged=judged) for pose in (AT_MUG, AT_CUP))
    assert truth("at('something sour')", there) is True
    assert truth("at('something sour')", flown(HOME, AT_MUG)) is None
    assert truth("at('something sour')", elsewhere) is None
    assert truth("not at('something sour')", there) is False
    assert truth("at('something sweet')", there) is None
    for more in ("all 'something sour'", "nearest 'something sour'", "mug but 'something sour'"):
        assert truth(f"at({more})", replace(there, surveyed_s=0.0)) is not True, more


def test_a_question_tells_what_it_asks_for() -> None:
    assert asked_of("Which is something sour?") == asked_of("something sour") == "something sour"
    assert asked_of("Which is not something sour?") != "something sour"
