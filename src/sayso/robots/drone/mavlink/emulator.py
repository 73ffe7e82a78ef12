"""An emulator of an autopilot on the simulated drone: whoever speaks MAVLink flies it.

As much of PX4, or of ArduPilot, as a client needs that arms, takes off, leads, holds and lands, reads and sets
parameters, and finds no mission: it takes none. When nobody leads it any more it does as its failsafe parameters say.
It shows that a client speaks the protocol, never that a flight would go well.
"""

import asyncio
import math
from collections.abc import Callable, Coroutine
from typing import Any

from pymavlink.dialects.v20 import common as mavlink

from sayso.errors import RobotError, SkillFailed
from sayso.plugins.machines import StakedRoom
from sayso.robots.drone.mavlink import link, protocol
from sayso.robots.drone.mavlink.adapter import Mavlink
from sayso.robots.drone.wire import Address, Wire
from sayso.robots.drone.world.office import Office
from sayso.robots.drone.world.sim import TAKE_OFF_M, SimDrone
from sayso.scene import Pose

SYSTEM = 1
WORLD = protocol.placed(3.0, -2.0, 0.5, 0.7)
"""Where the world's origin lies for the autopilot, and where its x axis points."""

LATITUDE_DEG, LONGITUDE_DEG, SEA_M, METRES_PER_DEG = 47.397742, 8.545594, 488.0, 111_319.5
TICK_S, IDLE_S = 0.02, 10.0
"""Motors that turn for so long on the ground are switched off again."""

CLIENTS_MAX = 8
HEALTHY = mavlink.MAV_SYS_STATUS_PREARM_CHECK | sum(
    getattr(mavlink, f"MAV_SYS_STATUS_SENSOR_{name}") for name in ("3D_GYRO", "3D_ACCEL", "3D_MAG", "GPS", "BATTERY")
)
YES: int = mavlink.MAV_RESULT_ACCEPTED
NO: int = mavlink.MAV_RESULT_DENIED
LATER: int = mavlink.MAV_RESULT_TEMPORARILY_REJECTED
UNSUPPORTED: int = mavlink.MAV_RESULT_UNSUPPORTED
INT, REAL = mavlink.MAV_PARAM_TYPE_INT32, mavlink.MAV_PARAM_TYPE_REAL32


