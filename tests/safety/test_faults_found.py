"""What strangers found, one test a row; each quotes the rule of docs/safety.md that it holds."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import inspect
import sqlite3
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any
from unittest.mock import patch

import pytest
from trolley import BRAKE_MPS2, FENCE_M, SPEED_MPS, Trolley, ended, say

from sayso import Range, skill
from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import JournalError, RobotError, UsageError
from sayso.events import (
    Event,
    LimitHeld,
    MissionEnded,
    Moved,
    PlanEnded,
    Released,
    StopAsked,
    Stopped,
    TaskEnded,
    TaskResumed,
    TaskStarted,
    Warned,
)
from sayso.executive import reading
from sayso.executive.guards import WATCH_S
from sayso.executive.halting import bounded
from sayso.limits import FREE
from sayso.memory.journal import Journal
from sayso.memory.record import Record
from sayso.memory.wording import story
from sayso.models.scripted import Scripted
from sayso.planners.stream import Stream
from sayso.planners.texts import TextPlanner
from sayso.prompts import plan_prompt
from sayso.roles import Brief, End, Robot, RobotState, Session
from sayso.scene import Pose
from sayso.task import Refused, Task
from sayso.worlds import make


def mending(replans: int) -> partial[Stream]:
    """A planner whose plans are mended so often."""
    return partial(Stream, render=plan_prompt, replans=replans)


def once(call: int, error: Exception) -> Any:
    return lambda number: error if number == call else None


def from_call(call: int, error: Exception) -> Any:
    return lambda number: error if number >= call else None


def stop_after(seconds: float, by: str = "key") -> Any:
    async def stop(agent: Agent) -> None:
        await asyncio.sleep(seconds)
        agent.stop(by)

    return stop


# The journal


def test_a_stop_halts_while_the_journal_is_locked(tmp_path: Path) -> None:
    """S1, S16: halt first; no new motion without a record, and the mission ends saying so."""
    robot = Trolley()

    async def lock_then_stop(agent: Agent) -> None:
        await asyncio.sleep(1.0)
        other.execute("BEGIN EXCLUSIVE")
        agent.stop("key")
        await agent.executive.settled()
        assert robot.speed_mps == 0 and robot.calls["halt"] >= 1

    with Journal(tmp_path / "journal.sqlite") as journal:
        other = sqlite3.connect(journal.file, isolation_level=None)
        events = say(["drive(2);drive(2)"], robot, meanwhile=lock_then_stop, memory=journal)[0]
        other.execute("ROLLBACK")
        other.close()
    assert ended(events).outcome in ("stopped", "error")
    assert any(isinstance(e, Stopped) and e.confirmed for e in events)
    assert sum(isinstance(e, TaskStarted) for e in events) == 1


def test_nothing_moves_when_the_journal_is_full(tmp_path: Path) -> None:
    """S16: a mission whose record cannot be written ends saying so, before anything moves; the next one works."""

    class Full(Journal):
        full = True

        def _connect(self) -> sqlite3.Connection:
            db = super()._connect()
            if self.full:
                db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0]}")
            return db

    robot = Trolley()
    with Full(tmp_path / "journal.sqlite") as journal:
        big = "drive(1)" + " " * 60_000
        first = say([big], robot, memory=journal)[0]
        journal.full = False
        second = say(["drive(1)"], Trolley(), memory=journal)[0]
    assert ended(first).outcome == "error" and "journal" in ended(first).reason
    assert robot.furthest_m == 0 and ended(second).outcome == "achieved"


FAILING = {
    "full": sqlite3.OperationalError("database or disk is full"),
    "unwritable": sqlite3.OperationalError("attempt to write a readonly database"),
    "gone": OSError(5, "Input/output error"),
}


@pytest.mark.parametrize("how", FAILING)
def test_a_stop_halts_while_the_journal_fails_and_so_does_the_next(how: str, tmp_path: Path) -> None:
    """S1, S2, S16: the disk fails amid a motion; every stop halts, the mission ends, and its stop stays latched."""
    failing: list[Exception] = []

    class Disk(sqlite3.Connection):
        def execute(self, *given: Any) -> sqlite3.Cursor:
            if failing:
                raise failing[0]
            return super().execute(*given)

    class Kept(Journal):
        def _connect(self) -> sqlite3.Connection:
            super()._connect().close()
            return sqlite3.connect(self.file, isolation_level=None, factory=Disk)

    robot = Trolley(halt=once(1, OSError("and the first halt is lost")))

    async def fail_then_stop(agent: Agent) -> None:
        await asyncio.sleep(1.0)
        failing.append(FAILING[how])
        for tries, by in enumerate(("key", "button"), 1):
            agent.stop(by)
            await asyncio.sleep(0.01)
            assert robot.calls["halt"] == tries
        await asyncio.sleep(1.0)
        assert robot.speed_mps == 0 and agent.executive.stopped_by == "key"

    with Kept(tmp_path / "journal.sqlite") as journal:
        events = say(["drive(9)"], robot, meanwhile=fail_then_stop, memory=journal)[0]
    assert ended(events).outcome in ("stopped", "error") and ended(events).at_s < 3


def test_what_happens_between_missions_is_kept_with_the_one_before(tmp_path: Path) -> None:
    """S16: and the mission's own record and replay end where it ended."""

    async def live(journal: Journal) -> str:
        async with Agent(Trolley(), model=Scripted(["drive(1)"]), memory=journal) as agent:
            assert [e async for e in agent.say("go")]
            agent.stop("key")
            await agent.executive.settled()
            agent.release("a person")
            return journal.resolve()

    with Journal(tmp_path / "journal.sqlite") as journal:
        mission = SimClock().run(live(journal))
        kept = journal.events(mission)
        assert [type(e) for e in kept[-4:]] == [MissionEnded, StopAsked, Stopped, Released]
        assert journal.mission(mission).outcome == "achieved"
    assert isinstance(Record(kept).events[-1], MissionEnded)
    assert [line.text for line in story(kept)][-1] == "released by a person"


