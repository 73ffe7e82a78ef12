"""The tasks of the soccer humanoid under the Director: transitions, conflicts, falls."""

from __future__ import annotations

import asyncio
import math
import random
from dataclasses import replace
from typing import Any

import pytest
from soccer_mission import mission, until

from sayso.executive.loop import Director
from sayso.robots.humanoid.ball import BallDetector
from sayso.robots.humanoid.soccer import TASKS, soccer_providers
from sayso.robots.humanoid.world.pitch import Soccer
from sayso.scene import Pose
from sayso.task import Done, Outcome, Provider


def ball_ahead(ahead_m: float = 1.0, left_m: float = 0.1) -> dict[str, Any]:
    return {"robot_at": Pose(), "ball_at": (ahead_m, left_m)}


def believed(world: Soccer) -> Any:
    assert isinstance(world.perception, BallDetector)
    return world.perception.ball


def test_each_task_that_may_be_asked_has_a_provider() -> None:
    world = Soccer()
    assert set(TASKS) <= {p.provides for p in soccer_providers(world.robot, world.perception)}


def test_walk_to_ball_ends_where_it_can_be_kicked() -> None:
    ended: list[Outcome] = []

    async def script(world: Soccer, director: Director) -> None:
        def errand(run: Any) -> None:
            if run.child:
                ended.append(run.child[1])
                run.keep()
            else:
                run.emit("WalkToBall")

        director.add(Provider("Errand", errand))
        director.emit("Errand")
        assert await until(lambda: bool(ended), 15.0)
        assert world.robot.stable
        assert believed(world).visible, "it kept its eyes on the ball"

    truth = mission(script, **ball_ahead(1.5, 0.4)).truth()
    assert ended == [Done()]
    assert truth.ball_distance_m == pytest.approx(0.26, abs=0.05)
    assert truth.books.touches == []
    assert truth.books.falls == []


def test_a_ball_never_seen_is_not_walked_to() -> None:
    async def script(world: Soccer, director: Director) -> None:
        director.emit("WalkToBall", priority=1)
        await asyncio.sleep(4.0)

    assert mission(script, robot_at=Pose(), ball_at=(-1.0, 0.0)).measured.limb_travel_rad["legs"] < 0.3


async def walk_and_kick(world: Soccer, director: Director) -> None:
    director.emit("WalkToBall", priority=1)
    director.emit("KickBall", priority=2)
    assert await until(lambda: bool(world.truth().books.kicks), 15.0)
    await asyncio.sleep(4.0)


def watch_kicks(world: Soccer) -> list[bool]:
    """Whether it stood stable at each start of a kick."""
    stood: list[bool] = []
    start = world.robot.start_kick

    def noted(foot: str = "right") -> None:
        stood.append(world.robot.stable)
        start(foot)

    world.robot.start_kick = noted  # type: ignore[method-assign]
    return stood


@pytest.mark.parametrize("seed", [0, 3])
def test_from_walk_to_kick_the_executive_waits_for_a_stable_stance(seed: int) -> None:
    stood: list[bool] = []

    async def script(world: Soccer, director: Director) -> None:
        noted = watch_kicks(world)
        await walk_and_kick(world, director)
        stood.extend(noted)

    truth = mission(script, seed=seed, **ball_ahead(1.0, 0.2 * (seed - 1.5))).truth()
    assert stood == [True]
    assert truth.books.kicks[0].touched
    assert truth.books.kicks[0].ball_mps > 1.0
    assert truth.books.falls == []


def test_without_the_required_state_it_kicks_out_of_the_walk() -> None:
    """The ablation that shows what the transition is worth."""
    stood: list[bool] = []

    async def script(world: Soccer, director: Director) -> None:
        noted = watch_kicks(world)
        await walk_and_kick(world, director)
        stood.extend(noted)

    def hard(providers: list[Provider]) -> list[Provider]:
        return [replace(p, when=()) for p in providers]

    mission(script, change=hard, **ball_ahead(1.0, 0.1))
    assert stood[0] is False


