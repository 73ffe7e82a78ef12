"""The face of a Tello, judged by a client that is not ours: djitellopy 2.5.0, in a process of its own."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path

import pytest
from peer_server import PYTHON, need

from sayso.clock import WallClock
from sayso.robots.drone.tello.emulator import Emulator
from sayso.robots.drone.world.office import Office

SCRIPT = Path(__file__).with_name("djitellopy_flight.py")
FLIGHT_MAX_S = 120.0

pytestmark = pytest.mark.peer


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


def test_djitellopy_flies_the_face_of_a_tello() -> None:
    need("djitellopy", "av")

    async def main() -> None:
        world = Office("empty")
        start, state_port = world.truth().pose, free_port()
        face = Emulator(world.drone, state_port)
        running = asyncio.ensure_future(world.run())
        client = await asyncio.create_subprocess_exec(
            PYTHON, str(SCRIPT), str(await face.open()), str(state_port), stdout=asyncio.subprocess.PIPE
        )
        async with asyncio.timeout(FLIGHT_MAX_S):
            out, _ = await client.communicate()
        running.cancel()
        face.close()
        assert client.returncode == 0
        seen = json.loads(out)
        print(f"djitellopy {seen['version']} connected in {seen['connected_s']} s: {seen}")
        assert seen["battery"] >= 98 and seen["sdk"] == "20" and seen["flight_s"] > 5
        assert seen["height_cm"] == 120 and abs(seen["yaw_deg"] + 90) <= 1
        assert "out of range" in seen["refused"][0] and "No video" in seen["refused"][1]
        truth = world.truth()
        turned = start.moved(forward_m=1.0, turn_rad=1.5708)
        assert not truth.flying and not truth.contacts
        assert truth.pose.distance_m(turned.moved(forward_m=0.3, left_m=0.4)) < 0.3, [t for _, t in face.log]

    WallClock().run(main())
