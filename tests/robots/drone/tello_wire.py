"""Test doubles: a line between the adapter and the face of a Tello that loses datagrams and can be cut, and a client
that speaks the protocol word by word."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import wire
from wire import ROOM, Flown, Port, office

from sayso.clock import SimClock
from sayso.plugins.machines import StakedRoom
from sayso.robots.drone.tello.adapter import Tello
from sayso.robots.drone.tello.emulator import DryRun, Emulator
from sayso.robots.drone.world.office import Office


class Wire(wire.Wire):
    """The Tello's has a second line, for states. `drops` eats chosen commands."""

    def __init__(self, lost: float = 0.0, seed: int = 0) -> None:
        super().__init__(lost, seed)
        self.drops: Callable[[str], bool] = lambda text: False
        self.eats = lambda data: self.drops(data.decode())
        self.states = Port(lambda data: self.passes(data, self.out))
        self.out = Port(lambda data: None)

    async def open(self, face_port: int) -> int:
        """The port on which the adapter finds the face."""
        await self.far.open()
        self.far.peer = ("127.0.0.1", face_port)
        await self.out.open()
        return await self.near.open()

    def close(self) -> None:
        super().close()
        self.states.close()
        self.out.close()


class Wired(DryRun):
    """The dry run, with a wire between."""

    def __init__(self, wire: Wire, room: StakedRoom | None = ROOM, world: Office | None = None) -> None:
        super().__init__(room, world or office())
        self.wire = wire

    async def _connect(self) -> None:
        self._begin(self.world.run())
        self._opened.append(self.face.close)
        self.link.port = await self.wire.open(await self.face.open())
        self.face.state_port = await self.wire.states.open()
        await Tello._connect(self)
        self.wire.out.peer = ("127.0.0.1", self.link.ear.number)

    async def close(self) -> None:
        await super().close()
        self.wire.close()


def fly(tello: DryRun, wish: str) -> Flown:
    return wire.fly(tello, tello.world, wish)


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


def with_face(script: Callable[[Client, Emulator, Office], Any]) -> None:
    """Run a script against a face on simulated time."""

    async def main() -> None:
        world, client = office(), Client()
        face = Emulator(world.drone, await client.states.open())
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
