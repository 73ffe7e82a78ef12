"""ROS 2 against software that is not ours: zenoh-ros2-sdk drives the face of a base, and is a base that our adapter
drives and whose node stops it; rosbags reads and writes the same bytes and knows the same hashes."""

from __future__ import annotations

import asyncio
import json
import math
import socket
from pathlib import Path
from typing import Any

import pytest
from peer_server import PYTHON, need

pytest.importorskip("zenoh")

from sayso.agent import Agent
from sayso.clock import WallClock
from sayso.events import MissionEnded, Stopped
from sayso.plugins.machines import reached
from sayso.robots.base.ros.cdr import read, write
from sayso.robots.base.ros.emulator import Emulator
from sayso.robots.base.ros.messages import (
    CANCEL_GOAL,
    GET_RESULTS,
    KINDS,
    SEND_GOAL,
    TRIGGER,
    BatteryState,
    CameraInfo,
    CompressedImage,
    Header,
    Odometry,
    Quaternion,
    Region,
    Spot,
    SpotWithCovariance,
    Text,
    TFMessage,
    Time,
    TransformStamped,
    Twist,
    TwistStamped,
    Vector3,
)
from sayso.robots.base.ros.session import listen
from sayso.robots.base.world import Hall
from sayso.scene import Pose

HERE = Path(__file__).parent
DRIVE_MAX_S = 120.0
HEADER = Header(Time(5, 6), "odom")
SPOT = Spot(Vector3(1.0, 2.0, 3.0), Quaternion(0.0, 0.0, 0.6, 0.8))

pytestmark = pytest.mark.peer


def free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


async def peer(script: str, *words: str) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(PYTHON, str(HERE / script), *words, stdin=pipe, stdout=pipe)


async def saw(process: asyncio.subprocess.Process) -> dict[str, Any]:
    async with asyncio.timeout(DRIVE_MAX_S):
        out, _ = await process.communicate(b"")
    assert process.returncode == 0
    seen: dict[str, Any] = json.loads(out.splitlines()[-1])
    print(seen)
    return seen


async def met(robot: str) -> Agent:
    """An agent of it; a process that starts slowly is waited for."""
    agent = Agent(reached(robot, "ahead=3,back=1,left=2,right=2"))
    for _ in range(5):
        try:
            await agent.open()
            break
        except Exception as error:
            print(error)
    return agent


def test_the_sdk_drives_the_face_of_a_base() -> None:
    need("zenoh_ros2_sdk")

    async def main() -> tuple[dict[str, Any], Hall]:
        hall, port = Hall(Pose(-1.0, 0.5, 0.0, 0.6)), free_port()
        face, running = Emulator(hall), asyncio.ensure_future(hall.run())
        face.open(listen(f"tcp/127.0.0.1:{port}"))
        seen = await saw(await peer("ros_peer.py", str(port), "drive"))
        running.cancel()
        face.close()
        return seen, hall

    seen, hall = WallClock().run(main())
    assert seen["ahead"][:3] == pytest.approx([0.9, 0.0, 0.0], abs=0.25) and seen["ahead"][3] == pytest.approx(
        0.3, abs=0.03
    )
    assert seen["left"][:3] == pytest.approx([0.0, 0.0, 1.5], abs=0.35)
    assert seen["back"][:3] == pytest.approx([-0.5, 0.0, 0.0], abs=0.15)
    assert seen["frames"] == ["odom", "base_link", "odom", "base_link"] and seen["charge"] == 0.99
    assert seen["rate_hz"] > 5 and seen["standing"], "nobody speaks any more"
    truth = hall.truth()
    told = truth.start.moved(seen["ahead"][0], turn_rad=seen["left"][2]).moved(seen["back"][0])
    assert told.distance_m(truth.pose) < 0.05 and not truth.contacts


def test_our_adapter_drives_a_base_of_the_sdks_which_stops_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("zenoh_ros2_sdk")
    monkeypatch.setenv("SAYSO_HOME", str(tmp_path))

    async def main() -> tuple[dict[str, Any], list[Any], list[Any], str, Pose]:
        port = free_port()
        router = listen(f"tcp/127.0.0.1:{port}")
        base = await peer("ros_peer.py", str(port), "base")
        agent = await met(f"ros:@tcp/127.0.0.1:{port}")
        first = [event async for event in agent.say("go forward 1 metre and turn left")]
        at = agent.robot.state().pose
        second = [event async for event in agent.say("go forward 2 metres")]
        by = agent.executive.stopped_by
        await agent.close()
        seen = await saw(base)
        router.close()
        return seen, first, second, by, at

    seen, first, second, by, at = WallClock().run(main())
    assert isinstance(first[-1], MissionEnded) and first[-1].outcome == "achieved", first[-1]
    assert (at.x_m, at.y_m) == pytest.approx((1.0, 0.0), abs=0.1) and at.yaw_rad == pytest.approx(math.pi / 2, abs=0.1)
    assert isinstance(second[-1], MissionEnded) and second[-1].outcome == "stopped" and by == "ros"
    assert any(isinstance(event, Stopped) and event.confirmed for event in second)
    assert seen["answered"] == [[True, "told to stand"]] and seen["driven"] < 2.0
    assert 0.25 < seen["fastest"] <= 0.31 and seen["heard"] > 50


