"""The endpoint client against a real server: whatever the server does, one clear outcome and no key in sight."""

from __future__ import annotations

import asyncio
import base64
import gc
import logging
import socket
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from endpoint_server import KEY, PLAN, Server, served

from sayso.clock import Clock, SimClock, WallClock
from sayso.errors import ModelBroke, ModelError, ModelUnavailable, UsageError
from sayso.models import endpoint, known, listed, make
from sayso.models.openai import Endpoint, Patience
from sayso.roles import Model, Prompt, Usage

PROMPT = Prompt("plan", (("system", "You fly."), ("user", "turn around")), grammar="root ::= call", max_tokens=99)
PATIENT = Patience(connect_s=60, first_token_s=60, between_tokens_s=60, tail_s=60, answer_s=60, retries=2, pause_s=0.01)
QUIET_S = {"silent": 0.3, "mute": 0.3, "modern": 0.8}
"""Servers that say no word for a while, on purpose, and how long the client waits for it; others are given time."""


@dataclass
class Outcome:
    """What came of one call."""

    text: str = ""
    usage: Usage | None = None
    error: ModelError | None = None
    took_s: float = 0.0
    chunks: int = 0


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served() as running:
        yield running


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(params=["wall", "simulated"])
def clock(request: pytest.FixtureRequest) -> Clock:
    return WallClock() if request.param == "wall" else SimClock()


async def listen(model: Model) -> Outcome:
    outcome = Outcome()
    began_s = asyncio.get_running_loop().time()
    try:
        async for chunk in model.stream(PROMPT):
            outcome.text += chunk.text
            outcome.chunks += bool(chunk.text)
            outcome.usage = chunk.usage or outcome.usage
    except ModelError as error:
        outcome.error = error
    outcome.took_s = asyncio.get_running_loop().time() - began_s
    return outcome


def patience(case: str) -> Patience:
    short = replace(PATIENT, first_token_s=QUIET_S.get(case, PATIENT.first_token_s))
    return replace(short, between_tokens_s=0.3, tail_s=0.1) if case in ("stuck", "lingering") else short


def ask(server: Server, case: str, clock: Clock, bounds: Patience | None = None, **options: Any) -> Outcome:
    async def main() -> Outcome:
        model = Endpoint("m", server.url(case), KEY, patience=bounds or patience(case), **options)
        try:
            return await listen(model)
        finally:
            await model.close()

    return clock.run(main())


def shown(error: BaseException) -> str:
    """Everything that a log or a terminal could show of an error."""
    return repr(error) + str(error) + "".join(traceback.format_exception(error)) + repr(vars(error))


def test_a_good_answer_streams_and_carries_the_endpoints_usage(server: Server, clock: Clock) -> None:
    outcome = ask(server, "good", clock)
    assert outcome.error is None
    assert outcome.text == "".join(PLAN)
    assert outcome.chunks == len(PLAN)
    assert outcome.usage == Usage(11, 7, "endpoint")
    body = server.bodies("good")[-1]
    assert body["messages"][0] == {"role": "system", "content": "You fly."}
    assert body["max_tokens"] == 99
    assert body["temperature"] == 0
    assert "grammar" not in body


def test_any_split_of_the_bytes_gives_the_same_text(server: Server, clock: Clock) -> None:
    assert ask(server, "shredded", clock).text == "l('grün');"


def test_a_slow_answer_is_charged_to_the_clock(server: Server, clock: Clock) -> None:
    outcome = ask(server, "slow", clock)
    assert outcome.text == "".join(PLAN)
    assert outcome.took_s >= 4 * 0.06


def test_usage_that_the_server_does_not_tell_is_counted_here(server: Server, clock: Clock) -> None:
    outcome = ask(server, "slow", clock)
    assert outcome.usage is not None
    assert outcome.usage.counter != "endpoint"
    assert outcome.usage.tokens_out > 0


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
    "mute": (3, "silent"),
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
    assert len(server.bodies(case, due=before + requests)) - before == requests
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


def test_parameters_that_a_server_refuses_are_left_out_and_stay_out(server: Server, clock: Clock) -> None:
    async def main() -> list[Outcome]:
        model = Endpoint("m", server.url("plain"), KEY, patience=PATIENT)
        outcomes = [await listen(model), await listen(model)]
        await model.close()
        return outcomes

    before = len(server.bodies("plain"))
    assert [o.text for o in clock.run(main())] == ["".join(PLAN)] * 2
    assert ["stream_options" in b for b in server.bodies("plain")[before:]] == [True, False, False]


