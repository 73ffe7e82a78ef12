"""What a node writes into its graph, byte by byte, and that over a real network too; the judges are tests/peers."""

from __future__ import annotations

import asyncio
import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ros_wire import ROOM, Nothing, free_port

from sayso.agent import Agent
from sayso.clock import SimClock, WallClock
from sayso.robots.base.ros.cdr import read, write
from sayso.robots.base.ros.emulator import STANDS, Emulator
from sayso.robots.base.ros.messages import (
    KINDS,
    Answer,
    BatteryState,
    Header,
    Odometry,
    Time,
    Twist,
    TwistStamped,
    Vector3,
)
from sayso.robots.base.ros.node import Bus, Graph, Node
from sayso.robots.base.world import Hall


def test_a_twist_is_six_numbers_behind_four_bytes() -> None:
    assert write(Twist(Vector3(x=0.5), Vector3(z=-2.0))).hex() == (
        "00010000" + "000000000000e03f" + "00" * 16 + "00" * 16 + "00000000000000c0"
    )


def test_a_number_begins_where_its_size_allows() -> None:
    """Behind the odd text of a frame eight-byte numbers begin at the next eighth byte."""
    data = write(TwistStamped(Header(Time(1, 2), "ab"), Twist(Vector3(1.0))))
    assert data[4:].hex().startswith("01000000" + "02000000" + "03000000" + "616200" + "00" + "000000000000f03f")
    assert write(Answer(True, "yes")).hex() == "00010000" + "01000000" + "04000000" + "79657300"
    assert write(Nothing()).hex() == "0001000000", "no field takes a byte"


def test_the_other_order_is_read_too() -> None:
    assert read(Answer, bytes.fromhex("00000000" + "01000000" + "00000004" + "79657300")) == Answer(True, "yes")


@given(
    st.builds(
        lambda **told: BatteryState(**told),
        header=st.text(st.characters(blacklist_characters="\0", codec="utf-8")).map(lambda name: Header(frame_id=name)),
        percentage=st.floats(width=32, allow_nan=False),
        power_supply_status=st.integers(0, 255),
        cell_voltage=st.lists(st.floats(width=32, allow_nan=False), max_size=9).map(tuple),
        serial_number=st.sampled_from(["", "a", "abcde"]),
    )
)
def test_what_was_written_is_read_again(message: BatteryState) -> None:
    assert read(BatteryState, write(message)) == message


@given(st.binary(max_size=200), st.sampled_from([*KINDS, Answer]))
def test_any_bytes_are_read_or_refused(data: bytes, kind: type) -> None:
    for front in (b"", b"\0\1\0\0", b"\0\0\0\0"):
        with contextlib.suppress(ValueError):
            assert isinstance(read(kind, front + data), kind)


def test_keys_tokens_and_attachments_are_those_of_rmw_zenoh() -> None:
    async def main() -> None:
        bus = Bus()
        line, other = bus.end(), bus.end()
        heard: list[tuple[str, bytes, bytes]] = []
        line.put = lambda *sent: heard.append(sent)  # type: ignore[method-assign, assign]
        publish = Node(line, Graph(7, "/r1"), "sayso").publishes("cmd_vel", Twist)
        publish(Twist())
        publish(Twist())
        twist = (
            "geometry_msgs::msg::dds_::Twist_/RIHS01_9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a"
        )
        assert [key for key, _, _ in heard] == [f"7/r1/cmd_vel/{twist}"] * 2
        first, second = (attached for _, _, attached in heard)
        assert len(first) == 33 and first[:8] == bytes([1, *[0] * 7]) and second[0] == 2, "counted from one"
        assert first[16] == 16 and first[17:] == second[17:], "one sender"
        tokens = await other.declared("@ros2_lv/7/*/*/*/MP/*/*/*/*/*/*/*")
        assert tokens == [f"@ros2_lv/7/1/0/1/MP/%/%r1/sayso/%r1%cmd_vel/{twist}/::,10:,:,:,,"]
        assert await other.declared("@ros2_lv/7/*/*/*/NN/*/*/*") == ["@ros2_lv/7/1/0/0/NN/%/%r1/sayso"]
        kinds = await Node(other, Graph(7, "/r1"), "other").kinds("MP", "cmd_vel")
        assert kinds == {KINDS[Twist].key}

    SimClock().run(main())


def test_who_hears_one_kind_is_not_told_another() -> None:
    async def main() -> None:
        bus, heard = Bus(), list[object]()
        Node(bus.end(), Graph(), "ear").hears("odom", Odometry, heard.append)
        mouth = Node(bus.end(), Graph(), "mouth")
        mouth.publishes("odom", Twist)(Twist())
        mouth.publishes("odom", Odometry)(Odometry())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert heard == [Odometry()]

    SimClock().run(main())


def test_over_zenoh_it_drives_and_is_stopped_by_a_node_of_another_session() -> None:
    """On loopback, in seconds of the wall."""
    zenoh = pytest.importorskip("zenoh")
    from sayso.plugins.machines import reached
    from sayso.robots.base.ros.messages import TRIGGER
    from sayso.robots.base.ros.node import ATTACHED
    from sayso.robots.base.ros.session import Session, _config, listen

    async def main() -> None:
        endpoint = f"tcp/127.0.0.1:{free_port()}"
        hall = Hall(STANDS)
        face, running = Emulator(hall), asyncio.ensure_future(hall.run())
        line = listen(endpoint)
        face.open(line)
        zone = f"ahead={ROOM.ahead},back={ROOM.back},left={ROOM.left},right={ROOM.right}"
        try:
            async with Agent(reached(f"ros:@{endpoint}", zone)) as agent:
                assert (await agent.do("turn left 45 degrees")).outcome == "achieved"
                moving = asyncio.ensure_future(agent.do("go forward 2 metres"))
                await asyncio.sleep(1.0)
                with zenoh.open(_config(connect=endpoint)) as other:
                    await asyncio.sleep(0.7)  # until it is known there who serves what
                    key = Graph().key("sayso/stop", TRIGGER)
                    attached = ATTACHED.pack(3, 0, 16, bytes(16))
                    asking = asyncio.to_thread(
                        lambda: list(other.get(key, payload=write(Nothing()), attachment=attached))
                    )
                    [reply] = await asking
                    assert read(Answer, reply.ok.payload.to_bytes()).success
                assert (await moving).outcome == "stopped" and agent.executive.stopped_by == "ros"
                agent.release()
        finally:
            running.cancel()
            face.close()
        turned = math.remainder(hall.truth().pose.yaw_rad - STANDS.yaw_rad, 2 * math.pi)
        assert turned == pytest.approx(math.pi / 4, abs=0.12)
        assert hall.truth().speed_mps < 0.02 and isinstance(line, Session)

    WallClock().run(main())


def test_where_no_router_answers_the_person_is_told_what_to_start() -> None:
    pytest.importorskip("zenoh")
    from sayso.errors import RobotError
    from sayso.robots.base.ros.session import connect

    with pytest.raises(RobotError, match="rmw_zenohd` started"):
        asyncio.run(connect(f"tcp/127.0.0.1:{free_port()}"))
