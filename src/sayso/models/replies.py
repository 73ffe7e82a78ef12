"""The replies of an OpenAI-compatible server, taken apart. No I/O: `openai.py` asks, this file reads.

Servers are compatible to a degree, so nothing here trusts the shape of what arrived: a field that is missing or of
the wrong kind is read as absent, or raised as a TypeError or AttributeError for the caller to name.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sayso.errors import ModelUnavailable
from sayso.language import Plan, show
from sayso.language.nodes import Block, Invocation, Literal
from sayso.models.metered import TEXT_MAX
from sayso.roles import Chunk, Prompt, Usage
from sayso.tables.thoughts import CLOSING_TAG, Thoughts

THINKING = ("reasoning_content", "reasoning")
"""What servers call the field of an event that brings a model's thoughts."""

TOKENS_MAX = 10_000_000
"""No model reads or writes more in one call; a larger figure is not believed, and neither is one below nothing."""

ONLY_REASONED = "the model only reasoned and wrote nothing: raise its token limit or turn thinking off"


@dataclass(slots=True)
class Answer:
    """One streamed answer to `prompt`, as far as it has arrived.

    `thinking`: the last event was reasoning; `opened`: it begins with some, since the chat template holds the tag;
    `whole`: the server said that the stream is over, which some say and give no reason; `tool` is what was called and
    is no skill, `refusal` what the model says instead of an answer.
    """

    prompt: Prompt
    text: str = ""
    thought: str = ""
    finish: str = ""
    usage: Usage | None = None
    thinking: bool = False
    whole: bool = False
    tool: str = ""
    refusal: str = ""
    opened: bool = False
    _thoughts: Thoughts = field(init=False)
    _calls: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._thoughts = Thoughts(self.opened)

    def read(self, event: Any) -> Chunk:
        """Take in one event of the stream, and return the text that it brings, often none."""
        usage = _usage(event.usage)
        self.usage, self.thinking = usage or self.usage, False
        if not event.choices:
            self.whole = self.whole or usage is not None
            return Chunk("")
        choice = event.choices[0]
        self.finish = str(choice.finish_reason or self.finish)
        delta = choice.delta
        if delta is None:
            return Chunk("")
        for call in [*(call.function for call in delta.tool_calls or ()), delta.function_call]:
            self._call(call)
        fields = [delta.model_extra.get(name) for name in THINKING] if delta.model_extra else []
        said, aside = _joined(delta.content)
        self.refusal += delta.refusal or ""
        text, thought = self._thoughts.feed(said)
        return self._came(text, next((f for f in fields if isinstance(f, str)), "") + aside + thought)

    def end(self) -> Chunk:
        """The text that only the end of the stream brings: what was held back, and calls of tools. Where the answer is
        cut that is an unfinished call at most, and is left."""
        text, thought = self._thoughts.rest()
        if self._calls and (self.whole or self.finish not in ("", *CUT)):
            called = [(f"{name}({given})", statement(name, given, self.prompt)) for name, given in self._calls]
            self.tool = next((call for call, says in called if not says), "")
            calls = "" if self.tool else "\n".join(says for _, says in called)
            text += f"\n```\n{calls}\n```\n" if calls and self.text.strip() else calls
        return self._came(text, thought)

    def _call(self, call: Any) -> None:
        """A piece of a call of a tool: its name comes first, its arguments in any number of pieces."""
        if call is not None and call.name:
            self._calls.append((str(call.name), ""))
        if call is not None and call.arguments:
            name, arguments = self._calls.pop()
            self._calls.append((name, arguments + call.arguments))

    def _came(self, text: str, thought: str) -> Chunk:
        if len(self.text) + len(self.thought) + len(text) + len(thought) > TEXT_MAX:
            raise ValueError(f"more than {TEXT_MAX} characters")
        self.text += text
        self.thought += thought
        self.thinking = bool(thought)
        return Chunk(text, thought=thought)

    @property
    def was_opened(self) -> bool:
        """Whether it began with thoughts that no tag had opened, as the next one will."""
        return not self._thoughts.inside if self.opened else bool(CLOSING_TAG.search(self.text))

    @property
    def only_thought(self) -> bool:
        return bool(self.thought.strip() and not self.text.strip())

    def problem(self) -> str:
        """The reason why this answer is not whole; empty when it is."""
        if self.tool:
            return f"instead of writing text it called a tool that is no skill here: {self.tool[:CALL_CHARS]}"
        if self.refusal:
            return f"the model declines: {self.refusal[:CALL_CHARS]}"
        if self.finish in CUT and not (self.only_thought and self.finish == "length"):
            return CUT[self.finish]
        if self.only_thought:
            return ONLY_REASONED
        if not self.text.strip():
            return "the answer is empty"
        return "" if self.finish or self.whole else "the answer ended without a finish reason"


CUT = {"length": "the answer was cut at its token limit", "content_filter": "a content filter cut the answer"}
"""Reasons to finish that leave an answer unfinished."""

CALL_CHARS = 160


def _joined(content: Any) -> tuple[str, str]:
    """The text of what may come in parts, and the thoughts among those."""
    if content is None or isinstance(content, str):
        return content or "", ""
    said, aside = "", ""
    for part in content:
        if isinstance(part, Mapping) and "thinking" in part:
            aside += "".join(_joined(part["thinking"]))
        else:
            said += part if isinstance(part, str) else part["text"]
    return said, aside


def statement(name: str, arguments: str, prompt: Prompt) -> str:
    """The call of a tool as a statement of a plan; empty where it is none of the robot's skills with its arguments."""
    skill = prompt.brief.skills.find(name) if prompt.brief else None
    try:
        given = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        return ""
    if skill is None or not isinstance(given, dict) or set(given) - {param.name for param in skill.params}:
        return ""
    values = [given[param.name] for param in skill.params if param.name in given]
    if not all(value is None or isinstance(value, str | int | float) for value in values):
        return ""
    return show(Plan(Block([Invocation(skill.name, [Literal(value) for value in values])])))


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
    """The parameter that a server's complaint is about. One that names none is taken to mean `stream_options`, the one
    that old servers know least; None when there is nothing left to concede."""
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
    """Advice for the person on an HTTP status."""
    return HINTS.get(status) or ("the server has a fault" if status > 500 else "the server refused the request")


def pause_s(headers: Mapping[str, str]) -> float | None:
    """The seconds that the server asks to wait, where it says so in numbers."""
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
    """The error that a server reported within its stream; of bare words the client keeps only the body."""
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
            found[c] = float(np.logaddexp(found[c], logprob)) if c in found else logprob
    if not found:
        raise ModelUnavailable(
            f"what it would say first is none of the choices but {max(tokens, key=tokens.__getitem__)!r}"
        )
    return [found.get(c, unseen) for c in continuations]
