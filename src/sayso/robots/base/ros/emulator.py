"""An emulator of a ROS 2 base on the simulated one: whoever publishes on `cmd_vel` drives it.

It tells `odom`, `tf` and `battery_state`, and stops when nobody has spoken for `TIMEOUT_S`, as drivers of bases do. It
shows that a client speaks the protocol, never that a drive would go well.
"""

import asyncio
import math
from collections import deque

from sayso.plugins.machines import StakedRoom
from sayso.robots.base.ros import messages as msg
from sayso.robots.base.ros.adapter import Ros
from sayso.robots.base.ros.node import EVERYWHERE, Bus, Graph, Line, Node
from sayso.robots.base.world import Hall
from sayso.scene import Pose

TIMEOUT_S = 0.5
TELLS_S, BATTERY_EVERY = 0.04, 10
ODOM = Pose(4.0, -3.0, 0.0, 0.9)
"""Where the hall's origin lies in the frame of the odometry, and where its x axis points."""

STANDS = Pose(-1.0, 0.5, 0.0, 0.6)
"""Where it stands in the hall."""

LOG_MAX = 10_000


class Emulator:
    """One base, whose hall somebody else steps. `log` holds what it was told, with the loop's time.

    Odometry that lies is drawn by who overrides `odometry`.
    """

    def __init__(
        self, hall: Hall, graph: Graph = EVERYWHERE, hears: type[msg.Twist] | type[msg.TwistStamped] = msg.Twist
    ) -> None:
        self.hall, self.graph, self.kind = hall, graph, hears
        self.timeout_s = TIMEOUT_S
        self.log: deque[tuple[float, str]] = deque(maxlen=LOG_MAX)
        self._line: Line | None = None
        self._tells: asyncio.Task[None] | None = None
        self._heard_s = -math.inf

    def open(self, line: Line) -> None:
        """Drive and tell over this line, which is closed with the face."""
        self._line, node = line, Node(line, self.graph, "simulated_base")
        node.hears_speeds("cmd_vel", self.kind, self._drive)
        self._tells = asyncio.ensure_future(self._tell(node))

    def close(self) -> None:
        """Go silent at once, as when the computer on the machine is switched off. Its wheels stop by themselves."""
        if self._tells and self._line:
            self._tells.cancel()
            self._line.close()
        self.hall.base.stop()

    def _drive(self, twist: msg.Twist) -> None:
        forward_mps, turn_radps = twist.linear.x, twist.angular.z
        if math.isfinite(forward_mps) and math.isfinite(turn_radps):
            self._heard_s = asyncio.get_running_loop().time()
            self.log.append((self._heard_s, f"{forward_mps:.3f} {turn_radps:.3f}"))
            self.hall.base.drive(forward_mps, turn_radps)

    async def _tell(self, node: Node) -> None:
        odom, battery = (node.publishes("odom", msg.Odometry), node.publishes("battery_state", msg.BatteryState))
        tf, number = node.publishes("tf", msg.TFMessage), 0
        while True:
            if asyncio.get_running_loop().time() - self._heard_s > self.timeout_s:
                self.hall.base.stop()
            told = self.odometry()
            odom(told)
            spot = told.pose.pose
            tf(msg.TFMessage((msg.TransformStamped(told.header, told.child_frame_id, spot),)))
            if number % BATTERY_EVERY == 0:
                battery(msg.BatteryState(told.header, voltage=12.0, percentage=self.hall.charge))
            number += 1
            await asyncio.sleep(TELLS_S)

    def odometry(self) -> msg.Odometry:
        """What its wheels tell now."""
        here, (forward_mps, turn_radps) = self.hall.base.pose, self.hall.base.velocity
        at = ODOM.moved(*here.xy, 0.0, here.yaw_rad)
        stamp = msg.Time(int(self.hall.time_s), int(1e9 * (self.hall.time_s % 1.0)))
        turn = msg.Quaternion(z=math.sin(at.yaw_rad / 2), w=math.cos(at.yaw_rad / 2))
        return msg.Odometry(
            msg.Header(stamp, f"{self.graph.namespace.strip('/')}/odom".lstrip("/")),
            f"{self.graph.namespace.strip('/')}/base_link".lstrip("/"),
            msg.SpotWithCovariance(msg.Spot(msg.Vector3(*at.xy), turn)),
            msg.TwistWithCovariance(msg.Twist(msg.Vector3(forward_mps), msg.Vector3(z=turn_radps))),
        )


class Rehearsal(Ros):
    """The dry run: a base whose machine, the simulated one behind the same keys and bytes, is opened with it. `hall`,
    `face` and `bus` are for judges."""

    name = "ros (simulated)"

    def __init__(self, room: StakedRoom | None, face: Emulator | None = None, bus: Bus | None = None) -> None:
        super().__init__(room, "", EVERYWHERE, self._joined)
        self.face, self.bus = face or Emulator(Hall(STANDS)), bus or Bus()
        self.hall = self.face.hall

    async def _joined(self) -> Line:
        self._begin(self.hall.run())
        self._opened.append(self.face.close)
        self.face.open(self.bus.end())
        return self.bus.end()
