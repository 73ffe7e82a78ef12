"""Test doubles of the embedded model's networks: one that throws dice, one that writes what it is told.

Both have the words of a small vocabulary that can spell anything in ASCII.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sayso.models.pocket.constraints import LineConstraint
from sayso.models.pocket.net import EncoderOutput, Floats, KeyValueCache, Net
from sayso.models.pocket.scene_text import seen
from sayso.models.pocket.text import clean
from sayso.models.pocket.tokenizer import Tokenizer, vocabulary
from sayso.plugins.kits import Kit, kits
from sayso.roles import Prompt
from sayso.understanding.forms import Form, brief_of

SOME = (
    "yes go to the chair apple what is see no not here true false none walk ball kick stand still look around "
    "turn on spot done cannot i am sure that understood please say it in other words take picture"
)
SIGNS = [c for c in string.printable if c.isprintable() and not c.isalnum() and c != " "]
ALONE = [*string.ascii_lowercase, *string.digits]
TAUGHT = ("scribe", "drone reading", "service reading", "warehouse reading", "aircraft reading", "humanoid", "score")
WORDS = Tokenizer(
    vocabulary(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *SIGNS, *ALONE, *(f"##{c}" for c in ALONE), *set(SOME.split())])
)


class Scribe(Form):
    """A test double of a form: any line, from the wish and what is in view; one that begins with a no refuses, and one
    that begins with cannot is of something that is not there."""

    ways = frozenset({"plan", "replan"})
    lessons, threshold = "scribe", "plan"

    def reads(self, prompt: Prompt) -> str:
        brief = brief_of(prompt)
        return f"<plan>{clean(brief.instruction)}<see>{seen(brief.scene)}<do>"

    def constraint(self, prompt: Prompt, reads: str) -> LineConstraint:
        return LineConstraint(900)

    def declined(self, prompt: Prompt, says: str) -> str:
        return says

    def refuses(self, prompt: Prompt, written: str) -> bool:
        return written.startswith("no")

    def hindered(self, prompt: Prompt, written: str) -> str:
        return "It is not here." if written.startswith("cannot") else ""


def with_scribe() -> Mapping[str, Kit]:
    """The registered kits, and one whose embedded model writes a line."""
    return {**kits(), "scribe": replace(kits()["drone"], kind="scribe", form=Scribe())}


class Dice(Net):
    """Scores by chance, the same for the same beginning. `sharp` is how decided it is."""

    def __init__(
        self, seed: int = 0, sharp: float = 3.0, write_max: int = 24, read_max: int = 320, **card: Any
    ) -> None:
        self.tokenizer = WORDS
        self.card: Mapping[str, Any] = {"doubt": {}, "width": 4, "taught": TAUGHT, **card}
        self.read_max, self.write_max = read_max, write_max
        self.asked: list[tuple[int, ...]] = []
        self._seed, self._sharp = seed, sharp

    def read(self, ids: tuple[int, ...]) -> EncoderOutput:
        self.asked.append(ids)
        return EncoderOutput(np.full(4, 0.5, np.float32), {"ids": np.array(ids, np.float32)}, len(ids))

    def empty_cache(self, rows: int = 1) -> KeyValueCache:
        return {"written": np.zeros((rows, 0), np.float32)}

    def write(
        self, encoded: EncoderOutput, rows: Sequence[Sequence[int]], cache: KeyValueCache
    ) -> tuple[Floats, KeyValueCache]:
        written = np.concatenate([cache["written"], np.array(rows, np.float32)], axis=1)
        before = cache["written"].shape[1]
        heard = int(encoded.attended["ids"].sum())
        scores = [
            [self.scores(heard, [int(i) for i in row[: n + 1]]) for n in range(before, len(row))] for row in written
        ]
        return np.array(scores, np.float32), {"written": written}

    def scores(self, heard: int, written: Sequence[int]) -> Floats:
        """What could come behind `written`, which begins with the mark of the kind of text."""
        dice = np.random.default_rng([self._seed, heard, *written])
        return (dice.standard_normal(len(self.tokenizer)) * self._sharp).astype(np.float32)


class Parrot(Dice):
    """Writes `text`, whatever it reads, as surely as `chance` says for each token (by its place)."""

    def __init__(self, text: str, chance: Callable[[int], float] = lambda place: 0.99, **more: Any) -> None:
        super().__init__(**{"write_max": 160, **more})
        self._ids = WORDS.write(text)
        self._chance = chance

    def scores(self, heard: int, written: Sequence[int]) -> Floats:
        place = len(written) - 1
        chance = self._chance(place)
        row = np.full(len(self.tokenizer), np.log((1 - chance) / len(self.tokenizer)), np.float32)
        row[self._ids[place] if place < len(self._ids) else WORDS.end] = np.log(chance)
        return row


class Torn(Dice):
    """Writes one of `texts`, each as likely as it says, whatever it reads."""

    def __init__(self, texts: Mapping[str, float], **more: Any) -> None:
        super().__init__(**{"write_max": 160, **more})
        self._texts = [((*WORDS.write(text), WORDS.end), chance) for text, chance in texts.items()]

    def scores(self, heard: int, written: Sequence[int]) -> Floats:
        said = tuple(written[1:])
        left = [(ids[len(said)], chance) for ids, chance in self._texts if ids[: len(said)] == said and ids != said]
        chances = np.full(len(self.tokenizer), 1e-9)
        for token, chance in left or [(WORDS.end, 1.0)]:
            chances[token] += chance
        return np.log(chances / chances.sum()).astype(np.float32)
