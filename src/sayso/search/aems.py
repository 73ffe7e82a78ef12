"""Anytime search for the next action: AEMS2 with its budgets, and the subtree that one keeps while acting.

Between two actions there is only so much time. AEMS2 spends it where it removes most doubt about the value of the
present belief, and can answer at any moment. This file knows no clock: who has one asks for small helpings of
expansions until the time is up; each call goes on where the last one stopped.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from sayso.errors import UsageError
from sayso.search.bounds import blind, fib
from sayso.search.flat import CERTAIN, EXACT, EXPANSIONS, GAP, ROUNDING, Root
from sayso.search.model import POMDP, Floats, update


class Stop(Enum):
    """Why a search ended."""

    EXPANSIONS = EXPANSIONS  # the budget is spent
    GAP = GAP  # the bounds are as near as was asked for
    EXACT = EXACT  # no leaf that matters has any error left
    CERTAIN = CERTAIN  # the best action's worst beats every other's best


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """An action, and why: bounds on the value of the belief and, shape (A,), of each action in it."""

    action: int
    lower: float
    upper: float
    q_lower: Floats
    q_upper: Floats
    expansions: int
    nodes: int
    stop: Stop


class AEMS2:
    """An online planner for one problem: `plan`, act, `observe`, and so on.

    `lower` and `upper` are α-vectors, shape (k, S); blind policies and the fast informed bound when left out.
    `expansions` and `gap` are the budget of each `plan`.
    """

    def __init__(
        self,
        problem: POMDP,
        lower: Floats | None = None,
        upper: Floats | None = None,
        *,
        expansions: int = 200,
        gap: float = 1e-3,
    ) -> None:
        from sayso.search.tree import Tree  # with numba, for which nobody waits who only keeps a belief

        self.problem = problem
        self.expansions = expansions
        self.gap = gap
        low = blind(problem) if lower is None else _alphas("lower", lower, problem)
        high = fib(problem) if upper is None else _alphas("upper", upper, problem)
        self.tree = Tree(problem, low, high)
        self.belief = problem.start

    def start(self, belief: Floats | None = None) -> None:
        """Begin again from a belief, the problem's own when left out."""
        self.belief = self.problem.start if belief is None else belief
        if self.belief.shape != (self.problem.n_states,) or abs(self.belief.sum() - 1) > 1e-6:
            raise UsageError(f"a belief is {self.problem.n_states} probabilities that sum to 1")
        self.tree.plant(self.belief)

    def plan(self, expansions: int | None = None, gap: float | None = None) -> Decision:
        """Search on, by one expansion at least, and name the action whose lower bound is best.

        Where lower bounds tie, as they all do before anything is known, the more promising action is named.
        """
        budget = self.expansions if expansions is None else expansions
        if budget < 1:
            raise UsageError(f"a plan needs at least 1 expansion, not {budget}")
        done, stop = self.tree.grow(budget, self.gap if gap is None else gap)
        root = self.tree.look()
        ends = root.lower, root.upper, root.q_lower, root.q_upper
        return Decision(_best(root), *ends, done, root.nodes, Stop(stop))

    def observe(self, action: int, observation: int) -> None:
        """Note what was done and seen: the belief follows by Bayes' rule, the search keeps what it knows below it.

        Raises `UsageError` when the belief holds that observation to be impossible; nothing has changed then.
        """
        self.belief = update(self.problem, self.belief, action, observation)
        if not self.tree.keep(action, observation):
            self.tree.plant(self.belief)


def _best(root: Root) -> int:
    tied = np.flatnonzero(root.q_lower >= root.q_lower.max() - ROUNDING)
    hopes = root.q_upper[tied]
    return int(tied[np.argmax(hopes >= hopes.max() - ROUNDING)])


def _alphas(name: str, alphas: Floats, problem: POMDP) -> Floats:
    if alphas.ndim != 2 or alphas.shape[1] != problem.n_states or not len(alphas):
        raise UsageError(f"{name} has shape {alphas.shape}; expected (vectors, states) with {problem.n_states} states")
    return alphas


@dataclass(frozen=True, slots=True)
class Episode:
    """What happened: one entry a step, and the discounted sum of the rewards."""

    states: tuple[int, ...]
    actions: tuple[int, ...]
    observations: tuple[int, ...]
    rewards: tuple[float, ...]
    value: float


def simulate(problem: POMDP, planner: AEMS2, steps: int, rng: np.random.Generator) -> Episode:
    """Draw a true state, then let the planner act for so many steps, or until the state can no longer change or pay."""
    planner.start()
    state = int(rng.choice(problem.n_states, p=problem.start))
    states, actions, observations, rewards = [state], list[int](), list[int](), list[float]()
    while len(actions) < steps and not over(problem, state):
        action = planner.plan().action
        state, seen, reward = problem.sample(state, action, rng)
        planner.observe(action, seen)
        states.append(state)
        actions.append(action)
        observations.append(seen)
        rewards.append(reward)
    value = sum(reward * problem.discount**step for step, reward in enumerate(rewards))
    return Episode(tuple(states), tuple(actions), tuple(observations), tuple(rewards), value)


def over(problem: POMDP, state: int) -> bool:
    """Whether nothing done in this state changes it or pays."""
    return all(
        problem.reward[action, state] == 0 and (problem.transitions.follow(action, state)[0] == state).all()
        for action in range(problem.n_actions)
    )
