"""The pure parts under the soccer world: leg angles, footsteps, paths; and that nothing outside holds the robot."""

from __future__ import annotations

import asyncio
import math
from itertools import pairwise
from typing import Any

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from soccer_game import play, until

from measured_soccer import MeasuredSoccer
from sayso.robots.humanoid.ball import Vector
from sayso.robots.humanoid.world.body import GAIT, JOINTS, PREFIX, STAND_M, TABLE
from sayso.robots.humanoid.world.gait import Walk, along
from sayso.robots.humanoid.world.legs import HIP_M, SHANK_M, THIGH_M, Leg, leg
from sayso.robots.humanoid.world.motion import leaning

TICK_S = 1 / 90
UPRIGHT = leaning(GAIT.pitch)


def turned(angle: float, axis: Vector, v: Vector) -> Vector:
    turn, found = np.zeros(4), np.zeros(3)
    mujoco.mju_axisAngle2Quat(turn, np.array(axis, dtype=float), angle)
    mujoco.mju_rotVecQuat(found, np.array(v, dtype=float), turn)
    return tuple(found.tolist())


def ankle_of(angles: Leg) -> Vector:
    """Where those angles put the ankle, from the hip (m)."""
    yaw, roll, hip, knee, *_ = angles
    sx, sy, sz = turned(knee, (0, 1, 0), (0, 0, -SHANK_M))
    v = turned(hip, (0, 1, 0), (sx, sy, sz - THIGH_M))
    return turned(yaw, (0, 0, 1), turned(roll, (1, 0, 0), v))


def sole_of(angles: Leg, v: Vector) -> Vector:
    """A direction of the sole, in the trunk's frame."""
    yaw, roll, hip, knee, ankle, ankle_roll = angles
    v = turned(hip + knee + ankle, (0, 1, 0), turned(ankle_roll, (1, 0, 0), v))
    return turned(yaw, (0, 0, 1), turned(roll, (1, 0, 0), v))


@given(st.floats(-0.15, 0.15), st.floats(-0.1, 0.1), st.floats(0.22, 0.34), st.floats(-0.5, 0.5))
def test_a_leg_reaches_where_it_is_sent_with_the_sole_level(x: float, y: float, down: float, yaw: float) -> None:
    angles = leg(x, y, -down, yaw)
    assert ankle_of(angles) == pytest.approx((x, y, -down), abs=1e-6)
    assert sole_of(angles, (0, 0, 1)) == pytest.approx((0, 0, 1), abs=1e-6)
    assert sole_of(angles, (1, 0, 0)) == pytest.approx((math.cos(yaw), math.sin(yaw), 0), abs=1e-6)
    assert angles[3] >= 0, "knees bend one way only"


def test_a_leg_sent_too_far_points_there() -> None:
    x, _, z = ankle_of(leg(1.0, 0.0, -1.0))
    assert x == pytest.approx(-z, abs=1e-3)


def walked(wish: Vector, seconds: float, stop: bool = False) -> tuple[Walk, list[tuple[Leg, Leg]]]:
    walk, rows = Walk(GAIT), []
    for _ in range(round(seconds / TICK_S)):
        rows.append(walk.tick(wish, UPRIGHT, TICK_S))
    for _ in range(round(3 / TICK_S) if stop else 0):
        rows.append(walk.tick((0.0, 0.0, 0.0), UPRIGHT, TICK_S))
    return walk, rows


def test_without_a_wish_it_takes_no_step() -> None:
    walk, rows = walked((0.0, 0.0, 0.0), 1.0)
    assert not walk.going
    assert rows[0] == rows[-1]


@pytest.mark.parametrize(
    "wish", [(0.3, 0.0, 0.0), (-0.15, 0.0, 0.0), (0.0, 0.15, 0.0), (0.0, 0.0, 0.8), (0.2, -0.1, 0.5)]
)
def test_a_walk_ends_with_both_feet_side_by_side_and_no_joint_jumps(wish: Vector) -> None:
    walk, rows = walked(wish, 3.0, stop=True)
    assert not walk.going
    left, right = (ankle_of(legs) for legs in rows[-1])
    assert left[0] == pytest.approx(right[0], abs=0.02)
    assert left[1] + 2 * HIP_M - right[1] > 1.6 * GAIT.half_m, "never one foot on the other"
    most = max(abs(a - b) for was, now in pairwise(rows)
               for one, other in zip(was, now, strict=True) for a, b in zip(one, other, strict=True))  # fmt: skip
    assert most < 8.0 * TICK_S


