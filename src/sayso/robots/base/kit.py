"""The kit of a base on wheels: the motions that its adapter gives, and the way home."""

import math
from typing import Annotated, Protocol, TypeAlias

from sayso.drawing import Figure
from sayso.goals.evidence import HOME_M
from sayso.limits import Limits
from sayso.plugins.kits import Capabilities, Kit, MissionServices, fitting
from sayso.roles import RobotState
from sayso.scene import Pose, wrap
from sayso.skill import Range, SkillSet, skill, skills_of
from sayso.skills import shared
from sayso.skills.motions import moving, turning, waiting
from sayso.tables import toml
from sayso.tables.words import Words

DISTANCE = Range(5, 500)
Place: TypeAlias = Annotated[float, Range(-100, 100)]

ABOUT_RAD = math.radians(5)


class Wheeled(Protocol):
    """What the skills of driving ask of a base. Metres and radians in the robot's own frame (x forward, y left)."""

    limits: Limits

    def state(self) -> RobotState:
        """The latest known state; never blocks."""

    async def move(self, forward_m: float) -> None:
        """Straight, backwards where that is less than 0. Raises `SkillFailed` when it cannot."""

    async def turn(self, angle_rad: float) -> None:
        """On the spot; positive is left."""

    async def go(self, x_m: float, y_m: float) -> None:
        """Turn to a point and drive straight there."""


class Driving:
    """The motions of one base in one mission. `marks` are where it was first, before all others: home."""

    def __init__(self, base: Wheeled, marks: list[Pose]) -> None:
        self._base, self._marks, self._began = base, marks, base.state().pose

    move_forward = moving("forward", "Drive forward by a distance.", DISTANCE)
    move_backward = moving("back", "Drive backward by a distance.", DISTANCE)
    turn_cw, turn_ccw = turning("right"), turning("left")

    @skill(uses="base", short="dp", path=lambda pose, x_m, y_m: [pose, Pose(x_m, y_m)], again=True)
    async def drive_to_point(self, x_m: Place, y_m: Place) -> None:
        """Drive to a point; x is ahead and y left of where it stood when it was connected."""
        await self._base.go(x_m, y_m)

    delay = waiting("Stay where you are for a while.")

    @skill(uses="base", short="rh", again=True, means="home")
    async def return_home(self) -> None:
        """Drive back to where this mission began, facing as it did then; home, where it has not left that."""
        left = self._began.distance_m(self._base.state().pose) > HOME_M
        home = self._began if left or not self._marks else self._marks[0]
        await self._base.go(home.x_m, home.y_m)
        turn_rad = wrap(home.yaw_rad - self._base.state().pose.yaw_rad)
        if abs(turn_rad) > ABOUT_RAD:
            await self._base.turn(turn_rad)

    async def go(self, forward_m: float, left_m: float, up_m: float) -> None:
        await self._base.move(forward_m)

    async def turn(self, angle_rad: float) -> None:
        await self._base.turn(angle_rad)


def _capabilities(given: MissionServices) -> Capabilities:
    driving = Driving(fitting(given.robot, Wheeled), given.trail)
    return Capabilities(SkillSet([*skills_of(driving), *shared(given)]))


WISHES = ("go forward 1 metre and turn left", "drive back half a metre", "go forward 1 metre and come back")

KIT = Kit(
    kind="base",
    adapter=Wheeled,
    capabilities=_capabilities,
    words=Words(what="a base on wheels"),
    wishes=WISHES,
    commands=WISHES,
    looking=frozenset(("turn_cw", "turn_ccw", "delay")),
    figure=Figure.of(toml(__package__, "figure.toml")),
)
