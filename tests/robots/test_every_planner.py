"""Every planner with every kind of robot: it works, or says in one sentence why not.

The model is one double, written by hand: it knows for each way of asking one harmless answer, and understands nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import Event, MissionEnded, TaskEnded
from sayso.mission.defaults import PLANNERS, make_planner
from sayso.models.scripted import Scripted
from sayso.plugins.kits import kits
from sayso.plugins.machines import reached
from sayso.roles import Prompt
from sayso.worlds import make


@dataclass(frozen=True)
class Kind:
    """Where a kind is tried (its world, or a machine's dry run): one step that costs little, and one without arguments
    that a planner can weigh."""

    world: str
    step: str
    weighed: str = "time"


KINDS = {
    "aircraft": Kind("rescue", "take_off()"),
    "base": Kind("fake:ros", "delay(1)", "return_home"),
    "drone": Kind("office", "take_off()", "take_off"),
    "humanoid": Kind("soccer", "is_visible(ball)"),
    "service": Kind("home", "speak(hello)", "look_round"),
    "warehouse": Kind("warehouse", "go_to(entrance)"),
}
NO_TASKS = "this robot has no tasks that can be pursued side by side, so rolling cannot choose among them"
NO_MISSION = "this search cannot be read: no mission in the answer; write the JSON object that was asked for"
IDLE = "I did nothing and said nothing."
NOT = {("rolling", kind): ("refused", NO_TASKS) for kind in KINDS if kind != "humanoid"} | {
    ("scored", "aircraft"): ("refused", NO_MISSION),
    ("stepwise", "humanoid"): ("not_achieved", IDLE),
    ("scored", "humanoid"): ("not_achieved", IDLE),
    ("scored", "warehouse"): ("not_achieved", IDLE),
}
"""What is no wish for this planner, in its words, or is not met by a look or by asking for the time."""


def double(kind: Kind) -> Scripted:
    """A model that does one step and says that it is done."""

    def answer(prompt: Prompt) -> str:
        assert prompt.brief is not None
        again = any(role == "assistant" for role, _ in prompt.messages) or bool(prompt.brief.history)
        match prompt.purpose:
            case "stepwise" if again:
                return json.dumps({"next_action": "done"})
            case "stepwise":
                return json.dumps({"action_list": [kind.step, "done"], "first_action": kind.step})
            case "rank":
                wanted = "the goal is reached" if again else prompt.brief.skills[kind.weighed].description
                return next(line[0] for line in prompt.messages[-1][1].splitlines() if wanted in line)
            case "rolling":
                return "Done" if again else "Task: Wave Priority: 1"
            case _:
                return 'log("hello")'

    return Scripted(answer, name="one harmless answer (a test double)", chunk=200)


def played(planner: str, kind: Kind) -> list[Event]:
    events, dry = list[Event](), kind.world.startswith("fake:")
    world = None if dry else make(kind.world, seed=1)
    robot = world.robot if world else reached(kind.world, "ahead=1,back=1,left=1,right=1")
    model = double(kind)

    async def run() -> None:
        made = make_planner(planner, model, robot)
        async with Agent(robot, world=world, model=model, planner=made) as agent:
            wish = "log('hello')" if planner == "plan" else "say hello"
            events.extend([event async for event in agent.say(wish)])

    SimClock().run(run())
    return events


def test_all_kinds_and_planners_are_here() -> None:
    assert set(kits()) == set(KINDS)
    assert {name for name in PLANNERS if "+" not in name} == {
        "reflex", "plan", "stream", "sequence", "stepwise", "scored", "rolling",
    }  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("planner", [name for name in PLANNERS if "+" not in name])
def test_it_works_or_says_why_not(planner: str, kind: str) -> None:
    events = played(planner, KINDS[kind])
    ended = events[-1]
    assert isinstance(ended, MissionEnded)
    if why := NOT.get((planner, kind)):
        assert (ended.outcome, ended.reason) == why
        return
    assert ended.outcome == "achieved", ended.reason
    over = "preempted" if planner == "rolling" else "done"  # what is pursued goes on until the end
    assert over in [e.outcome for e in events if isinstance(e, TaskEnded)]
