"""What is known of a state that cannot be seen: a probability for each state, and Bayes' rule."""

from __future__ import annotations

import numpy as np

from sayso.errors import UsageError
from sayso.search.model import POMDP, Floats

IMPOSSIBLE = 1e-12
"""An observation less likely than this is held to be impossible: dividing by it would only amplify rounding."""


def observe(problem: POMDP, belief: Floats, action: int) -> Floats:
    """P(o | b, a) for every observation, shape (O,)."""
    return np.asarray(problem.transitions.push(action, belief) @ problem.observation[action])


def update(problem: POMDP, belief: Floats, action: int, observation: int) -> Floats:
    """The belief after doing `action` and seeing `observation`, shape (S,); exact.

    Raises `UsageError` when this belief holds that observation to be impossible.
    """
    joint = problem.transitions.push(action, belief) * problem.observation[action, :, observation]
    chance = joint.sum()
    if chance <= IMPOSSIBLE:
        did, saw = problem.actions[action], problem.observations[observation]
        raise UsageError(f"observation {saw} cannot follow action {did} from this belief: its probability is 0")
    return np.asarray(joint / chance)