def test_an_action_server_on_the_sdks_services_leads_our_adapter_and_is_told_to_leave_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The SDK knows no actions; its services and its publisher make one as rcl does."""
    need("zenoh_ros2_sdk")
    monkeypatch.setenv("SAYSO_HOME", str(tmp_path))

    async def main() -> tuple[dict[str, Any], list[Any], Any, Pose]:
        port = free_port()
        router = listen(f"tcp/127.0.0.1:{port}")
        base = await peer("ros_peer.py", str(port), "navigate")
        agent = await met(f"ros:@tcp/127.0.0.1:{port}")
        first = [event async for event in agent.say("drive to point x 1.5 m y 0 m")]
        at = agent.robot.state().pose
        moving = asyncio.ensure_future(agent.do("drive to point x 0 m y 0 m"))
        await asyncio.sleep(4.0)
        agent.stop("a person")
        second = await moving
        await agent.close()
        seen = await saw(base)
        router.close()
        return seen, first, second, at

    seen, first, second, at = WallClock().run(main())
    assert isinstance(first[-1], MissionEnded) and first[-1].outcome == "achieved", first[-1]
    assert (at.x_m, at.y_m) == pytest.approx((1.5, 0.0), abs=0.3)
    assert second.outcome == "stopped" and seen["cancelled"] and all(seen["cancelled"])
    there = [1.5 * math.cos(0.5), 1.5 * math.sin(0.5)]
    assert seen["goals"][0][:2] == pytest.approx(there, abs=0.05) and seen["goals"][0][2] == "odom"
    assert len(seen["goals"]) == 2 and 0.25 < seen["fastest"] <= 0.31 and 1.7 < seen["driven"] < 4.0


def test_rosbags_computes_the_same_hashes_of_the_services_of_an_action() -> None:
    """Two of those that it computes are known elsewhere: Trigger's, and hiroz has that of Fibonacci's result."""
    need("rosbags")

    async def main() -> dict[str, Any]:
        return await saw(await peer("ros_action.py"))

    seen = WallClock().run(main())
    assert f"RIHS01_{TRIGGER.hash}" == seen["seen"][TRIGGER.name]
    fibonacci = "RIHS01_8b47e383f1e31f6d8df6417ab54957e7d5ea24dad315646ad711ac3fdea81d58"
    assert fibonacci == seen["seen"]["action_tutorials_interfaces/action/Fibonacci_GetResult"]
    for kind in (SEND_GOAL, CANCEL_GOAL):
        assert f"RIHS01_{kind.hash}" == seen["words"][kind.name]
    result = GET_RESULTS[0].name
    assert [f"RIHS01_{kind.hash}" for kind in GET_RESULTS] == [seen["jazzy"][result], seen["words"][result]]


@pytest.mark.parametrize(
    "message",
    [
        Twist(Vector3(0.3, 0.0, -0.1), Vector3(z=0.5)),
        TwistStamped(HEADER, Twist(Vector3(1.0))),
        Odometry(HEADER, "base_link", SpotWithCovariance(SPOT, tuple(map(float, range(36))))),
        TFMessage((TransformStamped(HEADER, "base_link", SPOT), TransformStamped())),
        BatteryState(HEADER, percentage=0.5, cell_voltage=(4.0, 4.25), location="rear"),
        Text("go forward 1 metre"),
        CompressedImage(HEADER, "jpeg", bytes(range(9))),
        CameraInfo(
            HEADER, 240, 320, "plumb_bob", (0.1, 0.2), tuple(map(float, range(9))), roi=Region(1, 2, 3, 4, True)
        ),
    ],
    ids=lambda message: type(message).__name__,
)
def test_rosbags_reads_and_writes_the_same_bytes_and_knows_the_same_hash(message: object) -> None:
    need("rosbags")

    async def main() -> dict[str, Any]:
        name = KINDS[type(message)].name
        return await saw(await peer("rosbags_bytes.py", name, write(message).hex()))

    seen = WallClock().run(main())
    assert seen["hash"] == f"RIHS01_{KINDS[type(message)].hash}"
    assert bytes.fromhex(seen["little"]) == write(message)
    assert read(type(message), bytes.fromhex(seen["big"])) == message, "a robot may have the other order"
