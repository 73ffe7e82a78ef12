"""MAVLink against software that is not ours: MAVSDK and pymavlink's ground station fly the face of an autopilot, and
our adapter meets MAVSDK's own autopilot side. Each in a process of its own."""

from __future__ import annotations

import asyncio
import json
import math
import os
from pathlib import Path
from typing import Any

import pytest
from peer_server import PYTHON, need

pytest.importorskip("pymavlink")

from pymavlink.dialects.v20 import common as mavlink

from sayso.agent import Agent
from sayso.clock import WallClock
from sayso.errors import RobotError, SkillFailed
from sayso.plugins.machines import StakedRoom, reached
from sayso.robots.drone.mavlink import adapter
from sayso.robots.drone.mavlink.adapter import Mavlink
from sayso.robots.drone.mavlink.emulator import Emulator
from sayso.robots.drone.mavlink.link import Address
from sayso.robots.drone.mavlink.protocol import PX4
from sayso.robots.drone.world.office import Office
from sayso.world import Truth

HERE = Path(__file__).parent
FLIGHT_MAX_S = 180.0
SITL = os.environ.get("SAYSO_SITL", "")
"""Where an autopilot's own simulator is met, as in `--robot mavlink:ADDRESS`."""

pytestmark = pytest.mark.peer


async def client(script: str, port: int) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(PYTHON, str(HERE / script), str(port), stdin=pipe, stdout=pipe)


async def saw(process: asyncio.subprocess.Process) -> dict[str, Any]:
    async with asyncio.timeout(FLIGHT_MAX_S):
        out, _ = await process.communicate(b"")
    assert process.returncode == 0
    seen: dict[str, Any] = json.loads(out.splitlines()[-1])
    print(seen)
    return seen


async def free_port() -> int:
    line = Mavlink(None, Address(port=0)).link
    await line.open()
    port = line.port
    line.close()
    await asyncio.sleep(0.1)
    return port


async def refused(machine: Mavlink) -> str:
    """Why it does not connect; a process that starts slowly is waited for."""
    for _ in range(10):
        try:
            await machine.open()
        except RobotError as error:
            if "is heard on" not in str(error):
                return str(error)
    return ""


def flown(script: str) -> tuple[dict[str, Any], Truth]:
    """What a client saw of a flight, and what was so at its end."""

    async def main() -> tuple[dict[str, Any], Truth]:
        world = Office("empty")
        face, running = Emulator(world.drone), asyncio.ensure_future(world.run())
        port = await free_port()
        process = await client(script, port)
        await face.open(to=("127.0.0.1", port))
        seen = await saw(process)
        running.cancel()
        face.close()
        return seen, world.truth()

    return WallClock().run(main())


def test_mavsdk_flies_the_face_of_an_autopilot() -> None:
    need("mavsdk")
    seen, truth = flown("mavsdk_flight.py")
    assert seen["battery"] >= 98 and seen["failsafe"] == 4 and seen["after_s"] == 1.5
    assert seen["unled"] == "OffboardError" and (seen["mode"], seen["led"], seen["stopped"]) == (
        "HOLD",
        "OFFBOARD",
        "HOLD",
    )
    assert seen["flown"] == pytest.approx([1.0, -0.5, 0.0], abs=0.1) and seen["yaw_deg"] == pytest.approx(90, abs=3)
    assert "mission" in seen
    assert not truth.flying and not truth.crashed and not truth.contacts


def test_pymavlinks_ground_station_flies_the_face_of_an_autopilot() -> None:
    need("pymavlink")
    seen, truth = flown("pymavlink_flight.py")
    assert seen["autopilot"] == 12 and seen["modes"] and seen["mode"] == "LOITER", "its word for PX4's hold"
    assert "COM_OBL_RC_ACT" in seen["params"] and seen["mission"] == 0 and seen["upload"] != 0
    assert seen["unled"] == 1 and seen["armed"] == 0 and seen["led"] == "OFFBOARD"
    assert seen["flown"] == pytest.approx([1.0, 0.5, -1.0], abs=0.1) and seen["yaw"] == pytest.approx(-1.57, abs=0.05)
    assert seen["failsafe"] == "LAND" and seen["lands"]
    assert not truth.flying and not truth.crashed and not truth.contacts


def test_our_adapter_meets_mavsdks_autopilot_and_gives_up_on_what_does_not_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It says that it is a generic autopilot, which is refused; taken for a PX4 it is asked like one."""
    need("mavsdk")

    async def main() -> dict[str, Any]:
        port = await free_port()
        machine, autopilot = (
            Mavlink(StakedRoom(2, 2, 2, 2, 2), Address(port=port)),
            await client("mavsdk_autopilot.py", port),
        )
        assert "no multicopter with PX4 or ArduPilot" in await refused(machine)
        monkeypatch.setattr(adapter, "STACKS", {mavlink.MAV_AUTOPILOT_GENERIC: PX4, mavlink.MAV_AUTOPILOT_INVALID: PX4})
        monkeypatch.setattr(adapter, "COPTERS", range(256))
        await machine.open()
        state = machine.state()
        assert state.connected and state.resting and 0.5 < state.charge < 1.0
        assert machine._origin.yaw_rad == pytest.approx(-math.pi / 2, abs=0.01)
        assert not [check for check in machine.checks() if check.must]
        with pytest.raises(SkillFailed):
            await machine.take_off()
        await machine.close()
        return await saw(autopilot)

    seen = WallClock().run(main())
    assert "OFFBOARD" in seen["mode"] and seen["arm"] == ["True"], seen


@pytest.mark.skipif(not SITL, reason="SAYSO_SITL names no autopilot's own simulator, such as udp:127.0.0.1:14540")
@pytest.mark.parametrize("stopped", [False, True], ids=["lands", "is stopped"])
def test_an_autopilots_own_simulator_is_flown(stopped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PX4's or ArduPilot's, set up as docs/mavlink.md has it. Nobody had one yet: only our own face was flown so."""
    monkeypatch.setenv("SAYSO_HOME", str(tmp_path))

    async def main() -> None:
        machine = reached(f"mavlink:{SITL}", "ahead=6,back=4,left=4,right=4,up=4")
        agent = Agent(machine)
        async with asyncio.timeout(FLIGHT_MAX_S):
            while reason := await not_open(agent):  # until it knows where it is
                print(reason)
                await asyncio.sleep(2.0)
        try:
            flying = asyncio.ensure_future(
                agent.do("take off, go forward 2 metres, turn left, go forward 1 metre, land")
            )
            async with asyncio.timeout(FLIGHT_MAX_S):
                if stopped:
                    while machine.state().pose.x_m < 0.5 and not flying.done():
                        await asyncio.sleep(0.05)
                    agent.stop("a person")
                    assert (await flying).outcome == "stopped"
                    at = machine.state().pose
                    await asyncio.sleep(3.0)
                    assert machine.state().pose.distance_m(at) < 0.5, "it holds where it was stopped"
                else:
                    result = await flying
                    assert result.outcome == "achieved", result
                    assert (machine.state().pose.x_m, machine.state().pose.y_m) == pytest.approx((2.0, 1.0), abs=0.6)
        finally:
            agent.release()
            await agent.close()  # lands it: the next one finds its motors off

    WallClock().run(main())


async def not_open(agent: Agent) -> str:
    """Why it does not connect yet."""
    try:
        await agent.open()
    except RobotError as error:
        return str(error)
    return ""
