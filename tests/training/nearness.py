"""How like many sentences are to many others, by their letters, in one product of two tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def likeness(ones: Sequence[frozenset[str]], others: Sequence[frozenset[str]]) -> NDArray[np.float32]:
    """Dice's coefficient of each of `ones` with each of `others`, both groups of letters: (ones, others), 0 to 1."""
    places = {gram: n for n, gram in enumerate({g for said in (*ones, *others) for g in said})}

    def table(said: Sequence[frozenset[str]]) -> NDArray[np.float32]:
        held = np.zeros((len(said), len(places)), np.float32)
        for row, grams in zip(held, said, strict=True):
            row[[places[g] for g in grams]] = 1
        return held

    a, b = table(ones), table(others)
    return np.asarray(2 * (a @ b.T) / (a.sum(1)[:, None] + b.sum(1)[None]), np.float32)
