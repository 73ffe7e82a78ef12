"""Pictures are taken in a thread of their own, of a twin that is never stepped."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from console_robot import Sled

from sayso.console.camera import STILL_PX, Camera, View, camera_thread
from sayso.drawing import Believed
from sayso.scene import Scene
from sayso.skills.sight import Sight
from sayso.world import Truth, World
from sayso.worlds import make


class Meadow(World):
    """A world without physics, a test double: its pictures tell in which thread they were taken."""

    def __init__(self) -> None:
        self.robot, self.threads = Sled(), list[str]()
        self.robot.picture = self.taken  # type: ignore[assignment, method-assign]

    time_s = 0.0

    def step_to(self, until_s: float) -> None:
        """Nothing moves."""

    def truth(self) -> Truth:
        return Truth()

    def taken(self, width_px: int = 480, height_px: int = 360) -> Any:
        self.threads.append(threading.current_thread().name)
        return np.zeros((height_px, width_px, 3), np.uint8)


def test_a_still_is_taken_beside_the_loop() -> None:
    world = Meadow()

    async def main() -> None:
        camera = Camera(world, Meadow, camera_thread())
        try:
            picture = await camera.still()
            assert picture.shape == (STILL_PX[1], STILL_PX[0], 3)
            assert world.threads and all(name.startswith("camera") for name in world.threads)
        finally:
            await asyncio.to_thread(camera.close)

    asyncio.run(main())


def test_a_picture_stays_true_while_nothing_moves() -> None:
    """What was detected later is drawn on it all the same."""

    async def main() -> None:
        with ThreadPoolExecutor(1) as thread:
            view = View(thread, lambda moment: np.zeros((4, 4, 3), np.uint8))
            await view.shoot(np.zeros(2))
            taken_s = view.true_s
            await view.shoot(np.zeros(2))
            assert view.number == 1 and view.true_s > taken_s
            still_s = view.true_s
            await view.shoot(np.ones(2))
            assert view.number == 1 and view.true_s == still_s, "another moment, of which no picture is due yet"

    asyncio.run(main())


def test_the_twin_stands_as_the_world_does_and_the_world_itself_is_left_alone() -> None:
    world, twin = make("office"), make("office")
    stood: list[float] = []

    def taken(width_px: int = 480, height_px: int = 360) -> Any:
        physics = twin.physics()
        assert physics
        stood.append(float(physics[1].qpos[0]))
        return np.zeros((height_px, width_px, 3), np.uint8)

    def never(*_: object) -> Any:
        raise AssertionError("the world that is stepped belongs to another thread")

    twin.robot.picture, world.robot.picture = taken, never  # type: ignore[assignment, method-assign]

    async def main() -> None:
        physics = world.physics()
        assert physics
        physics[1].qpos[0] = 1.25
        camera = Camera(world, lambda: twin, camera_thread())
        await camera.still()
        await asyncio.to_thread(camera.close)

    asyncio.run(main())
    assert stood == [1.25]


def test_a_search_is_painted_when_its_belief_changes() -> None:
    world = make("rescue")

    async def main() -> None:
        camera = Camera(world, lambda: make("rescue"), camera_thread())
        camera.heat._due_s = 0.0
        await camera.shoot()
        assert camera.heat.number == 0, "nothing is believed yet"
        belief = np.full((60, 60), 1 / 3600)
        await camera.shoot(Believed("a person may be here", belief))
        assert camera.heat.number == 1 and camera.heat.latest[:2] == b"\xff\xd8"
        camera.heat._due_s = 0.0
        await camera.shoot(Believed("a person may be here", belief.copy()))
        assert camera.heat.number == 1, "the same belief is the same picture"
        await asyncio.to_thread(camera.close)

    asyncio.run(main())


class Blind:
    """A perception that sees nothing, a test double."""

    async def look(self) -> Scene:
        return Scene()


def test_a_skill_waits_for_a_patient_camera_and_holds_up_nobody() -> None:
    robot, kept = Sled(), list[Any]()

    async def patient() -> Any:
        await asyncio.sleep(0)
        return "a picture in its own time"

    async def main() -> None:
        await Sight(robot, Blind(), lambda picture, labels: kept.append(picture)).take_picture()
        robot.photograph = patient
        await Sight(robot, Blind(), lambda picture, labels: kept.append(picture)).take_picture()

    asyncio.run(main())
    assert kept == [None, "a picture in its own time"]
