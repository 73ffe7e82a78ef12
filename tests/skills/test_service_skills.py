"""What the service robot can be asked for, done in the home and judged by how the home is afterwards."""

from __future__ import annotations

import math

import pytest
from service_mission import Flown

from sayso.robots.service.service import PAPER
from sayso.skills import skills_for
from sayso.worlds import make
from sayso.worlds.indoor.robot import SimService


def test_a_drink_is_brought_to_the_operator() -> None:
    done = Flown("mt('kitchen');lo('cola');gr('cola');mt('initial location');pt('me')")
    assert done.ended.outcome == "achieved", done.ended.reason
    assert done.truth.things["coke"].holder == "operator"
    assert done.truth.people["operator"].heard == ("Please take the coke.",)
    assert done.truth.contacts == () and done.truth.holding == ""


def test_what_falls_as_it_is_held_out_was_given_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fingers get slippery as they are held out; what an empty hand offers is handed to nobody."""
    held_out = SimService.hold_out

    async def slippery(hand: SimService, far_m: float) -> None:
        hand._arm.soap(True)
        await held_out(hand, far_m)

    monkeypatch.setattr(SimService, "hold_out", slippery)
    done = Flown("mt('kitchen');lo('cola');gr('cola');mt('initial location');gv('me')")
    assert (done.ended.outcome, done.said) == ("not_achieved", [])
    assert done.ended.reason == "the hand is empty; the coke fell out of it on the way"
    assert done.truth.things["coke"].holder == ""


def test_a_thing_is_put_on_a_placement_and_one_into_the_bin() -> None:
    plan = (
        "mt('bookcase');lo('apple');gr('apple');mt('end table');pt('end table');mt('counter');de('sprite','trash bin')"
    )
    done = Flown(plan, wish="move the apple and throw the sprite away")
    objects = done.truth.things
    assert done.ended.outcome == "achieved", done.ended.reason
    assert objects["apple"].on == "end table" and objects["sprite"].on == "trash bin"
    assert all(o.on for o in objects.values()), "nothing else fell"


def test_the_object_on_top_of_another() -> None:
    """One of the two commands that the paper's robot failed on."""
    top = "object on top of the potato chips"
    plan = f"mt('dining table');lo('{top}');gr('{top}');mt('start');gv('me')"
    done = Flown(plan, {"people": [], "objects": {"orange": {"on": "potato chips"}}})
    assert done.truth.things["orange"].holder == "operator"
    assert done.truth.things["potato chips"].on == "dining table"


def test_the_gender_of_the_person_at_the_exit() -> None:
    """The other one: what is perceived is spoken."""
    plan = (
        "mt('exit');lp('person');_1=pi('gender');_2=pi('name');mt('initial location');lp('me');sp('The person is '+_1)"
    )
    done = Flown(plan, {"people": [{"name": "Linda", "place": "exit"}]})
    assert "The person is female" in done.truth.people["operator"].heard
    assert done.value("person_info") == "Linda"


def test_a_question_is_heard_and_answered() -> None:
    asker = {"name": "Alex", "place": "corridor", "gesture": "waving", "asks": ["What is the capital of France?"]}
    other = {"name": "Mary", "place": "corridor", "gesture": ""}
    done = Flown("mt('corridor');lp('person waving');an('question')", {"people": [asker, other]})
    assert done.value("look_for_person") == "Alex"
    assert any("Paris" in text for text in done.truth.people["Alex"].heard)


def test_somebody_is_guided_and_stays_where_it_was_told() -> None:
    done = Flown(
        "mt('sink');lp('Mary');sp('Please follow me!');mt('bedroom');mt('corridor')",
        {"people": [{"name": "Mary", "place": "sink", "pose": "sitting"}]},
    )
    mary = done.truth.people["Mary"]
    assert mary.room == "bedroom" and mary.posture == "standing" and done.truth.room == "corridor"


def test_somebody_is_followed() -> None:
    done = Flown(
        "mt('couch');lp('John');f('John')", {"people": [{"name": "John", "place": "couch", "leads_to": "exit"}]}
    )
    john, robot = done.truth.people["John"], done.truth
    assert done.ended.outcome == "achieved", done.ended.reason
    assert john.place == "exit"
    assert math.hypot(john.pose.x_m - robot.pose.x_m, john.pose.y_m - robot.pose.y_m) < 2.0


def test_who_does_not_lead_is_not_followed() -> None:
    done = Flown("lp('John');f('John')", {"people": [{"name": "John", "place": "living room"}]})
    assert done.outcome("follow") == ("failed", "John does not lead anywhere")


def test_counting_and_asking_about_objects() -> None:
    people = [
        {"name": "Mary", "place": "kitchen"},
        {"name": "Alex", "place": "kitchen"},
        {"name": "John", "place": "bedroom"},
    ]
    done = Flown(
        "_1=ct('people','kitchen');_2=ct('women','kitchen');_3=ct('drinks','counter');_4=oi('heaviest','drinks')->_1*100+_2*10+_3",
        {"people": people},
    )
    assert done.ended.value == 215
    assert done.value("object_info") == "orange juice"


def test_what_a_command_leaves_out_is_asked() -> None:
    done = Flown(
        "_1=ak('Where should I go?');mt(_1)",
        {"people": [], "operator": {"answers": [{"when": ["where"], "say": "To the kitchen, please."}]}},
    )
    assert done.truth.room == "kitchen" and done.said == ["Where should I go?"]


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        ("mt('garage')", "no place is called 'garage'"),
        ("lo('unicorn')", "no object is called 'unicorn'"),
        ("gr('coke')", "do not see the coke from here; look_for_obj first"),
        ("pl('counter')", "the hand is empty"),
        ("ak('Hello?')", "nobody answered"),
        ("mt('sink');lo('apple in the sink')", "found no apple: looked at the sink"),
    ],
)
def test_failures_say_what_is_wrong(plan: str, reason: str) -> None:
    done = Flown(plan, {"people": [], "robot": {"at": [-5.5, 0.0]}})
    assert done.ended.outcome == "not_achieved" and reason in done.ended.reason


def test_nobody_of_that_kind_tells_who_is_there() -> None:
    done = Flown("lp('Robert')", {"people": [{"name": "Mary", "place": "living room"}]})
    assert "found no Robert in the living room; saw Mary (standing)" in done.ended.reason


def test_the_eight_of_the_paper_are_among_the_skills() -> None:
    world = make("home")
    skills = skills_for(world.robot, world.perception)
    assert set(PAPER) < set(skills) and len(skills.only(PAPER)) == 8
    assert skills["count"].returns == "integer" and skills["grasp"].uses == ("base", "head", "arm", "gripper")
