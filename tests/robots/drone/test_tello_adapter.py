"""The adapter of a Tello against the face of one: what it flies, what it refuses, and what lost datagrams do to it."""

from __future__ import annotations

import asyncio
import math
import socket
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tello_wire import Wire, Wired, fly
from wire import PLAIN, ROOM, assert_ends_as_in_simulation, office

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import RobotError, SkillFailed, UsageError
from sayso.events import Warned
from sayso.executive.guards import AFTER_S
from sayso.plugins.machines import StakedRoom, machines, reached
from sayso.robots.check import check
from sayso.robots.drone.tello.adapter import Tello
from sayso.robots.drone.tello.emulator import DryRun
from sayso.robots.drone.tello.protocol import TelloState
from sayso.robots.drone.tello.reckoning import Reckoning
from sayso.robots.drone.world.office import Office


@pytest.mark.parametrize("wish", PLAIN)
def test_plain_commands_end_as_in_simulation(wish: str) -> None:
    assert_ends_as_in_simulation(fly(Wired(Wire()), wish), wish)


def test_without_a_zone_nothing_moves_and_the_person_is_told_how_to_set_one() -> None:
    tello = Wired(Wire(), room=None)
    flown = fly(tello, "take off and go forward 1 metre")
    assert flown.ended.outcome == "refused" and "--zone ahead=3" in flown.ended.reason
    assert "takeoff" not in [text for _, text in tello.face.log]


def test_the_check_list_is_told_before_the_first_motion() -> None:
    flown = fly(Wired(Wire()), "take off")
    [told] = [e.text for e in flown.events if isinstance(e, Warned)]
    assert told == (
        "before it moves: link answers; battery 99%; zone x -2.5..2.5 m, y -2..2 m, up to 2.4 m; "
        "place stands at x 0.0 m, y 0.0 m"
    )


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda world: setattr(world.quadrotor, "charge", 0.25), "battery 24%"),
        (lambda world: None, ""),
    ],
)
def test_a_battery_that_is_low_forbids_to_set_out(spoil: Callable[[Office], None], says: str) -> None:
    world = office()
    spoil(world)
    verdict = fly(Wired(Wire(), world=world), "take off").ended
    assert (verdict.outcome == "refused") == bool(says) and says in verdict.reason


def test_a_machine_that_stands_askew_or_knows_no_stop_is_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    tello = Tello(ROOM)
    tello.told.hear(TelloState(roll=20), 0.0)
    assert "askew, by 20 degrees" in tello.unfit()
    monkeypatch.setattr("sayso.robots.drone.tello.emulator.SDK", 13)
    assert "knows no stop: its SDK is 13" in fly(Wired(Wire()), "take off").ended.reason


def test_what_needs_eyes_says_in_a_sentence_that_there_are_none() -> None:
    for wish in ("do you see a chair?", "take a picture"):
        tello = Wired(Wire())
        assert "this drone sees nothing" in fly(tello, wish).ended.reason
        assert "takeoff" not in [text for _, text in tello.face.log]


def test_less_than_a_tello_can_move_is_refused_before_anything_moves() -> None:
    tello = Wired(Wire())
    assert "must be 20 to 500 cm, not 10" in fly(tello, "go forward 10 cm").ended.reason
    assert "takeoff" not in [text for _, text in tello.face.log]


def test_a_way_out_of_the_zone_is_refused_before_it_is_flown() -> None:
    tello = Wired(Wire())
    fly(tello, "take off, go forward 4 metres")
    assert not any(text.startswith("forward") for _, text in tello.face.log)


def told(tello: Wired) -> list[str]:
    """The motions that reached the machine."""
    return [text for _, text in tello.face.log if text.split()[0] in ("takeoff", "land", "forward", "back", "cw")]


def once(*texts: str) -> Callable[[str], bool]:
    """Drops each of these datagrams the first time that it passes."""
    left = list(texts)

    def drops(text: str) -> bool:
        if text in left:
            left.remove(text)
            return True
        return False

    return drops


def test_a_command_that_was_lost_is_sent_again() -> None:
    wire = Wire()
    wire.drops = once("takeoff", "forward 100", "cw 90")
    flown = fly(Wired(wire), "take off, go forward 1 metre, turn right")
    assert flown.ended.outcome == "achieved"


def test_a_motion_whose_answer_was_lost_is_not_flown_twice() -> None:
    wire = Wire()
    lost: list[str] = []
    wire.drops = lambda text: text == "ok" and len(tello.face.log) > 3 and (lost.append(text) or True)
    tello = Wired(wire)
    flown = fly(tello, "take off, go forward 1 metre, turn right, land")
    assert flown.ended.outcome == "achieved" and lost
    assert told(tello)[:3] == ["takeoff", "forward 100", "cw 90"]


def test_an_ok_that_belongs_to_something_else_is_no_arrival() -> None:
    tello = Wired(Wire())

    async def main() -> None:
        async with Agent(tello) as agent:
            async for _ in agent.say("take off"):
                pass
            await asyncio.sleep(AFTER_S + 0.5)  # its mission holds it no longer
            start = tello.world.truth().pose
            moving = asyncio.ensure_future(tello.move(1.5, 0.0, 0.0))
            for _ in range(8):
                await asyncio.sleep(0.2)
                tello.link._answer("ok")
            assert not moving.done()
            await moving
            assert tello.world.truth().pose.distance_m(start) > 1.4

    SimClock().run(main())


