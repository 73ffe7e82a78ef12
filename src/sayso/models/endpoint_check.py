"""A check of an endpoint: six small questions, and what the answers mean for a robot that it plans for."""

import time
from dataclasses import dataclass, replace

from sayso.errors import ModelError
from sayso.models import endpoint
from sayso.roles import Model, Prompt, answered

COUNT = Prompt("plan", (("user", "Write the numbers from 1 to 40 with spaces between them, and nothing else."),))
WORD = Prompt("probe", (("user", "Write the single word yes, and nothing else."),), max_tokens=16)
HELD = replace(WORD, grammar='root ::= "lemon"')
GRAMMAR_FIELDS = ("guided_grammar", "structured_outputs.grammar", "grammar")
SLOW = 10.0
"""Tokens a second, below which a robot stands between two statements."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of the check, whether it is good, and what it means."""

    good: bool
    what: str
    says: str


async def check_endpoint(spec: str) -> list[Finding]:
    """The findings about the endpoint in `spec`; where it answers nothing, that alone. Raises `UsageError`."""
    model = endpoint(spec)
    try:
        return [*await _flow(model), await _stops(model), await _scores(model), await _held(spec)]
    except ModelError as error:
        return [Finding(False, "answers", str(error))]
    finally:
        await model.close()


async def _flow(model: Model) -> list[Finding]:
    """What shows while it counts."""
    began_s, came_s, thought, tokens = time.monotonic(), list[float](), "", 0
    async for chunk in model.stream(COUNT):
        thought += chunk.thought
        tokens = chunk.usage.tokens_out if chunk.usage else tokens
        came_s += [time.monotonic() - began_s] if chunk.text else []
    flows, pace = len(came_s) > 2, tokens / came_s[-1]
    moves = "a plan runs while it is written" if flows else "a robot waits for the whole of a plan"
    thinks = f"{len(thought)} characters before it wrote, while a robot waits: turn it off where you can"
    return [
        Finding(flows, "streams", f"{len(came_s)} pieces, first text after {came_s[0]:.2f} s: {moves}"),
        Finding(not thought, "thinks", thinks if thought else "not where it can be seen: it writes at once"),
        Finding(pace >= SLOW, "how fast", f"{pace:.0f} tokens/s; a plan of forty takes {40 / pace:.1f} s"),
    ]


async def _stops(model: Model) -> Finding:
    try:
        told = await answered(model, WORD)
    except ModelError as error:
        return Finding(False, "stops", f"{error}: what it writes behind a plan costs time, and may be refused")
    short = len(told) < 2 * len("yes")
    return Finding(short, "stops", "by itself" if short else f"by itself, but says more than was asked: {told!r:.60}")


async def _scores(model: Model) -> Finding:
    try:
        await model.score(WORD, ["yes", "no"])
    except ModelError:
        return Finding(False, "log-probabilities", "none: the planner scored asks it to rank instead")
    return Finding(True, "log-probabilities", "given: the planner scored weighs with them")


async def _held(spec: str) -> Finding:
    """Whether it can be held to a grammar, by the field that its address names or by one of those that are known."""
    for field in GRAMMAR_FIELDS:
        model = endpoint(spec, grammar=field)
        try:
            if (await answered(model, HELD)).strip() == "lemon":
                return Finding(True, "grammar", f"it can be held to the language of plans: ?grammar={field}#NAME")
        except ModelError:
            continue
        finally:
            await model.close()
    return Finding(False, "grammar", "it takes none: each statement is checked as it comes, before it runs")