def test_a_kick_far_from_the_ball_waits_and_leaves_the_legs_to_others() -> None:
    async def script(world: Soccer, director: Director) -> None:
        director.emit("KickBall", priority=5)
        director.emit("TurnOnSpot", priority=1)
        await asyncio.sleep(2.0)

    world = mission(script, **ball_ahead(2.0))
    assert world.truth().books.kicks == []
    assert world.measured.turned_rad > 0.5


def test_one_wish_is_one_kick() -> None:
    async def script(world: Soccer, director: Director) -> None:
        world.robot.set_head(0.0, 1.1)
        director.emit("KickBall")
        director.emit("LookAtBall")
        await asyncio.sleep(3.0)
        world.put_ball(world.robot.pose.x_m + 0.25, world.robot.pose.y_m - 0.06)
        await asyncio.sleep(3.0)

    assert len(mission(script, **ball_ahead(0.25, -0.06)).truth().books.kicks) == 1


def test_it_gets_up_and_goes_on_with_what_it_was_asked() -> None:
    times: dict[str, float] = {}

    async def script(world: Soccer, director: Director) -> None:
        director.emit("WalkToBall", priority=10)
        await asyncio.sleep(2.0)
        world.push(22.0, 5.0, 0.3)
        assert await until(lambda: world.robot.fallen, 2.0)
        times["fallen"] = world.time_s
        assert await until(lambda: world.robot.velocity[0] > 0.1 and not world.robot.fallen, 10.0)
        times["walking"] = world.time_s
        assert await until(lambda: world.robot.stable and believed(world).distance_m < 0.35, 25.0)

    truth = mission(script, **ball_ahead(3.0)).truth()
    assert len(truth.books.falls) == 1
    assert 2.0 < times["walking"] - times["fallen"] < 8.0


@pytest.mark.parametrize("way_rad", [0.0, 2.6, 5.2])
def test_pushed_over_in_the_middle_of_a_kick_it_recovers(way_rad: float) -> None:
    async def script(world: Soccer, director: Director) -> None:
        world.robot.set_head(0.0, 1.1)
        director.emit("KickBall", priority=10)
        assert await until(lambda: world.robot.kicking, 3.0)
        world.push(22 * math.cos(way_rad), 22 * math.sin(way_rad), 0.3)
        assert await until(lambda: world.robot.fallen, 2.0)
        assert await until(lambda: world.robot.stable, 10.0)

    mission(script, **ball_ahead(0.26, -0.06))


def test_without_the_safety_sibling_it_stays_down() -> None:
    async def script(world: Soccer, director: Director) -> None:
        director.emit("WalkToBall", priority=10)
        world.push(22.0, 0.0, 0.3)
        await asyncio.sleep(8.0)
        assert world.robot.fallen

    mission(script, recovery=False, **ball_ahead(2.0))


def test_looking_around_moves_only_the_head_and_turning_only_the_rest() -> None:
    async def script(world: Soccer, director: Director) -> None:
        director.emit("LookAround")
        await asyncio.sleep(6.0)
        assert world.measured.head_pan_range_rad[1] - world.measured.head_pan_range_rad[0] > 2.0
        assert world.measured.limb_travel_rad["legs"] < 0.3
        director.take_back("LookAround")
        director.emit("TurnOnSpot")
        await asyncio.sleep(4.0)
        director.take_back("TurnOnSpot")
        assert await until(lambda: world.robot.stable, 2.0), "who is asked for nothing stands still"

    assert mission(script, robot_at=Pose(), ball_at=(-2.0, 0.0)).measured.turned_rad > 1.5


def test_look_at_ball_keeps_it_in_the_middle_of_the_picture() -> None:
    async def script(world: Soccer, director: Director) -> None:
        director.emit("LookAtBall")
        await asyncio.sleep(2.0)
        ball = (await world.perception.look()).find("ball")
        assert ball is not None
        assert ball.box is not None
        assert (ball.box.x, ball.box.y) == pytest.approx((0.5, 0.5), abs=0.08)

    mission(script, **ball_ahead(1.2, 0.6))


