"""A multicopter behind MAVLink, as an ordinary drone.

It is led: a point that moves no faster than it may is sent twenty times a second, always near to where it is, so that
whatever happens to the line or to this program its last order lies a step ahead. What happens then is the autopilot's
own failsafe, which is read and has to be to land, or nothing sets out. Stopping is the autopilot's hold, and the point
stands still as well, for machines that refuse to hold where they have no satellites. Whoever takes the remote control
has the last word. It has no camera here: skills that need eyes say so.
"""

import asyncio
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from pymavlink.dialects.v20 import common as mavlink

from sayso.errors import RobotError, SkillFailed
from sayso.limits import Limits
from sayso.plugins.machines import StakedRoom
from sayso.robots.drone.mavlink import protocol
from sayso.robots.drone.mavlink.link import Address, Link
from sayso.robots.drone.mavlink.telemetry import UNKNOWN, AutopilotTelemetry
from sayso.robots.real import LOOK_S, TICK_S, Distant
from sayso.roles import Check
from sayso.scene import Pose, wrap

LIMITS = Limits(altitude_min_m=-0.5, altitude_max_m=10.0, speed_max_mps=2.0, battery_reserve=0.25)
"""Of every machine; a room adds its zone. Going down a step it may come below where it took off."""

CRUISE_MPS, TURN_RADPS = 0.8, math.radians(45)
TAKE_OFF_M = 1.0
AHEAD_M, AHEAD_RAD = 1.2, math.radians(60)
"""The point that it is led by waits for it when it falls behind by more."""

NEAR_M, ABOUT_M, NEAR_RAD, ABOUT_RAD = 0.03, 0.4, math.radians(1.5), math.radians(6)
WINDY_S = 4.0
"""Wind may keep it from the point, or from rest there: after so long, about there is there."""

SETTLED_S = 0.25
OPENING_S, PATIENCE_S = 5.0, 8.0
AGAIN_S, STANDS_S = 2.0, 5.0
SINK_MPS, LAND_S = 0.25, 30.0
AFTER_MAX_S = 10.0
RATES_HZ = {
    mavlink.MAVLINK_MSG_ID_LOCAL_POSITION_NED: 20.0,
    mavlink.MAVLINK_MSG_ID_ATTITUDE: 20.0,
    mavlink.MAVLINK_MSG_ID_SYS_STATUS: 2.0,
    mavlink.MAVLINK_MSG_ID_EXTENDED_SYS_STATE: 5.0,
}


