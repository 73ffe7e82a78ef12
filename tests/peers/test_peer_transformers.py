"""The endpoint client against a server that we did not write: `transformers serve`, with a model of 26 words.

Left out of `make test`; `make peers` runs it. `SAYSO_PEER_PYTHON` names the Python that has transformers, since its
many packages need not live beside ours. One server serves the whole file; the test that kills it comes last.
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
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import chain_model
import pytest
from chain_model import ENDLESS, NAME, PLAN

from sayso.clock import Clock, SimClock, WallClock
from sayso.errors import ModelBroke, ModelError, ModelUnavailable
from sayso.models import endpoint, probe_endpoint
from sayso.models.openai import Patience
from sayso.parts import Prompt, Usage

pytestmark = pytest.mark.peer

PYTHON = os.environ.get("SAYSO_PEER_PYTHON", sys.executable)
NEEDED = ("transformers", "torch", "fastapi", "uvicorn", "openai", "accelerate")
START_MAX_S = 900.0
"""How long a busy machine may take to import torch."""

PATIENT = Patience(connect_s=60, first_token_s=300, between_tokens_s=60, tail_s=30, retries=1, pause_s=0.01)
"""A machine that is busy with something else is not to fail these tests."""


@dataclass
class Peer:
    """A running server. `spec` is what a person would write after `--model`."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def spec(self) -> str:
        return f"{self.url}#{NAME}"

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


@pytest.fixture(scope="module")
def peer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peer]:
    script = "import importlib.util as u, sys; print(*(n for n in sys.argv[1:] if u.find_spec(n) is None))"
    missing = subprocess.run([PYTHON, "-c", script, *NEEDED], check=True, capture_output=True, text=True).stdout.strip()
    if missing:
        pytest.skip(f"{PYTHON} has no {missing.replace(' ', ', ')}: `make peers` runs this with all it needs")
    home = tmp_path_factory.mktemp("peer")
    chain_model.save_to_cache(home / "hub")
    running = _started(home)
    try:
        running.wait()
        yield running
    finally:
        running.stop()


