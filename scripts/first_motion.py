"""How long after a sentence the rotors begin to turn: in simulation, and through the Tello's datagrams, on real time.

python scripts/first_motion.py [TIMES]
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time

from sayso.agent import Agent
from sayso.clock import WallClock
from sayso.machines import Room
from sayso.perception.geometry import GeometricCamera
from sayso.robots.drone.tello.rehearsal import Rehearsal
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
    ways: dict[str, list[float]] = {"in simulation": [], "through the face": []}
    for _ in range(times + 1):  # in turn, so that whatever else the machine does meets both
        world = Office("empty", perception=GeometricCamera)
        ways["in simulation"].append(WallClock().run(first_motion_s(Agent(world=world), world)))
        tello = Rehearsal(Room(2, 2, 2, 2, 2))
        ways["through the face"].append(WallClock().run(first_motion_s(Agent(tello), tello.world)))
    medians_ms = {}
    for way, took in ways.items():
        took = took[1:]  # the first of each loads what the others have
        medians_ms[way] = 1000 * statistics.median(took)
        print(f"{way}: median {medians_ms[way]:.1f} ms, worst {1000 * max(took):.1f} ms, of {times}")
    more_ms = medians_ms["through the face"] - medians_ms["in simulation"]
    print(f"through the face {more_ms:.1f} ms more")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
