"""Test doubles of the embedded model's networks: one that throws dice, one that writes what it is told.

Both have the words of a small vocabulary that can spell anything in ASCII.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sayso.models.pocket.net import Floats, Kept, Known
from sayso.models.pocket.words import Words, vocabulary

SOME = (
    "go to the chair apple what is see no not here true false none walk ball kick stand still look around turn on spot "
    "done cannot i am sure that understood please say it in other words take picture"
)
SIGNS = [c for c in string.printable if c.isprintable() and not c.isalnum() and c != " "]
ALONE = [*string.ascii_lowercase, *string.digits]
WORDS = Words(
    vocabulary(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *SIGNS, *ALONE, *(f"##{c}" for c in ALONE), *set(SOME.split())])
)


class Dice:
    """Scores by chance, the same for the same beginning. `sharp` is how decided it is."""

    def __init__(self, seed: int = 0, sharp: float = 3.0, write_max: int = 24, **card: Any) -> None:
        self.words = WORDS
        self.card = {"doubt": {}, "ahead": 8, "width": 4, **card}
        self.read_max, self.write_max = 320, write_max
        self.asked: list[tuple[int, ...]] = []
        self._seed, self._sharp = seed, sharp

    def read(self, ids: tuple[int, ...]) -> Known:
        self.asked.append(ids)
        return Known(np.full(4, 0.5, np.float32), {"ids": np.array(ids, np.float32)}, len(ids))

    def nothing(self, rows: int = 1) -> Kept:
        return {"written": np.zeros((rows, 0), np.float32)}

    def write(self, known: Known, rows: Sequence[Sequence[int]], kept: Kept) -> tuple[Floats, Kept]:
        written = np.concatenate([kept["written"], np.array(rows, np.float32)], axis=1)
        before = kept["written"].shape[1]
        heard = int(known.told["ids"].sum())
        scores = [
            [self.scores(heard, [int(i) for i in row[: n + 1]]) for n in range(before, len(row))] for row in written
        ]
        return np.array(scores, np.float32), {"written": written}

    def scores(self, heard: int, written: Sequence[int]) -> Floats:
        """What could come behind `written`, which begins with the mark of the kind of text."""
        dice = np.random.default_rng([self._seed, heard, *written])
        return (dice.standard_normal(len(self.words)) * self._sharp).astype(np.float32)


class Parrot(Dice):
    """Writes `text`, whatever it reads, as surely as `chance` says for each token (by its place)."""

    def __init__(self, text: str, chance: Callable[[int], float] = lambda place: 0.99, **more: Any) -> None:
        super().__init__(**{"write_max": 160, **more})
        self._ids = WORDS.write(text)
        self._chance = chance

    def scores(self, heard: int, written: Sequence[int]) -> Floats:
        place = len(written) - 1
        chance = self._chance(place)
        row = np.full(len(self.words), np.log((1 - chance) / len(self.words)), np.float32)
        row[self._ids[place] if place < len(self._ids) else WORDS.end] = np.log(chance)
        return row
