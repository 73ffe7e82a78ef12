"""The service robot looks all round: what is behind it counts too, judged by who is truly there."""

from __future__ import annotations

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.models.scripted import Scripted
from sayso.worlds import make


def test_it_looks_all_round_and_counts() -> None:
    async def main() -> tuple[object, float, float]:
        world = make("home", seed=1)
        async with Agent(world=world, model=Scripted(["look_round;->how_many('person')"]), planner=None) as agent:
            before = world.robot.state().pose.yaw_rad
            result = await agent.do("how many people are here, also behind you?")
            return result.answer, before, world.robot.state().pose.yaw_rad

    counted, before, after = SimClock().run(main())
    assert isinstance(counted, int) and counted >= 1, "the operator at least"
    assert abs(before - after) < 0.2