class Mavlink(Distant):
    """One multicopter."""

    name: ClassVar[str] = "mavlink"
    title: ClassVar[str] = "the drone"
    kind: ClassVar[str] = "drone"
    flies = True
    on_stop = "it holds where it is until released, and lands when the program ends; its pilot has the last word"
    least_move_m = 0.1
    told: AutopilotTelemetry

    def __init__(self, room: StakedRoom | None, address: Address) -> None:
        super().__init__(LIMITS, room)
        self.identity = f"mavlink:{address}"
        self.told, self.stack = AutopilotTelemetry(), protocol.PX4
        self.link = Link(address, self._hear)
        self._failsafes: tuple[Check, ...] = (Check("failsafe", "unknown"),)
        self._aim = Pose()
        self._taken = self._mute = False

    async def _meet(self) -> None:
        """Raises `RobotError` where it flies already as well."""
        self.told, self._taken, self._mute = AutopilotTelemetry(), False, False
        await self._connect()
        self._begin(self._beat())
        await self._greet()
        self._begin(self._lead())

    async def _connect(self) -> None:
        self._opened.append(self.link.close)
        await self.link.open()

    async def _greet(self) -> None:
        beat = await self.link.answer("HEARTBEAT", lambda beat: True, lambda: None, round(2 * OPENING_S))
        if beat is None:
            raise RobotError(
                f"no autopilot is heard on {self.link.address}: is it switched on, and does its router or simulator "
                "send there?"
            )
        if beat.autopilot not in protocol.STACKS or beat.type not in protocol.COPTERS:
            raise RobotError("what is heard there is no multicopter with PX4 or ArduPilot")
        self.stack = protocol.STACKS[beat.autopilot]
        until_s = self.now_s() + OPENING_S
        while self.told.missing and self.now_s() < until_s:
            for number, rate_hz in RATES_HZ.items():
                self.link.send(self._to(mavlink.MAV_CMD_SET_MESSAGE_INTERVAL, number, 1e6 / rate_hz))
            await asyncio.sleep(4 * LOOK_S)
        if self.told.missing:
            raise RobotError(
                f"{self.title} tells no {', '.join(sorted(self.told.missing))}: does it know where it is (satellites, "
                "optical flow, motion capture)?"
            )
        if self.flying:
            raise RobotError(f"{self.title} has its motors on already: whoever flies it brings it down first")
        rules = {"failsafe": self.stack.unled, "failsafe in hold": self.stack.unheard}
        self._failsafes = tuple([await self._read(what, rule) for what, rule in rules.items() if rule])
        self._origin = self.told.pose

    async def _read(self, what: str, rule: protocol.Failsafe) -> Check:
        """What it does when nobody leads it or is heard any more; it has to come down by itself, and soon."""
        act, after_s = [await self.link.param(name, self.stack) for name in (rule.act, rule.after)]
        after_s = rule.usual_s if after_s is None else after_s
        found = f"{rule.act} {'unknown' if act is None else f'{act:g}'}, after {after_s:g} s"
        if act not in rule.lands:
            return Check(what, found, f"to land, by {rule.act} {min(rule.lands)}")
        return Check(what, found, "" if after_s <= AFTER_MAX_S else f"{rule.after} at most {AFTER_MAX_S:g} s")

    async def _beat(self) -> None:
        while True:
            self.link.send(protocol.heartbeat())
            await asyncio.sleep(protocol.BEAT_S)

    async def _lead(self) -> None:
        """Where to be, always: PX4 follows only who has been saying so for a while. Who does not lead says: here.

        Who does not hear the machine leaves it to its own rules.
        """
        while True:
            if not self.flying or self.told.mode not in (self.stack.lead, UNKNOWN):
                self._aim = self.pose
            if self.connected and not self._mute:
                self._say_aim()
            await asyncio.sleep(TICK_S)

    def _say_aim(self) -> None:
        aim = self._aim
        theirs = self._origin.moved(aim.x_m, aim.y_m, aim.z_m, aim.yaw_rad)
        self.link.send(protocol.setpoint(self.link.system, theirs, int(1000 * self.now_s())))

    def _hear(self, message: Any) -> None:
        self.told.hear(message, self.now_s())
        self._taken = self._taken and self.flying

    @property
    def flying(self) -> bool:
        """Whether its motors turn, or may turn by now."""
        return self.told.flies(self.now_s())

    def _rests(self) -> bool:
        return not self.flying

    def _summary(self) -> str:
        silent = "" if self.connected else "; it does not answer, and comes down by its own failsafe"
        if self._clock is None or not self.flying:
            return "landed" + silent
        pilot = ", by its pilot's remote control" if self._piloted else ""
        return f"flying at {self.pose.z_m:.2f} m{pilot}{silent}"

    def checks(self) -> tuple[Check, ...]:
        return (*super().checks(), *self._failsafes)

    @property
    def _piloted(self) -> bool:
        return self.told.armed and self.told.mode in self.stack.hands

    def clearance_m(self, bearing_rad: float = 0.0) -> float:
        """It is asked for nothing that looks around."""
        return math.inf

    async def take_off(self) -> None:
        if self.flying:
            return
        start, climbs = self.pose, self.stack.climbs
        up = start.moved(up_m=TAKE_OFF_M)
        self._must_keep_to(up)
        self._mute = not climbs
        try:
            await self._take_lead()
            self.told.spun_s = self.now_s()
            # ArduPilot misses only whom it has heard: the last beat may be of before they met
            self.link.send(protocol.heartbeat())
            await self._ask("to start its motors", self._to(mavlink.MAV_CMD_COMPONENT_ARM_DISARM, 1))
            self.told.armed = True
            if not climbs:
                await self._ask("to take off", self._to(mavlink.MAV_CMD_NAV_TAKEOFF, 0, 0, 0, 0, 0, 0, TAKE_OFF_M))
                await self._until(lambda: self.pose.z_m > up.z_m - ABOUT_M / 2, TAKE_OFF_M / SINK_MPS)
                start = self.pose
        except BaseException as error:
            self.halt_now()
            if isinstance(error, SkillFailed) and not self.told.armed:
                self.told.spun_s = -math.inf
            raise
        finally:
            self._mute = False
        await self._fly(*_straight(start, up, self.limits.pace_mps(CRUISE_MPS)))

    async def land(self) -> None:
        """Down here. Told again until its motors stand. Raises `RobotError` where it cannot be seen to."""
        self._must_not_be_piloted("to land")
        began_s, told_s = self.now_s(), -math.inf
        patience_s = LAND_S + max(0.0, self.pose.z_m) / SINK_MPS
        while self.flying and self.now_s() - began_s < patience_s:
            if self.now_s() - told_s > AGAIN_S and not (self.connected and self.told.mode == self.stack.land):
                told_s = self.now_s()
                self.link.send(self._to(mavlink.MAV_CMD_NAV_LAND))
            stands = self.told.stands and self.still(STANDS_S)
            if stands and self.now_s() - began_s > STANDS_S and self.now_s() - told_s > AGAIN_S / 2:
                told_s = self.now_s()
                self.link.send(self._to(mavlink.MAV_CMD_COMPONENT_ARM_DISARM, 0))
            await asyncio.sleep(LOOK_S)
            self._must_not_be_piloted("to land")
        if self.flying or not self.connected:
            raise RobotError(f"{self.title} was told to land, and {self._summary()}")

    async def move(self, forward_m: float, left_m: float, up_m: float) -> None:
        start = self._start()
        goal = start.moved(forward_m, left_m, up_m)
        if (length_m := math.hypot(forward_m, left_m, up_m)) < self.least_move_m:
            raise SkillFailed(f"{self.title} moves by {self.least_move_m:g} m or more, not by {length_m:.2f} m")
        self._must_keep_to(goal)
        await self._fly(*_straight(start, goal, self.limits.pace_mps(CRUISE_MPS)))

    async def turn(self, angle_rad: float) -> None:
        start, way = self._start(), math.copysign(TURN_RADPS, angle_rad)
        await self._fly(lambda s: replace(start, yaw_rad=wrap(start.yaw_rad + way * s)), abs(angle_rad) / TURN_RADPS)

    def _start(self) -> Pose:
        """Where the next motion starts: the point that it is held at, so that small errors do not add up."""
        aim, pose = self._aim, self.pose
        held = aim.distance_m(pose) < ABOUT_M and abs(wrap(aim.yaw_rad - pose.yaw_rad)) < ABOUT_RAD
        return aim if held and not self._halted else pose

    async def _fly(self, at: Callable[[float], Pose], seconds: float) -> None:
        """Lead it: `at` says where it is to be after so many seconds. Raises `SkillFailed`, or `RobotError` where it
        says nothing; it holds then."""
        there, led_s, over_s = at(seconds), 0.0, math.inf

        def arrived() -> bool:
            nonlocal led_s, over_s
            pose = self.pose
            behind = pose.distance_m(self._aim) > AHEAD_M or abs(wrap(pose.yaw_rad - self._aim.yaw_rad)) > AHEAD_RAD
            led_s = led_s if behind else min(seconds, led_s + TICK_S)
            over_s = min(over_s, self.now_s()) if led_s == seconds else math.inf
            self._aim = at(led_s)
            off_m, off_rad = pose.distance_m(there), abs(wrap(pose.yaw_rad - there.yaw_rad))
            if self.now_s() - over_s > WINDY_S and off_m < ABOUT_M and off_rad < ABOUT_RAD:
                return True
            return led_s == seconds and off_m < NEAR_M and off_rad < NEAR_RAD and self.still(SETTLED_S)

        try:
            await self._take_lead()
            await self._until(arrived, 2 * seconds + PATIENCE_S)
        except BaseException:
            if not self._taken:
                self.halt_now()
            raise

    def _must_go_on(self) -> None:
        if not self.flying:
            raise SkillFailed("its motors have stopped")
        if self.told.mode != self.stack.lead:
            self._taken = True
            raise SkillFailed(self._left())

    def _left(self) -> str:
        what = f"the autopilot or its pilot has chosen the mode {self.stack.called(self.told.mode)}"
        return f"{what}{f' ({self.told.said})' if self.told.said else ''}, which it keeps until it has landed"

    async def _take_lead(self) -> None:
        """Have it go where it is told. What its autopilot or its pilot has taken over is not taken back in the air."""
        mode = self.stack.lead
        if self.told.mode != mode and (self._taken or self._piloted) and self.flying:
            raise SkillFailed(self._left())
        self._halted = False
        if self.told.mode == mode:
            return
        self.told.asked(UNKNOWN, self.now_s())
        await self._ask(f"to go into the mode {self.stack.called(mode)}", protocol.mode_command(self.link.system, mode))
        self.told.asked(mode, self.now_s())

    async def _ask(self, what: str, message: Any) -> None:
        """Have a command accepted. Raises `SkillFailed` where it is refused, `RobotError` where no answer comes."""
        self.told.said = ""
        for _ in range(4):
            answer = await self.link.ask(message)
            if answer == protocol.ACCEPTED:
                return
            if answer is None:
                raise RobotError(f"no word from {self.title}")
            await asyncio.sleep(protocol.GRACE_S)  # PX4 wants to be led for a second; and its reason comes as a text
        raise SkillFailed(
            f"the autopilot refuses {what}: {self.told.said or protocol.RESULTS.get(answer, str(answer))}"
        )

    def _to(self, number: int, *params: float) -> Any:
        return protocol.command(self.link.system, number, *params)

    def halt_now(self) -> None:
        if not self.flying or self._piloted:
            return
        self._halted, self._aim = True, self.pose
        if self.told.mode != UNKNOWN:  # else the next heartbeat is to tell, however often it is halted
            self.told.asked(UNKNOWN, self.now_s())
        self._say_aim()
        self.link.send(protocol.mode_command(self.link.system, self.stack.hold))

    async def halt(self) -> None:
        """Hold. Raises `RobotError` as well where a pilot flies it by hand, who is not disturbed."""
        self._must_not_be_piloted("to stop")
        await super().halt()

    def _must_not_be_piloted(self, what: str) -> None:
        if self._piloted:
            raise RobotError(f"{self.title} was not told {what}: its pilot flies it by hand")

    async def drop(self) -> None:
        """Stop the motors where it is; it falls, and what is below it is hit. For `cut`, by who accepts that."""
        for _ in range(3):
            self.link.send(self._to(mavlink.MAV_CMD_COMPONENT_ARM_DISARM, 0, protocol.FORCED))
            await asyncio.sleep(LOOK_S)

    async def rest(self) -> None:
        if self.flying and self.told.speed_mps > self.told.moving[0]:
            await self.halt()
        await self.land()


def _straight(start: Pose, goal: Pose, cruise_mps: float) -> tuple[Callable[[float], Pose], float]:
    """The way of the point that leads it from one to the other, and the seconds that it takes."""
    seconds = start.distance_m(goal) / cruise_mps
    return lambda s: replace(start.towards(goal, min(1.0, s / seconds)), yaw_rad=goal.yaw_rad), seconds
