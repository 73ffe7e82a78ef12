"""A halt that raises, hangs or lies, and who may lift a stop (docs/safety.md)."""

from __future__ import annotations

import asyncio
import gc

import pytest
from trolley import Trolley, ended, from_call, say, stop_after

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import RobotError
from sayso.events import Released, Stopped, TaskStarted
from sayso.executive.halting import bounded


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
