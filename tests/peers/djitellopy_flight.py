"""Runs in the peers' Python: djitellopy flies whatever listens on the ports that it is given, and prints what it saw.

python djitellopy_flight.py COMMAND_PORT STATE_PORT
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version

from djitellopy import Tello
from djitellopy.tello import TelloException


def main(port: int, state_port: int) -> None:
    Tello.CONTROL_UDP_PORT, Tello.STATE_UDP_PORT, Tello.TIME_BTW_COMMANDS = 0, state_port, 0.0
    tello = Tello("127.0.0.1", retry_count=1)
    tello.address = ("127.0.0.1", port)
    began_s = time.monotonic()
    tello.connect()
    seen = {"version": version("djitellopy"), "connected_s": round(time.monotonic() - began_s, 2)}
    seen["battery"] = tello.get_battery()
    seen["sdk"] = tello.query_sdk_version()
    tello.takeoff()
    tello.set_speed(60)
    tello.move_forward(100)
    tello.rotate_counter_clockwise(90)
    tello.go_xyz_speed(30, 40, 20, 50)
    seen |= {"height_cm": tello.get_height(), "yaw_deg": tello.get_yaw(), "flight_s": tello.get_flight_time()}
    seen["refused"] = []
    for refused in (lambda: tello.move_forward(10), tello.streamon):
        try:
            refused()
        except TelloException as error:
            seen["refused"].append(str(error))
    tello.send_control_command("stop")  # the release has no method for it
    tello.send_keepalive()
    tello.land()
    print(json.dumps(seen), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
