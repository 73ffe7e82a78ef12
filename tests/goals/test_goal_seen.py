"""What looks show, and what they tell to a question."""

from __future__ import annotations

import pytest

from sayso.goal import Pred, Which
from sayso.goals.seen import Seen
from sayso.goals.text import parse
from sayso.scene import Box, Pose, Scene, Thing


def thing(id_: str, label: str, x_m: float, y_m: float, z_m: float = 0.4, high: float = 0.2, **looks: str) -> Thing:
    pose = Pose(x_m, y_m, z_m)
    return Thing(id_, label, Box(0.5, 0.5, 0.2, high), Pose().level_m(pose), pose, looks)


ROOM = Scene(
    (
        thing("lamp-1", "lamp", 2.0, 0.0, color="white"),
        thing("lamp-2", "lamp", -3.0, 0.1, color="red"),
        thing("bench", "bench", 0.0, 2.0, color="brown"),
        thing("ann", "person", 0.0, -3.0, 0.8, 0.5, shirt="green"),
        thing("bob", "person", 4.0, -3.0, 0.9, 0.5, shirt="blue", holding="kettle"),
        thing("pear", "pear", 1.0, 3.0, color="green"),
        thing("tree", "plant", -5.0, 1.0, color="green"),
    )
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("'how many all round', person", "I count 2 people from here."),
        ("'how many all round', lamp.red", "I count one red lamp from here."),
        ("'how many all round', whale", "I count no whale from here."),
        ("'is it here', lamp behind you", "Yes, I see a lamp behind me: 3 m away."),
        (
            "'what is all round', thing behind lamp.white",
            "I see a person in blue behind the white lamp.",
        ),
        ("'what is all round', thing under vase", "I see nothing under the vase from here."),
        ("'what is all round', nearest person beside bench", "I see a person in green nearest to the bench."),
        ("'is it here', whale", "No, I see no whale anywhere around me."),
        ("'is it here', 3 person", "No, I count 2 people from here."),
        ("'where', bench", "The bench is 2 m away, on my left."),
        ("'how far', nearest lamp", "The nearest lamp is 2 m away."),
        ("'how far', lamp", "I see 2 lamps: one is 2 m away and one is 3 m away."),
        ("'what colour', lamp", "I see 2 lamps: one is white and one is red."),
        ("'what colour', plant", "The plant is green."),
        ("'what is held', person.blue", "The person in blue holds a kettle."),
        ("'what is held', person.green", ""),
        ("'is it so', bench, thing.brown", "Yes, the bench is brown."),
        ("'is it so', bench, thing.pink", "No, the bench is brown."),
        ("'is it so', all lamp, thing.red", "No, only one lamp of 2 is red."),
        ("'is it so', 1 lamp, thing.red", "Yes, one lamp of 2 is red."),
        ("'is it so', lamp.red, {thing.blue or thing.red}", "The red lamp is red."),
        ("'is it so', bench, {thing.blue or thing.red}", "Neither: the bench is brown."),
        (
            "'which is nearest', bench, 'plant'",
            "The bench is closer: the bench is 2 m away and the plant is 5.1 m away.",
        ),
        ("'which is furthest', bench, whale", ""),
        ("'which one', furthest lamp", "The furthest lamp is 3 m away, behind me."),
        ("'is it so', whale, thing right_of you", ""),
        ("'is it so', pear, thing beside bench", "Yes, the pear is beside the bench."),
        ("'is it so', bench, thing before you", "No, the bench is not in front of me."),
        ("'is it so', bench, thing left_of you", "Yes, the bench is left of me."),
        ("'which are more', person, bench", "There are more people: 2 people and one bench."),
    ],
)
def test_u7_an_answer_is_what_was_seen(question: str, answer: str) -> None:
    asked = parse(f"answered({question})")
    assert isinstance(asked, Pred)
    assert Seen(ROOM, around=True).answer(asked) == answer


def test_u7_of_two_of_which_one_is_of_the_kind_of_the_other_each_is_another_thing() -> None:
    desk, table = thing("desk", "desk", 2.0, 0.0), thing("table", "table", -3.0, 0.1)
    asked = parse("answered('which is nearest', table, desk)")
    assert isinstance(asked, Pred)
    assert Seen(Scene((desk, table)), around=True).answer(asked).startswith("The desk is closer")
    assert not Seen(Scene((desk,)), around=True).answer(asked)


@pytest.mark.parametrize(
    ("which", "ids"),
    [
        ("lamp", ["lamp-1", "lamp-2"]),
        ("furthest lamp", ["lamp-2", "lamp-1"]),
        ("plant", ["tree"]),
        ("person.kettle", ["bob"]),
        ("person but person.blue", ["ann"]),
        ("person beside bench", []),
        ("nearest lamp beside plant", ["lamp-2", "lamp-1"]),
        ("furthest person beside bench", ["bob", "ann"]),
        ("nearest {plant or bench}", ["bench", "tree"]),
        ("thing right_of you", ["ann", "bob"]),
        ("whale", []),
    ],
)
def test_u7_the_things_that_are_meant(which: str, ids: list[str]) -> None:
    asked = parse(f"found({which})")
    assert isinstance(asked, Pred) and isinstance(asked.args[0], Which)
    assert [t.id for t in Seen(ROOM).things(asked.args[0])] == ids


def test_u7_what_it_lies_on_is_not_beside_it_nor_is_what_has_something_between() -> None:
    on = {"on": "desk"}
    desk = Scene(
        (
            thing("desk", "table", 2.0, 0.1, z_m=0.3, high=0.6),
            thing("mug", "mug", 2.0, 0.0, **on),
            thing("pen", "pen", 2.0, 0.3, **on),
            thing("jar", "jar", 2.0, 0.6, **on),
        )
    )
    asked = [parse(f"found(thing {side} mug)") for side in ("beside", "left_of")]
    about = [one.args[0] for one in asked if isinstance(one, Pred) and isinstance(one.args[0], Which)]
    assert [[t.id for t in Seen(desk).things(which)] for which in about] == [["pen", "jar"], ["pen", "jar"]]
    answers = [parse(f"answered('is it so', {label}, thing beside mug)") for label in ("pen", "jar")]
    told = [Seen(desk, around=True).answer(one) for one in answers if isinstance(one, Pred)]
    assert told == ["Yes, the pen is beside the mug.", "No, the jar is not beside the mug."]


def test_looks_tell_of_what_is_at_a_place_though_they_do_not_of_all() -> None:
    crate = thing("crate", "crate", 3.0, 3.0)
    seen, near = Seen(Scene((*ROOM, crate))), parse("found(thing.red beside bench)")
    (which,) = [arg for arg in near.args if isinstance(arg, Which)] if isinstance(near, Pred) else []
    assert seen.tells(which) and not seen.tells(Which("thing", ("red",)))
