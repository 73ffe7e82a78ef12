"""A model in Llama's format whose answers are known beforehand: a chain of words, written by hand.

The one layer adds nothing, so the last token alone decides the next one, and the output table says which. What a
person asks ends in a word that some chain begins with; the rest of the prompt is as if unread. Only the files matter
here: a server that we did not write loads them as it would load any other model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

NAME = "sayso-tests/chain"
UNKNOWN, BEGIN, END = "<unk>", "<s>", "</s>"
PLAN = ("tc(180);", "mf(", "50", ");")
ENDLESS = tuple(f"{n};" for n in range(10))

CHAINS: tuple[tuple[str, ...], ...] = (
    ("turn", *PLAN, END),
    ("Plan:", PLAN[0]),
    ("greet", "l('gr", "<0xC3>", "<0xBC>", "n');", END),  # one letter in two tokens
    ("count", *ENDLESS, ENDLESS[0]),
    ("hush", END),
    ("which", "A", END),
    ("which", "B", END),
)
LESS = {"B": 1.0}
"""By how many nats a word is less likely than what else its chain could go on with."""

WORDS = (UNKNOWN, BEGIN, END, *dict.fromkeys(w for chain in CHAINS for w in chain if w != END))
WIDTH = 64
HEADS = 4
INNER = 16
SURE = 4.0
"""A step of the chain is worth SURE·√WIDTH = 32 nats more than what is no step."""


def save_to_cache(hub: Path) -> None:
    """The model as a download would have left it, so that a server without a network finds it by its name."""
    repository = hub / f"models--{NAME.replace('/', '--')}"
    commit = "0123456789abcdef" * 2 + "01234567"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(commit, "utf-8")
    save(repository / "snapshots" / commit)


def save(folder: Path) -> None:
    folder.mkdir(parents=True)
    for name, content in (
        ("config.json", _config()),
        ("generation_config.json", {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}),
        ("tokenizer.json", _tokenizer()),
        ("tokenizer_config.json", _tokenizer_config()),
    ):
        (folder / name).write_text(json.dumps(content, indent=1), "utf-8")
    _save_tensors(_weights(), folder / "model.safetensors")


def _config() -> dict[str, object]:
    return {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": len(WORDS),
        "hidden_size": WIDTH, "intermediate_size": INNER, "num_hidden_layers": 1, "num_attention_heads": HEADS,
        "num_key_value_heads": HEADS, "head_dim": WIDTH // HEADS, "hidden_act": "silu", "rms_norm_eps": 1e-6,
        "max_position_embeddings": 8192, "rope_theta": 10000.0, "tie_word_embeddings": False, "dtype": "float32",
        "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0,
    }  # fmt: skip


def _weights() -> dict[str, npt.NDArray[np.float32]]:
    layer = "model.layers.0"
    square = {f"{layer}.self_attn.{side}_proj.weight": (WIDTH, WIDTH) for side in "qkvo"}
    inner = {f"{layer}.mlp.{side}_proj.weight": (INNER, WIDTH) for side in ("gate", "up")}
    silent = {**square, **inner, f"{layer}.mlp.down_proj.weight": (WIDTH, INNER)}
    norms = (f"{layer}.input_layernorm.weight", f"{layer}.post_attention_layernorm.weight", "model.norm.weight")
    return {
        **{name: np.zeros(shape, np.float32) for name, shape in silent.items()},
        **{name: np.ones(WIDTH, np.float32) for name in norms},
        "model.embed_tokens.weight": np.eye(len(WORDS), WIDTH, dtype=np.float32),
        "lm_head.weight": steps(CHAINS),
    }


def steps(chains: Sequence[Sequence[str]]) -> npt.NDArray[np.float32]:
    """The output table: a row for the word to come, a column for the one that was."""
    ids = {word: n for n, word in enumerate(WORDS)}
    table = np.zeros((len(WORDS), WIDTH), np.float32)
    for chain in chains:
        for before, after in pairwise(chain):
            table[ids[after], ids[before]] = SURE - LESS.get(after, 0.0) / WIDTH**0.5
    return table


def _save_tensors(tensors: Mapping[str, npt.NDArray[np.float32]], to: Path) -> None:
    """The safetensors format: the length of a JSON table, the table, the numbers."""
    table: dict[str, object] = {"__metadata__": {"format": "pt"}}
    at = 0
    for name, tensor in tensors.items():
        table[name] = {"dtype": "F32", "shape": tensor.shape, "data_offsets": [at, at + tensor.nbytes]}
        at += tensor.nbytes
    head = json.dumps(table).encode()
    head += b" " * (-len(head) % 8)
    to.write_bytes(len(head).to_bytes(8, "little") + head + b"".join(t.tobytes() for t in tensors.values()))


def _tokenizer() -> dict[str, object]:
    """Words between spaces on the way in; on the way out, pieces as they are, and bytes joined to characters."""
    marks = [
        {"id": n, "content": mark, "special": True, "single_word": False, "lstrip": False, "rstrip": False,
         "normalized": False}
        for n, mark in enumerate((UNKNOWN, BEGIN, END))
    ]  # fmt: skip
    vocabulary = {word: n for n, word in enumerate(WORDS)}
    return {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": marks, "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None,
        "decoder": {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"}]},
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": UNKNOWN},
    }  # fmt: skip


def _tokenizer_config() -> dict[str, object]:
    return {
        "tokenizer_class": "PreTrainedTokenizerFast", "unk_token": UNKNOWN, "bos_token": BEGIN, "eos_token": END,
        "pad_token": UNKNOWN, "model_max_length": 8192,
        "chat_template": "{% for message in messages %}{{ message['content'] }} {% endfor %}",
    }  # fmt: skip