def test_a_memory_that_raises_ends_the_mission_and_not_the_agent() -> None:
    """S13, S16."""

    class Broken:
        def begin(self, mission: str) -> Any:
            raise JournalError("the disk is gone")

    robot = Trolley()
    events = say(["drive(1)"], robot, memory=Broken())[0]
    assert ended(events).outcome == "error" and "the disk is gone" in ended(events).reason
    assert robot.furthest_m == 0


def test_the_word_land_is_obeyed_without_a_record() -> None:
    """S16: to come to rest waits for nothing; only the mission says that it could not be kept."""

    class Filling:
        full = False

        def begin(self, mission: str) -> Any:
            return self

        def record(self, event: Event) -> None: ...

        async def kept(self) -> None:
            if self.full:
                raise JournalError("database or disk is full")

    disk, robot = Filling(), Trolley()

    async def land(agent: Agent) -> None:
        assert not robot.resting
        disk.full = True
        obeyed.extend([e async for e in agent.say("land")])

    obeyed: list[Event] = []
    assert ended(say(["drive(1)"], robot, memory=disk, after=land)[0]).outcome == "achieved"
    assert robot.resting and robot.calls["rest"] == 1
    assert ended(obeyed).outcome == "error" and "disk is full" in ended(obeyed).reason


# The fence


def test_a_fence_holds_for_an_adapter_that_checks_nothing() -> None:
    """S10: refused with limit and value, not begun again into the same breach, within one reaction of the fence."""
    robot = Trolley()
    events = say(["roll(1)"], robot, planner=mending(0))[0]
    reaction_s = WATCH_S + SPEED_MPS / BRAKE_MPS2
    assert robot.furthest_m <= FENCE_M + SPEED_MPS * reaction_s
    assert ended(events).outcome == "not_achieved"
    assert not any(isinstance(e, TaskResumed) for e in events)
    assert any(isinstance(e, LimitHeld) and e.limit == "geofence" for e in events)


