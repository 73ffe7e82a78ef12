"""The two networks, as ONNX Runtime runs them: one reads, the other writes a token at a time.

One thread is enough, and there is no batch while reading: the same input gives the same numbers. The run time is
imported when weights are first needed, since it takes a quarter of a second. Nothing here waits or knows an event loop.
"""

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sayso.errors import UsageError
from sayso.models.pocket.tokenizer import Tokenizer

Floats: TypeAlias = NDArray[np.float32]
KeyValueCache: TypeAlias = Mapping[str, Floats]
"""Keys and values of the decoder's attention to its own tokens, by the names that the graphs have for them."""

FORMAT = 1
FOLDER = Path(__file__).parent / "weights"
NEVER = np.float32(-1e4)


@dataclass(frozen=True, slots=True)
class EncoderOutput:
    """What was read: what each block of the decoder attends to, and the meaning as a vector of length 1."""

    meaning: Floats
    attended: Mapping[str, Floats]
    tokens: int


class Net:
    """The networks in memory: `read` understands tokens, `write` gives the scores of what could come next.

    More `threads` change the time that they take and nothing else.
    """

    def __init__(self, folder: Path = FOLDER, threads: int = 1) -> None:
        self.card: Mapping[str, Any] = read_card(folder)
        self.read_max, self.write_max = int(self.card["read_max"]), int(self.card["write_max"])
        self.tokenizer = Tokenizer.load(folder / "vocab.txt")
        import onnxruntime

        onnxruntime.set_default_logger_severity(3)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        options.enable_cpu_mem_arena = False  # its reserve costs more memory than its speed is worth here
        self._encoder, self._decoder = (
            onnxruntime.InferenceSession(folder / name, options, providers=["CPUExecutionProvider"])
            for name in ("encoder.onnx", "decoder.onnx")
        )
        self._attended = [o.name for o in self._encoder.get_outputs()][1:]
        self._written = [o.name for o in self._decoder.get_outputs()]
        self.read = functools.lru_cache(maxsize=16)(self._read)

    def _read(self, ids: tuple[int, ...]) -> EncoderOutput:
        """`read` is this with the last results kept."""
        inputs = {"ids": np.array([ids], np.int64), "at": np.arange(len(ids))}
        meaning, *told = self._encoder.run(None, inputs)
        return EncoderOutput(meaning[0], dict(zip(self._attended, told, strict=True)), len(ids))

    def empty_cache(self, rows: int = 1) -> KeyValueCache:
        """The cache before anything is written."""
        heads, depth = self.card["heads"], self.card["width"] // self.card["heads"]
        cache: dict[str, Floats] = {}
        for n in range(self.card["layers"]):
            cache[f"kept_k{n}"] = np.zeros((rows, heads, depth, 0), np.float32)
            cache[f"kept_v{n}"] = np.zeros((rows, heads, 0, depth), np.float32)
        return cache

    def write(
        self, encoded: EncoderOutput, rows: Sequence[Sequence[int]], cache: KeyValueCache
    ) -> tuple[Floats, KeyValueCache]:
        """(row, token, word) scores behind each new token, and the cache for the ones behind."""
        before, new = cache["kept_v0"].shape[2], len(rows[0])
        mask = np.zeros((new, before + new), np.float32)
        mask[:, before:] = np.triu(np.full((new, new), NEVER), 1)
        inputs = {"ids": np.array(rows, np.int64), "at": np.arange(before, before + new), "mask": mask}
        results = self._decoder.run(None, {**inputs, **cache, **encoded.attended})
        named = dict(zip(self._written, results, strict=True))
        scores: Floats = named.pop("scores")
        return scores, {name.replace("next_", "kept_"): value for name, value in named.items()}


def read_card(folder: Path = FOLDER) -> dict[str, Any]:
    """What the weights say of themselves. Raises `UsageError` where they are missing, cut short or of another kind."""
    remedy = "install sayso anew, or make them with training/train.py and training/export.py"
    try:
        card: dict[str, Any] = json.loads((folder / "card.json").read_text("utf-8"))
        sizes = {name: (folder / name).stat().st_size for name in card["bytes"]}
    except OSError as error:
        raise UsageError(f"the weights of pocket are missing ({error.filename}): {remedy}") from error
    except (ValueError, KeyError) as error:
        raise UsageError(f"{folder / 'card.json'} is no card of weights: {remedy}") from error
    if card.get("format") != FORMAT:
        raise UsageError(f"the weights in {folder} have format {card.get('format')}, not {FORMAT}: {remedy}")
    for name, size in card["bytes"].items():
        if sizes[name] != size:
            raise UsageError(f"{folder / name} has {sizes[name]} bytes and should have {size}: {remedy}")
    return card


@functools.cache
def load(folder: Path = FOLDER) -> Net:
    """The networks in a folder, once a process: they are read-only, and 40 MB."""
    return Net(folder)
