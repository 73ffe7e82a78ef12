"""Amounts are never guessed (U4): what is left open is asked, and the answer completes the wish."""

from __future__ import annotations

from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso import Range, skill
from sayso import events as ev
from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.goals.text import parse
from sayso.grounding.answers import sentence
from sayso.grounding.referred import Before, referred
from sayso.models.pocket.reading import with_units
from sayso.models.scripted import Scripted
from sayso.result import Result
from sayso.roles import Robot, RobotState
from sayso.scene import Pose
from sayso.understanding import requested
from sayso.understanding.operators import PLAIN, missing
from sayso.wish import Reply, Wish
from sayso.worlds import make


class Truck(Robot):
    """Drives, and has a fork that goes by notches."""

    name = "truck"

    def __init__(self) -> None:
        self.done: list[tuple[str, float]] = []

    def state(self) -> RobotState:
        return RobotState(Pose(), summary="standing")

    async def halt(self) -> None:
        """It stands."""

    @skill(uses="base")
    async def forward(self, distance_cm: Annotated[float, Range(5, 500)]) -> None:
        """Drive straight ahead."""
        self.done.append(("forward", distance_cm))

    @skill(uses="fork")
    async def move_up(self, notches: Annotated[int, Range(1, 9)]) -> None:
        """Raise the fork."""
        self.done.append(("move_up", notches))


NUMBERS = st.sampled_from(["2", "7", "0.4", "12", "three", "twenty five", "one and a half"])
WAYS = st.sampled_from(["up", "down", "forward", "back", "left", "to the right", "straight ahead", "backwards"])
VERBS = st.sampled_from(["go", "fly", "move", "please head", "could you come", "then glide"])


@given(VERBS, WAYS, NUMBERS, st.booleans())
def test_u4_any_bare_number_in_a_move_is_asked_and_any_unit_completes_it(
    verb: str, way: str, n: str, behind: bool
) -> None:
    wish = f"{verb} {way} {n}" if behind else f"{verb} {n} {way}"
    question = requested(wish).asks
    assert question == f"{n.capitalize()} what: metres or centimetres?"
    whole = sentence(Wish(wish, (Reply(question, "centimetres, please"),)))
    assert f"{n} centimetres" in whole and not requested(whole).asks
    assert not requested(wish.replace(n, f"{n} m")).asks


@pytest.mark.parametrize(
    ("wish", "question"),
    [
        ("back 3, then up 2", "3 and 2 what: metres or centimetres?"),
        ("climb to a height of 3", "3 what: metres or centimetres?"),
        ("stay here for 20", "20 what: seconds or minutes?"),
        ("go to the lamp but come no closer than 2", "2 what: metres or centimetres?"),
        ("left 4", "4 what: metres, centimetres or degrees?"),
        ("rise 6 cubits", "I do not know the unit “cubits”. How far is that in metres?"),
        ("fly back several metres", "You say “several metres”. How far is that in metres?"),
        ("turn a few degrees left", "You say “a few degrees”. How many degrees is that?"),
        ("sink by minus 40 cm", "You say “minus 40 cm”. How far is that in metres?"),
        ("rise to eye level", "You say “eye level”. How far is that in metres?"),
        ("rise to 90", "90 what: metres or centimetres?"),
        ("fly backwards for 4 seconds", "You say “for 4 seconds”. How far is that in metres?"),
        ("rotate right for 3 s", "You say “for 3 s”. How many degrees is that?"),
        ("fly a square of 2", "2 what: metres or centimetres?"),
        ("wait 4", "4 what: seconds or minutes?"),
        ("wait 2 jiffies", "I do not know the unit “jiffies”. How long is that in seconds?"),
    ],
)
def test_u4_what_is_missing_is_asked_for(wish: str, question: str) -> None:
    assert requested(wish).asks == question


@pytest.mark.parametrize(
    "wish",
    [
        "turn left 60", "rotate right 90 and then left 30", "go up 3 times", "take 4 pictures", "go to room 3",
        "find 2 people and go back", "move three crates to the gate", "bring the two left bottles", "say “up 3”",
        "hold 2 cups", "be back by ten to nine", "turn to your 3 o'clock", "walk one over to me",
        "go up several times", "bring a few cups", "go to many shelves",
    ],
)  # fmt: skip
def test_u4_what_needs_no_unit_is_not_asked_about(wish: str) -> None:
    assert not requested(wish).asks


@pytest.mark.parametrize(
    ("wish", "answer", "whole"),
    [
        ("go up 3", "metres", "go up 3 metres"),
        ("go up 3", "30 cm", "go up 30 cm"),
        ("up 3 and left 2", "1 m", "up 1 m and left 2"),  # the other one is asked about next
        ("rise 6 cubits", "3", "rise 3 metres"),
        ("rise a lot", "80 cm", "rise 80 cm"),
        ("rise 6 cubits", "about 2.7 metres", "rise 2.7 metres"),
        ("right 30", "degrees", "right 30 degrees"),
        ("wait 3", "minutes", "wait 3 minutes"),
    ],
)
def test_u4_an_answer_completes_the_wish(wish: str, answer: str, whole: str) -> None:
    assert sentence(Wish(wish, (Reply("", answer),))) == whole


