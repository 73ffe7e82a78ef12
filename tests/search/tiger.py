"""Two doors. Behind one waits a tiger, behind the other ten gold coins.

You may open a door or put your ear to the wood. Listening costs a coin and is right 85 times in a hundred; the tiger
costs a hundred. Whatever is behind a door that you open, the next moment you stand before two closed doors again.
(Kaelbling, Littman and Cassandra, 1998.)
"""

from __future__ import annotations

import numpy as np

from sayso.search.model import POMDP


def tiger(discount: float = 0.95, hearing: float = 0.85) -> POMDP:
    """2 states, 3 actions, 2 observations; `hearing` is the chance that the ear is right."""
    reset = np.full((2, 2), 0.5)
    heard = np.array([[hearing, 1 - hearing], [1 - hearing, hearing]])
    return POMDP(
        transition=np.stack([np.eye(2), reset, reset]),
        observation=np.stack([heard, reset, reset]),
        reward=[[-1, -1], [-100, 10], [10, -100]],
        discount=discount,
        states=("tiger-left", "tiger-right"),
        actions=("listen", "open-left", "open-right"),
        observations=("hear-left", "hear-right"),
    )
