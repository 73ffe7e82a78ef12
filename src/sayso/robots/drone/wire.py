"""The datagrams of a simulated machine: a port that it listens on, and what it does until it goes silent."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine
from typing import Any, ClassVar, TypeAlias

from sayso.errors import RobotError
from sayso.robots.drone.world.sim import SimDrone

Address: TypeAlias = tuple[str, int]

LOG_MAX = 10_000


class Wire(asyncio.DatagramProtocol):
    """The port and the tasks of a face, which hears with `datagram_received`. It answers for one drone, whose world
    somebody else steps. `log` holds what it was told, with the loop's time."""

    title: ClassVar[str]
    """What a sentence calls it, such as the simulated Tello."""

    _transport: asyncio.DatagramTransport | None = None
    _motion: asyncio.Task[None] | None = None

    def __init__(self, drone: SimDrone) -> None:
        self._drone = drone
        self.log: deque[tuple[float, str]] = deque(maxlen=LOG_MAX)
        self._tasks: set[asyncio.Task[None]] = set()

    async def _listen(self, host: str, port: int) -> int:
        """The port. Raises `RobotError` where that one is taken."""
        loop = asyncio.get_running_loop()
        try:
            self._transport, _ = await loop.create_datagram_endpoint(lambda: self, local_addr=(host, port))
        except OSError as error:
            raise RobotError(f"{self.title} cannot listen on {host}:{port}: {error.strerror}") from error
        return int(self._transport.get_extra_info("sockname")[1])

    def close(self) -> None:
        """Go silent at once, as when the machine is switched off. The drone in its world does as it was told last."""
        if self._transport:
            self._transport.close()
            self._transport = None
        for task in list(self._tasks):
            task.cancel()

    def _send(self, data: bytes, address: Address) -> None:
        if self._transport:
            self._transport.sendto(data, address)

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
