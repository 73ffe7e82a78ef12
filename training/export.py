"""A checkpoint of the small model as what the package ships: two graphs for ONNX Runtime, weights in 8 bits, a card.

    python training/export.py runs/pocket/checkpoint.pt                       (to src/sayso/models/pocket/weights)
    python training/export.py runs/pocket/checkpoint.pt --to runs/pocket/weights
    python training/export.py runs/more/checkpoint.pt --blend 0.75           (the rest from the weights in the package)

`encoder.onnx` reads: token numbers in, the keys and values that each block of the decoder attends to out, and the mean
over the tokens as a vector of length 1. `decoder.onnx` writes: one or more new tokens, what was kept of those before,
what was read, in; scores of the next token and what to keep, out. Reading has no batch. Writing has one: many
continuations of one text are weighed at once.

Needs torch and onnx, which the package does not.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import torch
from onnx import TensorProto

import shipped
from graph import Graph, Weights
from network import EPS, HEADS, LEAST, POINT, READ_MAX, WIDTH, WRITE_MAX, our_words
from outside import write_card
from sayso.models.pocket.net import FORMAT
from sayso.models.pocket.tokenizer import Tokenizer
from shipped import SHIPPED

HERE = Path(__file__).parent
DEPTH = WIDTH // HEADS
DOUBT = {"plan": 0.5, "next": 0.55, "command": 0.35, "mission": 0.03, "probe": 0.8, "rolling": 0.0}
"""Below which chance of a meaning it asks back, by what stands before the wish: see `doubt.py`."""
UNLEARNED = {"plan": 0.9}
"""The same where a word of the wish is in no lesson: see `learned.py`."""
TAUGHT = ("drone reading", "humanoid", "service reading", "warehouse reading", "aircraft reading", "score")
"""What the lessons teach: what a form asks for by `Form.lessons`."""
State = dict[str, np.ndarray[Any, Any]]

assert EPS == 1e-12, "the graphs norm with this epsilon"


def exported(state: State, words: Tokenizer, card: dict[str, Any], to: Path) -> dict[str, int]:
    """Write everything; the size of each file in bytes."""
    to.mkdir(parents=True, exist_ok=True)
    weights = Weights()
    card = {**card, "parameters": sum(array.size for array in state.values())}
    layers = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("decoder."))
    encoder(state, weights, layers).save(to / "encoder.onnx")
    decoder(state, weights, layers).save(to / "decoder.onnx")
    (to / "weights.bin").write_bytes(weights.data)
    words.save(to / "vocab.txt")
    sizes = {file: (to / file).stat().st_size for file in ("encoder.onnx", "decoder.onnx", "weights.bin", "vocab.txt")}
    shape = {"format": FORMAT, "layers": layers, "heads": HEADS, "width": WIDTH}
    use = {"read_max": READ_MAX, "write_max": WRITE_MAX, "doubt": DOUBT, "unlearned": UNLEARNED, "taught": TAUGHT}
    whole = {**shape, **use, **card, "bytes": sizes}
    write_card(whole, to)
    return sizes


class Blocks:
    """Attention and feed-forward parts of the network, as nodes of a graph."""

    def __init__(self, graph: Graph, state: State, many: bool = False) -> None:
        self.graph, self.state = graph, state
        self.linear = graph.linear_many if many else graph.linear

    def weights(self, name: str) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        return self.state[f"{name}.weight"], self.state[f"{name}.bias"]

    def heads(self, x: str, turned: bool = False) -> str:
        """(batch, length, width) by heads: (batch, heads, length, depth), or with `turned` the last two exchanged."""
        g = self.graph
        parts = g.node("Reshape", x, g.constant(np.array([0, 0, HEADS, DEPTH])))
        return str(g.node("Transpose", parts, perm=[0, 2, 3, 1] if turned else [0, 2, 1, 3]))

    def asked(self, name: str) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Weights of the query, with the scale of likenesses in them."""
        weight, bias = self.weights(f"{name}.query")
        return weight / math.sqrt(DEPTH), bias / math.sqrt(DEPTH)

    def own(self, x: str, name: str) -> tuple[str, str, str]:
        """Queries, keys (turned) and values of `x`, by one product."""
        g = self.graph
        parts = [self.asked(name), self.weights(f"{name}.key"), self.weights(f"{name}.value")]
        weight, bias = (np.concatenate([p[i] for p in parts]) for i in (0, 1))
        q, k, v = g.node("Split", self.linear(x, weight, bias, f"{name}.qkv"), outputs=3, axis=-1, num_outputs=3)
        return self.heads(q), self.heads(k, turned=True), self.heads(v)

    def told(self, x: str, name: str) -> tuple[str, str]:
        """Keys (turned) and values of what was read."""
        k, v = (self.linear(x, *self.weights(f"{name}.{part}"), f"{name}.{part}") for part in ("key", "value"))
        return self.heads(k, turned=True), self.heads(v)

    def attended(self, x: str, q: str, k: str, v: str, name: str, mask: str = "") -> str:
        g = self.graph
        likeness = g.node("MatMul", q, k)
        if mask:
            likeness = g.node("Add", likeness, mask)
        seen = g.node("MatMul", g.node("Softmax", likeness, axis=-1), v)
        whole = g.node("Reshape", g.node("Transpose", seen, perm=[0, 2, 1, 3]), g.constant(np.array([0, 0, WIDTH])))
        out = self.linear(whole, *self.weights(f"{name}.out"), f"{name}.out")
        return g.added(x, out, *self.weights(f"{name}.norm"), f"{name}.norm")

    def fed(self, x: str, name: str) -> str:
        g = self.graph
        up = g.node("Gelu", self.linear(x, *self.weights(f"{name}.up"), f"{name}.up"))
        down = self.linear(up, *self.weights(f"{name}.down"), f"{name}.down")
        return g.added(x, down, *self.weights(f"{name}.norm"), f"{name}.norm")


