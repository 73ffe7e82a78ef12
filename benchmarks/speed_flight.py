"""How long a mission takes (physics, perception, skills, agent; no picture) beside the bare steps of its physics."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

import mujoco

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.robots.drone.world.office import Office
from sayso.worlds import make as make_world
from speed_references import Row

WISH = "take off, move forward 1 metre, turn around, move back 50 cm, look around for a chair, land"
FLIGHTS = 5


def rows() -> Iterator[Row]:
    """One flight."""
    flights = [_flight() for _ in range(FLIGHTS)]
    whole, bare = (statistics.median(f[n] for f in flights) for n in (0, 1))
    yield Row("office_flight", whole, "the bare physics of it", bare, 4.6)


def _flight() -> tuple[float, float]:
    clock = SimClock()
    world = make_world("office", scene="tour", seed=1)
    assert isinstance(world, Office)

    async def fly() -> None:
        async with Agent(world=world) as agent:
            async for _ in agent.say(WISH):
                pass

    began = time.perf_counter()
    clock.run(fly())
    took_s, flown_s = time.perf_counter() - began, clock.now_s()
    began = time.perf_counter()
    mujoco.mj_step(world.model, world.data, round(flown_s / world.model.opt.timestep))
    return took_s, time.perf_counter() - began
