"""Who is let in, and who is turned away before anything behind is touched."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest

from sayso.clock import SimClock
from sayso.console.serve import make_rule
from sayso.errors import UsageError
from sayso.serving.access import BODY_MAX_BYTES, MESSAGE_MAX_BYTES, PAGES_MAX, AccessMiddleware, AccessRule, is_near

HOST = "127.0.0.1:8080"
TOKEN = "a-token-of-some-length"


class Inside:
    """An app that counts who got in, and hears all messages of a websocket."""

    def __init__(self) -> None:
        self.entered = 0
        self.heard: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.entered += 1
        message = await receive()
        while scope["type"] == "websocket" and message["type"] == "websocket.receive":
            self.heard.append(message["text"])
            message = await receive()
        if scope["type"] == "http" and message["type"] != "http.disconnect":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b""})


def ask(
    gate: AccessMiddleware, method: str = "GET", path: str = "/", query: str = "", kind: str = "http",
    who: str = "1.2.3.4",
    said: list[MutableMapping[str, Any]] | None = None, **headers: str,
) -> list[Any]:  # fmt: skip
    """What comes back: (status, headers) of a response, or the code of a closed websocket."""
    sent: list[Any] = []
    words = {"host": HOST, **{k.replace("_", "-"): v for k, v in headers.items()}}
    scope = {
        "type": kind, "method": method, "path": path, "query_string": query.encode(), "client": (who, 5),
        "headers": [(k.encode(), v.encode()) for k, v in words.items()],
    }  # fmt: skip
    messages = iter(said or [{"type": "http.request", "body": b""}, {"type": "websocket.disconnect"}])

    async def receive() -> Any:
        return next(messages)

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    asyncio.run(gate(scope, receive, send))
    return sent


def status(sent: list[Any]) -> int:
    return int(sent[0].get("status") or sent[0].get("code"))


@pytest.mark.parametrize(
    ("method", "headers", "let_in"),
    [
        ("GET", {}, True),
        ("POST", {"origin": f"http://{HOST}"}, True),
        ("POST", {"origin": "http://localhost:8080", "host": "localhost:8080"}, True),
        ("POST", {}, False),
        ("POST", {"origin": "null"}, False),
        ("POST", {"origin": "https://evil.example"}, False),
        ("POST", {"origin": "http://127.0.0.1:9999"}, False),
        ("GET", {"origin": "https://evil.example"}, False),
        ("GET", {"sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors"}, False),
        ("GET", {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "iframe"}, False),
        ("GET", {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}, True),
        ("GET", {"host": "evil.example"}, False),
        ("GET", {"host": ""}, False),
        ("GET", {"host": "[::1]:8080"}, True),
        ("POST", {"origin": f"http://{HOST}", "content_length": str(BODY_MAX_BYTES + 1)}, False),
    ],
)
def test_requests(method: str, headers: dict[str, str], let_in: bool) -> None:
    inside = Inside()
    ask(AccessMiddleware(inside, AccessRule()), method, **headers)
    assert inside.entered == int(let_in)


@pytest.mark.parametrize(
    ("headers", "let_in"),
    [({"origin": f"http://{HOST}"}, True), ({}, False), ({"origin": "https://evil.example"}, False)],
)
def test_websockets(headers: dict[str, str], let_in: bool) -> None:
    inside = Inside()
    ask(AccessMiddleware(inside, AccessRule()), kind="websocket", said=[{"type": "websocket.disconnect"}], **headers)
    assert inside.entered == int(let_in)


def test_nobody_may_frame_the_page() -> None:
    headers = dict(ask(AccessMiddleware(Inside(), AccessRule()))[0]["headers"])
    assert headers[b"x-frame-options"] == b"DENY" and b"frame-ancestors 'none'" in headers[b"content-security-policy"]


def test_a_token_is_asked_for_then_kept_where_scripts_cannot_read_it() -> None:
    inside = Inside()
    gate = AccessMiddleware(inside, AccessRule(token=TOKEN))
    assert status(ask(gate)) == 401 and status(ask(gate, query="token=wrong")) == 401
    assert status(ask(gate, kind="websocket", origin=f"http://{HOST}")) == 1008
    first = ask(gate, query=f"token={TOKEN}&page=2", path="//evil.example/x")
    headers = dict(first[0]["headers"])
    assert status(first) == 303 and headers[b"location"] == b"/evil.example/x?page=2", "never to another host"
    assert b"HttpOnly" in headers[b"set-cookie"] and b"samesite=strict" in headers[b"set-cookie"].lower()
    assert inside.entered == 0
    assert status(ask(gate, cookie=f"sayso_token={TOKEN}")) == 200 and inside.entered == 1


def test_guessing_a_token_is_slow() -> None:
    now_s = 0.0
    gate = AccessMiddleware(Inside(), AccessRule(token=TOKEN), now_s=lambda: now_s)
    tries = [status(ask(gate, query=f"token=guess{n}")) for n in range(8)]
    assert tries == [401] * 5 + [429] * 3
    assert status(ask(gate, query="token=other", who="5.6.7.8")) == 401, "another address has its own patience"
    now_s = 10.0
    assert status(ask(gate, query="token=guess")) == 401


def test_too_many_requests_are_turned_away() -> None:
    gate = AccessMiddleware(Inside(), AccessRule(requests_burst=3), now_s=lambda: 0.0)
    assert [status(ask(gate)) for _ in range(5)] == [200, 200, 200, 429, 429]


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ([{"type": "http.request", "body": b"key"}], ["key"]),
        ([{"type": "http.request", "body": b"ke", "more_body": True}, {"type": "http.request", "body": b"y"}], ["key"]),
        ([{"type": "http.request", "body": b"x" * 100, "more_body": True}, {"type": "http.request"}], ["x" * 100]),
        ([{"type": "http.disconnect"}], [""]),
    ],
)
def test_a_stop_is_heard_at_the_gate(said: list[MutableMapping[str, Any]], heard: list[str]) -> None:
    inside, told = Inside(), list[str]()
    gate = AccessMiddleware(inside, AccessRule(), told.append)
    assert status(ask(gate, "POST", path="/stop", said=said, origin=f"http://{HOST}")) == 204
    assert (told, inside.entered) == (heard, 0), "it waits for nothing behind"


def test_a_stop_from_elsewhere_is_not_heard() -> None:
    told: list[str] = []
    gate = AccessMiddleware(Inside(), AccessRule(token=TOKEN), told.append)
    assert status(ask(gate, "POST", path="/stop", origin="http://evil.example")) == 403
    assert status(ask(gate, "POST", path="/stop", origin=f"http://{HOST}")) == 401
    assert status(ask(gate, "GET", path="/stop", cookie=f"sayso_token={TOKEN}")) == 200
    assert not told


def test_no_flood_of_requests_holds_up_a_stop() -> None:
    gate = AccessMiddleware(Inside(), AccessRule(requests_burst=2, stops_burst=2), now_s=lambda: 0.0)
    assert [status(ask(gate)) for _ in range(3)] == [200, 200, 429]
    for _ in range(5):
        assert status(ask(gate, "POST", path="/stop", origin="http://evil.example")) == 403
    stops = [status(ask(gate, "POST", path="/stop", origin=f"http://{HOST}")) for _ in range(3)]
    assert stops == [200, 200, 429], "a flood of stops is one as well"


@pytest.mark.parametrize(
    "said",
    [
        [{"type": "websocket.receive", "text": "x" * (MESSAGE_MAX_BYTES + 1)}],
        [{"type": "websocket.receive", "text": "x"}] * 20,
    ],
)
def test_a_websocket_that_says_too_much_is_closed(said: list[MutableMapping[str, Any]]) -> None:
    inside = Inside()
    gate = AccessMiddleware(inside, AccessRule(messages_burst=5), now_s=lambda: 0.0)
    sent = ask(gate, kind="websocket", said=said, origin=f"http://{HOST}")
    assert status(sent) == 1008 and len(inside.heard) <= 5


def test_a_body_without_a_length_is_bounded_as_well() -> None:
    inside = Inside()
    piece = {"type": "http.request", "body": b"x" * (BODY_MAX_BYTES + 1), "more_body": True}
    assert ask(AccessMiddleware(inside, AccessRule()), "POST", said=[piece], origin=f"http://{HOST}") == []


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.8.8.8"])
def test_this_machine_needs_no_token(host: str) -> None:
    assert is_near(host) and make_rule(host, "").token == ""


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.4", "::", "robot.lan"])
def test_beyond_it_there_is_always_one(host: str) -> None:
    assert len(make_rule(host, "").token) >= 20
    assert make_rule(host, TOKEN).token == TOKEN
    with pytest.raises(UsageError, match="16 characters"):
        make_rule(host, "short")


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "["},
        {"host": "127.0.0.1:99999999"},
        {"host": "127.0.0.1:x"},
        {"origin": "http://["},
        {"origin": "http://127.0.0.1:-1"},
    ],
)
def test_headers_that_are_no_addresses_are_the_askers_mistake(headers: dict[str, str]) -> None:
    """S18."""
    inside = Inside()
    assert status(ask(AccessMiddleware(inside, AccessRule()), **headers)) == 400 and inside.entered == 0


def test_a_stop_is_heard_between_any_two_of_three_hundred_pages() -> None:
    """S18: pages are drawn one at a time, strangers who do not read hold up nobody, and too many are told so."""
    drawn: list[float] = []
    stops: list[int] = []

    async def draws(scope: Any, receive: Any, send: Any) -> None:
        drawn.append(asyncio.get_running_loop().time())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.Event().wait()

    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": [(b"host", HOST.encode())]}
    stop = {
        **scope,
        "method": "POST",
        "path": "/stop",
        "headers": [*scope["headers"], (b"origin", b"http://" + HOST.encode())],
    }
    told: list[int] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        if "status" in message:
            told.append(message["status"])

    async def receive() -> Any:
        return {"type": "http.request", "body": b"key"}

    async def main() -> None:
        gate = AccessMiddleware(draws, AccessRule(), lambda word: stops.append(len(drawn)))
        asking = [asyncio.ensure_future(gate({**scope, "client": (str(i), 5)}, receive, send)) for i in range(300)]
        for _ in range(5):
            await asyncio.sleep(0.03)
            await gate({**stop, "client": ("ann", 5)}, receive, send)
        await asyncio.sleep(2)
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)

    SimClock().run(main())
    assert len(drawn) == PAGES_MAX and told.count(503) == 300 - PAGES_MAX
    assert stops == sorted(set(stops)), "a page or two between two stops"
