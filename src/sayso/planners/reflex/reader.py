"""The reader of a sentence for the grammar: phrases, amounts, directions and names at a place in it.

Every `read` either moves past what it read or leaves the place as it was. The furthest place where something else was
expected is kept: that is where the sentence stopped making sense.
"""

import difflib
import itertools
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from sayso.errors import NotUnderstood
from sayso.grounding import amounts, lexicon, numbers
from sayso.grounding.inflection import row
from sayso.grounding.numbers import Number
from sayso.grounding.people import is_person
from sayso.grounding.tokens import Token
from sayso.grounding.utterance import stem
from sayso.planners.reflex.words import vocabulary
from sayso.roles import Brief
from sayso.scene import plain
from sayso.tables.units import PACES

OF_THINGS = ("describe", "adjective", "relation", "question")
"""Hints that only mean something to who sees things."""

ODD = "I cannot read this sign or number."
WAYS = ("forward", "backward", "left", "right", "up", "down", "north", "east", "south", "west")


@dataclass(frozen=True, slots=True)
class Amount:
    """A `value` in the base of its `kind`, which is bare without a unit and little for "a bit"."""

    kind: str
    value: float = 0.0


COMMANDS = (
    "take_off", "land", "come_back", "turn_round", "turn", "spin", "climb", "sink", "go", "look_around", "go_to",
    "approach", "find", "face", "take", "wait", "hover", "say", "otherwise", "repeat",
)  # fmt: skip
"""What can begin the next command after words that are said aloud."""


class Stumbled(NotUnderstood):
    """A sentence made no sense from some place on."""


