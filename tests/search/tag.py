"""A robot plays tag with someone who flees.

Twenty-nine cells: a corridor of two rows and ten columns, and an alcove of three by three above columns five to seven.
The robot always knows its own cell but sees the other only when they share one. Each step costs 1; a tag that lands
gives 10, one that misses costs 10. The other runs from where the robot stood: with 0.4 along each axis, away (either
way when level with it), staying where a wall is in the way and in the remaining 0.2. (Pineau, Gordon and Thrun, 2003.)
"""

from __future__ import annotations

import numpy as np

from sayso.search.model import POMDP, Floats, Triples

CELLS = tuple((x, y) for y in range(2) for x in range(10)) + tuple((x, y) for y in range(2, 5) for x in range(5, 8))
MOVES = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
CAUGHT = len(CELLS)
SEEN = len(CELLS)

_NUMBER = {cell: n for n, cell in enumerate(CELLS)}


def tag(discount: float = 0.95) -> POMDP:
    """870 states (robot × other or caught), 5 actions, 30 observations (own cell, or "seen")."""
    actions = (*MOVES, "tag")
    places = [f"{x},{y}" for x, y in CELLS]
    return POMDP(
        transition=[_transitions(action) for action in actions],
        observation=np.broadcast_to(_sight(), (len(actions), len(_pairs()), len(CELLS) + 1)),
        reward=np.stack([_reward(action) for action in actions]),
        discount=discount,
        start=[0 if other == CAUGHT else 1 / len(CELLS) ** 2 for _, other in _pairs()],
        states=[f"{places[robot]} {'caught' if other == CAUGHT else places[other]}" for robot, other in _pairs()],
        actions=actions,
        observations=(*places, "seen"),
    )


def _pairs() -> list[tuple[int, int]]:
    """States in order: the robot's cell, and the other's (or CAUGHT)."""
    return [(robot, other) for robot in range(len(CELLS)) for other in range(len(CELLS) + 1)]


def _step(cell: int, move: tuple[int, int]) -> int:
    x, y = CELLS[cell]
    return _NUMBER.get((x + move[0], y + move[1]), cell)


def _flight(robot: int, other: int) -> list[tuple[int, float]]:
    """Where the other runs, with chances; walls add up to staying."""
    (rx, ry), (ox, oy) = CELLS[robot], CELLS[other]
    ways = [(other, 0.2)]
    for gap, unit in ((ox - rx, (1, 0)), (oy - ry, (0, 1))):
        signs = (1, -1) if gap == 0 else (1,) if gap > 0 else (-1,)
        ways += [(_step(other, (unit[0] * sign, unit[1] * sign)), 0.4 / len(signs)) for sign in signs]
    return ways


def _after(action: str, robot: int, other: int) -> list[tuple[int, int, float]]:
    moved = robot if action == "tag" else _step(robot, MOVES[action])
    if other == CAUGHT or (action == "tag" and robot == other):
        return [(moved, CAUGHT, 1.0)]
    return [(moved, cell, chance) for cell, chance in _flight(robot, other)]


def _transitions(action: str) -> Triples:
    width = len(CELLS) + 1
    rows = [
        (robot * width + other, moved * width + fled, chance)
        for robot, other in _pairs()
        for moved, fled, chance in _after(action, robot, other)
    ]
    came, to, chances = zip(*rows, strict=True)
    return came, to, chances


def _sight() -> Floats:
    sight = np.zeros((len(_pairs()), len(CELLS) + 1))
    for state, (robot, other) in enumerate(_pairs()):
        sight[state, SEEN if robot == other else robot] = 1
    return sight


def _reward(action: str) -> list[float]:
    def one(robot: int, other: int) -> float:
        if other == CAUGHT:
            return 0
        if action != "tag":
            return -1
        return 10 if robot == other else -10

    return [one(robot, other) for robot, other in _pairs()]
