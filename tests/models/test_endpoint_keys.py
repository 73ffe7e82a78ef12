"""Keys and addresses of an endpoint: what a person can type, and that no key is ever shown or sent openly."""

from __future__ import annotations

import asyncio
import logging

import pytest
from endpoint_asks import Outcome, ask, listen, shown
from endpoint_server import KEY, Server

from sayso.clock import Clock, WallClock
from sayso.errors import ModelUnavailable, UsageError
from sayso.models import endpoint, known, listed, make
from sayso.models.openai import Endpoint, Patience


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
