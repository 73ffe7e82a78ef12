"""Byte-pair tokens of our own, learned from lessons: a few thousand words and pieces of words, in plain Python.

Text is first cut into pieces that a token never crosses: a mark of `form`, a word with the blank before it, a number of
at most two digits (coordinates are copied, so each should be one token), any other sign. Within pieces the most
frequent neighbours are joined again and again. Characters outside printable ASCII become ~, as `form.clean` has them.
"""

from __future__ import annotations

import functools
import itertools
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from form import MARKS

PIECE = re.compile(r"<[a-z]+>| ?[A-Za-z]+| ?\d{1,2}|.", re.DOTALL)
PAD = "<pad>"
ALPHABET = tuple(chr(code) for code in range(32, 127))


class Tokenizer:
    """Tokens are strings; `merges` lists which two were joined, in order.

    `encode` and `decode` invert each other on ASCII.
    """

    def __init__(self, merges: Sequence[tuple[str, str]]) -> None:
        self.merges = tuple((a, b) for a, b in merges)
        self.tokens = (PAD, *MARKS, *ALPHABET, *dict.fromkeys(a + b for a, b in self.merges))
        self.ids = {token: i for i, token in enumerate(self.tokens)}
        self._rank = {pair: i for i, pair in enumerate(self.merges)}
        self._pieces = functools.lru_cache(maxsize=50_000)(self._split)

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, text: str) -> list[int]:
        return [i for piece in PIECE.findall(text) for i in self._pieces(piece)]

    def decode(self, ids: Iterable[int]) -> str:
        return "".join(self.tokens[i] for i in ids if i)

    def _split(self, piece: str) -> tuple[int, ...]:
        if piece in MARKS:
            return (self.ids[piece],)
        parts = [c if c in self.ids else "~" for c in piece]
        while len(parts) > 1:
            rank, at = min(
                (self._rank.get(pair, len(self._rank)), i) for i, pair in enumerate(itertools.pairwise(parts))
            )
            if rank == len(self._rank):
                break
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        return tuple(self.ids[part] for part in parts)

    def save(self, file: Path) -> None:
        file.write_text(json.dumps({"merges": self.merges}, indent=0), "utf-8")

    @classmethod
    def load(cls, file: Path) -> Tokenizer:
        return cls([tuple(pair) for pair in json.loads(file.read_text("utf-8"))["merges"]])


def learn(texts: Iterable[str], size: int) -> Tokenizer:
    """A tokenizer of at most `size` tokens. Ties go to the alphabet, so the same texts give the same tokens."""
    counts = Counter(piece for text in texts for piece in PIECE.findall(text) if piece not in MARKS)
    words = [[c if c in ALPHABET else "~" for c in piece] for piece in counts]
    weights = list(counts.values())
    pairs, where = Counter[tuple[str, str]](), defaultdict[tuple[str, str], set[int]](set)
    for n, word in enumerate(words):
        for pair in itertools.pairwise(word):
            pairs[pair] += weights[n]
            where[pair].add(n)
    merges: list[tuple[str, str]] = []
    while len(merges) < size - len(MARKS) - len(ALPHABET) - 1 and pairs:
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        if pairs[best] < 2:
            break
        merges.append(best)
        for n in list(where[best]):
            _join(words, weights, pairs, where, n, best)
        del pairs[best]
    return Tokenizer(merges)


def _join(
    words: list[list[str]],
    weights: Sequence[int],
    pairs: Counter[tuple[str, str]],
    where: dict[tuple[str, str], set[int]],
    n: int,
    best: tuple[str, str],
) -> None:
    """Replace a pair in one word, and keep the counts of neighbours right."""
    old, new = words[n], list[str]()
    for part in old:
        if new and (new[-1], part) == best:
            new[-1] += part
        else:
            new.append(part)
    for pair in itertools.pairwise(old):
        pairs[pair] -= weights[n]
        where[pair].discard(n)
    for pair in itertools.pairwise(new):
        pairs[pair] += weights[n]
        where[pair].add(n)
    words[n] = new
