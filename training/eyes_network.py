"""The detector's network and what it learns by: one stage, no anchors, four strides (after FCOS, Tian et al. 2019).

Each cell of a grid tells for each label how sure it is that a thing of it lies there, and the sides of its box. A cell
learns from a box that it lies in the middle of, at the stride that fits the box's size; how sure it is to be is how
well its box fits (quality focal loss, Li et al. 2020), where it is to be by the generalised intersection over union.
One head reads all strides, each with norms of its own (as RTMDet, Lyu et al. 2022): what a chair is, is learned once.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

Array = np.ndarray[Any, Any]

STRIDES = (4, 8, 16, 32)
REACH_PX = ((0, 20), (16, 44), (36, 100), (84, 10_000))
"""The longer side of the boxes that each stride finds; they overlap, so that no size falls between two."""
SMALL_PX, LARGE_PX = 128, 32
"""Of two scales, the longer side up to which the finer counts and that from which the coarser does, each in its own."""

MIDDLE = 1.5
"""A cell lies in the middle of a box within so many strides."""


def convolved(ins: int, outs: int, size: int = 3, stride: int = 1, groups: int = 1) -> nn.Sequential:
    """ReLU, since it costs nothing in 8 bits."""
    layer = nn.Conv2d(ins, outs, size, stride, size // 2, groups=groups, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(outs), nn.ReLU(inplace=True))


class Residual(nn.Module):
    """Half as wide inside."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.inside = nn.Sequential(convolved(width, width // 2, 1), convolved(width // 2, width))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.inside(x)


def stage(ins: int, outs: int, deep: int) -> nn.Sequential:
    """Half the size, and so many blocks."""
    return nn.Sequential(convolved(ins, outs, 3, 2), *(Residual(outs) for _ in range(deep)))


class Head(nn.Module):
    """How sure and where, from the features of any stride."""

    def __init__(self, width: int, labels: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Conv2d(width, width, 3, padding=1, bias=False) for _ in range(2)])
        self.norms = nn.ModuleList([nn.ModuleList([nn.BatchNorm2d(width) for _ in STRIDES]) for _ in self.layers])
        self.sure, self.sides = nn.Conv2d(width, labels, 1), nn.Conv2d(width, 4, 1)
        nn.init.constant_(self.sure.bias, -4.6)  # one of a hundred cells finds something
        nn.init.constant_(self.sides.bias, 0.0)

    def forward(self, x: Tensor, level: int) -> tuple[Tensor, Tensor]:
        for layer, norms in zip(self.layers, self.norms, strict=True):
            x = F.relu(norms[level](layer(x)))
        return self.sure(x), self.sides(x)


