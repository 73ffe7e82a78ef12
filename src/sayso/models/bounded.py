"""What arrives from a server, bounded before anything is kept of it (S17).

A server may send an error page without end, a line of ten million characters or brackets in brackets by the hundred
thousand. The transport counts bytes as they come off the wire, so no reader above it can be made to hold more.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2 as httpx

ANSWER_BYTES = 4 * 2**20
"""One whole answer, with all that its events carry besides text."""

ERROR_BYTES = 64 * 2**10
"""The body of an answer that is an error."""

LINE_BYTES = 256 * 2**10
"""One event of a stream."""

NESTING = 64
"""Brackets within brackets, in one line."""


class TooMuch(httpx.TransportError):
    """More arrived than any honest answer holds."""


class Bounded(httpx.AsyncBaseTransport):
    """HTTP whose answers end in `TooMuch` where a bound is passed. The text of the error is ours alone."""

    def __init__(self) -> None:
        self._inner = httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request.headers["accept-encoding"] = "identity"  # a small body could unpack to a large one
        response = await self._inner.handle_async_request(request)
        assert isinstance(response.stream, httpx.AsyncByteStream)
        most = ERROR_BYTES if response.is_error else ANSWER_BYTES
        return httpx.Response(
            response.status_code,
            headers=response.headers,
            stream=_Counted(response.stream, most),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Counted(httpx.AsyncByteStream):
    def __init__(self, inner: httpx.AsyncByteStream, most: int) -> None:
        self._inner, self._left = inner, most
        self._line = self._depth = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._inner:
            self._left -= len(piece)
            if self._left < 0:
                raise TooMuch("the answer is longer than any that is read")
            self._measure(piece)
            yield piece

    def _measure(self, piece: bytes) -> None:
        """The longest line so far, and how deep its brackets go; those within strings count too, which is safe."""
        for n, part in enumerate(piece.split(b"\n")):
            if n:
                self._line = self._depth = 0
            self._line += len(part)
            self._depth += part.count(b"[") + part.count(b"{") - part.count(b"]") - part.count(b"}")
            if self._line > LINE_BYTES:
                raise TooMuch("one line of the answer is longer than any that is read")
            if part.count(b"[") + part.count(b"{") > NESTING and _deepest(part) + self._depth > NESTING:
                raise TooMuch("the answer is nested deeper than any that is read")

    async def aclose(self) -> None:
        await self._inner.aclose()


def _deepest(line: bytes) -> int:
    depth = most = 0
    for byte in line:
        if byte in b"[{":
            depth += 1
            most = max(most, depth)
        elif byte in b"]}":
            depth -= 1
    return most
