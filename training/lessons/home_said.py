"""One household wish in the making: its words, and what they say in the language of goals, from the same slots.

A goal has the words of the sentence, so that a name is copied and never guessed: `{obj}` in it is what the sentence
calls the thing. `home_goals.toml` has the goals of the intents whose frames stand in `frames/home*.toml`.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from lessons.home_mimic import of_the_suite
from lessons.home_slots import Slots
from lessons.home_table import house, listed
from lessons.phrasing import Frame, frames, tables
from lessons.saying import named, quoted
from lessons.telling import Unsaid
from sayso.robots.service.goal_plan import KNOWN
from sayso.robots.service.suite import commands as service_commands

if TYPE_CHECKING:
    from lessons.home_composed import Part

JOINED = 4
"""A frame with clauses stands for many sentences, and is drawn so many times as often as one without."""
CLAUSES_DEEP = 2
"""A clause may hold clauses, but those hold none."""
OFTEN = {
    "trivia": 4, "direct-talk": 2, "bring-default": 2, "put-default": 2, "bring-instead": 2, "three-of-a-kind": 3,
    "give-whom": 3, "guide-to-nowhere": 2, "serve-two": 2, "talk-nowhere": 2, "put-where": 2, "say-times": 3,
}  # fmt: skip
"""Intents of few frames, or of the commonest wishes: so many times as often."""
UNTOLD = {"drink": "something to drink", "food": "something to eat", "cleaner": "something to clean with"}
"""What is wanted where the sentence only hints at it."""
RANKS = {"biggest": "largest"}
ALSO_ASKED = {"What day of the month is it?": "date", "Who are you?": "your name"}

_CLAUSE = re.compile(r"\[([a-z0-9-]+)\]")
_MAYBE = re.compile(r"\[\[(.*?)\]\]")
_SLOT = re.compile(r"\{([a-z]+[0-9]?)(?:\.([A-Za-z0-9]+))?\}")
_HELLO = re.compile(r"\{(hello|bye):(.*?\}(?: from \{\w+\})?)\}")
_GREETS = re.compile(r"\b(?:greet|hello|hi|welcome|good day|meet)\b")
_BYE = re.compile(r"\b(?:goodbye|good-bye|bye|farewell)\b")


@dataclass(slots=True)
class Talker:
    """The dice, the side of the split, the home, the frames used so far."""

    rng: Random
    held: str
    slots: Slots
    used: list[str] = field(default_factory=list)
    held_frames: list[str] = field(default_factory=list)

    def pick(self, choice: Sequence[Frame], main: bool = True) -> str:
        """A wording with its slots open. Raises `Unsaid` where this side of the split has none."""
        if main:
            choice = [f for f in choice if f.held_out == (self.held == "frame")]
        elif self.held != "frame":
            choice = [f for f in choice if not f.held_out]
        if not choice:
            raise Unsaid("no frames on this side")
        chosen = self.rng.choice(choice)
        self.used.append(chosen.id)
        if chosen.held_out:
            self.held_frames.append(chosen.id)
        return chosen.say(self.rng)

    def fresh(self) -> Talker:
        """The same, with other people and things to speak of."""
        return Talker(self.rng, self.held, Slots(self.rng, self.slots.table), self.used, self.held_frames)

    def own_order(self) -> Part:
        """An intent of our own as an order, its slots open."""
        from lessons.home_composed import Part

        intent = self.rng.choice([i for i in intents() if wordings(i, "orders")])
        text = with_clauses(self, self.pick(wordings(intent, "orders"), main=False))
        if re.search(r"[.;?]", text):
            raise Unsaid("several sentences")
        return Part(f"own.{intent}", text, goals()[intent])


def filled(t: Talker, part: Part) -> Part:
    """The sentence, and its goal in its words."""
    from lessons.home_composed import Part

    if of_the_suite(part.words):
        raise Unsaid("the suite's own words")
    said = t.slots.said(part.words)
    return Part(part.intent, said, goal_of(t, part.words, part.goal, said))


def goal_of(t: Talker, text: str, template: str, said: str) -> str:
    """A goal of the words of `said`, which was made of `text`, its slots then open."""
    there = {m[0] for m in _SLOT.finditer(text)}
    kept = _MAYBE.sub(lambda m: m[1] if {s[0] for s in _SLOT.finditer(m[1])} <= there else "", template)
    kept = _HELLO.sub(lambda m: _greeting(m[1], m[2], said), kept)
    return _SLOT.sub(lambda m: _word(t, m[1], m[2] or "", there, said), kept)


def _greeting(kind: str, who: str, said: str) -> str:
    if kind == "bye":
        return f"heard({who}, 'goodbye') then " if _BYE.search(said.lower()) else ""
    greets = f"heard({who}, 'hello')"
    if "yourself" not in said:
        return greets
    tells = f"informed({who}, 'yourself')"
    return f"{greets} then {tells}" if _GREETS.search(said.lower()) else tells


def _word(t: Talker, slot: str, part: str, there: set[str], said: str) -> str:
    """What stands in the goal for a slot."""
    kind = slot.rstrip("0123456789")
    match kind, part:
        case "person", _:
            human = any(s.startswith("{human") for s in there)
            noun = t.slots.part("human", "")[0] if human else ""
            return named(noun) if noun in (*house("he"), *house("she")) else "person"
        case "worn", _:
            return quoted(f"{t.slots.part('shirt', '')[0]} {t.slots.part('garment', '')[0]}")
        case "talk", _:
            asked = t.slots.part(slot, "q")
            known = {question: word for word, question in KNOWN.items()} | ALSO_ASKED
            return quoted(known.get(asked[1]) or asked[0].lower())
        case (("trivia" | "message" | "ask"), _):
            return quoted(t.slots.part(slot, "")[0].lower())
        case (("taxi" | "luggage"), _):
            return _first_of(("taxi", "cab") if kind == "taxi" else ("luggage", "suitcase", "bags", "bag"), said)
        case "best", "rank":
            meant = t.slots.part(slot, "")[1]
            return RANKS.get(meant, meant)
        case "edge", _:
            return t.slots.part(slot, "")[1]
        case "side", "of":
            return f"{t.slots.part(slot, '')[1]}_of"
        case "times", "said":
            return t.slots.part(slot, "n")[1]
        case "paint", "one":
            return quoted(f"{t.slots.part(slot, '')[0]} {t.slots.part(slot, 'one')[0]}")
        case _, "one":
            return _kind(t, slot, there)
    return named(t.slots.part(slot, part)[0])


def _kind(t: Talker, slot: str, there: set[str]) -> str:
    """What the sentence calls a kind of thing."""
    if there & {f"{{{slot}.one}}", f"{{{slot}.a}}"}:
        return named(t.slots.part(slot, "one")[0])
    if there & {f"{{{slot}.cat}}", f"{{{slot}}}"}:
        return named(t.slots.part(slot, "cat")[0])
    if slot in UNTOLD:
        return quoted(UNTOLD[slot])
    raise Unsaid(f"no {slot} is named")


def _first_of(words: Sequence[str], said: str) -> str:
    for word in words:
        if re.search(rf"\b{word}\b", said.lower()):
            return word
    raise Unsaid(f"none of {words}")


# The intents


@functools.cache
def goals() -> Mapping[str, str]:
    """The goal of each intent."""
    return tomllib.loads((Path(__file__).parent / "home_goals.toml").read_text("utf-8"))


@functools.cache
def intents(category: str = "") -> Sequence[str]:
    """Intents with frames of our own, of a category of the suite or all; those of many frames come more often."""
    found: list[str] = []
    for intent in goals():
        ours = not category or _category().get(intent) == category
        lines = len(wordings(intent, "orders")) + len(wordings(intent, "sentences"))
        if ours and lines and not goals()[intent].startswith(("refuse", "ask ")):
            found += [intent] * (max(2, lines // 4) * OFTEN.get(intent, 1))
    return found


@functools.cache
def _category() -> Mapping[str, str]:
    return {entry["id"]: entry["category"] for entry in service_commands.frames()}


@functools.cache
def wordings(intent: str, kind: str) -> Sequence[Frame]:
    """The frames of an intent, those of `home_voices.toml` and `home_talk.toml` among them."""
    every = (f for more in ("", "~", "~~") for f in frames(f"home.{intent}{more}", kind))
    return tuple(f for f in every for _ in range(JOINED if _CLAUSE.search(f.text) else 1))


def with_clauses(t: Talker, text: str) -> str:
    """A frame whose `[clause]` marks stand for one of many ways to say a part of it (`frames/home_clauses.toml`)."""
    for _ in range(CLAUSES_DEEP):
        text = _CLAUSE.sub(lambda m: t.pick(frames("home.clause", m[1]), main=False), text)
    return re.sub(r"([.!?]) ([a-z])", lambda m: f"{m[1]} {m[2].upper()}", text) if t.rng.random() < 0.6 else text


def chatter(where: str) -> Sequence[str]:
    return tables()["home.chatter"][where].strip().splitlines()


def slips() -> Mapping[str, list[str]]:
    return listed()["slips"]