class Reader:
    """Where the reading of one sentence stands; `began` is where the present command does. `examples` are what this
    robot understands, `own` the words for its own skills, `able` its skills by name, and "turn" where one turns it."""

    def __init__(
        self,
        words: Sequence[Token],
        sentence: str,
        brief: Brief,
        examples: Sequence[str],
        own: Collection[str] = (),
        able: Collection[str] = (),
    ) -> None:
        self.words = words
        self.sentence = sentence
        self.vocab = vocabulary().usually(brief.words.usual)
        self.at = self.began = 0
        self.last_thing = next((e.about for e in reversed(brief.earlier) if e.about), "")
        self.heights_m = brief.limits.altitude_min_m, brief.limits.altitude_max_m
        self._spoken, self._examples, self._own = brief.words, examples, own
        self.able = able
        labels = (plain(thing.label) for thing in brief.scene)
        self._in_view = {tuple(label.lower().split()): label for label in labels if label}
        self._sensed = {tuple(map(stem, plain(name).lower().split())): plain(name) for name in brief.scene.names}
        self._lengths = range(max([3, *(len(name) for name in self._sensed)]), 0, -1)
        self._tells = brief.scene.sense is not None
        """Whether who looks says what of a name it was never taught."""
        self._far, self.muted = 0, False
        self._expected: list[str] = ["command"]
        self._why = ""

    @property
    def done(self) -> bool:
        return self.at >= len(self.words)

    def token(self) -> Token | None:
        return None if self.done else self.words[self.at]

    def expect(self, what: str, why: str = "") -> None:
        """Remember that `what` was wanted here, unless the sentence made sense further on in another reading."""
        if self.muted:
            return
        if self.at > self._far:
            self._far, self._expected, self._why = self.at, [], ""
        if self.at == self._far:
            if what not in self._expected:
                self._expected.append(what)
            self._why = self._why or why

    def stumbled(self) -> NotUnderstood:
        """The error for the furthest place that was reached."""
        what = " or ".join(str(self.vocab.data["wanted"][e]) for e in self._expected[:2])
        examples = row([f'"{e}"' for e in self._spoken.examples.get(self._expected[0], self._examples)])
        why = self._why
        if not self.words:
            told = "There was nothing to read."
        elif self._far < len(self.words):
            token = self.words[self._far]
            why = why or self._hint(token)
            spot = self._cut(token, token)
            spot = spot if len(spot) <= 30 else f"{spot[:27]}..."
            told = f'I stumbled on "{spot}": {why or f"I expected {what}"}'
        else:
            before = self._cut(self.words[0], self.words[-1])[-60:]
            told = f'I got as far as "{before}": {why}' if why else f'After "{before}" I expected {what}'
        told = told.rstrip(".")
        so = f"{told}{'' if told.endswith('?') else ';'} I understand, for example, {examples}."
        return Stumbled(so if examples else f"{told}.")

    def _hint(self, token: Token) -> str:
        """Why a sentence with this token cannot be for this planner, or nothing."""
        if token.kind == "odd":
            return ODD
        after = self.words[self._far + 1].text if self._far + 1 < len(self.words) else ""
        return self.hint("not" if (token.text, after) == ("do", "not") else token.text)

    def hint(self, word: str) -> str:
        """A sentence on why this word's wish is outside, or empty."""
        kind = self.vocab.refused(word)
        if word in self._own or (kind in OF_THINGS and "is_visible" not in self.able):
            return ""
        return self._spoken.hints.get(kind) or str(self.vocab.data["hints"].get(kind, ""))

    def text(self, start: int, end: int) -> str:
        """What was said from token `start` up to token `end`, as it was spelled."""
        return self._cut(self.words[start], self.words[end - 1]) if end > start else ""

    def _cut(self, first: Token, last: Token) -> str:
        return " ".join(self.sentence[first.start : last.end].split())

    def take(self, symbol: str) -> bool:
        """Move past a phrase of `symbol`."""
        length = self.vocab.match(symbol, self.words, self.at)
        self.at += length
        return length > 0

    def sees(self, symbol: str) -> bool:
        return self.vocab.match(symbol, self.words, self.at) > 0

    def longest(self, symbols: Sequence[str]) -> str | None:
        """Of several symbols the one with the longest phrase here, so that "if you do" gives way to "if you do not"."""
        best = max(symbols, key=lambda symbol: self.vocab.match(symbol, self.words, self.at))
        return best if self.sees(best) else None

    def marks(self) -> str:
        """Move past punctuation; what it was."""
        found = ""
        while (token := self.token()) and token.kind == "mark":
            found += token.text
            self.at += 1
        return found

    def skip_polite(self, symbol: str) -> None:
        """Move past any run of phrases that mean nothing; before a command, commas among them too."""
        before = symbol == "polite_before"
        while not (before and self.sees("ask_see")) and (self.take(symbol) or (before and self.marks())):
            pass

    def number(self) -> Number | None:
        found = numbers.read(self.words, self.at)
        if found:
            self.at = found.end
        return found

    def amount(self) -> Amount | None:
        """A length, angle or time; a number alone; or "a bit". A bound is taken as the amount: ", but at most 1 m"."""
        start = self.at
        bounded = bool(self.marks() == ",") and self.take("bound")
        if not bounded:
            self.at = start
        found = self._numbered()
        if not (found or bounded):
            self.take("by")
            self.take("bound")
        found = found or self._numbered() or (Amount("little") if self.take("little") else None)
        if found is None or self.sees("times"):
            self.at = start
            return None
        self.take("more")
        self.take("bound_behind")
        return found

    def _numbered(self) -> Amount | None:
        found = amounts.read(self.words, self.at)
        if found is None or (found.kind == amounts.BARE and (found.number.article or found.number.part)):
            return None
        pace = next((pace for pace, (_, said) in PACES.items() if self.words[found.end - 1].text in said), "")
        own_cm = self.vocab.defaults.get(f"{pace}_cm", 0.0)  # of the robot's own steps
        self.at = found.end
        return Amount(found.kind, found.value * own_cm / PACES[pace][0].size if own_cm else found.value)

    def count(self) -> int | None:
        """ "3 times", "twice"."""
        start = self.at
        for n, symbol in enumerate(("once", "twice", "thrice"), 1):
            if self.take(symbol):
                return n
        number = self.number()
        if number and number.value == int(number.value) and not number.article and self.take("times"):
            return int(number.value)
        self.at = start
        return None

    def way(self, ways: Sequence[str] = WAYS) -> str | None:
        """A direction; the longest phrase of any of `ways`."""
        best = self.longest(ways)
        return best if best and self.take(best) else None

    def thing(self) -> str | None:
        """The name of a thing as a plan uses it, `chair` or `chair[0]` for the one on the left."""
        if self.take("it"):
            if not self.last_thing:
                self.at -= 1
                self.expect("thing", "Nothing was named before that it could mean.")
                return None
            return self.last_thing
        start = self.at
        named = self.take("determiner")
        if self.take("nearest") and "look_round" in self.able:
            self.expect("thing")  # which one that is, such a look tells
            self.at = start
            return None
        side = self._side(("left_one", "right_one", "middle_one"))
        name = self._name(named)
        if name is None:
            self.at = start
            return None
        side = side or self._side(("on_left", "on_right", "in_middle"))
        while self.take("thing_tail"):
            pass
        self.last_thing = name if side is None else f"{name}[{side}]"
        return self.last_thing

    def _side(self, symbols: Sequence[str]) -> str | None:
        return next((x for x, symbol in zip(("0", "1", "0.5"), symbols, strict=True) if self.take(symbol)), None)

    def _name(self, named: bool) -> str | None:
        """A label in view, a known name, or after an article any single word that means nothing else."""
        if name := self.label(self._known):
            return name
        token = self.token()
        if token is None or token.kind != "word" or not named:
            self.expect("thing")
            return None
        return self._new_name(token)

    def own(self, start: int) -> bool:
        """Whether what follows a determiner at `start` is the one of two that are told apart by whose they are."""
        said = tuple(stem(t.text) for t in self.words[self.at : self.at + 1])
        return self.words[start].text in ("our", "your") and ("own", *said) in self._sensed

    def label(self, other: Callable[[tuple[str, ...]], str | None] = lambda said: None) -> str | None:
        """The longest name here of what is in view, that an `other` naming finds, or that whoever looks can tell."""
        for length in self._lengths:
            said = tuple(t.text.removesuffix("'s") for t in self.words[self.at : self.at + length] if t.kind == "word")
            if len(said) == length and (
                name := self._in_view.get(said) or other(said) or self._sensed.get((*map(stem, said),))
            ):
                self.at += length
                return name
        return None

    def _known(self, said: tuple[str, ...]) -> str | None:
        """A name of the vocabulary, in the singular; another word for a label in view becomes that label."""
        last = said[-1]
        for word in (last, self.vocab.aliases.get(last, ""), last.removesuffix("s"), last.removesuffix("es")):
            one = (*said[:-1], word)
            if label := self._in_view.get(one):
                return label
            if one in self.vocab.things:
                return " ".join(one)
        return None

    def _new_name(self, token: Token) -> str | None:
        kind, word = self.vocab.refused(token.text), token.text
        if kind or word in self.vocab.known or len(word) < 2 or "'" in word:
            self.expect("thing", self.hint(word))
            return None
        every = [" ".join(name) for name in (*self.vocab.things, *self._in_view)]
        if close := difflib.get_close_matches(word, every, n=1, cutoff=0.8):
            self.expect("thing", f"Did you mean {close[0]}?")
            return None
        if not (self._tells or lexicon.known(word) or is_person(word)):
            self.expect("thing", lexicon.UNKNOWN.format(word))
            return None
        self.at += 1
        return word

    def quoted(self) -> str | None:
        """Words in quotes."""
        token = self.token()
        if token is None or token.kind != "quote":
            self.expect("words", "Put what I shall say in quotes.")
            return None
        self.at += 1
        return self.text(self.at - 1, self.at)[1:-1].strip() or None

    def _begins(self) -> bool:
        """Whether a command begins here, one of the robot's own too."""
        rest = [t.text for t in self.words[self.at :]]
        own = (way.split() for ways in self._spoken.ways.values() for way in ways)
        return any(map(self.sees, COMMANDS)) or any(rest[: len(way)] == way for way in own)

    def aloud(self) -> str | None:
        """Words in quotes, or all up to a full stop, or to a joiner after which a command begins; what only tells which
        words, or when, are none: "announce the time", "call out when you see it"."""
        token, start = self.token(), self.at
        if token and (token.kind == "quote" or self.vocab.says("described", token.text)):
            return self.quoted()
        while not self.done:
            end = self.at
            if end > start and self._addressed():
                return self.text(start, end)
            if end > start and self._speaks_to():
                self.expect("command")
                return None
            marks = self.marks()
            joined = self.take("join") or bool(marks)
            if self.token() is None or set(marks) & set(".!?;") or (joined and self._begins()):
                self.at = end if joined else self.at
                break
            self.at = max(end + 1, self.at)
        if self.at == start:
            self.expect("words")
            return None
        return self.text(start, self.at)

    def _addressed(self) -> bool:
        """Move past whom it is said to, where nothing else follows ("say hello TO HER and come back")."""
        start = self.at
        if self.take("addressee") and (self.done or self.words[self.at].kind == "mark" or self.sees("join")):
            return True
        self.at = start
        return False

    def _speaks_to(self) -> bool:
        """Whether it is said to somebody who is described, to whom it goes first: "say hello TO THE MAN IN RED"."""
        rest = [t.text for t in itertools.takewhile(lambda t: t.kind == "word", self.words[self.at :])]
        return self.sees("preposition") and rest[1:2] != ["me"] and any(map(is_person, rest))