def flown(wish: str, *answers: str) -> tuple[list[Result], float]:
    """What came of a wish and its answers, with no model that would say anything, and the height in the end."""
    model, world = Scripted([]), make("office")

    async def main() -> list[Result]:
        async with Agent(world=world, model=model) as agent:
            results = [await agent.do(wish)]
            for answer in answers:
                results.append(await agent.do(results[-1].answered(answer)))
            return results

    return SimClock().run(main()), world.truth().pose.z_m


def test_u4_nothing_moves_before_the_answer_and_no_model_hears_of_the_question() -> None:
    (asked,), height_m = flown("go up 5")
    assert (asked.outcome, asked.asked) == ("asked", "5 what: metres or centimetres?")
    assert height_m < 0.1 and not any(isinstance(e, ev.TaskStarted) for e in asked.events)


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ("rise slightly", "I move up 20 cm. “Slightly” is 20 cm."),
        ("fly backwards", "I move back 50 cm. You named no distance, so it is 50 cm."),
        ("fly back three steps", "I move back 1.5 m. A step is 50 cm."),
        ("turn right a tad", "I turn right 15°. “A tad” is 15°."),
        ("rise 20 cm", "I move up 20 cm."),
        ("rise to 80cm", "I go to a height of 80 cm."),
        ("fly back a foot", "I move back a foot."),
        ("rotate left a quarter", "I turn left 90°."),
        ("turn left, but not more than 40 degrees", "I turn left 40°. I take “but not more than” as just that much."),
        ("go forward at most 1 m", "I move forward 1 m. I take “at most” as just that much."),
        ("climb to at least 1.5 m", "I go to a height of 1.5 m. I take “at least” as just that much."),
    ],
)
def test_u4_what_nobody_named_is_told_and_a_bound_is_the_amount(wish: str, told: str) -> None:
    world = make("office")

    async def main() -> Result:
        async with Agent(world=world) as agent:
            return await agent.do(wish)

    events = SimClock().run(main()).events
    assert [e.told for e in events if isinstance(e, ev.Understood)] == [told]


@pytest.mark.parametrize(
    ("earlier", "wish", "meant"),
    [
        ("rise 1.5 m", "half of that down", "75 cm down"),
        ("turn right 80 degrees", "and now half of that to the left", "and now 40 degrees to the left"),
        ("fly back 1 m", "go twice as far please", "fly back 200 cm"),
        ("", "go left 1 m, then three times that up", "go left 1 m, then 300 cm up"),
        ("", "fly to the left 1 m, then half of that", "fly to the left 1 m, then to the left 50 cm"),
        ("go to the lamp", "twice as far", "twice as far"),  # nothing to take it of
    ],
)
def test_u4_a_share_of_what_was_said_last_is_an_amount(earlier: str, wish: str, meant: str) -> None:
    assert referred(wish, Before(earlier)) == meant


@pytest.mark.parametrize(
    ("wish", "written", "goal"),
    [
        ("climb to 3 m, then look for a lady", "moved(up, 300 cm) then found(lady)", "height(300 cm) then found(lady)"),
        ("hover at 90 cm", "moved(forward, 90 cm)", "height(90 cm)"),
        ("climb 3 m, then look for a lady", "moved(up, 300 cm) then found(lady)", "moved(up, 300 cm) then found(lady)"),
        ("go up to 1 m, then left 1 m", "moved(up, 100 cm)", "moved(up, 100 cm)"),  # which is which is not plain
    ],
)
def test_u4_whoever_reads_the_amount_code_reads_that_it_is_a_height(wish: str, written: str, goal: str) -> None:
    assert with_units(written, wish) == goal


@pytest.mark.parametrize(
    "wish", ["climb to 2 m and wave", "fly at a height of 1 m to the lamp", "go as far left as you can"]
)
def test_u4_a_height_or_an_extent_that_no_clause_has_is_asked_about(wish: str) -> None:
    goal = parse("moved(up, 2 m)")
    assert [o.kind for o in missing(wish, goal) if o.kind in PLAIN]


@pytest.mark.parametrize(
    ("said", "done"),
    [
        (("forward 3",), []),
        (("go ahead 3", "metres"), [("forward", 300)]),
        (("forward 1m20",), [("forward", 120)]),
        (("drive forward 90 cm, no wait, 60 cm",), [("forward", 60)]),
        (("forward a few metres", "2"), [("forward", 200)]),
        (("move up 2 notches",), [("move_up", 2)]),  # its own measure, of which no question is asked
    ],
)
def test_u4_somebodys_own_robot_guesses_no_amount(said: tuple[str, ...], done: list[tuple[str, float]]) -> None:
    truck = Truck()

    async def main() -> None:
        async with Agent(truck) as agent:
            result = await agent.do(said[0])
            for answer in said[1:]:
                result = await agent.do(result.answered(answer))

    SimClock().run(main())
    assert truck.done == done
