"""What is said plainly to a humanoid is done as it was said, by motions that are measured; what is asked moves nothing
but its head and its feet on the spot."""

from __future__ import annotations

import math
import re

import pytest

from sayso.clock import SimClock
from sayso.events import Event, MissionEnded, Said, TaskStarted, Understood
from sayso.robots.humanoid.world.pitch import Soccer
from sayso.scene import Pose, wrap
from sayso.setup import Setup


def said(wish: str, seed: int = 3) -> tuple[list[Event], Soccer, Pose]:
    """What happened on it, the world afterwards, and where the robot stood before."""
    robot, world = Setup(world="soccer", seed=seed).make_robot()
    assert isinstance(world, Soccer)
    agent, before = Setup(world="soccer", seed=seed).make_agent(robot, world), world.robot.pose

    async def main() -> list[Event]:
        async with agent:
            return [event async for event in agent.say(wish)]

    return SimClock().run(main()), world, before


def ended(events: list[Event]) -> MissionEnded:
    assert isinstance(events[-1], MissionEnded)
    return events[-1]


@pytest.mark.parametrize("wish", ["kick the ball gently", "go to the ball and give it a light tap"])
def test_u5_what_no_manner_changes_is_told(wish: str) -> None:
    events, world, _ = said(wish)
    told = [event.told for event in events if isinstance(event, Understood)]
    assert told[0].endswith(" or not.") and "always the same" in told[0]
    assert ended(events).verified is True and len(world.truth().books.kicks) == 1


def test_u9_a_goal_is_scored_where_it_sees_the_ball_lie_in_there() -> None:
    events, world, _ = said("shoot the ball into the goal, please")
    assert ended(events).verified is True and world.truth().ball.x_m > 4.4


@pytest.mark.parametrize(
    ("wish", "forward_m", "left_m", "left_deg"),
    [
        ("turn left 90 degrees and march 50 cm", 0.0, 0.5, 90.0),
        ("step half a metre to the right", 0.0, -0.5, 0.0),
        ("turn around, then walk forward 70 cm", -0.7, 0.0, 180.0),
        ("walk forward 60 cm and come back", 0.0, 0.0, 0.0),
        ("walk four steps forward", 0.4, 0.0, 0.0),
    ],
)
def test_u9_a_plain_way_is_gone_and_its_verdict_observed(
    wish: str, forward_m: float, left_m: float, left_deg: float
) -> None:
    events, world, before = said(wish)
    went = world.robot.pose.seen_from(before)
    assert (ended(events).outcome, ended(events).verified) == ("achieved", True), ended(events).reason
    assert math.dist((went.x_m, went.y_m), (forward_m, left_m)) < 0.12
    assert abs(math.degrees(wrap(went.yaw_rad - math.radians(left_deg)))) < 6


@pytest.mark.parametrize("wish", ["walk to the opponents' goal", "turn round and go backwards 1.5 metres"])
def test_a_way_leads_past_a_ball_that_lies_on_it(wish: str) -> None:
    events, world, _ = said(wish)
    assert ended(events).verified is True and math.hypot(world.truth().ball.x_m, world.truth().ball.y_m) < 0.8


def test_u9_it_goes_to_the_ball_wherever_that_lies_and_does_not_touch_it() -> None:
    events, world, _ = said("go to the ball")
    truth = world.truth()
    assert ended(events).verified is True
    assert 0.25 < truth.pose.level_m(truth.ball) < 0.4, "as near as the suite wants it"
    assert not truth.books.kicks


def test_u9_a_kick_is_a_kick_that_was_made() -> None:
    events, world, _ = said("kick the ball")
    assert ended(events).verified is True and len(world.truth().books.kicks) == 1


def test_u1_a_question_behind_a_way_is_answered_where_that_leads() -> None:
    events, world, before = said("turn round and say what you see")
    assert "a ball" in " ".join(e.text for e in events if isinstance(e, Said))
    assert ended(events).verified is True and abs(wrap(world.robot.pose.yaw_rad - before.yaw_rad)) > 3.0