class Emulator(Wire):
    """An emulator of an autopilot."""

    title = "the simulated autopilot"

    def __init__(self, drone: SimDrone, stack: protocol.Stack = protocol.PX4) -> None:
        super().__init__()
        self._drone, self.stack = drone, stack
        self.mode = stack.hold
        self.params: dict[str, tuple[float, int]] = {
            **{rule.act: (float(min(rule.lands)), INT) for rule in (stack.unled, stack.unheard) if rule},
            **{rule.after: (rule.usual_s, REAL) for rule in (stack.unled, stack.unheard) if rule},
            "MIS_TAKEOFF_ALT": (TAKE_OFF_M, REAL),
            "SYS_AUTOSTART": (4001.0, INT),
        }
        self._codec = protocol.codec(SYSTEM, mavlink.MAV_COMP_ID_AUTOPILOT1)
        self._clients: list[Address] = []
        self._lead: Pose | None = None
        self._led_s, self._beat_s, self._armed_s = -math.inf, math.inf, math.inf
        self._began_s = 0.0
        tells = mavlink
        self._tells: dict[int, Callable[[], Any]] = {
            tells.MAVLINK_MSG_ID_HEARTBEAT: lambda: protocol.heartbeat(stack.autopilot, self.mode, self._drone.flying),
            tells.MAVLINK_MSG_ID_SYS_STATUS: self._sys_status,
            tells.MAVLINK_MSG_ID_ATTITUDE: self._attitude,
            tells.MAVLINK_MSG_ID_LOCAL_POSITION_NED: self._local_position,
            tells.MAVLINK_MSG_ID_GLOBAL_POSITION_INT: self._global_position,
            tells.MAVLINK_MSG_ID_EXTENDED_SYS_STATE: self._extended_state,
            tells.MAVLINK_MSG_ID_GPS_RAW_INT: self._satellites,
            tells.MAVLINK_MSG_ID_HOME_POSITION: self._home,
            tells.MAVLINK_MSG_ID_AUTOPILOT_VERSION: self._version,
        }
        self._every_s = dict.fromkeys(self._tells, 1.0) | {tells.MAVLINK_MSG_ID_AUTOPILOT_VERSION: math.inf}
        self._due_s = dict.fromkeys(self._tells, 0.0) | {tells.MAVLINK_MSG_ID_AUTOPILOT_VERSION: math.inf}

    async def open(self, host: str = "127.0.0.1", port: int = 0, to: Address | None = None) -> int:
        """Listen, and tell `to` from the start, as a simulator does; the port. Raises `RobotError` if it is taken."""
        port = await self._listen(host, port)
        self._clients = [to] if to else []
        self._began_s = asyncio.get_running_loop().time()
        self._begin(self._live())
        return port

    def _hear(self, data: bytes, address: Address) -> None:
        for message in protocol.messages(self._codec, data):
            if getattr(message, "target_system", SYSTEM) in (0, SYSTEM):
                if address not in self._clients and len(self._clients) < CLIENTS_MAX:
                    self._clients.append(address)
                self._read(message, address)

    def _read(self, message: Any, address: Address) -> None:
        match message.get_type():
            case "HEARTBEAT":
                self._beat_s = self._now()
            case "COMMAND_LONG":
                m = message
                params = (m.param1, m.param2, m.param3, m.param4, m.param5, m.param6, m.param7)
                self._answer(message.command, self._obey(message.command, params, address), address)
            case "SET_MODE":
                self._set_mode(message.custom_mode)
            case "SET_POSITION_TARGET_LOCAL_NED":
                self._aim(message)
            case "PARAM_REQUEST_LIST":
                for name in self.params:
                    self._tell_param(name, address)
            case "PARAM_REQUEST_READ":
                names = list(self.params)
                by_number = 0 <= message.param_index < len(names)
                self._tell_param(names[message.param_index] if by_number else message.param_id, address)
            case "PARAM_SET" if message.param_id in self.params and protocol.finite(message.param_value):
                self.params[message.param_id] = (
                    protocol.param_value(message, self.stack),
                    self.params[message.param_id][1],
                )
                self._tell_param(message.param_id, address)
            case "MISSION_REQUEST_LIST":
                back = (message.get_srcSystem(), message.get_srcComponent())
                self._say(mavlink.MAVLink_mission_count_message(*back, 0, message.mission_type), address)
            case "MISSION_COUNT":
                back = (message.get_srcSystem(), message.get_srcComponent())
                no = mavlink.MAV_MISSION_UNSUPPORTED
                self._say(mavlink.MAVLink_mission_ack_message(*back, no, message.mission_type), address)

    def _obey(self, number: int, params: tuple[float, ...], address: Address) -> int:
        match number:
            case mavlink.MAV_CMD_COMPONENT_ARM_DISARM:
                return self._arm() if params[0] == 1 else self._disarm(params[1] == protocol.FORCED)
            case mavlink.MAV_CMD_DO_SET_MODE:
                return self._set_mode(protocol.commanded_mode(params[1], params[2], self.stack))
            case mavlink.MAV_CMD_NAV_TAKEOFF:
                return self._take_off(params[6])
            case mavlink.MAV_CMD_NAV_LAND:
                return self._set_mode(self.stack.land)
            case mavlink.MAV_CMD_SET_MESSAGE_INTERVAL if params[0] in self._tells:
                interval_s = max(TICK_S, params[1] / 1e6) if params[1] else 1.0
                self._every_s[int(params[0])] = math.inf if params[1] < 0 else interval_s
                self._due_s[int(params[0])] = self._now()
                return YES
            case mavlink.MAV_CMD_REQUEST_MESSAGE if params[0] in self._tells:
                self._say(self._tells[int(params[0])](), address)
                return YES
        return UNSUPPORTED

    def _answer(self, number: int, result: int, address: Address) -> None:
        self._note(f"command {number} {protocol.RESULTS[result]}")
        self._say(mavlink.MAVLink_command_ack_message(number, result), address)

    def _tell_param(self, name: str, address: Address) -> None:
        if name in self.params:
            value, kind = self.params[name]
            sent = protocol.param_float(value, kind == INT, self.stack)
            at = list(self.params).index(name)
            self._say(mavlink.MAVLink_param_value_message(name.encode(), sent, kind, len(self.params), at), address)

    def _say(self, message: Any, address: Address) -> None:
        self._port.send(protocol.packed(self._codec, message), address)

    def _complain(self, text: str) -> None:
        for client in self._clients:
            self._say(mavlink.MAVLink_statustext_message(mavlink.MAV_SEVERITY_CRITICAL, text.encode()[:50]), client)

    def _arm(self) -> int:
        if self._drone.flying:
            return YES
        if self._drone.crashed or self._drone.state().charge < 0.1:
            self._complain("Arming denied: battery low or drone crashed")
            return NO
        self._drone.quad.arm()
        self._armed_s = self._now()
        self._note("arm")
        return YES

    def _disarm(self, forced: bool) -> int:
        if self._drone.flying and not forced and self._drone.below_m() > 0.1:
            return NO
        self._drone.quad.disarm()
        self._note("cut" if forced else "disarm")
        return YES

    def _set_mode(self, mode: int) -> int:
        if mode not in self.stack.modes:
            return NO
        if mode == self.stack.lead and self.stack.climbs and self._now() - self._led_s > self._after_s:
            return LATER  # nobody leads
        self._go(mode)
        return YES

    def _go(self, mode: int) -> None:
        if mode != self.mode:
            self._note(f"mode {self.stack.called(mode)}")
        self.mode = mode
        if mode == self.stack.land:
            self._start(self._drone.land())
        elif mode != self.stack.lead and self._drone.flying:
            self._start(self._drone.halt())

    def _take_off(self, height_m: float) -> int:
        """PX4 climbs as its parameter says, ArduPilot as it is told, in its mode for being led."""
        climbs, flying = self.stack.climbs, self._drone.flying
        if not flying or (not climbs and self.mode != self.stack.lead):
            return NO
        self.mode = next((mode for mode, name in self.stack.modes.items() if name == "takeoff"), self.mode)
        self._lead = None
        self._note("takeoff")
        self._start(self._climb(self.params["MIS_TAKEOFF_ALT"][0] if climbs else height_m))
        return YES

    async def _climb(self, height_m: float) -> None:
        await self._drone.move(up_m=height_m)
        if self.stack.climbs:
            self.mode = self.stack.hold

    def _aim(self, message: Any) -> None:
        """A setpoint: a place. What is asked for in other frames, or as a velocity or an acceleration, is left."""
        heading_rad = -self._at().yaw_rad if message.type_mask & protocol.NO_YAW else message.yaw
        place = (message.x, message.y, message.z, heading_rad)
        local = message.coordinate_frame == mavlink.MAV_FRAME_LOCAL_NED
        if local and not message.type_mask & protocol.NO_POSITION and protocol.finite(*place):
            self._lead, self._led_s = protocol.placed(*place).seen_from(WORLD), self._now()

    async def _live(self) -> None:
        """Tell what is due, follow who leads, and come down where nobody does."""
        while True:
            await asyncio.sleep(TICK_S)
            now_s = self._now()
            for number, due_s in self._due_s.items():
                if now_s >= due_s:
                    self._due_s[number] = now_s + self._every_s[number] - TICK_S / 2
                    for client in self._clients:
                        self._say(self._tells[number](), client)
            if self._drone.flying:
                self._fly(now_s)

    def _fly(self, now_s: float) -> None:
        leads = self.mode == self.stack.lead
        silent_s = now_s - (self._led_s if self.stack.climbs else self._beat_s)
        if self._unheard(now_s) and self.mode != self.stack.land:
            self._note("failsafe")
            self._go(self.stack.land)
        elif silent_s > self._after_s and (leads or not self.stack.climbs):
            if self.mode != self.stack.land:
                self._note("failsafe")
                self._go(self._failsafe_mode())
        elif leads and self._lead and not self._busy:
            self._drone.follow(self._lead)
        if now_s - self._armed_s > IDLE_S and not self._busy and self._drone.below_m() < 0.1:
            self._disarm(forced=False)

    def _failsafe_mode(self) -> int:
        act = self.params[self.stack.unled.act][0]
        return self.stack.land if act in self.stack.unled.lands else self.stack.hold if self.stack.climbs else self.mode

    @property
    def _after_s(self) -> float:
        return self.params[self.stack.unled.after][0]

    def _unheard(self, now_s: float) -> bool:
        """Whether it comes down since nobody is heard any more, led or not."""
        rule = self.stack.unheard
        if rule is None or self.mode in self.stack.hands or self.params[rule.act][0] not in rule.lands:
            return False
        return now_s - self._beat_s > self.params[rule.after][0]

    def _start(self, motion: Coroutine[Any, Any, None]) -> None:
        """In place of the motion under way."""
        if self._motion:
            self._motion.cancel()

        async def flown() -> None:
            try:
                await motion
            except (SkillFailed, RobotError) as error:
                self._complain(str(error))

        self._motion = self._begin(flown())

    def _boot_ms(self) -> int:
        return int(1000 * (self._now() - self._began_s))

    def _at(self) -> Pose:
        """In the autopilot's frame."""
        here = self._drone.state().pose
        return WORLD.moved(here.x_m, here.y_m, here.z_m, here.yaw_rad)

    def _velocity(self) -> tuple[float, float, float]:
        """North, east and down, in m/s."""
        v = Pose(yaw_rad=WORLD.yaw_rad).moved(*self._drone.quad.velocity())
        return v.x_m, -v.y_m, -v.z_m

    def _sys_status(self) -> Any:
        charge = self._drone.state().charge
        return mavlink.MAVLink_sys_status_message(
            *(HEALTHY, HEALTHY, HEALTHY), 200, int(1000 * (3.5 + 0.7 * charge)), -1, int(100 * charge), *(0,) * 6
        )

    def _attitude(self) -> Any:
        angles, rates = (0.0, 0.0, -self._at().yaw_rad), (0.0, 0.0, -self._drone.quad.turn_radps())
        return mavlink.MAVLink_attitude_message(self._boot_ms(), *angles, *rates)

    def _local_position(self) -> Any:
        at = self._at()
        ned = (at.x_m, -at.y_m, -at.z_m)
        return mavlink.MAVLink_local_position_ned_message(self._boot_ms(), *ned, *self._velocity())

    def _place(self) -> tuple[int, int, int]:
        """Latitude and longitude in 1e-7 degrees, height above the sea in mm."""
        at = self._at()
        east_m = METRES_PER_DEG * math.cos(math.radians(LATITUDE_DEG))
        latitude, longitude = LATITUDE_DEG + at.x_m / METRES_PER_DEG, LONGITUDE_DEG - at.y_m / east_m
        return round(1e7 * latitude), round(1e7 * longitude), round(1000 * (SEA_M + at.z_m))

    def _global_position(self) -> Any:
        latitude, longitude, height_mm = self._place()
        up_mm = round(1000 * (self._at().z_m - WORLD.z_m))
        speeds = (round(100 * v) for v in self._velocity())
        heading = round(100 * (math.degrees(-self._at().yaw_rad) % 360))
        return mavlink.MAVLink_global_position_int_message(
            self._boot_ms(), latitude, longitude, height_mm, up_mm, *speeds, heading
        )

    def _extended_state(self) -> Any:
        on, air, down = (getattr(mavlink, f"MAV_LANDED_STATE_{at}") for at in ("ON_GROUND", "IN_AIR", "LANDING"))
        low = not self._drone.flying or self._drone.below_m() < 0.1
        state = on if low else down if self.mode == self.stack.land else air
        return mavlink.MAVLink_extended_sys_state_message(mavlink.MAV_VTOL_STATE_UNDEFINED, state)

    def _satellites(self) -> Any:
        fix = mavlink.GPS_FIX_TYPE_3D_FIX
        return mavlink.MAVLink_gps_raw_int_message(self._boot_ms() * 1000, fix, *self._place(), 80, 90, 0, 0, 12)

    def _home(self) -> Any:
        at = (round(1e7 * LATITUDE_DEG), round(1e7 * LONGITUDE_DEG), round(1000 * (SEA_M + WORLD.z_m)))
        return mavlink.MAVLink_home_position_message(*at, 0.0, 0.0, 0.0, [1.0, 0.0, 0.0, 0.0], 0.0, 0.0, 0.0)

    def _version(self) -> Any:
        can = mavlink.MAV_PROTOCOL_CAPABILITY_MAVLINK2 | mavlink.MAV_PROTOCOL_CAPABILITY_SET_POSITION_TARGET_LOCAL_NED
        can |= (
            mavlink.MAV_PROTOCOL_CAPABILITY_PARAM_ENCODE_BYTEWISE
            if self.stack.bytewise
            else mavlink.MAV_PROTOCOL_CAPABILITY_PARAM_ENCODE_C_CAST
        )
        return mavlink.MAVLink_autopilot_version_message(can, 1 << 24, 0, 0, 0, [0] * 8, [0] * 8, [0] * 8, 0, 0, SYSTEM)


class DryRun(Mavlink):
    """The dry run: a multicopter whose machine, the simulated drone behind the same datagrams, is opened with it.
    `world` and `face` are for judges."""

    name = "mavlink (simulated)"

    def __init__(
        self, room: StakedRoom | None, world: Office | None = None, stack: protocol.Stack = protocol.PX4
    ) -> None:
        super().__init__(room, link.Address(link.HOST, 0))
        self.identity = ""
        self.world = world or Office("empty")
        self.face = Emulator(self.world.drone, stack)

    async def _connect(self) -> None:
        self._begin(self.world.run())
        await super()._connect()
        self._opened.append(self.face.close)
        await self.face.open(to=(link.HOST, self.link.port))
