"""How long after a sentence the rotors begin to turn: in simulation, and through a machine's datagrams, on real time.

python scripts/first_motion.py [TIMES]
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time

from sayso.agent import Agent
from sayso.clock import WallClock
from sayso.plugins.machines import StakedRoom
from sayso.robots.drone.mavlink.emulator import DryRun as Multicopter
from sayso.robots.drone.tello.emulator import DryRun as Tello
from sayso.robots.drone.world.office import Office

WISH = "take off, move forward 1 metre"
LOOK_S = 0.0005


async def first_motion_s(agent: Agent, world: Office) -> float:
    """From the sentence to the first rotor; the robot is connected already."""
    async with agent:
        await asyncio.sleep(0.3)
        began_s = time.perf_counter()
        flying = asyncio.ensure_future(agent.do(WISH))
        while not world.quadrotor.armed:
            await asyncio.sleep(LOOK_S)
        took_s = time.perf_counter() - began_s
        agent.stop()
        await flying
        return took_s


def main(times: int) -> None:
    machines: list[type[Tello | Multicopter]] = [Tello, Multicopter]
    ways: dict[str, list[float]] = {"in simulation": [], **{machine.name: [] for machine in machines}}
    for _ in range(times + 1):  # in turn, so that whatever else the computer does meets all
        world = Office("empty")
        ways["in simulation"].append(WallClock().run(first_motion_s(Agent(world=world), world)))
        for kind in machines:
            machine = kind(StakedRoom(2, 2, 2, 2, 2))
            ways[kind.name].append(WallClock().run(first_motion_s(Agent(machine), machine.world)))
    for way, took in ways.items():
        took = took[1:]  # the first of each loads what the others have
        more_ms = 1000 * (statistics.median(took) - statistics.median(ways["in simulation"][1:]))
        median_ms = 1000 * statistics.median(took)
        print(f"{way}: median {median_ms:.1f} ms, {more_ms:+.1f}, worst {1000 * max(took):.1f} ms, of {times}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
