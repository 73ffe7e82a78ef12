"""Lessons in looking twice: whether a reading says what the wish says, right ones and ones that are spoiled.

A spoiled reading is one that the model could have written for the same wish: another amount, direction, verb or name
out of it, a superlative, an exception or a "not" that is lost, steps in another order, one missing or one too many.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from lessons.record import Lesson
from sayso.goal import RANKS
from sayso.models.pocket.reading import Sayable, second_look
from sayso.models.pocket.text import output

TRIES = 40
OTHER_SIDE = {"left": "right", "right": "left", "up": "down", "down": "up", "forward": "back", "back": "forward"}
OTHER_VERBS = (
    ("at", "found", "picture", "facing", "named", "sees"),
    ("home", "landed", "airborne", "picture", "stayed"),
)
ARTICLES = frozenset(("a", "an", "the", "this", "that", "my", "your", "some", "any", "of"))
LONGEST = 4
"""Words of a name that is put in the place of another, at most."""

_NUMBER = re.compile(r"\b\d+(?:\.\d+)?\b")
_SIDE = re.compile(rf"\b(?:{'|'.join(OTHER_SIDE)})\b(?=[,)])")
_VERB = re.compile(r"\b[a-z]+(?=\()|\b(?:home|landed|airborne|picture|stayed)\b(?!\()")
_RANK = re.compile(rf"\b(?:{'|'.join(RANKS)}) ")
_BUT = re.compile(r" but (?:'[^']*'|[\w.]+)+")
_ELSE = re.compile(r" else \{ [^{}]* \}")
_BRANCHES = re.compile(r"\{ ([^{}]*) \} else \{ ([^{}]*) \}")
_NAME = re.compile(r"'((?:[^'\\]|\\.)*)'|(?<=[( ])([a-z][\w-]*)(?=[,.)])")
_WORD = re.compile(r"[a-z][\w'-]*")


def looked_twice(rng: Random, made: Lesson, says: Sayable) -> Lesson:
    """The lesson about a reading: half of them about the right one."""
    right = made.target.removesuffix("<end>")
    told = right if rng.random() < 0.5 else spoiled(rng, made.prompt, right, says)
    prompt, answer = second_look(made.prompt, told), "yes" if told == right else "no"
    return replace(made, kind="second look", intent=f"{answer} {made.intent}", prompt=prompt, target=output(answer))


def spoiled(rng: Random, prompt: str, right: str, says: Sayable) -> str:
    """Another reading that is close to the right one; the right one where there is none."""
    words = _WORD.findall(prompt[prompt.index(">") + 1 : prompt.rindex("<")])
    numbers = _NUMBER.findall(prompt)
    for _ in range(TRIES):
        other = rng.choice(WAYS)(rng, right, words, numbers)
        if other and other != right and (held := says.constraint(prompt)).take(other) and held.may_end:
            return other
    return right


def _put(found: re.Match[str], text: str, new: str) -> str:
    return text[: found.start()] + new + text[found.end() :]


def _one(rng: Random, pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    some = list(pattern.finditer(text))
    return rng.choice(some) if some else None


def _amount(rng: Random, text: str, words: list[str], numbers: list[str]) -> str:
    found = _one(rng, _NUMBER, text)
    return _put(found, text, rng.choice([*numbers, "2", "3"])) if found else ""


def _direction(rng: Random, text: str, words: list[str], numbers: list[str]) -> str:
    found = _one(rng, _SIDE, text)
    if not found or (text[: found.start()].endswith("turned(") and found[0] not in words):
        return ""  # nobody said which way to turn
    return _put(found, text, OTHER_SIDE[found[0]])


def _verb(rng: Random, text: str, words: list[str], numbers: list[str]) -> str:
    if not (found := _one(rng, _VERB, text)):
        return ""
    alike = OTHER_VERBS[not text[found.end() :].startswith("(")]
    return _put(found, text, rng.choice(alike)) if found[0] in alike else ""


def _name(rng: Random, text: str, words: list[str], numbers: list[str]) -> str:
    """Other words of the wish, or the same name shortened or drawn out."""
    if not (found := _one(rng, _NAME, text)) or not words:
        return ""
    had = _WORD.findall(found[1] or found[2] or "")
    at = next((n for n in range(len(words)) if had and words[n : n + len(had)] == had), None)
    begin, end = rng.randrange(len(words)), 0
    if at is not None and rng.random() < 0.6:
        begin, end = max(0, at + rng.choice((-1, 0, 0, 1))), at + len(had) + rng.choice((-1, 0, 1, 2))
    new = words[begin : max(end, begin + rng.randint(1, LONGEST) if not end else begin + 1)]
    if not new or bare(new) == bare(had):
        return ""
    return _put(found, text, "'" + " ".join(new).replace("'", "\\'") + "'" if len(new) > 1 else "".join(new))


def bare(name: list[str]) -> list[str]:
    """Without articles and the like: with or without them it is the same name."""
    return [w for w in name if w not in ARTICLES]


def _without(pattern: re.Pattern[str]) -> Callable[[Random, str, list[str], list[str]], str]:
    def make(rng: Random, text: str, words: list[str], numbers: list[str]) -> str:
        found = _one(rng, pattern, text)
        return _put(found, text, "") if found else ""

    return make


def _rank(rng: Random, text: str, words: list[str], numbers: list[str]) -> str:
    found = _one(rng, _RANK, text)
    return _put(found, text, f"{rng.choice(RANKS)} ") if found else ""


def _negated(rng: Random, text: str, words: list[str], numbers: list[str]) -> str:
    found = _one(rng, re.compile(r"\b(if|until) (not )?"), text)
    return _put(found, text, f"{found[1]} {'' if found[2] else 'not '}") if found else ""


def _swapped(rng: Random, text: str, words: list[str], numbers: list[str]) -> str:
    """The branches of a condition in each other's place."""
    found = _one(rng, _BRANCHES, text)
    return _put(found, text, f"{{ {found[2]} }} else {{ {found[1]} }}") if found else ""


def _steps(rng: Random, text: str, words: list[str], numbers: list[str]) -> str:
    """One left out, one too many, or two in each other's place."""
    steps = list(_outside(text))
    roll, n = rng.random(), rng.randrange(len(steps))
    if roll < 0.3:
        steps.insert(n + 1, rng.choice(("home", "landed", "picture", steps[n])))
    elif len(steps) < 2:
        return ""
    elif roll < 0.7:
        del steps[n]
    else:
        other = rng.randrange(len(steps))
        steps[n], steps[other] = steps[other], steps[n]
    return " then ".join(steps)


def _outside(text: str) -> Iterator[str]:
    """The steps, as far as they stand in no block."""
    step, deep = "", 0
    for part in re.split(r"( then |[{}])", text):
        deep += (part == "{") - (part == "}")
        if part == " then " and not deep:
            yield step
            step = ""
        else:
            step += part
    yield step


WAYS = (_amount, _direction, _verb, _name, _name, _without(_RANK), _without(_BUT), _without(_ELSE), _rank, _negated,
        _swapped, _steps, _steps)  # fmt: skip
