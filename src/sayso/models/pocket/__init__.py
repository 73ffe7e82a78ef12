"""The embedded language model: a small network that this project trained, for its own tasks and nothing else.

`Pocket` reads a prompt's brief in the short form of its kind of robot (`sayso.understanding.forms`), not its messages;
it needs no key and no network. What it writes never leaves the language of the task (`constraints`), and where it is in
doubt it asks back (`answer`). The same input gives the same text. Its encoder also gives meanings: `embed`.
"""

import asyncio
import math
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import ParamSpec, TypeVar

import numpy as np

from sayso.clock import current
from sayso.models.pocket import net as nets
from sayso.models.pocket.answer import Answering, Confidence, asked
from sayso.models.pocket.any_robot import form_for
from sayso.models.pocket.net import EncoderOutput, Floats, Net
from sayso.models.pocket.text import clean
from sayso.models.pocket.tokenizer import UNKNOWN
from sayso.roles import Chunk, Prompt, Usage

P = ParamSpec("P")
T = TypeVar("T")

ROWS_MAX = 32
"""Continuations that are weighed at once."""


class Pocket:
    """Without a `net`, the weights of the package, loaded when first needed. Raises `UsageError` where there are none.

    The networks run in a thread, and end a token after nobody waits for them any more, so that a stop never does; the
    running loop's clock is told how long that took. `confidence` is how sure it was of its last answer.
    """

    name = "pocket"

    def __init__(self, net: Net | None = None) -> None:
        if net is None:
            nets.read_card()
        self.confidence: Confidence | None = None
        self._given = net

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        """The answer, whole. To close it early ends the work."""
        if text := form_for(prompt).known(prompt):
            self.confidence = None
            yield Chunk(text, Usage(0, 0, self.name))
            return
        answering = await self._aside(lambda: Answering(self._net(), prompt))
        try:
            text = await self._aside(answering.text)
            self.confidence = answering.confidence
            if text:
                yield Chunk(text)
            yield Chunk("", answering.usage)
        finally:
            answering.stop()

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        """Log-probability of each continuation as the beginning of an answer; -inf for one that it cannot spell."""
        return await self._aside(self._score, prompt, continuations)

    def embed(self, texts: Sequence[str]) -> Floats:
        """(text, 384): what each text means, as vectors of length 1. A short one takes two milliseconds."""
        net = self._net()
        read = (tuple(net.tokenizer.read(clean(text))[: net.read_max]) for text in texts)
        return np.array([net.read(ids).meaning for ids in read], np.float32).reshape(len(texts), net.card["width"])

    def _net(self) -> Net:
        return self._given or nets.load()

    async def _aside(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        with current().real():
            return await asyncio.to_thread(work, *args, **kwargs)

    def _score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        net = self._net()
        this = asked(net, prompt)
        encoded = net.read(this.ids)
        rows = [_spelled(net, continuation) for continuation in continuations]
        scores = {row: 0.0 if row == () else -math.inf for row in rows}
        todo = sorted((row for row in scores if row), key=len)
        for at in range(0, len(todo), ROWS_MAX):
            some = todo[at : at + ROWS_MAX]
            scores.update(zip(some, _weighed(net, encoded, this.begin, some), strict=True))
        return [scores[row] for row in rows]


class Embedding:
    """What texts mean, for a memory: the model's encoder, loaded when it is first asked.

    `name` tells one set of weights from another, since their vectors cannot be compared. Raises `UsageError` where
    there are no weights.
    """

    def __init__(self) -> None:
        self.name = f"pocket {nets.read_card()['recipe'][:12]}"
        self._pocket = Pocket()

    def __call__(self, texts: Sequence[str]) -> Floats:
        return self._pocket.embed(texts)


def _spelled(net: Net, text: str) -> tuple[int, ...] | None:
    """A continuation in tokens, if it can be written and is not too long."""
    try:
        ids = tuple(net.tokenizer.write(text))
    except KeyError:
        return None
    return ids if len(ids) <= net.write_max and net.tokenizer.ids[UNKNOWN] not in ids else None


def _weighed(net: Net, encoded: EncoderOutput, begin: int, rows: Sequence[tuple[int, ...]]) -> list[float]:
    """The log-probability of each row of tokens. What is filled up behind a row is seen by none before it."""
    longest = max(map(len, rows))
    filled = [[begin, *row[:-1], *[0] * (longest - len(row))] for row in rows]
    scores, _ = net.write(encoded, filled, net.empty_cache(len(rows)))
    top = scores.max(-1, keepdims=True)
    logs = scores - top - np.log(np.exp(scores - top).sum(-1, keepdims=True))
    return [float(sum(logs[i, j, token] for j, token in enumerate(row))) for i, row in enumerate(rows)]