def encoder(state: State, weights: Weights, layers: int) -> Graph:
    g = Graph("encoder", weights)
    b = Blocks(g, state, many=True)
    ids = g.input("ids", (1, "length"), TensorProto.INT64)
    at = g.input("at", ("length",), TensorProto.INT64)
    words = g.looked_up(ids, state["embed.weight"], "embed")
    places = g.node("Gather", g.constant(state["read_at.weight"], "read_at"), at)
    x = g.normed(g.node("Add", words, places), *b.weights("read_norm"), "read_norm")
    for n in range(1 + max(int(name.split(".")[1]) for name in state if name.startswith("encoder."))):
        x = b.attended(x, *b.own(x, f"encoder.{n}.own"), f"encoder.{n}.own")
        x = b.fed(x, f"encoder.{n}")
    mean = g.node("ReduceMean", x, g.constant(np.array([1])), keepdims=0)
    g.output("meaning", g.node("LpNormalization", mean, axis=-1, p=2), (1, WIDTH))
    for n in range(layers):
        k, v = b.told(x, f"decoder.{n}.cross")
        g.output(f"read_k{n}", k, (1, HEADS, DEPTH, "length"))
        g.output(f"read_v{n}", v, (1, HEADS, "length", DEPTH))
    to = b.linear(x, *b.weights("point_to"), "point_to")
    g.output("read_point", g.node("Transpose", to, perm=[0, 2, 1]), (1, POINT, "length"))
    g.output("read_ids", ids, (1, "length"), TensorProto.INT64)
    return g


def decoder(state: State, weights: Weights, layers: int) -> Graph:
    g = Graph("decoder", weights)
    b = Blocks(g, state)
    ids = g.input("ids", ("batch", "new"), TensorProto.INT64)
    at = g.input("at", ("new",), TensorProto.INT64)
    mask = g.input("mask", ("new", "all"))
    words = g.looked_up(ids, state["embed.weight"], "embed")
    places = g.node("Gather", g.constant(state["write_at.weight"], "write_at"), at)
    x = g.normed(g.node("Add", words, places), *b.weights("write_norm"), "write_norm")
    for n in range(layers):
        kept_k = g.input(f"kept_k{n}", ("batch", HEADS, DEPTH, "before"))
        kept_v = g.input(f"kept_v{n}", ("batch", HEADS, "before", DEPTH))
        read_k = g.input(f"read_k{n}", (1, HEADS, DEPTH, "length"))
        read_v = g.input(f"read_v{n}", (1, HEADS, "length", DEPTH))
        q, k, v = b.own(x, f"decoder.{n}.own")
        k, v = g.node("Concat", kept_k, k, axis=3), g.node("Concat", kept_v, v, axis=2)
        x = b.attended(x, q, k, v, f"decoder.{n}.own", mask)
        q = b.heads(g.linear(x, *b.asked(f"decoder.{n}.cross"), f"decoder.{n}.cross.query"))
        x = b.fed(b.attended(x, q, read_k, read_v, f"decoder.{n}.cross"), f"decoder.{n}")
        g.output(f"next_k{n}", k, ("batch", HEADS, DEPTH, "all"))
        g.output(f"next_v{n}", v, ("batch", HEADS, "all", DEPTH))
    g.output("scores", mixed(b, x, state), ("batch", "new", "words"))
    return g


