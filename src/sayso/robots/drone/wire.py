"""UDP ports, for either end of a line, and the base of an emulated machine that listens on one."""

import asyncio
import socket
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, ClassVar, TypeAlias

from sayso.errors import RobotError

Address: TypeAlias = tuple[str, int]

ANYWHERE = "0.0.0.0"
LOG_MAX = 10_000


class Port(asyncio.DatagramProtocol):
    """A UDP port. `hears` gets each datagram, and whose it is."""

    _transport: asyncio.DatagramTransport | None = None
    _socket: socket.socket | None = None

    def __init__(self, hears: Callable[[bytes, Address], None]) -> None:
        self._hears = hears

    async def open(self, host: str = ANYWHERE, number: int = 0) -> None:
        """Raises `OSError` where that port cannot be had."""
        line = self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        line.setblocking(False)
        line.bind((host, number))
        loop = asyncio.get_running_loop()
        self._transport, _ = await loop.create_datagram_endpoint(lambda: self, sock=line)

    @property
    def number(self) -> int:
        return int(self._socket.getsockname()[1]) if self._socket else 0

    def datagram_received(self, data: bytes, address: Any) -> None:
        self._hears(data, address)

    def send(self, data: bytes, to: Address | None) -> None:
        """From any thread, at once; whether it arrives nobody knows."""
        if (line := self._socket) and to:
            with suppress(OSError):
                line.sendto(data, to)

    def close(self) -> None:
        if self._transport:
            self._transport.close()
        elif self._socket:
            self._socket.close()
        self._transport = self._socket = None


class Wire(ABC):
    """The port and the tasks of a face. It answers for one drone, whose world somebody else steps. `log` holds what it
    was told, with the loop's time."""

    title: ClassVar[str]
    """What a sentence calls it, such as the simulated Tello."""

    _motion: asyncio.Task[None] | None = None

    def __init__(self) -> None:
        self._port = Port(self._hear)
        self.log: deque[tuple[float, str]] = deque(maxlen=LOG_MAX)
        self._tasks: set[asyncio.Task[None]] = set()

    @abstractmethod
    def _hear(self, data: bytes, address: Address) -> None: ...

    async def _listen(self, host: str, port: int) -> int:
        """The port. Raises `RobotError` where that one is taken."""
        try:
            await self._port.open(host, port)
        except OSError as error:
            raise RobotError(f"{self.title} cannot listen on {host}:{port}: {error.strerror}") from error
        return self._port.number

    def close(self) -> None:
        """Go silent at once, as when the machine is switched off. The drone in its world does as it was told last."""
        self._port.close()
        for task in list(self._tasks):
            task.cancel()

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def _note(self, text: str) -> None:
        self.log.append((self._now(), text))

    @property
    def _busy(self) -> bool:
        return self._motion is not None and not self._motion.done()

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Until it ends, or goes silent."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
