"""Viewers of the console without a browser: they hold the connection that a page holds, and count what comes.

A page that draws costs a core; twenty of them on one machine would measure the machine. These open the page, keep its
websocket, send its heartbeat and fetch its camera pictures, which is all that the server can notice. Test doubles.
"""

from __future__ import annotations

import asyncio
import importlib
import re
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

HEARTBEAT_S = 0.5
PICTURE_S = 1.0
ACK_S = 3.0
CONNECT_S = 20
DEFLATE_BITS = 15
"""Browsers ask for compressed websockets, which the server may grant."""

_CLIENT = re.compile(r"client_id['\"]?:\s*['\"]([0-9a-f-]{36})['\"]")


@dataclass(slots=True)
class Viewer:
    """One connection to the page at `address`. `moves` counts messages that move bodies of the scene; `lost` says how a
    connection ended that was not given up by this side."""

    address: str
    moves: int = 0
    messages: int = 0
    lost: str = ""
    _seat: str = ""
    _next: int = 0
    _leaving: bool = False
    _socket: Any = None
    _http: Any = None
    _beating: list[asyncio.Task[None]] = field(default_factory=list)

    async def open(self) -> None:
        """Load the page and connect as its script does: once more where that fails on a busy machine."""
        refused = importlib.import_module("socketio").exceptions.ConnectionError
        for tries_left in (2, 1, 0):
            try:
                await self._connect()
                return
            except refused:
                await self._http.close()
                if not tries_left:
                    raise

    async def _connect(self) -> None:
        self._http = importlib.import_module("aiohttp").ClientSession(headers={"Origin": self.address.rstrip("/")})
        async with self._http.get(self.address) as answer:
            found = _CLIENT.search(await answer.text())
        if found is None:
            raise RuntimeError(f"the page at {self.address} tells no client id; has NiceGUI changed?")
        self._seat, self.lost = found[1], ""
        # With a session, hence a connection of its own, as browsers open one for a websocket: on one that is about to
        # end its answer to a request, uvicorn's keep-alive timer for that request would close the websocket after 5 s.
        options = {"compress": DEFLATE_BITS}
        client = importlib.import_module("socketio").AsyncClient
        self._socket = client(reconnection=False, websocket_extra_options=options)
        self._socket.on("*", self._heard)
        self._socket.on("disconnect", self._gone)
        asks = {"client_id": self._seat, "document_id": uuid4(), "tab_id": uuid4(), "next_message_id": 0}
        query = urlencode({**asks, "implicit_handshake": "true"})
        await self._socket.connect(
            f"{self.address}?{query}", transports=["websocket"], socketio_path="/_nicegui_ws/socket.io",
            headers={"Origin": self.address.rstrip("/")}, wait_timeout=CONNECT_S,
        )  # fmt: skip
        self._beating = [asyncio.create_task(doing()) for doing in (self._beat, self._watch, self._acknowledge)]

    async def close(self) -> None:
        """Leave as a closed tab does."""
        self._leaving = True
        for task in self._beating:
            task.cancel()
        await asyncio.gather(*self._beating, return_exceptions=True)
        if self._socket:
            await self._socket.disconnect()
        if self._http:
            await self._http.close()

    async def _heard(self, kind: str, data: Any = None, *_: Any) -> None:
        self.messages += 1
        if kind == "update":
            await self._begin_scenes(data)
        elif kind == "run_javascript" and '"rotate"' in data["code"]:  # bodies turn, trails and names do not
            self.moves += 1
        self._next = data["_id"] + 1

    async def _gone(self, reason: str) -> None:
        if not self._leaving:
            self.lost = reason

    async def _begin_scenes(self, elements: dict[str, Any]) -> None:
        """A scene is sent nothing before its page says that it draws."""
        for id_, element in elements.items():
            for event in (element or {}).get("events", ()) if id_ != "_id" else ():
                if event["type"] == "init":
                    who = {"id": int(id_), "client_id": self._seat}
                    await self._socket.emit("event", {**who, "listener_id": event["listener_id"], "args": []})

    async def _beat(self) -> None:
        while True:
            async with self._http.post(f"{self.address}alive", data=self._seat):
                pass
            await asyncio.sleep(HEARTBEAT_S)

    async def _watch(self) -> None:
        while True:
            async with self._http.get(f"{self.address}camera.jpg?{time.time()}") as answer:
                await answer.read()
            await asyncio.sleep(PICTURE_S)

    async def _acknowledge(self) -> None:
        while True:
            await asyncio.sleep(ACK_S)
            await self._socket.emit("ack", {"client_id": self._seat, "next_message_id": self._next})


async def gather(address: str, count: int) -> list[Viewer]:
    """So many viewers, connected."""
    viewers = [Viewer(address) for _ in range(count)]
    for viewer in viewers:
        await viewer.open()
    return viewers


def look_on(viewers: Sequence[Viewer], seconds: int) -> list[float]:
    """Let them look for so long: moves of each in an ordinary second, since a robot that stands is sent to nobody."""
    rates: list[list[float]] = []
    for _ in range(seconds):
        before, began_s = [v.moves for v in viewers], time.perf_counter()
        time.sleep(1)
        took_s = time.perf_counter() - began_s
        rates.append([(v.moves - b) / took_s for v, b in zip(viewers, before, strict=True)])
    return [statistics.median(of_one) for of_one in zip(*rates, strict=True)]
