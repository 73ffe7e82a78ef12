"""Machines at the station, by their dry runs: what is shown of them, and the stop that is theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from nicegui.testing import User
from test_console_pages import LOOKS, visit

from sayso.console.choices import ConsoleSetup, machine_of, robots, with_address
from sayso.console.solids import alone
from sayso.console.station import Station
from sayso.errors import UsageError
from sayso.plugins.machines import StakedRoom, machines
from sayso.scene import Pose

ZONE = "ahead=3,back=1,left=2,right=2,up=2"
DRY = ["fake:tello", "fake:mavlink", "fake:ros"]
WISH = {"fake:ros": "go forward 2 metres, wait 30 seconds"}


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SAYSO_HOME", str(tmp_path))
    yield


@pytest.mark.parametrize("robot", DRY)
def test_a_machine_is_chosen_at_the_desk_shown_and_stopped(robot: str) -> None:
    """S1, S2, S19: it comes after a simulated robot, sets out inside its zone, and holds where it is stopped."""

    async def main() -> None:
        station = Station(ConsoleSetup(robot=DRY[0], memory=False))
        await station.open()
        station.seats.sit("ann")
        assert {c.what: c.must != "" for c in station.machine()}["zone"], "which nobody has set yet"
        assert await station.choose(replace(station.choice, robot=robot, zone=ZONE)) == ""
        told = {c.what: c for c in station.machine()}
        assert {"link", "battery", "zone", "place", "stop"} <= told.keys()
        assert told["link"].found == "answers" and told["zone"].found.startswith("x -1..3 m, y -2..2 m")
        assert not [c for c in told.values() if c.must] and told["stop"].found
        assert station.place and [b.moves for b in station.place.bodies] == [True, False], "the robot, and its zone"
        assert await station.say("ann", WISH.get(robot, "take off and wait 30 seconds")) == ""
        while station.agent.robot.state().pose.distance_m(Pose()) < 0.5:
            await asyncio.sleep(0.05)
        station.stop("button")
        while station.running:
            await asyncio.sleep(0.05)
        assert station.stopped_by == "button" and station.shown.ended and station.shown.ended.outcome == "stopped"
        hovers = station.agent.robot.state().pose.z_m > 0.5
        assert station.agent.robot.state().resting != hovers, "what is in the air stays there"
        await station.close()

    asyncio.run(main())


def test_a_page_shows_the_machine_and_gives_it_a_zone(tmp_path: Path) -> None:
    station = Station(ConsoleSetup(robot="fake:tello", memory=False))

    async def act(user: User) -> None:
        await user.should_see("The machine", retries=LOOKS)
        await user.should_see("not set; must be one that a person sets", retries=LOOKS)
        await user.should_see("it hovers until released", retries=LOOKS)
        user.find("▾").click()
        await user.should_see("tello: a DJI Tello", retries=LOOKS)
        user.find(marker="zone").trigger("change", ZONE)
        user.find("Use this").click()
        await user.should_see("x -1..3 m, y -2..2 m, up to 2 m", retries=LOOKS)
        assert station.choice.zone == ZONE and station.choice.robot == "fake:tello"

    visit(station, tmp_path, act)


def test_the_zone_of_a_machine_is_drawn_where_it_lies() -> None:
    place = alone(machines()["tello"].make("", StakedRoom.read(ZONE)))
    [fence] = [body for body in place.bodies if not body.moves]
    ground = [s for s in fence.solids if s.at_m[2] == 0]
    assert {(s.at_m[0], s.at_m[1]) for s in ground} == {(1.0, -2.0), (1.0, 2.0), (-1.0, 0.0), (3.0, 0.0)}
    assert {s.at_m[2] for s in fence.solids} == {0.0, 2.0} and place.middle_m[:2] == (1.0, 0.0)
    assert [b.moves for b in alone(machines()["tello"].make("", None)).bodies] == [True], "no zone, no fence"


def test_what_can_be_chosen_are_machines_and_no_files() -> None:
    assert {"", "tello", "mavlink", "ros", *DRY} == robots("").keys()
    assert robots("rover.py").keys() - robots("").keys() == {"rover.py"}, "who was named on the command line"
    assert (machine_of("tello:10.0.0.1"), machine_of("fake:tello")) == ("tello", "fake:tello")
    assert with_address("tello", "10.0.0.1") == "tello:10.0.0.1" and with_address("fake:tello", "") == "fake:tello"
    for robot, address in (("tello", "evil.py"), ("tello", "evil.py:ROBOT"), ("", "x"), ("fake:tello", "x")):
        with pytest.raises(UsageError):
            with_address(robot, address)
