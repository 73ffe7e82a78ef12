"""Several models in turn, and what `sayso doctor --model` finds out about an endpoint."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from endpoint_server import DONE, USAGE, Server, event, served

from sayso.console.choices import refuse_secrets, try_model
from sayso.errors import ModelUnavailable, UsageError
from sayso.events import Event, Prompted, Warned
from sayso.limits import Limits
from sayso.models import make
from sayso.models.endpoint_check import check_endpoint
from sayso.models.fallback import FallbackModel
from sayso.models.metered import MeteredModel
from sayso.models.scripted import Scripted
from sayso.roles import Prompt, answered

PROMPT = Prompt("plan", (("user", "go"),))


def asked(model: FallbackModel, times: int, limits: Limits | None = None) -> tuple[list[str], list[Event]]:
    """The answers to the same question so many times, and what happened."""
    events: list[Event] = []
    listened = MeteredModel(model, events.append, limits or Limits())

    async def main() -> list[str]:
        return [await answered(listened, PROMPT) for _ in range(times)]

    return asyncio.run(main()), events


def test_the_next_one_answers_for_the_rest_of_a_mission_where_the_first_is_down() -> None:
    first, second = Scripted(["a"], name="large"), Scripted(["b", "c", "d"], name="small")
    told, events = asked(FallbackModel([first, second]), 3)
    assert told == ["a", "b", "c"] and len(first.prompts) == 2, "it is not asked again and again"
    assert [e.text for e in events if isinstance(e, Warned)] == [
        "small answers from here on, in the place of large: large has no answer left for this plan: all 1 are given"
    ]
    assert [e.model for e in events if isinstance(e, Prompted)] == ["large", "large", "small"]


def test_what_has_cost_its_share_gives_way() -> None:
    dear = Limits(cost_max_usd=0.000001, usd_per_mtoken_in=10.0)
    told, events = asked(FallbackModel([Scripted(["a"] * 3, name="large"), Scripted(["b"] * 3, name="small")]), 3, dear)
    assert told == ["a", "b", "b"]
    assert [e.text for e in events if isinstance(e, Warned)] == [
        "small answers from here on, in the place of large: it has cost what a mission may"
    ]


def test_where_all_are_down_the_last_one_says_why() -> None:
    with pytest.raises(ModelUnavailable, match="small has no answer left"):
        asked(FallbackModel([Scripted([], name="large"), Scripted([], name="small")]), 1)


def test_they_are_written_with_commas() -> None:
    model = make("openai-like:x,other", double=lambda name: Scripted([], name=name) if "," not in name else None)
    assert isinstance(model, FallbackModel) and [m.name for m in model.models] == ["openai-like:x", "other"]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served() as running:
        yield running


def capable(body: dict[str, Any]) -> Iterator[bytes]:
    said = "lemon" if "grammar" in body else "yes"
    numbers = [f"{n} " for n in range(1, 41)]
    yield event(reasoning_content="I count.")
    yield from map(event, numbers if "numbers" in body["messages"][-1]["content"] else [said])
    yield from (event(finish="stop"), USAGE, DONE)


def plain(body: dict[str, Any]) -> Iterator[bytes]:
    yield from (event("yes, of course, here you are"), event(finish="length"), DONE)


def test_an_endpoint_is_examined(server: Server) -> None:
    server.sends = capable
    found = {f.what: f for f in asyncio.run(check_endpoint(f"{server.url('told')}#m"))}
    assert [*found] == ["streams", "thinks", "how fast", "stops", "log-probabilities", "grammar"]
    assert found["streams"].says.startswith("40 pieces") and found["stops"].says == "by itself"
    assert not found["thinks"].good and not found["log-probabilities"].good
    assert found["grammar"].says.endswith("?grammar=grammar#NAME")


def test_one_that_can_little_is_told_so(server: Server) -> None:
    server.sends = plain
    (found,) = asyncio.run(check_endpoint(f"{server.url('told')}#m"))
    assert (found.what, found.good) == ("answers", False) and "token limit" in found.says
    (found,) = asyncio.run(check_endpoint(f"{server.url('locked')}#m"))
    assert "the key was refused" in found.says


def test_a_page_tries_each_and_lets_no_password_into_any(server: Server) -> None:
    server.sends = capable
    spec = f"{server.url('good')}#small,http://127.0.0.1:9/v1#gone"
    good, told = asyncio.run(try_model(spec))
    assert good and "it lists 2 models; gone at http" in told
    with pytest.raises(UsageError, match="keys belong in OPENAI_API_KEY"):
        refuse_secrets(f"{server.url('good')}#small,http://me:secret@127.0.0.1:9/v1#gone")
