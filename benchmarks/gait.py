"""How the soccer humanoid does on its own feet: walks, turns, pushes and ways up, over seeds.

    python benchmarks/gait.py --seeds 20

A seed mounts the servos askew, makes the carpet grip more or less, leans the robot at the start and draws the IMU's
noise. Prints one line a figure; the last is processor time.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable

from sayso.robots.humanoid.world.pitch import Soccer
from sayso.scene import Pose, wrap

WAY_M = 4.0
MASS_KG = 5.65
GENTLE_MPS, PUSH_S = 0.1, 0.1
HARD_MPS, HARD_S = (0.3, 0.5, 0.7, 1.0), 0.2
FELLING_N, FELLING_S = 20.0, 0.3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=20)
    seeds = range(parser.parse_args().seeds)
    began_s, simulated_s = time.process_time(), 0.0
    for name, trial in TRIALS.items():
        tried = [trial(seed) for seed in seeds]
        simulated_s += sum(world.time_s for _, world, _ in tried)
        good, told = sum(ok for ok, _, _ in tried), sorted(figure for _, _, figure in tried)
        print(f"{name}: {good} of {len(tried)}; {told[0]:.2f} to {told[-1]:.2f}, median {told[len(told) // 2]:.2f}")
    spent_s = time.process_time() - began_s
    print(f"processor time a simulated 10 ms: {10 * spent_s / simulated_s:.2f} ms")


def place(seed: int, at: Pose = Pose()) -> Soccer:
    world = Soccer(seed, robot_at=at, ball_at=(4.0, -2.8))
    go(world, 0.5)
    return world


def go(world: Soccer, at_most_s: float, over: Callable[[], bool] = lambda: False) -> float:
    """Let time pass; returns how much, when `over` holds or that is all."""
    began_s = world.time_s
    while world.time_s < began_s + at_most_s and not over():
        world.step()
    return world.time_s - began_s


def straight(seed: int) -> tuple[bool, Soccer, float]:
    """Four metres along a line, steered as a skill steers; the figure is m/s."""
    world = place(seed, Pose(-2.0))
    robot = world.robot

    def there() -> bool:
        here = robot.pose
        robot.set_walk(0.3, 0.8 * -here.y_m, 1.0 * wrap(-here.yaw_rad))
        return here.x_m > WAY_M - 2.0 or robot.fallen

    took_s = go(world, 60.0, there)
    return not robot.fallen and WAY_M / took_s >= 0.12, world, WAY_M / took_s


def turn(seed: int) -> tuple[bool, Soccer, float]:
    """All the way round on the spot; the figure is how far it has strayed (m)."""
    world = place(seed)
    robot, turned, before = world.robot, 0.0, 0.0
    robot.set_walk(0.0, 0.0, 0.6)

    def round_once() -> bool:
        nonlocal turned, before
        turned, before = turned + wrap(robot.pose.yaw_rad - before), robot.pose.yaw_rad
        return turned > 2 * math.pi or robot.fallen

    go(world, 30.0, round_once)
    strayed_m = math.hypot(robot.pose.x_m, robot.pose.y_m)
    return turned > 2 * math.pi and strayed_m < 0.3, world, strayed_m


def shoved(mps: float, lasts_s: float, walking: bool) -> Callable[[int], tuple[bool, Soccer, float]]:
    def trial(seed: int) -> tuple[bool, Soccer, float]:
        """Pushed from a side that the seed names; the figure is the largest tilt (rad)."""
        world, worst = place(seed), 0.0
        if walking:
            world.robot.set_walk(0.2, 0.0, 0.0)
            go(world, 2.0 + 0.05 * seed)
        way, force_n = seed * 2.4, MASS_KG * mps / lasts_s
        world.push(force_n * math.cos(way), force_n * math.sin(way), lasts_s)

        def tilting() -> bool:
            nonlocal worst
            worst = max(worst, world.truth().tilt_rad)
            return world.robot.fallen

        go(world, 3.0, tilting)
        return not world.robot.fallen, world, worst

    return trial


def up_again(seed: int) -> tuple[bool, Soccer, float]:
    """Felled, and up as fall recovery does it; the figure is the time from fallen to standing (s)."""
    world, robot = place(seed), None
    robot = world.robot
    way = seed * 2.4
    world.push(FELLING_N * math.cos(way), FELLING_N * math.sin(way), FELLING_S)
    go(world, 3.0, lambda: robot.fallen)
    fell_s = world.time_s
    for _ in range(4):
        go(world, 2.0, lambda: robot.speed_mps < 0.1)
        if robot.fallen:
            robot.start_get_up()
        go(world, 9.0, lambda: not robot.getting_up)
        go(world, 1.0, lambda: robot.stable)
        if robot.stable:
            break
    took_s = world.time_s - fell_s
    return robot.stable and took_s <= 8.0, world, took_s


TRIALS = {
    f"walks {WAY_M:g} m without a fall, m/s": straight,
    "turns round on the spot, m astray": turn,
    f"stands a push of {GENTLE_MPS:g} m/s, rad": shoved(GENTLE_MPS, PUSH_S, False),
    f"walks on after a push of {GENTLE_MPS:g} m/s, rad": shoved(GENTLE_MPS, PUSH_S, True),
    **{f"stands a push of {mps:g} m/s, rad": shoved(mps, HARD_S, False) for mps in HARD_MPS},
    "is up again within 8 s, s": up_again,
}

if __name__ == "__main__":
    main()
