"""What the tests with servers that are not ours share: a running server, and how it is asked.

`SAYSO_PEER_PYTHON` names the Python that has the servers, since their many packages need not live beside ours.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from sayso.clock import Clock, WallClock
from sayso.errors import ModelBroke, ModelError
from sayso.models import endpoint
from sayso.models.openai import Patience
from sayso.roles import Prompt, Usage

PYTHON = os.environ.get("SAYSO_PEER_PYTHON", sys.executable)
START_MAX_S = 900.0
"""How long a busy machine may take to import torch."""

PATIENT = Patience(connect_s=60, first_token_s=300, between_tokens_s=60, tail_s=30, retries=1, pause_s=0.01)
"""A machine that is busy with something else is not to fail these tests."""

NODE = "node@22"
CONFORMANCE = "@modelcontextprotocol/conformance@0.1.16"
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"

PROXIES = ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "OPENAI_BASE_URL", "OPENAI_API_KEY")


@dataclass
class Peer:
    """A running server. `spec` is what a person would write after `--model`."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path
    name: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def spec(self) -> str:
        return f"{self.url}#{self.name}"

    def healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=20) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def wait(self) -> None:
        """Until it listens. Raises with its log where it never does."""
        until_s = time.monotonic() + START_MAX_S
        while not self.healthy():
            if self.process.poll() is not None or time.monotonic() > until_s:
                pytest.fail(f"the server did not come up; its log ends:\n{self.log.read_text('utf-8')[-3000:]}")
            time.sleep(1.0)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


@dataclass
class Outcome:
    pieces: list[str] = field(default_factory=list)
    usage: Usage | None = None
    error: ModelError | None = None

    @property
    def text(self) -> str:
        return "".join(self.pieces)


def need(*modules: str) -> None:
    """Skip where the peers' Python lacks one of these."""
    script = "import importlib.util as u, sys; print(*(n for n in sys.argv[1:] if u.find_spec(n) is None))"
    asked = subprocess.run([PYTHON, "-c", script, *modules], check=True, capture_output=True, text=True)
    if missing := asked.stdout.strip():
        pytest.skip(f"{PYTHON} has no {missing.replace(' ', ', ')}: `make peers` runs this with all it needs")


def started(program: Sequence[str], home: Path, name: str, **own: str) -> Peer:
    """A server on a free port, which is its last argument, without a network and without a key."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    inherited = {n: value for n, value in os.environ.items() if n in ("PATH", "LANG", "SYSTEMROOT", "TMPDIR")}
    log = home / "server.log"
    with log.open("wb") as out:
        command = [PYTHON, *program, str(port)]
        process = subprocess.Popen(command, env={**inherited, **own}, stdout=out, stderr=out)
    return Peer(process, port, log, name)


def said(word: str, max_tokens: int = 50) -> Prompt:
    """A prompt that ends in the word with which a chain begins."""
    messages = (("system", "You fly."), ("user", f"please {word}"))
    return Prompt("plan", messages, grammar='root ::= "tc(180);"', max_tokens=max_tokens)


def ask(spec: str, prompt: Prompt, clock: Clock | None = None) -> Outcome:
    clock = clock or WallClock()

    async def main() -> Outcome:
        model = endpoint(spec, PATIENT)
        outcome = Outcome()
        try:
            async for chunk in model.stream(prompt):
                outcome.pieces += [chunk.text] if chunk.text else []
                outcome.usage = chunk.usage or outcome.usage
        except ModelError as error:
            outcome.error = error
        finally:
            await model.close()
        return outcome

    return clock.run(main())


def first_and_leave(peer: Peer, clock: Clock) -> str:
    """The first piece of an answer without end, of which nobody reads the rest."""

    async def main() -> str:
        model = endpoint(peer.spec, PATIENT)
        answer = model.stream(said("count", max_tokens=10_000_000))
        first = (await anext(answer)).text
        await answer.aclose()
        await model.close()
        return first

    return clock.run(main())


def read_and_kill(peer: Peer) -> tuple[str, ModelBroke]:
    """What came of an answer without end until its server died, and how the client told of it."""

    async def main() -> tuple[str, ModelBroke]:
        model = endpoint(peer.spec, patience=PATIENT)
        received = ""
        with pytest.raises(ModelBroke) as caught:
            async for chunk in model.stream(said("count", max_tokens=10_000_000)):
                received += chunk.text
                if peer.process.returncode is None and len(received) >= 6:
                    peer.stop()
        await model.close()
        return received, caught.value

    return asyncio.run(main())


def flown(spec: str, home: Path) -> tuple[dict[str, Any], str]:
    """The result of one mission from the command line, and what the person saw."""
    command = [sys.executable, "-m", "sayso", "run", "--planner", "stream", "--model", spec, "--json"]
    place = {**os.environ, "SAYSO_HOME": str(home)}
    ran = subprocess.run([*command, "show me something"], env=place, capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return json.loads(ran.stdout), ran.stderr
