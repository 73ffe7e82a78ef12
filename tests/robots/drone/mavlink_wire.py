"""Test doubles: a line between the adapter and the face of an autopilot that loses datagrams and can be cut, and a
client that speaks MAVLink message by message."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("pymavlink")

import wire
from wire import ROOM, Flown, Port, Wire, office

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.executive.guards import AFTER_S
from sayso.plugins.machines import StakedRoom
from sayso.robots.drone.mavlink.adapter import Mavlink
from sayso.robots.drone.mavlink.emulator import SYSTEM, DryRun, Emulator
from sayso.robots.drone.mavlink.link import HOST
from sayso.robots.drone.mavlink.protocol import ARDUPILOT, GROUND_STATION, PX4, Stack, codec, command, packed
from sayso.robots.drone.world.office import Office

STACKS = pytest.mark.parametrize("stack", [PX4, ARDUPILOT], ids=lambda stack: stack.name)


class Wired(DryRun):
    """The dry run, with a wire between."""

    def __init__(
        self, wire: Wire | None = None, room: StakedRoom | None = ROOM, world: Office | None = None, stack: Stack = PX4
    ) -> None:
        super().__init__(room, world or office(), stack)
        self.wire = wire or Wire()

    async def _connect(self) -> None:
        self._begin(self.world.run())
        self._opened.append(self.face.close)
        await Mavlink._connect(self)
        await join(self.wire, self.face, self.link.port)

    async def close(self) -> None:
        await super().close()
        self.wire.close()


async def join(wire: Wire, face: Emulator, port: int) -> None:
    """The face at one end, whoever listens on a port at the other."""
    await wire.near.open()
    wire.near.peer = (HOST, port)
    await face.open(to=(HOST, await wire.far.open()))


def fly(machine: DryRun, wish: str) -> Flown:
    return wire.fly(machine, machine.world, wish)


def kinds(data: bytes) -> list[str]:
    """What the messages of a datagram are."""
    return [message.get_type() for message in codec(0, 0).parse_buffer(data) or ()]


class Client:
    """Speaks to a face on its own. `told` has the last message of each kind."""

    def __init__(self) -> None:
        self.codec, self.told = codec(*GROUND_STATION), dict[str, Any]()
        self.acks: asyncio.Queue[Any] = asyncio.Queue()
        self.line = Port(self._hear)

    def _hear(self, data: bytes) -> None:
        for message in self.codec.parse_buffer(data) or ():
            self.told[message.get_type()] = message
            if message.get_type() == "COMMAND_ACK":
                self.acks.put_nowait(message)

    def say(self, message: Any) -> None:
        self.line.say(packed(self.codec, message))

    async def ask(self, number: int, *params: float) -> int:
        """A command's result."""
        return await self.answer(command(SYSTEM, number, *params))

    async def answer(self, message: Any) -> int:
        self.say(message)
        async with asyncio.timeout(2.0):
            ack = await self.acks.get()
        assert ack.command == message.command
        return int(ack.result)

    async def tells(self, kind: str) -> Any:
        """The next message of that kind."""
        self.told.pop(kind, None)
        async with asyncio.timeout(3.0):
            while kind not in self.told:
                await asyncio.sleep(0.02)
        return self.told[kind]


def with_face(script: Callable[[Client, Emulator, Office], Any], stack: Stack = PX4) -> None:
    """Run a script against a face on simulated time."""

    async def main() -> None:
        world, client = office(), Client()
        face, running = Emulator(world.drone, stack), asyncio.ensure_future(world.run())
        await face.open(to=(HOST, await client.line.open()))
        try:
            await client.tells("HEARTBEAT")
            await script(client, face, world)
        finally:
            running.cancel()
            face.close()
            client.line.close()

    SimClock().run(main())


def pilot(face: Emulator, mode: int) -> None:
    """Somebody takes the remote control."""
    face.mode = mode
    face._start(face._drone.halt())


def told(machine: Wired) -> list[str]:
    """What its face was told to do."""
    return [text for _, text in machine.face.log if not text.startswith("command")]


def in_the_air(machine: Wired, script: Callable[[], Any]) -> None:
    """Run a script with a machine that has taken off, when its mission is over for so long that it may move again."""

    async def main() -> None:
        async with Agent(machine) as agent:
            async for _ in agent.say("take off"):
                pass
            await asyncio.sleep(AFTER_S + 0.5)
            await script()

    SimClock().run(main())
