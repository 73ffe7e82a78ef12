"""A sentence whose parts are of several sorts (a way by amount, an errand, a question) is done part by part, by every
kind of robot (U3)."""

from __future__ import annotations

import pytest

from sayso import events as ev
from sayso.clock import SimClock
from sayso.setup import Setup


@pytest.mark.parametrize(
    ("world", "scene", "wish", "goal", "says"),
    [
        ("home", "flat", "turn right, then put the apple on the dining table",
         "turned(right, 90 deg) then placed(apple, 'dining table')", ""),
        ("warehouse", "store", "drive forward 20 cm, take the lemon to the basket and tell me what is on the toy rack",
         "moved(forward, 0.2 m) then placed(lemon, basket) then answered('what is on', 'toy rack')", "shark toy"),
        ("rescue", "valley", "take off and tell me where the village is", "airborne then answered('where', village)",
         "350 m to the west"),
        ("soccer", "", "turn left and tell me where the ball is", "turned(left, 90 deg) then answered('where', ball)",
         "The ball is"),
        ("office", "task10", "turn about and tell me how many people are behind me",
         "turned(right, 180 deg) then answered('how many', person)", "2 people"),
        ("office", "tour", "fly to the desk and say what is on it", "at(desk) then answered('what is on', desk)",
         "On the nearest desk I see a keyboard, a cup and a monitor"),
        ("office", "tour", "fly to the white table and count the fruits on it",
         "at(table.white) then answered('how many all round', fruit on table.white)", "I count 2 fruits"),
        ("office", "tour", "go up 20 cm and tell me how high you are", "moved(up, 0.2 m)", "I am flying at 0.2"),
    ],
)  # fmt: skip
def test_u3_every_part_is_done_and_told_before(world: str, scene: str, wish: str, goal: str, says: str) -> None:
    clock = SimClock()

    async def mission() -> list[ev.Event]:
        chosen = Setup(model="", world=world, scene=scene, seed=0)
        async with chosen.make_agent(*chosen.make_robot()) as agent:
            return [event async for event in agent.say(wish)]

    happened = clock.run(mission())
    assert next(e.goal for e in happened if isinstance(e, ev.Understood)) == f"want {goal}"
    end = happened[-1]
    assert isinstance(end, ev.MissionEnded) and (end.outcome, end.verified) == ("achieved", True)
    assert not says or any(says in event.text for event in happened if isinstance(event, ev.Said))
