"""The shipped weights as the network's own again, so that training can go on from a clone alone: `start=shipped`.

What `graph.py` packed into 7 or 8 bits is unpacked; what a rounding took is lost, which a few hundred steps make good.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, numpy_helper
from torch import Tensor

from graph import BLOCK
from network import HEADS, POINT, WIDTH

SHIPPED = Path(__file__).parent.parent / "src/sayso/models/pocket/weights"

Array = np.ndarray[Any, Any]


def card(folder: Path = SHIPPED) -> dict[str, Any]:
    """What the shipped weights tell of themselves: steps, lessons used, the curve."""
    told: dict[str, Any] = json.loads((folder / "card.json").read_text("utf-8"))
    return told


def state(folder: Path = SHIPPED) -> dict[str, Tensor]:
    """Every parameter of `Pocket` by its name, float32."""
    packed: dict[str, Array] = {}
    for file in ("encoder.onnx", "decoder.onnx"):
        graph = onnx.load(folder / file, load_external_data=False).graph
        packed |= {one.name: _array(one, folder) for one in graph.initializer}
    found: dict[str, Array] = {"embed.weight": _unpacked(packed["embed.rows"], packed["embed.scales"])}
    for name, array in packed.items():
        part, _, kind = name.rpartition(".")
        if kind == "q" and part != "embed":
            unpack = _unpacked_rows if array.dtype == np.int8 else _unpacked
            found |= _linear(part, unpack(array, packed[f"{part}.s"]), packed[f"{part}.b"])
        elif kind == "g":
            at = part.removesuffix(".norm") + ".norm" if "." in part else part
            found |= {f"{at}.weight": array, f"{at}.bias": packed[f"{part}.h"]}
    found |= {f"{at}.weight": packed[at] for at in ("read_at", "write_at")}
    found |= {
        "pointing.weight": packed["pointing.w"].T,
        "pointing.bias": packed["pointing.b"],
        "bias": packed["embed.b"],
    }
    return {name: torch.from_numpy(np.array(array, np.float32)) for name, array in found.items()}


def _array(one: TensorProto, folder: Path) -> Array:
    if one.data_location != TensorProto.EXTERNAL:
        return numpy_helper.to_array(one)
    where = {entry.key: entry.value for entry in one.external_data}
    kind = onnx.helper.tensor_dtype_to_np_dtype(one.data_type)
    count = math.prod(one.dims)
    flat = np.fromfile(folder / where["location"], kind, count, offset=int(where["offset"]))
    return flat.reshape(tuple(one.dims))


def _unpacked(packed: Array, scales: Array) -> Array:
    """The reverse of `graph.quantized`, (rows, columns)."""
    rows = packed.shape[0]
    blocks = packed.reshape(rows, -1, BLOCK).astype(np.float32) - 128
    return (blocks * scales.reshape(rows, -1, 1)).reshape(rows, -1)


def _unpacked_rows(packed: Array, scales: Array) -> Array:
    """The reverse of `graph.quantized_rows`, (rows, columns)."""
    return packed.T.astype(np.float32) * scales[:, None]


def _linear(part: str, weight: Array, bias: Array) -> dict[str, Array]:
    """One product of the graph as the layers that it was made from: queries carry the scale of likenesses there."""
    scale = math.sqrt(WIDTH // HEADS)
    if part.endswith(".qkv"):
        at = part.removesuffix(".qkv")
        rows = zip(("query", "key", "value"), np.split(weight, 3), np.split(bias, 3), (scale, 1, 1), strict=True)
        return {f"{at}.{n}.{kind}": a * by for n, w, b, by in rows for kind, a in (("weight", w), ("bias", b))}
    by = scale if part.endswith(".cross.query") else math.sqrt(POINT) if part == "point_from" else 1
    return {f"{part}.weight": weight * by, f"{part}.bias": bias * by}
