"""Test doubles: a graph of ROS 2 within this process that loses messages and can be cut, and a node in it."""

from __future__ import annotations

import random
import socket
import struct
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import Event, MissionEnded
from sayso.plugins.machines import StakedRoom
from sayso.robots.base.ros.cdr import read
from sayso.robots.base.ros.emulator import STANDS, Emulator, Rehearsal
from sayso.robots.base.ros.messages import TRIGGER, Answer
from sayso.robots.base.ros.node import ATTACHED, EVERYWHERE, Bus, Inside, Line
from sayso.robots.base.world import Hall
from sayso.roles import closing
from sayso.world import Truth


class Nothing(NamedTuple):
    """A request that asks for nothing."""


T = TypeVar("T", bound=tuple[Any, ...])


def changed(message: T, **fields: Any) -> T:
    """A message with other fields."""
    return type(message)(**{**dict(zip(message._fields, message, strict=True)), **fields})  # type: ignore[attr-defined]


ROOM = StakedRoom(ahead=2.5, back=2.5, left=2.0, right=2.0)


class Wire(Bus):
    """Loses a share of what passes, by seed; nothing passes while it is `cut`."""

    def __init__(self, lost: float = 0.0, seed: int = 0) -> None:
        super().__init__()
        self.lost, self.cut = lost, False
        self._random = random.Random(seed)

    def passes(self, key: str, sender: Line) -> bool:
        return not self.cut and self._random.random() >= self.lost

    def close(self) -> None:
        """Nothing to give back."""


class Wired(Rehearsal):
    """The dry run, with a wire between."""

    bus: Wire

    def __init__(self, wire: Wire | None = None, room: StakedRoom | None = ROOM, face: Emulator | None = None) -> None:
        super().__init__(room, face or Emulator(Hall(STANDS)), wire or Wire())


@dataclass
class Driven:
    """What came of a mission, and what was really so when everything had come to rest."""

    events: list[Event]
    truth: Truth

    @property
    def ended(self) -> MissionEnded:
        assert isinstance(self.events[-1], MissionEnded)
        return self.events[-1]


def drive(machine: Rehearsal, *wishes: str) -> Driven:
    """Missions on simulated time, bytes and all; the last one's events."""

    async def main() -> Driven:
        async with Agent(machine) as agent:
            for wish in wishes:
                async with closing(agent.say(wish)) as happening:
                    events = [event async for event in happening]
        return Driven(events, machine.hall.truth())

    return SimClock().run(main())


def on_the_floor(machine: Rehearsal, script: Any) -> None:
    """Run a script with a machine that an agent has connected."""

    async def main() -> None:
        async with Agent(machine) as agent:
            await script(agent)

    SimClock().run(main())


def free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


def call_stop(end: Inside, asked: bytes) -> Answer:
    """A node calls `/sayso/stop`; its answer carries the question's own number and sender."""
    gid, key, came = b"0123456789abcdef", EVERYWHERE.key("sayso/stop", TRIGGER), list[tuple[bytes, bytes]]()
    attached = struct.pack("<qqB16s", 7, 0, len(gid), gid)
    [served] = [other._served[key] for other in end._bus.others(end) if key in other._served]
    served(asked, attached, lambda payload, attachment: came.append((payload, attachment)))
    [(payload, attachment)] = came
    assert ATTACHED.unpack(attachment)[0] == 7 and ATTACHED.unpack(attachment)[3] == gid
    return read(Answer, payload)
