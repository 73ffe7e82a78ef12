"""The adapter of a multicopter against the face of its autopilot: what it flies and refuses, who has the last word, and
what lost datagrams do to it."""

from __future__ import annotations

import asyncio
import math
import socket
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("pymavlink")

from mavlink_wire import Wired, fly, kinds, pilot
from pymavlink.dialects.v20 import common as mavlink
from wire import PLAIN, ROOM, Port, Wire, assert_ends_as_in_simulation, office

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import RobotError, SkillFailed, UsageError
from sayso.events import Warned
from sayso.executive.guards import AFTER_S
from sayso.limits import LimitReached
from sayso.plugins.machines import machines, reached
from sayso.robots.check import check
from sayso.robots.drone.mavlink.adapter import AHEAD_M, Mavlink
from sayso.robots.drone.mavlink.face import Rehearsal
from sayso.robots.drone.mavlink.link import Address
from sayso.robots.drone.mavlink.protocol import ARDUPILOT, PX4, Stack, codec, placed
from sayso.scene import Pose

STACKS = pytest.mark.parametrize("stack", [PX4, ARDUPILOT], ids=lambda stack: stack.name)


def told(machine: Wired) -> list[str]:
    """What its face was told to do."""
    return [text for _, text in machine.face.log if not text.startswith("command")]


def in_the_air(machine: Wired, script: Callable[[], Any]) -> None:
    """Run a script with a machine that has taken off, when its mission is over for so long that it may move again."""

    async def main() -> None:
        async with Agent(machine) as agent:
            async for _ in agent.say("take off"):
                pass
            await asyncio.sleep(AFTER_S + 0.5)
            await script()

    SimClock().run(main())


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
    assert_ends_as_in_simulation(fly(machine, PLAIN[4]), PLAIN[4])
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


def test_without_a_zone_nothing_moves_and_the_person_is_told_how_to_set_one() -> None:
    machine = Wired(room=None)
    ended = fly(machine, "take off and go forward 1 metre").ended
    assert ended.outcome == "refused" and "--zone ahead=3" in ended.reason
    assert told(machine) == []


def test_the_check_list_is_told_before_the_first_motion() -> None:
    [said] = [e.text for e in fly(Wired(), "take off").events if isinstance(e, Warned)]
    assert said == (
        "before it moves: link answers; battery 99%; zone x -2.5..2.5 m, y -2..2 m, up to 2.4 m; "
        "place stands at x 0.0 m, y 0.0 m; failsafe COM_OBL_RC_ACT 4, after 1 s; "
        "failsafe in hold NAV_DLL_ACT 3, after 10 s"
    )


@pytest.mark.parametrize(
    ("stack", "name", "value", "says"),
    [
        (PX4, "COM_OBL_RC_ACT", 0.0, "must be to land, by COM_OBL_RC_ACT 4"),
        (PX4, "COM_OBL_RC_ACT", 3.0, "COM_OBL_RC_ACT 3, after 1 s"),
        (PX4, "COM_OF_LOSS_T", 60.0, "must be COM_OF_LOSS_T at most 10 s"),
        (PX4, "NAV_DLL_ACT", 0.0, "must be to land, by NAV_DLL_ACT 3"),
        (PX4, "COM_DL_LOSS_T", 60.0, "must be COM_DL_LOSS_T at most 10 s"),
        (ARDUPILOT, "FS_GCS_ENABLE", 0.0, "must be to land, by FS_GCS_ENABLE 5"),
        (ARDUPILOT, "FS_GCS_ENABLE", 1.0, "must be to land, by FS_GCS_ENABLE 5"),
    ],
)
def test_a_machine_that_would_not_land_by_itself_does_not_set_out(
    stack: Stack, name: str, value: float, says: str
) -> None:
    machine = Wired(stack=stack)
    machine.face.params[name] = (value, machine.face.params[name][1])
    ended = fly(machine, "take off").ended
    assert ended.outcome == "refused" and says in ended.reason
    assert told(machine) == []


