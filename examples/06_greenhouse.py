"""A robot of one's own from one page: a gantry over six beds, with a nozzle, a soil sensor and a lift. Nothing but the
class is written; the commands are read from its signatures, and verified by its path and its sensor."""

import asyncio
from typing import Annotated

from sayso import Agent, Choice, Limits, Pose, Range, Robot, RobotState, Zone, skill
from sayso.clock import SimClock
from sayso.errors import SkillFailed

WISHES = (
    "run along 2 m",
    "go back 50 cm",
    "lift to 120 cm",
    "what is the soil moisture",
    "watre half a litre",
    "if the soil moisture is below 30 percent, water, otherwise go up to 1.3 m",
    "water 200 ml until the soil moisture is at least 40 percent, then turn the lamp green",
    "run along 50 cm 3 times",
    "run along 4 m",
    "make me a sandwich",
)


class Gantry(Robot):
    """It runs on a rail of six metres, a bed every metre; its head goes up and down by two."""

    name = "gantry"
    limits = Limits(zone=Zone(0.0, 6.0, -0.5, 0.5), altitude_min_m=0.0, altitude_max_m=2.0, mission_max_s=600)

    def __init__(self) -> None:
        self.pose, self.light = Pose(1.0, 0.0, 1.0), "off"
        self.soil_percent = [31.0] * 7

    @property
    def bed(self) -> int:
        return round(self.pose.x_m)

    def state(self) -> RobotState:
        return RobotState(self.pose, summary=f"over bed {self.bed}, lamp {self.light}")

    async def halt(self) -> None:
        """The rail holds by itself, and the lamp may stay on."""

    @skill(uses="rail", path=lambda pose, distance_cm: [pose.moved(forward_m=distance_cm / 100)])
    async def along(self, distance_cm: Annotated[float, Range(-400, 400)]) -> None:
        """Run along the rail."""
        await asyncio.sleep(abs(distance_cm) / 50)
        self.pose = self.pose.moved(forward_m=distance_cm / 100)

    @skill(uses="lift", path=lambda pose, height_cm: [Pose(pose.x_m, pose.y_m, height_cm / 100, pose.yaw_rad)])
    async def lift_to(self, height_cm: Annotated[float, Range(0, 200)]) -> None:
        """Lift the head."""
        await asyncio.sleep(1)
        self.pose = Pose(self.pose.x_m, self.pose.y_m, height_cm / 100, self.pose.yaw_rad)

    @skill(uses="nozzle")
    async def water(self, volume_ml: Annotated[float, Range(10, 2000)] = 200) -> None:
        """Water the bed below."""
        if self.pose.z_m > 1.4:
            raise SkillFailed("the nozzle hangs too high above the bed")
        await asyncio.sleep(volume_ml / 100)
        self.soil_percent[self.bed] += volume_ml / 100

    @skill()
    async def soil_moisture_percent(self) -> float:
        """How moist is the soil."""
        return self.soil_percent[self.bed]

    @skill(uses="bulb")
    async def lamp(self, light: Annotated[str, Choice("green", "off")]) -> None:
        """Turn the lamp."""
        self.light = light


async def main() -> None:
    async with Agent(Gantry()) as agent:
        for wish in WISHES:
            result = await agent.do(wish)
            how = "verified" if result.ended.verified else "done" if result else result.reason.partition(";")[0]
            print(f"{wish}: {how}", *result.said, agent.robot.state().summary, sep=" | ")


if __name__ == "__main__":
    SimClock().run(main())

# Output:
# run along 2 m: verified | over bed 3, lamp off
# go back 50 cm: verified | over bed 2, lamp off
# lift to 120 cm: verified | over bed 2, lamp off
# what is the soil moisture: done | 31 % | over bed 2, lamp off
# watre half a litre: done | I read "watre" as "water". | over bed 2, lamp off
# if the soil moisture is below 30 percent, water, otherwise go up to 1.3 m: verified | over bed 2, lamp off
# water 200 ml until the soil moisture is at least 40 percent, then turn the lamp green: done | over bed 2, lamp green
# run along 50 cm 3 times: verified | over bed 4, lamp green
# run along 4 m: the limit on geofence is x 0..6 m, y -0.5..0.5 m | over bed 4, lamp green
# make me a sandwich: I stumbled on "make": I expected a command | over bed 4, lamp green
