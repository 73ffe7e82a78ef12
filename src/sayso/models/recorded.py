"""Answers on record: taken down once, given again exactly, with their timing.

`Recording` listens to any model and writes one line of JSON per call. `Recorded` plays such a file on the clock of the
running loop: a mission in virtual time repeats in virtual time. A journal is played by `sayso replay`, with all of its
mission.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sayso.errors import ModelBroke, ModelError, ModelUnavailable, UsageError
from sayso.models.pace import until
from sayso.parts import Chunk, Model, Prompt, Usage, closing

Messages = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Call:
    """One model call. `chunks` are (seconds since it began, text); `error` is set when it failed, at `end_s`.

    A call that its reader left early is neither `whole` nor has an `error`: it plays as far as it was read. `scores`
    are what continuations were weighed at, where that was asked.
    """

    hash: str
    purpose: str = "plan"
    chunks: list[tuple[float, str]] = field(default_factory=list)
    end_s: float = 0.0
    usage: Usage | None = None
    error: str = ""
    whole: bool = False
    scores: list[tuple[str, float]] = field(default_factory=list)

    @property
    def received(self) -> str:
        return "".join(text for _, text in self.chunks)


def fingerprint(messages: Messages) -> str:
    """What one prompt is recognised by: the same messages give the same text."""
    return hashlib.sha256(json.dumps(messages).encode()).hexdigest()[:32]


class Recording:
    """`model`, with every call taken down in `file` (JSON lines, appended), the failed ones too."""

    def __init__(self, model: Model, file: Path) -> None:
        self.name = model.name
        self._model, self._file = model, file

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        """The model's own chunks, unchanged. The line is written when the call is over, however it ends."""
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        call = Call(fingerprint(prompt.messages), prompt.purpose)
        try:
            async with closing(self._model.stream(prompt)) as answer:
                async for chunk in answer:
                    call.usage = chunk.usage or call.usage
                    if chunk.text:
                        call.chunks.append((loop.time() - began_s, chunk.text))
                    yield chunk
            call.whole = True
        except ModelError as error:
            call.error = str(error)
            raise
        finally:
            call.end_s = loop.time() - began_s
            self._write(call)

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        """The model's own scores, unchanged."""
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        call = Call(fingerprint(prompt.messages), prompt.purpose)
        try:
            scores = await self._model.score(prompt, continuations)
            call.scores, call.whole = list(zip(continuations, scores, strict=True)), True
            return scores
        except ModelError as error:
            call.error = str(error)
            raise
        finally:
            call.end_s = loop.time() - began_s
            self._write(call)

    def _write(self, call: Call) -> None:
        line = json.dumps({"model": self.name, **asdict(call)})
        with self._file.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


class Recorded:
    """Plays calls again: the first unused one with the same messages, else the next unused one in order.

    `diverged` lists the prompts (counted from 1) that were answered out of order or not as asked: empty after an exact
    replay. When no call is left, `ModelUnavailable` says so.
    """

    def __init__(self, calls: Iterable[Call], *, name: str = "recorded") -> None:
        self.name = name
        self.diverged: list[int] = []
        self._left = list(calls)
        self._total, self._asked = len(self._left), 0

    @classmethod
    def from_file(cls, file: Path) -> Recorded:
        """The recording in `file`, as `Recording` wrote it."""
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"cannot read the recording {file}: {error}") from error
        calls = [_call(line, f"{file}, line {n}") for n, line in enumerate(lines, 1) if line.strip()]
        return cls(calls, name=f"recorded:{file.name}")

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        """The recorded chunks, each as long after the call as it came; then the recorded end or error."""
        call = self._next(prompt)
        began_s = asyncio.get_running_loop().time()
        for after_s, text in call.chunks:
            await until(began_s + after_s)
            yield Chunk(text)
        await until(began_s + call.end_s)
        if call.error and call.chunks:
            raise ModelBroke(call.error, call.received)
        if call.error:
            raise ModelUnavailable(call.error)
        if not call.whole:
            raise ModelBroke("the recording of this answer ends here: nobody read on", call.received)
        if call.usage:
            yield Chunk("", call.usage)

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        """The recorded scores, as long after the call as they came."""
        call = self._next(prompt)
        await until(asyncio.get_running_loop().time() + call.end_s)
        if call.error:
            raise ModelUnavailable(call.error)
        known = dict(call.scores)
        if missing := [c for c in continuations if c not in known]:
            raise ModelUnavailable(f"{self.name} cannot score {missing[0]!r}: the recorded answer has no score for it")
        return [known[c] for c in continuations]

    def _next(self, prompt: Prompt) -> Call:
        self._asked += 1
        if not self._left:
            raise ModelUnavailable(
                f"{self.name} holds {self._total} calls and all are used; this {prompt.purpose} is call {self._asked}"
            )
        asked = fingerprint(prompt.messages)
        same = [i for i, call in enumerate(self._left) if call.hash == asked]
        at = same[0] if same else 0
        if at != 0 or self._left[at].hash != asked:
            self.diverged.append(self._asked)
        return self._left.pop(at)


def _call(line: str, where: str) -> Call:
    try:
        data: dict[str, Any] = json.loads(line)
        data.pop("model", None)
        call = Call(**data)
        call.chunks = [(float(after_s), str(text)) for after_s, text in call.chunks]
        call.usage = Usage(**data["usage"]) if data.get("usage") else None
        call.scores = [(str(continuation), float(score)) for continuation, score in call.scores]
    except (ValueError, TypeError, AttributeError) as error:
        raise UsageError(f"{where} is not a recorded call: {error}") from error
    return call
