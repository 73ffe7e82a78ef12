"""The short form in which the embedded model reads a household command: what it needs of the robot's table of names.

    <command>bring me a cola from the kitchen<memory>cola=coke drinks at counter;kitchen/bedroom:bed,side table;
        kitchen:counter,sink;street:taxi/drinks counter;fruits bookcase<do>mt('kitchen');lo('coke');gr('coke');pt('me')

First what the command names: the words, where they are not the name itself, then a thing's category and usual place,
a category's usual place and what belongs to it, a place's room, a person's gender. Then all rooms with their places,
then all categories with theirs, so that nothing has to be known by heart. A word is matched by name, by alias, in the
plural, misspelt by one letter, and by the last word of a longer name (`juice`), which then stands once for each.

After a failure `left` are the rooms in which nobody has looked; `eight` stands where the robot has the eight primitives
of the paper alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from sayso.errors import PlanSyntaxError
from sayso.forms import Constraint, brief_of
from sayso.goals.gaps import question, unread
from sayso.goals.planned import fails, want_of
from sayso.language import parse
from sayso.models.pocket.constraints import LineConstraint, PlanConstraint
from sayso.models.pocket.plans import PlanForm, earlier
from sayso.models.pocket.text import clean
from sayso.parts import Attempt, Brief, Prompt
from sayso.robots.service.named import unseen
from sayso.robots.service.prompt import placed
from sayso.robots.service.wishes import WishForm
from sayso.skills.names import read_names
from sayso.task import NOT_FOUND

MATCHES_MAX, MEMBERS_MAX, HEADS_MAX = 9, 6, 3
WORDS_MAX = 4
"""Of a name or an alias, at most."""

ANY_LINE, LINE_CHARS = r"root ::= [^\n]*", 600
"""The grammar that allows any line: with it a household plan is written unguided. And how long it gets at most."""

COMMON = frozenset(resources.files(__package__).joinpath("common.txt").read_text("utf-8").split())
"""Everyday words that no slip of the finger made of a name."""

NOUNS = frozenset((
    "ball", "belt", "boot", "cake", "chip", "clip", "coin", "cord", "core", "disc", "disk", "fold", "folder", "horse",
    "kite", "mouse", "paste", "plane", "sack", "shell", "shoe", "silk", "sock", "soda", "stack", "tablet", "tower",
    "track", "tram", "trap",
))  # fmt: skip
"""Those of them that the name of a thing may end with, and be short for."""

_WORD = re.compile(r"[a-z0-9]+(?:['-][a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Phrases in their stems, and what is said of what they name; `heads` by last word; `letters` for misspellings."""

    says: Mapping[str, str]
    heads: Mapping[str, Sequence[str]]
    letters: Mapping[str, Sequence[str]]


class CommandForm(PlanForm):
    """Plans for a household command, with the places that exist as the only ones that can be named."""

    lessons, threshold = "home", "command"
    better = WishForm()
    untaught = frozenset(("look_round", "how_many", "meet_next", "what_is", "confirm"))
    streams = False

    def reads(self, prompt: Prompt) -> str:
        brief = brief_of(prompt)
        wish = clean(brief.instruction)
        return f"<command>{wish}{earlier(brief)}<memory>{'/'.join(_memory(brief, wish))}<do>"

    def constraint(self, prompt: Prompt, reads: str) -> Constraint:
        brief = brief_of(prompt)
        if prompt.grammar == ANY_LINE:
            return LineConstraint(LINE_CHARS)
        return PlanConstraint(placed(self.taught(brief.skills), brief.knowledge))

    def answer(self, prompt: Prompt, written: str) -> str:
        """The plan, where it works towards all things that the wish names; else a question."""
        brief = brief_of(prompt)
        try:
            plan = parse(written)
        except PlanSyntaxError:
            return written
        want = None if brief.history or fails(plan.body.statements) else want_of(plan, brief.skills)
        parted = unread(brief.instruction, want, read_names(brief.knowledge).spoken) if want else []
        return self.declined(prompt, question(parted)) if parted else written


def _memory(brief: Brief, wish: str) -> Iterator[str]:
    table = brief.knowledge
    if "ask" not in brief.skills:
        yield "eight"
    if brief.history:
        yield from _learnt(brief.history, table)
    yield ";".join(matches(wish, table))
    yield rooms(table)
    yield ";".join(f"{c['name']} {c['place']}" for c in table["categories"] if c.get("place"))


def rooms(table: Mapping[str, Any]) -> str:
    """Every room with its places."""
    inside: dict[str, list[str]] = {r["name"]: [] for r in table["rooms"]}
    for place in (*table["places"], *table.get("outside", ())):
        inside.setdefault(place["room"], []).append(place["name"])
    return ";".join(f"{room}:{','.join(names)}" if names else room for room, names in inside.items())


