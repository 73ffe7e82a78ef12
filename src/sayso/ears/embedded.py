"""The embedded recogniser: two recognisers that know nothing of each other must agree. Offline, English, on one core.

Moonshine (Jeffries et al. 2024; 27 M parameters, MIT) hears any English and knows nothing of robots. pocketsphinx (its
American model comes in its wheel) expects the plain commands and skills of this robot, and hears one in anything, talk
at the next table included. What the first writes is a command where it reads as one, and the second hears no other that
is nearly as likely. Else it is the one of the second's that the first finds likeliest, and sure where that is nearly as
likely as what it wrote itself. Both hear the sound without its steady noise: Wiener's filter with the speech estimated
from one frame to the next (Ephraim and Malah 1984, equation 51), and the noise in each band as what it falls to in its
quietest moments (after Martin 2001).
"""

from __future__ import annotations

import functools
import itertools
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from sayso.ears import Heard, Recogniser, Sound
from sayso.errors import NotUnderstood
from sayso.grounding.utterance import figured
from sayso.planners.reflex import Command, urgent
from sayso.planners.reflex.spoken import spoken
from sayso.plugins.loading import extra
from sayso.roles import Brief

PACKAGE, FOLDER = "moonshine_voice", "assets/tiny-en"
BEGIN, END = 1, 2
"""Tokens."""

SPACE = "▁"
LONGEST = 100
"""Tokens of one utterance."""

SHORTEST = 1024
"""Samples that its first layers take at least."""

Frames = Any
"""What the encoder makes of a sound: (1, frames, width) float32."""


class Moonshine:
    """The model Moonshine. Raises `UsageError` where it is not installed."""

    def __init__(self) -> None:
        with extra("ears", "understanding speech"):
            found = find_spec(PACKAGE)
            folder = Path(found.origin if found and found.origin else "").parent / FOLDER
            if not folder.is_dir():  # from 0.1 on its wheel is without the model
                raise ModuleNotFoundError(PACKAGE)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._encoder, self._decoder = (
            onnxruntime.InferenceSession(str(folder / f"{name}.ort"), options, providers=["CPUExecutionProvider"])
            for name in ("encoder_model", "decoder_model_merged")
        )
        takes = {one.name: one.shape for one in self._decoder.get_inputs()}
        self._past = {name: shape for name, shape in takes.items() if name.startswith("past_key_values")}
        self._pieces = tuple(_pieces((folder / "tokenizer.bin").read_bytes()))
        self._ids = {piece: n for n, piece in enumerate(self._pieces)}
        self._tokens = functools.lru_cache(10_000)(self._split)

    def hear(self, samples: Any) -> Frames:
        """Of (n,) int16, 16 000 a second."""
        sound = np.pad(samples, (0, max(0, SHORTEST - len(samples)))).astype(np.float32)[None] / 32768.0
        fed = {"input_values": sound, "attention_mask": np.ones(sound.shape, np.int64)}
        return self._encoder.run(None, fed)[0]

    def text(self, heard: Frames) -> tuple[str, float]:
        """The likeliest words one after the other, and the logarithm of how likely they are."""
        tokens, likely = [BEGIN], 0.0
        while len(tokens) < LONGEST:
            chances = self._chances(np.array([tokens]), heard)[0, -1]
            token = int(chances.argmax())
            likely += float(chances[token])
            if token == END:
                break
            tokens.append(token)
        return "".join(self._pieces[t] for t in tokens[1:]).replace(SPACE, " ").strip(), likely

    def likelihoods(self, texts: Sequence[str], heard: Frames) -> Sequence[float]:
        """The logarithm of how likely each of some texts is, as it is spelled; beside others it may be off by one,
        since the numbers are of 8 bits."""
        rows = [[*self._tokens(text), END] for text in texts]
        fed = np.full((len(rows), max(map(len, rows))), END, np.int64)
        fed[:, 0] = BEGIN
        for n, row in enumerate(rows):
            fed[n, 1 : len(row)] = row[:-1]
        chances = self._chances(fed, heard)
        return [float(chances[n, range(len(row)), row].sum()) for n, row in enumerate(rows)]

    def _chances(self, tokens: Any, heard: Frames) -> Any:
        """(texts, tokens, vocabulary): logarithms of how likely each token is to be the next."""
        many, frames = len(tokens), heard.shape[1]
        fed = {
            "input_ids": tokens,
            "encoder_hidden_states": np.repeat(heard, many, 0),
            "encoder_attention_mask": np.ones((many, frames), np.int64),
            "use_cache_branch": np.array([False]),
        }
        for name, (_, heads, _, width) in self._past.items():  # nothing yet
            fed[name] = np.zeros((many, heads, 0 if ".decoder." in name else frames, width), np.float32)
        logits = self._decoder.run(["logits"], fed)[0]
        most = logits.max(-1, keepdims=True)
        return logits - most - np.log(np.exp(logits - most).sum(-1, keepdims=True))

    def _split(self, text: str) -> Sequence[int]:
        """Byte pair encoding: of two neighbours that are a piece, those of the lowest number first."""
        parts = list(SPACE + text.replace(" ", SPACE))
        while pairs := [(self._ids[a + b], n) for n, (a, b) in enumerate(pairwise(parts)) if a + b in self._ids]:
            at = min(pairs)[1]
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        return [self._ids.get(part, 0) for part in parts]


