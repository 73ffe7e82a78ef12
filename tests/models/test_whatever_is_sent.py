"""Whatever a model's server sends: what real ones do, for every kind of question, each answered or told clearly."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from endpoint_server import DONE, USAGE, Server, data, event

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import ModelError
from sayso.events import AnswerFailed, ChunkArrived, Event, MissionEnded, Said, TaskStarted
from sayso.goals.text import parse, show
from sayso.language import read_value
from sayso.mission.mission_perception import _read as read_picture
from sayso.models.openai import Endpoint, Patience
from sayso.planners.plan_answer import split
from sayso.planners.rolling_answer import read_answer as read_tasks
from sayso.planners.stepwise_answer import read_answer as read_step
from sayso.prompts import picture_prompt, probe_prompt
from sayso.robots.aircraft.mission import written
from sayso.roles import Brief, Prompt, answered
from sayso.scene import Scene
from sayso.skill import SkillSet

sys.path.append(str(Path(__file__).parents[1] / "agent"))
from cart import Cart

STOP = event(finish="stop")
DRAFT = "Okay, they want me to move. Perhaps\n```\nforward(500)\n```\nor rather less.\n"


def pieces(text: str) -> list[bytes]:
    return [event(text[at : at + 5]) for at in range(0, len(text), 5)]


def tagged(opening: str, closing: str) -> Callable[[str], list[bytes]]:
    return lambda text: [*pieces(f"{opening}{DRAFT}{closing}\n\n{text}"), STOP, DONE]


def reasoned(field: str) -> Callable[[str], list[bytes]]:
    return lambda text: [*(event(**{field: sign}) for sign in DRAFT), *pieces(text), STOP, DONE]


def wide(text: str) -> str:
    """Its digits, signs and quotes as another keyboard writes them; what its texts say stays."""
    told, quoted = "", False
    for sign in text:
        quoted ^= sign == "'"
        told += ("‘" if quoted else "’") if sign == "'" else sign
    return "".join(chr(ord(c) + 0xFEE0) if c in "0123456789(),;=?{}" and '{"' not in text else c for c in told)


SENT: dict[str, Callable[[str], list[bytes]]] = {
    "think": tagged("<think>", "</think>"),
    "a tag that the template has opened": tagged("", "</think>"),
    "other families' tags": tagged("[THINK]", "[/THINK]"),
    "channels": lambda text: [
        *pieces(f"<|channel|>analysis<|message|>{DRAFT}<|end|><|start|>assistant<|channel|>final<|message|>{text}"),
        STOP, DONE,
    ],
    "thoughts in between": lambda text: [*pieces(f"<think>{DRAFT}</think>{text}<think>Well done."), STOP, DONE],
    "reasoning_content": reasoned("reasoning_content"),
    "reasoning": reasoned("reasoning"),
    "a fence in prose": lambda text: [*pieces(f"Sure! Here you are:\n```text\n{text}\n```\nThat does it."), STOP, DONE],
    "a fence alone": lambda text: [*pieces(f"```\n{text}\n```\nThat does it."), STOP, DONE],
    "no reason to finish, [DONE]": lambda text: [*pieces(text), DONE],
    "no reason to finish, usage": lambda text: [*pieces(text), USAGE],
    "parts": lambda text: [
        event(content=[{"type": "thinking", "thinking": [{"type": "text", "text": DRAFT}]}]),
        event(content=[{"type": "text", "text": text[:4]}, {"type": "text", "text": text[4:]}]), STOP, DONE,
    ],
    "full-width": lambda text: [*pieces(wide(text)), STOP, DONE],
}  # fmt: skip
"""What comes for a text that was meant."""

SKILLS = {"go_to": 1}
READ: dict[str, tuple[str, Callable[[str], Any], Any]] = {
    "probe": ("True", read_value, True),
    "a number": ("-2.5", read_value, -2.5),
    "picture": ('{"answer": "cup", "sure": 0.9}', read_picture, ("cup", 0.9)),
    "want": ("forward(10)\nwant at(table)", lambda told: show(parse(split(told)[1])), "want at(table)"),
    "step": ("go_to(table)", lambda told: str(read_step(told, SKILLS).step), "go_to(table)"),
    "step in JSON": ('{"next_action": "go_to(table)"}', lambda told: str(read_step(told, SKILLS).step), "go_to(table)"),
    "tasks": ("Task: Walk Priority: 2", lambda told: dict(read_tasks(told, ["Walk"]).tasks), {"Walk": 2}),
    "mission": ('{"find": [{"label": "dog"}]}', lambda told: written(told)[:1], (("find", "1 dog"),)),
}  # fmt: skip
"""For each kind of question a text, who reads it and what that is."""

PROMPTS = {
    "picture": picture_prompt("What is it?", Scene(), b"\xff\xd8\xff"),
    "probe": probe_prompt("Is it day?", Scene()),
}


def endpoint(server: Server, sends: Callable[[dict[str, Any]], Iterable[bytes]]) -> Endpoint:
    server.sends = sends
    return Endpoint("m", server.url("told"), "", patience=Patience(60, 60, 60, 60, 60, pause_s=0.01))


@pytest.mark.parametrize("how", SENT)
def test_every_kind_of_answer_is_read_however_it_is_sent(server: Server, how: str) -> None:
    """Each kind of question by a model that has heard nothing before."""

    async def ask() -> dict[str, Any]:
        heard = {}
        for kind, (text, reads, _) in READ.items():
            model = endpoint(server, lambda asked, text=text: SENT[how](text))
            prompt = PROMPTS.get(kind, Prompt(kind, (("user", "?"),), Brief("?", SkillSet())))
            heard[kind] = reads(await answered(model, prompt))
            await model.close()
        return heard

    assert asyncio.run(ask()) == {kind: meant for kind, (_, _, meant) in READ.items()}


@dataclass
class Flown:
    events: list[Event]
    asked: int

    @property
    def calls(self) -> list[str]:
        return [f"{e.skill}{e.args}" for e in self.events if isinstance(e, TaskStarted)]

    @property
    def end(self) -> MissionEnded:
        last = self.events[-1]
        assert isinstance(last, MissionEnded)
        return last


def fly(server: Server, sends: Callable[[dict[str, Any]], Iterable[bytes]]) -> Flown:
    """A mission of a cart, whose model's answers come so."""
    before = len(server.bodies("told"))

    async def main() -> list[Event]:
        async with Agent(Cart(), model=endpoint(server, sends)) as agent:
            return [event async for event in agent.say("do it")]

    return Flown(SimClock().run(main()), len(server.bodies("told")) - before)


