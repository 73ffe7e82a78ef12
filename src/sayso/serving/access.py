"""Access control for our servers: an ASGI middleware in front of everything, pages and websockets alike.

A page of another origin, a name that does not belong to this machine (DNS rebinding), a request without the token where
one is set, too much and too often: all are turned away before anything behind is touched.
"""

import asyncio
import hmac
import ipaddress
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import urlencode, urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse

from sayso.clock import Bucket

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Clock: TypeAlias = Callable[[], float]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "sayso_token"
STOP = "/stop"
BODY_MAX_BYTES = 256 * 1024
WORD_MAX_BYTES = 64
MESSAGE_MAX_BYTES = 64 * 1024
STRANGERS = 1000
BREATH_S = 0.02
PAGES_MAX = 20
"""Pages that may be in the making; a person opens one."""

NOTHING, POLICY_VIOLATION = 204, 1008
UNKEPT = {"cache-control": "no-store"}


@dataclass(frozen=True, slots=True)
class AccessRule:
    """An access rule: which hosts, tokens and programs are let in. `hosts` are the names that are answered to; with a
    `token`, only those who know it.

    A browser says which site a request comes from. With `programs`, who says nothing of the kind may change things too.
    """

    hosts: frozenset[str] = frozenset({"localhost", "127.0.0.1", "::1"})
    token: str = ""
    programs: bool = False
    requests_hz: float = 200.0
    requests_burst: float = 2000.0
    stops_hz: float = 20.0
    stops_burst: float = 100.0
    messages_hz: float = 60.0
    messages_burst: float = 300.0
    tries_hz: float = 0.2
    tries_burst: float = 5.0

    def refusal(self, scope: Scope) -> tuple[int, str] | None:
        """The status and reason with which a request is turned away; None lets it in. The token is not asked."""
        host, origin = header(scope, "host"), header(scope, "origin")
        if not (_readable(f"//{host}") and _readable(origin)):
            return 400, "the headers Host and Origin have to be addresses"
        if (name := urlsplit(f"//{host}").hostname or "") not in self.hosts and not ("*" in self.hosts and name):
            return 421, "nothing here answers to that name"
        if origin and urlsplit(origin).netloc.lower() != host.lower():
            return 403, "requests from other sites are not taken"
        if header(scope, "sec-fetch-site") in ("cross-site", "same-site") and not _navigates(scope):
            return 403, "requests from other sites are not taken"
        if not (origin or self.programs) and (scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")):
            return 403, "a request that changes something has to say where it comes from"
        return None

    def knows(self, scope: Scope) -> bool:
        """Whether whoever asks has the token, in the cookie or in the address."""
        if not self.token:
            return True
        given = (HTTPConnection(scope).cookies.get(COOKIE, ""), _query(scope))
        return any(hmac.compare_digest(word.encode(), self.token.encode()) for word in given if word)


class AccessMiddleware:
    """The middleware that enforces an access rule; `stop` is called with the word of every stop at once."""

    def __init__(
        self, app: App, rule: AccessRule, stop: Callable[[str], None] | None = None, now_s: Clock = time.monotonic
    ) -> None:
        self._app, self.rule, self._stop, self._now_s = app, rule, stop, now_s
        self._drawing, self._waiting = asyncio.Lock(), 0
        self._asked: OrderedDict[str, Bucket] = OrderedDict()
        self._stops: OrderedDict[str, Bucket] = OrderedDict()
        self._tried: OrderedDict[str, Bucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        turned_away = self._refusal(scope)
        if turned_away:
            await _refuse(scope, receive, send, *turned_away)
        elif scope["type"] == "websocket":
            await self._app(scope, self._measured(receive, send), send)
        elif self._stop and scope["path"] == STOP and scope["method"] == "POST":
            await self._answer(self._stop, receive, _guarded(send))
        elif self.rule.token and _query(scope):
            await _with_cookie(scope, receive, send, self.rule.token)
        elif scope["path"] == "/":
            await self._draw(scope, receive, send)
        else:
            await self._app(scope, _bounded(receive), _guarded(send))

    async def _draw(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A page. Drawing one takes a moment in which nothing else is heard: strangers who ask for many at once wait in
        line, and between any two of them a stop is heard."""
        if self._waiting >= PAGES_MAX:
            await _refuse(scope, receive, send, 503, "too many pages are being opened at once")
            return
        self._waiting += 1
        drawn = False

        async def hand_out(message: MutableMapping[str, Any]) -> None:
            nonlocal drawn  # who does not read on holds up nobody else
            if not drawn:
                drawn = True
                self._drawing.release()
            await send(message)

        try:
            await self._drawing.acquire()
            await asyncio.sleep(BREATH_S)
            await self._app(scope, _bounded(receive), _guarded(hand_out))
        finally:
            self._waiting -= 1
            if not drawn and self._drawing.locked():
                self._drawing.release()

    async def _answer(self, stop: Callable[[str], None], receive: Receive, send: Send) -> None:
        """Stop here: every layer of the app behind costs a round of the loop, and each may draw a page."""
        word, message = b"", await receive()
        while message.get("more_body") and len(word) <= WORD_MAX_BYTES:
            word += message["body"]
            message = await receive()
        stop((word + (message.get("body") or b"")).decode("ascii", "replace"))
        await asyncio.sleep(0)  # by now the robot has been told; only then is the page answered
        await send({"type": "http.response.start", "status": NOTHING, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        who = (scope.get("client") or ("?", 0))[0]
        rule, now_s = self.rule, self._now_s()
        stops = scope["path"] == STOP
        if not stops and not _bucket(self._asked, who, rule.requests_hz, rule.requests_burst).takes(now_s):
            return 429, "too many requests"
        if refused := rule.refusal(scope):
            return refused
        if not rule.knows(scope):
            if not _bucket(self._tried, who, rule.tries_hz, rule.tries_burst).takes(now_s):
                return 429, "too many wrong tokens"
            return 401, "open the address with the token that was printed when the console was started"
        # Stops have a bucket of their own, which neither a page's other requests nor those of other sites use up.
        if stops and not _bucket(self._stops, who, rule.stops_hz, rule.stops_burst).takes(now_s):
            return 429, "too many requests"
        if int(header(scope, "content-length") or 0) > BODY_MAX_BYTES:
            return 413, "that is too much at once"
        return None

    def _measured(self, receive: Receive, send: Send) -> Receive:
        """A websocket's messages: who sends too many or too large ones is disconnected."""
        rule = self.rule
        bucket = Bucket(rule.messages_hz, rule.messages_burst)

        async def measured() -> MutableMapping[str, Any]:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            size = len(message.get("bytes") or b"") + len((message.get("text") or "").encode())
            if size <= MESSAGE_MAX_BYTES and bucket.takes(self._now_s()):
                return message
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
            return {"type": "websocket.disconnect", "code": POLICY_VIOLATION}

        return measured


def header(scope: Scope, name: str) -> str:
    """A request's header; empty where it has none."""
    return Headers(scope=scope).get(name, "")


def is_near(host: str) -> bool:
    """Whether a host to bind to is this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _bucket(buckets: OrderedDict[str, Bucket], who: str, rate_hz: float, burst: float) -> Bucket:
    """That address's bucket. The one that was used longest ago makes room, so strangers fill no memory."""
    bucket = buckets.pop(who, None) or Bucket(rate_hz, burst)
    buckets[who] = bucket
    if len(buckets) > STRANGERS:
        buckets.popitem(last=False)
    return bucket


def _readable(address: str) -> bool:
    try:
        return urlsplit(address).port != 0
    except ValueError:
        return False


def _navigates(scope: Scope) -> bool:
    """A person who follows a link from elsewhere opens a page; that changes nothing."""
    return (
        scope["type"] == "http"
        and scope["method"] == "GET"
        and header(scope, "sec-fetch-mode") == "navigate"
        and header(scope, "sec-fetch-dest") == "document"
    )


def _query(scope: Scope) -> str:
    return HTTPConnection(scope).query_params.get("token", "")


async def _with_cookie(scope: Scope, receive: Receive, send: Send, token: str) -> None:
    """Put the token where scripts cannot read it, and take it out of the address, which people share."""
    rest = urlencode([(k, v) for k, v in HTTPConnection(scope).query_params.multi_items() if k != "token"])
    path = "/" + scope["path"].lstrip("/")  # two slashes would lead to another host
    answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303, {**UNKEPT, "referrer-policy": "no-referrer"})
    answer.set_cookie(COOKIE, token, httponly=True, samesite="strict")
    await answer(scope, receive, send)


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, reason: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": reason})
        return
    await PlainTextResponse(reason, status, UNKEPT)(scope, receive, send)


GUARDS = [
    (b"x-frame-options", b"DENY"),
    (b"content-security-policy", b"frame-ancestors 'none'; object-src 'none'; base-uri 'none'; form-action 'self'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]
"""Nobody frames the page, so nobody borrows a click on it."""


def _guarded(send: Send) -> Send:
    async def guarded(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *GUARDS]}
        await send(message)

    return guarded


def _bounded(receive: Receive) -> Receive:
    """A body that grows beyond the bound ends as if its sender had gone."""
    size = 0

    async def bounded() -> MutableMapping[str, Any]:
        nonlocal size
        message = await receive()
        size += len(message.get("body") or b"")
        return message if size <= BODY_MAX_BYTES else {"type": "http.disconnect"}

    return bounded