def test_who_leans_forward_steps_further_and_pushes_with_the_toes() -> None:
    forward = leaning(GAIT.pitch + 0.1)
    walk, still = Walk(GAIT), Walk(GAIT)
    assert walk.tick((0, 0, 0), forward, TICK_S)[0][4] > still.tick((0, 0, 0), UPRIGHT, TICK_S)[0][4]
    far, usual = (Walk(GAIT) for _ in range(2))
    for _ in range(round(1.9 * GAIT.step_s / TICK_S)):
        caught, level = far.tick((0.1, 0, 0), forward, TICK_S), usual.tick((0.1, 0, 0), UPRIGHT, TICK_S)
    reach = [abs(ankle_of(left)[0] - ankle_of(right)[0]) for left, right in (caught, level)]
    assert reach[0] > reach[1] + 0.01


def test_a_path_goes_through_its_points_and_holds_its_ends() -> None:
    path = [(0.0, 1.0), (1.0, 3.0), (1.0, 5.0), (2.0, 5.0)]
    assert [along(path, t) for t in (-1.0, 0.0, 0.5, 2.0, 9.0)] == [(1.0,), (1.0,), (2.0,), (5.0,), (5.0,)]


def test_a_kick_takes_the_foot_back_and_then_to_the_front() -> None:
    walk = Walk(GAIT)
    reach = {t: ankle_of(walk.kick(-1, t, UPRIGHT)[1])[0] for t, *_ in GAIT.kick}
    assert min(reach.values()) < -0.05 < 0.15 < max(reach.values())
    assert reach[0.0] == pytest.approx(reach[GAIT.kick[-1][0]], abs=0.01)


def test_every_pose_on_the_way_up_is_one_the_joints_can_take() -> None:
    world = MeasuredSoccer(seed=1)
    joints = ("shoulder_pitch", "shoulder_roll", "elbow", "hip", "knee", "ankle", "hip_roll")
    for _, *row in (*TABLE["front"], *TABLE["back"], *TABLE["side"]):
        for name, angle in zip(joints, row, strict=True):
            low, high = world.model.joint(f"{PREFIX}left_{name}").range
            assert low <= angle <= high, name


class Watched(MeasuredSoccer):
    """Looks at every step for what holds or moves the robot from outside. A push of the world may, while it lasts:
    on the torso, and nothing else."""

    def __init__(self, **setup: Any) -> None:
        self.steps = self.pushed = 0
        super().__init__(**setup)

    def _apply_push(self) -> None:
        super()._apply_push()
        forces = self.data.xfrc_applied.copy()
        if self.time_s < self._push[2]:
            self.pushed += 1
            forces[int(self.model.body(PREFIX + "torso").id)] = 0.0
        assert not forces.any()
        assert not self.data.qfrc_applied.any()
        self.steps += 1


async def a_whole_game(world: MeasuredSoccer) -> None:
    world.robot.set_walk(0.3, 0.0, 0.3)
    await asyncio.sleep(2.0)
    world.push(0.0, 20.0, 0.3)
    assert await until(lambda: world.robot.fallen, 3.0)
    await asyncio.sleep(1.0)
    world.robot.start_get_up()
    assert await until(lambda: world.robot.stable, 8.0)
    world.robot.start_kick("left")
    await asyncio.sleep(2.0)


def test_nothing_outside_holds_or_moves_it_but_a_push_of_the_world() -> None:
    world = play(a_whole_game, kind=Watched)
    assert isinstance(world, Watched)
    assert world.pushed == pytest.approx(0.3 * 360, abs=2)
    assert world.steps > 5 * 360
    model = world.model
    assert model.neq == model.nmocap == model.ntendon == 0
    assert not model.body_gravcomp.any() and model.opt.gravity[2] == pytest.approx(-9.81)


def test_its_servos_are_those_of_the_data_sheets_and_it_is_a_kid_size_robot() -> None:
    model = MeasuredSoccer(seed=1).model
    for name in JOINTS:
        stall_nm, free_radps = (10.0, 5.76) if "hip" in name or "knee" in name or "ankle" in name else (7.3, 8.17)
        stall_nm, free_radps = (3.1, 7.02) if "head" in name else (stall_nm, free_radps)
        servo, joint = model.actuator(PREFIX + name), model.joint(PREFIX + name)
        assert tuple(servo.forcerange) == (-stall_nm, stall_nm)
        assert joint.damping[0] == pytest.approx(stall_nm / free_radps, rel=0.01)
        assert 0.005 <= joint.armature[0] <= 0.05
    assert 3.0 < model.body_subtreemass[model.body(PREFIX + "torso").id] < 8.0
    length_m, width_m, _ = 2 * model.geom(PREFIX + "left_foot").size
    assert length_m * width_m < (2.2 * STAND_M) ** 2 / 32, "RoboCup's rule for soles"
