"""What people say to a drone, and the plan that the reflex planner makes of it."""

from __future__ import annotations

import asyncio

import pytest
from reflex_brief import LANDED, SKILLS, brief, plan, sought
from sitting import Sitting

from sayso.errors import NotUnderstood
from sayso.goals.text import parse, show
from sayso.language import check
from sayso.planners.reflex import Command, Reflex
from sayso.roles import Attempt, End

CHAIR = sought("chair", "g('chair');")

PLANS = [
    # flying at all
    ("take off", "to;"),
    ("Take off!", "to;"),
    ("TAKE-OFF", "to;"),
    ("could you please take off?", "to;"),
    ("drone, lift off", "to;"),
    ("I want you to start flying now", "to;"),
    ("would you mind taking off", "to;"),
    ("take off and land", "to; la;"),
    ("take off, then touch down please. Thank you!", "to; la;"),
    ("take off and come down", "to; la;"),
    ("hover", "d(1);"),
    ("turn left and stop", "tu(90); d(0);"),
    # moves
    ("go up one metre", "mu(100);"),
    ("go up 1m", "mu(100);"),
    ("go up by 1.5 m", "mu(150);"),
    ("go up for 1m", "mu(100);"),
    ("fly 1 meter up", "mu(100);"),
    ("fly down 30 centimeters", "md(30);"),
    ("move forward two metres", "mf(200);"),
    ("go straight ahead for three metres", "mf(300);"),
    ("move back 50 cm", "mb(50);"),
    ("move backwards half a meter", "mb(50);"),
    ("go back 1 m", "mb(100);"),
    ("back up a metre", "mb(100);"),
    ("reverse 20 centimetres", "mb(20);"),
    ("fly 2 metres to the left", "ml(200);"),
    ("go to the left", "ml(50);"),
    ("move 30 centimeters to your right", "mr(30);"),
    ("strafe left 40cm", "ml(40);"),
    ("climb two metres", "mu(200);"),
    ("ascend a bit", "mu(20);"),
    ("descend 50 cm", "md(50);"),
    ("go a little higher", "mu(20);"),
    ("go lower", "md(50);"),
    ("go forward", "mf(50);"),
    ("go up 3 feet", "mu(91.44);"),
    ("go back 12 inches", "mb(30.48);"),
    ("go two steps forward", "mf(100);"),
    ("go up two hundred and fifty cm", "mu(250);"),
    ("go up twenty-five centimetres", "mu(25);"),
    ("go up one and a half metres", "mu(150);"),
    ("go up a metre and a half", "mu(150);"),
    ("go up three quarters of a metre", "mu(75);"),
    ("go up one point five metres", "mu(150);"),
    ("go up 1 1/2 m", "mu(150);"),
    ("go up ½ m", "mu(50);"),
    ("go up 1,5 m", "mu(150);"),
    ("go up 1 metre and 20 centimetres", "mu(120);"),
    ("go up 1 metre and 20 centimetres left", "mu(100); ml(20);"),
    ("go up a couple of metres", "mu(200);"),
    ("go forward 5 m", "mf(500);"),
    ("go forward 7 m", "mf(500);mf(200);"),
    ("go forward 5.005 m", "mf(250.25);mf(250.25);"),
    ("go forward 20 m", "mf(500);mf(500);mf(500);mf(500);"),
    ("up 1m", "mu(100);"),
    ("two metres forward", "mf(200);"),
    ("go forward and back", "mf(50); mb(50);"),
    ("go to the chair and back", CHAIR + " rh;"),
    ("go up 1m, forward 2m, left 50cm", "mu(100); mf(200); ml(50);"),
    ("fly a square of 1 metre", "4{mf(100);tc(90);}"),
    ("fly in a square with sides of 2 m", "4{mf(200);tc(90);}"),
    # turns
    ("turn left", "tu(90);"),
    ("turn to the right", "tc(90);"),
    ("turn right 45 degrees", "tc(45);"),
    ("turn 45 degrees to the left", "tu(45);"),
    ("turn left by 22.5°", "tu(22.5);"),
    ("turn left ninety", "tu(90);"),
    ("rotate clockwise 30 deg", "tc(30);"),
    ("rotate 30 degrees counter-clockwise", "tu(30);"),
    ("turn around", "tc(180);"),
    ("turn round please", "tc(180);"),
    ("turn 180 degrees", "tc(180);"),
    ("do a 180", "tc(180);"),
    ("make a U-turn", "tc(180);"),
    ("spin round once, a full circle", "tc(180);tc(180);"),
    ("spin once all the way round, to the left", "tu(180);tu(180);"),
    ("spin", "tc(180);tc(180);"),
    ("turn full circle", "tc(180);tc(180);"),
    ("make a half turn", "tc(180);"),
    ("a quarter turn to the left", "tu(90);"),
    ("turn left 270 degrees", "tu(180);tu(90);"),
    ("turn a bit to the right", "tc(15);"),
    ("look left and right", "tu(90); tc(90);"),
    ("look behind you", "tc(180);"),
    ("go left 90 degrees", "tu(90);"),
    ("turn left 90 degrees then right 45", "tu(90); tc(45);"),
    ("turn left 90 then right 2 metres", "tu(90); mr(200);"),
    ("go up one metre and turn left 90 degrees", "mu(100); tu(90);"),
    ("look around", "8{tc(45)}"),
    # things
    ("go to the chair", CHAIR),
    ("go to a chair", CHAIR),
    ("Fly over to the chair.", CHAIR),
    ("go up to the chair", CHAIR),
    ("go back to the chair", CHAIR),
    ("approach the chair you see", CHAIR),
    ("head towards the chair in front of you", CHAIR),
    ("go to chair", CHAIR),
    ("go to the stop sign", sought("stop sign", "g('stop sign');")),
    ("go to the left chair", sought("chair[0]", "g('chair[0]');")),
    ("go to the chair on the right", sought("chair[1]", "g('chair[1]');")),
    ("go to the gizmo", sought("gizmo", "g('gizmo');")),
    ("go to the people", sought("person", "g('person');")),
    ("find the scissors", sought("scissors", "l('I see the scissors.');")),
    ("can you look for boxes", sought("box", "l('I see the box.');")),
    ("can you find the bottle for me?", sought("bottle", "l('I see the bottle.');")),
    ("turn towards the window", sought("window", "o('window');")),
    ("take a picture", "tp;"),
    ("take 3 photos", "3{tp;}"),
    ("snap a picture of what you see", "tp;"),
    ("take a photo of the plant", sought("plant", "o('plant');tp;")),
    ("photograph the plant", sought("plant", "o('plant');tp;")),
    ("Go and take a picture of the chair.", CHAIR + " tp;"),
    ("go to the chair, take a picture, come back", CHAIR + " tp; rh;"),
    ("go to the chair and take a picture of it", CHAIR + " tp;"),
    ("take off, turn around and go to the chair, then take a picture", "to; tc(180); " + CHAIR + " tp;"),
    ("find the chair and go there", sought("chair", "l('I see the chair.');") + " g('chair');"),
    ("go to the chair and then the table", CHAIR + " " + sought("table", "g('table');")),
    ("Could you find an apple? If so, go to it.", sought("apple", "g('apple');")),
    ("Turn around and go to the apple.", "tc(180); " + sought("apple", "g('apple');")),
    ("find an apple. If you can't find it, land", "?s('apple')==True{l('I see the apple.');}:{la;}"),
    ("do you see a chair?", "?iv('chair')==True{l('Yes, I see the chair.')}:{l('No, I see no chair.')}"),
    ("can you see a chair", "?iv('chair')==True{l('Yes, I see the chair.')}:{l('No, I see no chair.')}"),
    (
        "turn until you see a door",
        "8{?iv('door')==False{tc(45)}}?iv('door')==False{l('I looked all round and found no door.');->False}",
    ),
    # home
    ("come back", "rh;"),
    ("return", "rh;"),
    ("go home and land", "rh; la;"),
    ("return to your starting position", "rh;"),
    ("fly back to where you started", "rh;"),
    # waiting and speaking
    ("wait 5 seconds", "d(5);"),
    ("wait for a moment", "d(2);"),
    ("hover for one and a half minutes", "d(60);d(30);"),
    ("stop for 5 seconds", "d(5);"),
    ("say hello", "l('hello');"),
    ("say hello and land", "l('hello'); la;"),
    ("say yes and no", "l('yes and no');"),
    ('say "stop and land"', "l('stop and land');"),
    ("say good evening to them and land", "l('good evening'); la;"),
    ("say welcome to the club", "l('welcome to the club');"),
    ("turn around and face the other way", "tc(180);"),
    ("say I'm here", "l('I\\'m here');"),
    ("say go; then land", "l('go'); la;"),
    # conditions and repetitions
    ("if you see a chair, go to it, otherwise land", "?iv('chair')==True{g('chair');}:{la;}"),
    ("If you see a chair, go to it. Otherwise land.", "?iv('chair')==True{g('chair');}:{la;}"),
    ("if you see a chair take a picture. Then land", "?iv('chair')==True{tp;} la;"),
    ("if you do not see a chair, turn around", "?iv('chair')==False{tc(180);}"),
    ("if you find a chair, land", "?s('chair')==True{la;}"),
    ("if there is a chair, land", "?s('chair')==True{la;}"),
    ("if there is a chair in front of you, land", "?iv('chair')==True{la;}"),
    ("if there is no chair, land", "?s('chair')==False{la;}"),
    ("when you see a chair, land", "?s('chair')==True{la;}:{l('I looked all round and found no chair.');->False}"),
    ("as soon as you spot a chair, turn left, otherwise land", "?s('chair')==True{tu(90);}:{la;}"),
    ("go to the chair, otherwise land", "?s('chair')==True{g('chair');}:{la;}"),
    (
        "if you see a chair land, else if you see a table go to it, otherwise come back",
        "?iv('chair')==True{la;}:{?iv('table')==True{g('table');}:{rh;}}",
    ),
    ("turn right 3 times", "3{tc(90);}"),
    ("turn right 90 degrees twice", "2{tc(90);}"),
    ("go forward 1 metre and turn left, do that four times", "4{mf(100);tu(90);}"),
    ("Take off. Go up 1 m and go down 1 m. Repeat that 3 times. Land.", "to; 3{mu(100);md(100);} la;"),
    ("repeat 3 times: go up 50 cm and go down 50 cm", "3{mu(50);md(50);}"),
    ("3 times: turn right", "3{tc(90);}"),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "expected"), PLANS)
