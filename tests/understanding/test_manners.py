"""How a wish is to be done is read by code, taken out of the sentence and said back (U5)."""

from __future__ import annotations

import pytest

from sayso.goals.text import parse, show
from sayso.limits import FREE, Limits
from sayso.understanding import requested
from sayso.understanding.manners import applied, kept, manners, sentence
from sayso.wish import How, Manner

SAID = [
    (
        "head for the ficus, but never get nearer than a metre and a half to anybody",
        "head for the ficus",
        "apart 1.5 people",
    ),
    ("give everybody a wide berth and look for my keys", "look for my keys", "apart 1 people"),
    ("go to the lamp and keep your distance from the dog", "go to the lamp", "apart 1 dog"),
    ("fly over to the shelf, leaving one metre between you and the vase", "fly over to the shelf", "apart 1 vase"),
    ("go to within a metre and a half of the lamp", "go to the lamp", "apart 1.5 "),
    ("fly to 2 metres in front of the fridge", "fly to the fridge", "apart 2 "),
    ("hover one metre in front of the lamp", "go to the lamp", "apart 1 lamp"),
    ("don't go within two metres of anyone; look for the lamp", "look for the lamp", "apart 2 people"),
    ("come to granny but keep 1.5 metres between us", "come to granny", "apart 1.5 people"),
    ("go to the oven, leaving a metre between you and the dog", "go to the oven", "apart 1 dog"),
    ("halt 60 cm before the lamp", "go to the lamp", "apart 0.6 lamp"),
    ("dont go closer than 1 m to the vase and find my keys", "find my keys", "apart 1 vase"),
    ("keep low and look for the jug, at most 70 cm off the ground", "look for the jug", "ceiling 0.7 "),
    ("go to the lamp, but do not come within 1 m of the vase on your way", "go to the lamp", "apart 1 vase"),
    ("find the lamp and stay under 1.5 metres the whole time", "find the lamp", "ceiling 1.5 "),
    ("don't fly. Count the lamps", "Count the lamps", "ceiling 0.15 "),
    ("quietly go to the lamp", "go to the lamp", "gently 0.2 "),
    ("stay 2 metres away from the vase while you approach it", "approach the vase", "apart 2 vase"),
    ("stay 2 metres away from people and approach it", "approach it", "apart 2 people"),
    ("go to the lamp, not above 70 cm", "go to the lamp", "ceiling 0.7 "),
    ("bring me the jug without touching the vase", "bring me the jug", "apart 0.3 vase"),
    ("avoid people and go to the lamp", "go to the lamp", "apart 1 people"),
    ("go to the lamp without flying over the bed", "go to the lamp", "off 0 bed"),
    ("go to the lamp without flying over anyone's head", "go to the lamp", "apart 1 people"),
    ("stay out of the bathroom and bring me the jug", "bring me the jug", "off 0 bathroom"),
    ("move forward 3 metres, no faster than half a metre per second", "move forward 3 metres", "speed 0.5 "),
    ("move forward 3 metres, no faster than 1.8 km/h", "move forward 3 metres", "speed 0.5 "),
    ("very slowly approach the lamp", "approach the lamp", "gently 0.12 "),
    ("take your time and go to the lamp", "go to the lamp", "gently 0.25 "),
    ("at half speed, go to the lamp", "go to the lamp", "gently 0.5 "),
    (
        "take grandma to the sofa but go slow she has a stick",
        "take grandma to the sofa but she has a stick",
        "gently 0.25 ",
    ),
    ("hurry up and find the lamp", "find the lamp", "haste 0 "),
    ("go to the lamp without going higher than 80 centimetres", "go to the lamp", "ceiling 0.8 "),
    ("find the lamp, max height 1.2 m", "find the lamp", "ceiling 1.2 "),
    ("take a picture without taking off", "take a picture", "ceiling 0.15 "),
    ("look for the lamp but no lower than 1.5 metres", "look for the lamp", "floor 1.5 "),
    ("find the lamp in at most half a minute", "find the lamp", "within 30 "),
    ("you've got 15 seconds: go to the lamp", "go to the lamp", "within 15 "),
    (
        "photograph the lamp from about 2 metres away",
        "go to the lamp and take a picture of it",
        "apart 2 lamp",
    ),
    ("look around without moving from the spot", "look around", "stay 0 "),
    ("go to the lamp, but keep 2 metres away from the brown dog the whole time", "go to the lamp", "apart 2 brown dog"),
    ("I do not want you above 2 metres. Go to the lamp", "Go to the lamp", "ceiling 2 "),
    ("never bring me anything back, look for the jug", "look for the jug", "alone 0 everything"),
    ("face the vase, but please stay put", "face the vase", "stay 0 "),
    ("turn left 50 degrees, never go away", "turn left 50 degrees", "stay 0 "),
]


