"""The safety net: "stop" and "land" in any of their forms, recognised without a model and before any planner.

Missing a "stop" is worse than stopping once too often, so a sentence that *begins* with a word for stopping counts,
unless what follows makes it an order of another kind ("stop at the chair", "stop 1 m before the chair"). "Land" must
be the whole utterance, since it is also the last step of many plans ("take a picture and land").
"""

import functools
import re
from collections.abc import Iterable
from typing import Literal, TypeAlias

from sayso.grounding.pattern import pattern
from sayso.grounding.tokens import clean, tokens
from sayso.plugins.kits import called
from sayso.tables import toml

Urgent: TypeAlias = Literal["stop", "land"]

_WORDS: dict[str, list[str]] = toml(__package__, "urgent.toml")


def urgent(text: str) -> Urgent | None:
    """Whether `text` asks to stop or to land at once, whatever else is going on; None when it does neither.

    Letter case, punctuation, repetition ("stop stop!!"), drawn-out letters ("stooop") and forms of courtesy make no
    difference.
    """
    if whole := _whole(text):
        return whole
    cries = filter(None, text.split("!")[:-1])
    return "stop" if _begins_with_stop(text) or any(_whole(cry) == "stop" for cry in cries) else None


def _words(text: str) -> str:
    """The words, a blank behind each. Drawn-out letters are one letter: "stooop", "landdd"; "freeze" keeps its two,
    since two are ordinary."""
    words = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)*", clean(text).lower())
    return re.sub(r"(.)\1{2,}", r"\1", "".join(f"{word} " for word in words))


@functools.cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A phrase of an utterance that is urgent as a whole, and the beginning of one that begins with a stop. A kit that
    cannot be loaded takes away a name, never a stop."""
    try:
        names = [*called()]
    except Exception:
        names = []
    named = [*names, *(f"the {name}" for name in names)]
    land, stop = _any([*_WORDS["land"], *(f"land the {name}" for name in names)]), _any(_WORDS["stop"])
    phrase = rf"(?:(?P<land>{land})|(?P<stop>{stop})|{_any([*_WORDS['around'], *named])}) "
    begins = rf"(?>(?:{_any([*_WORDS['before'], *named])}) )*+(?P<stop>{stop}) (?P<after>\S*)"
    return re.compile(phrase), re.compile(begins)


def _any(phrases: Iterable[str]) -> str:
    """A pattern of any of these, the longest first."""
    return "|".join(map(re.escape, sorted(phrases, key=lambda phrase: -len(phrase.split()))))


def _whole(text: str) -> Urgent | None:
    """All of it is urgent words and what may stand around them; landing includes stopping."""
    phrase, words, at, found, stops = _patterns()[0], _words(text), 0, set[str | None](), set[str]()
    while match := phrase.match(words, at):
        at = match.end()
        found.add(match.lastgroup)
        stops |= {match["stop"]} if match["stop"] else set()
    if at < len(words) or (stops and stops <= {*_WORDS["alone"]} and re.search(r"\d", text)):
        return None
    return "land" if "land" in found else "stop" if "stop" in found else None


def _begins_with_stop(text: str) -> bool:
    match = _patterns()[1].match(_words(text))
    if not match or match["stop"] in _WORDS["alone"]:
        return False
    if match["stop"] in _WORDS["posture"] and match["after"] in _WORDS["with_posture"]:
        return False
    return match["after"] not in _WORDS["goes_on"] and not _keeps_away(text)


def _keeps_away(text: str) -> bool:
    """Whether it is a place to stop at, so far from a thing. A cry is none."""
    if "!" in text:
        return False
    said = tokens(clean(text))
    return any(pattern(way).whole(said) for way in _WORDS["at_a_distance"])
