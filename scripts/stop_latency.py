"""How long a stop takes from one program to the robot of another: `python scripts/stop_latency.py`.

Measured on one clock, from the call of `Fleet.stop` to the robot's driver being told. Beside it, in the same run, two
references: a robot of the same program, and a bare datagram between the same two programs. What else the machine does
is told as its load.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import socket
import statistics
import threading
import time
from multiprocessing.connection import Connection

from sayso.agent import Agent
from sayso.roles import Robot, RobotState
from sayso.serving.fleet import Fleet

PAUSE_S = 0.1


class Still(Robot):
    """Stands still, and knows when it was told to halt first."""

    name = "still"
    halted_s = 0.0

    def state(self) -> RobotState:
        return RobotState()

    def halt_now(self) -> None:
        self.halted_s = self.halted_s or time.monotonic()

    async def halt(self) -> None:
        self.halt_now()


def program(where: str, port: int, pipe: Connection) -> None:
    """The other program: a robot in a fleet, and a thread that waits for datagrams."""

    def listen() -> None:
        with socket.socket(type=socket.SOCK_DGRAM) as line:
            line.bind(("127.0.0.1", port))
            while line.recv(16):
                pipe.send(time.monotonic())

    async def main() -> None:
        robot = Still()
        async with Agent(robot) as agent:
            threading.Thread(target=listen, daemon=True).start()
            pipe.send("here")
            while await asyncio.to_thread(pipe.recv):
                pipe.send(robot.halted_s)
                await agent.executive.settled()
                agent.release("the script")
                robot.halted_s = 0.0

    with Fleet(where):
        asyncio.run(main())


async def own(fleet: Fleet, stops: int) -> list[float]:
    """From `Fleet.stop` to the robot of the same program, in seconds."""
    robot, taken = Still(), []
    async with Agent(robot) as agent:
        for _ in range(stops):
            began_s = time.monotonic()
            fleet.stop("the script", within_s=0)
            taken.append(robot.halted_s - began_s)
            await agent.executive.settled()
            agent.release("the script")
            robot.halted_s = 0.0
    return taken


def others(where: str, port: int, pipe: Connection, stops: int) -> tuple[list[float], list[float]]:
    """From `Fleet.stop` to the robot of the other program, and a datagram to it, in seconds, by turns."""
    stopped, heard = [], []
    assert pipe.recv() == "here"
    with Fleet(where) as fleet, socket.socket(type=socket.SOCK_DGRAM) as line:
        assert fleet.peers(), "the other program was not found"
        for _ in range(stops):
            began_s = time.monotonic()
            answered = fleet.stop("the script", within_s=3 * PAUSE_S)
            answered.result()
            pipe.send(True)
            stopped.append(pipe.recv() - began_s)
            time.sleep(PAUSE_S)
            began_s = time.monotonic()
            line.sendto(b"x", ("127.0.0.1", port))
            heard.append(pipe.recv() - began_s)
    pipe.send(False)
    return stopped, heard


def row(name: str, taken: list[float], reference: float) -> str:
    low, middle, high = min(taken), statistics.median(taken), max(taken)
    figures = " ".join(f"{1000 * s:8.2f}" for s in (low, middle, high))
    return f"{name:28} {figures}   {middle / reference:6.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stops", type=int, default=40)
    asked = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    port = 17448
    other = multiprocessing.get_context("spawn").Process(target=program, args=("here:17449", port, theirs), daemon=True)
    other.start()
    stopped, heard = others("here:17449", port, ours, asked.stops)
    reference = statistics.median(heard)
    load = os.getloadavg()[0]
    print(f"{asked.stops} stops, {os.cpu_count()} cores, load {load:.1f}")
    print(f"{'ms':28} {'least':>8} {'middle':>8} {'most':>8}   in datagrams")
    print(row("a datagram", heard, reference))
    print(row("robot of another program", stopped, reference))
    with Fleet("here:17447") as fleet:
        print(row("robot of the same program", asyncio.run(own(fleet, asked.stops)), reference))
    other.join()


if __name__ == "__main__":
    main()
