"""An HTTP server of our own that speaks OpenAI's chat protocol well, badly, or not at all.

The first part of the path picks a case: `http://127.0.0.1:PORT/CASE/v1`. Each case is one method of `_Cases`. The
server runs in threads, outside any event loop, as a real one would.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-our-secret-0123456789abcdef"


def event(text: str | None = None, finish: str | None = None, **delta: Any) -> bytes:
    """One event of a chat stream."""
    choice = {"index": 0, "delta": {**delta, **({} if text is None else {"content": text})}, "finish_reason": finish}
    return data({"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]})


def data(value: Any) -> bytes:
    return f"data: {json.dumps(value)}\n\n".encode()


USAGE = data({"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}})
DONE = b"data: [DONE]\n\n"
PLAN = ("tc(180);", "mf(", "50", ");")


class Handler(BaseHTTPRequestHandler):
    """Dispatches to a case and keeps what was asked."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        self.asked = json.loads(self.rfile.read(length) or b"{}")
        case = self.path.split("/")[1]
        with self.server.lock:
            self.server.requests.append((case, self.asked, {k.lower(): v for k, v in self.headers.items()}))
            self.nth = sum(1 for c, *_ in self.server.requests if c == case)
        try:
            getattr(_Cases, case)(self)
        except (BrokenPipeError, ConnectionResetError):
            self.server.left.set()
            self.close_connection = True

    def do_GET(self) -> None:
        self.do_POST()

    def log_message(self, *_: object) -> None:
        pass

    def reply(self, status: int, body: bytes, kind: str = "application/json", **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def error(self, status: int, message: str, **headers: str) -> None:
        self.reply(status, json.dumps({"error": {"message": message, "type": "t"}}).encode(), **headers)

    def begin(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def send(self, *parts: bytes) -> None:
        for part in parts:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            self.wfile.flush()

    def end(self) -> None:
        self.wfile.write(b"0\r\n\r\n")

    def stream(self, *parts: bytes) -> None:
        self.begin()
        self.send(*parts)
        self.end()

    def hold(self) -> None:
        """Say nothing until the test is over."""
        self.server.over.wait(20)
        self.close_connection = True


class _Cases:
    """What a server may do. Every method is one server."""

    def good(h: Handler) -> None:  # noqa: N805
        if h.path.endswith("/models"):
            return h.reply(200, json.dumps({"object": "list", "data": [{"id": "small"}, {"id": "large"}]}).encode())
        return h.stream(event("", role="assistant"), *map(event, PLAN), event(finish="stop"), USAGE, DONE)

    def told(h: Handler) -> None:  # noqa: N805
        """What the test wants to be sent for what is asked."""
        h.begin()
        for part in h.server.sends(h.asked):
            h.send(part)
        h.end()

    def shredded(h: Handler) -> None:  # noqa: N805
        """TCP chunks that respect neither lines nor characters."""
        whole = b"".join([*map(event, ("l('gr", "ün');")), event(finish="stop"), USAGE, DONE])
        whole = whole.replace(b"\\u00fc", "ü".encode())
        h.stream(*(whole[i : i + 3] for i in range(0, len(whole), 3)))

    def slow(h: Handler) -> None:  # noqa: N805
        h.begin()
        for text in PLAN:
            time.sleep(0.06)
            h.send(event(text))
        h.send(event(finish="stop"), DONE)
        h.end()

    def waits_for_the_world(h: Handler) -> None:  # noqa: N805
        """The answer comes when the test has set `go`; without that, the connection breaks in the end."""
        h.begin()
        if h.server.go.wait(300):
            h.send(*map(event, PLAN), event(finish="stop"), USAGE, DONE)
            h.end()
        h.close_connection = True

    def cut(h: Handler) -> None:  # noqa: N805
        h.begin()
        h.send(*map(event, PLAN[:2]))
        h.close_connection = True  # without the last chunk: the connection breaks

    def unfinished(h: Handler) -> None:  # noqa: N805
        h.stream(*map(event, PLAN[:2]))

    def too_long(h: Handler) -> None:  # noqa: N805
        h.stream(*map(event, PLAN), event(finish="length"), DONE)

    def error_midway(h: Handler) -> None:  # noqa: N805
        h.stream(event("tc(180);"), data({"error": {"message": f"the GPU is on fire, {KEY}"}}))

    def error_in_bare_words(h: Handler) -> None:  # noqa: N805
        """As transformers serve reports a fault of the model: words where others have an object."""
        h.stream(event("tc(180);"), data({"error": f"out of memory, {KEY}"}))

    def busy_once(h: Handler) -> None:  # noqa: N805
        if h.nth == 1:
            return h.error(429, "slow down", Retry_After="0.05")
        return _Cases.good(h)

    def busy_for_an_hour(h: Handler) -> None:  # noqa: N805
        h.error(429, "slow down", Retry_After="3600")

    def no_credit(h: Handler) -> None:  # noqa: N805
        body = {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}
        h.reply(429, json.dumps(body).encode())

    def broken(h: Handler) -> None:  # noqa: N805
        h.reply(500, b"<html>Internal Server Error</html>", "text/html")

    def fault_then_gone(h: Handler) -> None:  # noqa: N805
        """As uvicorn does after an exception: a word about the first request, and it hangs up on the others."""
        if h.nth == 1:
            return h.error(500, "not that model")
        h.close_connection = True
        return None

    def cut_once(h: Handler) -> None:  # noqa: N805
        if h.nth > 1:
            return _Cases.good(h)
        h.begin()
        h.close_connection = True
        return None

    def garbage(h: Handler) -> None:  # noqa: N805
        h.stream(b"data: \xff\xfe{not json\n\n")

    def garbage_midway(h: Handler) -> None:  # noqa: N805
        h.stream(event("tc(1"), b"data: {]\n\n")

    def wrong_shape(h: Handler) -> None:  # noqa: N805
        h.stream(data({"choices": "none"}))

    def list_content(h: Handler) -> None:  # noqa: N805
        h.stream(data({"choices": [{"delta": {"content": [7]}}]}))

    def page(h: Handler) -> None:  # noqa: N805
        h.reply(200, b"<html><h1>Welcome to the router</h1></html>", "text/html")

    def empty(h: Handler) -> None:  # noqa: N805
        h.stream(event("", role="assistant"), event(finish="stop"), DONE)

    def nothing(h: Handler) -> None:  # noqa: N805
        h.stream()

    def plain(h: Handler) -> None:  # noqa: N805
        """An old server that knows neither stream_options nor usage."""
        if "stream_options" in h.asked:
            return h.error(400, "Unrecognized request argument supplied")
        return h.stream(*map(event, PLAN), event(finish="stop"), DONE)

    def unguided(h: Handler) -> None:  # noqa: N805
        """As transformers serve answers a field that it does not know."""
        if "guided_grammar" in h.asked:
            body = {"detail": "Unexpected fields in the request: {'guided_grammar'}"}
            return h.reply(422, json.dumps(body).encode())
        return _Cases.good(h)

    def modern(h: Handler) -> None:  # noqa: N805
        """A reasoning model: other names, no temperature, thoughts before words."""
        if "max_tokens" in h.asked:
            return h.error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        if "temperature" in h.asked:
            return h.error(400, "Unsupported value: 'temperature' does not support 0 with this model.")
        h.begin()
        for _ in range(3):
            time.sleep(0.75)
            h.send(event(reasoning_content="hmm"))
        h.send(*map(event, PLAN), event(finish="stop"), USAGE, DONE)
        return h.end()

    def endless_error(h: Handler) -> None:  # noqa: N805
        """An error page that never ends. `sent` is looked at by the test."""
        h.send_response(400)
        h.send_header("Content-Type", "application/json")
        h.send_header("Transfer-Encoding", "chunked")
        h.end_headers()
        with suppress(OSError):
            for _ in range(2_000):
                h.send(b"x" * 2**16)
                h.server.sent = getattr(h.server, "sent", 0) + 2**16
        h.close_connection = True

    def brackets(h: Handler) -> None:  # noqa: N805
        with suppress(OSError):
            h.stream(b"data: " + b"[" * 200_000 + b"]" * 200_000 + b"\n\n", DONE)
        h.close_connection = True

    def long_line(h: Handler) -> None:  # noqa: N805
        h.begin()
        with suppress(OSError):
            for _ in range(200):
                h.send(b"x" * 2**16)
        h.close_connection = True

    def thinks_for_ever(h: Handler) -> None:  # noqa: N805
        h.begin()
        with suppress(OSError):
            for _ in range(500):
                h.send(event(reasoning_content="hmm"))
                time.sleep(0.02)
        h.close_connection = True

    def nonsense_usage(h: Handler) -> None:  # noqa: N805
        usage = data({"choices": [], "usage": {"prompt_tokens": -5, "completion_tokens": 10**12, "total_tokens": 0}})
        h.stream(*map(event, PLAN), event(finish="stop"), usage, DONE)

    def too_much(h: Handler) -> None:  # noqa: N805
        h.error(400, "This model's maximum context length is 4096 tokens")

    def silent(h: Handler) -> None:  # noqa: N805
        h.hold()

    def mute(h: Handler) -> None:  # noqa: N805
        """A stream that pings but never speaks."""
        h.begin()
        while not h.server.over.wait(0.05):
            h.send(b": ping\n\n", event(""))

    def stuck(h: Handler) -> None:  # noqa: N805
        h.begin()
        h.send(event("tc(180);"))
        h.hold()

    def lingering(h: Handler) -> None:  # noqa: N805
        """Finished, but it neither says [DONE] nor hangs up."""
        h.begin()
        h.send(*map(event, PLAN), event(finish="stop"))
        h.hold()

    def endless(h: Handler) -> None:  # noqa: N805
        h.begin()
        while not h.server.over.is_set():
            h.send(event("tc(1);"))

    def locked(h: Handler) -> None:  # noqa: N805
        h.error(401, f"Incorrect API key provided: {h.headers.get('Authorization', '')}")

    def missing(h: Handler) -> None:  # noqa: N805
        h.error(404, "The model does not exist")

    def choices(h: Handler) -> None:  # noqa: N805
        """Gives the log-probabilities of the first token, five at most."""
        if h.asked.get("top_logprobs", 0) > 5:
            return h.error(400, "top_logprobs must be at most 5")
        top = [{"token": t, "logprob": p} for t, p in (("B", -0.3), (" A", -1.6), ("A", -4.0), ("The", -5.0))]
        return h.reply(200, _completion({"content": [{**top[0], "top_logprobs": top}]}))

    def no_logprobs(h: Handler) -> None:  # noqa: N805
        h.reply(200, _completion(None))


def _completion(logprobs: Any) -> bytes:
    message = {"role": "assistant", "content": "B"}
    choice = {"index": 0, "message": message, "finish_reason": "length", "logprobs": logprobs}
    return json.dumps(
        {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    ).encode()


class Server(ThreadingHTTPServer):
    """`requests` are (case, body, headers); `left` is set when a client hung up on a case that was still sending, `go`
    by a test whose case waits for it; `sends` is what the case `told` sends for a body."""

    daemon_threads = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[tuple[str, dict[str, Any], dict[str, str]]] = []
        self.sends: Callable[[dict[str, Any]], Iterable[bytes]] = lambda asked: ()
        self.lock = threading.Lock()
        self.over, self.left, self.go = threading.Event(), threading.Event(), threading.Event()

    def url(self, case: str) -> str:
        return f"http://127.0.0.1:{self.server_port}/{case}/v1"

    def bodies(self, case: str) -> list[dict[str, Any]]:
        """What was asked of a case; a client that leaves early may never be read."""
        return [body for c, body, _ in self.requests if c == case]


@contextmanager
def served() -> Iterator[Server]:
    """A running server, with every thread and socket of it gone afterwards."""
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
