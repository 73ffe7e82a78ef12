"""Moonshine, a recogniser of any English (Jeffries et al. 2024; 27 M parameters, MIT), on one core."""

import functools
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from sayso.plugins.loading import extra

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
