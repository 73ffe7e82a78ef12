"""Two fingers hold a thing by friction: what holds it, what slips out of them, and how the robot knows."""

import asyncio
import math
from collections.abc import Awaitable, Callable
from typing import Any

import mujoco
import pytest

from sayso.clock import SimClock
from sayso.errors import SkillFailed
from sayso.robots.service.world.home import Home
from sayso.task import FELL, SLIPPED
from sayso.worlds import make
from sayso.worlds.indoor.robot import SimService

SEEDS = (1, 2, 3)


def home(thing: str, seed: int) -> Home:
    """A home with one thing on the dining table, and nobody in the way."""
    names = [kind["name"] for kind in make("home").robot.knowledge["objects"] if not kind.get("guest")]
    world = make("home", seed=seed, setup={"people": [], "objects": {**dict.fromkeys(names), thing: "dining table"}})
    assert isinstance(world, Home)
    return world


def run(world: Home, main: Callable[[SimService], Awaitable[Any]]) -> Any:
    async def both() -> Any:
        running = asyncio.ensure_future(world.run())
        try:
            return await main(world.robot)
        finally:
            running.cancel()

    return SimClock().run(both())


async def take(world: Home, thing: str) -> None:
    """Stand where the hand gets to it, and close the fingers on its upper part."""
    robot, at = world.robot, world.things.all[thing].middle
    x, y, _ = next(p["stand"] for p in robot.knowledge["places"] if p["name"] == "dining table")
    way = math.atan2(at.y_m - y, at.x_m - x)
    await robot.drive_to(x, y)
    await robot.drive_to(at.x_m - 0.6 * math.cos(way), at.y_m - 0.6 * math.sin(way), way)
    height_m = world.things.all[thing].size_m[2]
    await robot.grasp_at(at.x_m, at.y_m, at.z_m + max(0.0, height_m / 2 - 0.05))


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in SEEDS[1:])])
@pytest.mark.parametrize("thing", ["coke", "bowl", "cereal", "knife"])
def test_it_is_lifted_carried_and_put_down(thing: str, seed: int) -> None:
    world = home(thing, seed)

    async def main(robot: SimService) -> None:
        await take(world, thing)
        assert robot.holding and world.truth().holding == thing
        await robot.drive_to(-1.0, 0.0, 0.0)
        assert robot.holding and world.truth().holding == thing
        there = robot.state().pose.moved(0.6)
        await robot.release_at(there.x_m, there.y_m, 0.0)
        await asyncio.sleep(1.0)

    run(world, main)
    assert world.truth().things[thing].on == "floor" and not world.robot.holding and world.truth().contacts == ()


def test_nothing_but_friction_holds_it() -> None:
    """No constraint joins it to anything, nobody moves it by hand, and what touches it while it is carried are pads."""
    world = home("coke", 1)
    model, data, coke = world.model, world.data, world.things.all["coke"]
    assert {int(kind) for kind in model.eq_type} == {int(mujoco.mjtEq.mjEQ_JOINT)}
    assert model.body_mocapid[coke.body_id] == -1 and model.jnt_type[model.body_jntadr[coke.body_id]] == 0
    touching = set[int]()

    def felt(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        assert not data.xfrc_applied.any() and not data.qfrc_applied.any()
        bodies = [model.geom_bodyid[list(pair)].tolist() for pair in data.contact.geom]
        touching.update(body for pair in bodies if coke.body_id in pair for body in pair)

    async def main(robot: SimService) -> None:
        await take(world, "coke")
        before = world.step

        def step() -> None:
            before()
            felt(model, data)

        world.step = step  # type: ignore[method-assign]
        await robot.drive_to(-1.0, 0.0, 0.0)

    run(world, main)
    fingers = {int(model.body(name).id) for name in ("arm finger left", "arm finger right")}
    assert touching == {coke.body_id, *fingers} and world.robot.holding


def weigh(world: Home, thing: str, times: float) -> None:
    """Make a thing so many times as heavy."""
    body = world.things.all[thing].body_id
    world.model.body_mass[body] *= times
    world.model.body_inertia[body] *= times
    mujoco.mj_setConst(world.model, mujoco.MjData(world.model))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("why", ["heavy", "smooth"])
def test_what_is_too_heavy_or_too_smooth_slips_out_of_the_fingers(why: str, seed: int) -> None:
    world = home("coke", seed)
    if why == "heavy":
        weigh(world, "coke", 16.0)
    else:
        world.model.geom_friction[world.model.body_geomadr[world.things.all["coke"].body_id], 0] = 0.03
    with pytest.raises(SkillFailed, match="slipped out") as failed:
        run(world, lambda _: take(world, "coke"))
    assert failed.value.code == SLIPPED and not world.robot.holding and world.truth().holding == ""


@pytest.mark.parametrize("seed", SEEDS)
def test_what_slips_out_on_the_way_is_felt_and_told_with_where_it_lies(seed: int) -> None:
    world = home("coke", seed)
    coke = world.things.all["coke"]

    async def main(robot: SimService) -> None:
        await take(world, "coke")
        await robot.drive_to(-4.0, -0.5)
        world.arm.soap(True)
        try:
            await robot.drive_to(2.0, 0.0, 0.0)
        finally:
            world.arm.soap(False)
            await asyncio.sleep(2.0)

    with pytest.raises(SkillFailed, match="has fallen near") as failed:
        run(world, main)
    x_m, y_m = failed.value.about
    assert failed.value.code == FELL and not world.robot.holding and world.truth().holding == ""
    assert world.truth().things["coke"].on == "floor"
    assert math.dist((coke.pose.x_m, coke.pose.y_m), (float(x_m), float(y_m))) < 1.5


def test_what_is_wider_than_the_fingers_open_is_not_tried() -> None:
    world = home("coke", 1)
    world.things.all["coke"].size_m = (0.3, 0.3, 0.12)
    with pytest.raises(SkillFailed, match=r"0\.30 m wide, and the fingers open 0\.24 m"):
        run(world, lambda _: take(world, "coke"))