def test_a_reasoning_model_gets_its_own_names_and_time_to_think(server: Server, clock: Clock) -> None:
    outcome = ask(server, "modern", clock)
    assert outcome.error is None
    assert outcome.text == "".join(PLAN)
    assert outcome.took_s > QUIET_S["modern"], "longer than the patience for a first word"
    body = server.bodies("modern")[-1]
    assert body["max_completion_tokens"] == 99
    assert "temperature" not in body


def test_a_finished_answer_does_not_wait_for_a_server_that_lingers(server: Server, clock: Clock) -> None:
    outcome = ask(server, "lingering", clock)
    assert (outcome.text, outcome.error) == ("".join(PLAN), None)


def test_a_reader_who_takes_his_time_is_not_taken_for_a_silent_server(server: Server) -> None:
    async def main() -> str:
        model = Endpoint("m", server.url("good"), KEY, patience=PATIENT)
        text = ""
        async for chunk in model.stream(PROMPT):
            text += chunk.text
            await asyncio.sleep(90)  # virtual: the robot flies, longer than an answer may take
        await model.close()
        return text

    clock = SimClock()
    assert clock.run(main()) == "".join(PLAN)
    assert clock.now_s() > 4 * 90


def test_closing_the_answer_early_ends_the_request(clock: Clock) -> None:
    async def main() -> str:
        model = Endpoint("m", server.url("endless"), KEY, patience=PATIENT)
        answer = model.stream(PROMPT)
        first = await anext(answer)
        await answer.aclose()
        with clock.real():
            await asyncio.to_thread(server.left.wait, 60)
        await model.close()
        return first.text

    with served() as server:
        assert clock.run(main()) == "tc(1);"
        assert server.left.is_set(), "the server notices that nobody reads"
    gc.collect()


def test_cancelling_while_waiting_leaves_nothing_behind(server: Server, clock: Clock) -> None:
    async def main() -> None:
        model = Endpoint("m", server.url("silent"), KEY)
        waiting = asyncio.ensure_future(listen(model))
        with clock.real():
            await asyncio.sleep(0.1)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await model.close()

    clock.run(main())
    gc.collect()


def test_other_tasks_live_on_while_the_model_is_awaited(clock: Clock) -> None:
    async def world() -> None:
        for _ in range(10):
            await asyncio.sleep(0.01)
        server.go.set()

    async def main() -> Outcome:
        stepping = asyncio.ensure_future(world())
        model = Endpoint("m", server.url("waits_for_the_world"), KEY, patience=PATIENT)
        outcome = await listen(model)
        await model.close()
        await stepping
        return outcome

    with served() as server:
        assert clock.run(main()).text == "".join(PLAN)


@pytest.mark.parametrize("field", ["guided_grammar", "structured_outputs.grammar"])
def test_a_grammar_goes_where_the_server_takes_it(server: Server, field: str) -> None:
    ask(server, "good", WallClock(), grammar_field=field)
    body = server.bodies("good")[-1]
    for part in field.split("."):
        body = body[part]
    assert body == "root ::= call"


def test_a_server_that_takes_no_grammar_says_so_at_once(server: Server, clock: Clock) -> None:
    before = len(server.bodies("unguided"))
    error = ask(server, "unguided", clock, grammar_field="guided_grammar").error
    assert isinstance(error, ModelUnavailable)
    assert "Unexpected fields" in str(error), "the server's own words"
    assert "?grammar=guided_grammar" in str(error), "and what to leave out"
    assert len(server.bodies("unguided")) - before == 1, "nothing else is conceded for it"
    assert ask(server, "unguided", clock).text == "".join(PLAN)


def score(server: Server, case: str, clock: Clock, choices: list[str]) -> list[float]:
    async def main() -> list[float]:
        model = Endpoint("m", server.url(case), KEY, patience=patience(case))
        try:
            return await model.score(PROMPT, choices)
        finally:
            await model.close()

    return clock.run(main())


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


# Keys


