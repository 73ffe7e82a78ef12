"""The embedded recogniser: two that know nothing of each other must agree. Offline, English, on one core.

Moonshine (Jeffries et al. 2024; the tiny model comes in its wheel) hears any English and knows nothing of robots.
pocketsphinx (its American model comes in its wheel) expects the plain commands and skills of this robot, and hears one
in anything, talk at the next table included. What the first hears is a command where it reads as one and the second
does not hear another; else it is the one of the second's that sounds most like it, and sure where it sounds much like
it and goes every way that was heard. Both listen to the sound without its steady noise.
"""

from __future__ import annotations

import difflib
import itertools
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

from sayso.ears import RATE_HZ, Heard, Recogniser, Sound
from sayso.ears.quiet import quietened
from sayso.errors import NotUnderstood
from sayso.grounding.said import figured
from sayso.outside import extra
from sayso.parts import Brief
from sayso.planners.reflex import Command, urgent
from sayso.planners.reflex.reader import WAYS
from sayso.planners.reflex.spoken import spoken
from sayso.planners.reflex.words import vocabulary

LEAST, SURE, SURE_OF_A_STOP = 0.4, 0.6, 0.9
"""The share of sounds that a command must have in common with what was heard as any English, to be thought of and to be
sure, chosen on sentences and noises that are not in the bench. A stop is obeyed in any case, so that being sure of one
asks for more: three words of chat are soon taken for a cry."""

SENTENCES = 8000
"""So many sentences tell what is said to this robot."""

UNSEEN = 0.1
"""What share is kept for words in a row that are in none of them: little, since they are many."""

BEST = 150
"""So many ways to hear a command are looked at."""

CRY_WORDS = 3
"""A stop that is cried is short; the words of a longer one are no part of any command."""

WORD = re.compile(r"[a-z']+|\d[\d.]*")


class Embedded(Recogniser):
    """Moonshine and pocketsphinx."""

    name = "embedded"

    def __init__(self) -> None:
        with extra("ears", "understanding speech"):
            import pocketsphinx
            from moonshine_voice import ModelArch, Transcriber, get_model_path
            from pocketsphinx import lm
        self._any = Transcriber(str(get_model_path("tiny-en")), ModelArch.TINY)
        self._dictionary = pocketsphinx.Decoder(loglevel="FATAL")
        self._commands: Any = None
        self._expected: object = None
        self._make, self._model = pocketsphinx.Decoder, lm.ArpaBoLM

    def hear(self, sound: Sound, brief: Brief) -> Heard:
        if not len(sound.samples):
            return Heard("", False)
        self._expect(brief)
        samples = quietened(sound.samples)
        text, ways = self._english(samples), [way for way in self._ways(samples) if _statements(way, brief)]
        meant, likest = _statements(text, brief), max(ways, key=lambda way: self.alike(way, text), default="")
        alike = self.alike(likest, text) if likest else 0.0
        if meant or alike < LEAST:
            return Heard(text, bool(meant) and (not likest or _statements(likest, brief) == meant))
        enough = SURE_OF_A_STOP if urgent(likest) else SURE
        return Heard(likest, alike >= enough and _ways_said(text) <= _ways_said(likest))

    def alike(self, text: str, other: str) -> float:
        """The share of sounds that two texts have in common, in order."""
        return difflib.SequenceMatcher(None, self._sounds(text), self._sounds(other), autojunk=False).ratio()

    def _english(self, samples: Any) -> str:
        lines = self._any.transcribe_without_streaming((samples / 32768.0).tolist(), RATE_HZ).lines
        return " ".join(line.text.strip() for line in lines)

    def _ways(self, samples: Any) -> Iterator[str]:
        """The ways in which a sound can be a command, the likeliest first."""
        self._commands.start_utt()
        self._commands.process_raw(samples.tobytes(), False, True)
        self._commands.end_utt()
        if (found := self._commands.hyp()) is None:
            return
        yield found.hypstr
        others = [other for other in itertools.islice(self._commands.nbest(), BEST) if other]
        yield from dict.fromkeys(other.hypstr for other in sorted(others, key=lambda other: -other.score))

    def _expect(self, brief: Brief) -> None:
        """Teach pocketsphinx what is said to this robot, where that is something else than before."""
        expected = (tuple(brief.skills), frozenset(thing.label for thing in brief.scene))
        if expected == self._expected:
            return
        able = spoken(brief, lambda word: self._dictionary.lookup_word(word) is not None)
        said = [text for text in able.sentences(SENTENCES) if _statements(text, brief)]
        text = "".join(f"<s> {sentence} </s>\n" for sentence in said)
        model = self._model(sentfile=StringIO(text), discount_mass=UNSEEN)
        model.compute()
        with tempfile.TemporaryDirectory() as folder:
            file = str(Path(folder) / "plain.lm")
            model.write_file(file)
            self._commands = self._make(loglevel="FATAL", lm=file)
        self._expected = expected

    def _sounds(self, text: str) -> Sequence[str]:
        """The sounds (ARPAbet) of a text, by the dictionary; an amount and an unknown word are one each."""
        words = WORD.findall(figured(text).lower())
        return [sound for word in words for sound in (self._dictionary.lookup_word(word) or word).split()]


def _ways_said(text: str) -> set[str]:
    """Left, up and the like, as a text says them: another way sounds nearly the same and is the opposite."""
    return {way for way in WAYS if any(vocabulary().says(way, word) for word in WORD.findall(text.lower()))}


def _statements(text: str, brief: Brief) -> Sequence[str]:
    """The plan of a plain command; none where it is no such thing."""
    try:
        plan = Command.read(replace(brief, instruction=text), mend=False).plan
    except NotUnderstood:
        return ()
    return () if urgent(text) and len(text.split()) > CRY_WORDS else plan
