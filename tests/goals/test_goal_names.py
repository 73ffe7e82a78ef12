"""Which of the things that were seen a goal's names and descriptions mean (docs/goals.md)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from goal_evidence import ANNA, AT_CUP, AT_MUG, HOME, KNOWN, flown, truth

from sayso.goal import Truth, Which
from sayso.goals.deeds import names_in
from sayso.goals.evidence import Deed
from sayso.scene import Pose, Thing


def test_what_no_look_weighs_is_not_known() -> None:
    """G54"""
    for rank in ("heaviest", "lightest", "thinnest"):
        assert truth(f"at({rank} mug)", flown(HOME, AT_MUG, surveyed=True)) is None
    assert truth("at(nearest mug)", flown(HOME, AT_MUG, surveyed=True)) is True


def test_all_of_them_is_only_sure_where_everything_was_looked_at() -> None:
    """G9"""
    deeds = (Deed(1.0, "picture", (), frozenset({"mug-1", "mug-2"})),)
    assert truth("picture(all mug)", flown(HOME, HOME, deeds=deeds)) is None
    assert truth("picture(all mug)", flown(HOME, HOME, deeds=deeds, surveyed=True)) is True
    assert (
        truth("picture(all mug)", flown(HOME, HOME, deeds=(Deed(1.0, "picture", (), frozenset({"mug-1"})),))) is False
    )


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


def test_whatever_was_touched_is_something() -> None:
    """G19"""
    bumped = flown(HOME, HOME, deeds=(Deed(1.0, "touched", (Which("wall"),)),), closed=True)
    assert truth("never touched(thing)", bumped) is False
    assert truth("never touched(mug)", bumped) is True


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
