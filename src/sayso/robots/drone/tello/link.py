"""The link to a Tello, datagrams that may get lost."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

from sayso.errors import RobotError
from sayso.robots.drone.tello.protocol import TelloState
from sayso.robots.drone.wire import ANYWHERE, Address, Port

LONGEST = 1024
"""Bytes of a datagram that are looked at."""


class Link:
    """The link to one Tello. `told` hears every state that makes sense, which arrives on a port of its own: `ear`."""

    def __init__(self, host: str, port: int, state_port: int, told: Callable[[TelloState], None]) -> None:
        self._host, self._state_port, self._told = host, state_port, told
        self.port = port
        self._figures = False
        self._answers: asyncio.Queue[str] = asyncio.Queue(100)
        self._line, self.ear = Port(self._said), Port(self._state)
        self._peer: Address | None = None

    async def open(self) -> None:
        """Raises `RobotError` where the ports cannot be had."""
        try:
            self._peer = (socket.gethostbyname(self._host), self.port)
            await self._line.open()
            await self.ear.open(ANYWHERE, self._state_port)
        except OSError as error:
            self.close()
            raise RobotError(
                f"no line to {self._host}:{self.port}, with states on UDP port {self._state_port}: {error.strerror}; "
                "is this computer in the machine's network, and is no other program connected to it?"
            ) from error

    def close(self) -> None:
        self._line.close()
        self.ear.close()

    def send(self, text: str) -> None:
        """From any thread, at once; whether it arrives nobody knows."""
        self._line.send(text.encode("ascii"), self._peer)

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

    def _said(self, data: bytes, address: Address) -> None:
        if address == self._peer:
            self._answer(_text(data))

    def _answer(self, text: str) -> None:
        """What is asked to keep the line alive is answered with a figure, which is no answer to a command."""
        if self._figures == text[:1].isdigit() and not self._answers.full():
            self._answers.put_nowait(text)

    def _state(self, data: bytes, address: Address) -> None:
        if self._peer and address[0] == self._peer[0]:
            with suppress(ValueError):
                self._told(TelloState.read(_text(data)))


def _text(data: bytes) -> str:
    return data[:LONGEST].decode("ascii", "replace").strip()