def test_no_key_in_log_or_repr(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        for case in ("good", "locked", "broken", "error_midway"):
            ask(server, case, WallClock())
    assert caplog.records, "the client does log; the point is what"
    assert KEY not in caplog.text
    assert KEY not in repr(Endpoint("m", server.url("good"), KEY))
    assert server.requests[-1][2]["authorization"] == f"Bearer {KEY}", "though it was sent"


def test_the_key_comes_from_the_environment_without_its_line_end(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY + "\n")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url("locked"))

    async def main() -> Outcome:
        model = make("openai:m")
        outcome = await listen(model)
        await model.close()  # type: ignore[attr-defined]
        return outcome

    error = asyncio.run(main()).error
    assert "***" in str(error), "the server quotes the key; the message does not"
    assert KEY not in shown(error)


@pytest.mark.parametrize("key", ["sk-\x00secret", "sk-gehei\u00df", "sk-a\nb"])
def test_a_key_that_no_header_takes_is_refused_unseen(key: str) -> None:
    with pytest.raises(UsageError) as caught:
        Endpoint("m", "http://localhost/v1", key)
    assert key not in shown(caught.value)


def test_a_key_never_travels_openly_to_a_far_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert endpoint("http://example.com/v1#m")._key == ""
    for near in ("http://localhost:1/v1#m", "http://10.0.0.7/v1#m", "http://gpu-box/v1#m", "https://example.com/v1#m"):
        assert endpoint(near)._key == KEY


@pytest.mark.parametrize("url", ["http://me:hunter2@host/v1#m", "http://hunter2@host/v1"])
def test_a_password_in_an_address_is_refused_unseen(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        make(url)
    assert "hunter2" not in shown(caught.value)


# What a person can type


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("gpt-4", "there are pocket"),
        ("openai:", "name a model"),
        ("openai:gpt-4", "OPENAI_API_KEY"),
        ("http://localhost:1/v1", "after a #"),
        ("http:///v1#m", "looks like"),
        ("http://localhost:1/v1?guided=1#m", "grammar=FIELD"),
        ("scripted:", "there are pocket"),
        ("scripted:/no/such/file", "cannot read"),
        ("modelled:nothing", "there are pocket"),
    ],
)
def test_what_cannot_be_read_is_explained(spec: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        make(spec)


def test_every_known_form_is_explained_and_says_whether_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "set OPENAI_API_KEY" in dict(known())["openai:NAME"]
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert "not ready" not in dict(known())["openai:NAME"]
    assert KEY not in repr(known())


def test_an_address_names_host_model_and_grammar_field() -> None:
    model = make("http://localhost:8000/v1/?grammar=guided_grammar#org/name:7b")
    assert isinstance(model, Endpoint)
    assert (model.name, model.base_url) == ("org/name:7b", "http://localhost:8000/v1")
    assert model._grammar_field == "guided_grammar"


@pytest.mark.parametrize(
    ("case", "name", "answers", "words"),
    [
        ("good", "#small", True, "lists 2 models"),
        ("good", "", True, "lists 2 models"),
        ("good", "#other", True, "no model 'other'; it lists large, small"),
        ("page", "#m", False, "complete"),
        ("locked", "#m", False, "OPENAI_API_KEY"),
        ("silent", "#m", False, "in time"),
    ],
)
def test_the_doctor_asks_an_endpoint(
    server: Server, clock: Clock, case: str, name: str, answers: bool, words: str
) -> None:
    asked = listed(server.url(case) + name, Patience(connect_s=0.1 if case == "silent" else 20.0))
    if answers:
        assert words in clock.run(asked)
    else:
        with pytest.raises(ModelUnavailable, match=words):
            clock.run(asked)


def test_a_model_outlives_its_loop(server: Server) -> None:
    model = Endpoint("m", server.url("good"), KEY, patience=PATIENT)

    async def once() -> str:
        outcome = await listen(model)
        await model.close()
        return outcome.text

    assert [asyncio.run(once()) for _ in range(2)] == ["".join(PLAN)] * 2


def test_a_picture_goes_as_data_with_the_last_message(server: Server) -> None:
    async def main() -> str:
        model = Endpoint("m", server.url("good"), KEY, patience=PATIENT)
        try:
            return "".join([chunk.text async for chunk in model.stream(replace(PROMPT, picture=b"\xff\xd8jpeg"))])
        finally:
            await model.close()

    assert WallClock().run(main()) == "".join(PLAN)
    system, user = server.bodies("good")[-1]["messages"]
    assert system == {"role": "system", "content": "You fly."}
    url = "data:image/jpeg;base64," + base64.b64encode(b"\xff\xd8jpeg").decode()
    shown = {"type": "image_url", "image_url": {"url": url}}
    assert user == {"role": "user", "content": [{"type": "text", "text": "turn around"}, shown]}
