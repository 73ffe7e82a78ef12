"""The endpoint client against a server that we did not write: `transformers serve`, with a model of 26 words.

Left out of `make test`; `make peers` runs it. One server serves the whole file; the test that kills it comes last.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import chain_model
import pytest
from chain_model import ENDLESS, NAME, PLAN
from peer_server import PATIENT, Peer, ask, first_and_leave, flown, need, read_and_kill, said, started

from sayso.clock import Clock
from sayso.errors import ModelBroke, ModelUnavailable
from sayso.models import endpoint, listed
from sayso.roles import Usage

pytestmark = pytest.mark.peer

NEEDED = ("transformers", "torch", "fastapi", "uvicorn", "openai", "accelerate")


@pytest.fixture(scope="module")
def peer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peer]:
    need(*NEEDED)
    home = tmp_path_factory.mktemp("peer")
    chain_model.save_to_cache(home / "hub")
    program = ["-m", "transformers.cli.transformers", "serve", "--device", "cpu", "--host", "127.0.0.1", "--port"]
    own = {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    running = started(program, home, NAME, **own)
    try:
        running.wait()
        yield running
    finally:
        running.stop()


def test_the_probe_finds_the_model_that_the_server_lists(peer: Peer) -> None:
    assert asyncio.run(listed(peer.spec, patience=PATIENT)).endswith("it lists 1 models")
    other = asyncio.run(listed(f"{peer.url}#nobody/knows", patience=PATIENT))
    assert "lists no model 'nobody/knows'" in other and NAME in other


def test_a_plan_arrives_piece_by_piece_with_the_servers_usage(peer: Peer, clock: Clock) -> None:
    outcome = ask(peer.spec, said("turn"), clock)
    assert outcome.error is None
    assert tuple(outcome.pieces) == PLAN
    assert outcome.usage == Usage(4, len(PLAN) + 1, "endpoint"), "four words asked; four pieces and the end mark said"


def test_a_mission_is_flown_by_what_the_server_says(peer: Peer, tmp_path: Path) -> None:
    """The whole way, as a person would type it: a planner's own prompt ends in the word that begins this plan."""
    result, told = flown(peer.spec, tmp_path)
    assert (result["outcome"], result["model_calls"], result["tokens"]) == ("achieved", 1, len(PLAN) + 1)
    assert "move_forward(50)" in told


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
    assert first_and_leave(peer, clock) == ENDLESS[0]
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
    received, error = read_and_kill(peer)
    assert received.startswith("0;1;2;")
    assert error.received == received
    assert "connection broke" in str(error)
    after = ask(peer.spec, said("turn")).error
    assert isinstance(after, ModelUnavailable)
    assert "is the server running?" in str(after)
