"""Constrained decoding: the most likely token that the constraint allows, again and again.

It is asked about one token, the best; only where it refuses are others looked at, best first. How sure the model was is
taken before the constraint has its say: a model that has to be corrected did not know. `others` are the answers that it
could have given instead.
"""

import copy
import heapq
import math
import string
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from sayso.models.pocket.net import EncoderOutput, Floats, Net
from sayso.models.pocket.tokenizer import CAP, JOIN, Spelling
from sayso.understanding.forms import Constraint

CAPITALS = string.ascii_uppercase
SMALL = string.ascii_lowercase + string.digits
FIRST_TRIED = 32

RIVALS = 4
"""So many tokens, the likeliest first, are looked at where another answer may part from this one."""
RIVAL_LEAST = 0.005
"""A token that is less likely is no rival."""


class Decoding:
    """One answer in the making. `chances` holds how likely each token was, the end included; it begins with the tokens
    `forced`, as far as they fit. `rivals` are the beginnings of other answers, and how likely each is."""

    def __init__(
        self,
        net: Net,
        encoded: EncoderOutput,
        begin: int,
        constraint: Constraint,
        most: int,
        forced: Sequence[int] = (),
    ) -> None:
        self.constraint = constraint
        self.ids: list[int] = []
        self.chances: list[float] = []
        self.rivals: list[tuple[float, tuple[int, ...]]] = []
        self.over = False
        self._forced = forced
        self._net, self._encoded, self._most = net, encoded, most
        self._cache, self._next = net.empty_cache(), begin
        self._spelling = Spelling(net.tokenizer)

    def step(self) -> None:
        """One more token, or the end. Where no token fits, or enough is written, it is over."""
        scores, self._cache = self._net.write(self._encoded, [[self._next]], self._cache)
        row = scores[0, -1]
        given = self._forced[len(self.ids)] if len(self.ids) < len(self._forced) else None
        token = self._choose(row) if given is None else given if self._fits(given) else None
        if token is None:
            self.over = True
            return
        if given is None:
            rivals = [t for t in map(int, np.argpartition(row, -RIVALS)[-RIVALS:]) if t != token]
            told = zip(chances(row, rivals), rivals, strict=True)
            self.rivals += [(self.chance * c, (*self.ids, t)) for c, t in told if c > RIVAL_LEAST]
        self.ids.append(token)
        self.chances += chances(row, [token])
        self._next = token
        self.over = token == self._net.tokenizer.end or len(self.ids) >= self._most

    @property
    def chance(self) -> float:
        """How likely all of it is."""
        return math.prod(self.chances)

    @property
    def ended(self) -> bool:
        """Whether the model itself came to an end."""
        return bool(self.ids) and self.ids[-1] == self._net.tokenizer.end

    def _choose(self, row: Floats) -> int | None:
        best = int(row.argmax())
        if self._fits(best):
            return best
        letters = self.constraint.letters()
        return next((t for t in _ranked(row) if self._may(t, letters) and self._fits(t)), None)

    def _may(self, token: int, letters: frozenset[str]) -> bool:
        """A quick no to most tokens that cannot come: by their first letter."""
        piece = self._net.tokenizer.tokens[token]
        first = piece[2:3] if piece.startswith("##") and len(piece) > 2 else piece[:1]
        return token in self._net.tokenizer.silent or bool({first, first.upper(), " "} & letters)

    def _fits(self, token: int) -> bool:
        """Whether the constraint takes this token; then it is written."""
        tokenizer = self._net.tokenizer
        if token == tokenizer.end:
            return self.constraint.may_end
        mark = tokenizer.tokens[token] in (CAP, JOIN)
        if token in tokenizer.silent and not mark:
            return False
        spelling = copy.copy(self._spelling)
        text = spelling.add(token)
        fits = self._leads_on(spelling) if mark else bool(text) and self.constraint.take(text)
        if fits:
            self._spelling = spelling
        return fits

    def _leads_on(self, spelling: Spelling) -> bool:
        """Whether a mark that has no text of its own makes a difference, to a word that can come."""
        letter = self._net.tokenizer.ids["a"]
        before, after = copy.copy(self._spelling).add(letter), copy.copy(spelling).add(letter)
        blank, alphabet = after[:-1], CAPITALS if after[-1].isupper() else SMALL
        return before != after and any(self.constraint.viable(blank + c) for c in alphabet)


def others(
    first: Decoding, begin: Callable[[Sequence[int]], Decoding], stopped: Callable[[], bool]
) -> Iterator[Decoding]:
    """Answers that the model could have given instead of the `first`, in the order of their likeliest beginnings.

    A decoding that `begin`s with given tokens goes on as is best; where it could have gone otherwise, others begin.
    """
    waiting = [(-chance_, ids) for chance_, ids in first.rivals]
    heapq.heapify(waiting)
    while waiting:
        other = begin(heapq.heappop(waiting)[1])
        while not other.over:
            if stopped():
                return
            other.step()
        for chance_, ids in other.rivals:
            heapq.heappush(waiting, (-chance_, ids))
        if other.ended:
            yield other


def _ranked(row: Floats) -> Iterator[int]:
    """Tokens, the likeliest first; sorted only as far as somebody asks."""
    first = np.argpartition(-row, FIRST_TRIED)[:FIRST_TRIED]
    yield from map(int, first[np.argsort(-row[first], kind="stable")])
    yield from map(int, np.argsort(-row, kind="stable")[FIRST_TRIED:])


def chances(row: Floats, tokens: Sequence[int]) -> list[float]:
    """How likely each of some tokens is among all."""
    likely = np.exp(row - row.max())
    whole = float(likely.sum())
    return [float(likely[token]) / whole for token in tokens]
