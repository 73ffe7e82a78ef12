"""The embedded recogniser: two recognisers that know nothing of each other must agree. Offline, English, on one core.

Moonshine hears any English and knows nothing of robots. pocketsphinx (its American model comes in its wheel) expects
the plain commands and skills of this robot, and hears one in anything, talk at the next table included. What the first
writes is a command where it reads as one, and the second hears no other that is nearly as likely. Else it is the one of
the second's that the first finds likeliest, and sure where that is nearly as likely as what it wrote itself. Both hear
the sound without its steady noise.
"""

import itertools
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

from sayso.ears import Heard, Recogniser, Sound
from sayso.ears.denoising import denoised
from sayso.ears.moonshine import Moonshine
from sayso.errors import NotUnderstood
from sayso.grounding.utterance import figured
from sayso.planners.reflex import Command, urgent
from sayso.planners.reflex.spoken import spoken
from sayso.plugins.loading import extra
from sayso.roles import Brief

SURE, LEAST = 8.0, 16.0
"""How much less likely than what Moonshine wrote a command may be, as a logarithm, to be sure of and to be thought of:
chosen on sentences and noises that are not in the bench, where nearly all commands that were said stayed below 10, and
those that were heard in chat were above 22."""

SENTENCES = 8000
"""So many sentences tell pocketsphinx what is said to this robot."""

UNSEEN = 0.1
"""What share is kept for words in a row that are in none of them: little, since they are many."""

BEST, LIKELY = 150, 12
"""So many ways to hear a command are looked at, and so many that read are compared."""

CRY_WORDS = 3
"""A stop that is cried is short; the words of a longer one are no part of any command."""


class Embedded(Recogniser):
    """The recogniser of what Moonshine and pocketsphinx agree on."""

    name = "embedded"

    def __init__(self) -> None:
        with extra("ears", "understanding speech"):
            import pocketsphinx
            from pocketsphinx import lm
        self._any = Moonshine()
        self._words = pocketsphinx.Decoder(loglevel="FATAL")
        self._commands: Any = None
        self._expected: object = None
        self._make, self._model = pocketsphinx.Decoder, lm.ArpaBoLM

    def hear(self, sound: Sound, brief: Brief) -> Heard:
        if not len(sound.samples):
            return Heard("", False)
        self._expect(brief)
        samples = denoised(sound.samples)
        heard = self._any.hear(samples)
        text, likely = self._any.text(heard)
        ways = itertools.islice((way for way in self._ways(samples) if _statements(way, brief)), LIKELY)
        behind = {way: likely - max(self._any.likelihoods(_written(way), heard)) for way in ways}
        likeliest = min(behind, key=lambda way: behind[way], default="")
        if meant := _statements(text, brief):
            others = [way for way in behind if _statements(way, brief) != meant and behind[way] <= SURE]
            return Heard(text, not others)
        if not likeliest or behind[likeliest] > LEAST:
            return Heard(text, False)
        return Heard(likeliest, behind[likeliest] <= SURE)

    def _ways(self, samples: Any) -> Iterator[str]:
        """The ways in which a sound can be a command, the likeliest first."""
        self._commands.start_utt()
        self._commands.process_raw(samples.tobytes(), False, True)
        self._commands.end_utt()
        if (found := self._commands.hyp()) is None:
            return
        others = [other for other in itertools.islice(self._commands.nbest(), BEST) if other]
        others.sort(key=lambda other: -other.score)
        yield from dict.fromkeys((found.hypstr, *(other.hypstr for other in others)))

    def _expect(self, brief: Brief) -> None:
        """Teach pocketsphinx what is said to this robot, where that is something else than before."""
        expected = (tuple(brief.skills), frozenset(thing.label for thing in brief.scene))
        if expected == self._expected:
            return
        able = spoken(brief, lambda word: self._words.lookup_word(word) is not None)
        said = [text for text in able.sentences(SENTENCES) if _statements(text, brief)]
        text = "".join(f"<s> {sentence} </s>\n" for sentence in said)
        model = self._model(sentfile=StringIO(text), discount_mass=UNSEEN)
        model.compute()
        with tempfile.TemporaryDirectory() as folder:
            file = str(Path(folder) / "plain.lm")
            model.write_file(file)
            self._commands = self._make(loglevel="FATAL", lm=file)
        self._expected = expected


def _written(way: str) -> Sequence[str]:
    """How somebody may write down what was said."""
    said = way.replace("metre", "meter")  # which is how Moonshine learnt to spell
    texts = [text[:1].upper() + text[1:] for text in dict.fromkeys((said, figured(said)))]
    return [text + end for text in texts for end in (".", "", "?")]


def _statements(text: str, brief: Brief) -> Sequence[str]:
    """The plan of a plain command; none where it is no such thing."""
    try:
        plan = Command.read(replace(brief, instruction=text), mend=False).plan
    except NotUnderstood:
        return ()
    return () if urgent(text) and len(text.split()) > CRY_WORDS else plan
