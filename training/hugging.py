"""The same weights in Hugging Face's layout: an `EncoderDecoderModel` of BERT that reads and BERT that writes.

    from transformers import EncoderDecoderModel
    model = EncoderDecoderModel.from_pretrained(folder)

The shape is BERT's to the letter, so nothing is approximated. Token numbers are those of `vocab.txt` as
`sayso.models.pocket.words` reads and writes them; writing begins with the mark that the input ends with.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file

from network import EPS, HEADS, INNER, READ_MAX, WIDTH, WRITE_MAX
from sayso.models.pocket.words import Words

State = dict[str, np.ndarray[Any, Any]]

ATTENTION = {"query": "self.query", "key": "self.key", "value": "self.value", "out": "output.dense"}


def save(state: State, words: Words, to: Path) -> None:
    """`model.safetensors`, `config.json` and `vocab.txt` in a folder."""
    to.mkdir(parents=True, exist_ok=True)
    whole = {name: np.ascontiguousarray(array) for name, array in named(state).items()}
    save_file(whole, to / "model.safetensors", {"format": "pt"})
    (to / "config.json").write_text(json.dumps(config(state, words), indent=1) + "\n", "utf-8")
    words.save(to / "vocab.txt")


def config(state: State, words: Words) -> dict[str, Any]:
    shape = {
        "model_type": "bert", "vocab_size": len(words), "hidden_size": WIDTH, "num_attention_heads": HEADS,
        "intermediate_size": INNER, "layer_norm_eps": EPS, "type_vocab_size": 1, "hidden_act": "gelu",
    }  # fmt: skip
    reads = {**shape, "num_hidden_layers": layers(state, "encoder"), "max_position_embeddings": READ_MAX}
    writes = {
        **shape, "num_hidden_layers": layers(state, "decoder"), "max_position_embeddings": WRITE_MAX,
        "is_decoder": True, "add_cross_attention": True, "tie_word_embeddings": True,
    }  # fmt: skip
    ids = {"pad_token_id": 0, "eos_token_id": words.end, "decoder_start_token_id": words.ids["<do>"]}
    return {
        "model_type": "encoder-decoder", "architectures": ["EncoderDecoderModel"], "is_encoder_decoder": True,
        "tie_word_embeddings": False, "encoder": reads, "decoder": writes, **ids,
    }  # fmt: skip


def layers(state: State, part: str) -> int:
    return 1 + max(int(name.split(".")[1]) for name in state if name.startswith(f"{part}."))


def named(state: State) -> State:
    """Our names as theirs."""
    found: State = {}
    for side, at, norm in (("encoder", "read_at", "read_norm"), ("decoder.bert", "write_at", "write_norm")):
        table = f"{side}.embeddings"
        found[f"{table}.word_embeddings.weight"] = state["embed.weight"]
        found[f"{table}.position_embeddings.weight"] = state[f"{at}.weight"]
        found[f"{table}.token_type_embeddings.weight"] = np.zeros((1, WIDTH), np.float32)
        found.update(_both(state, norm, f"{table}.LayerNorm"))
        part = side.partition(".")[0]
        for n in range(layers(state, part)):
            found.update(_block(state, f"{part}.{n}", f"{side}.encoder.layer.{n}"))
    head = "decoder.cls.predictions"
    found.update(_both(state, "scale", f"{head}.transform.dense"))
    found.update(_both(state, "scale_norm", f"{head}.transform.LayerNorm"))
    found[f"{head}.bias"] = found[f"{head}.decoder.bias"] = state["bias"]
    found[f"{head}.decoder.weight"] = state["embed.weight"]
    return found


def _block(state: State, ours: str, theirs: str) -> State:
    found: State = {}
    for own, there in (("own", "attention"), ("cross", "crossattention")):
        if f"{ours}.{own}.query.weight" in state:
            for name, part in ATTENTION.items():
                found.update(_both(state, f"{ours}.{own}.{name}", f"{theirs}.{there}.{part}"))
            found.update(_both(state, f"{ours}.{own}.norm", f"{theirs}.{there}.output.LayerNorm"))
    for name, part in (("up", "intermediate.dense"), ("down", "output.dense"), ("norm", "output.LayerNorm")):
        found.update(_both(state, f"{ours}.{name}", f"{theirs}.{part}"))
    return found


def _both(state: State, ours: str, theirs: str) -> State:
    return {f"{theirs}.{kind}": state[f"{ours}.{kind}"] for kind in ("weight", "bias")}
