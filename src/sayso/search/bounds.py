"""Lower and upper bounds on the value of a belief that nobody can compute exactly.

From below: what one gets by repeating one action for ever. From above: what one would get if all doubt vanished after
one step (QMDP), or, tighter, if it vanished one step later (the fast informed bound). Each is a set of α-vectors,
shape (k, S), and means max over the rows of α·b. Every iteration from the given start is itself a valid bound, so
stopping early is loose but never wrong.
"""

from __future__ import annotations

import numpy as np

from sayso.search.model import POMDP, Floats

TOLERANCE = 1e-9
ROUNDS = 2000


def value(alphas: Floats, belief: Floats) -> float:
    """max over α of α·b."""
    return float((alphas @ belief).max())


def blind(problem: POMDP) -> Floats:
    """The lower bound of always doing the same: α_a = R_a + γ T_a α_a, one vector per action, shape (A, S)."""
    floor = problem.reward.min(axis=1).max() / (1 - problem.discount)
    alphas = np.full((problem.n_actions, problem.n_states), floor)
    for action, alpha in enumerate(alphas):
        for _ in range(ROUNDS):
            better = problem.reward[action] + problem.discount * problem.transitions.pull(action, alpha)
            moved = np.abs(better - alpha).max()
            alpha[:] = better
            if moved < TOLERANCE:
                break
    return alphas


def qmdp(problem: POMDP) -> Floats:
    """The upper bound of a state that is known from the next step on: the MDP's Q-values, shape (A, S)."""
    best = np.full(problem.n_states, problem.reward.max() / (1 - problem.discount))
    alphas = np.empty((problem.n_actions, problem.n_states))
    for _ in range(ROUNDS):
        for action in range(problem.n_actions):
            alphas[action] = problem.reward[action] + problem.discount * problem.transitions.pull(action, best)
        lower = alphas.max(axis=0)
        moved = np.abs(best - lower).max()
        best = lower
        if moved < TOLERANCE:
            break
    return alphas


def fib(problem: POMDP) -> Floats:
    """The fast informed bound, started at QMDP: α_a = R_a + γ Σ_o max_a' T_a (O_{a,o} ∘ α_a'), shape (A, S)."""
    alphas = qmdp(problem)
    for _ in range(ROUNDS):
        tighter = np.stack([_informed(problem, action, alphas) for action in range(problem.n_actions)])
        # Rounding may lift an entry by an ulp; the bound never needs to.
        tighter = np.minimum(tighter, alphas)
        moved = np.abs(tighter - alphas).max()
        alphas = tighter
        if moved < TOLERANCE:
            break
    return alphas


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
