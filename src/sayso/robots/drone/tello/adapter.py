"""A Tello, over its SDK's datagrams, as an ordinary drone.

Either way a datagram may get lost, so a motion is over when the machine says so and what it tells of its speed agrees,
or, where the answer was lost, when its states show it. A motion is sent again only where the states show that it never
began. Stopping is `stop`, sent until the machine hovers; to rest is to land. It has no camera here: skills that need
eyes say so.
"""

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from sayso.errors import RobotError, SkillFailed
from sayso.limits import Limits
from sayso.plugins.machines import StakedRoom
from sayso.robots.drone.tello.link import Link
from sayso.robots.drone.tello.protocol import COMMAND_PORT, HOST, MOVE_CM, OK, SDK, STATE_PORT, STOPPED
from sayso.robots.drone.tello.reckoning import Reckoning
from sayso.robots.real import LOOK_S, Distant
from sayso.scene import wrap

LIMITS = Limits(altitude_min_m=-0.5, altitude_max_m=5.0, speed_max_mps=1.5, battery_reserve=0.2)
"""Of every Tello; a room adds its zone. Going down a step it may come below where it took off."""

CRUISE_CMPS, LEAST_CMPS = 60, 10
OPENING_TRIES, ANSWER_S, ANSWER_MAX = 5, 1.0, 80
KEEP_ALIVE_S = 3.0
"""Well below the 15 s after which a Tello lands, some lost datagrams included."""

SETTLED_S = 0.15
"""Who has arrived was at rest in the last two states."""

QUIET_S = 1.0
"""At rest for so long without an answer: it got lost, or so did the command."""

BEGINS_S, STANDS_S = 2.0, 5.0
LAND_S = 30.0
ASTRAY_M, ASTRAY_SHARE, ASTRAY_RAD = 0.25, 0.2, math.radians(10)
"""How far what was reckoned may be from where the machine says it is."""

ERROR_MAX_M = 1.5
"""Where the dead reckoning may be off by more, nothing but landing is left."""


@dataclass(frozen=True, slots=True)
class Order:
    """A motion: its command, whether it has happened and whether it has begun, by what was told, and its patience."""

    text: str
    done: Callable[[], bool]
    begun: Callable[[], bool]
    patience_s: float


