"""A planner meets the world it has a model of: the loop that every measurement of a planner runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sayso.search.aems import AEMS2
from sayso.search.model import POMDP


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
