"""What was said, heard, asked and agreed, and to whom, on evidence (docs/goals.md)."""

from __future__ import annotations

from dataclasses import replace

from goal_evidence import ANNA, AT_CUP, AT_MUG, HOME, KNOWN, MUG, flown, truth

from sayso.goal import Amount, Which
from sayso.goals.evidence import Deed, Evidence, Moment
from sayso.grounding.phrases import asked_of
from sayso.scene import Pose, Thing


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