def _started(home: Path) -> Peer:
    """The server on a free port, without a network and without a key."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    own = {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    inherited = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "SYSTEMROOT", "TMPDIR")}
    log = home / "server.log"
    program = [PYTHON, "-m", "transformers.cli.transformers", "serve"]
    options = ["--device", "cpu", "--host", "127.0.0.1", "--port", str(port)]
    with log.open("wb") as out:
        process = subprocess.Popen([*program, *options], env={**inherited, **own}, stdout=out, stderr=out)
    return Peer(process, port, log)


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(params=["wall", "simulated"])
def clock(request: pytest.FixtureRequest) -> Clock:
    return WallClock() if request.param == "wall" else SimClock()


def said(word: str, max_tokens: int = 50) -> Prompt:
    """A prompt that ends in the word with which a chain begins."""
    messages = (("system", "You fly."), ("user", f"please {word}"))
    return Prompt("plan", messages, grammar='root ::= "tc(180);"', max_tokens=max_tokens)


def ask(spec: str, prompt: Prompt, clock: Clock | None = None) -> Outcome:
    clock = clock or WallClock()

    async def main() -> Outcome:
        model = endpoint(spec, clock, PATIENT)
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


def test_the_probe_finds_the_model_that_the_server_lists(peer: Peer) -> None:
    reached = asyncio.run(probe_endpoint(peer.spec, patience=PATIENT))
    assert reached.answers, reached.text
    assert reached.models == (NAME,)
    other = asyncio.run(probe_endpoint(f"{peer.url}#nobody/knows", patience=PATIENT))
    assert "lists no model 'nobody/knows'" in other.text
    assert NAME in other.text


def test_a_plan_arrives_piece_by_piece_with_the_servers_usage(peer: Peer, clock: Clock) -> None:
    outcome = ask(peer.spec, said("turn"), clock)
    assert outcome.error is None
    assert tuple(outcome.pieces) == PLAN
    assert outcome.usage == Usage(4, len(PLAN) + 1, "endpoint"), "four words asked; four pieces and the end mark said"


def test_a_mission_is_flown_by_what_the_server_says(peer: Peer, tmp_path: Path) -> None:
    """The whole way, as a person would type it: a planner's own prompt ends in the word that begins this plan."""
    command = [sys.executable, "-m", "sayso", "run", "--planner", "stream", "--model", peer.spec, "--json"]
    place = {**os.environ, "SAYSO_HOME": str(tmp_path)}
    ran = subprocess.run([*command, "show me something"], env=place, capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, ran.stderr[-2000:]
    result = json.loads(ran.stdout)
    assert (result["outcome"], result["model_calls"], result["tokens"]) == ("achieved", 1, len(PLAN) + 1)
    assert "move_forward(50)" in ran.stderr


def test_a_letter_that_is_two_tokens_arrives_whole(peer: Peer) -> None:
    assert ask(peer.spec, said("greet")).pieces == ["l('gr", "ü", "n');"]


def test_the_token_limit_reaches_the_server_and_breaks_the_answer(peer: Peer) -> None:
    outcome = ask(peer.spec, said("count", max_tokens=6))
    assert isinstance(outcome.error, ModelBroke)
    assert "token limit" in str(outcome.error)
    assert outcome.error.received == "".join(ENDLESS[:6])


def test_an_answer_without_text_is_no_answer(peer: Peer) -> None:
    outcome = ask(peer.spec, said("hush"))
    assert isinstance(outcome.error, ModelUnavailable)
    assert "empty" in str(outcome.error)


def test_who_leaves_in_mid_stream_stops_the_server(peer: Peer, clock: Clock) -> None:
    """The server has one thread to write with: the next answer would wait for all of the one that nobody reads."""

    async def main() -> str:
        model = endpoint(peer.spec, clock, PATIENT)
        answer = model.stream(said("count", max_tokens=10_000_000))
        first = (await anext(answer)).text
        await answer.aclose()
        await model.close()
        return first

    assert clock.run(main()) == ENDLESS[0]
    assert ask(peer.spec, said("turn"), clock).text == "".join(PLAN)


def test_a_server_without_log_probabilities_says_that_it_cannot_score(peer: Peer) -> None:
    async def main() -> list[float]:
        model = endpoint(peer.spec, patience=PATIENT)
        try:
            return await model.score(said("turn"), ["A", "B"])
        finally:
            await model.close()

    with pytest.raises(ModelUnavailable, match="no log-probabilities") as caught:
        asyncio.run(main())
    assert peer.url in str(caught.value), "the message says which server"


def test_a_server_without_guided_decoding_says_which_field_it_refuses(peer: Peer) -> None:
    outcome = ask(f"{peer.url}?grammar=guided_grammar#{NAME}", said("turn"))
    assert isinstance(outcome.error, ModelUnavailable)
    assert "guided_grammar" in str(outcome.error)
    assert "?grammar=" in str(outcome.error), "the message says what to leave out"


def test_a_fault_within_the_stream_is_told_in_the_servers_words(peer: Peer) -> None:
    """It begins the stream, then finds that it cannot write 0 tokens."""
    outcome = ask(peer.spec, said("turn", max_tokens=0))
    assert isinstance(outcome.error, ModelUnavailable)
    assert "max_new_tokens" in str(outcome.error)


def test_a_model_that_the_server_does_not_have_is_named(peer: Peer) -> None:
    outcome = ask(f"{peer.url}#nobody/knows", said("turn"))
    assert isinstance(outcome.error, ModelUnavailable)
    assert "nobody/knows" in str(outcome.error)
    assert "sayso doctor" in str(outcome.error), "the message says how to find out which models there are"
    assert ask(peer.spec, said("turn")).text == "".join(PLAN), "the server serves on"


def test_an_address_without_its_end_is_told_so(peer: Peer) -> None:
    outcome = ask(f"http://127.0.0.1:{peer.port}#{NAME}", said("turn"))
    assert isinstance(outcome.error, ModelUnavailable)
    assert "/v1" in str(outcome.error)


def test_a_server_that_dies_in_mid_stream_breaks_the_answer_and_is_missed_afterwards(peer: Peer) -> None:
    """The last test: nobody serves after it."""

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

    received, error = asyncio.run(main())
    assert received.startswith("0;1;2;")
    assert error.received == received
    assert "connection broke" in str(error)
    after = ask(peer.spec, said("turn")).error
    assert isinstance(after, ModelUnavailable)
    assert "is the server running?" in str(after)
