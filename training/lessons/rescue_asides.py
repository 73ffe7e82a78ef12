"""What callers add that is no fact of the search, or one by the way: ages, what nobody knows, fingers that slip.

An age makes a child of "my brother"; everybody else's age changes nothing. That something is unknown is said in words
that elsewhere tell of it, so it has to be learnt that nothing follows from them.
"""

from __future__ import annotations

import re
from random import Random

from lessons import words
from lessons.phrasing import tables
from lessons.rescue_goal import CHILDREN, Named
from lessons.voice import typed

CHILD_AGES, GROWN_AGES = (2, 12), (20, 94)
ONLY_WITH_AGE = re.compile(
    r"(my|our) (son|daughter|boy|girl|nephew|niece|brother|sister|grandson|granddaughter|eldest)"
)
"""Relatives that an age says it of whether they are children."""

_ABOUT = {
    "seen": re.compile(r"position|lkp|point|where|seen|witness|anything"),
    "colour": re.compile(r"cloth|colour|wearing|has on|description"),
    "ago": re.compile(r"time|when|contact|last"),
    "size": re.compile(r"description"),
}
_AGED = re.compile(r"\d|,| year| of (a|\w+(e|n|x|t|o|r|y))$| aged |old$|toddler|baby|infant")
_SHORT = re.compile(r"\b[a-z]{3}\b")


def age(rng: Random, named: Named) -> str:
    """A sentence about the age; empty mostly, never where the noun leaves the age open."""
    told = bool(_AGED.search(named.noun))
    if not named.person or told:
        return ""
    child = named.group in CHILDREN
    if not ONLY_WITH_AGE.fullmatch(named.noun) and rng.random() > (0.22 if child else 0.05):
        return ""
    years = words.number(rng, rng.randint(*(CHILD_AGES if child else GROWN_AGES)))
    kind = "young" if child and rng.random() < 0.4 else "any"
    line = rng.choice(tables()["rescue.age"][kind].strip().splitlines())
    return line.replace("{age}", years)


def unknown(rng: Random, sentences: list[str], told: frozenset[str]) -> str:
    """Something that nobody knows, and that has not been told; empty where there is nothing left."""
    fitting = [s for s in sentences if not any(_ABOUT[fact].search(s) for fact in told if fact in _ABOUT)]
    return rng.choice(fitting) if fitting else ""


def in_haste(rng: Random, said: str) -> str:
    """Typed with both thumbs while running: several words have a slip, short ones too."""
    said = typed(rng, said, max(2, len(said.split()) // rng.choice((3, 4, 6))))
    for word in list(_SHORT.finditer(said)):
        if rng.random() < 0.15:
            a, b, c = word.group()
            said = f"{said[: word.start()]}{rng.choice((b + a + c, a + c + b))}{said[word.end() :]}"
    return said


def numbered(rng: Random, who: list[str]) -> str:
    """Several objects as a list in a form."""
    style = rng.choice(("{n}) {who}", "{n}. {who}", "({n}) {who}", "no {n}: {who}"))
    return rng.choice((" ", ", ", "; ")).join(style.format(n=n, who=one) for n, one in enumerate(who, start=1))
