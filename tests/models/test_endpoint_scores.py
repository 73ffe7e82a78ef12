"""Choices that an endpoint scores by the log-probabilities of their first token."""

from __future__ import annotations

import pytest
from endpoint_asks import score, shown
from endpoint_server import KEY, Server

from sayso.clock import Clock, WallClock
from sayso.errors import ModelUnavailable


def test_lettered_choices_are_scored_by_their_first_token(server: Server, clock: Clock) -> None:
    a, b, c = score(server, "choices", clock, ["A", "B", "C"])
    assert b == -0.3
    assert a == pytest.approx(-1.513, abs=0.001), "'A' and ' A' are the same choice"
    assert c == -5.0, "no likelier than the least of those told"
    body = server.bodies("choices")[-1]
    assert (body["logprobs"], body["top_logprobs"], body["max_tokens"]) == (True, 5, 1)
    assert "stream_options" not in body


def test_choices_that_begin_alike_cannot_be_told_apart(server: Server) -> None:
    with pytest.raises(ModelUnavailable, match="let letters stand"):
        score(server, "choices", WallClock(), ["Ball", "Box"])


@pytest.mark.parametrize("case", ["no_logprobs", "page", "good"])
def test_a_server_without_log_probabilities_says_that_it_cannot_score(server: Server, clock: Clock, case: str) -> None:
    with pytest.raises(ModelUnavailable, match="no log-probabilities") as caught:
        score(server, case, clock, ["A", "B"])
    assert server.url(case) in str(caught.value), "the message says which server"


@pytest.mark.parametrize(("case", "words"), [("locked", "OPENAI_API_KEY"), ("silent", "no answer within")])
def test_scoring_fails_as_clearly_as_streaming(server: Server, clock: Clock, case: str, words: str) -> None:
    with pytest.raises(ModelUnavailable, match=words) as caught:
        score(server, case, clock, ["A"])
    assert KEY not in shown(caught.value)
