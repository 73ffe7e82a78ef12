"""Detectors of the YOLO family: their input tensors, and the boxes in their outputs.

Layouts, n being the number of labels and N that of candidates, boxes in pixels of what goes in:

    v8       (4 + n, N)   centre x, centre y, width, height, and a score for each label; or the same transposed
    v5       (N, 5 + n)   centre x, centre y, width, height, whether there is anything, and a score for each label
    yolox    (N, 5 + n)   the same, in cells of grids with strides 8, 16 and 32, sizes as logarithms
    nms      (N, 6)       left, top, right, bottom, score, number of the label; nothing left to suppress
    mmdet    (N, 5), (N)  left, top, right, bottom, score; numbers of the labels in an output of their own
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from sayso.errors import RobotError, UsageError
from sayso.perception.detector import Description, Detection, Picture
from sayso.scene import Box

Array = np.ndarray[Any, Any]
Found = tuple[Array, Array, Array]
"""Corners (N, 4) in pixels, scores (N) and numbers of labels (N)."""

LAYOUTS = ("v8", "v5", "yolox", "nms", "mmdet")
SIDE_PX = 640
"""Where a network leaves it open."""
STRIDES = (8, 16, 32)
MOST, SURE = 300, 1.001
GREY = 114
"""What fills the rest of a picture that is not of the network's shape: what these networks were trained with."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """What goes in: (1, 3, height, width) or (1, height, width, 3), -1 where that is open."""

    name: str
    shape: tuple[int, ...]
    dtype: str


class Runs(Protocol):
    """The interface of whatever runs a network. `labels` are those that it knows of itself."""

    name: str
    labels: tuple[str, ...]
    takes: Tensor

    async def run(self, picture: Array) -> Mapping[str, Array]:
        """Its outputs by name. Raises `RobotError`."""


