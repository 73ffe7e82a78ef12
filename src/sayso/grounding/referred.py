"""The references of a sentence to what was said before: "it", "the other one", "once more but higher", "now the cup".

Who reads one sentence and no conversation is given one that stands for itself: the words of before take the place of
those that point to them. Where that is not plain, the sentence stays as it was said, and its reader asks.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from sayso.grounding import amounts
from sayso.grounding.phrases import fitting
from sayso.grounding.tokens import Phrases, Token, clean, tokens
from sayso.grounding.utterance import stem
from sayso.tables import toml

BASES = {"length": "cm", "angle": "degrees", "time": "seconds"}
"""How the base of a kind of amounts is written."""

NAME_WORDS = 3
"""So many words may tell one thing from others of its kind, or be its name."""


@dataclass(frozen=True, slots=True)
class Before:
    """What was wished last, in one sentence, and the thing and the place that it was last about, as they are called."""

    wish: str = ""
    thing: str = ""
    place: str = ""


def referred(text: str, before: Before) -> str:
    """The sentence, standing for itself as far as what it points to is plain."""
    said = clean(text).strip()
    if scaled := _scaled(said, before):
        return scaled
    return _repeated(said, before) or _pointed(said, before) or text


# The same again


def _repeated(said: str, before: Before) -> str:
    """The wish of before, where that is what the sentence asks for, perhaps with something otherwise."""
    words = [t for t in tokens(said) if t.kind != "mark"]
    rest = words[_count(words, "asks") :]
    if not before.wish or not rest:
        return ""
    if taken := _begins(rest, "again"):
        rest = rest[taken:]
        while rest and rest[-1].text in _list("asks"):
            rest = rest[:-1]
        if not rest:
            return before.wish
        rest = rest[_count(rest, "but") :]
        if rest and rest[-1].text in _list("motions"):
            return f"go {said[rest[0].start : rest[-1].end]}, then {before.wish}"
    name = rest[_begins(rest, "same") :]
    while name and name[-1].text in _list("also"):
        name = name[:-1]
    return _instead(name, before) if len(name) < len(words) else ""


def _instead(name: Sequence[Token], before: Before) -> str:
    """The wish of before for another thing, where nothing else is said than its name."""
    if not before.thing or not 2 <= len(name) <= NAME_WORDS + 1 or name[0].text not in _list("telling"):
        return ""
    if any(t.kind != "word" or t.text in _list("after") for t in name):
        return ""
    was, words = tokens(clean(before.wish)), [stem(w) for w in before.thing.split()]
    for at in range(len(was) - len(words), -1, -1):
        if [stem(t.text) for t in was[at : at + len(words)]] == words:
            begin = next(
                (n for n in range(at - 1, max(-1, at - NAME_WORDS - 1), -1) if was[n].text in _list("telling")), at
            )
            kind = _called(name, before.thing)
            return f"{before.wish[: was[begin].start]}{kind}{before.wish[was[at + len(words) - 1].end :]}"
    return ""


def _called(name: Sequence[Token], thing: str) -> str:
    words = [t.text for t in name]
    if " ".join(words) in _table()["others"]:
        return f"{_table()['others'][' '.join(words)]} {thing}"
    return " ".join(thing if w == _table()["one"] else w for w in words)


def _scaled(said: str, before: Before) -> str:
    """With the amount that a share of it speaks of, the last one that was said: "half of that". Who says no more than
    that wishes for the same as before."""
    words = tokens(said)
    at, end = next(((n, n + length) for n in range(len(words)) if (length := _shares().at(words, n))), (0, 0))
    share = _table()["shares"].get(" ".join(t.text for t in words[at:end]))
    if share is None:
        return ""
    rest = [t.text for t in (*words[:at], *words[end:]) if t.kind == "word" and t.text not in _list("asks")]
    if inside := _amount_in(said[: words[at].start], share):
        way = _way_of(said, words, at, inside[0][1])
        return f"{said[: words[at].start]}{way}{inside[1]}{said[words[end - 1].end :]}"
    if not (found := _amount_in(before.wish, share)):
        return ""
    (start, stop), much = found
    if all(word in amounts.verbs() for word in rest):
        return f"{before.wish[:start]}{much}{before.wish[stop:]}"
    return f"{said[: words[at].start]}{much}{said[words[end - 1].end :]}"


def _way_of(said: str, words: Sequence[Token], at: int, told: int) -> str:
    """The direction that goes on: that of before the amount that is `told` up to a place, where no other one is."""
    ways = [(n, n + size) for n in range(len(words)) if (size := amounts.way(words, n))]
    since = [t for t in words[:at] if t.start >= told]
    if not ways or words[ways[-1][0]].start >= told or any(t.text in amounts.verbs() for t in since):
        return ""
    first, last = min(way for way in ways if way[1] == ways[-1][1])
    return f"{said[words[first].start : words[last - 1].end]} "


def _amount_in(text: str, share: float) -> tuple[tuple[int, int], str] | None:
    """Where the last amount of a text stands, and this share of it in words; None where there is none."""
    words, found, at = tokens(text), None, 0
    while at < len(words):
        said = amounts.read(words, at)
        if said and (unit := BASES.get(said.kind)):
            found = (words[at].start, words[said.end - 1].end), f"{round(said.value * share, 2):g} {unit}"
        at = said.end if said else at + 1
    return found


# What points to a thing or a place


def _pointed(said: str, before: Before) -> str:
    words = tokens(said)
    named, out, end, at = False, [], 0, 0
    while at < len(words):
        size, stands = (0, "") if named else _stands(words, at, before)
        if size:
            out += [said[end : words[at].start], stands]
            at, end = at + size, words[at + size - 1].end
            continue
        named = named or words[at].text not in _plain() | _list("telling")
        at += 1
    return "".join([*out, said[end:]]) if out else ""


def _stands(words: Sequence[Token], at: int, before: Before) -> tuple[int, str]:
    """How many words from here point back, and to what; 0 where none does."""
    last = [t for t in words if t.kind != "mark"]
    here, rest, being = words[at], [t.text for t in words[at:]], [[w] for w in _list("being")]
    asked = [words[at - 1].text] if at else []
    if before.thing:
        for phrase, kind in _table()["others"].items():
            if rest[: len(phrase.split())] == phrase.split() and _ends(words, at + len(phrase.split())):
                return len(phrase.split()), f"{kind} {before.thing}"
        if here.text in _list("telling"):
            told = list(
                takewhile(lambda t: t.text != _table()["one"] and t.kind == "word", words[at + 1 : at + NAME_WORDS])
            )
            one = at + 1 + len(told)
            if told and one < len(words) and words[one].text == _table()["one"] and _ends(words, one + 1):
                return one + 1 - at, " ".join([here.text, *(t.text for t in told), before.thing])
        taken = _begins(words[at:], "things")
        if taken and rest[taken : taken + 1] not in being:  # "it is dark in here" points to nothing
            if (
                rest[taken : taken + 1] == [_table()["back"]]
                and at + taken + 1 >= len(last)
                and {*asked} & _list("puts")
            ):
                return taken + 1, f"the {before.thing} {_table()['belongs']}"
            return taken, f"the {before.thing}"
        if here.text in _list("loose") and _ends(words, at + 1):
            return 1, f"the {before.thing}"
    if before.place and here.text in _list("places") and rest[1:2] not in being and asked not in being:
        to = "" if at and words[at - 1].text in ("to", "from", "at", "in", "on") else "to "
        return 1, f"{to}the {before.place}"
    return 0, ""


def _ends(words: Sequence[Token], at: int) -> bool:
    """Whether no name follows."""
    return at >= len(words) or words[at].kind == "mark" or words[at].text in _list("after")


# The tables


def _begins(words: Sequence[Token], table: str) -> int:
    """The length of the longest phrase of a list that the words begin with."""
    return fitting([t.text for t in words], _list(table), whole=True)


def _count(words: Sequence[Token], table: str) -> int:
    return len(list(takewhile(lambda t: t.text in _list(table), words)))


@functools.cache
def _shares() -> Phrases:
    return Phrases([*_table()["shares"]])


@functools.cache
def _list(table: str) -> frozenset[str]:
    return frozenset(_table()[table])


@functools.cache
def _plain() -> frozenset[str]:
    answers = toml(__package__, "answers.toml")
    return _list("plain") | frozenset(answers["wishes"])


def _table() -> dict[str, Any]:
    return toml(__package__, "referred.toml")
