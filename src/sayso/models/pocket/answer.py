"""One answer of the embedded model, from the prompt to the text that is handed out.

It is handed out whole. Where the model was in doubt about what is meant (its chance below what the card of the weights
gives for this form), or came to no end, it asks back instead, and nothing moves. One meaning can be written in several
ways: their chances are added, so that two words for one deed are no doubt about the deed (Kuhn, Gal and Farquhar 2023,
semantic uncertainty). What is asked is whether that was meant; who says yes has no doubt left.

A model that can only write what can be done is sure of itself too easily: "kiss the frog" goes to the frog. So the
meaning of what was read is also held against a line between lessons that asked for something and lessons that were
refused (`training/outside.py`): the further outside the language, the more certain the meaning must be. And where
there is a word that no lesson had, and the answer does not name it, the meaning must be as good as certain: what it
asks for may be just what the model does not know.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np

from sayso.grounding.answers import agreed
from sayso.grounding.tokens import clean as plain
from sayso.models.pocket import words
from sayso.models.pocket.any_robot import form_for, must_be_taught
from sayso.models.pocket.decode import Decoding, others
from sayso.models.pocket.net import Floats, Net
from sayso.models.pocket.text import clean
from sayso.roles import Prompt, Usage
from sayso.understanding.acts import only_tells
from sayso.understanding.forms import UNSURE, Form, brief_of
from sayso.understanding.gaps import LEAVE

OTHERWISE = "Then please say it in other words."
OTHERS_MAX = 12
"""So many answers that could have been given instead are looked at."""
TAKEN_LEAST = 0.1
"""A reading that is less likely than this share of the likeliest is not taken instead of it."""
TOO_LONG = "That is too long for me. Please say it in one or two sentences."

REASON_MIN = 0.5


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure the model was of the meaning of what it wrote, as far as it had to look, and whether it was in doubt.

    `outside` is how far outside its language the prompt is: so many nats more certain it has to be. `unlearned` are
    words of the wish that no lesson had and that are not in the answer.
    """

    sure: float
    tokens: int
    doubted: bool
    outside: float = 0.0
    unlearned: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt as the model has it: the form, what it reads, and the token that its answer begins with, which is the
    last mark of what is read and tells what kind of text it is."""

    form: Form
    reads: str
    ids: tuple[int, ...]
    begin: int


def asked(net: Net, prompt: Prompt) -> Asked:
    """Of what is too long the end is left out. Raises `ModelUnavailable` for what these weights had no lessons in."""
    form = form_for(prompt)
    must_be_taught(form, net.card.get("taught", ()))
    text = words.mended(form.reads(prompt), net.tokenizer.ids, _known(prompt))
    ids = net.tokenizer.read(text)
    cut = tuple(ids if len(ids) <= net.read_max else [*ids[: net.read_max - 1], ids[-1]])
    return Asked(form, text, cut, net.tokenizer.ids[text[text.rindex("<") :]])


def _known(prompt: Prompt) -> Iterator[str]:
    """What is in view, and all that stands in the robot's table."""
    if prompt.brief:
        yield from (thing.label for thing in prompt.brief.scene)
        yield from _texts(prompt.brief.knowledge)


def _texts(table: object) -> Iterator[str]:
    if isinstance(table, str):
        yield table
    elif isinstance(table, Mapping):
        yield from chain.from_iterable(map(_texts, table.values()))
    elif isinstance(table, Sequence):
        yield from chain.from_iterable(map(_texts, table))


