"""The link to an autopilot, messages in datagrams that may get lost."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

from pymavlink.dialects.v20 import common as mavlink

from sayso.errors import RobotError, UsageError
from sayso.robots.drone.mavlink.protocol import GROUND_STATION, Stack, codec, messages, packed, param_value
from sayso.robots.drone.wire import ANYWHERE, Port

HOST, PORT = "127.0.0.1", 14540
"""Where PX4's simulator sends to, and MAVSDK listens."""

ANSWER_S, TRIES = 0.5, 6


@dataclass(frozen=True, slots=True)
class Address:
    """Where the machine is met: it sends to us, as a simulator and a router do, or (`calls`) hears from us first."""

    host: str = HOST
    port: int = PORT
    calls: bool = False

    @classmethod
    def read(cls, text: str) -> Self:
        """`udp:HOST:PORT`, or `udpout:HOST:PORT` where we call; as others write it, with `//` too."""
        kind, _, rest = (text or "udp:").replace("//", "").partition(":")
        host, _, port = rest.partition(":")
        if kind not in ("udp", "udpin", "udpout") or not (port or "0").isdigit():
            raise UsageError(f"a MAVLink address is written udp:HOST:PORT or udpout:HOST:PORT, not {text!r}")
        return cls(host or HOST, int(port) if port else PORT, kind == "udpout")

    def __str__(self) -> str:
        return f"{'udpout' if self.calls else 'udp'}:{self.host}:{self.port}"


class Link:
    """The link to one autopilot: `hears` gets every message of the one that is met, whose heartbeat arrives first."""

    def __init__(self, address: Address, hears: Callable[[Any], None]) -> None:
        self.address, self._hears = address, hears
        self.system = 0
        self._in, self._out = codec(*GROUND_STATION), codec(*GROUND_STATION)
        self._line = Port(self._heard)
        self._peer: tuple[str, int] | None = None
        self._waiting: list[tuple[str, Callable[[Any], bool], asyncio.Future[Any]]] = []

    async def open(self) -> None:
        """Raises `RobotError` where the port cannot be had."""
        where = (self.address.host, self.address.port)
        self.system, self._in = 0, codec(*GROUND_STATION)
        try:
            await self._line.open(*((ANYWHERE, 0) if self.address.calls else where))
            self._peer = (socket.gethostbyname(where[0]), where[1]) if self.address.calls else None
        except OSError as error:
            self.close()
            raise RobotError(
                f"no line on {self.address}: {error.strerror}; does another program, such as a ground station, use it?"
            ) from error

    @property
    def port(self) -> int:
        """Where we listen."""
        return self._line.number

    def close(self) -> None:
        self._line.close()

    def send(self, message: Any) -> None:
        """From any thread, at once; whether it arrives nobody knows."""
        if self._peer:
            self._line.send(packed(self._out, message), self._peer)

    def _heard(self, data: bytes, address: tuple[str, int]) -> None:
        for message in messages(self._in, data):
            if self._belongs(message, address):
                self._pass(message)

    def _belongs(self, message: Any, address: tuple[str, int]) -> bool:
        """Whether it is from the autopilot that is met; a router between may begin again on another port."""
        system, component = message.get_srcSystem(), message.get_srcComponent()
        if component != mavlink.MAV_COMP_ID_AUTOPILOT1:
            return False
        if not self.system and message.get_type() == "HEARTBEAT":
            self.system, self._peer = system, address
        if system != self.system or not self._peer or address[0] != self._peer[0]:
            return False
        self._peer = address
        return True

    def _pass(self, message: Any) -> None:
        self._hears(message)
        for kind, wanted, future in self._waiting:
            if kind == message.get_type() and not future.done() and wanted(message):
                future.set_result(message)

    async def answer(
        self, kind: str, wanted: Callable[[Any], bool], asks: Callable[[], None], tries: int = TRIES
    ) -> Any:
        """Ask until a message of that kind comes that is `wanted`; None where none does."""
        waits = (kind, wanted, asyncio.get_running_loop().create_future())
        self._waiting.append(waits)
        try:
            for _ in range(tries):
                asks()
                with suppress(TimeoutError):
                    async with asyncio.timeout(ANSWER_S):
                        return await asyncio.shield(waits[2])
        finally:
            self._waiting.remove(waits)
            waits[2].cancel()
        return None

    async def ask(self, message: Any) -> int | None:
        """Send a command until it is answered: its MAV_RESULT, None where no answer comes."""
        ack = await self.answer("COMMAND_ACK", lambda said: said.command == message.command, lambda: self.send(message))
        return ack and int(ack.result)

    async def param(self, name: str, stack: Stack) -> float | None:
        """A parameter's value, None where it is not told."""
        asked = mavlink.MAVLink_param_request_read_message(
            self.system, mavlink.MAV_COMP_ID_AUTOPILOT1, name.encode(), -1
        )
        said = await self.answer("PARAM_VALUE", lambda value: value.param_id == name, lambda: self.send(asked))
        return said and param_value(said, stack)
