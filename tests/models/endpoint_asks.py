"""What the tests ask an endpoint's client, by either clock, and what came of it."""

from __future__ import annotations

import asyncio
import traceback
from dataclasses import dataclass, replace
from typing import Any

from endpoint_server import KEY, Server

from sayso.clock import Clock
from sayso.errors import ModelError
from sayso.models.openai import Endpoint, Patience
from sayso.roles import Model, Prompt, Usage

PROMPT = Prompt("plan", (("system", "You fly."), ("user", "turn around")), grammar="root ::= call", max_tokens=99)

PATIENT = Patience(connect_s=60, first_token_s=60, between_tokens_s=60, tail_s=60, answer_s=60, retries=2, pause_s=0.01)

QUIET_S = {"silent": 0.3, "mute": 0.3, "modern": 2.0}
"""Servers that say no word for a while, on purpose, and how long the client waits for it; others are given time."""


@dataclass
class Outcome:
    """What came of one call."""

    text: str = ""
    usage: Usage | None = None
    error: ModelError | None = None
    took_s: float = 0.0
    chunks: int = 0


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
    return replace(short, between_tokens_s=0.3 if case == "stuck" else 60, tail_s=0.1 if case == "lingering" else 60)


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


def score(server: Server, case: str, clock: Clock, choices: list[str]) -> list[float]:
    async def main() -> list[float]:
        model = Endpoint("m", server.url(case), KEY, patience=patience(case))
        try:
            return await model.score(PROMPT, choices)
        finally:
            await model.close()

    return clock.run(main())
