"""Say: how sensible a model finds each of a few choices, as probabilities.

The choices go into one prompt with a letter each, and the log-probabilities of the letters are the answer: one call,
however many choices. Where a model has no log-probabilities it is asked for the letters in order, and ranks become
weights; the operator is told so once, because weights from ranks are an invention.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sayso.errors import ModelUnavailable
from sayso.parts import Brief, Model, Prompt, answered

Render = Callable[[Brief, Sequence[str], bool], Prompt]
"""(brief, choices in words, whether a ranking is asked for) -> prompt"""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
RANK_SHARE = 0.5
"""Each rank weighs half of the one before it."""

FLOOR = 0.01
"""No choice is ruled out by a model's word alone: that is for preconditions to do."""

_LETTER = re.compile(r"(?<![A-Za-z])[A-Za-z](?![A-Za-z])")


@dataclass(slots=True)
class Say:
    """Asks `model`. `calls` counts since it was made; `note` hears once that a model cannot score."""

    model: Model
    render: Render
    note: Callable[[str], None] = lambda text: None
    calls: int = 0
    scores: bool = True

    async def weigh(self, brief: Brief, choices: Sequence[str]) -> list[float]:
        """Probabilities of the choices; they sum to one. Raises the model's error when it cannot answer at all."""
        if len(choices) > len(LETTERS):
            raise ValueError(f"{len(choices)} choices, but only {len(LETTERS)} letters; keep fewer")
        if len(choices) < 2:
            return [1.0] * len(choices)
        if not self.scores:
            return await self._ranked(brief, choices)
        self.calls += 1
        try:
            letters = list(LETTERS[: len(choices)])
            return softmax(await self.model.score(self.render(brief, choices, False), letters))
        except ModelUnavailable as error:
            weights = await self._ranked(brief, choices)
            self.scores = False  # it answers, but not with scores; an outage would have raised again
            self.note(f"weights are made of a ranked answer, since {self.model.name} does not score: {error}")
            return weights

    async def _ranked(self, brief: Brief, choices: Sequence[str]) -> list[float]:
        self.calls += 1
        return ranked(await answered(self.model, self.render(brief, choices, True)), len(choices))


def softmax(logprobs: Sequence[float]) -> list[float]:
    """Log-probabilities to probabilities, none below the floor."""
    best = max(logprobs)
    weights = [math.exp(lp - best) for lp in logprobs]
    return _floored(weights)


def ranked(text: str, count: int) -> list[float]:
    """Weights of `count` choices from the letters that a text names, best first; those it leaves out get the floor."""
    known = LETTERS[:count]
    order = list(dict.fromkeys(letter for letter in _LETTER.findall(text) if letter in known))
    weights = [0.0] * count
    for rank, letter in enumerate(order):
        weights[known.index(letter)] = RANK_SHARE**rank
    return _floored(weights) if order else [1 / count] * count


def _floored(weights: Sequence[float]) -> list[float]:
    total = sum(weights)
    lifted = [max(w / total, FLOOR) for w in weights]
    return [w / sum(lifted) for w in lifted]