def test_u3_one_thing_after_the_other() -> None:
    events, _, _ = said("wave to me, then stand still for three seconds")
    assert [e.skill for e in events if isinstance(e, TaskStarted)] == ["wave", "delay"]
    assert ended(events).verified is True
    events, _, _ = said("give the spectators a wave, then walk back half a metre")
    assert [e.skill for e in events if isinstance(e, TaskStarted)] == ["wave", "move_backward"]


def test_u1_what_is_asked_of_what_was_found_is_answered() -> None:
    events, _, _ = said("search for the ball, then say where it is")
    assert re.search(r"The ball is \d\.\d m", " ".join(e.text for e in events if isinstance(e, Said)))
    assert ended(events).verified is True


def test_u3_how_long_something_is_looked_at() -> None:
    events, _, _ = said("face the goal for two seconds, then wave with your right hand")
    assert [e.skill for e in events if isinstance(e, TaskStarted)] == ["scan", "orienting", "delay", "wave"]
    assert ended(events).verified is True


@pytest.mark.parametrize(
    "wish",
    [
        "shoot it to the right",
        "kick it if it is near, otherwise wave",
        "wave or kick it",
        "score a goal three times",
        "run forward until you are at the goal",
        "as soon as you see the ball, stop",
        "shoot the ball into our goal",
    ],
)
def test_u3_what_no_task_has_room_for_is_asked_about(wish: str) -> None:
    events, _, _ = said(wish)
    assert ended(events).outcome == "asked" and not [e for e in events if isinstance(e, TaskStarted)]


@pytest.mark.parametrize(
    "wish", ["please don't shoot", "balance on one foot", "do a backflip", "pick some flowers", "yodel"]
)
def test_what_it_cannot_do_is_not_done_and_what_it_can_is_told(wish: str) -> None:
    events, world, before = said(wish)
    assert "I can walk" in ended(events).reason or ended(events).outcome == "asked"
    assert world.robot.pose.level_m(before) < 0.1 and not world.truth().books.kicks


def test_u3_what_is_not_to_be_done_is_not_done_beside_what_is() -> None:
    events, world, _ = said("walk up to the ball but don't shoot")
    assert ended(events).outcome == "achieved" and not world.truth().books.kicks


def test_to_get_something_is_to_shoot_no_ball() -> None:
    _, world, _ = said("get that ball")
    assert not world.truth().books.kicks


def test_u3_a_task_of_which_nobody_spoke_is_not_pursued() -> None:
    events, world, _ = said("hello there, my brave one")
    assert ended(events).outcome != "achieved" and not world.truth().books.kicks


def test_what_leads_out_of_the_field_is_refused_and_nothing_moves() -> None:
    events, world, before = said("walk forward 9 m")
    assert ended(events).outcome != "achieved"
    assert world.robot.pose.level_m(before) < 0.1


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("where's the ball?", r"The ball is \d\.\d m"),
        ("how far away is the ball?", r"\d\.\d m"),
        ("do you see the ball?", "No, I (do not )?see (no|the) ball"),
        ("is there a ball anywhere?", "Yes"),
        ("how many goals are there?", "There are 2 goals"),
        ("what can you see?", "I see an own goal"),
        ("how far away from the goal are you?", r"own goal is \d\.\d m"),
        ("which is closer, the ball or the goal?", "The ball"),
    ],
)
def test_u1_a_question_is_answered_by_looking_and_moves_nothing(question: str, answer: str) -> None:
    events, world, before = said(question)
    told = " ".join(e.text for e in events if isinstance(e, Said))
    assert re.search(answer, told), told
    assert world.robot.pose.level_m(before) < 0.15 and not world.truth().books.kicks
    assert ended(events).outcome == "achieved"


def test_u7_what_its_camera_was_not_taught_it_does_not_look_for() -> None:
    events, world, before = said("find the referee")
    assert ended(events).outcome != "achieved" and "referee" in ended(events).reason
    assert world.robot.pose.level_m(before) < 0.1
