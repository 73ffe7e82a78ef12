"""How many of so many grasps hold, by kind of thing: `python scripts/grasps.py --times 20`.

A home with one thing on a table and nobody about. The robot takes it from there, carries it out of the room and back
and puts it down; it held when it then stands on the table. At the end the same can, heavier and smoother by and by.
What crept is how far the thing has moved between the fingers on the way.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import time
from collections import Counter

import mujoco
import numpy as np
from numpy.typing import NDArray

from sayso.clock import SimClock
from sayso.errors import SkillFailed
from sayso.robots.service.world.home import Home
from sayso.worlds import make

TABLE, AWAY, REACH_M, NEAR_M = "dining table", (-1.0, 0.0), 0.6, 0.05


def home(thing: str, seed: int, mass_kg: float, friction: float) -> Home:
    """The table with that thing on it, as heavy and as smooth as told; 0 is as it is."""
    kinds = [kind["name"] for kind in make("home").robot.knowledge["objects"] if not kind.get("guest")]
    world = make("home", seed=seed, setup={"people": [], "objects": {**dict.fromkeys(kinds), thing: TABLE}})
    assert isinstance(world, Home)
    it = world.things.all[thing]
    if mass_kg:
        times = mass_kg / world.model.body_mass[it.body_id]
        world.model.body_mass[it.body_id] *= times
        world.model.body_inertia[it.body_id] *= times
        mujoco.mj_setConst(world.model, mujoco.MjData(world.model))
    if friction:
        world.model.geom_friction[world.model.body_geomadr[it.body_id], 0] = friction
    return world


def between(world: Home, thing: str) -> NDArray[np.float64]:
    """Where the thing's middle is in the hand."""
    hand, at = world.arm.hand_body, world.things.all[thing].middle
    off: NDArray[np.float64] = np.array([at.x_m, at.y_m, at.z_m]) - world.data.xpos[hand]
    return off @ world.data.xmat[hand].reshape(3, 3)


async def errand(world: Home, thing: str) -> float:
    """Take it, carry it away and back, put it down; how far it crept, in metres. Raises `SkillFailed`."""
    robot, it = world.robot, world.things.all[thing]
    running = asyncio.ensure_future(world.run())
    try:
        x, y, turn = next(p["stand"] for p in robot.knowledge["places"] if p["name"] == TABLE)
        at = it.middle
        way = math.atan2(at.y_m - y, at.x_m - x)
        await robot.drive_to(at.x_m - REACH_M * math.cos(way), at.y_m - REACH_M * math.sin(way), way)
        await robot.grasp_at(at.x_m, at.y_m, at.z_m + max(0.0, it.size_m[2] / 2 - NEAR_M))
        before = between(world, thing)
        await robot.drive_to(*AWAY)
        await robot.drive_to(x, y, turn)
        crept_m = float(np.linalg.norm(between(world, thing) - before))
        there = robot.state().pose.moved(REACH_M)
        await robot.release_at(there.x_m, there.y_m, 0.74)
        await asyncio.sleep(1.0)
        return crept_m
    finally:
        running.cancel()


def row(name: str, thing: str, times: int, mass_kg: float = 0.0, friction: float = 0.0) -> None:
    held, crept_m, why = 0, [0.0], Counter[str]()
    began_s, simulated_s = time.perf_counter(), 0.0
    for seed in range(1, times + 1):
        world = home(thing, seed, mass_kg, friction)
        try:
            crept_m.append(SimClock().run(errand(world, thing)))
            held += world.truth().things[thing].on == TABLE
        except SkillFailed as failed:
            why[str(failed)] += 1
        simulated_s += world.time_s
    faster = simulated_s / (time.perf_counter() - began_s)
    told = "; ".join(f"{n} x {reason}" for reason, n in why.most_common(2))
    print(f"{name:24} {held:3} of {times}   crept {1000 * max(crept_m):4.1f} mm   {faster:4.0f} x   {told}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--only", default="", help="names of things, by commas; and no other cans")
    asked = parser.parse_args()
    names = [kind["name"] for kind in make("home").robot.knowledge["objects"] if not kind.get("guest")]
    for name in asked.only.split(",") if asked.only else names:
        row(name, name, asked.times)
    for mass_kg in () if asked.only else (1.0, 2.0, 4.0, 8.0):
        row(f"a can of {mass_kg:g} kg", "coke", asked.times, mass_kg=mass_kg)
    for friction in () if asked.only else (0.4, 0.2, 0.1, 0.05, 0.025):
        row(f"a can of friction {friction:g}", "coke", asked.times, friction=friction)


if __name__ == "__main__":
    main()
