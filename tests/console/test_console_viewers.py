"""The bench's viewer against a double of the console: what it does must be what a browser does."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field

import pytest
from aiohttp import web

from console_viewers import Viewer

SEAT = "0b9e1a2c-3f54-4d61-9d7a-5c8f1e2d3b4a"
OPEN = '0{"sid":"a","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}'
MOVE = '42["run_javascript",{"code":"runMethod(7, \\"run_methods\\", [[\\"rotate\\", \\"ab\\", []]])","_id":4}]'
TRAIL = '42["run_javascript",{"code":"runMethod(7, \\"run_methods\\", [[\\"delete\\", \\"cd\\"]])","_id":5}]'


@dataclass
class Stage:
    """A console that answers as NiceGUI's pages do; it notes from where it is spoken to, and what it is told."""

    asked_from: dict[str, tuple[str, int]] = field(default_factory=dict)
    offered: str = ""
    heard: list[str] = field(default_factory=list)
    close: asyncio.Event = field(default_factory=asyncio.Event)

    async def page(self, request: web.Request) -> web.Response:
        self._note("page", request)
        return web.Response(text=f"query: {{'client_id': '{SEAT}'}}", content_type="text/html")

    async def small(self, request: web.Request) -> web.Response:
        await request.read()
        return web.Response(status=204)

    async def socket(self, request: web.Request) -> web.WebSocketResponse:
        self._note("socket", request)
        self.offered = request.headers.get("Sec-WebSocket-Extensions", "")
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str(OPEN)
        self.heard.append(await socket.receive_str())
        await socket.send_str('40{"sid":"b"}')
        await socket.send_str(MOVE)
        await socket.send_str(TRAIL)
        self.heard.append(await socket.receive_str())
        await self.close.wait()
        await socket.close()
        return socket

    def _note(self, what: str, request: web.Request) -> None:
        assert request.transport
        self.asked_from[what] = request.transport.get_extra_info("peername")


async def _attended(stage: Stage) -> Viewer:
    """A viewer that comes, is sent a move, is left by the console, and goes."""
    app = web.Application()
    app.router.add_get("/", stage.page)
    app.router.add_post("/alive", stage.small)
    app.router.add_get("/camera.jpg", stage.small)
    app.router.add_get("/_nicegui_ws/socket.io/", stage.socket)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    viewer = Viewer(f"http://127.0.0.1:{runner.addresses[0][1]}/")
    try:
        async with asyncio.timeout(300):
            await viewer.open()
            while len(stage.heard) < 2:
                await asyncio.sleep(0.01)
            assert not viewer.lost
            stage.close.set()
            while not viewer.lost:
                await asyncio.sleep(0.01)
            await viewer.close()
    finally:
        await runner.cleanup()
    return viewer


def test_a_viewer_does_as_a_browser_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console_viewers.ACK_S", 0.05)
    stage = Stage()
    viewer = asyncio.run(_attended(stage))
    assert stage.asked_from["page"] != stage.asked_from["socket"], "a websocket is a connection of its own"
    assert "permessage-deflate" in stage.offered
    assert (viewer.moves, viewer.messages) == (1, 2)
    kind, acknowledged = json.loads(stage.heard[1].removeprefix("42"))
    assert (kind, acknowledged) == ("ack", {"client_id": SEAT, "next_message_id": 6})
