"""The same rules on the wall clock: an adapter in another process, a driver thread, a loop that stands still."""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import signal
import socket
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import pytest
from trolley import FENCE_M, ended

from sayso import Range, skill
from sayso.agent import Agent
from sayso.errors import RobotError
from sayso.events import Event, LimitHeld, Stopped, Warned
from sayso.executive import supervisor
from sayso.limits import Limits, Zone
from sayso.memory.journal import stops_folder
from sayso.models.scripted import Scripted
from sayso.planners.stream import Stream
from sayso.prompts import plan_prompt
from sayso.roles import Robot, RobotState
from sayso.scene import Pose

ONCE = partial(Stream, render=plan_prompt, replans=0)

STEP_S, BRAKE_MPS2 = 0.005, 4.0
HANG_S = 60.0
"""A wait as long as this is a fault of the test's; no rule is measured by it."""


def machine(ours: socket.socket) -> None:
    """Another process: a trolley that obeys datagrams, answers each with where it is, and checks nothing."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    x_m = speed = wanted = 0.0
    halts, last_s = 0, time.monotonic()
    ours.settimeout(STEP_S)
    while True:
        with contextlib.suppress(TimeoutError):
            told, who = ours.recvfrom(1024)
            order = json.loads(told)
            wanted = order.get("speed", wanted)
            halts += order.get("halt", 0)
            if order.get("end"):
                return
            ours.sendto(json.dumps({"x": x_m, "speed": speed, "halts": halts}).encode(), who)
        now_s = time.monotonic()
        gap, most = wanted - speed, BRAKE_MPS2 * (now_s - last_s)
        speed += max(-most, min(most, gap))
        x_m += speed * (now_s - last_s)
        last_s = now_s


class Datagrams(Robot):
    """A test double of a network adapter: a driver thread asks the machine how it is, twenty times a second."""

    name = "datagrams"
    limits = Limits(zone=Zone(-FENCE_M, FENCE_M, -FENCE_M, FENCE_M), mission_max_s=30, link_lost_s=2.0)

    def __init__(self, address: tuple[str, int]) -> None:
        self.identity = f"trolley:{address[0]}:{address[1]}"
        self._address = address
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._known: dict[str, float] = {"x": 0.0, "speed": 0.0, "halts": 0}
        self._heard_s = 0.0
        self._driver: threading.Thread | None = None
        self._ended = threading.Event()
        self.blocks, self.unblocked = threading.Event(), threading.Event()

    @property
    def halts(self) -> int:
        return int(self._known["halts"])

    def _tell(self, **order: float) -> None:
        self._socket.sendto(json.dumps(order).encode(), self._address)

    def _drive(self) -> None:
        self._socket.settimeout(0.2)
        while not self._ended.wait(0.05):
            with contextlib.suppress(OSError):
                self._tell()
                self._known, self._heard_s = json.loads(self._socket.recv(1024)), time.monotonic()

    def state(self) -> RobotState:
        speed = abs(self._known["speed"])
        here = time.monotonic() - self._heard_s < 1.0
        return RobotState(Pose(self._known["x"]), 1.0, speed, speed < 0.01, here, f"at {self._known['x']:.2f} m")

    async def open(self) -> None:
        self._driver = threading.Thread(target=self._drive, daemon=True)
        self._driver.start()
        async with asyncio.timeout(HANG_S):
            while not self._heard_s:
                await asyncio.sleep(0.05)

    async def close(self) -> None:
        self._ended.set()
        if self._driver:
            await asyncio.to_thread(self._driver.join)
        self._socket.close()

    def halt_now(self) -> None:
        self._tell(speed=0.0, halt=1)

    async def halt(self) -> None:
        self.halt_now()

    @skill(uses="wheels")
    async def roll(self, speed_mps: Annotated[float, Range(-1, 1)]) -> None:
        """Roll and never look where."""
        self._tell(speed=speed_mps)
        await asyncio.sleep(20)

    @skill(uses="wheels")
    async def careless(self) -> None:
        """Roll, and block the loop as a bad driver does."""
        self._tell(speed=0.5)
        await asyncio.sleep(0.2)
        self.blocks.set()
        self.unblocked.wait(HANG_S)


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    monkeypatch.setenv("SAYSO_HOME", str(tmp_path))
    ours = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    ours.bind(("127.0.0.1", 0))
    process = multiprocessing.get_context("fork").Process(target=machine, args=(ours,), daemon=True)
    process.start()
    yield ours.getsockname()
    process.kill()
    process.join()
    ours.close()


async def wish(robot: Datagrams, plan: str, *, stop_s: float = 0.0, by: str = "key") -> list[Event]:
    async with Agent(robot, model=Scripted([plan]), planner=ONCE) as agent:
        if stop_s:
            asyncio.get_running_loop().call_later(stop_s, agent.stop, by)
        return [e async for e in agent.say("go")]


def test_a_stop_reaches_a_machine_in_another_process(address: tuple[str, int]) -> None:
    """S1, S4: confirmed by the machine's own word."""
    events = asyncio.run(wish(Datagrams(address), "roll(1)", stop_s=0.6))
    assert ended(events).outcome == "stopped"
    assert next(e for e in events if isinstance(e, Stopped)).confirmed


