"""How a sentence comes out: politeness, chatter, second thoughts, slips of finger and grammar."""

from __future__ import annotations

import re
from random import Random

from lessons.lists import lists, pairs
from lessons.phrasing import tables
from lessons.simple import SINGLE, Clause, anything
from lessons.telling import Teller, Unsaid

ARTICLES = re.compile(r"\b(the|a|an) ")
WORD = re.compile(r"[a-z]{4,}")
QUOTED = re.compile(r"\"[^\"]*\"|(?<!\w)'[^']+'(?!\w)")


def spoken(t: Teller, clause: Clause) -> str:
    """The whole utterance for a clause."""
    said = clause.words
    roll = t.rng.random()
    if clause.form == "orders" and roll < 0.55:
        said = _corrected(t, said) if roll < 0.04 else t.around("shells.order", "frames", c=said)
    elif clause.form != "orders" and t.rng.random() < 0.35:
        said = t.around("shells.sentence", "frames", s=said)
    if t.rng.random() < 0.08:
        said = _chatted(t.rng, said)
    return rough(t.rng, said)


def _corrected(t: Teller, said: str) -> str:
    """A slip that is taken back before it is too late."""
    for _ in range(5):
        wrong = anything(t.rng, SINGLE)(t, "orders").words
        if wrong != said:
            return t.around("shells.correction", "frames", wrong=wrong, c=said)
    raise Unsaid("nothing else to say")


def _chatted(rng: Random, said: str) -> str:
    chatter = tables()["shells.chatter"]
    where = rng.choice(("before", "after"))
    extra = rng.choice(chatter[where].strip().splitlines())
    return f"{extra} {said}" if where == "before" else f"{said.rstrip('.')}. {extra}"


def rough(rng: Random, said: str) -> str:
    """Most sentences stay as they are; the others are typed in haste, or by somebody whose language this is not.

    What stands in quotes stays, since it is to be said word for word.
    """
    other = _roughened(rng, said)
    return other if all(quote in other for quote in QUOTED.findall(said)) else said


def _roughened(rng: Random, said: str) -> str:
    roll = rng.random()
    if roll < 0.09:
        return typed(rng, said, 1 + (rng.random() < 0.3))
    if roll < 0.13:
        return _swapped(rng, said, "slang")
    if roll < 0.155:
        return _swapped(rng, said, "accents")
    if roll < 0.19:
        return ARTICLES.sub("", said)
    if roll < 0.215:
        return _hesitant(rng, said)
    if roll < 0.25:
        return said.replace(",", "").replace("'", "")
    return said


def typed(rng: Random, said: str, slips: int) -> str:
    """With slips of the finger in longer words: swapped, doubled, dropped or neighbouring letters."""
    for _ in range(slips):
        words = list(WORD.finditer(said))
        if not words:
            return said
        word = rng.choice(words)
        said = said[: word.start()] + _slipped(rng, word.group()) + said[word.end() :]
    return said


def _slipped(rng: Random, word: str) -> str:
    at = rng.randrange(1, len(word) - 1)
    kind = rng.randrange(4)
    if kind == 0:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind == 1:
        return word[:at] + word[at] + word[at:]
    if kind == 2:
        return word[:at] + word[at + 1 :]
    return word[:at] + rng.choice(lists("keys")[word[at]]) + word[at + 1 :]


def _swapped(rng: Random, said: str, table: str) -> str:
    fitting = [(old, new) for old, new in pairs(table) if old in said]
    if not fitting:
        return said
    for old, new in rng.sample(fitting, min(len(fitting), rng.choice((1, 1, 2)))):
        said = said.replace(old, new, 1)
    return said


def _hesitant(rng: Random, said: str) -> str:
    words = said.split(" ")
    at = rng.randrange(len(words))
    filler = rng.choice(tables()["shells.fillers"]["words"].strip().splitlines())
    if rng.random() < 0.3:
        words.insert(at, words[at])
    else:
        words.insert(at, rng.choice((f"{filler},", filler, f"{filler}...")))
    return " ".join(words)