def mixed(b: Blocks, x: str, state: State) -> str:
    """The logarithm of how likely each token is: a word of the table, or one pointed at in what was read."""
    g = b.graph
    to, ids = g.input("read_point", (1, POINT, "length")), g.input("read_ids", (1, "length"), TensorProto.INT64)
    weight, bias = b.weights("point_from")
    likeness = g.node("MatMul", g.linear(x, weight / math.sqrt(POINT), bias / math.sqrt(POINT), "point_from"), to)
    weight, bias = b.weights("pointing")
    often = g.node("Sigmoid", g.node("Add", g.node("MatMul", x, g.constant(weight.T, "pointing.w")),
                                     g.constant(bias, "pointing.b")))  # fmt: skip
    at = g.node("Mul", g.node("Softmax", likeness, axis=-1), often)
    x = g.node("Gelu", g.linear(x, *b.weights("scale"), "scale"))
    x = g.normed(x, *b.weights("scale_norm"), "scale_norm")
    table = g.node("Softmax", g.linear(x, state["embed.weight"], state["bias"], "embed"), axis=-1)
    table = g.node("Mul", table, g.node("Sub", g.constant(np.float32(1), "one"), often))
    where = g.node("Expand", g.node("Unsqueeze", ids, g.constant(np.array([1]))), g.node("Shape", at))
    both = g.node("ScatterElements", table, where, at, axis=-1, reduction="add")
    return str(g.node("Log", g.node("Add", both, g.constant(np.float32(LEAST), "least"))))


def recipe(knobs: dict[str, Any]) -> str:
    """A fingerprint of all that the weights were made from: knobs, network, lessons, form and words."""
    package = SHIPPED.parent
    robots = package.parent.parent / "robots"
    sources = [HERE / "train.py", HERE / "network.py", *HERE.glob("knowledge.*"), *HERE.glob("lessons/**/*.[pt][xyo]*")]
    sources += [package / f"{name}.py" for name in ("any_robot", "reading", "seeing", "text", "tokenizer")]
    sources += robots.glob("*/form.py")
    whole = hashlib.sha256(json.dumps(knobs, sort_keys=True).encode())
    for file in sorted(sources, key=lambda f: f.as_posix()):
        whole.update(file.read_bytes())
    return whole.hexdigest()


def figures(checkpoint: Path, knobs: dict[str, Any]) -> dict[str, Any]:
    """What the card tells of the training: the shape's knobs, the curve so far, and how other shapes did."""
    shape = {name: knobs[name] for name in ("encoder_layers", "decoder_layers", "start") if name in knobs}
    curve = [{name: row[name] for name in ("lessons", "exact")} for row in rows(checkpoint.with_name("curve.jsonl"))]
    return {"shape": shape, "curve": curve, "shapes": rows(HERE / "shapes.jsonl")}


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("checkpoint", type=Path)
    options.add_argument("--to", type=Path, default=SHIPPED)
    options.add_argument(
        "--blend", type=float, default=1.0, help="share of the checkpoint; the rest is what is shipped"
    )
    chosen = options.parse_args()
    if not chosen.checkpoint.with_name("config.json").exists():  # a copy elsewhere would lose the curve unseen
        options.error(f"{chosen.checkpoint} is not in the folder that training wrote, where curve.jsonl is")
    kept = torch.load(chosen.checkpoint, map_location="cpu")
    state = {name: value.float().numpy() for name, value in kept.get("mean", kept["model"]).items()}
    if chosen.blend < 1:  # what was learned before and is little practised now is forgotten less
        before = shipped.state()
        state = {name: chosen.blend * v + (1 - chosen.blend) * before[name].numpy() for name, v in state.items()}
    knobs = kept.get("knobs", {})
    card = {
        "recipe": recipe(knobs),
        "blend": chosen.blend,
        **{k: kept[k] for k in ("step", "tokens", "used") if k in kept},
    }
    card |= figures(chosen.checkpoint, knobs)
    sizes = exported(state, our_words(), card, chosen.to)
    print("\n".join(f"{size / 1e6:8.2f} MB  {name}" for name, size in sizes.items()))


if __name__ == "__main__":
    main()
