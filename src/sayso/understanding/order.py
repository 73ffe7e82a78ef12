"""The order of telling, made the order of doing (U3).

"Land, but first take a picture" is "take a picture, then land".
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from sayso.grounding.answers import begins_wish
from sayso.grounding.pattern import pattern
from sayso.grounding.phrases import fitting, trimmed
from sayso.grounding.tokens import Token, clean, tokens
from sayso.tables import toml
from sayso.understanding.acts import is_deed

PARTS_MAX = 6


def as_done(sentence: str) -> str:
    """The sentence with its commands in the order in which they are to be done, each joined to the next by a "then"."""
    for _ in range(PARTS_MAX):
        if (told := _turned(sentence)) == sentence:
            break
        sentence = told
    return sentence


def hanging(sentence: str, answer: str) -> str:
    """What is to be done behind the answer to a question on which the sentence hangs; empty where that is nothing."""
    text = clean(sentence)
    words = tokens(text)
    for begins, ways in _table()["hangs"].items():
        if found := next((one for say in ways if (one := pattern(say).at(words, 0)) and one.end < len(words)), None):
            holds = answer.startswith(begins) if answer.startswith((*_table()["hangs"],)) else None
            rest = trimmed(words[found.end :], (), _table()["rest"]["behind"])
            return sentence if holds is None or not rest else _text(text, rest) if holds else ""
    return sentence


def _turned(sentence: str) -> str:
    """With one word of order turned into a "then"."""
    text = clean(sentence)
    words = tokens(text)
    said = [n for n, word in enumerate(words) if word.text != ","]
    for kind, at, end in _joints([words[n] for n in said]):
        before, behind = words[: said[at]], words[said[end] :]
        if at == 0:
            comma = next((n for n, word in enumerate(behind) if word.text == ","), 0)
            before, behind = behind[comma + 1 :], behind[:comma]
        if kind == "instead":
            if is_deed(_text(text, before)) and (other := _other(before, behind)):
                return f"{_text(text, before)} or {_text(text, other)}"
            continue
        if kind == "other":
            return f"{_text(text, before)}, but not {_text(text, behind)}"
        if kind == "after" and before and behind and _is_command(before, kind):
            return f"{_table()['goes']['to']} {_text(text, behind)}, then {_text(text, before)}"
        first, last = (behind, before) if kind == "first" else (before, behind)
        if _is_command(first, kind) and _is_command(last, kind):
            return f"{_text(text, first)}, then {_text(text, last)}"
    return sentence


def _other(before: Sequence[Token], behind: Sequence[Token]) -> Sequence[Token]:
    """What is named in the place of something before; nothing where another deed is."""
    start = next((n for n, word in enumerate(behind) if word.kind != "mark"), len(behind))
    behind = behind[start:]
    names = toml("sayso.grounding", "corrections.toml")["determiners"]
    verb = takewhile(lambda two: two[0].text == two[1].text not in names, zip(before, behind, strict=False))
    same = len([*verb])
    return behind[same:] if same or not is_deed(" ".join(word.text for word in behind)) else ()


def _joints(words: Sequence[Token]) -> Iterator[tuple[str, int, int]]:
    """What each word of order says, and where it begins and ends, before the end of the sentence."""
    for at in range(len(words)):
        for kind, ways in _table()["joints"].items():
            found = max((one.end for say in ways if (one := pattern(say).at(words, at))), default=len(words))
            if found < len(words):
                yield kind, at, found


def _is_command(part: Sequence[Token], kind: str) -> bool:
    words, none = " ".join(word.text for word in part), _table()["no_deed"]
    deed = words not in none["alone"] and not fitting(words.split(), none["begin"])
    return begins_wish(words) and (deed or kind == "then")


def _text(text: str, part: Sequence[Token]) -> str:
    ends = [word.end for word in part if word.kind != "mark"]
    return text[part[0].start : ends[-1]] if ends else ""


def _table() -> Mapping[str, Any]:
    return toml("sayso.grounding", "order.toml")
