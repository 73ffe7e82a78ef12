"""A new robot is one class: its skills, its state, and how it comes to rest."""

import asyncio
from typing import Annotated

from sayso import Range, skill
from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import MissionEnded, PlanRefused, TaskEnded
from sayso.limits import Limits, Zone
from sayso.models.scripted import Scripted
from sayso.roles import Robot, RobotState
from sayso.scene import Pose


class Rover(Robot):
    """Two wheels on a table top one metre deep: x may not leave 0..1 m."""

    name = "rover"
    limits = Limits(zone=Zone(x_min_m=0.0, x_max_m=1.0))

    def __init__(self) -> None:
        self.pose = Pose()

    def state(self) -> RobotState:
        return RobotState(self.pose, summary="standing")

    async def halt(self) -> None:
        """The wheels hold as soon as nothing turns them."""

    @skill(uses="base", short="f", path=lambda pose, distance_cm: [pose.moved(forward_m=distance_cm / 100)])
    async def forward(self, distance_cm: Annotated[float, Range(5, 500)]) -> None:
        """Drive straight ahead."""
        await asyncio.sleep(distance_cm / 20)
        self.pose = self.pose.moved(forward_m=distance_cm / 100)


async def main() -> None:
    model = Scripted(["f(60);f(60)", "_1=60;f(_1);f(_1)", "f(40)"])  # a double: each answer mends the one before
    async for event in Agent(Rover(), model=model).say("go to the edge"):
        match event:
            case PlanRefused():
                print(event.pointed)
            case TaskEnded():
                print(event.skill, event.outcome, event.detail)
            case MissionEnded():
                print(event.outcome, f"after {event.replans} new plans")


SimClock().run(main())

# Output:
# the limit on geofence is x 0..1 m, y -inf..inf m; this would need x 1.20 m, y 0.00 m
#   f(60);f(60)
#         ^
# forward done
# forward refused the limit on geofence is x 0..1 m, y -inf..inf m; this would need x 1.20 m, y 0.00 m
# forward done
# achieved after 2 new plans
