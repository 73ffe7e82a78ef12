"""Writing an answer: the most likely token that the guide allows, again and again.

The guide is asked about one token, the best; only where it refuses are others looked at, best first. How sure the model
was is taken before the guide has its say: a model that has to be corrected did not know.
"""

from __future__ import annotations

import copy
import math
import string
from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from sayso.models.pocket.guides import Guide
from sayso.models.pocket.net import Floats, Kept, Known
from sayso.models.pocket.words import CAP, JOIN, Spelling, Words

CAPITALS = string.ascii_uppercase
SMALL = string.ascii_lowercase + string.digits
FIRST_TRIED = 32


class Writes(Protocol):
    """The part of `Net` that writing needs."""

    words: Words

    def nothing(self, rows: int = 1) -> Kept: ...

    def write(self, known: Known, rows: Sequence[Sequence[int]], kept: Kept) -> tuple[Floats, Kept]: ...


class Writing:
    """One answer in the making. `chances` holds how likely each token was, the end included."""

    def __init__(self, net: Writes, known: Known, begin: int, guide: Guide, most: int) -> None:
        self.guide = guide
        self.ids: list[int] = []
        self.chances: list[float] = []
        self.over = False
        self._net, self._known, self._most = net, known, most
        self._kept, self._next = net.nothing(), begin
        self._spelling = Spelling(net.words)

    def step(self) -> None:
        """One more token, or the end. Where no token fits, or enough is written, it is over."""
        scores, self._kept = self._net.write(self._known, [[self._next]], self._kept)
        row = scores[0, -1]
        token = self._choose(row)
        if token is None:
            self.over = True
            return
        self.ids.append(token)
        self.chances.append(chance(row, token))
        self._next = token
        self.over = token == self._net.words.end or len(self.ids) >= self._most

    @property
    def ended(self) -> bool:
        """Whether the model itself came to an end."""
        return bool(self.ids) and self.ids[-1] == self._net.words.end

    def _choose(self, row: Floats) -> int | None:
        best = int(row.argmax())
        if self._fits(best):
            return best
        letters = self.guide.letters()
        return next((t for t in _ranked(row) if self._may(t, letters) and self._fits(t)), None)

    def _may(self, token: int, letters: frozenset[str]) -> bool:
        """A quick no to most tokens that cannot come: by their first letter."""
        piece = self._net.words.tokens[token]
        first = piece[2:3] if piece.startswith("##") and len(piece) > 2 else piece[:1]
        return token in self._net.words.silent or bool({first, first.upper(), " "} & letters)

    def _fits(self, token: int) -> bool:
        """Whether the guide takes this token; then it is written."""
        words = self._net.words
        if token == words.end:
            return self.guide.may_end
        mark = words.tokens[token] in (CAP, JOIN)
        if token in words.silent and not mark:
            return False
        spelling = copy.copy(self._spelling)
        text = spelling.add(token)
        fits = self._leads_on(spelling) if mark else bool(text) and self.guide.take(text)
        if fits:
            self._spelling = spelling
        return fits

    def _leads_on(self, spelling: Spelling) -> bool:
        """Whether a mark that has no text of its own makes a difference, to a word that can come."""
        letter = self._net.words.ids["a"]
        before, after = copy.copy(self._spelling).add(letter), copy.copy(spelling).add(letter)
        blank, alphabet = after[:-1], CAPITALS if after[-1].isupper() else SMALL
        return before != after and any(self.guide.viable(blank + c) for c in alphabet)


def _ranked(row: Floats) -> Iterator[int]:
    """Tokens, the likeliest first; sorted only as far as somebody asks."""
    first = np.argpartition(-row, FIRST_TRIED)[:FIRST_TRIED]
    yield from map(int, first[np.argsort(-row[first], kind="stable")])
    yield from map(int, np.argsort(-row, kind="stable")[FIRST_TRIED:])


def chance(row: Floats, token: int) -> float:
    """How likely a token is among all."""
    return math.exp(float(row[token] - row.max())) / float(np.exp(row - row.max()).sum())
