"""Pairs of sentences in which one part is another: what is understood changes, or the part is told (U3).

A few from each world; `python benchmarks/changed.py` reads them all.
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
from changed import SCENES, came, heard, pairs

EVERY = {"office": 12, "home": 9, "warehouse": 8, "soccer": 5, "rescue": 8}
"""Of so many pairs of a world one is read here."""


@pytest.mark.parametrize(
    ("world", "one", "other"),
    [(world, *pair) for world in SCENES for pair in islice(pairs(world), 3, None, EVERY[world])],
)
def test_u3_no_part_of_a_sentence_is_dropped_without_a_word(world: str, one: str, other: str) -> None:
    first, second = heard(world, one), heard(world, other)
    assert came(first, second) != "silent", first.told or first.said
