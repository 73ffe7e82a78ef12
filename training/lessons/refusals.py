"""What is outside the drone's language, or too vague: why nothing is done, or what is missing.

The reading is `refuse handle` or `ask where`, the name of its table in `frames/`; the robot has the words for it.
"""

from __future__ import annotations

from lessons import words
from lessons.lists import lists
from lessons.simple import Clause, Maker
from lessons.telling import Teller


def _slots(t: Teller) -> dict[str, str]:
    far = lists("far")
    item = t.item()
    named = words.naming(t.rng, item)
    return {
        "x": named.text,
        "x1": named.bare,
        "xs": item.plural,
        "place": t.rng.choice(far["place"]),
        "dish": t.rng.choice(far["dish"]),
        "who": t.rng.choice(far["who"]),
        "num": words.number(t.rng, t.rng.choice((2, 3, 5, 7, 8, 10, 12, 20, 45, 66, 100))),
    }


def _declined(kind: str) -> Maker:
    def make(t: Teller, form: str) -> Clause:
        said = t.say(kind, "sentences", **_slots(t))
        return Clause(kind, "sentences", said, kind.replace(".", " "))

    return make


def nonsense(t: Teller, form: str) -> Clause:
    """Random words, random letters, half a word, nothing."""
    rng, roll = t.rng, t.rng.random()
    if roll < 0.65:
        said = " ".join(rng.choice(lists("nonsense")["words"]) for _ in range(rng.choice((1, 2, 3, 4, 5, 6, 8))))
    elif roll < 0.9:
        said = " ".join(
            "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randrange(2, 9)))
            for _ in range(rng.randrange(1, 5))
        )
    else:
        said = rng.choice(
            ("", "?", "...", "~~~~", "~~ ~~~", "1 2 3", "42", ":-)", "!!!", "x", "%$#", "0", "a", "the", "~~~~~~ ~~")
        )
    return Clause("nonsense", "sentences", said, "refuse nonsense")


REFUSALS: dict[Maker, float] = {
    **{
        _declined(name): weight
        for name, weight in {
            "refuse.knowledge": 5,
            "refuse.order": 3,
            "refuse.handle": 5,
            "refuse.harm": 3,
            "refuse.away": 2,
            "refuse.other": 5,
            "refuse.chat": 4,
            "refuse.inject": 2,
            "refuse.foreign": 1,
            "refuse.negative": 1,
            "refuse.absurd": 14,
        }.items()
    },
    nonsense: 4,
}

ASKING: dict[Maker, float] = {
    _declined(name): weight
    for name, weight in {
        "ask.where": 3,
        "ask.what": 3,
        "ask.picture": 2,
        "ask.turn": 2,
        "ask.move": 2,
        "ask.say": 1.5,
        "ask.count": 1.2,
        "ask.which": 2,
        "ask.wait": 0.8,
    }.items()
}
