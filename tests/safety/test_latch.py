"""S6: the stop of a real machine outlives its program."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from trolley import Trolley, ended

from sayso.agent import Agent
from sayso.clock import Clock, SimClock, WallClock
from sayso.errors import UsageError
from sayso.events import Event, Warned
from sayso.executive.latch import UNREADABLE, Latch, latched
from sayso.memory.journal import stops_folder
from sayso.models.scripted import Scripted
from sayso.terminal.commands.missions import lifted


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAYSO_HOME", str(tmp_path))


def machine(identity: str = "trolley:10.0.0.7") -> Trolley:
    robot = Trolley()
    robot.identity = identity
    return robot


def session(robot: Trolley, *, stop: str = "", lift: bool = False, clock: Clock | None = None) -> list[Event]:
    """One program: a wish, and perhaps a stop or a release by a person."""

    async def run() -> list[Event]:
        async with Agent(robot, model=Scripted(["drive(1)"])) as agent:
            if stop:
                asyncio.get_running_loop().call_later(0.5, agent.stop, stop)
            if lift:
                agent.release("a person")
            return [e async for e in agent.say("go")]

    return (clock or SimClock()).run(run())


def test_a_stop_outlives_the_program() -> None:
    """S6."""
    assert ended(session(machine(), stop="key")).outcome == "stopped"
    again = machine()
    assert ended(session(again)).reason == "stopped by key; a person has to release it"
    assert again.x_m == 0 and latched(stops_folder()) == {"trolley:10.0.0.7": "key"}
    assert lifted("") == "trolley:10.0.0.7 is released; it was stopped by key"
    assert ended(session(machine())).outcome == "achieved"
    assert lifted("") == "no machine is stopped"


def test_who_releases_it_in_the_program_releases_it_for_good() -> None:
    """S6."""
    session(machine(), stop="key")
    assert ended(session(machine(), lift=True)).outcome == "achieved"
    assert latched(stops_folder()) == {}


def test_only_that_machine_is_stopped_and_a_simulated_one_starts_free() -> None:
    """S6."""
    session(machine(), stop="key")
    session(machine("trolley:../else"), stop="button")
    assert ended(session(machine("trolley:10.0.0.8"))).outcome == "achieved"
    session(Trolley(), stop="key")
    assert ended(session(Trolley())).outcome == "achieved"
    with pytest.raises(UsageError, match=r"several machines are stopped, name one of them: .*else, trolley:10"):
        lifted("")
    with pytest.raises(UsageError, match="trolley:2 is not stopped"):
        lifted("trolley:2")
    assert lifted("trolley:../else").endswith("it was stopped by button")


def test_the_kernels_own_stop_is_not_kept() -> None:
    """S2, S6: what no person said no person has to lift."""
    robot = machine()
    robot.limits = Trolley.limits.__class__(mission_max_s=0.5)
    session(robot)
    assert latched(stops_folder()) == {}


def test_a_record_that_cannot_be_read_is_no_leave_to_move() -> None:
    """S6."""
    latch = Latch(stops_folder(), "trolley:10.0.0.7")
    latch.set("key")
    latch.flush(5)
    latch.file.write_bytes(b"\xff\x00{")
    assert UNREADABLE in ended(session(machine())).reason


def test_a_disk_that_takes_nothing_delays_no_stop_and_is_told(tmp_path: Path) -> None:
    """S1, S6."""
    (tmp_path / "stops").write_text("in the way of a folder")
    robot = machine()
    events = session(robot, stop="key", clock=WallClock())
    assert ended(events).outcome == "stopped" and robot.calls["halt"]
    assert any(isinstance(e, Warned) and "ends with this process" in e.text for e in events)