class Yolo:
    """A `Detector`. Raises `UsageError` where it cannot be one."""

    def __init__(self, network: Runs, said: Description) -> None:
        self.name, self._network, self._said = network.name, network, said
        self.labels = tuple(said.labels or network.labels)
        if not self.labels:
            raise UsageError(
                f'{self.name} does not tell its labels: write labels = ["…"] into a TOML file of its name beside it'
            )
        if said.layout and said.layout not in LAYOUTS:
            raise UsageError(f"there is no layout {said.layout!r}; there are {', '.join(LAYOUTS)}")
        shape = network.takes.shape
        if len(shape) != 4 or 3 not in (shape[1], shape[3]):
            raise UsageError(f"{self.name} takes {shape}, which is no picture of three colours")
        self._last = shape[1] != 3
        sides = shape[1:3] if self._last else shape[2:4]
        self._height, self._width = (side if side > 0 else SIDE_PX for side in sides)

    async def detect(self, picture: Picture) -> Sequence[Detection]:
        height, width = picture.shape[:2]
        ratio = min(self._width / width, self._height / height)
        outputs = await self._network.run(self._prepared(picture, ratio))
        corners, scores, numbers = self._read(outputs)
        if len(scores) and not float(scores.max()) <= SURE:
            raise RobotError(f"{self.name} is {scores.max():g} sure of something: scores have to end at 1")
        keep = (scores >= self._said.least) & (numbers >= 0) & (numbers < len(self.labels))
        corners, scores, numbers = corners[keep] / ratio, scores[keep], numbers[keep]
        corners = np.clip(corners, 0, [width, height, width, height]) / [width, height, width, height]
        found = []
        for n in _surest(corners, scores, numbers, self._said.overlap):
            left, top, right, bottom = map(float, corners[n])
            if right > left and bottom > top:
                box = Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
                found.append(Detection(self.labels[int(numbers[n])], min(1.0, float(scores[n])), box))
        return found

    def _prepared(self, picture: Picture, ratio: float) -> Array:
        """The picture in the upper left corner of what the network takes, the rest grey."""
        height, width = picture.shape[:2]
        size = max(1, round(width * ratio)), max(1, round(height * ratio))
        inside = np.asarray(Image.fromarray(picture).resize(size, Image.Resampling.BILINEAR))
        canvas = np.full((self._height, self._width, 3), GREY, dtype=np.uint8)
        canvas[: size[1], : size[0]] = inside
        if self._said.channels == "bgr":
            canvas = canvas[:, :, ::-1]
        if not self._last:
            canvas = canvas.transpose(2, 0, 1)
        dtype = np.dtype(self._network.takes.dtype)
        ready = canvas if dtype == np.uint8 else canvas.astype(dtype) * dtype.type(self._said.scale / 255)
        return np.ascontiguousarray(ready)[None]

    def _read(self, outputs: Mapping[str, Array]) -> Found:
        parts = [
            np.asarray(out)[0] if np.ndim(out) > 1 and len(out) == 1 else np.asarray(out) for out in outputs.values()
        ]
        layout = self._said.layout or self._layout(parts)
        try:
            return self._as(layout, parts)
        except (IndexError, ValueError) as error:
            shapes = ", ".join(str(part.shape) for part in parts)
            raise RobotError(f"{self.name} put out {shapes}, which is not the layout {layout}: {error}") from error

    def _layout(self, parts: Sequence[Array]) -> str:
        """The one layout that the shapes allow. Raises `RobotError` where there is none, or more than one."""
        many, flat = len(self.labels), [part for part in parts if part.ndim == 2]
        shape = flat[0].shape if len(flat) == 1 else (0, 0)
        could = {
            "v8": len(parts) == 1 and 4 + many in shape,
            "v5": len(parts) == 1 and shape[1] == 5 + many,
            "nms": len(parts) == 1 and shape[1] == 6,
            "mmdet": len(parts) == 2 and len(flat) == 1 and shape[1] == 5,
        }
        fitting = [name for name, fits in could.items() if fits]
        if len(fitting) == 1:
            return fitting[0]
        shapes = ", ".join(str(part.shape) for part in parts)
        why = f"may be {' or '.join(fitting)}" if fitting else "is none that is known"
        raise RobotError(
            f'{self.name} put out {shapes} for {many} labels, which {why}: write layout = "…" '
            f"({', '.join(LAYOUTS)}) into its TOML file"
        )

    def _as(self, layout: str, parts: Sequence[Array]) -> Found:
        rows, *rest = (part.astype(np.float32) for part in sorted(parts, key=lambda part: -part.ndim))
        if layout == "v8" and rows.shape[0] == 4 + len(self.labels):
            rows = rows.T
        rows = np.where(np.isfinite(rows).all(axis=1, keepdims=True), rows, 0.0)  # what is no number finds nothing
        if layout == "mmdet":
            return rows[:, :4], rows[:, 4], rest[0].astype(int)
        if layout == "nms":
            return rows[:, :4], rows[:, 4], rows[:, 5].astype(int)
        if layout == "v8":
            scores = rows[:, 4:]
        else:
            rows = self._from_cells(rows) if layout == "yolox" else rows
            scores = rows[:, 4:5] * rows[:, 5:]
        half = rows[:, 2:4] / 2
        numbers = scores.argmax(axis=1)
        best = scores[np.arange(len(scores)), numbers]
        return np.concatenate([rows[:, :2] - half, rows[:, :2] + half], axis=1), best, numbers

    def _from_cells(self, rows: Array) -> Array:
        """What counts from its own cell, counted from the corner of the picture."""
        grids, steps = [], []
        for stride in STRIDES:
            y, x = np.mgrid[: self._height // stride, : self._width // stride]
            grids.append(np.stack([x.ravel(), y.ravel()], axis=1))
            steps.append(np.full((x.size, 1), stride))
        step = np.concatenate(steps)
        middles, sides = (rows[:, :2] + np.concatenate(grids)) * step, np.exp(rows[:, 2:4]) * step
        return np.concatenate([middles, sides, rows[:, 4:]], axis=1)


def _surest(corners: Array, scores: Array, numbers: Array, overlap: float) -> list[int]:
    """Which boxes stay: of one label none overlaps a surer one by more than so much."""
    left = np.argsort(-scores, kind="stable")[: 10 * MOST]
    kept: list[int] = []
    while len(left) and len(kept) < MOST:
        best, left = int(left[0]), left[1:]
        kept.append(best)
        left = left[(numbers[left] != numbers[best]) | (shared(corners[best], corners[left]) <= overlap)]
    return kept


def shared(one: Array, others: Array) -> NDArray[np.float64]:
    """Intersection over union of a box (4) with others (N, 4), all as corners."""
    low, high = np.maximum(one[:2], others[:, :2]), np.minimum(one[2:], others[:, 2:])
    common = np.clip(high - low, 0, None).prod(axis=1)
    areas = (others[:, 2:] - others[:, :2]).prod(axis=1) + (one[2:] - one[:2]).prod() - common
    return np.asarray(common / np.maximum(areas, 1e-12), dtype=np.float64)