class Tello(Distant):
    """One Tello."""

    name: ClassVar[str] = "tello"
    title: ClassVar[str] = "the Tello"
    kind: ClassVar[str] = "drone"
    flies = True
    on_stop = "it hovers until released, and lands when the program ends; out of reach it lands by itself after 15 s"
    least_move_m = MOVE_CM.low / 100
    told: Reckoning

    def __init__(
        self, room: StakedRoom | None, host: str = HOST, port: int = COMMAND_PORT, state_port: int = STATE_PORT
    ) -> None:
        super().__init__(LIMITS, room)
        self.identity = f"tello:{host}" if port == COMMAND_PORT else f"tello:{host}:{port}"
        self._where = f"{host}:{port}"
        self.told = Reckoning()
        self.link = Link(host, port, state_port, lambda told: self.told.hear(told, self.now_s()))
        self._unfit = ""

    async def _meet(self) -> None:
        self.told = Reckoning()
        await self._connect()
        await self._greet()
        self._begin(self._keep_alive())

    async def _connect(self) -> None:
        self._opened.append(self.link.close)
        await self.link.open()

    async def _greet(self) -> None:
        if await self.link.ask("command", OPENING_TRIES, ANSWER_S) != OK:
            raise RobotError(
                f"no Tello answers at {self._where}: is it switched on, and is this computer in its Wi-Fi (TELLO-…)?"
            )
        version = await self.link.ask("sdk?", OPENING_TRIES, ANSWER_S, figure=True)
        knows_stop = version.isdigit() and int(version) >= SDK
        self._unfit = "" if knows_stop else f"knows no stop: its SDK is {version or 'unknown'}, not {SDK} or later"
        until_s = self.now_s() + OPENING_TRIES * ANSWER_S
        while not self.connected and self.now_s() < until_s:
            await asyncio.sleep(LOOK_S)
        if not self.connected:
            raise RobotError(
                f"the Tello answers, and its states do not arrive on UDP port {self.link.ear.number}: is that port "
                "open in this computer's firewall?"
            )
        if self.told.aloft:  # somebody's flight that was left alone: nobody knows where it is
            await self.land()
        await self.link.ask(f"speed {CRUISE_CMPS}", OPENING_TRIES, ANSWER_S)
        self.told.begin()

    async def _keep_alive(self) -> None:
        """Lest it land by itself while nobody wants anything. Who does not hear the machine leaves it to that."""
        while True:
            await asyncio.sleep(KEEP_ALIVE_S)
            if self.connected:
                self.link.send("time?")

    @property
    def flying(self) -> bool:
        return self.told.aloft

    def _rests(self) -> bool:
        return not self.flying

    def _summary(self) -> str:
        silent = "" if self.connected else "; it does not answer, and lands by itself after 15 s of silence"
        where = f"flying at {self.pose.z_m:.2f} m, its place reckoned to within {self.told.error_m:.1f} m"
        return (where if self.flying else "landed") + silent

    def unfit(self) -> str:
        return self._unfit or super().unfit()

    def _astray(self) -> str:
        off_m = self.told.error_m
        return f"lost its place: its reckoning may be off by {off_m:.1f} m" if off_m > ERROR_MAX_M else ""

    def clearance_m(self, bearing_rad: float = 0.0) -> float:
        """It looks at nothing but the ground."""
        return math.inf

    async def take_off(self) -> None:
        told = self.told
        order = Order("takeoff", lambda: told.last.h >= 50, lambda: told.last.h > 0, 20.0)
        await self._fly(order, begins=told.spins)

    async def land(self) -> None:
        """Down here. Told again until it stands. Raises `RobotError` where it cannot be seen to."""
        self.link.forget()
        began_s, told_s, done = self.now_s(), -math.inf, False
        while self.flying and self.now_s() - began_s < LAND_S:
            descends = self.connected and self.told.last.vgz > 0
            if self.now_s() - told_s > BEGINS_S and not descends:
                told_s = self.now_s()
                self.link.send("land")
            done = await self.link.answer(LOOK_S) == OK or done
            stands = self.told.last.h <= 0 and self.still(STANDS_S) and self.now_s() - began_s > STANDS_S
            if done and stands:  # its motors' clock should have told before; an answer alone may be to a stop
                self.told.landed()
        if self.flying or not self.connected:
            raise RobotError(f"the Tello was told to land, and {self._summary()}")

    async def move(self, forward_m: float, left_m: float, up_m: float) -> None:
        start = self.told.pose
        offset_cm = [round(100 * m) for m in (forward_m, left_m, up_m)]
        goal = start.moved(*(cm / 100 for cm in offset_cm))
        length_m = math.hypot(forward_m, left_m, up_m)
        if all(abs(cm) < MOVE_CM.low for cm in offset_cm):
            raise SkillFailed(f"a Tello moves by {MOVE_CM.low:g} cm or more, not by {100 * length_m:.0f} cm")
        if any(abs(cm) > MOVE_CM.high for cm in offset_cm):
            raise SkillFailed(f"a Tello moves by at most {MOVE_CM.high:g} cm at a time, not by {100 * length_m:.0f} cm")
        self._must_keep_to(goal)
        speed_cmps = max(LEAST_CMPS, int(100 * self.limits.pace_mps(CRUISE_CMPS / 100)))
        near_m = ASTRAY_M + ASTRAY_SHARE * length_m
        await self._fly(
            Order(
                _command(offset_cm, speed_cmps),
                lambda: self.told.pose.distance_m(goal) <= min(near_m, length_m / 2),
                lambda: self.told.pose.distance_m(start) > 0.1,
                7.0 + 200 * length_m / speed_cmps,
            )
        )
        self.told.arrived(goal)

    async def turn(self, angle_rad: float) -> None:
        angle_deg = round(math.degrees(angle_rad))
        if not angle_deg:
            return
        start = last_rad = self.told.pose.yaw_rad
        left_rad = math.radians(angle_deg)

        def done() -> bool:
            """Watched all the way: more than half a round does not show in a heading."""
            nonlocal last_rad, left_rad
            now_rad = self.told.pose.yaw_rad
            last_rad, left_rad = now_rad, left_rad - wrap(now_rad - last_rad)
            return abs(left_rad) < ASTRAY_RAD

        await self._fly(
            Order(
                f"{'ccw' if angle_deg > 0 else 'cw'} {abs(angle_deg)}",
                done,
                lambda: abs(wrap(self.told.pose.yaw_rad - start)) > ASTRAY_RAD / 2,
                7.0 + abs(angle_deg) / 20,
            )
        )

    async def _fly(self, order: Order, begins: Callable[[], None] = lambda: None) -> None:
        """Have it done. Raises `SkillFailed` with what the machine says, and `RobotError` where it says nothing."""
        try:
            for again in (False, True):
                self.link.forget()
                self.link.send(order.text)
                begins()
                if await self._followed(order, give_up=again):
                    return
        except asyncio.CancelledError:
            self.halt_now()
            raise

    async def _followed(self, order: Order, give_up: bool) -> bool:
        """Whether it was done; False where it never began and is worth another try."""
        sent_s, said = self.now_s(), ""
        while True:
            said = await self.link.answer(LOOK_S) or said
            done = order.done()
            if said == OK and done and self.still(SETTLED_S):  # a late answer to something else may say so too
                return True
            if said not in ("", OK, STOPPED):
                raise SkillFailed(f"the Tello answers {said[:ANSWER_MAX]!r}")
            if not self.connected:
                raise RobotError("no word from the Tello")
            waited_s = self.now_s() - sent_s
            if waited_s > BEGINS_S and self.still(QUIET_S):
                if done:
                    return True
                if not (order.begun() or said or give_up):
                    return False
                raise SkillFailed(f"the Tello {self._instead(said)}: {order.text}, and it was not seen to be done")
            if waited_s > order.patience_s:
                self.halt_now()
                raise SkillFailed(f"the Tello was not done in {order.patience_s:.0f} s: {order.text}")

    @staticmethod
    def _instead(said: str) -> str:
        return "says that it is there, and what it tells of its speed says otherwise" if said == OK else "stopped"

    def halt_now(self) -> None:
        self.link.send("stop")

    async def drop(self) -> None:
        """Stop the motors where it is; it falls, and what is below it is hit. For `cut`, by who accepts that."""
        for _ in range(3):
            self.link.send("emergency")
            await asyncio.sleep(LOOK_S)

    async def rest(self) -> None:
        if self.flying and self.told.speed_mps > self.told.moving[0]:
            await self.halt()
        await self.land()


def _command(offset_cm: Sequence[int], speed_cmps: int) -> str:
    """Along one axis its own command at the speed that was set, else `go`."""
    forward_cm, left_cm, up_cm = offset_cm
    match forward_cm, left_cm, up_cm:
        case _ if speed_cmps != CRUISE_CMPS:
            pass
        case _, 0, 0:
            return f"{'forward' if forward_cm > 0 else 'back'} {abs(forward_cm)}"
        case 0, _, 0:
            return f"{'left' if left_cm > 0 else 'right'} {abs(left_cm)}"
        case 0, 0, _:
            return f"{'up' if up_cm > 0 else 'down'} {abs(up_cm)}"
    return f"go {forward_cm} {left_cm} {up_cm} {speed_cmps}"
