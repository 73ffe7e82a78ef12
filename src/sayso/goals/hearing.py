"""What counts as said: whole words in their order, numbers as figures, and an answer that names nothing else.

A text that is wanted may give several ways to say it, with `/` between them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from sayso.grounding.numbers import figure


def words(text: str) -> list[str]:
    """The words of a sentence, small, without their signs; numbers as figures."""
    bare = "".join(c if c.isalnum() else " " for c in text.lower().replace("'", ""))
    return [figure(word) for word in bare.split()]


def tells(sentence: str, wanted: str) -> bool:
    """Whether a sentence holds the words of one of the ways, in their order."""
    return any(_at(words(sentence), words(way)) >= 0 for way in wanted.split("/"))


def says(sentence: str, wanted: str) -> bool:
    """Whether a sentence holds every word of it, in any order."""
    return {*words(wanted)} <= {*words(sentence)}


def names_in(text: str, names: Iterable[str]) -> set[str]:
    """Which names a text holds, the longer ones first: orange juice is no orange."""
    left, found = words(text), set()
    for name in sorted({" ".join(words(n)) for n in names}, key=len, reverse=True):
        part = name.split()
        while (at := _at(left, part)) >= 0:
            left[at : at + len(part)] = [""]
            found.add(name)
    return found


def answers(sentences: Sequence[str], wanted: str = "", choices: Collection[str] = ()) -> bool:
    """Whether the last answer is the wanted one, or any where none is; questions tell nothing.

    With `choices` an answer is what holds any of them, and the wanted one holds no other: who names all has not told.
    """
    told = [part for sentence in sentences for part in _statements(sentence)]
    if not choices:
        return any(tells(part, wanted) if wanted else words(part) for part in told)
    meant = {" ".join(words(way)) for way in wanted.split("/")}
    named = [found for part in told if (found := names_in(part, {*choices, *meant}))]
    return bool(named) and named[-1] <= meant


def _statements(text: str) -> Iterator[str]:
    part = ""
    for sign in text:
        part += sign
        if sign in ".!?":
            if sign != "?":
                yield part
            part = ""
    if part.strip():
        yield part


def _at(said: Sequence[str], part: Sequence[str]) -> int:
    """Where a part begins among the words; -1 where it is not there."""
    return next((n for n in range(len(said)) if part and list(said[n : n + len(part)]) == list(part)), -1)