def test_a_machine_that_says_that_it_is_there_and_is_not_is_not_believed() -> None:
    wire = Wire()
    tello = Wired(wire)

    async def main() -> None:
        async with Agent(tello) as agent:
            async for _ in agent.say("take off"):
                pass
            await asyncio.sleep(AFTER_S + 0.5)  # its mission holds it no longer
            wire.drops = lambda text: text.startswith("forward") and (wire.near.say(b"ok") or True)
            with pytest.raises(SkillFailed, match="what it tells of its speed says otherwise"):
                await tello.move(1.0, 0.0, 0.0)

    SimClock().run(main())


def test_a_tenth_of_all_datagrams_may_get_lost() -> None:
    outcomes = [fly(Wired(Wire(0.1, seed)), PLAIN[1]).ended.outcome for seed in range(3)]
    assert outcomes == ["achieved"] * 3


def test_a_program_that_finds_it_in_the_air_lands_it_first() -> None:
    tello = Wired(Wire())

    async def main() -> None:
        running = asyncio.ensure_future(tello.world.run())
        await tello.world.drone.take_off()
        running.cancel()
        await tello.open()
        assert not tello.world.truth().flying and tello.told.pose.z_m == 0.0
        await tello.close()

    SimClock().run(main())


def test_where_nobody_answers_the_person_is_told_what_to_look_at() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(RobotError, match="is it switched on"):
            SimClock().run(Tello(ROOM, "127.0.0.1", port, 0).open())
        with pytest.raises(RobotError, match="no other program connected"):
            SimClock().run(Tello(ROOM, "127.0.0.1", port, port).open())


def test_it_halts_from_any_thread_and_while_the_loop_is_blocked() -> None:
    """A datagram needs no loop (S5)."""
    tello = Wired(Wire())

    async def main() -> None:
        async with Agent(tello) as agent:
            async for _ in agent.say("take off"):
                pass
            await asyncio.sleep(AFTER_S + 0.5)  # its mission holds it no longer
            moving = asyncio.ensure_future(tello.move(1.5, 0.0, 0.0))
            await asyncio.sleep(1.0)
            thread = threading.Thread(target=tello.halt_now)
            thread.start()
            thread.join()
            await asyncio.sleep(1.0)
            assert "stop" in [text for _, text in tello.face.log] and tello.world.truth().speed_mps < 0.3
            with pytest.raises(SkillFailed):
                await moving

    SimClock().run(main())


def test_motors_are_cut_only_where_a_person_set_that() -> None:
    tello = Wired(Wire())
    assert tello.cut is None
    tello.cut = tello.drop

    async def main() -> None:
        async with Agent(tello) as agent:
            async for _ in agent.say("take off"):
                pass
            await asyncio.sleep(AFTER_S + 0.5)  # its mission holds it no longer
            await tello.drop()
            assert not tello.world.truth().flying

    SimClock().run(main())


def test_it_is_one_machine_with_an_identity_and_its_dry_run_is_none() -> None:
    assert Tello(ROOM).identity == "tello:192.168.10.1"
    assert reached("tello:10.0.0.7", "").identity == "tello:10.0.0.7"
    assert reached("tello:127.0.0.1:9000:9001", "").identity == "tello:127.0.0.1:9000"
    assert reached("fake:tello", "").identity == ""
    assert check(Tello(ROOM)) == [] and check(DryRun(ROOM)) == []


@pytest.mark.parametrize("where", ["mars", "fake:mars", "tello:host:port", "tello:h:1:2:3"])
def test_what_is_no_machine_is_a_clear_refusal(where: str) -> None:
    with pytest.raises(UsageError, match=r"there are|is written"):
        reached(where, "")
    assert set(machines()) >= {"tello"}


@pytest.mark.parametrize("text", ["", "2", "ahead=2", "ahead=2,back=2,left=2,right=x", "ahead=0,back=1,left=1,right=1"])
def test_a_zone_that_cannot_be_read_is_a_clear_refusal(text: str) -> None:
    with pytest.raises(UsageError, match="a zone"):
        StakedRoom.read(text)


def test_a_zone_lies_around_where_the_machine_stands() -> None:
    limits = Tello(StakedRoom.read("ahead=3, back=1,left=2,right=2.5,up=2")).limits
    assert str(limits.zone) == "x -1..3 m, y -2.5..2 m" and limits.altitude_max_m == 2
    assert math.isinf(StakedRoom.read("ahead=3,back=1,left=2,right=2").up)


def test_dead_reckoning_turns_with_the_machine_and_says_how_far_it_may_be_off() -> None:
    track = Reckoning()
    track.hear(replace(track.last, yaw=90), 0.0)
    track.begin()

    def states(seconds: float, **told: Any) -> None:
        for _ in range(round(10 * seconds)):
            track.hear(replace(track.last, h=100, tof=104, **told), track.heard_s + 0.1)

    states(0.1, vgx=0, vgy=0)
    states(2.0, vgx=0, vgy=5)
    assert track.pose.x_m == pytest.approx(1.0, abs=0.1) and track.pose.y_m == pytest.approx(0.0, abs=0.1)
    assert track.pose.z_m == 1.04 and track.pose.yaw_rad == 0.0
    states(0.1, yaw=180)
    assert track.pose.yaw_rad == pytest.approx(-math.pi / 2)
    assert 0.1 < track.error_m < 0.3
    known_m = track.error_m
    track.hear(track.last, track.heard_s + 2.0)
    assert track.error_m > known_m + 0.5, "a gap in the states is unknown way"
