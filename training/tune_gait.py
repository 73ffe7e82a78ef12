"""Finds the numbers of the soccer humanoid's walk and of its ways up, in its own simulation.

    python training/tune_gait.py walk --minutes 20
    python training/tune_gait.py front --minutes 5

An evolution strategy with a step size for each number (Ros and Hansen 2008, simplified): a generation plays the same
few games, each with servos, carpet, noise, wishes and pushes of its own by seed, with numbers drawn around the best
known; the better half draws these on. The numbers in `gait.toml` are where it begins; after each generation they are
written back, so that it can be stopped at any time and goes on from there, with its step sizes in a file beside.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sayso.robots.humanoid.world import body
from sayso.robots.humanoid.world.body import Posture
from sayso.robots.humanoid.world.pitch import TICK_S, Soccer
from sayso.scene import Pose

TABLE = Path(body.__file__).with_name("gait.toml")
STEPS = {
    "step_s": 0.02, "both": 0.05, "height_m": 0.004, "lift_m": 0.005, "half_m": 0.003, "pitch": 0.02, "omega": 0.35,
    "sway": 0.1, "ankle": (0.08, 0.015), "ankle_roll": (0.08, 0.015), "hip": (0.08, 0.015),
    "hip_roll": (0.08, 0.015), "catch": (0.1, 0.05), "catch_roll": (0.1, 0.05),
}  # fmt: skip
"""How far each number of the walk may be moved in a first try."""
BOUNDS = {"step_s": (0.24, 0.45), "both": (0.05, 0.6), "height_m": (0.33, 0.38), "lift_m": (0.03, 0.07),
          "half_m": (0.062, 0.085)}  # fmt: skip
LEAST = (0.1, -3.0, -0.3, -2.4, -2.5, -0.02, -1.5, -0.8)
MOST = (1.2, 2.6, 2.8, 0.0, 1.0, 2.7, 1.4, 0.8)
"""Of a pose on the way up: seconds and what the joints can do."""
GAME_S, FALLEN_S, FALLS_S = 14.0, 2.5, 9.0
MASS_KG = 5.65
GAMES = {"walk": 5, "front": 10, "back": 8}
DRAWN = 12


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("part", choices=("walk", "front", "back"))
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    try:
        tune(given.part, time.monotonic() + 60 * given.minutes, given.seed)
    except KeyboardInterrupt:
        print("stopped; the numbers of the last generation are in", TABLE.name)


def tune(part: str, until_s: float, seed: int) -> None:
    """Generation after generation until then."""
    kept = Path(f"gait-{part}.json")
    mean, spread = numbers(part), np.array(np.hstack(list(STEPS.values())) if part == "walk" else rise_steps(part))
    done = 0
    if kept.exists():
        state = json.loads(kept.read_text())
        done, spread = state["generations"], np.array(state["spread"])
    least, most = spread * 0.05, spread * 2
    weights = np.log(DRAWN // 2 + 0.5) - np.log(np.arange(1, DRAWN // 2 + 1))
    weights /= weights.sum()
    while time.monotonic() < until_s:
        chance = np.random.default_rng((seed, done))
        games = [int(g) for g in chance.integers(0, 10**6, GAMES[part])]
        drawn = chance.standard_normal((DRAWN // 2, len(mean)))
        drawn = np.concatenate([drawn, -drawn])
        costs = np.array([cost(part, mean + spread * d, games) for d in drawn])
        best = drawn[np.argsort(costs)[: DRAWN // 2]]
        mean = mean + spread * (weights @ best)
        spread = np.clip(spread * np.exp(0.1 * (weights @ best**2 - 1)), least, most)
        done += 1
        write(part, mean)
        kept.write_text(json.dumps({"generations": done, "spread": spread.tolist()}))
        print(f"{part} {done}: best {costs.min():.3f}, median {np.median(costs):.3f}, "
              f"now {cost(part, mean, games):.3f}", flush=True)  # fmt: skip


def cost(part: str, values: Sequence[float], games: Sequence[int]) -> float:
    play: Callable[[dict[str, Any], int], float] = {"walk": walked, "front": rose, "back": rose_from_back}[part]
    return statistics.fmean(play(table(part, values), game) for game in games)


# Numbers and the table


def numbers(part: str) -> Any:
    if part == "walk":
        return np.hstack([body.TABLE["walk"][name] for name in STEPS])
    return np.array(body.TABLE[part]).ravel()


def rise_steps(part: str) -> list[float]:
    return [0.02, *[0.04] * 7] * len(body.TABLE[part])


def table(part: str, values: Sequence[float]) -> dict[str, Any]:
    """The table with these numbers in it, within their bounds."""
    if part == "walk":
        left, found = iter(map(float, values)), dict[str, Any]()
        for name, step in STEPS.items():
            low, high = BOUNDS.get(name, (-9.0, 9.0))
            found[name] = [next(left), next(left)] if isinstance(step, tuple) else min(max(next(left), low), high)
        return {**body.TABLE, "walk": {**body.TABLE["walk"], **found}}
    rows = np.clip(np.reshape(values, (-1, 8)), LEAST, MOST)
    return {**body.TABLE, part: rows.tolist()}


def write(part: str, values: Sequence[float]) -> None:
    """Into the table, whose comments stay."""
    text, now = TABLE.read_text("utf-8"), table(part, values)
    if part == "walk":
        for name in STEPS:
            text = re.sub(
                rf"(?m)^{name} = [^#\n]*?(?= *(#|$))", f"{name} = {np.round(now['walk'][name], 4).tolist()}", text
            )
    else:
        rows = [str([round(v, 2) for v in row]) for row in now[part]]
        lines = "".join(f"  {', '.join(rows[n : n + 2])},\n" for n in range(0, len(rows), 2))
        text = re.sub(rf"(?ms)^{part} = \[\n.*?^\]", f"{part} = [\n{lines}]", text)
    TABLE.write_text(text, "utf-8")


# What they are tried in


class Game(Soccer):
    """The soccer world, for a robot with other numbers."""

    def __init__(self, seed: int, table: dict[str, Any]) -> None:
        super().__init__(seed, robot_at=Pose(), ball_at=(4.0, 2.5))
        self._body.fit(table)

    @property
    def posture(self) -> Posture:
        return self._body.posture

    @property
    def hips_m(self) -> float:
        return self._body.motion().at[2]

    def shove(self, chance: random.Random, mps: float, lasts_s: float) -> None:
        """A push that moves the centre of mass by so much, in any direction."""
        way, force_n = chance.uniform(0, 2 * math.pi), MASS_KG * mps / lasts_s
        self.push(force_n * math.cos(way), force_n * math.sin(way), lasts_s)


def walked(table: dict[str, Any], seed: int) -> float:
    """How badly it follows wishes that change while it is pushed: speeds missed, wobble, falls."""
    world, chance = Game(seed, table), random.Random(seed)
    wish_at_s, shove_at_s, wish = 0.5, chance.uniform(2, 5), (0.0, 0.0, 0.0)
    missed, wobble, lag = 0.0, 0.0, [0.0, 0.0, 0.0]
    while world.time_s < GAME_S:
        if world.time_s >= wish_at_s:
            wish, wish_at_s = _wish(chance), world.time_s + chance.uniform(1.5, 3.5)
        if world.time_s >= shove_at_s:
            world.shove(chance, chance.uniform(0.05, 0.22), 0.1)
            shove_at_s += chance.uniform(2.5, 5)
        world.robot.set_walk(*wish)
        world.step()
        if world.posture is not Posture.UP:
            return 3 + 2 * (GAME_S - world.time_s) / GAME_S
        walk, really, lean = world._body.walk, world.robot.velocity, world._body.lean
        lag = [was + TICK_S * ((v - w) - was) for was, v, w in zip(lag, really, walk, strict=True)]
        missed += TICK_S * (2 * abs(lag[0]) + 2 * abs(lag[1]) + 0.5 * abs(lag[2]))
        pitch = lean.pitch - table["walk"]["pitch"]
        wobble += TICK_S * (0.05 * (lean.rates[0] ** 2 + lean.rates[1] ** 2) + 2 * (lean.roll**2 + pitch**2))
    return (2 * missed + wobble) / GAME_S


def _wish(chance: random.Random) -> tuple[float, float, float]:
    return chance.choice([
        (chance.uniform(0.15, 0.3), 0.0, 0.0),
        (chance.uniform(0.1, 0.3), 0.0, chance.uniform(-0.6, 0.6)),
        (0.0, 0.0, chance.choice([-1, 1]) * chance.uniform(0.3, 0.8)),
        (chance.uniform(-0.12, 0.2), chance.uniform(-0.12, 0.12), chance.uniform(-0.4, 0.4)),
        (0.0, 0.0, 0.0),
    ])  # fmt: skip


def rose(table: dict[str, Any], seed: int, onto: float = 0.0) -> float:
    """How far from standing it is at the end of a get-up from its front or a side, and a second later."""
    world, chance = Game(seed, table), random.Random(seed)
    way, force_n = onto + chance.uniform(-2.0, 2.0) * (0.5 if onto else 1), chance.uniform(18, 26)
    world.push(force_n * math.cos(way), force_n * math.sin(way), 0.3)
    while world.time_s < FALLEN_S:
        world.step()
    if not world.robot.fallen:
        return 0.0
    world.robot.start_get_up()
    while world.robot.getting_up and world.time_s < FALLS_S:
        world.step()
    up = _off(world)
    took_s, until_s, after = world.time_s - FALLEN_S, world.time_s + 1.2, []
    while world.time_s < until_s:
        world.step()
        after.append(_off(world))
    return 0.6 * up + after[-1] + 0.3 * statistics.fmean(after) + 0.02 * took_s


def rose_from_back(table: dict[str, Any], seed: int) -> float:
    return rose(table, seed, math.pi)


def _off(world: Game) -> float:
    return (1 - math.cos(world.truth().tilt_rad)) / 2 + max(0.0, 1 - world.hips_m / body.STAND_M)


if __name__ == "__main__":
    main()
