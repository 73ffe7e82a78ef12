"""The adapter of a multicopter against the face of its autopilot: what it flies and refuses, and what lost datagrams
do to it."""

from __future__ import annotations

import asyncio
import math
import socket
from typing import Any

import pytest

pytest.importorskip("pymavlink")

from mavlink_wire import Wired, fly, in_the_air, kinds, told
from pymavlink.dialects.v20 import common as mavlink
from wire import PLAIN, Port, Wire, assert_ends_as_in_simulation, office

from sayso.limits import LimitReached
from sayso.robots.drone.mavlink.adapter import AHEAD_M
from sayso.robots.drone.mavlink.protocol import ARDUPILOT, PX4, codec, placed
from sayso.scene import Pose


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (placed(11.0, 20.0, -3.0, 0.0), Pose(0.0, 1.0, 2.0, math.pi / 2)),
        (placed(10.0, 21.0, -1.0, math.pi / 2), Pose(1.0, 0.0, 0.0, 0.0)),
        (placed(10.0, 19.0, 0.5, math.pi), Pose(-1.0, 0.0, -1.5, -math.pi / 2)),
    ],
)
def test_north_east_down_is_ours_turned_by_the_heading_it_stood_at(theirs: Pose, ours: Pose) -> None:
    """Connected with its nose to the east: what lies north of it is on its left."""
    stood = placed(10.0, 20.0, -1.0, math.pi / 2)
    pose, back = theirs.seen_from(stood), stood.moved(ours.x_m, ours.y_m, ours.z_m, ours.yaw_rad)
    assert pose.distance_m(ours) < 1e-9 and abs(math.remainder(pose.yaw_rad - ours.yaw_rad, 2 * math.pi)) < 1e-9
    assert back.distance_m(theirs) < 1e-9
    assert abs(math.remainder(back.yaw_rad - theirs.yaw_rad, 2 * math.pi)) < 1e-9


@pytest.mark.parametrize("wish", PLAIN)
def test_plain_commands_end_as_in_simulation(wish: str) -> None:
    assert_ends_as_in_simulation(fly(Wired(), wish), wish)


def test_ardupilot_flies_the_same() -> None:
    machine = Wired(stack=ARDUPILOT)
    assert_ends_as_in_simulation(fly(machine, PLAIN[1]), PLAIN[1])
    assert told(machine)[:3] == ["mode guided", "arm", "takeoff"]


def test_the_point_that_leads_it_is_never_far_ahead_and_never_outside_the_zone() -> None:
    machine, ahead_m = Wired(), [0.0]

    def look(data: bytes) -> bool:
        for message in codec(0, 0).parse_buffer(data) or ():
            if message.get_type() == "SET_POSITION_TARGET_LOCAL_NED":
                aim = placed(message.x, message.y, message.z, message.yaw).seen_from(machine._origin)
                ahead_m.append(aim.distance_m(machine.pose))
                assert machine.limits.beyond_m(aim) < 0.05
        return False

    machine.wire.eats = look
    assert fly(machine, "take off, go forward 2 metres, turn around, go forward 4 metres").ended.outcome == "achieved"
    assert 0.3 < max(ahead_m) < AHEAD_M + 0.1


def test_a_refusal_to_arm_is_told_in_the_autopilots_words() -> None:
    machine = Wired(world=office())

    def refuses() -> int:
        machine.face._complain("Preflight Fail: compass not calibrated")
        return int(mavlink.MAV_RESULT_DENIED)

    machine.face._arm = refuses  # type: ignore[method-assign]
    flown = fly(machine, "take off")
    assert "refuses to start its motors: Preflight Fail: compass not calibrated" in flown.ended.reason
    assert not flown.truth.flying


def test_a_place_that_jumps_ends_all_motion_but_landing() -> None:
    machine = Wired()

    async def script() -> None:
        place = machine.face._local_position

        def elsewhere() -> Any:
            message = place()
            message.x += 5.0
            return message

        machine.face._tells[mavlink.MAVLINK_MSG_ID_LOCAL_POSITION_NED] = elsewhere
        await asyncio.sleep(0.2)
        with pytest.raises(LimitReached, match=r"jumped by 5\.\d m"):
            await machine.move(0.5, 0.0, 0.0)
        assert "the zone is elsewhere" in machine.unfit()
        await machine.land()

    in_the_air(machine, script)


def test_a_way_out_of_the_zone_is_refused_before_it_is_flown() -> None:
    machine = Wired()
    fly(machine, "take off, go forward 4 metres")
    assert told(machine) == ["mode offboard", "arm", "mode land"] or "arm" not in told(machine)


def test_less_than_it_can_move_is_refused_before_anything_moves() -> None:
    machine = Wired()
    assert "must be 10 to 500 cm, not 5" in fly(machine, "go forward 5 cm").ended.reason
    assert told(machine) == []


def test_what_needs_eyes_says_in_a_sentence_that_there_are_none() -> None:
    machine = Wired()
    assert "this drone sees nothing" in fly(machine, "do you see a chair?").ended.reason
    assert told(machine) == []


def test_a_command_whose_answer_was_lost_is_sent_again_and_harms_nothing() -> None:
    machine, left = Wired(), [3]

    def eats(data: bytes) -> bool:
        lost = "COMMAND_ACK" in kinds(data) and machine.flying and left[0] > 0
        left[0] -= lost
        return lost

    machine.wire.eats = eats
    assert fly(machine, "take off, go forward 1 metre and land").ended.outcome == "achieved" and left == [0]
    assert told(machine) == ["mode offboard", "arm", "mode land"]


def test_a_tenth_of_all_datagrams_may_get_lost() -> None:
    outcomes = [fly(Wired(Wire(0.1, seed)), PLAIN[1]).ended.outcome for seed in range(3)]
    assert outcomes == ["achieved"] * 3


def test_a_router_that_begins_again_on_another_port_is_followed_and_a_stranger_is_not() -> None:
    machine = Wired()

    async def script() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            stranger.bind(("127.0.0.2", 0))
            beat = mavlink.MAVLink_heartbeat_message(2, PX4.autopilot, 1, min(PX4.hands), 3, 3)
            stranger.sendto(beat.pack(codec(1, 1)), ("127.0.0.1", machine.link.port))
            await asyncio.sleep(0.1)
            assert machine.link._peer[0] == "127.0.0.1"
        first, again = machine.wire.near, Port(lambda data: machine.wire.far.say(data))
        port = await again.open()
        again.peer, machine.wire.near = ("127.0.0.1", machine.link.port), again
        first.close()
        await asyncio.sleep(0.3)
        assert machine.link._peer == ("127.0.0.1", port)
        await machine.move(0.5, 0.0, 0.0)

    in_the_air(machine, script)
