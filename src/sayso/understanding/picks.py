"""Commands about things that have to be picked (the tallest, both, all but one), read by code as goals (U7).

"photograph everybody but the man in blue and come back" is `each(all person but man.blue) { picture(it) } then home`.
The ways to say it are in `grounding/deeds.toml`. What else a sentence has in it is a plain command or a question; where
a word of it is not read, the whole is somebody else's.
"""

import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

from sayso import goal as g
from sayso.goal import ANYTHING, IT, Amount, Clause, Each, Pred, Then, Which
from sayso.goals.clauses import preds, several, whiches
from sayso.goals.spoken import noun
from sayso.grounding import amounts, pattern
from sayso.grounding.inflection import plural
from sayso.grounding.people import is_person
from sayso.grounding.phrases import fitting, trimmed
from sayso.grounding.tokens import Token, clean, tokens
from sayso.tables import toml
from sayso.understanding.things import which

Plain: TypeAlias = Callable[[str], Clause | None]
"""The goal of a plain command, None for what is none."""

T = TypeVar("T")

PARTS_MAX = 6
SEEN = "in view"
"""Where "there" is for who has turned that way."""
DONE_TO_EACH = ("at", "picture", "found")
"""What can be done to each of several."""


def picked(sentence: str, names: Collection[str], plain: Plain) -> Clause | None:
    """The goal of such a command; None where code does not read it to the last word, or nothing has to be picked."""
    text = clean(sentence)
    words = _bare(tokens(text))
    done = _Reader(text, frozenset(names), plain).parts(words, PARTS_MAX) if words else None
    return several(Then, done) if done and any(map(_picks, done)) else None


HALF_TURNS = ([("back",)], [("left", Amount(180.0, "deg"))], [("right", Amount(180.0, "deg"))])

_Places: TypeAlias = tuple[tuple[str, str], ...]
"""Words at the end of a part for a place, each with what they stand for."""

Read: TypeAlias = Callable[[str], T | None]


def in_parts(sentence: str, one: Read[T], some: Sequence[Read[T]], goal_of: Callable[[T], Clause | None]) -> list[T]:
    """What is read of each of the parts of a sentence, several of them, the first as long as can be; nothing where one
    of them is not read.

    `one` reads a part, each of `some` a row of parts by itself: two neighbours that such a reader reads only apart are
    not what was meant ("go forward and back 1 m"). "It" is the last thing of the part before, by its `goal_of`, "they"
    are all of those.
    """
    text = clean(sentence)
    words = _bare(tokens(text))

    @functools.cache
    def part(begin: int, end: int, it: str, there: _Places) -> tuple[int, T] | None:
        said = _bare(words[begin:end])
        plain = text[said[0].start : said[-1].end] if said else ""
        points = {IT: it, **dict.fromkeys(_table()["around"]["them"], it and plural(it))}
        named = " ".join(points.get(word.text) or text[word.start : word.end] for word in said)
        here = next((plain.removesuffix(end) + spot for end, spot in there if plain.endswith(f" {end}")), plain)
        for told in dict.fromkeys((here, plain, named)):
            for n, read in enumerate((one, *some) if told else ()):
                if (found := read(told)) is not None:
                    return n, found
        return None

    def parts(begin: int, most: int, before: int, it: str, there: _Places) -> list[T]:
        joints = reversed([*_joints(words[begin:], "joins")] if most > 1 else [])
        for at, behind in ((len(words) - begin, 0), *joints) if begin else joints:
            first = part(begin, begin + at, it, there)
            if first is None or first[0] == before != 0:
                continue
            if not behind:
                return [first[1]]
            goal = goal_of(first[1])
            last = "".join([f"the {which.rank} {noun(which)}".replace("  ", " ") for which in whiches(goal)][-1:])
            if rest := parts(begin + behind, most - 1, first[0], last or it, _places(goal, last) or there):
                return [first[1], *rest]
        return []

    return parts(0, PARTS_MAX, 0, "", ())


def _places(goal: Clause | None, last: str) -> _Places:
    """What is said of the place behind a way there or a turn: what is behind a robot that turns round it then sees."""
    if last:
        return (("there", f"beside {last}"),)
    turns = [pred.name == "turned" and pred.args for pred in preds(goal)]
    half = ["there", *(_table()["around"]["behind_me"] if turns in HALF_TURNS else ())]
    return tuple((word, SEEN) for word in half) if all(turns) and turns else ()


def joined(sentence: str) -> list[str]:
    """The parts of a sentence between the words that join commands, where there are several."""
    text = clean(sentence)
    parts = [words for part in _split(tokens(text), "joins") if (words := _bare(part))]
    return [text[words[0].start : words[-1].end] for words in parts] if len(parts) > 1 else []


def _picks(part: Clause) -> bool:
    """Whether more is said than the name of one thing."""
    some = list(whiches(part))
    return len(some) > 1 or any(one != Which(one.kind) for one in some)


