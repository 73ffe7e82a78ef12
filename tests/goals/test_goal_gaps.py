"""What code reads of a wish by itself, and where a plan parts from it: docs/goals.md, rules G21 to G26."""

from __future__ import annotations

import pytest
from plans_of_a_drone import SKILLS

from sayso.goals.clauses import preds
from sayso.goals.planned import CLAUSES_MAX, planned
from sayso.goals.text import parse as parse_goal
from sayso.goals.text import show
from sayso.grounding.utterance import read
from sayso.language.parser import parse
from sayso.scene import Box, Scene, Thing
from sayso.understanding import requested
from sayso.understanding.gaps import gaps, unsaid_in

VIEW = Scene(
    (
        Thing("crate-1", "crate", Box(0.3, 0.6, 0.1, 0.1), 2.0, attributes={"color": "red"}),
        Thing("crate-2", "crate", Box(0.7, 0.6, 0.3, 0.3), 2.0, attributes={"color": "blue"}),
        Thing("lamp-1", "lamp", Box(0.5, 0.3, 0.1, 0.3), 3.0, attributes={"color": "white"}),
    )
)


def parted(wish: str, plan: str) -> list[str]:
    want = planned(parse(plan), SKILLS, VIEW).want
    return [str(g) for g in (*gaps(read(wish), want, VIEW), *unsaid_in(wish, want, VIEW))]


@pytest.mark.parametrize(
    ("plan", "want"),
    [
        ("mu(40);tc(90)", "want moved(up, 0.4 m) then turned(right, 90 deg)"),
        ("?!s('lamp'){l('no lamp');->False}g('lamp')", "want found(lamp) then at(lamp)"),
        ("?iv('lamp'){g('lamp')}:{rh}", "want if sees(lamp) { at(lamp) } else { home }"),
        ("2{mf(50);d(1)}", "want moved(forward, 0.5 m) then waited(1 s) then moved(forward, 0.5 m) then waited(1 s)"),
        ("g('crate[0.70]');tp", "want at(crate-2) then picture"),
        ("_1=od('lamp');mf(_1-80)", None),
        ("_1=sa('What is bright?');g(_1)", "want answered('What is bright?') then at(thing)"),
        ("?_1==False{->False}mu(20)", "want moved(up, 0.2 m)"),
        ("?iv('lamp'){g('lamp');->True}rh", "want if sees(lamp) { at(lamp) } else { home }"),
        ("?s('lamp')==True{g('lamp');->True}l('no');->False", "want found(lamp) then at(lamp)"),
        (
            "8{?iv('lamp'){->True}tc(45)}->False",
            "want until sees(lamp) { turned(right, 45 deg) } most 8 then sees(lamp)",
        ),
        (
            "4{?iv('lamp'){g('lamp');->True}tc(90)}rh",
            "want until sees(lamp) { turned(right, 90 deg) } most 4 then if sees(lamp) { at(lamp) } else { home }",
        ),
    ],
)
def test_a_plan_tells_what_it_works_towards(plan: str, want: str | None) -> None:
    """G21"""
    clause = planned(parse(plan), SKILLS, VIEW).want
    assert (show(clause) if clause else None) == want


@pytest.mark.parametrize(
    ("plan", "sure"),
    [
        ("?iv('lamp'){g('lamp')}:{rh}", True),
        ("_1=sa('What is bright?');?_1==False{l('nothing');->False}g(_1)", True),
        ("_1=sa('What is bright?');?_1!=False{g(_1);->True}->False", True),
        ("_1=sa('What is bright?');?_1!=False{g(_1);->True}rh", False),
        ("4{_1=p('Is it dark?');?_1==True{->True}tc(90)}rh", False),
        ("?od('lamp')>200{mf(100)}", False),
    ],
)
def test_a_plan_that_goes_by_what_only_becomes_known_is_not_sure(plan: str, sure: bool) -> None:
    """G21"""
    assert planned(parse(plan), SKILLS, VIEW).sure is sure


def test_loops_inside_loops_do_not_multiply_without_end() -> None:
    """G21"""
    plan = "20{" * 8 + "mf(50)" + "}" * 8
    assert len(list(preds(planned(parse(plan), SKILLS, VIEW).want))) <= CLAUSES_MAX


def test_ways_out_one_behind_the_other_do_not_pile_up() -> None:
    """G21"""
    plan = "?iv('lamp'){mf(20);->True}" * 2000
    assert len(list(preds(planned(parse(plan), SKILLS, VIEW).want))) <= CLAUSES_MAX


