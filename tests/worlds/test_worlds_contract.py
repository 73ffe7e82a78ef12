"""Whatever is registered as a world hands out a robot and a perception that keep the contract."""

from __future__ import annotations

import asyncio

import pytest

from sayso import worlds
from sayso.clock import SimClock
from sayso.errors import UsageError
from sayso.roles import Perception, Robot
from sayso.scene import Scene
from sayso.world import World

PLACES = [(name, scene) for name in worlds.places() for scene in (worlds.scenes(name) or ("",))]


@pytest.mark.rendered
@pytest.mark.parametrize(("name", "scene"), PLACES)
def test_a_world_keeps_the_contract(name: str, scene: str) -> None:
    world = worlds.make(name, scene, seed=1)

    async def main() -> None:
        running = asyncio.create_task(world.run())
        await world.robot.open()
        await asyncio.sleep(0.3)
        assert isinstance(await world.perception.look(), Scene)
        await world.robot.halt()
        await world.robot.halt()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await world.robot.close()

    SimClock().run(main())
    assert isinstance(world, World) and isinstance(world.robot, Robot) and isinstance(world.perception, Perception)
    assert world.robot.limits.pose_refusal(world.robot.state().pose) is None
    assert world.truth()
    picture = world.overview(320, 240)
    assert picture is None or (picture.shape == (240, 320, 3) and picture.std() > 5)


def test_unknown_names_are_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="office"):
        worlds.make("moon")
    with pytest.raises(UsageError, match="no scenes"):
        worlds.make("soccer", "tour")
    with pytest.raises(UsageError, match="gravity"):
        worlds.make("office", gravity=1.6)
