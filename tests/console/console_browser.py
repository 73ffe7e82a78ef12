"""A console in a process of its own, Chromium to look at it with, and a server of doubles for it to ask."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from sayso.models.scripted import Scripted
from sayso.robots.aircraft.suite.double import RescueDouble
from sayso.roles import Model, Prompt

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
FLAGS = ["--no-sandbox", "--disable-3d-apis"]
"""Drawing three dimensions in software would take both cores; what is tested here is not the drawing."""

PATIENCE_MS = 60_000

ASKED, TURN = "l('Should I turn: left or right?');->False", "to;tu(90);la"
HOME_PLAN = "mt('kitchen');sp('I am in the kitchen')"


@contextlib.contextmanager
def serving(home: Path, *options: str, lands: bool = True) -> Iterator[str]:
    """`sayso serve` with these options; its address. Not everything `lands` soon: an aircraft flies home first."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "sayso", "serve", "--port", str(port), *options]
    around = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "NICEGUI"))}
    around["SAYSO_HOME"] = str(home)
    with subprocess.Popen(command, env=around, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout
        address = run.stdout.readline().strip()
        for _ in range(100):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(address, timeout=5).close()
                break
            time.sleep(0.1)
        try:
            yield address
        finally:
            (run.terminate if lands else run.kill)()
            run.wait(60)
    assert not lands or run.returncode in (0, -15), "it ends when it is told to"


def visit(chromium: Any, address: str, **options: Any) -> Any:
    """A page of its own, as a new visitor has it."""
    page = chromium.new_context(**{"viewport": {"width": 1280, "height": 800}, **options}).new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    page.wait_for_selector("#stop[data-running]")
    return page


def say(page: Any, text: str) -> None:
    page.fill("#say", text)
    page.press("#say", "Enter")


def see(page: Any, text: str) -> None:
    page.get_by_text(text).last.wait_for()


# Doubles behind an endpoint

SEARCH = "Search the north field for a woman in a white coat. Confirm what you find, return home and land."
FOUND = '{"find": [{"label": "person", "colour": "white"}], "in": ["north field"]}'


def doubles() -> dict[str, Model]:
    """By the model's name in the request. None of them understands anything."""
    home = Scripted(lambda prompt: "False" if "Question" in prompt.messages[-1][1] else HOME_PLAN)
    asking = Scripted(lambda prompt: TURN if "left" in prompt.messages[-1][1].rpartition("Task:")[2] else ASKED)
    return {"asking": asking, "home": home, "rescue": RescueDouble({SEARCH: FOUND})}


class _Handler(BaseHTTPRequestHandler):
    """OpenAI's chat protocol, as much of it as a console asks for."""

    protocol_version = "HTTP/1.1"
    server: DoubleServer

    def do_GET(self) -> None:
        names = [{"id": name, "object": "model", "created": 1, "owned_by": "test"} for name in self.server.models]
        self._reply("application/json", json.dumps({"object": "list", "data": names}))

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        messages = tuple((m["role"], m["content"]) for m in asked["messages"])
        purpose = "mission" if "Operator:\n" in messages[-1][1] else "plan"
        model, prompt = self.server.models[asked["model"]], Prompt(purpose, messages)
        if asked.get("logprobs"):
            self._reply("application/json", json.dumps(_scored(model, prompt)))
        else:
            answer = asyncio.run(_answer(model, prompt))
            parts = [answer[at : at + 12] for at in range(0, len(answer), 12)]
            events = [*({"content": part} for part in parts), None]
            self._reply("text/event-stream", "".join(map(_event, events)) + "data: [DONE]\n\n")

    def log_message(self, *_: object) -> None:
        pass

    def _reply(self, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


async def _answer(model: Model, prompt: Prompt) -> str:
    return "".join([chunk.text async for chunk in model.stream(prompt)])


def _event(delta: dict[str, str] | None) -> str:
    choice = {"index": 0, "delta": delta or {}, "finish_reason": None if delta else "stop"}
    whole = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(whole)}\n\n"


def _scored(model: Model, prompt: Prompt) -> dict[str, Any]:
    letters = "ABCDEFGHIJKLMN"
    scores = asyncio.run(model.score(prompt, letters))
    top = [{"token": t, "logprob": s, "bytes": None} for t, s in zip(letters, scores, strict=True)]
    choice = {
        "index": 0, "finish_reason": "length", "message": {"role": "assistant", "content": "A"},
        "logprobs": {"content": [{**top[0], "top_logprobs": top}]},
    }  # fmt: skip
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


class DoubleServer(ThreadingHTTPServer):
    """`models` answer by name."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.models = doubles()


@contextlib.contextmanager
def endpoint() -> Iterator[str]:
    """Where the doubles are asked: put #NAME behind it."""
    server = DoubleServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