def test_its_latch_outlives_the_program(address: tuple[str, int]) -> None:
    """S6."""
    asyncio.run(wish(Datagrams(address), "roll(1)", stop_s=0.3))
    assert list(stops_folder().iterdir())
    events = asyncio.run(wish(again := Datagrams(address), "roll(1)"))
    assert ended(events).reason == "stopped by key; a person has to release it"
    assert again.state().speed_mps < 0.01


def test_the_fence_holds_over_a_link_with_delays(address: tuple[str, int]) -> None:
    """S10: what the adapter reports is up to 0.05 s old, and it checks nothing. What this computer lets a thread wait
    while others use it is measured beside, and allowed to each of the three who pass the word on."""
    robot, over, late_s = Datagrams(address), threading.Event(), [0.0]

    def measure() -> None:
        while not over.is_set():
            began_s = time.monotonic()
            time.sleep(0.05)
            late_s[0] = max(late_s[0], time.monotonic() - began_s - 0.05)

    beside = threading.Thread(target=measure)
    beside.start()
    events = asyncio.run(wish(robot, "roll(1)"))
    over.set()
    beside.join()
    assert ended(events).outcome == "not_achieved" and "geofence" in ended(events).reason
    assert abs(robot.state().pose.x_m) < FENCE_M + 1.0 * (0.05 + 0.05 + 0.25 + 0.15 + 3 * late_s[0])


def test_a_machine_that_goes_silent_is_a_lost_link(address: tuple[str, int]) -> None:
    """S9, S11."""
    robot = Datagrams(address)

    async def silenced() -> None:
        async with Agent(robot, model=Scripted(["roll(0.2)"]), planner=ONCE) as agent:
            asyncio.get_running_loop().call_later(0.5, robot._ended.set)
            async for event in agent.say("go"):
                events.append(event)
                if isinstance(event, LimitHeld):
                    agent.stop("key")

    events: list[Event] = []
    with pytest.raises(RobotError, match="does not answer"):
        asyncio.run(silenced())
    assert any(isinstance(e, LimitHeld) and e.limit == "link" for e in events)
    assert ended(events).outcome != "achieved"


def test_a_loop_that_stands_still_is_a_fault_and_the_machine_is_halted_without_it(
    address: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """S5: the supervisor's datagram needs no loop; what happened is told afterwards."""
    monkeypatch.setattr(supervisor, "BLOCKED_S", 0.25)
    robot = Datagrams(address)

    def look() -> tuple[bool, int, float]:
        """Until the machine itself says that it was halted and stands; the loop is let go only then."""
        blocked, until_s = robot.blocks.wait(HANG_S), time.monotonic() + HANG_S
        while (not robot.halts or robot.state().speed_mps > 0.01) and time.monotonic() < until_s:
            time.sleep(0.05)
        halts, speed_mps = robot.halts, robot.state().speed_mps
        robot.unblocked.set()
        return blocked, halts, speed_mps

    async def main() -> tuple[list[Event], tuple[bool, int, float]]:
        async with Agent(robot, model=Scripted(["careless"]), planner=ONCE) as agent:
            watching = asyncio.ensure_future(asyncio.to_thread(look))
            return [e async for e in agent.say("go")], await watching

    events, (blocked, halts, speed_mps) = asyncio.run(main())
    assert blocked and halts >= 1 and speed_mps < 0.01, "while the loop stood still"
    assert any(isinstance(e, Warned) and "was blocked" in e.text for e in events)
    assert ended(events).reason == "stopped by a blocked program", "what was halted half-way is not done"
