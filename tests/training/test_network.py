"""The network that is trained, and the graphs that are shipped, compute the same. Skipped where torch is not installed.

pip install torch safetensors onnx && python -m pytest tests/training/test_network.py
"""

# ruff: noqa: E402  (what needs torch is imported behind the question whether it is there)

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import training_path  # noqa: F401  (puts training on the path)

for _needed in ("torch", "onnx", "safetensors"):
    pytest.importorskip(_needed)

import torch

import shipped
from export import exported
from network import Pocket
from sayso.models.pocket import net
from sayso.models.pocket.tokenizer import Tokenizer

PROMPT = "<plan>go to the chair and take a picture<see>chair 61 42 8 16 blue by cup;cup 12 40 3 4<air><do>"
PLAN = "g('chair');tp<end>"


def numbers() -> tuple[list[int], list[int]]:
    words = net.load().words
    mark = PROMPT[PROMPT.rindex("<") :]
    return words.read(PROMPT), [words.ids[mark], *words.write(PLAN)]


def network() -> Pocket:
    card = shipped.card()["shape"]
    model = Pocket(len(net.load().words), card["encoder_layers"], card["decoder_layers"])
    model.load_state_dict(shipped.state())
    return model.eval()


def chances_of(graphs: net.Net) -> Any:
    """(tokens, words) behind each token of the plan, by the graphs."""
    read, written = numbers()
    scores, _ = graphs.write(graphs.read(tuple(read)), [written[:-1]], graphs.empty_cache())
    shares = np.exp(scores[0] - scores[0].max(-1, keepdims=True))
    return shares / shares.sum(-1, keepdims=True)


@torch.no_grad()
def chances(model: Pocket) -> Any:
    """The same by the network."""
    read, written = numbers()
    known = model.read(torch.tensor([read]))
    return model.chances(model.write(torch.tensor([written[:-1]]), known), known)[0].numpy()


def test_the_graphs_compute_what_the_network_does() -> None:
    """But for what is rounded while they run."""
    _, written = numbers()
    wanted, got = chances(network()), chances_of(net.load())
    assert wanted.shape == got.shape
    assert (wanted.argmax(-1) == written[1:]).all() and (got.argmax(-1) == written[1:]).all()
    assert np.abs(wanted - got).max() < 0.1


def test_packing_what_was_unpacked_changes_nothing(tmp_path: Path) -> None:
    """So training that starts from the package starts where it ended, and an export can be checked by another."""
    words = Tokenizer.load(net.FOLDER / "vocab.txt")
    state = {name: value.numpy() for name, value in shipped.state().items()}
    exported(state, words, {}, tmp_path)
    before, after = net.load(), net.load(tmp_path)
    assert np.allclose(chances_of(before), chances_of(after), atol=0.02)
    assert json.loads((tmp_path / "card.json").read_text("utf-8"))["parameters"] == before.card["parameters"]


def test_filling_up_a_batch_changes_nothing() -> None:
    """Rows of other lengths beside it, and the zeros behind it, are not read."""
    read, written = numbers()
    model = network()
    with torch.no_grad():
        alone = model.read(torch.tensor([read]))
        filled = model.read(torch.tensor([[*read, 0, 0, 0], [*read[:9], *[0] * (len(read) - 6)]]))
        one = model.chances(model.write(torch.tensor([written]), alone), alone)
        two = model.chances(model.write(torch.tensor([written, written]), filled), filled)[:1]
    assert torch.allclose(one, two, atol=1e-4)
