"""The safety net: "stop" and "land" in any of their forms, recognised without a model and before any planner.

Missing a "stop" is worse than stopping once too often, so a sentence that *begins* with a word for stopping counts,
unless what follows makes it an order of another kind ("stop at the chair", "stand still and wave"). "Land" must be the
whole utterance, since it is also the last step of many plans ("take a picture and land").
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence
from typing import Literal, TypeAlias

from sayso.data import toml
from sayso.kits import called
from sayso.planners.reflex.words import by_first_word

Urgent: TypeAlias = Literal["stop", "land"]
Phrase: TypeAlias = tuple[str, ...]

_WORDS: dict[str, list[str]] = toml(__package__, "urgent.toml")
_GOES_ON = frozenset(_WORDS["goes_on"])
_WITH_POSTURE = frozenset(_WORDS["with_posture"])
_POSTURES = frozenset(tuple(phrase.split()) for phrase in _WORDS["posture"])
_ALONE = frozenset(tuple(phrase.split()) for phrase in _WORDS["alone"])


def urgent(text: str) -> Urgent | None:
    """Whether `text` asks to stop or to land at once, whatever else is going on; None when it does neither.

    Letter case, punctuation, repetition ("stop stop!!"), drawn-out letters ("stooop") and forms of courtesy make no
    difference.
    """
    words = _words(text)
    if not words:
        return None
    whole = _whole(words)
    if whole:
        return whole
    if _begins_with_stop(words):
        return "stop"
    cries = filter(None, text.split("!")[:-1])
    return "stop" if any(_whole(_words(cry)) == "stop" for cry in cries) else None


def _words(text: str) -> list[str]:
    straight = unicodedata.normalize("NFKC", text).replace("’", "'").lower()
    return [_drawn(word) for word in re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)*", straight)]


def _drawn(word: str) -> str:
    """Drawn-out letters are one letter: "stooop", "landdd"; "freeze" keeps its two, since two are ordinary."""
    return re.sub(r"(.)\1{2,}", r"\1", word)


class _Known:
    """The phrases, with what people call robots among them."""

    def __init__(self, names: Sequence[str]) -> None:
        named = [*names, *(f"the {name}" for name in names)]
        land = [*_WORDS["land"], *(f"land the {name}" for name in names)]
        self.means: dict[Phrase, Urgent | None] = {
            **{tuple(p.split()): None for p in (*_WORDS["around"], *named)},
            **{tuple(p.split()): "stop" for p in _WORDS["stop"]},
            **{tuple(p.split()): "land" for p in land},
        }
        self.all = by_first_word((*_WORDS["stop"], *land, *_WORDS["around"], *named))
        self.before = by_first_word((*_WORDS["before"], *named))
        self.stops = by_first_word(_WORDS["stop"])


@functools.cache
def _known() -> _Known:
    """A kit that cannot be loaded takes away a name, never a stop."""
    try:
        return _Known(called())
    except Exception:
        return _Known(())


def _match(phrases: dict[str, list[Phrase]], words: list[str], at: int) -> Phrase:
    if at >= len(words):
        return ()
    return next((p for p in phrases.get(words[at], ()) if tuple(words[at : at + len(p)]) == p), ())


def _whole(words: list[str]) -> Urgent | None:
    """All of it is urgent words and what may stand around them; landing includes stopping."""
    known, at, found = _known(), 0, set[Urgent]()
    while at < len(words):
        phrase = _match(known.all, words, at)
        if not phrase:
            return None
        if meaning := known.means[phrase]:
            found.add(meaning)
        at += len(phrase)
    return "land" if "land" in found else "stop" if found else None


def _begins_with_stop(words: list[str]) -> bool:
    known, at = _known(), 0
    while phrase := _match(known.before, words, at):
        at += len(phrase)
    stop = _match(known.stops, words, at)
    if not stop or stop in _ALONE:
        return False
    after = words[at + len(stop) : at + len(stop) + 1]
    if stop in _POSTURES and after and after[0] in _WITH_POSTURE:
        return False
    return not (after and after[0] in _GOES_ON)
