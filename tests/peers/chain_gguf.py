"""The chain of `chain_model` in llama.cpp's own format, GGUF: the same words, the same weights, every byte a token.

Words of a chain are tokens of their own wherever they stand, all other text is bytes, so that nothing between the last
word and the answer is anybody's beginning.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from chain_model import BEGIN, CHAINS, END, HEADS, INNER, UNKNOWN, WIDTH, WORDS, steps

TEMPLATE = "{% for message in messages %}{% if not loop.first %} {% endif %}{{ message['content'] }}{% endfor %}"
BYTES = tuple(f"<0x{n:02X}>" for n in range(256))
TOKENS = (*WORDS, *(b for b in BYTES if b not in WORDS))
NORMAL, UNKNOWN_KIND, CONTROL, OURS, BYTE = 1, 2, 3, 4, 6
ALIGNED = 32

Table = npt.NDArray[np.float32]


def save(file: Path) -> None:
    facts = b"".join(_text(name) + value for name, value in _facts().items())
    table, data = b"", b""
    tensors = _tensors()
    for name, tensor in tensors.items():
        dims = struct.pack("<I", tensor.ndim) + b"".join(struct.pack("<Q", n) for n in reversed(tensor.shape))
        table += _text(name) + dims + struct.pack("<IQ", 0, len(data))  # 0: 32-bit floats
        data += tensor.tobytes()
        data += bytes(-len(data) % ALIGNED)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(_facts())) + facts + table
    file.write_bytes(head + bytes(-len(head) % ALIGNED) + data)


def _facts() -> dict[str, bytes]:
    """The model's description, by llama.cpp's names."""
    own = {
        "context_length": 32768, "embedding_length": WIDTH, "block_count": 1, "feed_forward_length": INNER,
        "attention.head_count": HEADS, "attention.head_count_kv": HEADS, "rope.dimension_count": WIDTH // HEADS,
        "vocab_size": len(TOKENS),
    }  # fmt: skip
    ids = {"bos_token_id": 1, "eos_token_id": 2, "unknown_token_id": 0}
    words = "tokenizer.ggml"
    return {
        "general.architecture": _string("llama"),
        **{f"llama.{name}": _number(n) for name, n in own.items()},
        "llama.attention.layer_norm_rms_epsilon": struct.pack("<If", 6, 1e-6),
        f"{words}.model": _string("llama"),
        f"{words}.tokens": _list(8, [_text(t) for t in TOKENS]),
        f"{words}.scores": _list(6, [struct.pack("<f", 0.0)] * len(TOKENS)),
        f"{words}.token_type": _list(5, [struct.pack("<i", _kind(t)) for t in TOKENS]),
        **{f"{words}.{name}": _number(n) for name, n in ids.items()},
        f"{words}.add_bos_token": _flag(True),
        f"{words}.add_space_prefix": _flag(False),
        "tokenizer.chat_template": _string(TEMPLATE),
    }


def _kind(token: str) -> int:
    if token in BYTES:
        return BYTE
    return {UNKNOWN: UNKNOWN_KIND, BEGIN: CONTROL, END: CONTROL}.get(token, OURS)


def _tensors() -> dict[str, Table]:
    """A layer that adds nothing: the last token alone decides the next one."""
    square = {f"blk.0.attn_{part}.weight": (WIDTH, WIDTH) for part in ("q", "k", "v", "output")}
    inner = {f"blk.0.ffn_{part}.weight": (INNER, WIDTH) for part in ("gate", "up")}
    silent = {**square, **inner, "blk.0.ffn_down.weight": (WIDTH, INNER)}
    table, rows = np.zeros((len(TOKENS), WIDTH), np.float32), steps(CHAINS)
    table[: len(rows)] = rows
    known = np.zeros((len(TOKENS), WIDTH), np.float32)
    known[: len(WORDS)] = np.eye(len(WORDS), WIDTH, dtype=np.float32)
    return {
        "token_embd.weight": known,
        **{name: np.zeros(shape, np.float32) for name, shape in silent.items()},
        **{name: np.ones(WIDTH, np.float32) for name in ("blk.0.attn_norm.weight", "blk.0.ffn_norm.weight")},
        "output_norm.weight": np.ones(WIDTH, np.float32),
        "output.weight": table,
    }


def _text(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def _string(text: str) -> bytes:
    return struct.pack("<I", 8) + _text(text)


def _number(n: int) -> bytes:
    return struct.pack("<II", 4, n)


def _flag(yes: bool) -> bytes:
    return struct.pack("<I?", 7, yes)


def _list(kind: int, items: Sequence[bytes]) -> bytes:
    return struct.pack("<IIQ", 9, kind, len(items)) + b"".join(items)
