"""Scripted, recorded and modelled-latency models, and the counting of tokens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.clock import SimClock
from sayso.errors import ModelBroke, ModelError, ModelUnavailable, UsageError
from sayso.events import (
    AnswerEnded,
    AnswerFailed,
    Event,
    Prompted,
    from_json,
    to_json,
)
from sayso.limits import Limits
from sayso.models import make
from sayso.models.latency import ModelledLatency
from sayso.models.metered import MeteredModel
from sayso.models.scripted import Scripted
from sayso.models.tokens import counted, pieces
from sayso.roles import Chunk, Model, Prompt, Usage


def prompt(text: str = "go", purpose: str = "plan", question: str = "") -> Prompt:
    return Prompt(purpose, (("system", "You fly a drone."), ("user", text)), question=question)


Heard = list[tuple[float, str]]


async def hear(model: Model, asked: Prompt | None = None) -> tuple[Heard, Usage | None, str]:
    """(seconds since asked, text) of each chunk; the usage; the error as text."""
    heard: Heard = []
    usage, error = None, ""
    loop = asyncio.get_running_loop()
    began_s = loop.time()
    try:
        async for chunk in model.stream(asked or prompt()):
            usage = chunk.usage or usage
            if chunk.text:
                heard.append((round(loop.time() - began_s, 9), chunk.text))
    except ModelError as reason:
        error = f"{type(reason).__name__}: {reason}"
    return heard, usage, error


class Halting:
    """A test double that hesitates, and may break."""

    name = "halting (a test double)"

    def __init__(self, *steps: tuple[float, str], error: ModelError | None = None) -> None:
        self._steps, self._error = steps, error
        self.closed = False

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        text = ""
        try:
            for wait_s, piece in self._steps:
                await asyncio.sleep(wait_s)
                text += piece
                yield Chunk(piece)
            if self._error:
                raise self._error
            yield Chunk("", counted(prompt, text))
        finally:
            self.closed = True

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        return [-1.0 for _ in continuations]


# Scripted


def test_a_script_gives_its_answers_in_order_then_says_that_it_has_none() -> None:
    model = Scripted(["tc(180);tp", "l('done')"], chunk=3)

    async def main() -> list[tuple[Heard, Usage | None, str]]:
        return [await hear(model) for _ in range(3)]

    first, second, third = SimClock().run(main())
    assert [text for _, text in first[0]] == ["tc(", "180", ");t", "p"]
    assert first[1] is not None
    assert first[1].tokens_out > 0
    assert "".join(text for _, text in second[0]) == "l('done')"
    assert "ModelUnavailable" in third[2]
    assert "all 2 are given" in third[2]
    assert [p.messages[-1][1] for p in model.prompts] == ["go"] * 3
    assert isinstance(model, Model)
    assert "test double" in model.name


def test_a_script_may_be_a_function_of_the_prompt() -> None:
    model = Scripted(lambda asked: f"l('{asked.messages[-1][1]}')")
    heard, _, _ = SimClock().run(hear(model, prompt("hello")))
    assert "".join(text for _, text in heard) == "l('hello')"


def test_one_string_is_not_a_list_of_answers() -> None:
    with pytest.raises(UsageError, match="in a list"):
        Scripted("tc(180)")


def test_a_script_has_no_opinion() -> None:
    with pytest.raises(ModelUnavailable, match="cannot score"):
        asyncio.run(Scripted([]).score(prompt(), ["A"]))


def test_a_script_file_is_a_plan_or_answers_by_purpose(tmp_path: Path) -> None:
    plan, answers = tmp_path / "turn.ms", tmp_path / "search.json"
    plan.write_text("tc(180);\ntp")
    answers.write_text(json.dumps({"plan": ["_1=p('red?')"], "probe": {"red?": "apple"}, "replan": ["tc(90)"]}))

    async def say(model: Model, asked: Prompt) -> str:
        heard, _, error = await hear(model, asked)
        return error or "".join(text for _, text in heard)

    async def main() -> list[str]:
        search = make(f"scripted:{answers}")
        return [
            await say(make(f"scripted:{plan}"), prompt()),
            await say(search, prompt(purpose="plan")),
            await say(search, prompt(purpose="probe", question="red?")),
            await say(search, prompt(purpose="probe", question="blue?")),
            await say(search, prompt(purpose="replan")),
            await say(search, prompt(purpose="replan")),
        ]

    said = SimClock().run(main())
    assert said[:3] == ["tc(180);\ntp", "_1=p('red?')", "apple"]
    assert "no answer to the question 'blue?'" in said[3]
    assert said[4] == "tc(90)"
    assert "no answer left for this replan" in said[5]


@pytest.mark.parametrize("text", ["{", "[1]", '{"plan": "tc(1)"}', '"tc(1)"', '{"probe": {"a": 1}}'])
def test_a_script_file_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text)
    with pytest.raises(UsageError, match=r"bad\.json"):
        make(f"scripted:{file}")


# Modelled latency


def test_the_papers_law_token_by_token() -> None:
    asked = Prompt("plan", (("user", "x" * 1000),))
    model = ModelledLatency(Scripted(["tc(180);mf(50)"]), count=len)
    heard, usage, _ = SimClock(start_s=3).run(hear(model, asked))
    a_s, b_s, c_s = 1.19e-5, 0.0339, 0.50
    assert [text for _, text in heard] == pieces("tc(180);mf(50)")
    for n, (at_s, _) in enumerate(heard, 1):
        assert at_s == pytest.approx(a_s * 1000 + c_s + n * b_s)
    assert usage is not None
    assert "modelled" in model.name


def test_an_inner_model_that_is_slower_stays_slower() -> None:
    heard, _, _ = SimClock().run(hear(ModelledLatency(Halting((10, "tc(90);"), (1, "tp")))))
    assert heard[0][0] == 10
    assert heard[-1][0] == 11


def test_a_break_comes_after_the_text_before_it() -> None:
    broken = Halting((0, "tc(90);mf("), error=ModelBroke("cut", "tc(90);mf("))
    heard, _, error = SimClock().run(hear(ModelledLatency(broken)))
    assert "".join(text for _, text in heard) == "tc(90);mf("
    assert error == "ModelBroke: cut"


def test_leaving_modelled_latency_early_closes_the_inner_model() -> None:
    inner = Halting((0, "tc(90);mf("), (0, "50)"))

    async def main() -> None:
        answer = ModelledLatency(inner).stream(prompt())
        await anext(answer)
        await answer.aclose()

    SimClock().run(main())
    assert inner.closed


def test_modelled_latency_charges_a_score_as_one_token() -> None:
    async def main() -> float:
        assert await ModelledLatency(Halting(), count=len).score(prompt(""), ["A", "B"]) == [-1.0, -1.0]
        return asyncio.get_running_loop().time()

    assert SimClock().run(main()) == pytest.approx(1.19e-5 * 16 + 0.5 + 0.0339)


def test_modelled_latency_wraps_what_a_person_can_type(tmp_path: Path) -> None:
    file = tmp_path / "plan.ms"
    file.write_text("tp")
    assert make(f"modelled:scripted:{file}").name == "scripted:plan.ms (a test double), modelled latency"


# Tokens


@given(st.text())
def test_pieces_lose_nothing(text: str) -> None:
    assert "".join(pieces(text)) == text


@given(st.text(alphabet="ab1'_( )=>;\n\t{}é字", max_size=60), st.integers(1, 7))
def test_pieces_do_not_depend_on_the_chunks_they_came_in(text: str, size: int) -> None:
    async def main() -> list[str]:
        heard, _, _ = await hear(ModelledLatency(Scripted([text], chunk=size)))
        return [piece for _, piece in heard]

    assert SimClock().run(main()) == pieces(text)


def test_pieces_come_near_the_published_count() -> None:
    """TypeFly, listing 4: the definition of `scan` is 18 tokens."""
    assert len(pieces("8{?iv($1)==True{->True}tc(45)}->False")) == 18


def test_the_counter_is_named() -> None:
    assert counted(prompt(), "tc(180)").counter == "pieces"


# Scores on record


class Weighing(Scripted):
    """A double that finds the first continuation the likeliest, and takes a second to say so."""

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        await asyncio.sleep(1.0)
        return [-0.1, -2.5, float("-inf")][: len(continuations)]


def test_scores_are_on_record_and_count_as_a_call() -> None:
    events: list[Event] = []
    model = MeteredModel(Weighing([]), events.append, Limits(model_calls_max=2))
    asked = prompt("which?")
    assert SimClock().run(model.score(asked, ["A", "B"])) == [-0.1, -2.5]
    prompted, ended = events
    assert isinstance(prompted, Prompted) and (prompted.call, prompted.messages) == (1, asked.messages)
    assert isinstance(ended, AnswerEnded) and ended.scores == (("A", -0.1), ("B", -2.5))
    assert ended.tokens_in > 0 and ended.tokens_out == 1
    with pytest.raises(ModelUnavailable, match="no probabilities"):
        SimClock().run(MeteredModel(Scripted([]), events.append, Limits()).score(asked, ["A"]))
    assert isinstance(events[-1], AnswerFailed) and "no probabilities" in events[-1].error
    SimClock().run(model.score(asked, ["A", "B"]))
    with pytest.raises(ModelUnavailable, match="at most 2 a mission"):
        SimClock().run(model.score(asked, ["A", "B"]))


def test_scores_survive_the_journal() -> None:
    events: list[Event] = []
    SimClock().run(MeteredModel(Weighing([]), events.append, Limits()).score(prompt(), ["A", "B", "C"]))
    kept = [from_json(type(e).__name__, to_json(e)) for e in events]
    assert kept == events
