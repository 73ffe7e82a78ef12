"""The cost of a mission's planning: floating point operations of the language model, with and without reuse.

paper counts them. A transformer spends two operations per parameter and token, read or written (a multiplication and
an addition). With its keys and values kept, a call reads only what is new since the one before; the conversation grows
at its end only, so that all before it is kept. The embedded model reads anew each time. The paper counts six per token,
which is what training costs, and the input alone. What sees costs nothing here: the detector of a simulated camera
works on geometry.
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import TypeAlias

from sayso.understanding.forms import EMBEDDED

PER_TOKEN, PER_TOKEN_PAPER = 2, 6
LARGE = 8.0e9
"""Parameters of a model whose size nobody told: those of the paper's planner."""

Call: TypeAlias = tuple[int, int]
"""Tokens in and out of one call."""


def cost(calls: Sequence[Call], counter: str) -> dict[str, float]:
    """Billions of operations of one mission, with reuse, without, and in the paper's way; `counter` is the model whose
    tokens were counted so."""
    whole = sum(map(sum, calls))
    kept = whole if counter == EMBEDDED else new_tokens(calls)
    per_token = (_small() if counter == EMBEDDED else LARGE) / 1e9
    return {
        "gflop": round(PER_TOKEN * per_token * kept, 1),
        "gflop_whole": round(PER_TOKEN * per_token * whole, 1),
        "gflop_paper": round(PER_TOKEN_PAPER * per_token * sum(read for read, _ in calls), 1),
    }


def new_tokens(calls: Sequence[Call]) -> int:
    """The tokens newly read, and those written, where each prompt is the one before with more at its end."""
    return sum(map(sum, calls[:1])) + sum(max(0, b[0] - sum(a)) + b[1] for a, b in pairwise(calls))


@cache
def _small() -> float:
    card = resources.files("sayso.models.pocket").joinpath("weights", "card.json")
    return float(json.loads(card.read_text("utf-8"))["parameters"]) if card.is_file() else 0.0