def test_whoever_stands_outside_and_sets_out_further_stays_there_until_a_person_releases_it() -> None:
    """S10: no adapter and no plan creeps out step by step."""
    robot = Trolley()

    async def released(agent: Agent) -> None:
        agent.release("a person")
        assert agent.executive.grounded is None

    stories = say(["roll(1)"] * 100, robot, planner=mending(9), wishes=9, after=released)
    assert all("geofence" in ended(events).reason for events in stories)
    assert robot.furthest_m <= FENCE_M + SPEED_MPS * (WATCH_S + SPEED_MPS / BRAKE_MPS2)


class NoFurther:
    """A bound double: not beyond so far along x."""

    def __init__(self, x_m: float) -> None:
        self.x_m = x_m

    def beyond_m(self, pose: Pose) -> float:
        return max(0.0, pose.x_m - self.x_m)

    def refusal(self, pose: Pose) -> Refused | None:
        return Refused("bound", f"x {pose.x_m:.2f} m", f"at most {self.x_m:g} m") if pose.x_m > self.x_m else None


class Bounding(TextPlanner):
    """Asks for bounds by the number of the mission, then rolls."""

    name = "bounding"

    def __init__(self, *bounds: Sequence[NoFurther]) -> None:
        self.bounds = list(bounds)

    async def act(self, session: Session) -> End:
        session.tighten(replace(FREE, bounds=tuple(self.bounds.pop(0))))
        return await super().act(session)

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        yield "roll(1)"


def test_what_a_wish_bounds_holds_like_the_fence_and_only_for_its_mission() -> None:
    """S10: for an adapter that checks nothing; with or without it the limits stay as they are."""
    robot, reaction_m = Trolley(), SPEED_MPS * (WATCH_S + SPEED_MPS / BRAKE_MPS2)
    planner = Bounding([NoFurther(1.0)], [], [NoFurther(FENCE_M + 9)])
    bounded, free, wide = say([], robot, planner=lambda model: planner, wishes=3)
    assert "bound" in ended(bounded).reason
    assert any(isinstance(e, LimitHeld) and e.limit == "bound" and e.bound == "at most 1 m" for e in bounded)
    xs = [max(e.x_m for e in events if isinstance(e, Moved)) for events in (bounded, free, wide)]
    assert xs[0] <= 1.0 + reaction_m < 2.0 < xs[1]
    assert "geofence" in ended(free).reason and "geofence" in ended(wide).reason
    assert robot.furthest_m <= FENCE_M + reaction_m


def test_a_way_back_inside_stays_open() -> None:
    """S10."""
    robot = Trolley()
    robot.x_m = FENCE_M + 0.5
    events = say(["roll(-1)"], robot, planner=mending(0))[0]
    assert ended(events).outcome == "not_achieved", "it rolls on to the other side"
    assert robot.x_m < 0


# state()


@pytest.mark.parametrize(
    "error", [OSError("no route"), RobotError("link"), ValueError("?")], ids=lambda e: type(e).__name__
)
def test_guards_outlive_a_state_that_raises(error: Exception) -> None:
    """S9: told once, and the fence still holds."""
    rolls = list[int]()

    def fails(call: int) -> Exception | None:
        """At the start, and once more amid the first roll."""
        rolls.extend([call] * (robot.x_m > 1.0))
        return error if call in (*range(5, 12), *rolls[:3]) else None

    robot = Trolley(state=fails)
    stories = say(["roll(1)"] * 15, robot, wishes=4, planner=mending(2))
    assert FENCE_M - 0.5 < robot.furthest_m <= FENCE_M + SPEED_MPS * (WATCH_S + SPEED_MPS / BRAKE_MPS2)
    told = [e.text for events in stories for e in events if isinstance(e, Warned) and "state" in e.text]
    assert len(told) == 4 and all(
        ("cannot" in a) and ("again" in b) for a, b in zip(told[::2], told[1::2], strict=True)
    )
    assert {ended(events).outcome for events in stories} <= {"not_achieved", "stopped"}