# What earlier attempts have shown


def _learnt(history: Sequence[Attempt], table: Mapping[str, Any]) -> Iterator[str]:
    looked = {str(place) for a in history for one in a.ran if one.code == NOT_FOUND for place in one.about}
    if looked:
        yield f"left {','.join(unseen(looked, table))}"


# What the command names


def matches(wish: str, table: Mapping[str, Any]) -> list[str]:
    """What is known of the names in a wish, in its order, each once."""
    lexicon = read_lexicon(table)
    said = _WORD.findall(wish)
    stems = [_mended(_stem(w), lexicon) for w in said]
    found: dict[str, None] = {}
    at = 0
    while at < len(said) and len(found) < MATCHES_MAX:
        longest = min(WORDS_MAX, len(said) - at)
        size = next((n for n in range(longest, 0, -1) if " ".join(stems[at : at + n]) in lexicon.says), 0)
        if size:
            phrase = " ".join(said[at : at + size])
            found[_entry(phrase, lexicon.says[" ".join(stems[at : at + size])])] = None
        else:
            found |= {_entry(said[at], tells): None for tells in lexicon.heads.get(stems[at], ())[:HEADS_MAX]}
        at += max(1, size)
    return list(found)


def _entry(phrase: str, tells: str) -> str:
    name = tells.partition("|")[0]
    told = tells.replace("|", " ").rstrip()
    return told if phrase == name else f"{phrase}={told}"


def read_lexicon(table: Mapping[str, Any]) -> Lexicon:
    """A table of names, made ready for matching."""
    says: dict[str, str] = {}
    for names, tells in _named(table):
        for name in names[1:]:
            says.setdefault(_stems(name), tells)
    for names, tells in _named(table):  # a name is itself, whatever else it is an alias of
        says[_stems(names[0])] = tells
    heads: dict[str, list[str]] = defaultdict(list)
    letters: dict[str, list[str]] = defaultdict(list)
    for phrase, tells in says.items():
        words = phrase.split()
        if len(words) > 1 and tells not in heads[words[-1]]:
            heads[words[-1]].append(tells)
    for phrase in reversed(says):  # what is a name before what is but an alias
        for word in phrase.split():
            if len(word) > 3 and word not in letters[word[0]]:
                letters[word[0]].append(word)
    return Lexicon(says, {h: t for h, t in heads.items() if h not in COMMON or h in NOUNS}, letters)


def _named(table: Mapping[str, Any]) -> Iterator[tuple[list[str], str]]:
    """Names, their own first, and what is told of them: `name|rest`."""
    for room in table["rooms"]:
        yield _names(room), f"{room['name'].lower()}|room"
    for place in (*table["places"], *table.get("outside", ())):
        yield _names(place), f"{place['name'].lower()}|in {place['room']}"
    usual = {c["name"]: c.get("place", "") for c in table["categories"]}
    members: dict[str, list[str]] = defaultdict(list)
    for thing in table["objects"]:
        members[thing["category"]].append(thing["name"])
        at = usual.get(thing["category"])
        yield _names(thing), f"{thing['name'].lower()}|{thing['category']} at {at}" if at else f"{thing['name']}|"
    for category in table["categories"]:
        some = ",".join(members[category["name"]][:MEMBERS_MAX])
        yield _names(category), f"{category['name'].lower()}|at {category['place']}:{some}"
    for gender, people in table["people"].items():
        for person in people:
            yield [person], f"{person.lower()}|{gender}"


def _names(entry: Mapping[str, Any]) -> list[str]:
    return [entry["name"], *entry.get("aliases", ())]


def _stems(phrase: str) -> str:
    return " ".join(_stem(w) for w in _WORD.findall(phrase.lower()))


def _stem(word: str) -> str:
    """Without the ending of a plural or of what belongs to somebody."""
    word = word.removesuffix("'s")
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _mended(stem: str, lexicon: Lexicon) -> str:
    """A word of some name that differs by one slip of the finger, or the word as it is."""
    if len(stem) < 4 or stem in COMMON:
        return stem
    known: Iterable[str] = lexicon.letters.get(stem[0], ())
    if stem in known:
        return stem
    return next((word for word in known if abs(len(word) - len(stem)) <= 1 and _one_slip(word, stem)), stem)


def _one_slip(one: str, other: str) -> bool:
    """One letter more, less or other, or two changed places."""
    if len(one) < len(other):
        one, other = other, one
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(other))
    if len(one) > len(other):
        return one[at + 1 :] == other[at:]
    swapped = one[at : at + 2] == other[at : at + 2][::-1] and one[at + 2 :] == other[at + 2 :]
    return swapped or one[at + 1 :] == other[at + 1 :]
