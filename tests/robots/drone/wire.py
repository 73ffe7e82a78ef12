"""Test doubles for machines behind datagrams: a line that loses some of them and can be cut, and a mission over it."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import Event, MissionEnded
from sayso.plugins.machines import StakedRoom
from sayso.robots.drone.world.office import Office
from sayso.roles import Robot, closing
from sayso.world import Truth

ROOM = StakedRoom(ahead=2.5, back=2.5, left=2.0, right=2.0, up=2.4)

PLAIN = (
    "turn left 45 degrees, turn left 45 degrees, turn left 45 degrees",
    "take off, move forward 1 metre, turn right, move forward 50 cm",
    "go left 1 metre, go back 80 cm, go right 50 cm, move down 30 cm",
    "take off, wait 17 seconds, move forward 60 cm",
    "move up 50 cm, go forward 1 metre, turn around, return home",
)
"""What of the drone suite's tasks needs no eyes: their turns, moves, climbs and ways back; each takes off and lands."""


def office(scene: str = "empty") -> Office:
    return Office(scene)


class Port(asyncio.DatagramProtocol):
    """One end of a line; it remembers who spoke last."""

    def __init__(self, hears: Callable[[bytes], None]) -> None:
        self._hears = hears
        self._transport: Any = None
        self.peer: tuple[str, int] | None = None

    async def open(self, port: int = 0) -> int:
        loop = asyncio.get_running_loop()
        self._transport, _ = await loop.create_datagram_endpoint(lambda: self, local_addr=("127.0.0.1", port))
        return int(self._transport.get_extra_info("sockname")[1])

    def datagram_received(self, data: bytes, address: Any) -> None:
        self.peer = address
        self._hears(data)

    def say(self, data: bytes) -> None:
        if self.peer and self._transport:
            self._transport.sendto(data, self.peer)

    def close(self) -> None:
        if self._transport:
            self._transport.close()


class Wire:
    """Loses a share of what passes, by seed; nothing passes while it is `cut`. `near` is our end, `far` the machine's.
    `eats` keeps chosen datagrams."""

    def __init__(self, lost: float = 0.0, seed: int = 0) -> None:
        self.lost, self.cut = lost, False
        self.eats: Callable[[bytes], bool] = lambda data: False
        self._random = random.Random(seed)
        self.near = Port(lambda data: self.passes(data, self.far))
        self.far = Port(lambda data: self.passes(data, self.near))

    def passes(self, data: bytes, to: Port) -> None:
        whole = not self.cut and self._random.random() >= self.lost
        if whole and not self.eats(data):
            to.say(data)

    def close(self) -> None:
        self.near.close()
        self.far.close()


@dataclass
class Flown:
    """What came of a mission, and what was really so at its end, before and after everything came to rest."""

    events: list[Event]
    truth: Truth
    rested: Truth

    @property
    def ended(self) -> MissionEnded:
        assert isinstance(self.events[-1], MissionEnded)
        return self.events[-1]


def fly(robot: Robot, world: Office, wish: str) -> Flown:
    """One mission on simulated time, datagrams and all."""

    async def main() -> Flown:
        async with Agent(robot) as agent:
            async with closing(agent.say(wish)) as happening:
                events = [event async for event in happening]
            truth = world.truth()
        return Flown(events, truth, world.truth())

    return SimClock().run(main())


@cache
def in_simulation(wish: str) -> Flown:
    """The same mission of the simulated drone, without a line; flown once for all that are held against it."""
    world = office()

    async def main() -> Flown:
        async with Agent(world=world) as agent:
            events = [event async for event in agent.say(wish)]
            truth = world.truth()
        return Flown(events, truth, world.truth())

    return SimClock().run(main())


def assert_ends_as_in_simulation(flown: Flown, wish: str) -> None:
    meant = in_simulation(wish)
    assert meant.ended.outcome == "achieved"
    assert (flown.ended.outcome, flown.ended.verified) == (meant.ended.outcome, meant.ended.verified)
    assert flown.truth.flying == meant.truth.flying
    assert flown.truth.pose.distance_m(meant.truth.pose) < 0.15
    assert abs(math.remainder(flown.truth.pose.yaw_rad - meant.truth.pose.yaw_rad, 2 * math.pi)) < 0.05
    assert not flown.rested.flying and not flown.rested.contacts