def _pieces(data: bytes) -> Iterator[str]:
    """Each behind its length, of one byte, or of two where the first is 128 or more."""
    at = 0
    while at < len(data):
        length, at = data[at], at + 1
        if length >= 128:
            length, at = 128 * data[at] + length - 128, at + 1
        yield data[at : at + length].decode("utf-8", "replace")
        at += length


FRAME, HOP = 512, 128
"""Samples of a frame, and from one frame to the next: 32 and 8 ms."""

SMOOTH = 12
"""Frames over which power is averaged before its quietest moments are looked for."""

QUIETEST, ABOVE = 0.1, 1.1
"""The noise is what so large a share of the time is quieter than, times this much."""

MEMORY = 0.95
"""How much of what is taken for speech comes from the frame before."""

FLOOR = 0.1
"""What is left of a band with nothing but noise: less would sound, and be heard, as whistles."""


def denoised(samples: Any) -> Any:
    """(n,) int16 at 16 000 a second without steady noise; what is shorter than a frame stays as it is."""
    if len(samples) < FRAME:
        return samples
    padded = np.pad(samples.astype(float), (FRAME, 2 * FRAME))
    window = np.hanning(FRAME)
    spectra = np.fft.rfft(np.lib.stride_tricks.sliding_window_view(padded, FRAME)[::HOP] * window, axis=1)
    power = np.abs(spectra) ** 2
    within = power[FRAME // HOP : -(2 * FRAME // HOP)] if len(power) > 4 * FRAME // HOP else power
    added = np.cumsum(np.pad(within, ((1, 0), (0, 0))), axis=0)
    mean = (added[SMOOTH:] - added[:-SMOOTH]) / SMOOTH if len(within) > SMOOTH else within
    noise = np.quantile(mean, QUIETEST, axis=0) * ABOVE + 1e-9
    gains, speech = np.empty_like(power), np.zeros(power.shape[1])
    for gain, now in zip(gains, power / noise, strict=True):
        ratio = MEMORY * speech + (1 - MEMORY) * np.maximum(now - 1, 0)
        gain[:] = np.maximum(ratio / (1 + ratio), FLOOR)
        speech = gain**2 * now
    out, weight = np.zeros(len(padded)), np.full(len(padded), 1e-3)
    for n, frame in enumerate(np.fft.irfft(spectra * gains, FRAME, axis=1) * window):
        out[n * HOP : n * HOP + FRAME] += frame
        weight[n * HOP : n * HOP + FRAME] += window**2
    clean = (out / weight)[FRAME : FRAME + len(samples)]
    return np.clip(np.round(clean), -32768, 32767).astype(np.int16)


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
