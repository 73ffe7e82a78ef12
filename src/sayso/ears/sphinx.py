"""The embedded recogniser: pocketsphinx with the model in its wheel (American English), offline, on one core.

It hears each utterance twice. The first pass expects the plain commands and skills of this robot and makes a command of
anything, talk at the next table included. The second expects any English, and knows nothing of robots. It is sure where
the command is about as likely to have sounded so as the best that is any English, and both sound much the same. It
listens to the sound without its steady noise; where it is not sure of that, to the sound as it came.
"""

from __future__ import annotations

import difflib
import itertools
import math
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any

from sayso.ears import Heard, Recogniser, Sound
from sayso.ears.quiet import quietened
from sayso.errors import NotUnderstood
from sayso.outside import extra
from sayso.parts import Brief
from sayso.planners.reflex import Command, urgent
from sayso.planners.reflex.spoken import spoken

SURE, SURE_OF_A_STOP = 0.55, 0.9
"""How alike both passes must be: the share of sounds that they have in common, and the logarithm of how much likelier
the command is, chosen on sentences, voices and noises that are not in the bench. A stop is obeyed in any case, so
that being sure of one asks for more: three words of chat are soon taken for a cry."""

SENTENCES = 8000
"""So many sentences tell the first pass what is said to this robot."""

UNSEEN = 0.1
"""What share is kept for words in a row that are in none of them: little, since they are many."""

BEST = 150
"""Of so many ways to hear a command, the likeliest that the reader reads is taken."""

LEAST = 1e-12
"""Likelihoods are compared down to this."""

CRY_WORDS = 3
"""A stop that is cried is short; the words of a longer one are no part of any command."""

QUICK: dict[str, Any] = {"fwdflat": False, "bestpath": False, "maxhmmpf": 3000, "maxwpf": 10}
"""For any English: half of the processor's time for about the same words."""


@dataclass(frozen=True, slots=True)
class _Way:
    """A command that was heard, and how alike both passes were in it; 0 where there is none."""

    text: str
    alike: float

    @property
    def sure(self) -> bool:
        return self.alike >= (SURE_OF_A_STOP if urgent(self.text) else SURE)


class Sphinx(Recogniser):
    """Two passes of pocketsphinx that must agree."""

    name = "pocketsphinx"

    def __init__(self) -> None:
        with extra("ears", "understanding speech"):
            import pocketsphinx
            from pocketsphinx import lm
        self._free = pocketsphinx.Decoder(loglevel="FATAL", **QUICK)
        self._plain: Any = None
        self._expected: object = None
        self._make, self._model = pocketsphinx.Decoder, lm.ArpaBoLM

    def hear(self, sound: Sound, brief: Brief) -> Heard:
        if not len(sound.samples):
            return Heard("", False)
        self._expect(brief)
        clean, best = quietened(sound.samples), _Way("", 0.0)
        for samples in (clean, sound.samples):
            way = self._heard(samples, brief)
            if way.sure:
                return Heard(way.text, True)
            best = max(best, way, key=lambda one: one.alike)
        return Heard(best.text or next((text for text, _ in self._ways(self._free, clean)), ""), False)

    def _heard(self, samples: Any, brief: Brief) -> _Way:
        """The command that both passes make of a sound; the second is asked where the first one made any."""
        ways = sorted(dict(self._ways(self._plain, samples)).items(), key=lambda way: -way[1])
        read = next((way for way in ways if _reads(way[0], brief)), None)
        free = next(self._ways(self._free, samples), None) if read else None
        if free is None or read is None:
            return _Way("", 0.0)
        likelier = math.log(max(read[1], LEAST) / max(free[1], LEAST))
        return _Way(read[0], self.alike(read[0], free[0]) + likelier)

    def alike(self, text: str, other: str) -> float:
        """The share of sounds that two texts have in common, in order."""
        return difflib.SequenceMatcher(None, self._sounds(text), self._sounds(other), autojunk=False).ratio()

    def _expect(self, brief: Brief) -> None:
        """Teach the first pass what is said to this robot, where that is something else than before."""
        expected = (tuple(brief.skills), frozenset(thing.label for thing in brief.scene))
        if expected == self._expected:
            return
        able = spoken(brief, lambda word: self._free.lookup_word(word) is not None)
        said = [text for text in able.sentences(SENTENCES) if _reads(text, brief)]
        text = "".join(f"<s> {sentence} </s>\n" for sentence in said)
        model = self._model(sentfile=StringIO(text), discount_mass=UNSEEN)
        model.compute()
        with tempfile.TemporaryDirectory() as folder:
            file = str(Path(folder) / "plain.lm")
            model.write_file(file)
            self._plain = self._make(loglevel="FATAL", lm=file)
        self._expected = expected

    @staticmethod
    def _ways(decoder: Any, samples: Any) -> Iterator[tuple[str, float]]:
        """The ways in which a pass can hear a sound, the likeliest first, each with how likely it sounds so."""
        decoder.start_utt()
        decoder.process_raw(samples.tobytes(), False, True)
        decoder.end_utt()
        if (found := decoder.hyp()) is None:
            return
        yield found.hypstr, found.score
        if decoder.config["bestpath"]:
            others = itertools.islice(decoder.nbest(), BEST)
            yield from ((other.hypstr, other.score) for other in reversed([other for other in others if other]))

    def _sounds(self, text: str) -> Sequence[str]:
        """The sounds (ARPAbet) of a text, by the dictionary."""
        return [sound for word in text.split() for sound in (self._free.lookup_word(word) or "").split()]


def _reads(text: str, brief: Brief) -> bool:
    try:
        Command.read(replace(brief, instruction=text), mend=False)
    except NotUnderstood:
        return False
    return not urgent(text) or len(text.split()) <= CRY_WORDS
