"""The embedded recogniser: pocketsphinx with the model in its wheel (American English), offline, on one core.

It hears each utterance twice. The first pass expects the plain commands and skills of this robot and makes a command of
anything, talk at the next table included. The second expects any English, and knows nothing of robots. Only where both
heard much the same sounds, and the reader of plain commands reads all of it, is it sure.
"""

from __future__ import annotations

import difflib
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

from sayso.ears import Heard, Recogniser, Sound, missing
from sayso.errors import NotUnderstood
from sayso.parts import Brief
from sayso.planners.reflex import Command, urgent
from sayso.planners.reflex.spoken import spoken

ALIKE = 0.4
"""What share of the sounds of both passes must be the same; chosen on the sentences of `[choosing]` in the bench."""

SENTENCES = 8000
"""So many sentences tell the first pass what is said to this robot."""

BEST = 40
"""Of so many ways to hear a command, the first that the reader reads is taken."""

CRY_WORDS = 3
"""A stop that is cried is short; the words of a longer one are no part of any command."""

QUICK: dict[str, Any] = {
    "fwdflat": False, "bestpath": False, "topn": 2, "maxhmmpf": 3000, "maxwpf": 10, "pl_window": 10
}  # fmt: skip
"""A quarter of the processor's time for about the same words."""


class Sphinx(Recogniser):
    """Two passes of pocketsphinx that must agree."""

    name = "pocketsphinx"

    def __init__(self) -> None:
        try:
            import pocketsphinx
            from pocketsphinx import lm
        except ModuleNotFoundError as error:
            raise missing(error, "understanding speech") from error
        self._free = pocketsphinx.Decoder(loglevel="FATAL", **QUICK)
        self._plain: Any = None
        self._expected: object = None
        self._make, self._model = pocketsphinx.Decoder, lm.ArpaBoLM

    def hear(self, sound: Sound, brief: Brief) -> Heard:
        if not len(sound.samples):
            return Heard("", False)
        self._expect(brief)
        ways = list(dict.fromkeys(self._words(self._plain, sound)))
        free = next(self._words(self._free, sound), "")
        read = next((way for way in ways if _reads(way, brief)), "")
        if read:
            return Heard(read, self.alike(read, free) >= ALIKE)
        return Heard(free or next(iter(ways), ""), False)

    def alike(self, text: str, other: str) -> float:
        """The share of sounds that two texts have in common, in order."""
        return difflib.SequenceMatcher(None, self._sounds(text), self._sounds(other), autojunk=False).ratio()

    def _expect(self, brief: Brief) -> None:
        """Teach the first pass what is said to this robot, where that is something else than before."""
        expected = (tuple(brief.skills), tuple(thing.label for thing in brief.scene))
        if expected == self._expected:
            return
        able = spoken(brief, lambda word: self._free.lookup_word(word) is not None)
        said = [text for text in able.sentences(SENTENCES) if _reads(text, brief)]
        model = self._model(sentfile=StringIO("".join(f"<s> {text} </s>\n" for text in said)))
        model.compute()
        with tempfile.TemporaryDirectory() as folder:
            file = str(Path(folder) / "plain.lm")
            model.write_file(file)
            self._plain = self._make(loglevel="FATAL", lm=file)
        self._expected = expected

    @staticmethod
    def _words(decoder: Any, sound: Sound) -> Iterator[str]:
        """What a pass heard, the likeliest first."""
        decoder.start_utt()
        decoder.process_raw(sound.samples.tobytes(), False, True)
        decoder.end_utt()
        if (found := decoder.hyp()) is None:
            return
        yield found.hypstr
        if decoder.config["bestpath"]:
            for other, _ in zip(decoder.nbest(), range(BEST), strict=False):
                if other:
                    yield other.hypstr

    def _sounds(self, text: str) -> Sequence[str]:
        """The sounds (ARPAbet) of a text, by the dictionary."""
        return [sound for word in text.split() for sound in (self._free.lookup_word(word) or "").split()]


def _reads(text: str, brief: Brief) -> bool:
    try:
        Command.read(replace(brief, instruction=text), mend=False)
    except NotUnderstood:
        return False
    return not urgent(text) or len(text.split()) <= CRY_WORDS
