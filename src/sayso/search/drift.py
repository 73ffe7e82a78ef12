"""The motion model of a lost object on a grid: it stays, or goes to a neighbour, rather toward what attracts it.

A person who is lost walks somewhere: to the road, to the lights, downhill. In each step the object stays with some
chance, or moves to one of its eight neighbours with a weight exp(β·cos φ), φ being the angle between that neighbour's
direction and the attractor's. β = 0 wanders; a large β marches. What cannot be entered gets nothing, and its share goes
to the other neighbours, so no probability is ever lost: the chances of where to go next sum to one by construction.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sayso.errors import UsageError
from sayso.search.model import Floats

NEIGHBOURS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


class Drift:
    """One step of motion on a grid, prepared once and applied often.

    `toward` is a cell (row, column), several of them as (n, 2) (the nearest attracts: a road, a shore), or a field of
    directions (2, rows, columns); None wanders. `stay` is a chance, one or for each cell. `passable` marks what can be
    entered; an object that is already in an impassable cell may leave it.
    """

    def __init__(
        self,
        shape: tuple[int, int],
        toward: ArrayLike | None = None,
        *,
        beta: float = 1.0,
        stay: ArrayLike = 0.2,
        passable: NDArray[np.bool_] | None = None,
    ) -> None:
        self.shape = shape
        staying = np.broadcast_to(np.asarray(stay, dtype=np.float64), shape)
        if (staying < 0).any() or (staying > 1).any():
            raise UsageError("stay must be a probability")
        open_cells = np.ones(shape, dtype=np.bool_) if passable is None else passable
        weights = _weights(shape, _directions(shape, toward), beta, open_cells)
        total = weights.sum(axis=0)
        leaving = np.where(total > 0, 1 - staying, 0)
        self.leave: Floats = weights * (leaving / np.where(total > 0, total, 1))
        self.stay: Floats = 1 - leaving

    def step(self, weights: Floats) -> Floats:
        """Where the weights, shape (rows, columns), are one step later; their sum is the same."""
        after = weights * self.stay
        for (down, right), share in zip(NEIGHBOURS, self.leave, strict=True):
            came, to = _shifted(self.shape, down, right)
            after[to] += weights[came] * share[came]
        return np.asarray(after)


def _shifted(shape: tuple[int, int], down: int, right: int) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """The cells that have a neighbour in that direction, and those neighbours."""
    rows, columns = shape
    came = slice(max(0, -down), rows - max(0, down)), slice(max(0, -right), columns - max(0, right))
    to = slice(max(0, down), rows - max(0, -down)), slice(max(0, right), columns - max(0, -right))
    return came, to


def _weights(shape: tuple[int, int], toward: Floats, beta: float, passable: NDArray[np.bool_]) -> Floats:
    weights = np.zeros((len(NEIGHBOURS), *shape))
    for weight, (down, right) in zip(weights, NEIGHBOURS, strict=True):
        came, to = _shifted(shape, down, right)
        cosine = (toward[0] * down + toward[1] * right) / np.hypot(down, right)
        weight[came] = (np.exp(beta * cosine))[came] * passable[to]
    return weights


def _directions(shape: tuple[int, int], toward: ArrayLike | None) -> Floats:
    """Unit vectors (down, right) toward the attractor, zero where it is reached or there is none."""
    field = np.zeros((2, *shape)) if toward is None else np.asarray(toward, dtype=np.float64)
    if field.ndim == 1 or field.ndim == 2:
        field = nearest(shape, field)
    if field.shape != (2, *shape):
        raise UsageError(f"toward has shape {field.shape}; expected a cell, cells (n, 2), or directions {(2, *shape)}")
    length = np.hypot(field[0], field[1])
    return np.asarray(field / np.where(length > 0, length, 1))


def nearest(shape: tuple[int, int], cells: ArrayLike) -> Floats:
    """(down, right) from each cell to the nearest of these, (n, 2), in cells; shape (2, rows, columns)."""
    wanted = np.atleast_2d(np.asarray(cells, dtype=np.int64))
    if wanted.shape[1] != 2 or not len(wanted):
        raise UsageError("toward: a cell is (row, column)")
    there = np.zeros(shape, dtype=np.bool_)
    there[wanted[:, 0], wanted[:, 1]] = True
    wide = np.pad(there, 1, mode="edge")
    within = wide[:-2, 1:-1] & wide[2:, 1:-1] & wide[1:-1, :-2] & wide[1:-1, 2:]
    rows, columns = np.ogrid[: shape[0], : shape[1]]
    best, field = np.where(there, 0.0, np.inf), np.zeros((2, *shape))
    for row, column in np.argwhere(there & ~within):  # from outside only those can be the nearest
        squared = (rows - row) ** 2 + (columns - column) ** 2
        nearer = squared < best
        best[nearer] = squared[nearer]
        field[0][nearer] = np.broadcast_to(row - rows, shape)[nearer]
        field[1][nearer] = np.broadcast_to(column - columns, shape)[nearer]
    return field
