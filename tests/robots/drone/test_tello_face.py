"""The face of a Tello: what it answers, what it flies, and when it lands by itself."""

from __future__ import annotations

import asyncio

import pytest
from tello_wire import Client, with_face

from sayso.robots.drone.tello.emulator import Emulator
from sayso.robots.drone.tello.protocol import TelloState
from sayso.robots.drone.world.office import Office


def test_nothing_is_answered_before_command() -> None:
    async def script(client: Client, face: Emulator, world: Office) -> None:
        assert await client.ask("takeoff", within_s=1.0) == ""
        assert await client.ask("command") == "ok"
        assert not world.truth().flying

    with_face(script)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("forward 10", "out of range"),
        ("up 501", "out of range"),
        ("cw 0", "out of range"),
        ("speed 5", "out of range"),
        ("go 10 10 -19 50", "out of range"),
        ("forward", "error"),
        ("forward far", "error"),
        ("forward 50", "error Motor stop"),
        ("land", "error Motor stop"),
        ("fly", "unknown command: fly"),
        ("streamon", "error No video: this Tello is simulated and sends none"),
        ("sdk?", "20"),
        ("battery?", "100"),
        ("time?", "0s"),
        ("speed 40", "ok"),
    ],
)
def test_it_answers_as_the_machine_does(text: str, answer: str) -> None:
    async def script(client: Client, face: Emulator, world: Office) -> None:
        await client.ask("command")
        assert await client.ask(text) == answer

    with_face(script)


def test_what_is_no_text_harms_nothing() -> None:
    async def script(client: Client, face: Emulator, world: Office) -> None:
        client.line.say(b"\xff\xfe" * 900)
        client.line.say(b"")
        assert await client.ask("command") == "ok"

    with_face(script)


def test_motions_are_answered_when_they_are_over_and_told_ten_times_a_second() -> None:
    async def script(client: Client, face: Emulator, world: Office) -> None:
        start = world.truth().pose
        await client.ask("command")
        for text in ("takeoff", "speed 50", "forward 100", "ccw 90", "left 50", "go 40 0 30 60"):
            assert await client.ask(text) == "ok"
        there = start.moved(forward_m=1.0, turn_rad=1.5708).moved(forward_m=0.4, left_m=0.5, up_m=1.3)
        assert world.truth().pose.distance_m(there) < 0.15
        before = len(client.told)
        await asyncio.sleep(1.0)
        assert len(client.told) - before in (9, 10, 11)
        told = TelloState.read(client.told[-1])
        assert (told.h, told.yaw, told.vgx) == (130, -90, 0)
        assert await client.ask("land") == "ok"
        assert not world.truth().flying

    with_face(script)


def test_stop_takes_the_place_of_the_interrupted_answer_and_the_drone_hovers() -> None:
    async def script(client: Client, face: Emulator, world: Office) -> None:
        await client.ask("command")
        await client.ask("takeoff")
        client.line.say(b"forward 200")
        await asyncio.sleep(1.5)
        assert await client.ask("back 50") == "error Not joystick"
        assert await client.ask("stop") == "forced stop"
        assert world.truth().flying and world.truth().speed_mps < 0.3
        assert await client.ask("?", within_s=3.0) == "unknown command: ?", "the interrupted motion is heard of no more"

    with_face(script)


def test_it_lands_by_itself_after_fifteen_silent_seconds() -> None:
    async def script(client: Client, face: Emulator, world: Office) -> None:
        await client.ask("command")
        await client.ask("takeoff")
        await asyncio.sleep(14.0)
        assert await client.ask("keepalive") == "ok"
        await asyncio.sleep(14.5)
        assert world.truth().flying
        await asyncio.sleep(8.0)
        assert not world.truth().flying and not world.truth().crashed

    with_face(script)


def test_emergency_stops_the_motors_where_it_is() -> None:
    async def script(client: Client, face: Emulator, world: Office) -> None:
        await client.ask("command")
        await client.ask("takeoff")
        assert await client.ask("emergency") == "ok"
        assert not world.truth().flying
        await asyncio.sleep(2.0)
        assert world.truth().pose.z_m < 0.1

    with_face(script)


def test_a_state_is_read_as_it_was_written_and_what_is_none_is_refused() -> None:
    told = TelloState(yaw=-12, vgx=3, tof=87, h=90, bat=61, baro=1.25, time=7)
    assert TelloState.read("mid:-1;mpry:0,0,0;" + told.text()) == told
    for rubbish in ("", "yaw:1;", told.text().replace("h:90", "h:high")):
        with pytest.raises(ValueError):
            TelloState.read(rubbish)