class Eyes(nn.Module):
    """(batch, 3, height, width) uint8 in; (batch, 4 + labels, cells) out, as `sayso.perception.yolo` reads it (v8)."""

    def __init__(self, labels: int, width: int = 24) -> None:
        super().__init__()
        w1, w2, w3, w4, w5 = width, 2 * width, 4 * width, 6 * width, 8 * width
        self.labels, neck = labels, 2 * width
        self.stem = convolved(3, w1, 3, 2)
        self.stages = nn.ModuleList([stage(w1, w2, 1), stage(w2, w3, 2), stage(w3, w4, 2), stage(w4, w5, 1)])
        self.inward = nn.ModuleList([convolved(w, neck, 1) for w in (w2, w3, w4, w5)])
        self.mixed = nn.ModuleList([convolved(neck, neck) for _ in STRIDES])
        self.head = Head(neck, labels)
        self.certainty = (1.0, 0.0)
        """The line that makes a logit one of a chance."""

    def raw(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (batch, cells, labels), and boxes in pixels: their middle from the cell's, width and height."""
        x = self.stem(pictures.float() / 255 - 0.45)
        levels = []
        for one, inward in zip(self.stages, self.inward, strict=True):
            x = one(x)
            levels.append(inward(x))
        for n in reversed(range(len(STRIDES) - 1)):
            larger = F.interpolate(levels[n + 1], size=levels[n].shape[-2:], mode="nearest")
            levels[n] = levels[n] + larger
        logits, boxes = [], []
        for n, stride in enumerate(STRIDES):
            sure, sides = self.head(self.mixed[n](levels[n]), n)
            logits.append(sure.flatten(2))
            there = sides.flatten(2) * torch.tensor([1.0, 1.0, 4.0, 4.0])[:, None]
            boxes.append(torch.cat([there[:, :2], F.softplus(there[:, 2:])], 1) * stride)
        return torch.cat(logits, 2).transpose(1, 2), torch.cat(boxes, 2).transpose(1, 2)

    def forward(self, pictures: Tensor) -> Tensor:
        logits, boxes = self.raw(pictures)
        middles = cells(*(int(side) for side in pictures.shape[-2:]))  # plain numbers: a graph is for one size
        centre = boxes[..., :2] + middles.to(boxes)
        slope, shift = self.certainty
        return torch.cat([centre, boxes[..., 2:], (slope * logits + shift).sigmoid()], 2).transpose(1, 2)


class TwoScales(nn.Module):
    """The same network on a picture and on one half as large: what is small is found in the first, what is large in the
    second, as large as either was when it was learnt."""

    def __init__(self, network: Eyes) -> None:
        super().__init__()
        self.network = network

    def forward(self, pictures: Tensor) -> Tensor:
        """As `Eyes`, of both."""
        fine, coarse = self.network(pictures), self.network(F.avg_pool2d(pictures.float(), 2))
        small, large = (seen[:, 2:4].amax(1, keepdim=True) for seen in (fine, coarse))
        fine = torch.cat([fine[:, :4], fine[:, 4:] * (small < SMALL_PX)], 1)
        coarse = torch.cat([coarse[:, :4] * 2, coarse[:, 4:] * (large >= LARGE_PX)], 1)
        return torch.cat([fine, coarse], 2)


def cells(height: int, width: int) -> Tensor:
    """The middles of all cells (cells, 2) in pixels, stride after stride, row after row."""
    middles = []
    for stride, (rows, columns) in zip(STRIDES, grids(height, width), strict=True):
        y, x = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
        middles.append(torch.stack([x.flatten(), y.flatten()], 1) * stride + stride / 2)
    return torch.cat(middles)


def grids(height: int, width: int) -> list[tuple[int, int]]:
    """Rows and columns of cells at each stride."""
    return [(math.ceil(height / stride), math.ceil(width / stride)) for stride in STRIDES]


def corners(middles: Tensor, boxes: Tensor) -> Tensor:
    """Left, top, right and bottom of boxes that count from the middles of their cells."""
    centre, half = middles + boxes[..., :2], boxes[..., 2:] / 2
    return torch.cat([centre - half, centre + half], -1)


def given(boxes: Array, height: int, width: int) -> Array:
    """Which box each cell learns from: its row, -1 for none; of several the smallest. What is thin and lies between the
    middles of cells has the nearest one."""
    rows = []
    for stride, (least, most), (high, wide) in zip(STRIDES, REACH_PX, grids(height, width), strict=True):
        row, taken = np.full((high, wide), -1), np.full((high, wide), np.inf)
        for n, (_, left, top, right, bottom) in enumerate(boxes.tolist()):
            if not least <= max(right - left, bottom - top) <= most:
                continue
            window = []
            for low, upper, count in ((top, bottom, high), (left, right, wide)):
                middle = (low + upper) / 2
                first = math.floor(max(low, middle - MIDDLE * stride) / stride - 0.5) + 1
                last = math.ceil(min(upper, middle + MIDDLE * stride) / stride - 0.5) - 1
                if last < first:
                    first = last = int(middle // stride)
                window.append(slice(min(max(first, 0), count - 1), min(max(last, 0), count - 1) + 1))
            free = taken[*window] > (area := (right - left) * (bottom - top))
            taken[*window][free], row[*window][free] = area, n
        rows.append(row.ravel())
    return np.concatenate(rows)


def fit(one: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
    """Intersection over union of pairs of boxes, and the generalised one."""
    common = (torch.minimum(one[:, 2:], other[:, 2:]) - torch.maximum(one[:, :2], other[:, :2])).clamp(min=0).prod(1)
    union = (one[:, 2:] - one[:, :2]).prod(1) + (other[:, 2:] - other[:, :2]).prod(1) - common
    around = (torch.maximum(one[:, 2:], other[:, 2:]) - torch.minimum(one[:, :2], other[:, :2])).prod(1)
    shared = common / union.clamp(min=1e-6)
    return shared, shared - (around - union) / around.clamp(min=1e-6)


def loss(logits: Tensor, found: Tensor, size_px: tuple[int, ...], boxes: list[Tensor]) -> Tensor:
    """Of a batch that `raw` has made of pictures of a size (height, width); `boxes` are (number of label, left, top,
    right, bottom) in pixels, a tensor a picture."""
    middles, wanted = cells(*size_px), torch.zeros_like(logits)
    rows = torch.from_numpy(np.stack([given(mine.numpy(), *size_px) for mine in boxes]))
    n, cell = (rows >= 0).nonzero(as_tuple=True)
    before = torch.tensor([0, *itertools.accumulate(map(len, boxes))])
    meant = torch.cat(boxes)[before[n] + rows[n, cell]].float()
    shared, general = fit(corners(middles[cell], found[n, cell]), meant[:, 1:])
    wanted[n, cell, meant[:, 0].long()] = shared.detach()
    gap = (wanted - logits.sigmoid()).abs().detach() ** 2
    sure = (F.binary_cross_entropy_with_logits(logits, wanted, reduction="none") * gap).sum()
    return (sure + 2 * (1 - general).sum()) / max(1, len(n))
