"""The plain commands that may be said aloud to a robot, for a speech recogniser to expect.

A form belongs to it only where the reader reads an example of it for this robot, so no form can promise more than plain
commands keep; of what is heard the reader has the last word all the same.
"""

import itertools
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sayso.grounding import ENGLISH
from sayso.planners.reflex import exact
from sayso.planners.reflex.signatures import phrases
from sayso.planners.reflex.words import name_words, vocabulary
from sayso.roles import Brief
from sayso.scene import plain
from sayso.skill import Param, Skill
from sayso.tables import toml
from sayso.tables.units import TABLE, signed

SHORTEST = 4
"""Letters of a unit that is spoken as it is written; "cm" and "mtr" are not."""

SYMBOL = re.compile(r"<(\w+)>")

PART = re.compile(r"\[([^\[\]()]*)\]|\(([^\[\]()]*)\)|<(\w+)>")
"""What may be left out, a choice, a symbol: the innermost ones first."""

AGAIN = 0.3
"""How often one step is followed by another."""

PLAINEST = 10
"""So many ways to say a thing are expected: each more is one more to be taken for another."""

RAREST = 0.01
"""The least such share."""

ALIKE = ("name", "seen", "small", "tens", "number")
"""Symbols of which no way is plainer than another."""

PLAINER = 0.5
"""How much less often each way of saying a thing is said than the one before it in its list; names are all alike."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What can be said to one robot: rules by name, each with its alternatives, the plainest first."""

    rules: Mapping[str, Sequence[str]]

    def sentences(self, count: int, seed: int = 0) -> Iterator[str]:
        """So many sentences, each of the forms as often as another; the same for the same seed."""
        chance = random.Random(seed)
        for n in range(count):
            forms = self.rules["step"]
            said = [chance.choice(("", "", "", "<before>")), forms[n % len(forms)]]
            while chance.random() < AGAIN:
                said += ["<join>", chance.choice(forms)]
            said.append(chance.choice(("", "", "", "<after>")))
            yield self.said(" ".join(said), chance)

    def said(self, form: str, chance: random.Random | None = None) -> str:
        """A form in words; without `chance` the plainest ones, with all left out that may be."""
        while part := PART.search(form):
            may, choice, symbol = part.groups()
            if symbol is not None:
                words = self._one(self.rules[symbol], chance, alike=symbol in ALIKE)
            elif choice is not None:
                words = self._one(choice.split("|"), chance, alike=True)
            else:
                words = self._one(may.split("|"), chance, alike=True) if chance and chance.random() < 0.5 else ""
            form = f"{form[: part.start()]} {words} {form[part.end() :]}"
        return " ".join(form.split())

    @staticmethod
    def _one(ways: Sequence[str], chance: random.Random | None, alike: bool) -> str:
        if chance is None:
            return ways[0]
        weights = [1.0 if alike else max(PLAINER**n, RAREST) for n in range(len(ways))]
        return chance.choices(ways, weights)[0]


def spoken(brief: Brief, known: Callable[[str], bool]) -> Spoken:
    """What can be said to the robot of this brief, in words that are `known` to be pronounced in some way."""
    data = toml(__package__, "spoken.toml")
    vocab = vocabulary()
    rules = {name: list(ways) for name, ways in data.items() if name != "forms"}
    rules |= dict(_numbers()) | dict(_units(known))
    rules["name"] = _sayable((" ".join(name) for name in vocab.things), known)
    rules["seen"] = _sayable((plain(thing.label) for thing in brief.scene), known) or rules["name"]
    rules["thing"] = ["the <seen>", "a <seen>", "the <name>", "a <name>", "an <name>", "<name>"]
    forms = [*_own(brief, known), *data["forms"]]
    for symbol in dict.fromkeys(s for form in forms for s in SYMBOL.findall(form) if s not in rules):
        ways = [way for way in vocab.data["words"][symbol] if not way.split()[0].endswith("ing")]  # no order
        rules[symbol] = _sayable(ways, known)[:PLAINEST]
    able = Spoken(rules)
    there = [form for form in forms if all(rules[symbol] for symbol in SYMBOL.findall(form))]
    rules["step"] = [form for form in there if exact(replace(brief, instruction=able.said(form)))]
    return able


def _sayable(ways: Iterable[str], known: Callable[[str], bool]) -> list[str]:
    return [way for way in dict.fromkeys(w.lower() for w in ways) if way and all(map(known, way.split()))]


def _numbers() -> Iterator[tuple[str, list[str]]]:
    numbers = ENGLISH["numbers"]
    yield "small", [*numbers["ones"][1:], numbers["ones"][0]]
    yield "tens", list(numbers["tens"])


def _units(known: Callable[[str], bool]) -> Iterator[tuple[str, list[str]]]:
    """A rule for the amounts of each kind, such as `<length>`, and one for each unit's names: one and several of it, in
    one spelling, since they sound the same in another."""
    for kind, units in TABLE.items():
        said = [[w for w in unit["words"] if len(w) >= SHORTEST][:2] for unit in units.values()]
        words = _sayable(itertools.chain(*said), known)
        yield f"unit_{kind}", words
        yield kind, [f"<amount> <unit_{kind}>"]


def _own(brief: Brief, known: Callable[[str], bool]) -> Iterator[str]:
    """The robot's own skills, by every way to ask for one."""
    for skill in brief.skills.values():
        needs = _needs(skill, known)
        if needs is not None:
            ways = phrases(skill, brief.words)
            yield from (" ".join([*words, *needs]) for words in ways if all(map(known, words)))


def _needs(skill: Skill, known: Callable[[str], bool]) -> list[str] | None:
    """The forms of what it needs; None where that cannot be foreseen, such as free words."""
    forms = [_need(param, known) for param in skill.params]
    return None if None in forms else [f"[<preposition>] {form}" for form in forms]


def _need(param: Param, known: Callable[[str], bool]) -> str | None:
    if param.options:
        options = _sayable((" ".join(name_words(option)) for option in param.options), known)
        return f"({' | '.join(options)})" if options else None
    match param.kind:
        case "number" | "integer":
            unit = signed(param.unit)
            return f"<{unit.kind}>" if unit and unit.kind in TABLE else None if param.unit else "<number>"
        case "flag":
            return "(on | off)"
        case "thing" | "place":
            return "<thing>"
    return None