@pytest.mark.parametrize(("said", "core", "told"), SAID, ids=[s[0] for s in SAID])
def test_u5_a_manner_is_read_and_taken_out_of_the_sentence(said: str, core: str, told: str) -> None:
    rest, (manner,) = manners(said)
    assert rest == core
    assert f"{manner.how} {manner.value:g} {manner.about}" == told


NONE = [
    "turn left, but not more than 40 degrees",
    "go up at least one metre",
    "rise above 2 metres",
    "stay two metres above the floor",
    "is there a lamp within 2 metres of you?",
    "follow the man who walks slowly",
    "how fast can you fly?",
    'say "go slowly" to Mary',
    "don't go over there",
    "don't fly higher than the shelf",
    "if somebody is there, stay where you are",
    "go to the lamp and wait 5 seconds",
    "go to the lamp and stay where you are",
    "ring if the lamp is lit, and if not just stay on the ground",
    "don't fetch anything hot, bring me the jug",
]


@pytest.mark.parametrize("said", NONE)
def test_u5_what_is_no_manner_stays_where_it_is(said: str) -> None:
    assert manners(said) == (said, ())


def test_u5_how_alone_is_no_wish() -> None:
    assert "what I should do" in requested("keep two metres away from the dog").asks
    assert requested("don't wander away").core == "stay where you are"


TOLD = [
    (Manner(How.APART, 2.0, "people"), FREE, "I stay at least 2 m away from people."),
    (Manner(How.APART, 1.5), FREE, "I stay at least 1.5 m away from it."),
    (Manner(How.OFF, 0.0, "bed"), FREE, "I keep off the bed."),
    (Manner(How.GENTLY, 0.25), Limits(speed_max_mps=0.5), "I move slowly, at 0.5 m/s at most."),
    (Manner(How.CEILING, 1.0), FREE, "I stay below 1 m."),
    (Manner(How.CEILING, 0.15), FREE, "I stay on the ground."),
    (Manner(How.WITHIN, 20.0), FREE, "I stop when the 20 s are over."),
]


@pytest.mark.parametrize(("manner", "limits", "said"), TOLD, ids=[t[2] for t in TOLD])
def test_u5_a_manner_is_said_back(manner: Manner, limits: Limits, said: str) -> None:
    assert sentence(manner, limits) == said


def test_u5_a_limit_that_was_kept_is_told() -> None:
    assert kept(Manner(How.OFF, 0.0, "bed"), FREE) == "I kept off the bed."
    assert kept(Manner(How.APART, 2.0, "people"), FREE) == "I stayed at least 2 m away from people."
    assert kept(Manner(How.WITHIN, 20.0), FREE) == ""


@pytest.mark.parametrize(
    ("goal", "manner", "meant"),
    [
        ("at(lamp)", Manner(How.APART, 2.0), "at(lamp, 2 m)"),
        ("at(person) then home", Manner(How.APART, 2.0, "people"), "at(person, 2 m) then home"),
        ("at(lamp)", Manner(How.APART, 2.0, "people"), "at(lamp)"),
        ("at(lamp)", Manner(How.APART, 0.3), "at(lamp)"),
        ("at(lamp) then home", Manner(How.WITHIN, 20.0), "within(20 s) { at(lamp) then home }"),
    ],
)
def test_u5_the_goal_has_its_manners_in_it(goal: str, manner: Manner, meant: str) -> None:
    assert show(applied(parse(goal), (manner,))) == f"want {meant}"
