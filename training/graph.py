"""The few kinds of nodes of which the exported networks are made, written with ONNX's own helpers.

Written by hand rather than traced: a traced graph has a hundred nodes a block, this one a dozen, and at one token a
call it is the number of nodes that costs. What writes, a row or a few at a time, has weights of 8 bits in blocks of 32
with a scale each, which loses less than one scale a row or a matrix, and what is computed does not depend on the rest
of a batch. What reads has a hundred rows at once, where that is no faster than floating point: there weights have 7
bits and a scale a row, and what comes in is rounded to 8 bits too. All of them lie in one file beside the graphs, so
that the reader and the writer share the table of words.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

BLOCK = 32
ALIGNED = 4096
"""Large weights begin on a page, so that a run time can map them."""

MOST = 63
"""Of a weight in 7 bits."""

MICROSOFT = "com.microsoft"


class Weights:
    """The file of large weights; what is added twice is kept once."""

    def __init__(self) -> None:
        self.data = bytearray()
        self._at: dict[bytes, int] = {}

    def tensor(self, name: str, array: np.ndarray[Any, Any]) -> TensorProto:
        """An initializer whose bytes lie in this file."""
        raw = np.ascontiguousarray(array).tobytes()
        at = self._at.get(raw)
        if at is None:
            self.data += bytes(-len(self.data) % ALIGNED)
            at = self._at[raw] = len(self.data)
            self.data += raw
        tensor = TensorProto(name=name, data_type=helper.np_dtype_to_tensor_dtype(array.dtype), dims=array.shape)
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", "weights.bin"), ("offset", at), ("length", len(raw))):
            entry = tensor.external_data.add()
            entry.key, entry.value = key, str(value)
        return tensor


def quantized(matrix: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Rows as unsigned bytes around 128 in blocks, and the scale of each block."""
    rows, columns = matrix.shape
    blocks = matrix.astype(np.float32).reshape(rows, columns // BLOCK, BLOCK)
    scales = np.maximum(np.abs(blocks).max(-1), 1e-8) / 127
    return (np.rint(blocks / scales[..., None]) + 128).astype(np.uint8), scales.astype(np.float32)


def quantized_rows(matrix: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The transpose as signed bytes of 7 bits, and the scale of each row: two products and their sum fit in 16 bits,
    which is where processors without VNNI add them up."""
    scales = np.maximum(np.abs(matrix).max(-1), 1e-8).astype(np.float32) / MOST
    return np.rint(matrix / scales[:, None]).astype(np.int8).T, scales


class Graph:
    """A network under construction. Every method adds nodes and returns the name of their result."""

    def __init__(self, name: str, weights: Weights) -> None:
        self.name, self._weights = name, weights
        self._nodes: list[NodeProto] = []
        self._kept: dict[str, TensorProto] = {}
        self._inputs: list[ValueInfoProto] = []
        self._outputs: list[ValueInfoProto] = []

    def input(self, name: str, dims: Sequence[str | int], kind: int = TensorProto.FLOAT) -> str:
        self._inputs.append(helper.make_tensor_value_info(name, kind, dims))
        return name

    def output(self, name: str, value: str, dims: Sequence[str | int], kind: int = TensorProto.FLOAT) -> None:
        self._nodes.append(helper.make_node("Identity", [value], [name]))
        self._outputs.append(helper.make_tensor_value_info(name, kind, dims))

    def node(self, op: str, *inputs: str, outputs: int = 1, domain: str = "", **attributes: Any) -> Any:
        names = [f"{op}_{len(self._nodes)}_{i}" for i in range(outputs)]
        self._nodes.append(helper.make_node(op, inputs, names, domain=domain, **attributes))
        return names if outputs > 1 else names[0]

    def constant(self, array: Any, name: str = "") -> str:
        """A small array, kept in the graph; equal ones once."""
        array = np.asarray(array)
        name = name or f"c_{array.dtype}_{'_'.join(map(str, array.ravel().tolist()))}"
        if name not in self._kept:
            self._kept[name] = numpy_helper.from_array(array, name)
        return name

    def _large(self, name: str, array: np.ndarray[Any, Any]) -> str:
        if name not in self._kept:
            self._kept[name] = self._weights.tensor(name, array)
        return name

    def linear(self, x: str, weight: np.ndarray[Any, Any], bias: np.ndarray[Any, Any] | None, name: str) -> str:
        """`x` times the transposed weight, as torch keeps it (out, in), plus bias."""
        rows, columns = weight.shape
        packed, scales = quantized(weight)
        inputs = [x, self._large(f"{name}.q", packed), self._large(f"{name}.s", scales.reshape(-1))]
        if bias is not None:
            inputs += ["", "", self.constant(bias.astype(np.float32), f"{name}.b")]
        size = {"K": columns, "N": rows, "bits": 8, "block_size": BLOCK, "accuracy_level": 4}
        return str(self.node("MatMulNBits", *inputs, domain=MICROSOFT, **size))

    def linear_many(self, x: str, weight: np.ndarray[Any, Any], bias: np.ndarray[Any, Any], name: str) -> str:
        """As `linear`, three times as fast for a hundred rows of `x` and coarser: they share one scale."""
        packed, scales = quantized_rows(weight)
        inputs = [x, self._large(f"{name}.q", packed), self._large(f"{name}.s", scales)]
        inputs += ["", self.constant(bias.astype(np.float32), f"{name}.b")]
        return str(self.node("DynamicQuantizeMatMul", *inputs, domain=MICROSOFT))

    def looked_up(self, ids: str, table: np.ndarray[Any, Any], name: str) -> str:
        """Rows of a table of words; the same bytes serve `linear`."""
        packed, scales = quantized(table)
        data = self._large(f"{name}.rows", packed.reshape(table.shape))
        scale = self._large(f"{name}.scales", scales)
        how = {"gather_axis": 0, "quantize_axis": 1, "block_size": BLOCK, "bits": 8}
        return str(self.node("GatherBlockQuantized", data, ids, scale, domain=MICROSOFT, **how))

    def normed(self, x: str, scale: np.ndarray[Any, Any], shift: np.ndarray[Any, Any], name: str) -> str:
        both = self.constant(scale, f"{name}.g"), self.constant(shift, f"{name}.h")
        return str(self.node("LayerNormalization", x, *both, axis=-1, epsilon=1e-12))

    def added(self, x: str, more: str, scale: np.ndarray[Any, Any], shift: np.ndarray[Any, Any], name: str) -> str:
        """The sum, normed."""
        both = self.constant(scale, f"{name}.g"), self.constant(shift, f"{name}.h")
        return str(self.node("SkipLayerNormalization", x, more, *both, domain=MICROSOFT, epsilon=1e-12))

    def model(self) -> ModelProto:
        graph = helper.make_graph(self._nodes, self.name, self._inputs, self._outputs, list(self._kept.values()))
        opsets = [helper.make_opsetid("", 20), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10, producer_name="sayso")

    def save(self, file: Path) -> None:
        file.write_bytes(self.model().SerializeToString(deterministic=True))
