"""Phrases for a thing, taken apart: a name, a colour in front of one, or a description that names nothing."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from sayso.grounding.lexicon import kind, means, words
from sayso.grounding.tokens import Token
from sayso.grounding.utterance import also, figured, split, table


@lru_cache(1000)  # a judge asks it of every thing at every moment
def described(phrase: str) -> bool:
    """Whether a phrase tells what a thing is like, and does not name it: “something sour”, “the man with a hat”."""
    said, of = words(phrase), table()["phrases"]
    return unnamed(phrase) or any(w in of["telling"] for w in said[1:])


def unnamed(phrase: str) -> bool:
    """Whether it begins as what stands for a name: “something sour”."""
    return any(w in table()["phrases"]["anything"] for w in words(phrase)[:1])


def breaks_off(phrase: str) -> bool:
    """Whether what tells it from others is missing: "the fruit that"."""
    said = words(phrase)
    return len(said) > 1 and said[-1] in table()["negation"]["pronouns"]


def asked_of(question: str) -> str:
    """What a question asks for, small: “something sour” of “Which is something sour?”, itself where it asks nothing."""
    said = " ".join(question.lower().strip(" ?.!").split())
    begins = [f"{begin} " for begin in table()["phrases"]["asking"]]
    return next((said.removeprefix(begin) for begin in begins if said.startswith(begin)), said)


def asks_what_is_written(question: str) -> bool:
    """Whether a question asks for words that are to be read."""
    return any(word in table()["phrases"]["written"] for word in words(question))


def coloured(phrase: str) -> tuple[str, str]:
    """The colour that a name begins with, and the rest; no colour where it begins with none."""
    first, _, rest = phrase.partition(" ")
    return (first, rest) if rest and first in table()["traits"]["colours"] else ("", phrase)


def label_of(phrase: str, labels: Iterable[str]) -> str:
    """The one of these labels that a phrase names, by the same words or by another name; empty for none."""
    known = sorted(set(labels))
    same = [one for one in known if kind(one) == kind(phrase)]
    other = [one for one in known if phrase in also(one) or means(phrase, one)]
    return (same or other or [""])[0]


def same_as(phrase: str, labels: Iterable[str]) -> str:
    """The one of these labels that is another name for the same, or for what is called so among people; empty for none.
    A desk is a table, and not all tables are desks."""
    return label_of(phrase, [one for one in labels if means(one, phrase) or phrase in also(one)])


def called(phrase: str, names: Iterable[str], near: bool = False) -> tuple[str, ...]:
    """Those of these names of places that a phrase may mean; several where it may be any of them.

    A name is meant by its own words, by some of them ("the fields", "the north one"), or by another word for one. With
    `near` it is enough that a name stands somewhere in the phrase: "off the back of the hut" is near the hut.
    """
    known, said = {name: _bare(name) for name in names}, _bare(phrase)
    head = next((said[:n] for n, w in enumerate(said) if n and w in table()["phrases"]["telling"]), said)
    if same := [name for name, of in known.items() if of == said]:
        return tuple(same)
    if head == said or near:
        inside = [name for name, of in known.items() if of and f" {' '.join(of)} " in f" {' '.join(said)} "]
        if inside and (near or len(head) > 1):
            longest = max(len(known[name]) for name in inside)
            return tuple(name for name in inside if len(known[name]) == longest)
    if head != said:
        return ()
    for n in range(len(head)):
        if found := [name for name, of in known.items() if {*head[n:]} <= {*of}]:
            return tuple(found)
    last = head[-1] if head else ""
    return tuple(name for name, of in known.items() if of and last and (means(last, of[-1]) or of[-1] in also(last)))


def fitting(words: Sequence[str], phrases: Iterable[str], *, end: bool = False, whole: bool = False) -> int:
    """How many words the longest of these phrases takes at the beginning, or at the `end`; 0 for none. Others are left,
    unless it may be the `whole`. Of a list that is asked at every word `tokens.Phrases` tells it sooner."""
    some = [p.split() for p in phrases]
    most, at = len(words) if whole else len(words) - 1, -1 if end else 0
    return max((n for p in some if (n := len(p)) <= most and [*words[at * n :][:n]] == p), default=0)


def trimmed(words: Sequence[Token], before: Iterable[str], behind: Iterable[str]) -> list[Token]:
    """Without the marks at both ends, nor any of the phrases that ask for nothing there."""
    said = [*words]
    while said and (cut := int(said[0].kind == "mark") or fitting([t.text for t in said], before)):
        said = said[cut:]
    while said and (cut := int(said[-1].kind == "mark") or fitting([t.text for t in said], behind, end=True)):
        said = said[:-cut]
    return said


def several(phrase: str) -> bool:
    """Whether a phrase speaks of more than one: "the fields", "both farms"."""
    said = split(phrase)
    return bool(said) and (words(said[-1]) != (said[-1],) or bool({*said} & {*table()["each"]["said"], "both", "all"}))


def _bare(name: str) -> list[str]:
    """A name's words in figures, without its article."""
    said = list(words(figured(name)))
    return said[1:] if said[:1] in (["the"], ["a"], ["an"]) else said