@pytest.mark.parametrize("error", [OSError("no route"), RobotError("link")], ids=lambda e: type(e).__name__)
def test_the_watchdog_outlives_a_state_that_raises(error: Exception) -> None:
    """S9: it looks beside the telemetry, which reads the state too."""
    robot = Trolley(state=lambda n: error if 3 <= n < 30 else None)
    events = say(["roll(0.1)"], robot, watchdog_s=4.0)[0]
    assert ended(events).outcome == "stopped" and ended(events).reason == "stopped by watchdog"
    assert any(isinstance(e, Warned) and "cannot be read" in e.text for e in events)


def test_a_state_that_is_rubbish_counts_as_a_lost_link() -> None:
    """S9."""

    class Garbled(Trolley):
        def state(self) -> Any:
            real = super().state()
            return None if 20 <= self.calls["state"] < 30 else real

    events = say(["drive(5)"], Garbled(), planner=mending(0))[0]
    assert any(isinstance(e, LimitHeld) and e.limit == "link" for e in events)
    ended(events)


def test_a_short_loss_of_the_link_does_not_ground_the_robot() -> None:
    """S11: a grounding ends when its cause ends, and the person is told how long it was."""
    robot = Trolley()

    async def flicker(agent: Agent) -> None:
        await asyncio.sleep(1.0)
        robot.connected = False
        await asyncio.sleep(0.1)
        robot.connected = True

    async def later(agent: Agent) -> None:
        await asyncio.sleep(3.0)
        assert agent.executive.grounded is None
        after.extend([e async for e in agent.say("again")])

    after: list[Event] = []
    plans = ["drive(2)", "drive(0.5)", "drive(1)"]
    first, second = say(plans, robot, planner=mending(0), wishes=2, meanwhile=flicker, after=later)
    assert "no word from the robot" in ended(first).reason
    assert any(isinstance(e, Warned) and "lost for 0.1 s" in e.text for e in second)
    assert ended(after).outcome == "achieved"


def test_a_long_loss_of_the_link_grounds_the_robot_until_it_is_steady_or_a_person_releases_it() -> None:
    """S11."""
    robot = Trolley()

    async def lose(agent: Agent) -> None:
        await asyncio.sleep(1.0)
        robot.connected = False
        await asyncio.sleep(5.0)
        robot.connected = True
        await asyncio.sleep(0.5)
        assert agent.executive.grounded
        await asyncio.sleep(5.0)
        assert agent.executive.grounded is None

    say(["drive(2)"], robot, planner=mending(0), meanwhile=lose)


# halt()


@pytest.mark.parametrize(
    "error", [RobotError("deaf"), OSError("gone"), TypeError("bug")], ids=lambda e: type(e).__name__
)
def test_a_halt_that_raises_is_tried_again_until_the_robot_rests(error: Exception) -> None:
    """S3, S4, S13."""
    robot = Trolley(halt=lambda n: error if n <= 3 else None)

    async def until_it_rests(agent: Agent) -> None:
        while robot.speed_mps:
            await asyncio.sleep(0.1)

    events = say(["roll(1)"], robot, meanwhile=stop_after(0.5), after=until_it_rests)[0]
    assert ended(events).outcome == "stopped"
    assert next(e.confirmed for e in events if isinstance(e, Stopped)) is False
    assert robot.calls["halt"] >= 4 and robot.speed_mps == 0


def test_a_halt_that_hangs_does_not_hang_the_mission() -> None:
    """S3, S13."""
    robot = Trolley()
    robot.hangs.add("halt")
    events = say(["roll(0.1)"], robot, meanwhile=stop_after(0.5))[0]
    assert ended(events).outcome == "stopped"
    assert not any(isinstance(e, Stopped) and e.confirmed for e in events)


def test_rest_is_what_the_robot_reports() -> None:
    """S4: a halt() that returns while the robot rolls on is not confirmed."""

    class Liar(Trolley):
        async def halt(self) -> None:
            self._called("halt")

    robot = Liar()
    events = say(["roll(0.5)"], robot, meanwhile=stop_after(0.5))[0]
    assert not any(isinstance(e, Stopped) and e.confirmed for e in events)
    assert ended(events).outcome == "stopped"


