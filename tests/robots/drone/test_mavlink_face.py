"""The face of an autopilot: what it answers, what it flies, and what it does when nobody leads it any more."""

from __future__ import annotations

import asyncio
import math

import pytest

pytest.importorskip("pymavlink")

from mavlink_wire import Client, with_face
from pymavlink.dialects.v20 import common as mavlink

from sayso.robots.drone.mavlink.emulator import SYSTEM, WORLD, Emulator
from sayso.robots.drone.mavlink.protocol import (
    ACCEPTED,
    ARDUPILOT,
    FORCED,
    PX4,
    Stack,
    command,
    heartbeat,
    mode_command,
    param_float,
    param_value,
    placed,
    setpoint,
)
from sayso.robots.drone.world.office import Office
from sayso.scene import Pose

ARM, TAKE_OFF, LAND = mavlink.MAV_CMD_COMPONENT_ARM_DISARM, mavlink.MAV_CMD_NAV_TAKEOFF, mavlink.MAV_CMD_NAV_LAND


async def lead(client: Client, at: Pose, seconds: float) -> None:
    for _ in range(round(20 * seconds)):
        client.say(setpoint(SYSTEM, at, 0))
        await asyncio.sleep(0.05)


async def aloft(client: Client, face: Emulator) -> Pose:
    """Armed, led, a metre up; where it is then."""
    up = face._at().moved(up_m=1.0)
    await lead(client, up, 0.2)
    assert await client.answer(mode_command(SYSTEM, face.stack.lead)) == ACCEPTED
    assert await client.ask(ARM, 1) == ACCEPTED
    for number in (mavlink.MAVLINK_MSG_ID_LOCAL_POSITION_NED, mavlink.MAVLINK_MSG_ID_ATTITUDE):
        assert await client.ask(mavlink.MAV_CMD_SET_MESSAGE_INTERVAL, number, 50_000) == ACCEPTED
    await lead(client, up, 4.0)
    return up


def test_it_tells_of_itself_and_as_often_as_it_is_asked_to() -> None:
    async def script(client: Client, face: Emulator, world: Office) -> None:
        beat = await client.tells("HEARTBEAT")
        assert (beat.type, beat.autopilot, beat.base_mode & 128) == (mavlink.MAV_TYPE_QUADROTOR, PX4.autopilot, 0)
        assert (await client.tells("SYS_STATUS")).battery_remaining >= 99
        assert (await client.tells("EXTENDED_SYS_STATE")).landed_state == mavlink.MAV_LANDED_STATE_ON_GROUND
        number, seen = mavlink.MAVLINK_MSG_ID_LOCAL_POSITION_NED, 0
        assert await client.ask(mavlink.MAV_CMD_SET_MESSAGE_INTERVAL, number, 50_000) == ACCEPTED
        for _ in range(10):
            await client.tells("LOCAL_POSITION_NED")
            seen += 1
        assert seen == 10
        assert await client.ask(mavlink.MAV_CMD_REQUEST_MESSAGE, mavlink.MAVLINK_MSG_ID_AUTOPILOT_VERSION) == ACCEPTED
        assert client.told["AUTOPILOT_VERSION"].capabilities & mavlink.MAV_PROTOCOL_CAPABILITY_MAVLINK2

    with_face(script)


@pytest.mark.parametrize(
    ("number", "params", "result"),
    [
        (TAKE_OFF, (0, 0, 0, 0, 0, 0, 1), "DENIED"),
        (mavlink.MAV_CMD_NAV_WAYPOINT, (), "UNSUPPORTED"),
        (mavlink.MAV_CMD_DO_SET_MODE, (1, 99, 0), "DENIED"),
        (mavlink.MAV_CMD_DO_SET_MODE, (1, 6, 0), "TEMPORARILY_REJECTED"),
        (mavlink.MAV_CMD_DO_SET_MODE, (1, 4, 3), "ACCEPTED"),
        (mavlink.MAV_CMD_SET_MESSAGE_INTERVAL, (65_000, 1e6), "UNSUPPORTED"),
        (mavlink.MAV_CMD_REQUEST_MESSAGE, (65_000,), "UNSUPPORTED"),
    ],
)
def test_commands_are_answered_as_the_standard_says(number: int, params: tuple[float, ...], result: str) -> None:
    async def script(client: Client, face: Emulator, world: Office) -> None:
        assert await client.ask(number, *params) == getattr(mavlink, f"MAV_RESULT_{result}")

    with_face(script)


def test_what_is_no_message_and_what_is_for_somebody_else_harms_nothing() -> None:
    async def script(client: Client, face: Emulator, world: Office) -> None:
        client.line.say(b"\xfd\xff\xfe" * 400)
        client.line.say(b"")
        client.say(command(7, ARM, 1))
        nowhere = setpoint(SYSTEM, Pose(math.nan, 0.0, math.inf), 0)
        client.say(nowhere)
        await asyncio.sleep(0.2)
        assert not world.truth().flying and client.acks.empty()
        assert await client.ask(LAND) == ACCEPTED

    with_face(script)


