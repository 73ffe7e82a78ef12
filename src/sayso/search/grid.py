"""A belief map: the probability of a lost object in each cell, cut by every look, spread by time.

One grid per object; a dictionary of them is the belief about a whole scene, because objects are taken to be
independent. Each grid sums to one. It keeps two layers, for what can be seen from the air and what cannot (under a
roof, in a thicket): without the second, ten passes over a forest would count as ten independent looks.

A look touches only the cells under the camera. Weights are therefore left unnormalised and the sum is carried beside
them; reading divides. Cells are [row, column], row 0 in the north or wherever the caller's map has it.
"""

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sayso.errors import UsageError
from sayso.search.drift import Drift
from sayso.search.model import Floats

Window: TypeAlias = tuple[slice, slice]
"""Rows and columns under the camera, without steps."""

SEEN = 0
SMALL = 1e-3
"""Below this sum the weights are scaled up again, long before they lose digits."""

NOTHING = 1e-15
STRIP = 65536
"""Cells worked on at a time, few enough for the processor's cache to hold them between two passes."""


class GridBelief:
    """A probability for each cell, shape (rows, columns), and whether the object can be seen from above there.

    `prior` is any array of non-negative weights. `visible` is the chance, one or for each cell, that an object in that
    cell can be seen from the air at all; the bit belongs to the object and goes with it when it moves.
    """

    def __init__(self, prior: ArrayLike, visible: ArrayLike = 1.0) -> None:
        weights = np.asarray(prior, dtype=np.float64)
        seen = np.asarray(visible, dtype=np.float64)
        if weights.ndim != 2 or not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
            raise UsageError("prior must be a grid of weights, none negative or infinite, not all zero")
        if (seen < 0).any() or (seen > 1).any() or seen.shape not in ((), weights.shape):
            raise UsageError(f"visible must be a probability, or one for each cell of {weights.shape}")
        weights = weights / weights.sum()
        layers = [weights * seen] if (seen == 1).all() else [weights * seen, weights * (1 - seen)]
        self._weights = np.stack(layers)
        self._sum = 1.0

    @property
    def shape(self) -> tuple[int, int]:
        return self._weights.shape[1], self._weights.shape[2]

    @property
    def probability(self) -> Floats:
        """The chance of each cell, shape (rows, columns); sums to one."""
        total = self._weights.sum(axis=0)
        return np.asarray(total / total.sum())

    @property
    def in_view(self) -> Floats:
        """The chance of each cell that the object is there and can be seen from above, shape (rows, columns)."""
        return np.asarray(self._weights[SEEN] / self._weights.sum())

    def sighting(self, window: Window, pod: ArrayLike, false_alarm: float = 0.0) -> float:
        """P(detected): of a look with probability of detection `pod`, one number or one for each cell of the window."""
        found = float((self._weights[(SEEN, *window)] * self._pod(window, pod)[0]).sum() / self._sum)
        return found + (1 - found) * false_alarm

    def miss(self, window: Window, pod: ArrayLike) -> float:
        """Update after a look that detected nothing: searched cells become less likely. Returns the chance that this
        had.

        False alarms cancel out of a miss and need not be given. Raises `UsageError` where a miss is impossible.
        """
        under = self._weights[(SEEN, *window)]
        chances, best = self._pod(window, pod)
        # Only a perfect sensor can make a miss impossible; then it must be known before anything is changed.
        if best == 1 and self._sum - float((under * chances).sum()) <= NOTHING * self._sum:
            raise UsageError("a miss is impossible here: the object was certain to be seen")
        kept = self._sum - _cut(under, chances)
        if kept < SMALL * self._sum:
            kept = float(self._weights.sum())
        chance = kept / self._sum
        self._rescale(kept)
        return chance

    def hit(self, window: Window, pod: ArrayLike, false_alarm: float = 0.0) -> float:
        """Update the belief after a detection in the window, true or false. Returns the chance that this had."""
        chance = self.sighting(window, pod, false_alarm)
        if chance <= 0:
            raise UsageError("a sighting is impossible here: the object cannot be in the window, and no alarm is false")
        under = self._weights[(SEEN, *window)]
        found = under * self._pod(window, pod)[0]
        self._weights *= false_alarm
        under += found * (1 - false_alarm)
        self._rescale(float(self._weights.sum()))
        return chance

    def move(self, drift: Drift) -> None:
        """Let one step of time pass."""
        if drift.shape != self.shape:
            raise UsageError(f"the drift is made for a grid of {drift.shape}, this one is {self.shape}")
        for layer in self._weights:
            layer[:] = drift.step(layer)
        self._rescale(float(self._weights.sum()))

    def multiply(self, likelihood: ArrayLike) -> None:
        """Any other evidence, as P(evidence | object in cell): a report, a footprint, a fence."""
        weights = self._weights * np.asarray(likelihood, dtype=np.float64)
        total = float(weights.sum())
        if not (weights >= 0).all() or not total > 0:
            raise UsageError("this evidence is impossible under the belief, or no probability")
        self._weights = weights
        self._rescale(total)

    def _pod(self, window: Window, pod: ArrayLike) -> tuple[Floats, float]:
        """A probability of detection for each cell of the window, and the largest of them."""
        chances = np.asarray(pod, dtype=np.float64)
        low, high = (float(chances.min()), float(chances.max())) if chances.size else (0.0, 0.0)
        if not (low >= 0 and high <= 1):
            raise UsageError("a probability of detection lies between 0 and 1")
        return np.broadcast_to(chances, self._weights[(SEEN, *window)].shape), high

    def _rescale(self, total: float) -> None:
        self._sum = total
        if total < SMALL:
            self._weights /= self._weights.sum()
            self._sum = 1.0


