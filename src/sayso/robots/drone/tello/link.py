"""The line to a Tello: commands out, answers and states in, each a datagram that may get lost."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from sayso.errors import RobotError
from sayso.robots.drone.tello.protocol import Told

LONGEST = 1024
"""Bytes of a datagram that are looked at."""


class Link:
    """`told` hears every state that makes sense."""

    def __init__(self, host: str, port: int, state_port: int, told: Callable[[Told], None]) -> None:
        self._host, self._told = host, told
        self.port, self.state_port = port, state_port
        self._figures = False
        self._answers: asyncio.Queue[str] = asyncio.Queue(100)
        self._socket: socket.socket | None = None
        self._transports: list[asyncio.DatagramTransport] = []

    async def open(self) -> None:
        """Raises `RobotError` where the ports cannot be had."""
        loop = asyncio.get_running_loop()
        try:
            line = self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            line.setblocking(False)
            await loop.sock_connect(line, (self._host, self.port))
            answers, _ = await loop.create_datagram_endpoint(lambda: _Ear(self._answer), sock=line)
            self._transports = [answers]
            ear, where = _Ear(self._state, line.getpeername()[0]), ("0.0.0.0", self.state_port)
            states, _ = await loop.create_datagram_endpoint(lambda: ear, local_addr=where)
        except OSError as error:
            self.close()
            raise RobotError(
                f"no line to {self._host}:{self.port}, with states on UDP port {self.state_port}: {error.strerror}; "
                "is this computer in the machine's network, and is no other program connected to it?"
            ) from error
        self._transports.append(states)
        self.state_port = int(states.get_extra_info("sockname")[1])

    def close(self) -> None:
        for transport in self._transports:
            transport.close()
        self._transports, self._socket = [], None

    def send(self, text: str) -> None:
        """From any thread, at once; whether it arrives nobody knows."""
        if line := self._socket:
            with suppress(OSError):
                line.send(text.encode("ascii"))

    def forget(self) -> None:
        """Answers that came late are to earlier commands."""
        while not self._answers.empty():
            self._answers.get_nowait()

    async def answer(self, within_s: float) -> str:
        """The next answer, empty where none comes in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                return await self._answers.get()
        return ""

    async def ask(self, text: str, tries: int, within_s: float, *, figure: bool = False) -> str:
        """Send it until there is an answer, which is a figure or a word; empty where none comes."""
        self._figures = figure
        try:
            for _ in range(tries):
                self.forget()
                self.send(text)
                if said := await self.answer(within_s):
                    return said
            return ""
        finally:
            self._figures = False

    def _answer(self, text: str) -> None:
        """What is asked to keep the line alive is answered with a figure, which is no answer to a command."""
        if self._figures == text[:1].isdigit() and not self._answers.full():
            self._answers.put_nowait(text)

    def _state(self, text: str) -> None:
        with suppress(ValueError):
            self._told(Told.read(text))


class _Ear(asyncio.DatagramProtocol):
    """Passes texts on, those of one host where it is named."""

    def __init__(self, hears: Callable[[str], None], host: str = "") -> None:
        self._hears, self._host = hears, host

    def datagram_received(self, data: bytes, address: Any) -> None:
        if not self._host or address[0] == self._host:
            self._hears(data[:LONGEST].decode("ascii", "replace").strip())
