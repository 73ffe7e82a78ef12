"""Courtesy in a sentence, which asks for nothing: taken off before anything reads it.

"Would you be so kind as to fly to the plant, if it is not too much trouble?" is "fly to the plant". What may be a
question, "can you fly?", stays as it is.
"""

import functools
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from sayso.grounding import numbers
from sayso.grounding.amounts import way
from sayso.grounding.inflection import verb_of
from sayso.grounding.pattern import Patterns, pattern
from sayso.grounding.people import is_pronoun
from sayso.grounding.tokens import Token, clean, tokens
from sayso.tables import toml
from sayso.understanding.acts import ENDS, is_deed
from sayso.understanding.operators import operators

_JOINT = Token("mark", ",", 0, 0)
JOINTS = ("and", "then", ",", ";", ".", "!", "?")


def bluntly(sentence: str) -> str:
    """The sentence without what is only polite; as it is where nothing else is said."""
    text = clean(sentence)
    said = tokens(text)
    words: Sequence[Token] = _after_reason(said)
    begins = [0, *(n + 1 for n, word in enumerate(words[:-1]) if word.text in JOINTS)]
    for begin in reversed(begins):
        if not (begin and way(words, begin)):  # "left, then right, then back"
            words = [*words[:begin], *_begun(words[begin:])]
    words = _ended(words)
    if words == said or not any(word.kind != "mark" for word in words):
        return sentence
    parts = (words[n:] for n, word in enumerate((_JOINT, *words)) if word.text in JOINTS)
    if "?" in words[-1].text and not any(_patterns("asks").at(part) for part in parts):
        words = words[:-1]  # what was a request in the form of a question is none now
    return _text(text, words)


def _after_reason(words: Sequence[Token]) -> Sequence[Token]:
    """An order without the reason that is given before it, to which nothing in it points back: "it's so hot, bring me a
    drink"."""
    at = next((n for n, word in enumerate(words) if word.kind == "mark"), len(words))
    before, order = words[:at], _unmarked(words[at:], first=True)
    so = bool(order) and order[0].text in _table()["so"]
    order = order[so:]
    points = any(is_pronoun(word.text) or word.text in _table()["points"] for word in order)
    tells = not so and {word.text for word in before} & {*_table()["more"]}
    plain = _patterns("told").whole(before) and not (tells or operators(" ".join(word.text for word in before)))
    why = not points and (plain or _patterns("why").whole(before) or _patterns("reason").whole(before))
    return order if why and _is_bare(before) and is_deed(" ".join(word.text for word in order)) else words


def _begun(words: Sequence[Token]) -> Sequence[Token]:
    """Without what a part begins with."""
    while words:
        if found := _patterns("before_ing").at(words):
            if found.end < len(words) and (verb := verb_of(words[found.end].text)):
                at = words[found.end]
                return [Token(at.kind, verb, at.start, at.end), *words[found.end + 1 :]]
        if (found := _patterns("before_speech").at(words)) and found.end < len(words):
            if (at := words[found.end]).text in _table()["speech"]:  # "go say hello"
                return [*words[: found.end], Token("word", JOINTS[0], at.start, at.start), *words[found.end :]]
        if not (found := _patterns("before").at(words)) or found.end == len(words):
            break
        words = words[found.end :]
    return words


def _ended(words: Sequence[Token]) -> Sequence[Token]:
    """Without what the sentence ends with, but for its last mark."""
    rest, to_me = _unmarked(words), _table()["speaker"]
    told = any(word.text in _table()["speech"] and after.text not in to_me for word, after in pairwise(words))
    for at in range(1, len(rest)):
        marked, tail = rest[at].kind == "mark", _unmarked(rest[at:], first=True)
        asks = _patterns("tag").whole(tail)
        polite = asks or _patterns("behind").whole(tail) or _is_reason(tail) or (marked and _is_told(tail))
        hangs = {word.text for word in rest[:at]} & {*_table()["conditions"]}
        polite = polite or (not hangs and _patterns("otherwise").whole(tail))
        if polite and (marked or not told):
            return [*_ended(rest[:at]), *([] if asks else words[len(rest) :])]
    marks = [word for word in words[len(rest) :] if {*word.text} & {*ENDS}]
    return [*rest, *marks[-1:]]


def _is_reason(words: Sequence[Token]) -> bool:
    """Whether it only says why: no amount, and no command of its own."""
    return bool(_patterns("reason").whole(words)) and _is_bare(words)


def _is_told(words: Sequence[Token]) -> bool:
    """Whether it calls somebody, or tells why by what there is, and of no place or thing of which the order may be."""
    told = _patterns("told_behind").whole(words) and _is_bare(words)
    told = told and not {word.text for word in words[1:]} & {*_table()["more"], *_table()["points"]}
    return told or _patterns("called").whole(words)


def _is_bare(words: Sequence[Token]) -> bool:
    """Whether no amount and nothing that joins is in it."""
    said = (numbers.read(words, n) for n in range(len(words)))
    plain = all(word.kind == "word" and word.text not in JOINTS for word in words)
    return plain and all(number is None or number.article for number in said)


def _unmarked(words: Sequence[Token], first: bool = False) -> Sequence[Token]:
    """Without the marks at the end, or at the beginning."""
    rest = [*words]
    while rest and rest[0 if first else -1].kind == "mark":
        rest.pop(0 if first else -1)
    return rest


def _text(text: str, words: Sequence[Token]) -> str:
    """The words as they were said, with what stood between them."""
    said, end = "", words[0].start
    for word in words:
        between = text[end : word.start] or " " * (word.start == end and bool(said) and word.kind == "word")
        said += between if not between.strip() else " " * (word.kind != "mark")
        as_said = text[word.start : word.end]
        said += word.text if word.kind == "word" and as_said.lower() != word.text else as_said
        end = word.end
    return said


@functools.cache
def _patterns(section: str) -> Patterns:
    return Patterns([pattern(say) for say in _table()[section]])


def _table() -> Mapping[str, Any]:
    return toml("sayso.grounding", "courtesy.toml")