def test_the_last_resort_is_used_where_the_adapter_offers_it() -> None:
    """S3: `cut` is off unless it was set."""
    robot = Trolley(halt=from_call(1, OSError("gone")))

    async def cut() -> None:
        robot.speed_mps = robot.wanted_mps = 0.0

    robot.cut = cut

    async def settle(agent: Agent) -> None:
        await asyncio.sleep(60)

    say(["roll(0.1)"], robot, meanwhile=stop_after(0.5), after=settle)
    assert robot.speed_mps == 0


# Stops and their owners


def test_a_persons_stop_survives_the_time_limits_own_halt() -> None:
    """S2: sources are a set; the kernel lifts only what it set itself."""

    class Short(Trolley):
        limits = Trolley.limits.__class__(zone=Trolley.limits.zone, mission_max_s=2.0)

    robot = Short()
    first, second = say(["roll(1)"] * 3, robot, wishes=2, meanwhile=stop_after(2.1))
    assert ended(first).outcome == "not_achieved"
    assert ended(second).outcome == "stopped" and "key" in ended(second).reason
    assert not any(isinstance(e, TaskStarted) for e in second)
    assert not any(isinstance(e, Released) and e.by == "key" for e in [*first, *second])


def test_what_was_pursued_ends_with_its_mission_even_in_an_error() -> None:
    """S15."""

    class Chaser:
        name, steers = "chaser", True

        async def act(self, session: Session) -> End:
            session.pursue([Task("roll", (0.5,))])
            await asyncio.sleep(1.0)
            raise RobotError("the camera is gone")

    robot = Trolley()
    events = say(["_"], robot, planner=Chaser())[0]
    assert ended(events).outcome == "error" and robot.speed_mps == 0 and robot.x_m > 0.4


# One wish, one ending


def test_leaving_by_break_ends_the_mission_and_latches_nothing() -> None:
    """S7: the next wish works, and a robot that cannot stay where it is comes to its resting state."""
    robot = Trolley()

    async def run() -> list[Event]:
        agent = Agent(robot, model=Scripted(["roll(0.1)", "drive(1)"]))
        async for event in agent.say("go"):
            if isinstance(event, TaskStarted):
                break
        return [e async for e in agent.say("again")]

    events = SimClock().run(run())
    assert ended(events).outcome == "achieved" and robot.calls["rest"] >= 1


def test_a_plain_function_may_approve() -> None:
    """S13."""
    assert ended(say(["drive(1)"], Trolley(), approve=lambda plan: True)[0]).outcome == "achieved"
    refused = ended(say(["drive(1)"], Trolley(), approve=lambda plan: 1 / 0)[0])
    assert refused.outcome == "refused" and "ZeroDivisionError" in refused.reason


def test_tasks_that_nobody_can_approve_are_not_pursued() -> None:
    """S13: who wants to approve what a robot does is not passed over by a planner that writes no plan."""

    class Chaser:
        name, steers = "chaser", True

        async def act(self, session: Session) -> End:
            session.pursue([Task("roll", (0.5,))])
            await asyncio.sleep(1.0)
            return End()

    robot = Trolley()
    events = say(["_"], robot, planner=Chaser(), approve=lambda plan: True)[0]
    assert ended(events).outcome == "refused" and "no plan to approve" in ended(events).reason
    assert robot.speed_mps == 0 and not any(isinstance(e, TaskStarted) for e in events)


def test_two_wishes_at_once_are_one_mission_and_one_refusal() -> None:
    """S13."""

    async def run() -> tuple[list[Any], int]:
        agent = Agent(Trolley(), model=Scripted(["drive(1)"] * 2))

        async def wish() -> list[Event]:
            return [e async for e in agent.say("go")]

        both = await asyncio.gather(wish(), wish(), return_exceptions=True)
        return list(both), 0

    both, _ = SimClock().run(run())
    stories = [b for b in both if isinstance(b, list)]
    assert len(stories) == 1 and ended(stories[0]).outcome == "achieved"
    assert isinstance(next(b for b in both if not isinstance(b, list)), UsageError)


