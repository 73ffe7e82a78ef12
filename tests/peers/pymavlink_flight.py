"""Runs in the peers' Python: pymavlink's ground station flies whatever autopilot calls on the port that it is given,
and prints what it saw.

python pymavlink_flight.py PORT
"""

from __future__ import annotations

import json
import math
import sys
import time
from importlib.metadata import version

from pymavlink import mavutil, mavwp


def main(port: int) -> None:
    line = mavutil.mavlink_connection(f"udpin:127.0.0.1:{port}", dialect="common", source_system=250)
    beat = line.wait_heartbeat(timeout=20)
    mav = mavutil.mavlink
    seen: dict[str, object] = {"version": version("pymavlink"), "autopilot": beat.autopilot, "mode": line.flightmode}
    seen["modes"] = "OFFBOARD" in line.mode_mapping()

    def command(number: int, *params: float) -> int:
        seven = [*params, *[0.0] * (7 - len(params))]
        line.mav.command_long_send(line.target_system, line.target_component, number, 0, *seven)
        ack = line.recv_match(type="COMMAND_ACK", condition=f"COMMAND_ACK.command=={number}", blocking=True, timeout=5)
        return int(ack.result)

    def place() -> list[float]:
        at = line.recv_match(type="LOCAL_POSITION_NED", blocking=True, timeout=5)
        return [at.x, at.y, at.z]

    line.param_fetch_all()
    names = set()
    for _ in range(50):
        told = line.recv_match(type="PARAM_VALUE", blocking=True, timeout=2)
        names |= {told.param_id} if told else set()
        if told is None or len(names) == told.param_count:
            break
    seen["params"] = sorted(names)
    line.waypoint_request_list_send()
    seen["mission"] = line.recv_match(type="MISSION_COUNT", blocking=True, timeout=5).count
    loader = mavwp.MAVWPLoader(line.target_system, line.target_component)
    line.waypoint_count_send(loader.count() + 1)
    seen["upload"] = line.recv_match(type="MISSION_ACK", blocking=True, timeout=5).type
    for number in (mav.MAVLINK_MSG_ID_LOCAL_POSITION_NED, mav.MAVLINK_MSG_ID_ATTITUDE):
        assert command(mav.MAV_CMD_SET_MESSAGE_INTERVAL, number, 50_000) == 0
    start = place()

    def lead(north: float, east: float, down: float, yaw: float, seconds: float) -> None:
        until_s = time.monotonic() + seconds
        while time.monotonic() < until_s:
            line.mav.set_position_target_local_ned_send(
                0, line.target_system, line.target_component, mav.MAV_FRAME_LOCAL_NED, 0b100111111000,
                north, east, down, 0, 0, 0, 0, 0, 0, yaw, 0,
            )  # fmt: skip
            line.recv_match(blocking=False)
            time.sleep(0.05)

    seen["unled"] = command(mav.MAV_CMD_DO_SET_MODE, 1, 6, 0)
    lead(*start, 0.7, 0.5)
    line.set_mode("OFFBOARD")
    seen["armed"] = command(mav.MAV_CMD_COMPONENT_ARM_DISARM, 1)
    lead(start[0], start[1], start[2] - 1.0, 0.7, 5.0)
    lead(start[0] + 1.0, start[1] + 0.5, start[2] - 1.0, -math.pi / 2, 6.0)
    while line.recv_match(blocking=False):
        pass
    seen["flown"] = [round(there - here, 2) for there, here in zip(place(), start, strict=True)]
    seen["yaw"] = round(line.recv_match(type="ATTITUDE", blocking=True, timeout=5).yaw, 2)
    seen["led"] = line.flightmode
    time.sleep(3.0)  # nobody leads: COM_OBL_RC_ACT says to land
    until_s = time.monotonic() + 20.0
    while line.motors_armed() and time.monotonic() < until_s:
        line.recv_match(type="HEARTBEAT", blocking=True, timeout=2)
    seen["failsafe"], seen["lands"] = line.flightmode, not line.motors_armed()
    print(json.dumps(seen), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
