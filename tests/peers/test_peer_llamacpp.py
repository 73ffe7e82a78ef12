"""The endpoint client against llama.cpp's server, which gives log-probabilities and takes grammars.

Left out of `make test`; `make peers` runs it. The model is the chain that `transformers serve` has in the other file,
in this server's format. One server serves the whole file; the test that kills it comes last.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from pathlib import Path

import chain_gguf
import pytest
from chain_model import ENDLESS, LESS, PLAN
from peer_server import PATIENT, Peer, ask, first_and_leave, flown, need, read_and_kill, said, started

from sayso.clock import Clock
from sayso.errors import ModelBroke, ModelUnavailable
from sayso.models import endpoint, listed

pytestmark = pytest.mark.peer

NAME = "chain"
SERVE = Path(__file__).with_name("llamacpp_serve.py")


@pytest.fixture(scope="module")
def peer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peer]:
    need("xllamacpp")
    home = tmp_path_factory.mktemp("llamacpp")
    chain_gguf.save(home / "chain.gguf")
    running = started([str(SERVE), str(home / "chain.gguf"), NAME], home, NAME, OMP_NUM_THREADS="1")
    try:
        running.wait()
        yield running
    finally:
        running.stop()


def guided(peer: Peer) -> str:
    return f"{peer.url}?grammar=grammar#{NAME}"


def test_the_probe_finds_the_model_that_llamacpp_lists(peer: Peer) -> None:
    assert asyncio.run(listed(peer.spec, patience=PATIENT)).endswith("it lists 1 models")


def test_llamacpp_streams_piece_by_piece_with_its_usage(peer: Peer, clock: Clock) -> None:
    outcome = ask(peer.spec, said("turn"), clock)
    assert outcome.error is None
    assert tuple(outcome.pieces) == PLAN
    assert outcome.usage is not None
    assert (outcome.usage.tokens_out, outcome.usage.counter) == (len(PLAN) + 1, "endpoint")


def test_a_letter_that_is_two_bytes_arrives_whole(peer: Peer) -> None:
    assert ask(peer.spec, said("greet")).pieces == ["l('gr", "ü", "n');"]


def test_continuations_are_scored_by_the_servers_log_probabilities(peer: Peer, clock: Clock) -> None:
    """A is one nat likelier than B; C stands among what is next to impossible."""

    async def main() -> list[float]:
        model = endpoint(peer.spec, PATIENT)
        try:
            return await model.score(said("which"), ["A", "B", "C"])
        finally:
            await model.close()

    a, b, c = clock.run(main())
    assert a == pytest.approx(-math.log(1 + math.exp(-LESS["B"])), abs=1e-3)
    assert b == pytest.approx(a - LESS["B"], abs=1e-3)
    assert c < -10


def test_a_grammar_holds_the_model_to_what_it_would_not_say(peer: Peer, clock: Clock) -> None:
    """Left alone this chain counts without end; the grammar of the prompt knows one sentence."""
    assert ask(peer.spec, said("count", max_tokens=6), clock).error
    outcome = ask(guided(peer), said("count"), clock)
    assert outcome.error is None
    assert outcome.text == PLAN[0]


def test_a_grammar_that_is_none_is_told_with_its_field(peer: Peer) -> None:
    prompt = said("turn")
    outcome = ask(guided(peer), type(prompt)("plan", prompt.messages, grammar="root ::= (", max_tokens=9))
    assert isinstance(outcome.error, ModelUnavailable)
    assert "?grammar=grammar" in str(outcome.error)


def test_a_mission_is_flown_within_the_grammar_of_the_skills(peer: Peer, tmp_path: Path) -> None:
    """The whole way: llama.cpp reads the grammar that sayso makes of the robot's skills, and keeps to it."""
    result, told = flown(guided(peer), tmp_path)
    assert (result["outcome"], result["model_calls"]) == ("achieved", 1)
    assert "move_forward(50)" in told


def test_the_token_limit_breaks_the_answer(peer: Peer) -> None:
    outcome = ask(peer.spec, said("count", max_tokens=6))
    assert isinstance(outcome.error, ModelBroke)
    assert "token limit" in str(outcome.error)
    assert outcome.error.received == "".join(ENDLESS[:6])


def test_who_leaves_in_mid_stream_frees_the_only_slot(peer: Peer, clock: Clock) -> None:
    """The server writes one answer at a time: the next would wait for all of the one that nobody reads."""
    assert first_and_leave(peer, clock) == ENDLESS[0]
    assert ask(peer.spec, said("turn"), clock).text == "".join(PLAN)


def test_llamacpp_that_dies_in_mid_stream_breaks_the_answer(peer: Peer) -> None:
    """The last test: nobody serves after it."""
    received, error = read_and_kill(peer)
    assert received.startswith("0;1;2;")
    assert error.received == received
    after = ask(peer.spec, said("turn")).error
    assert isinstance(after, ModelUnavailable)
    assert "is the server running?" in str(after)
