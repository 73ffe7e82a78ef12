"""A test double: a cart that glides at 0.5 m/s without physics, and a transcript of what an agent did with a wish."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any

from sayso import Range, skill
from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import ReplanWanted, RobotError, SkillFailed
from sayso.events import Event, MissionEnded
from sayso.limits import Limits, Zone
from sayso.models.latency import ModelledLatency
from sayso.models.scripted import Scripted
from sayso.planners.stream import REPLANS, Stream
from sayso.prompts import plan_prompt
from sayso.roles import Model, Robot, RobotState
from sayso.scene import Pose

SPEED_MPS = 0.5


class Cart(Robot):
    """Glides; halts within a tenth of a second unless told to be deaf."""

    name = "cart"
    limits = Limits(zone=Zone(-3, 3, -3, 3), mission_max_s=120)

    def __init__(self, deaf: bool = False) -> None:
        self.pose = Pose()
        self.deaf = deaf
        self.halts = 0
        self.gliding = False

    def state(self) -> RobotState:
        return RobotState(self.pose, resting=not self.gliding, summary="gliding" if self.gliding else "standing")

    async def halt(self) -> None:
        self.halts += 1
        if self.deaf:
            raise RobotError("no answer")
        await asyncio.sleep(0.1)
        self.gliding = False

    @skill(uses="base", path=lambda pose, distance_cm: [pose.moved(forward_m=distance_cm / 100)])
    async def forward(self, distance_cm: Annotated[float, Range(1, 1000)]) -> None:
        """Glide straight ahead."""
        left_m = distance_cm / 100
        self.gliding = True
        while left_m > 1e-9:
            await asyncio.sleep(0.1)
            step_m = min(left_m, SPEED_MPS * 0.1)
            self.pose = self.pose.moved(forward_m=step_m)
            left_m -= step_m
        self.gliding = False

    @skill(uses="base")
    async def turn(self, angle_deg: Annotated[float, Range(1, 360)]) -> None:
        """Turn left on the spot; more than 180 degrees asks for a new plan."""
        await asyncio.sleep(angle_deg / 90)
        if angle_deg > 180:
            raise ReplanWanted("the view has changed")

    @skill(uses="arm")
    async def grab(self) -> None:
        """Fail, always."""
        raise SkillFailed("there is nothing to grab")

    @skill()
    async def count(self) -> int:
        """Count to three."""
        return 3

    @skill(uses="arm")
    async def slip(self) -> None:
        """Run into a mistake of its author."""
        raise ZeroDivisionError("a bug")


def mission(
    answers: Model | Sequence[str] | Callable[[Any], str],
    wish: str = "do it",
    *,
    robot: Cart | None = None,
    slow: bool = False,
    meanwhile: Callable[[Agent], Any] | None = None,
    **options: Any,
) -> tuple[list[Event], Agent]:
    """What happened, and the agent it happened to. A plan that fails is mended up to `replans` times. `slow` speaks
    with the modelled latency; `meanwhile(agent)` is a coroutine that runs beside the mission."""
    model = answers if isinstance(answers, Model) else Scripted(answers)
    approve = options.pop("approve", None)
    options.setdefault("planner", partial(Stream, render=plan_prompt, replans=options.pop("replans", REPLANS)))
    agents: list[Agent] = []

    async def run() -> list[Event]:
        agent = Agent(robot or Cart(), model=ModelledLatency(model) if slow else model, **options)
        agents.append(agent)
        beside = asyncio.ensure_future(meanwhile(agent)) if meanwhile else None
        events = [event async for event in agent.say(wish, approve=approve)]
        if beside:
            await beside
        return events

    return SimClock().run(run()), agents[0]


def transcript(events: Sequence[Event]) -> list[str]:
    """The events that a person would retell, one short line each."""
    lines = []
    for e in events:
        match type(e).__name__:
            case "TaskStarted":
                lines.append(f"start {e.skill}{_args(e.args)}")
            case "TaskEnded":
                lines.append(f"{e.outcome} {e.skill}" + (f": {e.detail}" if e.detail else ""))
            case "Said":
                lines.append(f"says {e.text}")
            case "Replanned":
                lines.append(f"replan {e.round}")
            case "PlanRefused":
                lines.append(f"plan refused: {e.error}")
            case "StopAsked":
                lines.append(f"stop by {e.by}")
            case "Stopped":
                lines.append(f"stopped, {e.state}, {'confirmed' if e.confirmed else 'NOT CONFIRMED'}")
            case "MissionEnded":
                lines.append(e.outcome)
    return lines


def _args(args: tuple[Any, ...]) -> str:
    return f"({', '.join(f'{a:g}' if isinstance(a, float) else repr(a) for a in args)})"


def ended(events: Sequence[Event]) -> MissionEnded:
    last = events[-1]
    assert isinstance(last, MissionEnded), "the last event is the verdict"
    return last
