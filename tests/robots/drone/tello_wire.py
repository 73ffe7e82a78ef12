"""Test doubles: a line between the adapter and the face of a Tello that loses datagrams and can be cut, and a client
that speaks the protocol word by word."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import Event
from sayso.machines import Room
from sayso.parts import closing
from sayso.perception.geometry import GeometricCamera
from sayso.robots.drone.tello.adapter import Tello
from sayso.robots.drone.tello.face import Face
from sayso.robots.drone.tello.rehearsal import Rehearsal
from sayso.robots.drone.world.office import FlightTruth, Office

ROOM = Room(ahead=2.5, back=2.5, left=2.0, right=2.0, up=2.4)


def office(scene: str = "empty") -> Office:
    return Office(scene, perception=GeometricCamera)


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
    """Loses a share of what passes, by seed; nothing passes while it is `cut`. `drops` eats chosen commands."""

    def __init__(self, lost: float = 0.0, seed: int = 0) -> None:
        self.lost, self.cut = lost, False
        self.drops: Callable[[str], bool] = lambda text: False
        self._random = random.Random(seed)
        self.near = Port(lambda data: self._pass(data, self.far))
        self.far = Port(lambda data: self._pass(data, self.near))
        self.states = Port(lambda data: self._pass(data, self.out))
        self.out = Port(lambda data: None)

    async def open(self, face_port: int) -> int:
        """The port on which the adapter finds the face."""
        await self.far.open()
        self.far.peer = ("127.0.0.1", face_port)
        await self.out.open()
        return await self.near.open()

    def _pass(self, data: bytes, to: Port) -> None:
        whole = not self.cut and self._random.random() >= self.lost
        if whole and not self.drops(data.decode()):
            to.say(data)

    def close(self) -> None:
        for port in (self.near, self.far, self.states, self.out):
            port.close()


class Wired(Rehearsal):
    """The dry run, with a wire between."""

    def __init__(self, wire: Wire, room: Room | None = ROOM, world: Office | None = None) -> None:
        super().__init__(room, world or office())
        self.wire = wire

    async def _connect(self) -> None:
        self._running = asyncio.ensure_future(self.world.run())
        self.link.port = await self.wire.open(await self.face.open())
        self.face.state_port = await self.wire.states.open()
        await Tello._connect(self)
        self.wire.out.peer = ("127.0.0.1", self.link.state_port)

    async def close(self) -> None:
        await super().close()
        self.wire.close()


@dataclass
class Flown:
    """What came of a mission, and what was really so at its end, before and after everything came to rest."""

    events: list[Event]
    truth: FlightTruth
    rested: FlightTruth


def fly(tello: Rehearsal, wish: str) -> Flown:
    """One mission on simulated time, datagrams and all."""

    async def main() -> Flown:
        async with Agent(tello) as agent:
            async with closing(agent.say(wish)) as happening:
                events = [event async for event in happening]
            truth = tello.world.truth()
        return Flown(events, truth, tello.world.truth())

    return SimClock().run(main())


class Client:
    """Speaks to a face on its own."""

    def __init__(self) -> None:
        self.answers: asyncio.Queue[str] = asyncio.Queue()
        self.told: list[str] = []
        self.line = Port(lambda data: self.answers.put_nowait(data.decode()))
        self.states = Port(lambda data: self.told.append(data.decode()))

    async def ask(self, text: str, within_s: float = 15.0) -> str:
        """The answer, empty where none comes."""
        self.line.say(text.encode())
        try:
            async with asyncio.timeout(within_s):
                return await self.answers.get()
        except TimeoutError:
            return ""


def with_face(script: Callable[[Client, Face, Office], Any]) -> None:
    """Run a script against a face on simulated time."""

    async def main() -> None:
        world, client = office(), Client()
        face = Face(world.drone, await client.states.open())
        running = asyncio.ensure_future(world.run())
        await client.line.open()
        client.line.peer = ("127.0.0.1", await face.open())
        try:
            await script(client, face, world)
        finally:
            running.cancel()
            face.close()
            client.line.close()
            client.states.close()

    SimClock().run(main())