def test_a_robot_that_cannot_be_reached_ends_the_mission() -> None:
    """S13: and the next wish works once it can."""
    robot = Trolley(open=once(1, OSError("no route to host")))
    first, second = say(["drive(1)"] * 2, robot, wishes=2)
    assert ended(first).outcome == "error" and ended(first).reason == "the robot: no route to host"
    assert ended(second).outcome == "achieved"


def test_one_robot_has_one_agent() -> None:
    """S14."""

    async def run() -> None:
        robot = Trolley()
        async with Agent(robot, model=Scripted([])):
            other = Agent(robot, model=Scripted([]))
            with pytest.raises(UsageError, match="an agent already"):
                await other.open()

    SimClock().run(run())


def test_a_battery_that_is_low_while_a_mission_ends_lands_the_robot_once() -> None:
    """S12: whoever brings it to rest first does it, others wait; close() always reaches the adapter's."""

    class Lands(Trolley):
        landing = False

        async def rest(self) -> None:
            self._called("rest")
            if self.landing:
                raise RobotError("another motion took over")
            self.landing = True
            await asyncio.sleep(3.0)
            self.landing, self.resting = False, True

    robot = Lands()

    async def run() -> None:
        async with Agent(robot, model=Scripted(["drive(2)"])) as agent:
            async for event in agent.say("go"):
                if isinstance(event, TaskStarted):
                    asyncio.get_running_loop().call_later(1.9, setattr, robot, "charge", 0.1)
        assert robot.resting and robot.speed_mps == 0

    SimClock().run(run())
    assert robot.calls["rest"] == robot.calls["close"] == 1


def test_close_reaches_the_adapter_and_a_failed_rest_is_told() -> None:
    """S12."""
    robot = Trolley(rest=from_call(1, RobotError("it does not land")))

    async def run() -> None:
        with pytest.raises(RobotError, match="it does not land"):
            async with Agent(robot, model=Scripted(["drive(1)"])) as agent:
                async for _ in agent.say("go"):
                    pass

    SimClock().run(run())
    assert robot.calls["close"] == 1


def test_a_world_that_breaks_ends_the_mission() -> None:
    """S13."""

    class Place:
        name = "place"

        def __init__(self) -> None:
            self.robot = Trolley()
            self.perception = None

        async def run(self) -> None:
            await asyncio.sleep(0.5)
            raise RuntimeError("the physics exploded")

    async def run() -> list[Event]:
        agent = Agent(world=Place(), model=Scripted(["roll(0.1)"]))  # type: ignore[arg-type]
        return [e async for e in agent.say("go")]

    events = SimClock().run(run())
    assert ended(events).outcome == "error" and "the physics exploded" in ended(events).reason


def test_a_planner_that_swallows_its_cancellation_is_left_behind() -> None:
    """S13."""

    class Deaf(TextPlanner):
        name = "deaf"

        async def plan(self, brief: Any) -> AsyncIterator[str]:
            for _ in range(2):
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.sleep(600)
            yield "drive(1)"

    async def run() -> tuple[list[Event], float]:
        agent = Agent(Trolley(), planner=Deaf())
        asyncio.get_running_loop().call_later(1.0, agent.stop, "key")
        return [e async for e in agent.say("go")], asyncio.get_running_loop().time()

    events, at_s = SimClock().run(run())
    assert ended(events).outcome == "stopped" and at_s < 10
    assert not any(isinstance(e, TaskStarted) for e in events)


# A plan that computes


def test_a_plan_that_only_computes_hears_a_stop_and_ends() -> None:
    """S5: nothing of ours blocks the loop."""
    turns = 0

    async def count(agent: Agent) -> None:
        nonlocal turns
        while agent.mission:
            turns += 1
            await asyncio.sleep(0)

    async def stop(agent: Agent) -> None:
        for _ in range(30):
            await asyncio.sleep(0)
        agent.stop("key")

    heavy = "_1=1;1000{9{_2=" + "+".join(["_1"] * 400) + "}}"
    events = say([heavy], Trolley(), planner=mending(0), meanwhile=count)[0]
    assert ended(events).outcome == "not_achieved" and "computed" in ended(events).reason
    assert turns > 50
    events = say([heavy], Trolley(), planner=mending(0), meanwhile=stop)[0]
    assert ended(events).outcome == "stopped" and not any(isinstance(e, PlanEnded) for e in events)


