"""Whatever a model's server does badly, one clear outcome and no key in sight."""

from __future__ import annotations

import re
import socket
from dataclasses import replace

import pytest
from endpoint_asks import PATIENT, QUIET_S, Outcome, ask, listen, shown
from endpoint_server import KEY, PLAN, Server, served

from sayso.clock import Clock
from sayso.errors import ModelBroke, ModelUnavailable
from sayso.models.openai import Endpoint

BROKEN = {
    "cut": ("tc(180);mf(", "connection broke"),
    "unfinished": ("tc(180);mf(", "without a finish reason"),
    "too_long": ("tc(180);mf(50);", "token limit"),
    "error_midway": ("tc(180);", "on fire"),
    "error_in_bare_words": ("tc(180);", "out of memory"),
    "garbage_midway": ("tc(1", "not a chat stream"),
    "stuck": ("tc(180);", "silent for too long"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_an_answer_that_breaks_says_what_had_arrived(server: Server, clock: Clock, case: str) -> None:
    before = len(server.bodies(case))
    outcome = ask(server, case, clock)
    assert isinstance(outcome.error, ModelBroke)
    assert (outcome.text, outcome.error.received) == (BROKEN[case][0], BROKEN[case][0])
    assert BROKEN[case][1] in str(outcome.error)
    assert len(server.bodies(case)) - before == 1, "after text, nothing is retried"
    assert KEY not in shown(outcome.error)


UNAVAILABLE = {
    "broken": (3, "500"),
    "busy_for_an_hour": (1, "429"),
    "no_credit": (1, "no credit"),
    "garbage": (1, "not a chat stream"),
    "wrong_shape": (1, "not a chat stream"),
    "list_content": (1, "not a chat stream"),
    "page": (1, "text/html"),
    "empty": (1, "empty"),
    "nothing": (1, "empty"),
    "silent": (3, "no answer within 0.3 s"),
    "mute": (3, ""),
    "locked": (1, "OPENAI_API_KEY"),
    "missing": (1, "/v1"),
    "too_much": (2, "maximum context length"),
}


@pytest.mark.parametrize("case", UNAVAILABLE)
def test_without_text_the_model_is_unavailable_and_says_why(server: Server, clock: Clock, case: str) -> None:
    requests, words = UNAVAILABLE[case]
    before = len(server.bodies(case))
    outcome = ask(server, case, clock)
    assert isinstance(outcome.error, ModelUnavailable)
    assert outcome.text == ""
    assert words in str(outcome.error)
    assert server.url(case) in str(outcome.error), "the message says which server"
    if case in QUIET_S:  # whoever leaves early may never be heard, so the client's own count is asked
        assert re.search(rf"(silent|no answer within 0.3 s).*\(tried {requests} ×\)", str(outcome.error))
    else:
        assert len(server.bodies(case)) - before == requests
    assert KEY not in shown(outcome.error)
    assert outcome.error.__context__ is None, "no chained error holds the request with its key"


CUT = {
    "endless_error": "longer than any that is read",
    "brackets": "nested deeper than any that is read",
    "long_line": "one line of the answer is longer than any that is read",
    "thinks_for_ever": "silent for too long",
}


@pytest.mark.parametrize("case", CUT)
def test_an_answer_without_end_is_cut(clock: Clock, case: str) -> None:
    """S17: bytes, nesting, the length of a line and the time of one answer are bounded before anything is kept."""
    patient = replace(PATIENT, answer_s=0.5) if case == "thinks_for_ever" else PATIENT
    with served() as server:
        outcome = ask(server, case, clock, replace(patient, retries=0))
        assert isinstance(outcome.error, ModelUnavailable) and len(str(outcome.error)) < 700
        assert CUT[case] in str(outcome.error) and len(server.bodies(case)) == 1
        sent = getattr(server, "sent", 0)
        assert sent < 2**24, "it hung up long before the page was over"


def test_usage_that_cannot_be_is_not_believed(server: Server, clock: Clock) -> None:
    """S17."""
    usage = ask(server, "nonsense_usage", clock).usage
    assert usage is not None and usage.counter != "endpoint" and 0 < usage.tokens_out < 1000


@pytest.mark.parametrize("case", ["busy_once", "cut_once"])
def test_what_fails_before_the_first_text_is_tried_again(clock: Clock, case: str) -> None:
    with served() as server:
        outcome = ask(server, case, clock)
        assert outcome.error is None
        assert outcome.text == "".join(PLAN)
        assert len(server.bodies(case)) == 2


def test_what_the_server_said_first_is_told_when_it_hangs_up_afterwards(clock: Clock) -> None:
    with served() as server:
        error = ask(server, "fault_then_gone", clock).error
    assert isinstance(error, ModelUnavailable)
    assert "not that model" in str(error)
    assert "no connection" in str(error)
    assert str(error).count("is the server running?") == 1, "the same reason is told once"


def test_nobody_listens(clock: Clock) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, not listening: refused
        port = taken.getsockname()[1]

        async def main() -> Outcome:
            model = Endpoint("m", f"http://127.0.0.1:{port}/v1", patience=PATIENT)
            outcome = await listen(model)
            await model.close()
            return outcome

        error = clock.run(main()).error
    assert isinstance(error, ModelUnavailable)
    assert "is the server running?" in str(error)
    assert "tried 3" in str(error)