class Answering:
    """Blocking work for a thread of its own; `stop` ends it within a few milliseconds."""

    def __init__(self, net: Net, prompt: Prompt) -> None:
        this, self._net = asked(net, prompt), net
        self._prompt, self._form, self._stopped, self._doubted = prompt, this.form, False, False
        self._this, self._encoded = this, net.read(this.ids)
        self._again = again = bool(brief_of(prompt).history)  # what was taken up once is not refused later
        self._outside = 0.0 if again else outside(net.card, this.form.threshold, self._encoded.meaning)
        self._certain = 0.0 if again else float(net.card.get("unlearned", {}).get(this.form.threshold, 0.0))
        self._strange = words.unlearned(this.reads, _known(prompt)) if self._certain else ()
        self._tells = not (again or this.form.reports) and only_tells(brief_of(prompt).core)  # which is no order
        self._least = float(net.card["doubt"].get(this.form.threshold, 0.0))
        self._decoding = self._begun()
        self._found = [self._decoding]
        self._rest = islice(others(self._decoding, self._begun, lambda: self._stopped), OTHERS_MAX)
        self._sure = 0.0

    def stop(self) -> None:
        self._stopped = True

    def text(self) -> str:
        """The answer in the planner's language; empty where it was stopped."""
        most = self._form.wish_chars
        if self._form.whole_wish and len(clean(brief_of(self._prompt).core, most + 1)) > most:  # half a wish is no wish
            self._doubted = True
            return self._form.declined(self._prompt, TOO_LONG)
        while not self._decoding.over and not self._stopped:
            self._decoding.step()
        hindrance = self._taken_up() if self._decoding.ended else ""
        if self._stopped:
            return ""
        if hindrance:
            self._doubted = True
            return self._form.declined(self._prompt, hindrance)
        written = self._decoding.constraint.text
        self._sure = self._decoding.chance if self._decoding.ended else 0.0
        if self._in_doubt and self._decoding.ended:
            self._sure = self.meaning(self._enough)
        if self._in_doubt or not self._decoding.ended:
            why = f"I do not know what “{self._unlearned[0]}” means." if self._unlearned else UNSURE
            doubt = self._form.doubt(self._prompt, written, why, sure=self._sure >= self._enough)
            replies = self._replies(doubt)
            self._doubted = bool(doubt) and not any(map(agreed, replies))
            if self._doubted:
                return self._form.declined(self._prompt, OTHERWISE if replies else doubt)
        return self._form.answer(self._prompt, self._completed(written))

    def _taken_up(self) -> str:
        """Chooses the likeliest reading that can be taken up and leaves nothing out; what hinders the likeliest of all
        where there is none."""
        first = self._decoding
        hindrance = self._hindrance(first)
        for other in self._readings() if hindrance and not self._again else ():
            if other.chance >= TAKEN_LEAST * first.chance and not self._hindrance(other, first):
                self._decoding = other
                return ""
        return hindrance

    def _hindrance(self, reading: Decoding, instead_of: Decoding | None = None) -> str:
        """Why a reading cannot be taken up as it is, or what is asked where it would be the same without some of what
        was said (U3). That nothing is done is no reading to take instead of another."""
        written = reading.constraint.text
        if self._form.refuses(self._prompt, written):
            return UNSURE if instead_of else ""
        if why := self._form.hindered(self._prompt, self._completed(written)):
            return why
        ignored = "" if self._again else self._form.ignored(self._prompt, written, self._written)
        return "" if ignored.endswith(LEAVE) and any(map(agreed, self._replies(ignored))) else ignored

    def _readings(self) -> Iterator[Decoding]:
        yield from self._found
        for other in self._rest:
            self._found.append(other)
            yield other

    def _completed(self, written: str) -> str:
        return self._form.completed(self._prompt, written, lambda prompt: Answering(self._net, prompt).text())

    def _written(self, prompt: Prompt) -> str:
        """What the same model writes of another prompt, whatever its doubts."""
        other = Answering(self._net, prompt)
        while not other._decoding.over and not self._stopped:
            other._decoding.step()
        return other._decoding.constraint.text

    def meaning(self, enough: float = 1.0) -> float:
        """How likely what was written is, with all other writings that come to the same answer; others are looked for
        until that is `enough`, or cannot be."""
        written, sure = self._decoding, self._decoding.chance
        means = self._form.answer(self._prompt, written.constraint.text)
        for other in self._readings():
            if sure >= enough or sure + 1.0 - sum(one.chance for one in self._found) < enough:
                break  # it is enough, or no other writing can make it so
            if other is not written and self._form.answer(self._prompt, other.constraint.text) == means:
                sure += other.chance
        return sure

    def _begun(self, forced: Sequence[int] = ()) -> Decoding:
        most = min(self._net.write_max, self._prompt.max_tokens)
        constraint = self._form.constraint(self._prompt, self._this.reads)
        return Decoding(self._net, self._encoded, self._this.begin, constraint, most, forced)

    def _replies(self, question: str) -> list[str]:
        """What was answered to a question about this wish, whatever its quotes."""
        wish = brief_of(self._prompt).wish
        return [r.answer for r in wish.replies if _bare(r.question) == _bare(question)] if wish else []

    @property
    def _refuses(self) -> bool:
        return self._form.refuses(self._prompt, self._decoding.constraint.text)

    @property
    def _unlearned(self) -> tuple[str, ...]:
        """What no lesson had of the wish and the answer does not name."""
        written = set(words.WORD.findall(self._decoding.constraint.text))
        return () if self._refuses else tuple(word for word in self._strange if word not in written)

    @property
    def _in_doubt(self) -> bool:
        return self._sure < self._enough or (self._tells and not self._refuses)

    @property
    def _enough(self) -> float:
        """How likely the meaning has to be, the more so outside. A refusal may come from as far outside as it likes,
        and is likelier than all else together, or gives no reason."""
        if self._refuses:
            return max(self._least, REASON_MIN)
        return max(self._least * math.exp(max(0.0, self._outside)), self._certain if self._unlearned else 0.0)

    @property
    def usage(self) -> Usage:
        return Usage(self._encoded.tokens, len(self._decoding.ids), "pocket")

    @property
    def confidence(self) -> Confidence:
        return Confidence(self._sure, len(self._decoding.ids), self._doubted, self._outside, self._unlearned)


def _bare(question: str) -> str:
    """Without quotes: what a plan says can have none of its own."""
    return plain(question).replace("'", "").replace('"', "")


def outside(card: Mapping[str, Any], threshold: str, meaning: Floats) -> float:
    """How far outside the language of a form a prompt is that means `meaning` (384,); below 0 within it."""
    line = card.get("outside", {}).get(threshold)
    return float(meaning @ np.array(line[:-1], np.float32)) + line[-1] if line else 0.0
