"""How a wish is to be done, read by code and taken out of the sentence (U5).

"Go to the cup, but stay two metres away from people" is the wish "go to the cup" with a manner: apart, 2 m, people.
Manners are limits of the mission, which the kernel holds whoever plans; who plans reads the rest.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from sayso.data import toml
from sayso.grounding import pattern
from sayso.grounding.pattern import Found, Pattern
from sayso.grounding.tokens import Token, clean, tokens
from sayso.wish import How, Manner

TABLE = "manners.toml"
PERCENT = 0.01


def manners(sentence: str) -> tuple[str, tuple[Manner, ...]]:
    """The sentence without its manners, and these in the order in which they are said."""
    text, found = clean(sentence), list[Manner]()
    while (taken := _next(text)) is not None:
        text, manner = taken
        found.append(manner)
    return (text if found else sentence), tuple(found)


def _next(text: str) -> tuple[str, Manner] | None:
    """The first manner of a sentence, and the sentence without it."""
    words = tokens(text)
    ways = [(at, how, value) for pat, how, value in _table() if (at := _said(words, pat))]
    if not ways:
        return None
    at, how, usual = min(ways, key=lambda way: (way[0].start, -way[0].end))
    said = text[words[at.start].start : words[at.end - 1].end]
    return _without(text, words, at), _manner(how, usual, at, said)


def _said(words: Sequence[Token], pat: Pattern) -> Found | None:
    """Where it is said; not inside of quotes, which are one token."""
    return pat.search(words)


def _manner(how: How, usual: float, at: Found, said: str) -> Manner:
    value = next((v for v in at.slots.values() if isinstance(v, float)), usual)
    about = str(at.slots.get("thing", ""))
    return Manner(how, value * PERCENT if how is How.GENTLY else value, about, said)


def _without(text: str, words: Sequence[Token], at: Found) -> str:
    """The sentence around it, without the word or mark that joined it."""
    joins, start, end = toml("sayso.grounding", TABLE)["joins"], at.start, at.end
    while start and (words[start - 1].kind == "mark" and words[start - 1].text in (",", ";", "-")):
        start -= 1
    behind = end < len(words) and words[end].text not in ".!?"
    while start and not behind and (words[start - 1].text in (*joins["before"], ",", ";")):
        start -= 1
    if start == 0 or words[start - 1].text in joins["before"] or words[start - 1].text in (".", "!", "?"):
        while end < len(words) and words[end].text in (*joins["after"], ",", ";", ".", ":"):
            end += 1
    before = text[: words[start].start].rstrip()
    after = text[words[end].start :].lstrip() if end < len(words) else ""
    return f"{before}{'' if after[:1] in '.,;!?' else ' '}{after}".strip()


@functools.cache
def _table() -> Sequence[tuple[Pattern, How, float]]:
    rows = toml("sayso.grounding", TABLE)["manner"]
    return [(pattern.pattern(say), How(row["how"]), row.get("value", 0.0)) for row in rows for say in row["say"]]


def told(manners: Sequence[Manner]) -> str:
    """How it will be done, as it is read back: a sentence each."""
    return " ".join(f"{MANNERS[m.how].format(value=f'{m.value:g}', about=m.about or 'it')}." for m in manners)


MANNERS = {
    How.CEILING: "I stay below {value} m",
    How.FLOOR: "I stay above {value} m",
    How.SPEED: "I move at most at {value} m/s",
    How.GENTLY: "I move slowly",
    How.HASTE: "I go no faster than I may",
    How.APART: "I stay {value} m away from {about}",
    How.WITHIN: "I have {value} s for it",
    How.OFF: "I keep off {about}",
    How.STAY: "I stay where I am",
}
