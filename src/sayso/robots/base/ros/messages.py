"""The messages of ROS 2 that a base speaks, field by field, with the hashes by which ROS 2 (Iron and later) tells that
both ends mean the same. Units and frames are those of REP 103: metres, radians, seconds, x forward, y left."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, NamedTuple, TypeAlias

from sayso.robots.base.ros.cdr import F4, F8, I1, I4, U1, U2, U4, Flag
from sayso.tables import toml

Covariance: TypeAlias = Annotated[tuple[F8, ...], 36]
NO_COVARIANCE = (0.0,) * 36


class Time(NamedTuple):
    sec: I4 = 0
    nanosec: U4 = 0


class Header(NamedTuple):
    stamp: Time = Time()
    frame_id: str = ""


class Text(NamedTuple):
    """std_msgs/msg/String."""

    data: str = ""


class Vector3(NamedTuple):
    x: F8 = 0.0
    y: F8 = 0.0
    z: F8 = 0.0


class Quaternion(NamedTuple):
    x: F8 = 0.0
    y: F8 = 0.0
    z: F8 = 0.0
    w: F8 = 1.0


class Twist(NamedTuple):
    linear: Vector3 = Vector3()
    angular: Vector3 = Vector3()


class TwistStamped(NamedTuple):
    header: Header = Header()
    twist: Twist = Twist()


class Spot(NamedTuple):
    """geometry_msgs/msg/Pose; a Transform is written the same."""

    position: Vector3 = Vector3()
    orientation: Quaternion = Quaternion()


class SpotWithCovariance(NamedTuple):
    pose: Spot = Spot()
    covariance: Covariance = NO_COVARIANCE


class TwistWithCovariance(NamedTuple):
    twist: Twist = Twist()
    covariance: Covariance = NO_COVARIANCE


class Odometry(NamedTuple):
    """Where it is in the frame of its header, and how fast it goes in its own."""

    header: Header = Header()
    child_frame_id: str = ""
    pose: SpotWithCovariance = SpotWithCovariance()
    twist: TwistWithCovariance = TwistWithCovariance()


class TransformStamped(NamedTuple):
    header: Header = Header()
    child_frame_id: str = ""
    transform: Spot = Spot()


class TFMessage(NamedTuple):
    transforms: tuple[TransformStamped, ...] = ()


class BatteryState(NamedTuple):
    """`percentage` is a fraction of full; NaN where nobody measures."""

    header: Header = Header()
    voltage: F4 = 0.0
    temperature: F4 = 0.0
    current: F4 = 0.0
    charge: F4 = 0.0
    capacity: F4 = 0.0
    design_capacity: F4 = 0.0
    percentage: F4 = 0.0
    power_supply_status: U1 = 0
    power_supply_health: U1 = 0
    power_supply_technology: U1 = 0
    present: Flag = True
    cell_voltage: tuple[F4, ...] = ()
    cell_temperature: tuple[F4, ...] = ()
    location: str = ""
    serial_number: str = ""


class Answer(NamedTuple):
    success: Flag = False
    message: str = ""


class CompressedImage(NamedTuple):
    """A picture as JPEG or PNG."""

    header: Header = Header()
    format: str = ""
    data: bytes = b""


class Region(NamedTuple):
    """sensor_msgs/msg/RegionOfInterest."""

    x_offset: U4 = 0
    y_offset: U4 = 0
    height: U4 = 0
    width: U4 = 0
    do_rectify: Flag = False


class CameraInfo(NamedTuple):
    """How a camera makes its pictures: `k` is fx 0 cx, 0 fy cy, 0 0 1 in pixels."""

    header: Header = Header()
    height: U4 = 0
    width: U4 = 0
    distortion_model: str = ""
    d: tuple[F8, ...] = ()
    k: Annotated[tuple[F8, ...], 9] = (0.0,) * 9
    r: Annotated[tuple[F8, ...], 9] = (0.0,) * 9
    p: Annotated[tuple[F8, ...], 12] = (0.0,) * 12
    binning_x: U4 = 0
    binning_y: U4 = 0
    roi: Region = Region()


GoalId: TypeAlias = Annotated[tuple[U1, ...], 16]


class SpotStamped(NamedTuple):
    """geometry_msgs/msg/PoseStamped."""

    header: Header = Header()
    pose: Spot = Spot()


class SendGoal(NamedTuple):
    """Drive there; how, is the robot's own `behavior_tree` where none is named."""

    goal_id: GoalId
    pose: SpotStamped
    behavior_tree: str = ""


class Taken(NamedTuple):
    """Whether a goal will be driven to."""

    accepted: Flag = False
    stamp: Time = Time()


class GoalInfo(NamedTuple):
    """Which goal is meant."""

    goal_id: GoalId
    stamp: Time = Time()


class Left(NamedTuple):
    """What was given up; `return_code` is 0 where that was done."""

    return_code: I1 = 0
    goals_canceling: tuple[GoalInfo, ...] = ()


class GetResult(NamedTuple):
    """Asks how a goal ends, and is answered when it has."""

    goal_id: GoalId


class Ended(NamedTuple):
    """How a goal ended: 4 where it was reached, 5 given up on demand, 6 in vain, and the robot's own number for why.
    Newer ones say that in words, too, which are left."""

    status: I1 = 0
    error_code: U2 = 0


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of message: what it is called, and its hash without `RIHS01_`."""

    name: str
    hash: str

    @property
    def key(self) -> str:
        """Both as they stand in keys."""
        package, what, name = self.name.split("/")
        return f"{package}::{what}::dds_::{name}_/RIHS01_{self.hash}"


_KINDS = {called: Kind(**told) for called, told in toml(__package__, "kinds.toml").items()}

SPOKEN = BatteryState, CameraInfo, CompressedImage, Odometry, Text, TFMessage, Twist, TwistStamped
KINDS: Mapping[type, Kind] = {message: _KINDS[message.__name__] for message in SPOKEN}
TWISTS = {KINDS[kind].key: kind for kind in (Twist, TwistStamped)}
"""How fast to go, in either form, as keys have them."""
TRIGGER, SEND_GOAL, CANCEL_GOAL = _KINDS["TRIGGER"], _KINDS["SEND_GOAL"], _KINDS["CANCEL_GOAL"]
GET_RESULTS = _KINDS["GET_RESULT"], _KINDS["GET_RESULT_IN_WORDS"]
