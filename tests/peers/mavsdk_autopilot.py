"""Runs in the peers' Python: MAVSDK's own autopilot side, which answers and never flies. It calls on the port that it
is given, and prints what it was told when its input ends.

python mavsdk_autopilot.py PORT
"""

from __future__ import annotations

import asyncio
import json
import sys
from importlib.metadata import version

import mavsdk.asyncio.plugins.telemetry_server as told
from mavsdk.asyncio import ComponentType, Configuration, Mavsdk
from mavsdk.asyncio.plugins.action_server import ActionServerAsync, AllowableFlightModes
from mavsdk.asyncio.plugins.param_server import ParamServerAsync


async def main(port: int) -> None:
    sdk = Mavsdk(Configuration.create_with_component_type(ComponentType.AUTOPILOT))
    await sdk.add_any_connection(f"udpout://127.0.0.1:{port}")
    machine = await sdk.server_component()
    does, tells, params = ActionServerAsync(machine), told.TelemetryServerAsync(machine), ParamServerAsync(machine)
    seen: dict[str, list[str]] = {"version": [version("mavsdk")], "arm": [], "mode": []}
    await params.provide_param_int("COM_OBL_RC_ACT", 4)
    await params.provide_param_float("COM_OF_LOSS_T", 1.0)
    await params.provide_param_int("NAV_DLL_ACT", 3)
    await params.provide_param_float("COM_DL_LOSS_T", 10.0)
    await does.set_armable(True, True)
    await does.set_disarmable(True, True)
    await does.set_allow_takeoff(True)
    await does.set_allowable_flight_modes(AllowableFlightModes(*[True] * 7))

    async def tell() -> None:
        nowhere = told.PositionVelocityNed(told.PositionNed(1.0, 2.0, -0.5), told.VelocityNed(0.0, 0.0, 0.0))
        while True:
            await tells.publish_position_velocity_ned(nowhere)
            await tells.publish_attitude(told.EulerAngle(0.0, 0.0, 90.0, 0), told.AngularVelocityBody(0.0, 0.0, 0.0))
            await tells.publish_sys_status(told.Battery(12.0, 80.0), True, True, True, True, True)
            await tells.publish_extended_sys_state(told.VtolState.UNDEFINED, told.LandedState.ON_GROUND)
            await asyncio.sleep(0.1)

    async def hear(kind: str, events: object) -> None:
        async for _, event in events:
            seen[kind].append(str(getattr(event, "arm", getattr(event, "name", event))))

    beside = [
        asyncio.ensure_future(tell()),
        asyncio.ensure_future(hear("arm", does.subscribe_arm_disarm())),
        asyncio.ensure_future(hear("mode", does.subscribe_flight_mode_change())),
    ]
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    for one in beside:
        one.cancel()
    print(json.dumps(seen), flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
