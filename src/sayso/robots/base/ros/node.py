"""A ROS 2 node over zenoh, as rmw_zenoh makes one: its topics and services, by keys that any ROS 2 node finds.

    DOMAIN/TOPIC/TYPE/HASH                                          where a topic's or a service's bytes pass
    @ros2_lv/DOMAIN/SESSION/NODE/ID/WHAT/ENCLAVE/NAMESPACE/NAME/…   who publishes (MP), hears (MS), serves (SS)

With every message goes an attachment: its number, when it was sent (ns since 1970) and who sends, 16 bytes.
"""

from __future__ import annotations

import asyncio
import struct
import time
import uuid
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Protocol, TypeAlias, TypeVar

from sayso.robots.base.ros.cdr import read, write
from sayso.robots.base.ros.messages import KINDS, TRIGGER, Answer, Kind, Twist, TwistStamped

T = TypeVar("T")

DEPTH = "::,10:,:,:,,"
"""Reliable, volatile, the last ten: what ROS 2 calls 10 where somebody publishes or subscribes."""

Reply: TypeAlias = Callable[[bytes, bytes], None]
Serves: TypeAlias = Callable[[bytes, bytes, Reply], None]
Says: TypeAlias = Callable[[object], None]

ATTACHED = struct.Struct("<qqB16s")
DOMAIN_MAX = 232


class Line(Protocol):
    """What carries keys and bytes: a session of zenoh's, or this process. What it hears it tells on the loop."""

    name: str
    """Whose line it is among all."""

    def put(self, key: str, payload: bytes, attachment: bytes) -> None:
        """From any thread, at once; whether it arrives nobody knows."""

    def hear(self, key: str, heard: Callable[[bytes], None], kept: bool = False) -> None:
        """Have every payload of a key told; those that their senders keep for who comes later, too, where they are."""

    def serve(self, key: str, answer: Serves) -> None:
        """Answer questions, payload and attachment with the same, in whoever's thread hears them, or later in any."""

    def ask(self, key: str, payload: bytes, attachment: bytes, answered: Callable[[bytes], None]) -> None:
        """From any thread, once something is heard; have each answer told, whenever it comes."""

    def declare(self, token: str) -> None:
        """Have others find this, for as long as the line is open."""

    async def declared(self, pattern: str) -> list[str]:
        """The tokens of others, with `*` for any part."""

    def close(self) -> None:
        """Nothing is heard from then on."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Which robots are meant: those of a domain, and one of them by its namespace, `/robot1` or empty."""

    domain: int = 0
    namespace: str = ""

    def topic(self, name: str) -> str:
        return f"{self.namespace}/{name}"

    def key(self, name: str, kind: Kind) -> str:
        return f"{self.domain}/{self.topic(name).strip('/')}/{kind.key}"

    def tokens(self, what: str, name: str) -> str:
        """The pattern of who does that with a topic or a service."""
        return f"@ros2_lv/{self.domain}/*/*/*/{what}/*/*/*/{self.topic(name).replace('/', '%')}/*/*/*"


EVERYWHERE = Graph()


