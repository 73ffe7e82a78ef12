"""A base on wheels behind ROS 2, as an ordinary robot.

It is led by how fast it is to go, twenty times a second, as slowly as its odometry needs to be believed, and told to
stand by the same words. What stops it when nobody speaks any more is its own driver's time-out, which nobody can read:
before its first motion it is turned a little and left alone, and has to stop by itself, or nothing moves. Its odometry
has to show what it was told; where it shows less, more or something else, that is the end of the motion.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

from sayso.errors import RobotError, SkillFailed
from sayso.limits import Limits
from sayso.plugins.machines import StakedRoom
from sayso.robots.base.ros import messages as msg
from sayso.robots.base.ros.camera import Camera
from sayso.robots.base.ros.navigation import Navigation
from sayso.robots.base.ros.node import Graph, Line, Node
from sayso.robots.base.ros.telemetry import Told
from sayso.robots.real import LOOK_S, TICK_S, Distant
from sayso.roles import Check
from sayso.scene import Pose, View, wrap

LIMITS = Limits(speed_max_mps=0.6, battery_reserve=0.15)
"""Of every base; a room adds its zone."""

CRUISE_MPS, TURN_RADPS = 0.3, 0.6
ACCEL_MPS2, ACCEL_RADPS2 = 0.4, 1.2
CREEP_MPS, CREEP_RADPS = 0.05, 0.15
LAG_S = 0.15
"""What passes between a word and what odometry shows of it, about; it brakes so much earlier."""

NEAR_M, NEAR_RAD = 0.02, math.radians(2)
AIM_RAD, STEER_M = math.radians(3), 0.5
"""It turns on the spot first where it looks further aside, and comes back to its line over so many metres."""

OFF_M, OFF_RAD, OFF_SHARE = 0.25, 0.6, 0.35
"""How much less or more odometry may show than it was told to go."""

THERE_M, REST_S = 0.3, 3.0
"""How near to a point Nav2 has to come, and after how long a rest there it has come, whatever it says."""

FIND_S, FIND_SHARE = 30.0, 4.0
"""How long it may look for its way, and how much longer than the straight one that may take."""

ZEROS_S = 1.0
"""For so long it is told to stand after each motion; then others may drive it."""

OPENING_S, SETTLED_S, PATIENCE_S = 5.0, 0.2, 6.0
TRY_RADPS, TRIED_RADPS, TRY_S, ALONE_S = 0.25, 0.1, 2.5, 1.5


class Ros(Distant):
    """One base behind ROS 2."""

    name: ClassVar[str] = "ros"
    title: ClassVar[str] = "the base"
    by: ClassVar[str] = "odometry"
    kind: ClassVar[str] = "base"
    on_stop = (
        "it is told to stand until it does, and stands until released; out of reach its own driver's time-out stops it"
    )

    told: Told

    def __init__(
        self, room: StakedRoom | None, where: str, graph: Graph, connect: Callable[[], Awaitable[Line]]
    ) -> None:
        super().__init__(LIMITS, room)
        self.identity = f"ros:{where}" if where else ""
        self.told, self.camera, self.graph = Told(), Camera(), graph
        self._connect = connect
        self._line: Line | None = None
        self._say: Callable[[float, float], None] = lambda forward_mps, turn_radps: None
        self._wish = (0.0, 0.0)
        self._until_s = -math.inf
        self._tried = False
        self._unfit = ""
        self._navigation: Navigation | None = None
        self._finds = ""

    async def _meet(self) -> None:
        self.told, self._tried, self._unfit, self._wish, self._navigation = Told(), False, "", (0.0, 0.0), None
        self._line = await self._connect()
        self._opened.append(self._line.close)
        await self._greet(Node(self._line, self.graph, "sayso"))
        self._begin(self._lead())

    async def _greet(self, node: Node) -> None:
        node.hears("odom", msg.Odometry, lambda told: self.told.hear(told, self.now_s()))
        node.hears("battery_state", msg.BatteryState, self.told.hear_battery)
        node.triggered("sayso/stop", self._stopped_there)
        answer = node.publishes("sayso/said", msg.Text)
        node.hears("sayso/say", msg.Text, lambda wish: self._said_there(wish.data, lambda said: answer(msg.Text(said))))
        until_s = self.now_s() + OPENING_S
        while not (found := msg.TWISTS.keys() & await node.kinds("MS", "cmd_vel")) and self.now_s() < until_s:
            await asyncio.sleep(LOOK_S)
        if not found:
            raise RobotError(
                f"nobody listens on {self.graph.topic('cmd_vel')} in domain {self.graph.domain}: are the robot's "
                "drivers started, with RMW_IMPLEMENTATION=rmw_zenoh_cpp and ROS 2 Jazzy or later?"
            )
        self._say = _velocity(node, msg.TWISTS[min(found)])
        while (not self.connected or self.told.charge < 0) and self.now_s() < until_s:
            await asyncio.sleep(LOOK_S)
        if not self.connected:
            raise RobotError(f"{self.title} tells no odometry on {self.graph.topic('odom')}")
        if self.told.charge < 0:
            raise RobotError(f"nobody tells on {self.graph.topic('battery_state')} how full its battery is")
        self._origin = self.told.pose
        self._navigation, self._finds = await Navigation.found(node, self.now_s)
        node.hears("sayso/image", msg.CompressedImage, lambda told: self.camera.hear(told, self.pose, self.now_s()))
        node.hears("sayso/camera_info", msg.CameraInfo, self.camera.hear_info)
        node.hears("tf_static", msg.TFMessage, self.camera.hear_mounts, kept=True)

    async def _lead(self) -> None:
        """How fast to go, as long as that is wished for, and to stand for a while after that."""
        while True:
            if not self.connected:
                self._wish = (0.0, 0.0)
            if any(self._wish):
                self._until_s = self.now_s() + ZEROS_S
            if self.now_s() < self._until_s:
                self._say(*self._wish)
            await asyncio.sleep(TICK_S)

    def _rests(self) -> bool:
        return self.still(SETTLED_S) and not any(self._wish)

    def _summary(self) -> str:
        return ("standing" if self.still(SETTLED_S) else "driving") if self.connected else "does not answer"

    def picture(self, width_px: int = 480, height_px: int = 360) -> Any:
        return self.camera.picture(width_px, height_px, self.now_s()) if self._clock else None

    def view(self) -> View | None:
        return self.camera.view(self.told.base)

    def unfit(self) -> str:
        if bad := self._unfit or super().unfit():
            return bad
        driven = self.connected and not any(self._wish) and not self.still(SETTLED_S)
        return "is driven by somebody else" if driven else ""

    def checks(self) -> tuple[Check, ...]:
        found = "stops by itself when nobody speaks" if self._tried else "is tried before its first motion"
        finds = (Check("navigation", self._finds),) if self._finds else ()
        return (*super().checks(), Check("time-out", found), *finds)

    async def move(self, forward_m: float) -> None:
        """Straight on, or back. Raises `SkillFailed`, or `RobotError` where it says nothing."""
        await self._drive(self.pose.moved(forward_m), math.copysign(1.0, forward_m))

    async def go(self, x_m: float, y_m: float) -> None:
        """Turn to a point and drive straight there; around what Nav2 sees, where that is."""
        here = self.pose
        if here.distance_m(there := Pose(x_m, y_m)) < NEAR_M:
            return
        goal = Pose(x_m, y_m, 0.0, wrap(here.yaw_rad + here.bearing_rad(there)))
        await (self._navigate(goal, self._navigation) if self._navigation else self._drive(goal, 1.0))

    async def turn(self, angle_rad: float) -> None:
        """On the spot; positive is left."""
        goal_rad = self.told.turned_rad + angle_rad
        await self._set_out(self.pose)
        await self._turn(goal_rad - self.told.turned_rad)

    async def _drive(self, goal: Pose, way: float) -> None:
        """Along the line that ends at a pose, as it looks there; `way` is -1 for backwards."""
        await self._set_out(goal)
        if abs(off_rad := wrap(goal.yaw_rad - self.pose.yaw_rad)) > AIM_RAD:
            await self._turn(off_rad)

        def left() -> tuple[float, float]:
            """How far it is along the line, and how far it is left of it."""
            at = self.pose.seen_from(goal)
            return -way * at.x_m, at.y_m

        def steer(speed: float) -> tuple[float, float]:
            aside_rad = wrap(goal.yaw_rad - self.pose.yaw_rad) - way * math.atan(left()[1] / STEER_M)
            return way * speed, max(-TURN_RADPS, min(TURN_RADPS, 1.5 * aside_rad))

        await self._lead_to(
            lambda: left()[0], steer, self.limits.pace_mps(CRUISE_MPS), ACCEL_MPS2, CREEP_MPS, (NEAR_M, OFF_M)
        )

    async def _navigate(self, goal: Pose, way: Navigation) -> None:
        """As Nav2 leads, and no faster than it drives by itself; over when odometry shows it there and at rest."""
        await self._set_out(goal)
        began, sent, driven, came_s = self._went(), [0.0, 0.0], [0.0, 0.0], self.now_s()

        def over() -> bool:
            nonlocal came_s
            if way.says_there() or self.now_s() - came_s >= REST_S:
                way.leave()
                return True
            self._wish = wish = _bounded(way.speeds(), self.limits.pace_mps(CRUISE_MPS))
            for i, off in enumerate((OFF_M, OFF_RAD)):
                sent[i] += wish[i] * TICK_S
                driven[i] += abs(wish[i]) * TICK_S
                self._must_show(sent[i], self._went()[i] - began[i], off, driven[i])
            if any(wish) or self.pose.distance_m(goal) > THERE_M:
                came_s = self.now_s()
            return False

        def shows() -> None:
            if (off_m := self.pose.distance_m(goal)) > THERE_M:
                says = f"Nav2 says that it is there, and odometry shows it {off_m:.1f} m away"
                raise SkillFailed(says, "elsewhere")

        way.go(self.told.frame, self._origin.moved(*goal.xy, 0.0, goal.yaw_rad))
        await self._led(over, FIND_S + FIND_SHARE * self.pose.distance_m(goal) / CRUISE_MPS, shows)

    def _went(self) -> tuple[float, float]:
        """Metres and radians, as odometry shows."""
        return self.told.gone_m, self.told.turned_rad

    async def _turn(self, angle_rad: float) -> None:
        way, goal_rad = math.copysign(1.0, angle_rad), self.told.turned_rad + angle_rad
        await self._lead_to(
            lambda: way * (goal_rad - self.told.turned_rad),
            lambda speed: (0.0, way * speed),
            TURN_RADPS,
            ACCEL_RADPS2,
            CREEP_RADPS,
            (NEAR_RAD, OFF_RAD),
        )

    async def _lead_to(
        self,
        left: Callable[[], float],
        steer: Callable[[float], tuple[float, float]],
        cruise: float,
        accel: float,
        creep: float,
        within: tuple[float, float],
    ) -> None:
        """Until `left` is nothing, no faster than `cruise` and slower towards the end; `steer` turns a speed into a
        wish. Metres or radians, and seconds."""
        near, off = within
        whole, sent, speed = left(), 0.0, 0.0

        def over() -> bool:
            nonlocal sent, speed
            if (rest := left()) <= near:
                return True
            self._must_show(sent, whole - rest, off, sent)
            brake = math.sqrt(2 * accel * max(0.0, rest - LAG_S * speed))
            speed = max(creep, min(cruise, speed + accel * TICK_S, brake))
            self._wish = steer(speed)
            sent += speed * TICK_S
            return False

        await self._led(over, PATIENCE_S + 3 * whole / cruise, lambda: self._must_show(sent, whole - left(), off, sent))

    async def _led(self, over: Callable[[], bool], patience_s: float, shows: Callable[[], None]) -> None:
        """Until it is `over`, and stands then, and `shows` it. It is halted where any of that raises."""
        try:
            await self._until(over, patience_s)
            self._wish = (0.0, 0.0)
            self._say(0.0, 0.0)
            await self._until(lambda: self.still(SETTLED_S), PATIENCE_S)
            shows()
        except BaseException:
            self.halt_now()
            raise

    def _must_go_on(self) -> None:
        if lost := self._astray():
            raise SkillFailed(f"{self.title} {lost}")

    def _must_show(self, sent: float, shown: float, off: float, driven: float) -> None:
        """Odometry has to show what it was told, about; `driven` is that way without its signs."""
        if abs(shown - sent) > off + OFF_SHARE * driven:
            much = "less" if abs(shown) < abs(sent) else "more"
            raise SkillFailed(
                f"its odometry shows {much} than it was told to go ({shown:.2f}, not {sent:.2f}): it is blocked, its "
                "wheels slip, somebody else drives it, or its odometry is wrong"
            )

    async def _set_out(self, goal: Pose) -> None:
        """Before its first motion it is turned a little and left alone. Raises `SkillFailed` where it goes on."""
        self._must_keep_to(goal)
        if self._unfit or not (self._tried or self.still(SETTLED_S)):
            raise SkillFailed(f"{self.title} {self.unfit() or 'does not stand still'}")
        self._halted = False
        if self._tried:
            return
        began_rad, until_s = self.told.turned_rad, self.now_s() + TRY_S

        def turns() -> bool:
            if self.now_s() > until_s:
                raise SkillFailed(f"{self.title} was told to turn a little, and its odometry shows nothing of it")
            turning = self.told.turn_radps >= TRIED_RADPS
            self._wish = (0.0, 0.0 if turning else TRY_RADPS)
            return turning

        def stands() -> bool:
            if not (still := self.still(SETTLED_S)) and self.now_s() > until_s:
                raise self._unfit_for_good(
                    "drives on when nobody speaks to it: set the time-out of its driver (cmd_vel_timeout)"
                )
            return still

        try:
            await self._until(turns)
            self._until_s, until_s = -math.inf, self.now_s() + ALONE_S
            await self._until(stands)
            if self.told.turned_rad < began_rad:
                raise self._unfit_for_good("turns right when it is told to turn left")
        except BaseException:
            self.halt_now()
            raise
        self._tried = True

    def _unfit_for_good(self, why: str) -> SkillFailed:
        self._unfit = why
        return SkillFailed(f"{self.title} {why}")

    def halt_now(self) -> None:
        self._halted, self._wish = True, (0.0, 0.0)
        self._until_s = self.now_s() + ZEROS_S
        self._say(0.0, 0.0)
        if self._navigation:
            self._navigation.leave()

    def _stopped_there(self) -> str:
        """Somebody in its ROS graph called its `sayso/stop`."""
        if self.told_to_stop:
            self.told_to_stop("ros")
        else:
            self.halt_now()
        return "told to stand"

    def _said_there(self, wish: str, answer: Callable[[str], None]) -> None:
        """Somebody in its ROS graph says a wish, which is nobody's leave to move."""
        if self.told_to_say:
            self.told_to_say(wish, answer)
        else:
            answer("nobody is here who approves what others wish for")


def _bounded(speeds: tuple[float, float], cruise_mps: float) -> tuple[float, float]:
    """The same curve, no faster than it drives and turns by itself."""
    forward_mps, turn_radps = speeds
    much = max(1.0, abs(forward_mps) / cruise_mps, abs(turn_radps) / TURN_RADPS)
    return forward_mps / much, turn_radps / much


def _velocity(node: Node, kind: type[msg.Twist] | type[msg.TwistStamped]) -> Callable[[float, float], None]:
    """What publishes how fast to go, in m/s and rad/s, in the form that the robot takes."""
    publish = node.publishes("cmd_vel", kind)

    def say(forward_mps: float, turn_radps: float) -> None:
        twist = msg.Twist(msg.Vector3(forward_mps), msg.Vector3(z=turn_radps))
        publish(twist if kind is msg.Twist else msg.TwistStamped(twist=twist))  # without a time it is taken as of now

    return say