def region(chances: Floats, mass: float) -> NDArray[np.bool_]:
    """The smallest set of cells that holds at least so much of a map of probabilities."""
    order = np.argsort(chances, axis=None)[::-1]
    count = int(np.searchsorted(np.cumsum(chances.ravel()[order]), mass)) + 1
    chosen = np.zeros(chances.size, dtype=np.bool_)
    chosen[order[:count]] = True
    return chosen.reshape(chances.shape)


def _cut(weights: Floats, pod: Floats) -> float:
    """Take the detected share out of the weights, in place; how much that was."""
    rows = max(1, STRIP // max(1, weights.shape[1]))
    room = np.empty((min(rows, weights.shape[0]), weights.shape[1]))
    taken = 0.0
    for first in range(0, weights.shape[0], rows):
        strip = weights[first : first + rows]
        share = np.multiply(strip, pod[first : first + rows], out=room[: len(strip)])
        strip -= share
        taken += float(share.sum())
    return taken


def last_seen(
    shape: tuple[int, int], at: tuple[float, float], cell_m: float, ln_km_mean: float, ln_km_sd: float
) -> Floats:
    """Weights for someone last seen at a cell: every bearing alike, the distance log-normal, shape (rows, columns).

    The density on the ground is that of the distance over 2πr. A cell is given the density at its centre, the cell of
    the last sighting the share of all distances that end within it.
    """
    rows, columns = np.ogrid[: shape[0], : shape[1]]
    distance_km = np.hypot(rows - at[0], columns - at[1]) * cell_m / 1000
    own_km = cell_m / 1000 / math.sqrt(math.pi)
    far = np.maximum(distance_km, own_km)
    z = (np.log(far) - ln_km_mean) / ln_km_sd
    density = np.exp(-z * z / 2) / (far * ln_km_sd * math.sqrt(2 * math.pi)) / (2 * math.pi * far)
    share = 0.5 * (1 + math.erf((math.log(own_km) - ln_km_mean) / ln_km_sd / math.sqrt(2)))
    return np.asarray(np.where(distance_km < own_km, share, density * (cell_m / 1000) ** 2))
