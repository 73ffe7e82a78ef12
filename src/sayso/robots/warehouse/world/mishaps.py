"""What goes wrong in a warehouse, by seed and rate: each kind of failure has dice of its own.

So one kind's rate does not change when the others strike, and a run with the same seed meets the same failures in the
same order. What struck is on record, for judges of how well a planner recovers.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from sayso.errors import UsageError

KINDS: Mapping[str, str] = {
    "absent": "a thing is not there at all (drawn once for each thing)",
    "moved": "somebody puts a thing elsewhere while the robot drives",
    "miss": "the detector does not report a thing in view (drawn for each thing and look)",
    "wrong_side": "the base ends on the far side of a piece of furniture",
    "navigation": "the base loses its way and stops before the goal",
    "blocked_way": "somebody leaves a trolley on the way for a while",
    "slip": "the fingers close on nothing",
    "wrong_object": "the hand takes a thing beside the one that is meant",
    "drop": "what is held falls while the robot drives",
    "blocked_place": "something keeps the hand from letting go on its spot",
}


class Mishaps:
    """The dice. `rates` are probabilities by kind; kinds that are left out never strike."""

    def __init__(self, rates: Mapping[str, float], seed: int) -> None:
        if unknown := set(rates) - set(KINDS):
            raise UsageError(f"no failure is called {sorted(unknown)[0]!r}; there are {', '.join(KINDS)}")
        if wrong := [k for k, p in rates.items() if not 0.0 <= p <= 1.0]:
            raise UsageError(f"the rate of {wrong[0]} is a probability from 0 to 1, not {rates[wrong[0]]}")
        self.rates = dict(rates)
        self.struck: list[tuple[str, float, str]] = []
        self._dice = {kind: random.Random(f"{seed} {kind}") for kind in KINDS}

    def rate(self, kind: str) -> float:
        return self.rates.get(kind, 0.0)

    def strikes(self, kind: str, at_s: float, what: str = "") -> bool:
        """Whether it happens now; if so, it is on record."""
        strikes = self._dice[kind].random() < self.rate(kind)
        if strikes:
            self.struck.append((kind, at_s, what))
        return strikes

    def pick(self, kind: str) -> random.Random:
        """Dice for what else has to be drawn about a failure of a kind."""
        return self._dice[kind]
