"""Runs in the peers' Python: MAVSDK flies whatever autopilot calls on the port that it is given, and prints what it
saw.

python mavsdk_flight.py PORT
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from importlib.metadata import version

from mavsdk.asyncio import ComponentType, Configuration, Mavsdk
from mavsdk.asyncio.plugins.action import ActionAsync
from mavsdk.asyncio.plugins.mission import MissionAsync, MissionItem, MissionPlan
from mavsdk.asyncio.plugins.offboard import OffboardAsync, PositionNedYaw
from mavsdk.asyncio.plugins.param import ParamAsync
from mavsdk.asyncio.plugins.telemetry import TelemetryAsync


async def main(port: int) -> None:
    sdk = Mavsdk(Configuration.create_with_component_type(ComponentType.GROUND_STATION))
    began_s = time.monotonic()
    await sdk.add_any_connection(f"udpin://127.0.0.1:{port}")
    system = await sdk.first_autopilot(timeout_s=20.0)
    assert system is not None, "no autopilot"
    seen: dict[str, object] = {"version": version("mavsdk"), "connected_s": round(time.monotonic() - began_s, 2)}
    tells, does, leads, params = TelemetryAsync(system), ActionAsync(system), OffboardAsync(system), ParamAsync(system)
    await tells.set_rate_position_velocity_ned(20.0)
    await tells.set_rate_attitude_euler(20.0)

    async def until(so: object, within_s: float = 25.0) -> None:
        async with asyncio.timeout(within_s):
            while not await so():
                await asyncio.sleep(0.1)

    async def healthy() -> bool:
        health = await tells.health()
        return bool(health.is_armable and health.is_local_position_ok and health.is_global_position_ok)

    async def place() -> tuple[float, float, float]:
        at = (await tells.position_velocity_ned()).position
        return at.north_m, at.east_m, at.down_m

    await until(healthy)
    seen["battery"] = round((await tells.battery()).remaining_percent)
    seen["failsafe"] = await params.get_param_int("COM_OBL_RC_ACT")
    await params.set_param_float("COM_OF_LOSS_T", 1.5)
    seen["after_s"] = await params.get_param_float("COM_OF_LOSS_T")
    await does.set_takeoff_altitude(1.2)
    start = await place()
    try:
        await leads.start()
    except Exception as error:
        seen["unled"] = type(error).__name__
    await does.arm()
    await does.takeoff()

    async def risen() -> bool:
        return start[2] - (await place())[2] > 1.1

    await until(risen)
    await asyncio.sleep(2.0)
    seen["mode"] = (await tells.flight_mode()).name
    north, east, down = await place()
    await leads.set_position_ned(PositionNedYaw(north + 1.0, east - 0.5, down, 90.0))
    await leads.start()
    await asyncio.sleep(6.0)
    at = await place()
    seen["flown"] = [round(there - here, 2) for there, here in zip(at, (north, east, down), strict=True)]
    seen["yaw_deg"] = round((await tells.attitude_euler()).yaw_deg, 1)
    seen["led"] = (await tells.flight_mode()).name
    await leads.stop()
    await asyncio.sleep(1.5)
    seen["stopped"] = (await tells.flight_mode()).name
    try:
        item = MissionItem(47.4, 8.5, 10.0)
        await MissionAsync(system).upload_mission(MissionPlan([item]))
    except Exception as error:
        seen["mission"] = str(error)[:80]
    await does.land()

    async def landed() -> bool:
        return not await tells.armed()

    await until(landed)
    print(json.dumps(seen), flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