class Node:
    """One node, for as long as its line is open."""

    def __init__(self, line: Line, graph: Graph, name: str) -> None:
        self.line, self.graph, self._name = line, graph, name
        self._entities = 0
        self._token("NN")

    def publishes(self, name: str, kind: type) -> Callable[[object], None]:
        """What publishes on a topic, from any thread."""
        key, attached = self.graph.key(name, KINDS[kind]), _attachments()
        self._token("MP", name, KINDS[kind])
        return lambda message: self.line.put(key, write(message), attached())

    def hears(self, name: str, kind: type[T], heard: Callable[[T], None], kept: bool = False) -> None:
        """Have a topic's messages told, `kept` ones (transient local) too; what is none of that kind is left."""
        self._token("MS", name, KINDS[kind])
        self.line.hear(self.graph.key(name, KINDS[kind]), partial(_tell, kind, heard), kept)

    def hears_speeds(self, name: str, kind: type[Twist] | type[TwistStamped], heard: Callable[[Twist], None]) -> None:
        """Have told how fast to go, in one of the two forms."""
        self.hears(name, kind, lambda told: heard(told.twist if isinstance(told, TwistStamped) else told))

    def asks(self, name: str, kind: Kind, answer: type[T]) -> Callable[[object, Callable[[T], None]], None]:
        """What asks a service, from any thread; what it answers is told, and what is no answer left."""
        key, attached = self.graph.key(name, kind), _attachments()
        self._token("SC", name, kind)
        return lambda request, heard: self.line.ask(key, write(request), attached(), partial(_tell, answer, heard))

    def triggered(self, name: str, does: Callable[[], str]) -> None:
        """Serve a Trigger, whatever is asked; the answer says what was done."""
        self.serve(name, TRIGGER, lambda asked, say: say(Answer(True, does())))

    def serve(self, name: str, kind: Kind, answer: Callable[[bytes, Says], None]) -> None:
        """Serve a service: what is asked, and what says the answer, now or later."""

        def answered(asked: bytes, attachment: bytes, reply: Reply) -> None:
            number, _, size, gid = ATTACHED.unpack(attachment[: ATTACHED.size].ljust(ATTACHED.size, b"\0"))
            answer(asked, lambda said: reply(write(said), ATTACHED.pack(number, time.time_ns(), size, gid)))

        self._token("SS", name, kind)
        self.line.serve(self.graph.key(name, kind), answered)

    async def kinds(self, what: str, name: str) -> set[str]:
        """The types, as keys have them, with which others do that with a topic."""
        tokens = await self.line.declared(self.graph.tokens(what, name))
        return {"/".join(token.split("/")[-3:-1]) for token in tokens}

    def _token(self, what: str, name: str = "", kind: Kind | None = None) -> None:
        space = self.graph.namespace.replace("/", "%") or "%"
        number, self._entities = self._entities, self._entities + 1
        end = f"/{self.graph.topic(name).replace('/', '%')}/{kind.key}/{DEPTH}" if kind else ""
        own = f"@ros2_lv/{self.graph.domain}/{self.line.name}/0/{number}/{what}/%/{space}/{self._name}"
        self.line.declare(own + end)


def _tell(kind: type[T], heard: Callable[[T], None], payload: bytes) -> None:
    with suppress(ValueError):
        message = read(kind, payload)
        heard(message)


def _attachments() -> Callable[[], bytes]:
    """One sender's, one after the other."""
    gid, numbers = uuid.uuid4().bytes, count(1)
    return lambda: ATTACHED.pack(next(numbers), time.time_ns(), len(gid), gid)


class Bus:
    """Lines within this process: the same keys and bytes, and no network. `passes` says what gets through."""

    def __init__(self) -> None:
        self._ends: list[Inside] = []

    def end(self) -> Inside:
        self._ends.append(end := Inside(self, f"{len(self._ends) + 1:x}"))
        return end

    def passes(self, key: str, sender: Line) -> bool:
        """Asked of each message, question and answer. For judges."""
        return True

    def others(self, end: Inside) -> Iterable[Inside]:
        return (other for other in self._ends if other is not end and not other.closed)


class Inside(Line):
    """One end of a bus. Belongs to the loop on which it first hears something."""

    def __init__(self, bus: Bus, name: str) -> None:
        self.name, self.closed = name, False
        self._bus, self._tokens = bus, list[str]()
        self._heard: dict[str, Callable[[bytes], None]] = {}
        self._served: dict[str, Serves] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def put(self, key: str, payload: bytes, attachment: bytes) -> None:
        for other in () if self.closed else self._bus.others(self):
            if key in other._heard and self._bus.passes(key, self) and other._loop:
                other._loop.call_soon_threadsafe(other._tell, other._heard[key], payload)

    def _tell(self, heard: Callable[[bytes], None], payload: bytes) -> None:
        if not self.closed:
            heard(payload)

    def hear(self, key: str, heard: Callable[[bytes], None], kept: bool = False) -> None:
        self._heard[key], self._loop = heard, asyncio.get_running_loop()

    def serve(self, key: str, answer: Serves) -> None:
        self._served[key] = answer

    def ask(self, key: str, payload: bytes, attachment: bytes, answered: Callable[[bytes], None]) -> None:
        for other in () if self.closed else self._bus.others(self):
            if key in other._served and self._bus.passes(key, self):
                other._served[key](payload, attachment, partial(self._answered, key, other, answered))

    def _answered(
        self, key: str, by: Inside, answered: Callable[[bytes], None], payload: bytes, attached: bytes
    ) -> None:
        if not by.closed and self._bus.passes(key, by) and self._loop:
            self._loop.call_soon_threadsafe(self._tell, answered, payload)

    def declare(self, token: str) -> None:
        self._tokens.append(token)

    async def declared(self, pattern: str) -> list[str]:
        wanted = pattern.split("/")
        return [token for end in self._bus.others(self) for token in end._tokens if _meets(token.split("/"), wanted)]

    def close(self) -> None:
        self.closed = True


def _meets(parts: list[str], wanted: list[str]) -> bool:
    return len(parts) == len(wanted) and all(w in ("*", p) for p, w in zip(parts, wanted, strict=True))
