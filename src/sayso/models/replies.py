"""What an OpenAI-compatible server says, and what it means. No I/O: `openai.py` asks, this file reads.

Servers are compatible to a degree, so nothing here trusts the shape of what arrived: a field that is missing or of
the wrong kind is read as absent, or raised as a TypeError or AttributeError for the caller to name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sayso.errors import ModelUnavailable
from sayso.models.listened import TEXT_MAX
from sayso.parts import Usage

THINKING = ("reasoning_content", "reasoning")
"""What servers call the field of an event that brings a model's thoughts."""

TOKENS_MAX = 10_000_000
"""No model reads or writes more in one call; a larger figure is not believed, and neither is one below nothing."""


@dataclass(slots=True)
class Answer:
    """What one streamed answer has brought so far. `thinking`: the last event was reasoning, which is not shown."""

    text: str = ""
    finish: str = ""
    usage: Usage | None = None
    thinking: bool = False

    def read(self, event: Any) -> str:
        """Take in one event of the stream; returns its text, often empty."""
        self.usage = _usage(event.usage) or self.usage
        self.thinking = False
        if not event.choices:
            return ""
        choice = event.choices[0]
        self.finish = str(choice.finish_reason or self.finish)
        delta = choice.delta
        if delta is None:
            return ""
        self.thinking = any((delta.model_extra or {}).get(name) for name in THINKING)
        text = delta.content
        if text is not None and not isinstance(text, str):
            raise TypeError(f"content is a {type(text).__name__}")
        if len(self.text) + len(text or "") > TEXT_MAX:
            raise ValueError(f"more than {TEXT_MAX} characters")
        self.text += text or ""
        return text or ""

    def problem(self) -> str:
        """Why this answer is not whole, now that the stream has ended; empty when it is."""
        if self.finish == "length":
            return "the answer was cut at its token limit"
        if self.finish == "content_filter":
            return "a content filter cut the answer"
        if not self.text:
            return "the answer is empty"
        return "" if self.finish else "the answer ended without a finish reason"


def _usage(usage: Any) -> Usage | None:
    try:
        read, written = usage.prompt_tokens, usage.completion_tokens
    except AttributeError:
        return None
    if not (isinstance(read, int) and isinstance(written, int)):
        return None
    return Usage(read, written) if 0 <= read <= TOKENS_MAX and 0 <= written <= TOKENS_MAX else None


CONCESSIONS: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "stream_options": lambda _: {},
    "temperature": lambda _: {},
    "max_tokens": lambda tokens: {"max_completion_tokens": tokens},
    "top_logprobs": lambda _: {"top_logprobs": 5},
}
"""Parameters that some servers or models refuse, and what to send in their place."""


def conceded(complaint: str, sent: Iterable[str]) -> str | None:
    """The parameter that a server's complaint is about. One that names none is taken to mean `stream_options`,

    the one that old servers know least; None when there is nothing left to concede.
    """
    left = [name for name in CONCESSIONS if name in sent]
    named = [name for name in left if name in complaint]
    if named:
        return named[0]
    return "stream_options" if "stream_options" in left else None


def without(request: Mapping[str, Any], refused: Iterable[str]) -> dict[str, Any]:
    """The request with every refused parameter replaced."""
    body = dict(request)
    for name in refused:
        if name in body:
            body.update(CONCESSIONS[name](body.pop(name)))
    return body


HINTS = {
    401: "the key was refused: set OPENAI_API_KEY to one that is valid there",
    403: "this key may not use that model",
    404: "no such model or address there: the address usually ends in /v1; `sayso doctor` lists what it serves",
    429: "too many requests, or no credit left",
    500: "the server has a fault, or not that model: `sayso doctor` lists what it serves",
}


def hint(status: int) -> str:
    """What the person can do about an HTTP status."""
    return HINTS.get(status) or ("the server has a fault" if status > 500 else "the server refused the request")


def pause_s(headers: Mapping[str, str]) -> float | None:
    """How long the server asks to wait, in seconds, where it says so in numbers."""
    for name, scale in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        try:
            asked_s = float(headers.get(name, "")) * scale
        except ValueError:
            continue
        if asked_s >= 0:
            return asked_s
    return None


def likeliest(answer: Any) -> dict[str, float]:
    """The log-probabilities of the likeliest first tokens; empty where there are none."""
    try:
        tokens = answer.choices[0].logprobs.content[0].top_logprobs
        return {str(token.token): float(token.logprob) for token in tokens}
    except (AttributeError, IndexError, TypeError, ValueError):
        return {}


def told(message: str, body: object) -> str:
    """What a server reported within its stream. Some send bare words, of which the client keeps only the body."""
    return body if isinstance(body, str) and body else message


def scores(tokens: Mapping[str, float], continuations: Sequence[str]) -> list[float]:
    """Log-probability of each continuation by its first token, with or without a space before it.

    `tokens` are the likeliest first tokens with their log-probabilities. A continuation that none of them begins gets
    the highest value that it can have: no more than the least of them, nor than what they leave over.
    """
    left = 1.0 - sum(math.exp(lp) for lp in tokens.values())
    unseen = min(min(tokens.values()), math.log(max(left, 1e-9)))
    found: dict[str, float] = {}
    for token, logprob in tokens.items():
        begun = [c for c in continuations if token.strip() and c.strip().startswith(token.strip())]
        if len(begun) > 1:
            raise ModelUnavailable(
                f"{begun[0]!r} and {begun[1]!r} begin with the same token {token!r}: let letters stand for them"
            )
        for c in begun:
            found[c] = _either(found[c], logprob) if c in found else logprob
    return [found.get(c, unseen) for c in continuations]


def _either(a: float, b: float) -> float:
    """log(exp a + exp b)"""
    return max(a, b) + math.log1p(math.exp(-abs(a - b)))
