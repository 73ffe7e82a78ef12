"""The endpoint client against a real server: what it sends, how it streams, and when it lets go."""

from __future__ import annotations

import asyncio
import base64
import gc
from dataclasses import replace

import pytest
from endpoint_asks import PATIENT, PROMPT, QUIET_S, Outcome, ask, listen
from endpoint_server import KEY, PLAN, Server, served

from sayso.clock import Clock, SimClock, WallClock
from sayso.errors import ModelUnavailable
from sayso.models.openai import Endpoint
from sayso.roles import Usage


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


def test_parameters_that_a_server_refuses_are_left_out_and_stay_out(server: Server, clock: Clock) -> None:
    async def main() -> list[Outcome]:
        model = Endpoint("m", server.url("plain"), KEY, patience=PATIENT)
        outcomes = [await listen(model), await listen(model)]
        await model.close()
        return outcomes

    before = len(server.bodies("plain"))
    assert [o.text for o in clock.run(main())] == ["".join(PLAN)] * 2
    assert ["stream_options" in b for b in server.bodies("plain")[before:]] == [True, False, False]


def test_a_reasoning_model_gets_its_own_names_and_time_to_think(server: Server) -> None:
    outcome = ask(server, "modern", SimClock())
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