def test_one_that_tells_no_failsafe_or_no_battery_does_not_set_out(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Wired()
    del machine.face.params["COM_OBL_RC_ACT"]
    assert "COM_OBL_RC_ACT unknown" in fly(machine, "take off").ended.reason
    machine = Wired()
    machine.wire.eats = lambda data: "SYS_STATUS" in kinds(data)
    with pytest.raises(RobotError, match="tells no SYS_STATUS"):
        fly(machine, "take off")


def test_what_a_pilot_has_in_the_air_is_left_to_him() -> None:
    machine = Wired()

    async def main() -> None:
        machine.world.quadrotor.arm()
        with pytest.raises(RobotError, match="whoever flies it brings it down first"):
            await machine.open()

    SimClock().run(main())
    assert told(machine) == []


def test_who_takes_the_remote_control_has_the_last_word() -> None:
    machine = Wired()
    position = next(mode for mode, name in PX4.modes.items() if name == "position")

    async def script() -> None:
        moving = asyncio.ensure_future(machine.move(2.0, 0.0, 0.0))
        await asyncio.sleep(1.0)
        pilot(machine.face, position)
        with pytest.raises(SkillFailed, match="has chosen the mode position"):
            await moving
        with pytest.raises(SkillFailed, match="which it keeps until it has landed"):
            await machine.turn(1.0)
        for told_to in (machine.halt, machine.land, machine.rest):
            with pytest.raises(RobotError, match="its pilot flies it by hand"):
                await told_to()
        assert machine.face.mode == position and "by its pilot" in machine.state().summary
        pilot(machine.face, PX4.lead)
        await asyncio.sleep(1.5)
        await machine.move(0.5, 0.0, 0.0)

    in_the_air(machine, script)


def test_what_the_autopilot_does_by_itself_is_not_taken_back_in_the_air() -> None:
    machine = Wired()

    async def script() -> None:
        moving = asyncio.ensure_future(machine.move(2.0, 0.0, 0.0))
        await asyncio.sleep(1.0)
        machine.face._complain("Low battery, landing")
        machine.face._go(PX4.land)
        with pytest.raises(SkillFailed, match=r"the mode land \(Low battery, landing\)"):
            await moving
        with pytest.raises(SkillFailed, match="keeps until it has landed"):
            await machine.move(0.5, 0.0, 0.0)
        assert machine.face.mode == PX4.land

    in_the_air(machine, script)


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


@STACKS
def test_stop_is_to_hold_and_the_next_motion_takes_the_lead_again(stack: Stack) -> None:
    machine = Wired(stack=stack)

    async def script() -> None:
        moving = asyncio.ensure_future(machine.move(2.0, 0.0, 0.0))
        await asyncio.sleep(1.5)
        assert machine.world.truth().speed_mps > 0.4
        moving.cancel()
        await machine.halt()
        assert machine.world.truth().speed_mps < 0.2 and machine.face.mode == stack.hold
        here = machine.world.truth().pose
        await asyncio.sleep(5.0)
        assert machine.world.truth().pose.distance_m(here) < 0.1
        await machine.move(0.5, 0.0, 0.0)
        assert machine.world.truth().pose.distance_m(here.moved(0.5)) < 0.2

    in_the_air(machine, script)


def test_where_it_refuses_to_hold_the_point_that_leads_it_stands_still() -> None:
    """PX4 knows no hold without satellites."""
    machine = Wired()
    obey = machine.face._set_mode
    no = int(mavlink.MAV_RESULT_DENIED)
    machine.face._set_mode = lambda mode: no if mode == PX4.hold else obey(mode)  # type: ignore[method-assign]

    async def script() -> None:
        moving = asyncio.ensure_future(machine.move(2.0, 0.0, 0.0))
        await asyncio.sleep(1.5)
        moving.cancel()
        await machine.halt()
        assert machine.face.mode == PX4.lead and machine.world.truth().speed_mps < 0.2
        here = machine.world.truth().pose
        await asyncio.sleep(5.0)
        assert machine.world.truth().pose.distance_m(here) < 0.15 and machine.face.mode == PX4.lead

    in_the_air(machine, script)


def test_it_halts_from_any_thread_and_while_the_loop_is_blocked() -> None:
    """A datagram needs no loop (S5)."""
    machine = Wired()

    async def script() -> None:
        moving = asyncio.ensure_future(machine.move(2.0, 0.0, 0.0))
        await asyncio.sleep(1.0)
        thread = threading.Thread(target=machine.halt_now)
        thread.start()
        thread.join()
        await asyncio.sleep(1.0)
        assert "mode hold" in told(machine) and machine.world.truth().speed_mps < 0.3
        with pytest.raises(SkillFailed, match="told to stop"):
            await moving

    in_the_air(machine, script)


def test_motors_are_cut_only_where_a_person_set_that() -> None:
    machine = Wired()
    assert machine.cut is None
    machine.cut = machine.drop

    async def script() -> None:
        await machine.drop()
        assert not machine.world.truth().flying

    in_the_air(machine, script)


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
    outcomes = [fly(Wired(Wire(0.1, seed)), PLAIN[4]).ended.outcome for seed in range(3)]
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


def test_where_nobody_is_heard_the_person_is_told_what_to_look_at() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(RobotError, match="does another program"):
            SimClock().run(Mavlink(ROOM, Address(port=port)).open())
        with pytest.raises(RobotError, match="is it switched on"):
            SimClock().run(Mavlink(ROOM, Address(port=port, calls=True)).open())


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("", "udp:127.0.0.1:14540"),
        ("udp://:14550", "udp:127.0.0.1:14550"),
        ("udp:0.0.0.0:14540", "udp:0.0.0.0:14540"),
        ("udpin://10.0.0.2:1", "udp:10.0.0.2:1"),
        ("udpout:10.0.0.7:14550", "udpout:10.0.0.7:14550"),
    ],
)
def test_addresses_are_written_as_others_write_them(text: str, address: str) -> None:
    assert reached(f"mavlink:{text}", "").identity == f"mavlink:{address}"


@pytest.mark.parametrize("text", ["tcp:127.0.0.1:5760", "udp:host:port", "/dev/ttyACM0"])
def test_what_is_no_address_is_a_clear_refusal(text: str) -> None:
    with pytest.raises(UsageError, match="is written udp:HOST:PORT"):
        reached(f"mavlink:{text}", "")


def test_it_is_one_machine_with_an_identity_and_its_dry_run_is_none() -> None:
    assert reached("fake:mavlink", "").identity == "" and "mavlink" in machines()
    assert check(Mavlink(ROOM, Address())) == [] and check(Rehearsal(ROOM)) == []


@pytest.mark.parametrize("where", ["mavlink", "fake:mavlink"])
def test_without_pymavlink_the_person_is_told_what_to_install(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*sys.modules]:
        if name.startswith(("pymavlink", "sayso.robots.drone.mavlink.")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pymavlink", None)
    with pytest.raises(UsageError, match=r"pip install 'sayso\[mavlink\]'"):
        reached(where, "")
