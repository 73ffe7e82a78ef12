"""One answer of the embedded model, from the prompt to the text that is handed out.

It is handed out whole. Where the model was in doubt about a token (its chance below what the card of the weights gives
for this form), or came to no end, it asks back instead, and nothing moves.

A model that can only write what can be done is sure of itself too easily: "kiss the frog" goes to the frog. So the
meaning of what was read is also held against a line between lessons that asked for something and lessons that were
refused (`training/outside.py`): the further outside the language, the more certain each token must be.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from sayso.forms import Form, brief_of
from sayso.models.pocket import slips
from sayso.models.pocket.any_robot import form_for, must_be_taught
from sayso.models.pocket.decode import Decoding
from sayso.models.pocket.net import EncoderOutput, Floats, Network
from sayso.models.pocket.text import clean
from sayso.parts import Prompt, Usage

UNSURE = "I am not sure that I understood. Please say it in other words."
TOO_LONG = "That is too long for me. Please say it in one or two sentences."


REASON_MIN = 0.5


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure the model was: the least and the mean chance of a token, and whether it was in doubt.

    `outside` is how far outside its language the prompt is: so many nats more certain each token has to be.
    """

    least: float
    mean: float
    tokens: int
    doubted: bool
    outside: float = 0.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt as the model has it: the form, what it reads, and the token that its answer begins with, which is the
    last mark of what is read and tells what kind of text it is."""

    form: Form
    reads: str
    ids: tuple[int, ...]
    begin: int


def asked(net: Network, prompt: Prompt) -> Asked:
    """Of what is too long the end is left out. Raises `ModelUnavailable` for what these weights had no lessons in."""
    form = form_for(prompt)
    must_be_taught(form, net.card.get("taught", ()))
    text = slips.mended(form.reads(prompt), net.tokenizer.ids, _known(prompt))
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

    def __init__(self, net: Network, prompt: Prompt) -> None:
        this, self._net = asked(net, prompt), net
        self._prompt, self._form, self._stopped, self._doubted = prompt, this.form, False, False
        self._encoded: EncoderOutput = net.read(this.ids)
        again = bool(brief_of(prompt).history)  # what was taken up once is not refused later
        self._outside = 0.0 if again else outside(net.card, this.form.threshold, self._encoded.meaning)
        self._least = float(net.card["doubt"].get(this.form.threshold, 0.0))
        most = min(net.write_max, prompt.max_tokens)
        self._decoding = Decoding(net, self._encoded, this.begin, this.form.constraint(prompt, this.reads), most)

    def stop(self) -> None:
        self._stopped = True

    def text(self) -> str:
        """The answer in the planner's language; empty where it was stopped."""
        if self._form.whole_wish and self._too_long:
            self._doubted = True
            return self._form.declined(self._prompt, TOO_LONG)
        while not self._decoding.over and not self._stopped:
            self._decoding.step()
        if self._stopped:
            return ""
        self._doubted = self._in_doubt or not self._decoding.ended
        if self._doubted:
            return self._form.declined(self._prompt, UNSURE)
        written = self._form.completed(self._prompt, self._decoding.constraint.text, self._ask)
        return self._form.answer(self._prompt, written)

    def _ask(self, prompt: Prompt) -> str:
        """What the same model says to another prompt."""
        return Answering(self._net, prompt).text()

    @property
    def _too_long(self) -> bool:
        """Whether the wish has more in it than is read: half a wish is no wish."""
        most = self._form.wish_chars
        return len(clean(brief_of(self._prompt).instruction, most + 1)) > most

    @property
    def _refuses(self) -> bool:
        return self._form.refuses(self._prompt, self._decoding.constraint.text)

    @property
    def _in_doubt(self) -> bool:
        """Whether a token is too unlikely, the more so outside. A refusal may come from as far outside as it likes, but
        its reason is more likely than all others together, or it is not given."""
        least = max(self._least, REASON_MIN) if self._refuses else self._least * math.exp(max(0.0, self._outside))
        return min(self._decoding.chances, default=0.0) < least

    @property
    def usage(self) -> Usage:
        return Usage(self._encoded.tokens, len(self._decoding.ids), "pocket")

    @property
    def confidence(self) -> Confidence:
        chances = self._decoding.chances or [0.0]
        mean = sum(chances) / len(chances)
        count = len(self._decoding.ids)
        return Confidence(min(chances), mean, count, self._doubted, self._outside)


def outside(card: Mapping[str, Any], threshold: str, meaning: Floats) -> float:
    """How far outside the language of a form a prompt is that means `meaning` (384,); below 0 within it."""
    line = card.get("outside", {}).get(threshold)
    return float(meaning @ np.array(line[:-1], np.float32)) + line[-1] if line else 0.0
