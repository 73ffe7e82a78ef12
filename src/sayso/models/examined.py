"""Six small questions to an endpoint, and what its answers mean for a robot that is planned for by it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sayso.errors import ModelError, ModelUnavailable
from sayso.models import endpoint
from sayso.parts import Prompt, answered

if TYPE_CHECKING:
    from sayso.models.openai import Endpoint

COUNT = Prompt("plan", (("user", "Write the numbers from 1 to 40 with spaces between them, and nothing else."),))
WORD = Prompt("probe", (("user", "Write the single word yes, and nothing else."),), max_tokens=16)
HELD = replace(WORD, grammar='root ::= "lemon"')
GRAMMAR_FIELDS = ("guided_grammar", "structured_outputs.grammar", "grammar")


@dataclass(frozen=True, slots=True)
class Found:
    """What was found out about an endpoint, whether that is good, and what it means."""

    good: bool
    what: str
    says: str


@dataclass
class Heard:
    """One answer, as it came."""

    began_s: float
    pieces: int = 0
    first_s: float = 0.0
    last_s: float = 0.0
    tokens: int = 0
    thought: str = ""


async def examined(spec: str) -> list[Found]:
    """What the endpoint in `spec` does with each question; where it answers none, that alone. Raises `UsageError`."""
    model = endpoint(spec)
    try:
        heard = await _heard(model)
    except ModelError as error:
        return [Found(False, "answers", str(error))]
    else:
        return [*_told(heard), await _stops(model), await _scores(model), await _held(spec)]
    finally:
        await model.close()


async def _heard(model: Endpoint) -> Heard:
    heard = Heard(time.monotonic())
    async for chunk in model.stream(COUNT):
        heard.thought += chunk.thought
        heard.tokens = chunk.usage.tokens_out if chunk.usage else heard.tokens
        if chunk.text:
            heard.last_s = time.monotonic() - heard.began_s
            heard.first_s = heard.first_s or heard.last_s
            heard.pieces += 1
    return heard


def _told(heard: Heard) -> list[Found]:
    after = f"first text after {heard.first_s:.2f} s"
    flows, thinks = heard.pieces > 2, len(heard.thought)
    moves = "a plan runs while it is written" if flows else "a robot waits for the whole of a plan"
    room = f"{thinks} characters before it wrote; it gets room for that, and a robot waits: turn it off if you can"
    pace = heard.tokens / heard.last_s if heard.last_s else 0.0
    return [
        Found(flows, "streams", f"{heard.pieces} pieces, {after}: {moves}"),
        Found(not thinks, "thinks", room if thinks else "not where it can be seen: it writes at once"),
        Found(pace >= SLOW, "how fast", f"{pace:.0f} tokens/s; a plan of forty takes {40 / max(pace, 0.1):.1f} s"),
    ]


SLOW = 10.0
"""Tokens a second, below which a robot stands between two statements."""


async def _stops(model: Endpoint) -> Found:
    try:
        told = await answered(model, WORD)
    except ModelError as error:
        return Found(False, "stops", f"{error}: what it writes behind a plan costs time, and may be refused")
    short = len(told) < 2 * len("yes")
    return Found(short, "stops", "by itself" if short else f"by itself, but says more than was asked: {told!r:.60}")


async def _scores(model: Endpoint) -> Found:
    try:
        await model.score(WORD, ["yes", "no"])
    except ModelUnavailable:
        return Found(False, "log-probabilities", "none: the planner scored asks it to rank instead")
    return Found(True, "log-probabilities", "given: the planner scored weighs with them")


async def _held(spec: str) -> Found:
    """Whether it can be held to a grammar, by the field that its address names or by one of those that are known."""
    for field in GRAMMAR_FIELDS:
        model = endpoint(spec, grammar=field)
        try:
            if (await answered(model, HELD)).strip() == "lemon":
                return Found(True, "grammar", f"it can be held to the language of plans: ?grammar={field}#NAME")
        except ModelError:
            continue
        finally:
            await model.close()
    return Found(False, "grammar", "it takes none: each statement is checked as it comes, before it runs")
