"""An emulator of a Tello on the simulated drone: whoever speaks the SDK's protocol flies it.

It shows that a client speaks the protocol, never that a flight would go well. Where the real machine looks at nothing
but the ground, this one still stops at what its range sensors see, and says so as an error. It sends no video.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from sayso.errors import RobotError, SkillFailed
from sayso.plugins.machines import StakedRoom
from sayso.robots.drone.tello.adapter import Tello
from sayso.robots.drone.tello.protocol import OK, SDK, SILENCE_S, STATE_PORT, STATE_S, STOPPED, TelloState, refusal
from sayso.robots.drone.wire import Address, Wire
from sayso.robots.drone.world.office import Office
from sayso.robots.drone.world.sim import SimDrone

ON_GROUND, BUSY, IN_AIR = "error Motor stop", "error Not joystick", "error Already in the air"
NO_VIDEO = "error No video: this Tello is simulated and sends none"


class Emulator(Wire):
    """An emulator of a Tello."""

    title = "the simulated Tello"

    def __init__(self, drone: SimDrone, state_port: int = STATE_PORT) -> None:
        super().__init__()
        self._drone, self.state_port = drone, state_port
        self._client = ""
        self._heard_s = self._motors_s = 0.0
        self._start = self._last = drone.state().pose
        self._speed_cmps = 100

    async def open(self, host: str = "127.0.0.1", port: int = 0) -> int:
        """Listen; the port. Raises `RobotError` where that one is taken."""
        port = await self._listen(host, port)
        self._begin(self._tell_state())
        return port

    def _hear(self, data: bytes, address: Address) -> None:
        """A Tello ignores everything until it has heard `command`."""
        text = data[:100].decode("ascii", "replace").strip()
        verb, *args = text.split() or [""]
        if not self._client and verb != "command":
            return
        self._note(text)
        self._heard_s = self._now()
        if verb == "command":
            self._client = address[0]
        answer = self._read(verb) if verb.endswith("?") else self._obey(verb, args, address)
        self._say(address, answer)

    def _say(self, address: Address, answer: str) -> None:
        if answer:
            self._port.send(answer.encode(), address)

    def _read(self, verb: str) -> str:
        told = self._told()
        readings = {"battery?": f"{told.bat}", "time?": f"{told.time}s", "speed?": f"{self._speed_cmps:.1f}"}
        return (readings | {"sdk?": f"{SDK}"}).get(verb, f"unknown command: {verb}")

    def _obey(self, verb: str, args: list[str], address: Address) -> str:
        """The answer, empty where it comes later or never."""
        drone = self._drone
        if verb in ("streamon", "streamoff"):
            return NO_VIDEO
        if refused := refusal(verb, args):
            return refused
        numbers = [int(arg) for arg in args]
        match verb:
            case "command" | "keepalive":
                return OK
            case "emergency":
                self._motion = None
                drone.quad.disarm()
                return OK
            case "stop":
                return self._stop(address)
            case "speed":
                self._speed_cmps = numbers[0]
                return OK
            case "land" if drone.flying:
                return self._fly(drone.land, address)
        if self._busy:
            return BUSY
        if verb == "takeoff":
            return IN_AIR if drone.flying else self._fly(drone.take_off, address)
        return self._fly(partial(self._motion_of, verb, numbers), address) if drone.flying else ON_GROUND

    async def _motion_of(self, verb: str, numbers: list[int]) -> None:
        drone, m = self._drone, numbers[0] / 100
        if verb in ("cw", "ccw"):
            await drone.turn(math.radians(numbers[0] if verb == "ccw" else -numbers[0]))
            return
        ways = {"forward": (m, 0.0, 0.0), "back": (-m, 0.0, 0.0), "left": (0.0, m, 0.0), "right": (0.0, -m, 0.0)}
        ways |= {"up": (0.0, 0.0, m), "down": (0.0, 0.0, -m)}
        drone.speed_mps = (numbers[3] if verb == "go" else self._speed_cmps) / 100
        way = (numbers[0] / 100, numbers[1] / 100, numbers[2] / 100) if verb == "go" else ways[verb]
        await drone.move(*way)

    def _fly(self, motion: Callable[[], Awaitable[None]], address: Address) -> str:
        async def answered() -> None:
            try:
                await motion()
                answer = OK
            except (SkillFailed, RobotError) as error:
                answer = f"error {error}"
            if asyncio.current_task() is self._motion:  # one that was stopped is not heard of again
                self._say(address, answer)
            self._heard_s = self._now()

        self._motion = self._begin(answered())
        return ""

    def _stop(self, address: Address) -> str:
        """Hover. Works at any time, and takes the place of the answer that the interrupted motion owes."""
        answer = STOPPED if self._busy else OK if self._drone.flying else ON_GROUND
        self._motion = None

        async def stopped() -> None:
            try:
                await self._drone.halt()
            except RobotError as error:
                self._say(address, f"error {error}")
            else:
                self._say(address, answer)

        self._begin(stopped())
        return ""

    async def _tell_state(self) -> None:
        """Ten times a second; and down, where nobody was heard for too long."""
        while True:
            await asyncio.sleep(STATE_S)
            if self._client:
                self._port.send(self._told().text().encode(), (self._client, self.state_port))
            self._last = self._drone.state().pose
            self._motors_s += STATE_S * self._drone.flying
            if self._drone.flying and not self._busy and self._now() - self._heard_s > SILENCE_S:
                self._fly(self._drone.land, (self._client, self.state_port))

    def _told(self) -> TelloState:
        state = self._drone.state()
        pose, start = state.pose, self._start
        gone = pose.seen_from(replace(self._last, yaw_rad=start.yaw_rad))
        return TelloState(
            yaw=round(math.degrees(-gone.yaw_rad)),
            vgx=round(10 * gone.x_m / STATE_S),
            vgy=round(-10 * gone.y_m / STATE_S),
            vgz=round(-10 * gone.z_m / STATE_S),
            tof=max(10, round(100 * self._drone.below_m())),
            h=10 * round(10 * (pose.z_m - start.z_m)),
            bat=int(100 * state.charge),
            baro=round(pose.z_m - start.z_m, 2),
            time=int(self._motors_s),
        )


class DryRun(Tello):
    """The dry run: a Tello whose machine, the simulated drone behind the same datagrams, is opened with it. `world` and
    `face` are for judges."""

    name = "tello (simulated)"

    def __init__(self, room: StakedRoom | None, world: Office | None = None) -> None:
        super().__init__(room, "127.0.0.1", 0, 0)
        self.identity = ""
        self.world = world or Office("empty")
        self.face = Emulator(self.world.drone)

    async def _connect(self) -> None:
        self._begin(self.world.run())
        self._opened.append(self.face.close)
        self.link.port = await self.face.open()
        await super()._connect()
        self.face.state_port = self.link.ear.number
