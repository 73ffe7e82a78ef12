"""The words of a wish: slips of the finger mended, and what no lesson ever told the model.

A word that the model cannot know it reads in shreds. Only the person's words are mended, never names in view or what
stands in double quotes, and only by one letter: one too many, one missing, one wrong, or two exchanged. A word is left
alone that is a name in view or in the robot's table of names, that is one of the model's own tokens, that
pyspellchecker's dictionary has, or that people use although no dictionary has it. It becomes a name of the prompt if it
comes close to one; else, of the words that the model knows, the one that is likeliest to be written so, and of those
the most frequent one. What a plan may do is not decided here.

What the model was told are the words of its lessons (`learned.txt`, from `training/learned.py`). It makes the nearest
goal of any wish, often without doubt, whatever a word in it may have meant that it never met.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Container, Iterable
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spellchecker import SpellChecker

LETTERS_LEAST = 4
"""Shorter words come close to too many others."""

LEARNED = resources.files(__package__) / "weights" / "learned.txt"
WORD = re.compile(rf"(?<![\w'-])[a-z]{{{LETTERS_LEAST},}}(?![\w'-])")

_MARKED = re.compile(r"(<(?:plan|ask|tasks|command|mission|next)>)([^<]*)(<.*)", re.DOTALL)
_QUOTED_OR_WORD = re.compile(rf'"[^"]*"|{WORD.pattern}')
_LETTERS = re.compile(r"[a-z]+")


@functools.cache
def dictionary() -> SpellChecker:
    """English words with how often they are used. Loaded for the first strange word: it takes a fifth of a second."""
    from spellchecker import SpellChecker

    return SpellChecker(language="en", distance=1)


@functools.cache
def learned() -> frozenset[str]:
    """The words of the lessons."""
    return frozenset(LEARNED.read_text("utf-8").split())


def mended(text: str, tokens: Container[str], known: Iterable[str] = ()) -> str:
    """What the model reads, in a short form, with the wish in it mended; `tokens` are the model's own, `known` names
    that the robot knows."""
    found = _MARKED.fullmatch(text)
    if not found:
        return text
    mark, wish, rest = found.groups()
    names = frozenset(_LETTERS.findall(" ".join((rest, *known)).lower()))
    return f"{mark}{_QUOTED_OR_WORD.sub(lambda m: meant(m[0], tokens, names), wish)}{rest}"


def meant(word: str, tokens: Container[str], names: frozenset[str] = frozenset()) -> str:
    """The word that was meant by `word`: itself, where there is no better one."""
    spelled = dictionary()
    if word.startswith('"') or word in names or word in tokens or word in learned() or word in spelled:
        return word
    if short := spelled.known(f"{word[:-n]}'{word[-n:]}" for n in (1, 2)):  # dont, youre
        return max(short, key=lambda w: spelled[w])
    near = spelled.edit_distance_1(word)
    close = [n for n in near & names if len(n) >= LETTERS_LEAST] or [w for w in spelled.known(near) if w in tokens]
    return max(close, key=lambda w: (likely(word, w), spelled[w], w), default=word)


def unlearned(text: str, known: Iterable[str] = ()) -> tuple[str, ...]:
    """The words of the wish in a short form that no lesson had and that are no names which the robot knows, each once.

    What stands in double quotes is passed on and need not be known.
    """
    found = _MARKED.fullmatch(text)
    if not found:
        return ()
    _, wish, rest = found.groups()
    names = _LETTERS.findall(" ".join((rest, *known)).lower())
    met = [word for word in _QUOTED_OR_WORD.findall(wish) if not word.startswith('"')]
    return tuple(dict.fromkeys(word for word in met if word not in learned() and word not in names))


def likely(written: str, word: str) -> int:
    """2 where two letters were exchanged; 1 where one was left out, doubled or beside the right one; else 0."""
    if sorted(written) == sorted(word):
        return 2
    if len(written) < len(word):
        return 1
    at = next((i for i, (a, b) in enumerate(zip(written, word, strict=False)) if a != b), len(word))
    if len(written) > len(word):
        return int(at > 0 and written[at] == written[at - 1])
    return int(written[at] in _BESIDE[word[at]])


def _beside() -> dict[str, frozenset[str]]:
    """For each letter the keys around its own."""
    rows = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
    at = {key: (row, x) for row, keys in enumerate(rows) for x, key in enumerate(keys)}
    near = {k: [o for o in at if abs(at[o][0] - at[k][0]) <= 1 and abs(at[o][1] - at[k][1]) <= 1] for k in at}
    return {key: frozenset(others) - {key} for key, others in near.items()}


_BESIDE = _beside()
