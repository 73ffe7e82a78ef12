"""Missions on the Director: what happens to a skill call when something stronger wants what it holds."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import pytest
from cart import Cart, transcript

from sayso import Range, skill
from sayso.clock import SimClock
from sayso.errors import SkillFailed
from sayso.events import Event, LimitHeld, TaskEnded, TaskResumed, TaskStarted, TaskSuspended
from sayso.executive.calls import PATIENCE_S
from sayso.executive.missions import MISSION, DirectorExecutive
from sayso.limits import Limits, Zone
from sayso.plugins.kits import Capabilities
from sayso.roles import RobotState
from sayso.scene import Pose
from sayso.skill import Skill, SkillSet, skills_of
from sayso.task import Done, Outcome, Preempted, Provider, Refused, Task


class Shuttle(Cart):
    """A cart that can also go to a place, which may be begun again, and whose battery, link and drift tests set."""

    name = "shuttle"
    limits = Limits(zone=Zone(-3, 3, -3, 3), battery_reserve=0.2, speed_max_mps=1.0)

    def __init__(self) -> None:
        super().__init__()
        self.charge, self.connected, self.speed_mps = 1.0, True, 0.0
        self.went_home = self.rested = 0

    def state(self) -> RobotState:
        speed_mps = self.speed_mps or (0.5 if self.gliding else 0.0)
        return RobotState(self.pose, self.charge, speed_mps, not self.gliding, self.connected, "standing")

    async def rest(self) -> None:
        self.rested += 1
        await self.halt()

    @skill(uses="base", again=True)
    async def reach(self, x_cm: Annotated[float, Range(0, 1000)]) -> None:
        """Glide to a place."""
        while self.pose.x_m < x_cm / 100 - 1e-9:
            await asyncio.sleep(0.1)
            self.pose = self.pose.moved(forward_m=0.05)

    @skill(uses="base", again=True)
    async def return_home(self) -> None:
        """Glide back to the start."""
        self.went_home += 1
        await asyncio.sleep(1)
        self.pose = Pose()


Script = Callable[[DirectorExecutive, Shuttle, list[Event]], Awaitable[Any]]


def play(script: Script, providers: tuple[Provider, ...] = (), **options: Any) -> tuple[list[Event], Any]:
    events: list[Event] = []

    async def main() -> Any:
        robot = Shuttle()
        skills = SkillSet(skills_of(robot))
        executive = DirectorExecutive(Capabilities(skills, providers), robot, robot.limits, events.append, **options)
        try:
            return await asyncio.wait_for(script(executive, robot, events), 200)
        finally:
            await executive.close()

    return events, SimClock().run(main())


INTRUDER = Provider("intruder", lambda run: None, needs=("base",))


async def intrude(executive: DirectorExecutive, after_s: float, for_s: float) -> None:
    await asyncio.sleep(after_s)
    executive.director.emit(Task("intruder", priority=50))
    await asyncio.sleep(for_s)
    executive.director.take_back("intruder")


def test_a_call_that_may_be_begun_again_is_suspended_and_resumed() -> None:
    async def script(executive: DirectorExecutive, robot: Shuttle, events: list[Event]) -> Outcome:
        beside = asyncio.ensure_future(intrude(executive, 1.0, 2.0))
        outcome = await executive.do(Task("reach", (200.0,)))
        await beside
        return outcome

    events, outcome = play(script, (INTRUDER,))
    assert outcome == Done()
    kinds = [type(e) for e in events]
    assert kinds == [TaskStarted, TaskSuspended, TaskResumed, TaskEnded]
    assert "intruder" in events[1].by  # type: ignore[attr-defined]


def test_a_call_that_may_not_be_begun_again_ends_as_preempted_at_once() -> None:
    async def script(executive: DirectorExecutive, robot: Shuttle, events: list[Event]) -> Outcome:
        beside = asyncio.ensure_future(intrude(executive, 1.0, 2.0))
        outcome = await executive.do(Task("forward", (200.0,)))
        moved_m = robot.pose.x_m
        await beside
        assert robot.pose.x_m == moved_m, "half a move is not begun again from its middle"
        return outcome

    _, outcome = play(script, (INTRUDER,))
    assert isinstance(outcome, Preempted) and "intruder" in outcome.by


def test_patience_ends_a_suspended_call_so_that_the_planner_hears_of_it() -> None:
    async def script(executive: DirectorExecutive, robot: Shuttle, events: list[Event]) -> tuple[Outcome, float]:
        loop = asyncio.get_running_loop()
        beside = asyncio.ensure_future(intrude(executive, 1.0, 60.0))
        outcome = await executive.do(Task("reach", (200.0,)))
        beside.cancel()
        return outcome, loop.time()

    _, (outcome, at_s) = play(script, (INTRUDER,))
    assert isinstance(outcome, Preempted)
    assert at_s == pytest.approx(1.0 + PATIENCE_S, abs=0.2)


def test_the_tree_and_why_tell_who_waits_for_whom() -> None:
    async def script(executive: DirectorExecutive, robot: Shuttle, events: list[Event]) -> tuple[Any, str]:
        beside = asyncio.ensure_future(intrude(executive, 1.0, 2.0))
        call = asyncio.ensure_future(executive.do(Task("reach", (200.0,))))
        await asyncio.sleep(2.0)
        seen = executive.tree(), executive.director.why("reach")
        await call
        await beside
        return seen

    _, (tree, why) = play(script, (INTRUDER,))
    states = {root["type"]: root for root in tree}
    assert states["intruder"]["holds"] == ["base"]
    assert states[MISSION]["children"][0]["state"] == "waits"
    assert "intruder" in why


def test_stop_holds_everything_until_it_is_released() -> None:
    async def script(executive: DirectorExecutive, robot: Shuttle, events: list[Event]) -> list[Outcome]:
        running = asyncio.ensure_future(executive.do(Task("forward", (200.0,))))
        await asyncio.sleep(1.0)
        executive.stop("key")
        outcomes = [await running, await executive.do(Task("count", ()))]
        await executive.settled()
        assert robot.halts == 1
        executive.release("me")
        return [*outcomes, await executive.do(Task("forward", (10.0,)))]

    events, (during, latched, after) = play(script)
    assert (during, latched, after) == (Preempted("key"), Preempted("key"), Done())
    assert [type(e).__name__ for e in events[:3]] == ["TaskStarted", "StopAsked", "TaskEnded"]


def test_stop_does_not_wait_for_a_skill_that_ignores_cancellation() -> None:
    class Stubborn(Shuttle):
        @skill(uses="base")
        async def dig_in(self) -> None:
            """Refuse to be cancelled for a while."""
            end_s = asyncio.get_running_loop().time() + 30
            while asyncio.get_running_loop().time() < end_s:
                try:
                    await asyncio.sleep(1)
                except asyncio.CancelledError:
                    continue

    async def main() -> float:
        robot = Stubborn()
        executive = DirectorExecutive(Capabilities(SkillSet(skills_of(robot))), robot, robot.limits, lambda event: None)
        call = asyncio.ensure_future(executive.do(Task("dig_in", ())))
        await asyncio.sleep(1.0)
        executive.stop("key")
        await executive.settled()
        halted_s = asyncio.get_running_loop().time()
        assert await call == Preempted("key")
        await executive.close()
        return halted_s

    assert SimClock().run(main()) == pytest.approx(1.1, abs=0.01), "the robot was told in the same moment"


# Guards


def troubled(make_trouble: Callable[[Shuttle], None], seconds: float = 10.0) -> tuple[list[Event], Any]:
    async def script(executive: DirectorExecutive, robot: Shuttle, events: list[Event]) -> tuple[Any, ...]:
        running = asyncio.ensure_future(executive.do(Task("reach", (290.0,))))
        await asyncio.sleep(1.0)
        make_trouble(robot)
        await asyncio.sleep(seconds)
        later = asyncio.ensure_future(executive.do(Task("forward", (10.0,))))
        await asyncio.sleep(0.5)
        result = robot, executive.tree(), later.result() if later.done() else None
        later.cancel()
        running.cancel()
        await asyncio.gather(later, running, return_exceptions=True)
        return result

    return play(script)


def test_a_low_battery_brings_the_robot_home_and_grounds_the_mission() -> None:
    def drain(robot: Shuttle) -> None:
        robot.charge = 0.1

    events, (robot, _, later) = troubled(drain)
    assert (robot.went_home, robot.rested) == (1, 1)
    assert isinstance(later, Refused) and later.limit == "battery reserve"
    assert any(isinstance(e, LimitHeld) and e.skill == "battery" for e in events)


def test_a_lost_link_rests_the_robot_where_it_is() -> None:
    def lose(robot: Shuttle) -> None:
        robot.connected = False

    events, (robot, _, _) = troubled(lose)
    assert (robot.went_home, robot.rested) == (0, 1)
    assert any(isinstance(e, LimitHeld) and e.limit == "link" for e in events)


def test_a_robot_found_outside_its_zone_is_halted() -> None:
    def blow_away(robot: Shuttle) -> None:
        robot.pose, robot.speed_mps = Pose(0, 5), 0.6

    events, (robot, tree, _) = troubled(blow_away)
    assert robot.pose.distance_m(Pose(0, 5)) < 0.1, "it stays where it was found"
    assert any(root["type"] == "geofence" for root in tree)
    assert any(isinstance(e, LimitHeld) and e.limit == "geofence" for e in events)


def test_a_robot_that_is_too_fast_is_halted_and_may_go_on_when_it_is_not() -> None:
    async def script(executive: DirectorExecutive, robot: Shuttle, events: list[Event]) -> Outcome:
        running = asyncio.ensure_future(executive.do(Task("reach", (200.0,))))
        await asyncio.sleep(1.0)
        robot.speed_mps = 3.0
        await asyncio.sleep(1.0)
        robot.speed_mps = 0.0
        return await running

    events, outcome = play(script)
    assert outcome == Done()
    assert any(isinstance(e, LimitHeld) and e.limit == "speed" for e in events)
    assert any(isinstance(e, TaskResumed) for e in events)


def test_a_limit_met_on_the_way_is_a_refusal() -> None:
    from sayso.limits import LimitReached

    class Fenced(Shuttle):
        @skill(uses="base")
        async def wander(self) -> None:
            """Run into the fence half-way."""
            raise LimitReached(Refused("geofence", "x 4 m", "x -3..3 m"))

    async def main() -> Outcome:
        robot = Fenced()
        executive = DirectorExecutive(Capabilities(SkillSet(skills_of(robot))), robot, robot.limits, lambda event: None)
        outcome = await executive.do(Task("wander", ()))
        await executive.close()
        return outcome

    assert SimClock().run(main()) == Refused("geofence", "x 4 m", "x -3..3 m")


# What is pursued


def test_pursued_tasks_compete_by_priority_and_go_on_undisturbed_when_wanted_again() -> None:
    begun: list[str] = []

    def body(name: str) -> Callable[[Any], Awaitable[None]]:
        async def run(run: Any) -> None:
            begun.append(name)
            await asyncio.sleep(100)

        return run

    providers = tuple(Provider(n, body(n), needs=("legs",)) for n in ("Walk", "Kick"))

    async def script(executive: DirectorExecutive, robot: Shuttle, events: list[Event]) -> None:
        executive.pursue([Task("Walk", priority=1), Task("Walk", priority=3)])
        await asyncio.sleep(1)
        executive.pursue([Task("Walk", priority=3), Task("Kick", priority=1), Task("Jump", priority=9)])
        await asyncio.sleep(1)
        assert begun == ["Walk"]
        executive.pursue([Task("Walk", priority=3), Task("Kick", priority=5)])
        await asyncio.sleep(1)
        assert begun == ["Walk", "Kick"]
        executive.pursue([])
        await asyncio.sleep(1)
        assert [root["children"] for root in executive.tree() if root["type"] == MISSION] == [[]]

    events, _ = play(script, providers)
    assert [e.skill for e in events if isinstance(e, TaskStarted)] == ["Walk", "Kick", "Jump", "Kick"]


def test_what_a_provider_makes_happen_waits_for_its_record() -> None:
    """S16: whether a plan calls it or a planner pursues it."""
    begun: list[float] = []

    async def recorded() -> None:
        await asyncio.sleep(1)

    async def script(executive: DirectorExecutive, robot: Shuttle, events: list[Event]) -> float:
        executive.skills = SkillSet((*skills_of(robot), Skill("Walk", provided=True, lasting=True)))
        began_s = asyncio.get_running_loop().time()
        called = asyncio.ensure_future(executive.do(Task("Walk")))
        await asyncio.sleep(2)
        called.cancel()
        executive.pursue([Task("Walk")])
        await asyncio.sleep(2)
        return began_s

    walk = Provider("Walk", lambda run: begun.append(asyncio.get_running_loop().time()))
    _, began_s = play(script, (walk,), recorded=recorded)
    assert [at_s - began_s for at_s in begun] == pytest.approx([1, 3])


def test_a_failed_skill_and_a_bug_are_told_apart() -> None:
    class Clumsy(Shuttle):
        @skill()
        async def drop(self) -> None:
            """Fail."""
            raise SkillFailed("it slipped")

    async def main() -> None:
        robot = Clumsy()
        executive = DirectorExecutive(Capabilities(SkillSet(skills_of(robot))), robot, robot.limits, lambda event: None)
        assert str(await executive.do(Task("drop", ()))) == "failed: it slipped"
        with pytest.raises(ZeroDivisionError):
            await executive.do(Task("slip", ()))
        await executive.close()

    SimClock().run(main())


def test_the_same_sentence_gives_the_same_transcript() -> None:
    from cart import mission

    runs = [transcript(mission(["turn(90);2{forward(20)}"], slow=True)[0]) for _ in range(2)]
    assert runs[0] == runs[1]
