"""The link to a Tello, datagrams that may get lost, and its dead reckoning.

A Tello knows its speed, its height and its heading, and no position. Dead reckoning adds up errors, so the estimate
carries its own. How large they are on the real machine nobody has measured here: the shares below are guesses on the
careful side.
"""

from __future__ import annotations

import asyncio
import math
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from sayso.errors import RobotError
from sayso.robots import real
from sayso.robots.drone.tello.protocol import TelloState
from sayso.robots.drone.wire import ANYWHERE, Address, Port
from sayso.scene import Pose, wrap

LONGEST = 1024
"""Bytes of a datagram that are looked at."""


class Link:
    """`told` hears every state that makes sense, which arrives on a port of its own: `ear`."""

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


SWAYS_DEG = 1

ALOFT_CM = 20
"""Above that it flies, whatever its motors' clock says."""

MOTORS_S, SPOOL_S = 1.5, 2.0
"""The clock of the motors counts seconds while they run; one that stood for so long has stopped. They take a while to
begin."""

PER_METRE, PER_SECOND = 0.1, 0.02
"""How much the estimate may be off, in metres: of the way flown, and of the time in the air."""

GAP_S = 0.35
"""Between two states; what passes in a longer gap is not known, and counts as error at the speed before it."""


@dataclass(slots=True)
class Reckoning(real.Telemetry):
    """Fed with every state that arrives. x, y and z from where `begin` was called, x along the nose then."""

    moving = (0.11, 0.0)
    """Speeds are told in steps of 0.1 m/s; up to the first one a Tello sways where it hovers."""

    last: TelloState = field(default_factory=TelloState)
    error_m: float = 0.0
    _motors_s: float = -math.inf
    _yaw_deg: int = 0

    def begin(self) -> None:
        """The machine stands where it was put; here is the origin."""
        self.pose, self.error_m, self._yaw_deg = Pose(), 0.0, self.last.yaw

    def hear(self, told: TelloState, now_s: float) -> None:
        """The next state."""
        last, gap_s, before_mps = self.last, now_s - self.heard_s, self.speed_mps
        if told.time != last.time and math.isfinite(self.heard_s):
            self._motors_s = now_s
        self.speed_mps = math.hypot(told.vgx, told.vgy, told.vgz) / 10
        if self.speed_mps > self.moving[0] or abs(told.yaw - last.yaw) > SWAYS_DEG:
            self.moved_s = now_s
        self.charge, self.lean_rad = told.bat / 100, math.radians(math.hypot(told.pitch, told.roll))
        self.last, self.heard_s = told, now_s
        if math.isfinite(gap_s) and self.aloft:
            self._go_on(last, told, gap_s)
            self.error_m += before_mps * max(0.0, gap_s - GAP_S)
        z_m = told.tof / 100 if told.h >= ALOFT_CM and abs(told.tof - told.h) <= 15 else told.h / 100
        self.pose = replace(self.pose, z_m=z_m, yaw_rad=wrap(math.radians(self._yaw_deg - told.yaw)))

    def _go_on(self, last: TelloState, told: TelloState, gap_s: float) -> None:
        ahead, left = (last.vgx + told.vgx) / 20 * gap_s, -(last.vgy + told.vgy) / 20 * gap_s
        here = replace(self.pose, yaw_rad=math.radians(self._yaw_deg)).moved(ahead, left)
        self.pose = replace(self.pose, x_m=here.x_m, y_m=here.y_m)
        self.error_m += PER_METRE * math.hypot(ahead, left) + PER_SECOND * gap_s

    def arrived(self, there: Pose) -> None:
        """The machine says that it is there, and what was reckoned does not speak against it."""
        self.pose = replace(self.pose, x_m=there.x_m, y_m=there.y_m)

    def landed(self) -> None:
        """The machine says that its motors stand."""
        self._motors_s = -math.inf

    def spins(self) -> None:
        """It was just told to take off: from here on it may fly."""
        self._motors_s = self.heard_s + SPOOL_S

    @property
    def aloft(self) -> bool:
        """Whether its motors run, as far as can be told."""
        return self.last.h >= ALOFT_CM or self.heard_s - self._motors_s < MOTORS_S