def test_nested_loops_end_and_are_not_looked_ahead_for_ever() -> None:
    """S5."""
    events = say(["drive(1);1000{1000{1000{}}}"], Trolley(), planner=mending(0))[0]
    assert ended(events).outcome == "not_achieved" and "without ending" in ended(events).reason


# What a skill reads of its robot


class Unread(Robot):
    """A robot whose state only the watch can read: every skill that asks for it meets `error`."""

    def __init__(self, robot: Robot, error: Exception) -> None:
        self._good, self._error = robot.state, error

    def state(self) -> RobotState:
        asks = inspect.currentframe()
        if asks and asks.f_back and asks.f_back.f_code.co_filename != reading.__file__:
            raise self._error
        return self._good()

    async def halt(self) -> None: ...


@pytest.mark.parametrize("error", [OSError("no answer"), ValueError("half an answer"), RobotError("it is off")])
@pytest.mark.parametrize(
    ("place", "plan"),
    [
        ("office", "take_off();goto('chair')"),
        ("office", "take_off();move_forward(50);return_home()"),
        ("home", "look_for_obj('cup')"),
        ("home", "follow('person')"),
        ("warehouse", "pick_up('apple')"),
        ("warehouse", "go_to('dining_table')"),
    ],
)
def test_a_state_that_a_skill_cannot_read_is_a_fault_of_the_robot(place: str, plan: str, error: Exception) -> None:
    """S9, S13: whatever was raised, the cause is named, and it is no error of the program; the robot rests."""
    world = make(place, seed=1)

    async def live() -> list[Event]:
        async with Agent(world=world, model=Scripted([plan]), planner=mending(0)) as agent:
            with patch.object(world.robot, "state", Unread(world.robot, error).state):
                events = [e async for e in agent.say("go")]
                await asyncio.sleep(0.5)
                assert agent.executive.reading.still() and not agent.executive.stopped_by
        return events

    events = SimClock().run(live())
    told = f"the robot: its state could not be read ({type(error).__name__}: {error})"
    assert told in [e.detail for e in events if isinstance(e, TaskEnded)]
    assert ended(events).outcome == "not_achieved" and told in ended(events).reason


def test_a_driver_that_raises_what_the_system_raised_is_a_fault_of_the_robot() -> None:
    """S13: an adapter need not put the errors of its sockets in others; a bug is still told as one."""

    class Wired(Trolley):
        @skill(uses="wheels")
        async def call(self, number: Annotated[int, Range(0, 1)]) -> None:
            """Call the wheels."""
            raise (ConnectionResetError("reset by peer"), ZeroDivisionError("a bug"))[number]

    broken, bug = (ended(say([f"call({n})"], Wired(), planner=mending(0))[0]) for n in (0, 1))
    assert (broken.outcome, bug.outcome) == ("not_achieved", "error")
    assert "the robot: ConnectionResetError: reset by peer" in broken.reason


def test_a_halt_that_fails_in_the_moment_in_which_it_is_given_up_is_no_news() -> None:
    """S4: who halts again, or lands instead, reads of no error that nobody waits for."""
    unheard: list[str] = []

    async def halt() -> None:
        raise RobotError("it does not answer")

    async def live() -> None:
        asyncio.get_running_loop().set_exception_handler(
            lambda loop, context: unheard.append(str(context["exception"]))
        )
        halting = asyncio.ensure_future(bounded(halt, 5.0))
        for _ in range(2):
            await asyncio.sleep(0)
        halting.cancel()
        await asyncio.gather(halting, return_exceptions=True)
        gc.collect()

    SimClock().run(live())
    assert unheard == []