def test_a_sentence_becomes_its_plan(sentence: str, expected: str) -> None:
    made = plan(sentence)
    assert made == expected
    assert check(made, SKILLS) == []


def test_a_plan_comes_statement_by_statement() -> None:
    assert Command.read(brief("take off, go up 1 m and land")).plan == ["to;", "mu(100);", "la;"]


@pytest.mark.parametrize(
    ("sentence", "goal"),
    [
        ("take off, go up 1 m and land", "want airborne then moved(up, 1 m) then landed"),
        ("back 40 cm, then turn left", "want moved(back, 0.4 m) then turned(left, 90 deg)"),
        ("go to the chair, take a picture and come back", "want at(chair) then picture then home"),
        ("take a picture of the chair", "want picture(chair)"),
        ("find the chair", "want found(chair)"),
        ("is there a chair?", "want if sees(chair) { said('yes') } else { said('no') }"),
        ("wait 3 seconds", "want waited(3 s)"),
        ("stop", "want stayed"),
        ("fly a square of 1 metre", "want " + " then ".join(["moved(forward, 1 m)", "turned(right, 90 deg)"] * 4)),
    ],
)
def test_a_command_has_its_goal_from_the_same_tree(sentence: str, goal: str) -> None:
    """docs/goals.md, G37"""
    understood = Command.read(brief(sentence)).goal
    assert understood and show(understood) == show(parse(goal))
    sitting = Sitting(brief(sentence))
    asyncio.run(Reflex().act(sitting))
    assert sitting.goals == [show(understood)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("go to the chair", "to;" + CHAIR),
        ("take a picture of the chair", "to;" + sought("chair", "o('chair');tp;")),
        ("hover for 3 seconds", "to;d(3);"),
        ("turn left and go to the chair", "tu(90); " + CHAIR),
        (
            "turn left until you see a door",
            "to;8{?iv('door')==False{tu(45)}}?iv('door')==False{l('I looked all round and found no door.');->False}",
        ),
        ("take off and go to the chair", "to; " + CHAIR),
        ("take off, land, go to the chair", "to; la; to;" + CHAIR),
        ("take a picture", "tp;"),
    ],
)
def test_a_landed_drone_takes_off_before_it_looks_round(sentence: str, expected: str) -> None:
    assert plan(sentence, observer=LANDED) == expected


