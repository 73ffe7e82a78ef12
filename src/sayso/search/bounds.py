"""Lower and upper bounds on the value of a belief that nobody can compute exactly.

From below: what one gets by repeating one action for ever. From above: what one would get if all doubt vanished after
one step (QMDP), or, tighter, if it vanished one step later (the fast informed bound). Each is a set of α-vectors,
shape (k, S), and means max over the rows of α·b. Every iteration from the given start is itself a valid bound, so
stopping early is loose but never wrong.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from sayso.search.model import POMDP, Floats

TOLERANCE = 1e-9
ROUNDS = 2000


def value(alphas: Floats, belief: Floats) -> float:
    """max over α of α·b."""
    return float((alphas @ belief).max())


def blind(problem: POMDP) -> Floats:
    """The lower bound of always doing the same: α_a = R_a + γ T_a α_a, one vector per action, shape (A, S)."""
    floor = np.full(problem.n_states, problem.reward.min(axis=1).max() / (1 - problem.discount))
    return np.stack([_settled(partial(_ahead, problem, action), floor) for action in range(problem.n_actions)])


def qmdp(problem: POMDP) -> Floats:
    """The upper bound of a state that is known from the next step on: the MDP's Q-values, shape (A, S)."""

    def known(alphas: Floats) -> Floats:
        return np.stack([_ahead(problem, action, alphas.max(axis=0)) for action in range(problem.n_actions)])

    return _settled(known, np.full(problem.reward.shape, problem.reward.max() / (1 - problem.discount)))


def fib(problem: POMDP) -> Floats:
    """The fast informed bound, started at QMDP: α_a = R_a + γ Σ_o max_a' T_a (O_{a,o} ∘ α_a'), shape (A, S)."""

    def informed(alphas: Floats) -> Floats:
        tighter = np.stack([_informed(problem, action, alphas) for action in range(problem.n_actions)])
        return np.minimum(tighter, alphas)  # rounding may lift an entry by an ulp; the bound never needs to

    return _settled(informed, qmdp(problem))


def _settled(better: Callable[[Floats], Floats], alphas: Floats) -> Floats:
    """What becomes of it, made better again and again until that moves nothing any more."""
    for _ in range(ROUNDS):
        before, alphas = alphas, better(alphas)
        if np.abs(alphas - before).max() < TOLERANCE:
            break
    return alphas


def _ahead(problem: POMDP, action: int, alpha: Floats) -> Floats:
    return np.asarray(problem.reward[action] + problem.discount * problem.transitions.pull(action, alpha))


def _informed(problem: POMDP, action: int, alphas: Floats) -> Floats:
    ahead = np.zeros(problem.n_states)
    for seen in problem.observation[action].T:
        if seen.any():
            ahead += problem.transitions.pull(action, seen[:, None] * alphas.T).max(axis=1)
    return np.asarray(problem.reward[action] + problem.discount * ahead)


def prune(alphas: Floats) -> Floats:
    """The rows that no other row covers everywhere; the maximum stays the same to within `TOLERANCE`."""
    kept: list[Floats] = []
    for alpha in sorted(alphas, key=lambda row: -float(row.sum())):
        if not any((alpha <= other + TOLERANCE).all() for other in kept):
            kept.append(alpha)
    return np.array(kept)