@pytest.mark.parametrize(
    ("wish", "quantities"),
    [
        ("rise by half a metre", [(0.5, "m")]),
        ("two and a half feet back, then wait ten seconds", [(0.762, "m"), (10.0, "s")]),
        ("forward 1,2 m and a quarter turn left", [(1.2, "m"), (90.0, "deg")]),
        ("a yard to the left", [(0.9144, "m")]),
        ("turn to your four o'clock", [(120.0, "deg")]),
        ("go to the lamp", []),
    ],
)
def test_quantities_are_read_with_their_units(wish: str, quantities: list[tuple[float, str]]) -> None:
    """G22"""
    assert [(q.value, q.unit) for q in read(wish).quantities] == quantities


@pytest.mark.parametrize(
    ("wish", "plan", "gap"),
    [
        ("rise thirty centimetres", "mu(13)", "nobody said “0.13 m”"),
        ("forward 80 cm and wait 4 seconds", "mf(80)", "“4 seconds” is left out"),
        ("turn left", "tc(90)", "nobody said “right”"),
        ("go over to the workbench", "g('bench')", "nobody said “bench”"),
        ("fly to the blue crate", "g('crate[0.30]')", "“blue” is left out"),
        ("the smallest crate, please: go there", "g('crate[0.70]')", "“smallest” is left out"),
        ("go to the lamp and take a photo of it", "g('lamp')", "“photo” is left out"),
        ("go to the lamp", "g('lamp');la", "nobody said “land”"),
        ("go to the lamp unless it is on, otherwise wait", "g('lamp')", "“unless” is left out"),
        ("find a crate that is not red", "s('crate')", "“not” is left out"),
        ("find the lamp and fly to it", "s('lamp')", "“fly to it” is left out"),
        ("find the lamp and fly to it", "o('lamp')", "“fly to it” is left out"),
        ("to the crate, please", "g('crate')", "one “crate” is taken and I see several"),
        ("photograph each lamp", "o('lamp');tp", "“each” is left out"),
    ],
)
def test_a_plan_that_parts_from_the_wish_is_caught(wish: str, plan: str, gap: str) -> None:
    """G23"""
    assert gap in parted(wish, plan)


@pytest.mark.parametrize(
    ("wish", "plan"),
    [
        ("rise thirty centimetres", "mu(30)"),
        ("go to the largest thing that you see", "g('crate[0.70]')"),
        ("look for a lamp; if there is one, come home, otherwise land", "?s('lamp'){rh->True}la"),
        ("turn round", "tc(180)"),
        ("up a bit", "mu(20)"),
        ("fly to the blue crate", "g('crate[0.70]')"),
        ("the smallest crate, please: go there", "g('crate[0.30]')"),
        ("go to the lamp, take a photo, and come back", "g('lamp');tp;rh"),
        ("three times forward 40 cm and wait a second", "3{mf(40);d(1)}"),
        ("is a lamp here? if so, go to it, otherwise come home", "?s('lamp'){g('lamp')}:{rh}"),
        ("who is that man over there? go up to him", "g('person')"),
        ("could you, if you don't mind, go to the lamp", "g('lamp')"),
        ("go all the way to the lamp", "g('lamp')"),
        ("to the crate by the lamp, please", "g('crate')"),
        ("go to a crate", "g('crate')"),
        ("climb seven metres", "mu(500);mu(200)"),
        ("a whole circle to the left", "2{tu(180)}"),
        ("photographed from here, please: the lamp", "o('lamp');tp"),
        ("turn to that thing over there", "o('lamp')"),
        ("go to the lamp", "g('lamp')"),
        ("visit both crates", "g('crate[0.30]');g('crate[0.70]')"),
        ("take pictures of all the crates", "8{tp;tc(45)}"),
        ("when nobody is about, land", "?!iv('person'){la}"),
        ("stay below two metres and go to the lamp", "g('lamp')"),
        ("I am cold, is there anything for me?", "_1=sa('What keeps warm?');?_1==False{->False}l(_1);g(_1)"),
    ],
)
def test_a_right_plan_is_never_in_the_way(wish: str, plan: str) -> None:
    """G24: of what a planner gets of a sentence, from which its limits are taken."""
    assert parted(requested(wish).core, plan) == []


def test_a_colour_in_the_goal_is_not_left_out_though_nobody_sees_it_yet() -> None:
    """G23"""
    far = Scene((Thing("lamp-1", "lamp"),))
    goal = parse_goal("at(chair.red) then picture(chair.red)")
    assert not unsaid_in("go to the red chair and take a picture", goal, far)
    plain = parse_goal("at(chair) then picture(chair)")
    assert [g.what for g in unsaid_in("go to the red chair and take a picture", plain, far)] == ["red"]


def test_a_side_without_an_opposite_parts_from_no_wish() -> None:
    """G23"""
    assert gaps(read("go left 2 m"), parse_goal("moved(east, 2 m)"), VIEW) == []