@pytest.mark.parametrize(
    ("sentence", "label", "thing"),
    [
        ("go to the red apple", "red apple", "red apple"),
        ("go to the Gate 7b", "Gate", None),
        ("go to the valve", "Valve", "Valve"),
        ("go to the valves", "valve", "valve"),
        ("go to the humans", "person", "person"),
        ("go to thing", "thing", "thing"),
    ],
)
def test_what_is_in_view_is_known_by_its_label(sentence: str, label: str, thing: str | None) -> None:
    if thing is None:
        with pytest.raises(NotUnderstood):
            plan(sentence, label)
        return
    assert plan(sentence, label) == sought(thing, f"g('{thing}');")


def test_a_label_cannot_smuggle_in_a_command() -> None:
    made = plan("go to the chair la tc", "chair); la; tc(")
    assert made == sought("chair la tc", "g('chair la tc');")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("tunr left", "l('I read \"tunr\" as \"turn\".'); tu(90);"),
        ("go forwrad 1 m", "l('I read \"forwrad\" as \"forward\".'); mf(100);"),
        ("turn rihgt 30", "l('I read \"rihgt\" as \"right\".'); tc(30);"),
        ("turn left 30 degress", "l('I read \"degress\" as \"degrees\".'); tu(30);"),
        ("taek a pictrue", "l('I read \"taek\" as \"take\".'); l('I read \"pictrue\" as \"picture\".'); tp;"),
    ],
)  # fmt: skip
def test_a_slip_of_the_finger_is_mended_and_said(sentence: str, expected: str) -> None:
    assert plan(sentence) == expected


@pytest.mark.parametrize("word", ["halt", "Freeze!", "emergency landing", "come down", "LAND NOW"])
def test_a_mission_that_begins_with_an_urgent_word_has_a_plan(word: str) -> None:
    assert plan(word) in ("d(0);", "la;")


def test_a_robot_without_the_skill_is_said_to_lack_it() -> None:
    lame = SKILLS.only(n for n in SKILLS if n not in ("return_home", "scan"))
    for sentence, skill in (("come back", "return_home"), ("go to the chair", "scan")):
        with pytest.raises(NotUnderstood, match=f"no skill {skill}"):
            plan(sentence, skills=lame)


def test_it_has_no_second_plan() -> None:
    sitting = Sitting(brief("go up 1 m"), lambda text: Attempt(text, ended="the ceiling"))
    assert asyncio.run(Reflex().act(sitting)) == End(False, "the ceiling")
    assert len(sitting.plans) == 1


def test_an_aircraft_that_lands_at_home_alone_goes_home_to_land() -> None:
    aircraft = SKILLS.only({s.name for s in SKILLS.skills} - {"land"})
    assert plan("land", skills=aircraft) == "rh;"
    assert plan("take off and land", skills=aircraft) == "to; rh;"
