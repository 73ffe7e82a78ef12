"""What a phrase for a thing is made of: a name, a colour in front of one, or a description that names nothing."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from sayso.grounding.aliases import kind, words
from sayso.grounding.lexicon import means
from sayso.grounding.said import also, table


@lru_cache(1000)  # a judge asks it of every thing at every moment
def described(phrase: str) -> bool:
    """Whether a phrase tells what a thing is like, and does not name it: “something sour”, “the man with a hat”."""
    said, of = words(phrase), table()["phrases"]
    return unnamed(phrase) or any(w in of["telling"] for w in said[1:])


def unnamed(phrase: str) -> bool:
    """Whether it begins as what stands for a name: “something sour”."""
    return any(w in table()["phrases"]["anything"] for w in words(phrase)[:1])


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
