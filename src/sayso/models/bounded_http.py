"""An HTTP transport that bounds what arrives from a server before anything is kept of it (S17).

A server may send an error page without end, a line of ten million characters or brackets in brackets by the hundred
thousand. The transport counts bytes as they come off the wire, so no reader above it can be made to hold more.
"""

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

COUNTED = "sayso_counted"
ENDS = (b"\ndata: [DONE]", b"\ndata:[DONE]")
"""The last event of a stream; within the text of another no line can begin."""


class ResponseTooLarge(httpx.TransportError):
    """Raised where more arrived than any honest answer holds."""


class BoundedTransport(httpx.AsyncBaseTransport):
    """HTTP whose answers end in `ResponseTooLarge` where a bound is passed. The text of the error is ours alone."""

    def __init__(self) -> None:
        self._inner = httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request.headers["accept-encoding"] = "identity"  # a small body could unpack to a large one
        response = await self._inner.handle_async_request(request)
        assert isinstance(response.stream, httpx.AsyncByteStream)
        most = ERROR_BYTES if response.is_error else ANSWER_BYTES
        counted = _Counted(response.stream, most)
        return httpx.Response(
            response.status_code,
            headers=response.headers,
            stream=counted,
            extensions=response.extensions | {COUNTED: counted},
        )

    async def aclose(self) -> None:
        await self._inner.aclose()


def ended(response: httpx.Response) -> bool:
    """Whether an answer that came through here said itself that it is over: its reader keeps that from us."""
    return bool(response.extensions[COUNTED].ended)


class _Counted(httpx.AsyncByteStream):
    def __init__(self, inner: httpx.AsyncByteStream, most: int) -> None:
        self._inner, self._left = inner, most
        self._late, self.ended = b"\n", False
        self._line = self._depth = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._inner:
            self._left -= len(piece)
            if self._left < 0:
                raise ResponseTooLarge("the answer is longer than any that is read")
            self._measure(piece)
            late = self._late + piece
            self.ended, self._late = self.ended or any(end in late for end in ENDS), late[-len(ENDS[0]) :]
            yield piece

    def _measure(self, piece: bytes) -> None:
        """The longest line so far, and how deep its brackets go; those within strings count too, which is safe."""
        for n, part in enumerate(piece.split(b"\n")):
            if n:
                self._line = self._depth = 0
            self._line += len(part)
            self._depth += part.count(b"[") + part.count(b"{") - part.count(b"]") - part.count(b"}")
            if self._line > LINE_BYTES:
                raise ResponseTooLarge("one line of the answer is longer than any that is read")
            if part.count(b"[") + part.count(b"{") > NESTING and _deepest(part) + self._depth > NESTING:
                raise ResponseTooLarge("the answer is nested deeper than any that is read")

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
