"""Runs pomdp-py's POMCP on a RockSample of a given layout, and prints the discounted return of each episode as JSON.

Run by `test_peer_pomdp.py` with a Python that has pomdp-py; nothing of ours is imported here.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

import pomdp_py
from pomdp_py.problems.rocksample.rocksample_problem import RockSampleProblem, RockType, State

PARTICLES = 200
DISCOUNT = 0.95


def episode(
    size: int, rocks: dict[tuple[int, int], int], start: tuple[int, int], simulations: int, steps: int
) -> float:
    """One episode from uniform rocks."""
    kinds = tuple(RockType.random() for _ in rocks)
    particles = [State(start, tuple(RockType.random() for _ in rocks), False) for _ in range(PARTICLES)]
    problem = RockSampleProblem(size, len(rocks), State(start, kinds, False), rocks, pomdp_py.Particles(particles))
    planner = pomdp_py.POMCP(
        max_depth=30,
        discount_factor=DISCOUNT,
        num_sims=simulations,
        exploration_const=20,
        rollout_policy=problem.agent.policy_model,
        num_visits_init=1,
    )
    return played(problem, planner, steps)


def played(problem: Any, planner: Any, steps: int) -> float:
    total, weight = 0.0, 1.0
    for _ in range(steps):
        action = planner.plan(problem.agent)
        total += weight * problem.env.state_transition(action, execute=True)
        weight *= DISCOUNT
        seen = problem.env.provide_observation(problem.agent.observation_model, action)
        problem.agent.update_history(action, seen)
        try:
            planner.update(problem.agent, action, seen)
        except ValueError:  # no particle is left that could have seen this: the rest is worth what was earned so far
            break
        if problem.in_exit_area(problem.env.state.position):
            break
    return total


def main() -> None:
    asked = json.loads(sys.argv[1])
    random.seed(asked["seed"])
    rocks = {tuple(place): n for n, place in enumerate(asked["rocks"])}
    values = [
        episode(asked["size"], rocks, tuple(asked["start"]), asked["simulations"], asked["steps"])
        for _ in range(asked["episodes"])
    ]
    print(json.dumps(values))


if __name__ == "__main__":
    main()