class _Reader:
    """Reads one sentence, part after part."""

    def __init__(self, text: str, names: frozenset[str], plain: Plain) -> None:
        self._sentence, self._names, self._plain = text, names, plain

    def parts(self, words: Sequence[Token], most: int, before: Sequence[Clause] = ()) -> list[Clause] | None:
        """The clauses of these words behind those `before`; None where some are not read."""
        if (one := self._part(_bare(words), before)) is not None:
            return [*before[: len(before) - one[1]], one[0]]
        if most < 2:
            return None
        for at, behind in _joints(words, "joins"):
            first = self._part(_bare(words[:at]), before)
            if first is not None:
                kept = [*before[: len(before) - first[1]], first[0]]
                if rest := self.parts(words[behind:], most - 1, kept):
                    return rest
        return None

    def _part(self, words: Sequence[Token], before: Sequence[Clause]) -> tuple[Clause, int] | None:
        """One part, and how many of those before it goes on with."""
        if not words:
            return None
        if (choice := self._choice(words)) is not None:
            return choice, 0
        for row, say in pattern.sayings("deeds.toml", "deed"):
            for found in say.readings(words):
                does, phrase = str(row["does"]), str(found.slots["a"])
                if phrase in _table()["around"]["pronouns"]:
                    if before and (on := _goes_on(before[-1], does)) is not None:
                        return on, 1
                elif (done := self._done(does, tokens(phrase))) is not None:
                    return done, 0
        goal = self._plain(self._sentence[words[0].start : words[-1].end])
        return (goal, 0) if goal is not None else None

    def _choice(self, words: Sequence[Token]) -> Clause | None:
        """What is done where something is there of which more is said than its name, and where it is not."""
        for found in (one for say in _table()["condition"]["say"] for one in pattern.pattern(say).readings(words)):
            who = f"person {found.slots['who']}" if "who" in found.slots else str(found.slots["a"])
            who += f" that is {found.slots['tells']}" if "tells" in found.slots else ""
            meant = which(who, self._names)
            test = Pred("found", (meant,)) if meant else None
            if test is None or not _picks(test):
                continue
            ways = [slot for slot in ("yes", "no") if slot in found.slots]
            branches = [one for slot in ways if (one := self._branch(slot, str(found.slots[slot]), test))]
            if len(branches) == len(ways):
                return g.If(test, *branches) if "yes" in found.slots else g.If(g.Not(test), *branches)
        return None

    def _branch(self, slot: str, way: str, test: Clause) -> Clause | None:
        """What is done where a test holds, or where it does not; None where it is not read."""
        if way in _table()["tells"]["say"]:
            return Pred("said", (_table()["tells"][slot],))
        parts = _Reader(way, self._names, self._plain).parts(tokens(way), PARTS_MAX, (test,))
        return _behind(test, parts) if parts else None

    def _done(self, does: str, phrase: Sequence[Token]) -> Clause | None:
        """A deed to one thing, to each of several, to all of a list or to the first of some; "2 m" is none."""
        amount = amounts.read(phrase, 0)
        if amount and amount.kind != amounts.BARE and amount.end == len(phrase):
            return None
        meant = which(_text(phrase), self._names)
        if meant is not None:
            return _to(does, meant)
        for section, kind in (("choices", g.Any), ("lists", Then)):
            either = section == "choices" and phrase[0].text in _table()["around"]["either"]
            first, *others = _split(phrase[either:], section)
            if any(self._plain(_text(part)) is not None for part in others):
                continue  # "the sofa and stay" is a thing and a command
            some = [which(_text(part), self._names) for part in (first, *others)]
            if some[0] is not None and some[0].kind == ANYTHING:
                continue  # "something red and round" is one thing
            done = [_to(does, one) for one in some if one is not None]
            found = [one for one in done if one is not None]
            people = [one for one in some if one is not None and is_person(one.kind)]
            if kind is g.Any and len(people) == len(some) == 2 and people[0] == Which(people[0].kind) != people[1]:
                return _to(does, replace(people[1], kind="person"))  # "the lady or gentleman in blue"
            if len(some) > 1 and len(found) == len(some):
                return several(kind, found)
        return None


def _to(does: str, meant: Which) -> Clause | None:
    if meant.count == 1 or does == "facing":  # who faces several faces one of them
        return Pred(does, (replace(meant, count=1),))
    return Each(meant, Pred(does, (Which(IT),))) if does in DONE_TO_EACH else None


def _behind(test: Clause, parts: Sequence[Clause]) -> Clause:
    """What is done behind a test, which the parts begin with: to what was found, where no other thing is named."""
    first = parts[0].parts[1:] if isinstance(parts[0], Then) else ()
    return several(Then, [*first, *parts[1:]])


def _goes_on(before: Clause, does: str) -> Clause | None:
    """What is done to the thing of the part before as well."""
    match before:
        case Each(some, body) if does in DONE_TO_EACH:
            return Each(some, Then((body, Pred(does, (Which(IT),)))))
        case Pred(_, (Which() as meant, *_)):
            return Then((before, Pred(does, (meant,))))
        case Then(parts) if isinstance(on := _goes_on(parts[-1], does), Then):
            return Then((*parts[:-1], *on.parts))
    return None


# Words


def _text(words: Sequence[Token]) -> str:
    return " ".join(t.text for t in words)


def _bare(words: Sequence[Token]) -> Sequence[Token]:
    """Without what asks for nothing before and behind."""
    around = _table()["around"]
    return trimmed(words, around["before"], around["behind"])


def _joints(words: Sequence[Token], section: str) -> Iterator[tuple[int, int]]:
    """Where a word joins two parts: up to where the first one goes, and where the second begins."""
    for at in range(1, len(words)):
        if length := fitting([t.text for t in words[at:]], _table()["around"][section]):
            yield at, at + length


def _split(words: Sequence[Token], section: str) -> list[Sequence[Token]]:
    """All parts of a list."""
    joint = next(iter(_joints(words, section)), None)
    return [words] if joint is None else [words[: joint[0]], *_split(words[joint[1] :], section)]


def _table() -> Mapping[str, Any]:
    return toml("sayso.grounding", "deeds.toml")