PLAN = "forward(50);?count()==3{turn(90)};log('It’s １２.')"


@pytest.mark.parametrize("how", SENT)
def test_a_plan_is_flown_once_however_it_is_sent(server: Server, how: str) -> None:
    flown = fly(server, lambda asked: SENT[how](PLAN))
    assert flown.calls == ["forward(50,)", "count()", "turn(90,)", "log('It’s １２.',)"]
    assert (flown.end.outcome, flown.asked) == ("achieved", 1), flown.end.reason
    assert [e.text for e in flown.events if isinstance(e, Said)][-1] == "It’s １２."


@pytest.mark.parametrize(
    "how", ["think", "other families' tags", "channels", "reasoning_content", "reasoning", "parts"]
)
def test_thoughts_are_on_record_as_such(server: Server, how: str) -> None:
    came = [e for e in fly(server, lambda asked: SENT[how](PLAN)).events if isinstance(e, ChunkArrived)]
    assert "".join(e.thought for e in came).startswith(DRAFT)
    assert "500" not in "".join(e.text for e in came)


def test_a_plan_behind_thoughts_streams(server: Server) -> None:
    """Its first statement runs while the server waits for the robot to have moved."""
    moved = threading.Event()

    def sends(asked: dict[str, Any]) -> Iterator[bytes]:
        yield from pieces(f"<think>{DRAFT}</think>forward(50);")
        moved.wait(300)
        yield from [*pieces("turn(90)"), STOP, DONE]

    async def main() -> list[str]:
        calls = list[str]()
        async with Agent(Cart(), model=endpoint(server, sends)) as agent:
            async for e in agent.say("do it"):
                if isinstance(e, TaskStarted):
                    calls.append(e.skill)
                    moved.set()
        return calls

    assert SimClock().run(main()) == ["forward", "turn"]


def called(name: str, arguments: dict[str, Any], finish: str = "tool_calls") -> list[bytes]:
    """The call of a tool, its arguments in two pieces."""
    text = json.dumps(arguments)
    return [
        event(tool_calls=[{"index": 0, "id": "c", "function": {"name": name, "arguments": text[:5]}}]),
        event(tool_calls=[{"index": 0, "function": {"arguments": text[5:]}}]),
        event(finish=finish), DONE,
    ]  # fmt: skip


