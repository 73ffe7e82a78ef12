"""What a mission's planning costs: floating point operations of the language model, with and without reuse, and as the

paper counts them. A transformer spends two operations per parameter and token, read or written (a multiplication and
an addition). With its keys and values kept, a call reads only what is new since the one before; the conversation grows
at its end only, so that all before it is kept. The paper counts six per token, which is what training costs, and the
input alone. What sees costs nothing here: the detector of a simulated camera works on geometry.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import TypeAlias

PER_TOKEN, PER_TOKEN_PAPER = 2, 6
LARGE = 8.0e9
"""Parameters of a model whose size nobody told: those of the paper's planner."""

SMALL_COUNTER = "pocket"

Call: TypeAlias = tuple[int, int]
"""Tokens in and out of one call."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Operations of one mission: with reuse, without, and in the paper's way."""

    kept: float
    whole: float
    paper: float


def new_tokens(calls: Sequence[Call], keeps: bool) -> list[int]:
    """The tokens that each call costs: what is read that was not read or written before, and what is written."""
    if not keeps:
        return [read + written for read, written in calls]
    first = [sum(calls[0])] if calls else []
    return first + [max(0, b[0] - sum(a)) + b[1] for a, b in pairwise(calls)]


def cost(calls: Sequence[Call], parameters: float, keeps: bool) -> Cost:
    """`keeps` is whether each prompt is the one before with more at its end."""
    return Cost(
        PER_TOKEN * parameters * sum(new_tokens(calls, keeps)),
        PER_TOKEN * parameters * sum(new_tokens(calls, False)),
        PER_TOKEN_PAPER * parameters * sum(read for read, _ in calls),
    )


def parameters_of(counter: str) -> float:
    """Of the model whose tokens were counted so."""
    return _small() if counter == SMALL_COUNTER else LARGE


def keeps(counter: str) -> bool:
    """The embedded model reads anew each time; others read the conversation, which only grows."""
    return counter != SMALL_COUNTER


@cache
def _small() -> float:
    card = resources.files("sayso.models.pocket").joinpath("weights", "card.json")
    return float(json.loads(card.read_text("utf-8"))["parameters"]) if card.is_file() else 0.0
