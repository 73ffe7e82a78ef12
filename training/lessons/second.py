"""Lessons in looking twice: whether a reading says what the wish says, right ones and ones that are spoiled.

A spoiled reading is one that the model could have written for the same wish: another amount, direction, verb or name
out of it, a superlative, an exception or a "not" that is lost, steps in another order, one missing or one too many.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias

from lessons.record import Lesson
from sayso.goal import RANKS
from sayso.models.pocket.reading import Sayable, second_look
from sayso.models.pocket.text import output

TRIES = 40
OTHER_SIDE = {"left": "right", "right": "left", "up": "down", "down": "up", "forward": "back", "back": "forward"}
SEEN = ("sees",)
"""Says the same as another verb, where something is looked for."""
ARTICLES = frozenset(("a", "an", "the", "this", "that", "my", "your", "some", "any", "of"))
LONGEST = 4
"""Words of a name that is put in the place of another, at most."""

_NUMBER = re.compile(r"\b\d+(?:\.\d+)?\b")
_SIDE = re.compile(rf"\b(?:{'|'.join(OTHER_SIDE)})\b(?=[,)])")
_SIGNATURE = re.compile(r"(\w+)(\(.*\))?")
_RANK = re.compile(rf"\b(?:{'|'.join(RANKS)}) ")
_BUT = re.compile(r" but (?:'[^']*'|[\w.]+)+")
_ELSE = re.compile(r" else \{ [^{}]* \}")
_BRANCHES = re.compile(r"\{ ([^{}]*) \} else \{ ([^{}]*) \}")
_NAME = re.compile(r"'((?:[^'\\]|\\.)*)'|(?<=[( ])([a-z][\w-]*)(?=[,.)])")
_TEST = re.compile(r"\b(if|until) (not )?")
_WORD = re.compile(r"[a-z][\w'-]*")


def looked_twice(rng: Random, made: Lesson, says: Sayable) -> Lesson:
    """The lesson about a reading: about half of them about the right one, since not every reading can be spoiled."""
    right = made.target.removesuffix("<end>")
    told = right if rng.random() < 0.4 else spoiled(rng, made.prompt, right, says)
    prompt, answer = second_look(made.prompt, told), "yes" if told == right else "no"
    return replace(made, kind="second look", intent=f"{answer} {made.intent}", prompt=prompt, target=output(answer))


def spoiled(rng: Random, prompt: str, right: str, says: Sayable) -> str:
    """Another reading that is close to the right one; the right one where there is none."""
    words = _WORD.findall(prompt[prompt.index(">") + 1 : prompt.rindex("<")])
    numbers = _NUMBER.findall(prompt)
    for _ in range(TRIES):
        other = rng.choice(WAYS)(Spoiling(rng, words, numbers, says), right)
        if other and other != right and (held := says.constraint(prompt)).take(other) and held.may_end:
            return other
    return right


@dataclass(frozen=True, slots=True)
class Spoiling:
    """What a reading is spoiled with: dice, the words and numbers of the wish, and what can be said."""

    rng: Random
    words: Sequence[str]
    numbers: Sequence[str]
    says: Sayable

    def one(self, pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
        some = list(pattern.finditer(text))
        return self.rng.choice(some) if some else None


Way: TypeAlias = Callable[[Spoiling, str], str]


def _put(found: re.Match[str], text: str, new: str) -> str:
    return text[: found.start()] + new + text[found.end() :]


def _amount(s: Spoiling, text: str) -> str:
    found = s.one(_NUMBER, text)
    return _put(found, text, s.rng.choice([*s.numbers, "2", "3"])) if found else ""


def _direction(s: Spoiling, text: str) -> str:
    found = s.one(_SIDE, text)
    if not found or (text[: found.start()].endswith("turned(") and found[0] not in s.words):
        return ""  # nobody said which way to turn
    return _put(found, text, OTHER_SIDE[found[0]])


def _verb(s: Spoiling, text: str) -> str:
    """One that takes the same."""
    takes = {m[1]: m[2] for goal in s.says.goals if (m := _SIGNATURE.fullmatch(goal))}
    found = s.one(re.compile(rf"\b(?:{'|'.join(takes)})\b"), text)
    others = [verb for verb, what in takes.items() if found and what == takes[found[0]] and verb not in SEEN]
    return _put(found, text, s.rng.choice(others)) if found and others else ""


def _name(s: Spoiling, text: str) -> str:
    """Other words of the wish, or the same name shortened or drawn out."""
    if not (found := s.one(_NAME, text)) or not s.words:
        return ""
    words, had = list(s.words), _WORD.findall(found[1] or found[2] or "")
    at = next((n for n in range(len(words)) if had and words[n : n + len(had)] == had), None)
    begin, end = s.rng.randrange(len(words)), 0
    if at is not None and s.rng.random() < 0.6:
        begin, end = max(0, at + s.rng.choice((-1, 0, 0, 1))), at + len(had) + s.rng.choice((-1, 0, 1, 2))
    new = words[begin : max(end, begin + s.rng.randint(1, LONGEST) if not end else begin + 1)]
    if not new or bare(new) == bare(had):
        return ""
    return _put(found, text, "'" + " ".join(new).replace("'", "\\'") + "'" if len(new) > 1 else "".join(new))


def bare(name: Sequence[str]) -> list[str]:
    """Without articles and the like: with or without them it is the same name."""
    return [w for w in name if w not in ARTICLES]


def _without(pattern: re.Pattern[str]) -> Way:
    def make(s: Spoiling, text: str) -> str:
        found = s.one(pattern, text)
        return _put(found, text, "") if found else ""

    return make


def _rank(s: Spoiling, text: str) -> str:
    found = s.one(_RANK, text)
    return _put(found, text, f"{s.rng.choice(RANKS)} ") if found else ""


def _negated(s: Spoiling, text: str) -> str:
    found = s.one(_TEST, text)
    return _put(found, text, f"{found[1]} {'' if found[2] else 'not '}") if found else ""


def _swapped(s: Spoiling, text: str) -> str:
    """The branches of a condition in each other's place."""
    found = s.one(_BRANCHES, text)
    return _put(found, text, f"{{ {found[2]} }} else {{ {found[1]} }}") if found else ""


def _steps(s: Spoiling, text: str) -> str:
    """One left out, one too many, or two in each other's place where their order counts."""
    joint = " then " if " then " in text else "; "
    steps = list(_outside(text, joint))
    roll, n = s.rng.random(), s.rng.randrange(len(steps))
    if roll < 0.3:
        bare_goals = [goal for goal in s.says.goals if "(" not in goal]
        steps.insert(n + 1, s.rng.choice([*bare_goals, steps[n]]))
    elif len(steps) < 2:
        return ""
    elif roll < 0.7 or joint == "; ":
        del steps[n]
    else:
        other = s.rng.randrange(len(steps))
        steps[n], steps[other] = steps[other], steps[n]
    return joint.join(steps)


def _outside(text: str, joint: str) -> Iterator[str]:
    """The steps, as far as they stand in no block."""
    step, deep = "", 0
    for part in re.split(rf"({joint}|[{{}}])", text):
        deep += (part == "{") - (part == "}")
        if part == joint and not deep:
            yield step
            step = ""
        else:
            step += part
    yield step


WAYS: tuple[Way, ...] = (
    _amount, _direction, _verb, _name, _name, _without(_RANK), _without(_BUT), _without(_ELSE), _rank, _negated,
    _swapped, _steps, _steps,
)  # fmt: skip