@pytest.mark.parametrize("stack", [PX4, ARDUPILOT], ids=lambda stack: stack.name)
def test_parameters_are_read_set_and_listed_in_the_autopilots_own_way(stack: Stack) -> None:
    async def script(client: Client, face: Emulator, world: Office) -> None:
        one = mavlink.MAV_COMP_ID_AUTOPILOT1
        client.say(mavlink.MAVLink_param_request_list_message(SYSTEM, one))
        first = await client.tells("PARAM_VALUE")
        assert first.param_count == len(face.params)
        kind = mavlink.MAV_PARAM_TYPE_INT32
        value = param_float(5, True, stack)
        client.say(mavlink.MAVLink_param_set_message(SYSTEM, one, stack.unled.act.encode(), value, kind))
        told = await client.tells("PARAM_VALUE")
        assert (told.param_id, param_value(told, stack), face.params[stack.unled.act][0]) == (stack.unled.act, 5.0, 5.0)
        assert (told.param_value == 5.0) == (stack is ARDUPILOT)

    with_face(script, stack)


def test_there_is_no_mission_and_none_is_taken() -> None:
    async def script(client: Client, face: Emulator, world: Office) -> None:
        client.say(mavlink.MAVLink_mission_request_list_message(SYSTEM, 1, 0))
        assert (await client.tells("MISSION_COUNT")).count == 0
        client.say(mavlink.MAVLink_mission_count_message(SYSTEM, 1, 3, 0))
        assert (await client.tells("MISSION_ACK")).type == mavlink.MAV_MISSION_UNSUPPORTED

    with_face(script)


def test_it_goes_where_setpoints_say_north_east_and_down() -> None:
    async def script(client: Client, face: Emulator, world: Office) -> None:
        up = await aloft(client, face)
        await lead(client, Pose(up.x_m + 1.0, up.y_m + 0.5, up.z_m + 0.5, -math.pi / 2), 5.0)
        told, turned = await client.tells("LOCAL_POSITION_NED"), await client.tells("ATTITUDE")
        away = (told.x - up.x_m, told.y + up.y_m, told.z + up.z_m)
        assert away == pytest.approx((1.0, -0.5, -0.5), abs=0.1) and turned.yaw == pytest.approx(math.pi / 2, abs=0.05)
        flown = placed(told.x, told.y, told.z, turned.yaw).seen_from(WORLD)
        assert flown.distance_m(world.truth().pose) < 0.05

    with_face(script)


def test_px4_takes_off_holds_and_lands_and_its_motors_stop() -> None:
    async def script(client: Client, face: Emulator, world: Office) -> None:
        assert await client.ask(ARM, 1) == ACCEPTED
        assert await client.ask(TAKE_OFF, 0, 0, 0, 0, 0, 0, math.nan) == ACCEPTED
        await asyncio.sleep(5.0)
        assert world.truth().flying and face.mode == PX4.hold
        assert await client.ask(ARM, 0) == mavlink.MAV_RESULT_DENIED
        assert await client.ask(LAND) == ACCEPTED
        await asyncio.sleep(6.0)
        assert not world.truth().flying and not (await client.tells("HEARTBEAT")).base_mode & 128

    with_face(script)


def test_armed_on_the_ground_and_left_there_it_disarms() -> None:
    async def script(client: Client, face: Emulator, world: Office) -> None:
        assert await client.ask(ARM, 1) == ACCEPTED and world.truth().flying
        await asyncio.sleep(11.0)
        assert not world.truth().flying

    with_face(script)


def test_motors_are_stopped_in_the_air_only_by_the_forced_figure() -> None:
    async def script(client: Client, face: Emulator, world: Office) -> None:
        await aloft(client, face)
        assert await client.ask(ARM, 0, FORCED) == ACCEPTED
        assert not world.truth().flying

    with_face(script)


@pytest.mark.parametrize(("act", "mode"), [(4, PX4.land), (5, PX4.hold), (0, PX4.hold)])
def test_px4_leaves_offboard_a_second_after_the_last_setpoint(act: int, mode: int) -> None:
    async def script(client: Client, face: Emulator, world: Office) -> None:
        face.params[PX4.unled.act] = (float(act), mavlink.MAV_PARAM_TYPE_INT32)
        await aloft(client, face)
        await asyncio.sleep(0.8)
        assert face.mode == PX4.lead
        await asyncio.sleep(0.5)
        assert face.mode == mode
        await asyncio.sleep(6.0)
        assert world.truth().flying == (mode != PX4.land)

    with_face(script)


@pytest.mark.parametrize(("act", "lands"), [(5, True), (0, False)])
def test_ardupilot_goes_on_without_setpoints_and_lands_without_heartbeats_where_it_is_set_to(
    act: int, lands: bool
) -> None:
    async def script(client: Client, face: Emulator, world: Office) -> None:
        face.params[ARDUPILOT.unled.act] = (float(act), mavlink.MAV_PARAM_TYPE_INT32)
        await client.answer(mode_command(SYSTEM, ARDUPILOT.lead))
        await client.ask(ARM, 1)
        assert await client.ask(TAKE_OFF, 0, 0, 0, 0, 0, 0, 1.0) == ACCEPTED
        for _ in range(6):
            client.say(heartbeat())
            await asyncio.sleep(1.0)
        assert face.mode == ARDUPILOT.lead and world.truth().flying
        await asyncio.sleep(12.0)
        assert world.truth().flying != lands

    with_face(script, ARDUPILOT)