def test_the_call_of_a_tool_that_is_a_skill_is_a_statement(server: Server) -> None:
    flown = fly(server, lambda asked: called("forward", {"distance_cm": 50}))
    assert (flown.calls, flown.end.outcome) == (["forward(50,)"], "achieved")


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (called("web_search", {"query": "robots"}), 'no skill here: web_search({"query": "robots"})'),
        (called("forward", {"speed": 3}), 'no skill here: forward({"speed": 3})'),
        ([*pieces("<think>" + DRAFT), STOP, DONE], "only reasoned and wrote nothing"),
        ([event(reasoning_content=DRAFT), STOP, DONE], "raise its token limit or turn thinking off"),
        ([event(reasoning_content=DRAFT), event(finish="length"), DONE], "only reasoned and wrote nothing"),
        ([event(finish="content_filter"), DONE], "a content filter cut the answer"),
        ([event(refusal="I can't help with that."), STOP, DONE], "the model declines: I can't help with that."),
        ([STOP, DONE], "the answer is empty"),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_told_as_what_it_is(server: Server, sent: list[bytes], words: str) -> None:
    flown = fly(server, lambda asked: sent)
    assert flown.calls == [] and flown.end.outcome == "not_achieved"
    assert words in flown.end.reason
    assert any(isinstance(e, AnswerFailed) for e in flown.events)


def test_a_call_that_is_cut_is_not_made(server: Server) -> None:
    flown = fly(server, lambda asked: called("forward", {"distance_cm": 500}, "length"))
    assert flown.calls == []


def test_a_model_that_thinks_gets_room_for_it(server: Server) -> None:
    def sends(asked: dict[str, Any]) -> list[bytes]:
        if asked["max_tokens"] < 2000:
            return [event(reasoning_content=DRAFT), event(finish="length"), DONE]
        return [event(reasoning_content=DRAFT), *pieces("forward(50)"), STOP, DONE]

    flown = fly(server, sends)
    assert (flown.calls, flown.asked) == (["forward(50,)"], 2)


def test_once_its_thoughts_came_without_an_opening_tag_the_next_are_known_by_that(server: Server) -> None:
    """They would read like a plan, and are shown as thoughts; an answer without any is read on a second try."""
    sent = iter([f"{DRAFT}</think>forward(5", "forward(500);\n</think>forward(50);replan", "turn(90)", "turn(90)"])
    ends = iter([[], [STOP, DONE], [STOP, DONE], [STOP, DONE]])
    flown = fly(server, lambda asked: [*pieces(next(sent)), *next(ends)])
    assert (flown.calls, flown.asked) == (["forward(50,)", "turn(90,)"], 4)


def test_two_plans_in_one_answer_are_none(server: Server) -> None:
    two = "First way:\n```\nforward(50)\n```\nSecond way:\n```\nturn(90)\n```\n"
    assert fly(server, lambda asked: [*pieces(two), STOP, DONE]).calls == []


def test_prose_alone_moves_nothing(server: Server) -> None:
    flown = fly(server, lambda asked: [*pieces("I would call forward(50) and then stop."), STOP, DONE])
    assert flown.calls == [] and flown.end.outcome == "not_achieved"


def test_an_answer_that_is_cut_is_asked_for_again_and_moves_once(server: Server) -> None:
    """Without an end of any kind: the plan runs as far as it came, and the next answer goes on from there."""
    sent = iter([pieces("forward(50);tur"), [*pieces("forward(50);turn(90)"), STOP, DONE]])
    flown = fly(server, lambda asked: next(sent))
    assert (flown.calls, flown.asked) == (["forward(50,)", "turn(90,)"], 2)


def test_usage_beside_every_piece_is_no_end(server: Server) -> None:
    usage = {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4}
    piece = data({"choices": [{"index": 0, "delta": {"content": "forward(50)"}}], "usage": usage})
    sent = iter([[piece, data({"choices": []})], [*pieces("forward(50);turn(90)"), STOP, DONE]])
    flown = fly(server, lambda asked: next(sent))
    assert (flown.calls, flown.asked) == (["forward(50,)", "turn(90,)"], 2)


def test_a_cut_step_is_no_step(server: Server) -> None:
    async def ask() -> str:
        model = endpoint(server, lambda asked: pieces("go_to(tab"))
        try:
            return await answered(model, Prompt("stepwise", (("user", "?"),)))
        finally:
            await model.close()

    with pytest.raises(ModelError, match="without a finish reason"):
        asyncio.run(ask())