def test_waving_ends_when_it_is_taken_back() -> None:
    async def script(world: Soccer, director: Director) -> None:
        director.emit("Wave", priority=2)
        director.emit("StandStill", priority=1)
        await asyncio.sleep(4.0)
        assert len(world.truth().books.waves) >= 2
        director.take_back("Wave")
        await asyncio.sleep(0.2)
        assert not world.robot.waving

    mission(script)


def test_standing_still_beats_a_weaker_walk_and_gives_it_back() -> None:
    async def script(world: Soccer, director: Director) -> None:
        director.emit("TurnOnSpot", priority=1)
        await asyncio.sleep(1.5)
        assert world.robot.walking
        director.emit("StandStill", priority=2)
        assert await until(lambda: world.robot.stable, 2.0)
        await asyncio.sleep(1.0)
        assert world.robot.stable
        director.take_back("StandStill")
        assert await until(lambda: world.robot.walking, 0.5)

    mission(script)


def replay(run: Any, world: Soccer) -> None:
    """What a sensible planner would ask for every two seconds."""
    run.wait(2.0)
    ball = believed(world)
    if ball.unseen_s is not None and ball.unseen_s < 3.0:
        run.emit("WalkToBall", priority=1, optional=True)
        run.emit("KickBall", priority=2, optional=True)
    else:
        run.emit("TurnOnSpot", priority=1, optional=True)
        run.emit("LookAround", priority=1, optional=True)


@pytest.mark.parametrize(("seed", "pushed"), [(0, False), (3, True)])
def test_from_kick_off_to_a_goal(seed: int, pushed: bool) -> None:
    async def script(world: Soccer, director: Director) -> None:
        director.add(Provider("Mission", lambda run: replay(run, world)))
        director.emit("Mission", priority=10)
        if pushed:
            await asyncio.sleep(7.0)
            world.push(0.0, 22.0, 0.3)
        assert await until(lambda: bool(world.truth().books.goals), 90.0)

    world = mission(script, seed=seed)
    truth = world.truth()
    assert [g.into for g in truth.books.goals] == ["opponent"]
    assert len(truth.books.falls) == int(pushed), "a transition never fells it"
    assert world.measured.zone_excess_m == 0.0


@pytest.mark.parametrize(("seed", "push_n"), [(0, 0.0), (20, 70.0)])
def test_whatever_is_asked_it_stays_inside_its_limits_and_ends_at_rest(seed: int, push_n: float) -> None:
    """A hostile planner beside the edge: any tasks, any priorities, and ever again to walk out as fast as it can."""
    chance = random.Random(seed)

    async def script(world: Soccer, director: Director) -> None:
        def wild(run: Any) -> None:
            names = chance.choices([*TASKS, "Jump", "Legs", "Kick", "GetUp"], k=chance.randint(0, 4))
            for name in names:
                data = "right" if name == "Kick" else ()
                run.emit(name, data, priority=chance.randint(-5, 10**6), optional=True)
            yaw = world.robot.pose.yaw_rad
            out = (9 * math.sin(yaw), 9 * math.cos(yaw), chance.uniform(-1, 1))
            run.emit("Walk", out, priority=chance.choice([1, 10**7]), optional=True)
            run.wait(chance.uniform(0.02, 0.6))

        director.add(Provider("Wild", wild))
        director.emit("Wild", priority=10)
        for _ in range(4):
            await asyncio.sleep(3.0)
            world.push(push_n * chance.uniform(-1, 1), push_n * chance.uniform(-1, 1), 0.2)
        director.take_back("Wild")
        await asyncio.sleep(2.0)
        assert await until(lambda: world.robot.stable, 12.0)
        await world.robot.halt()

    world = mission(script, seed=seed, robot_at=Pose(2.0, 2.9, 0.0, 0.8), ball_at=(4.0, 2.7))
    assert world.measured.walked_m > 0.4, "it did try"
    assert world.measured.zone_excess_m == 0.0
    assert world.measured.speed_max_mps <= world.robot.limits.speed_max_mps
    assert world.robot.state().resting
