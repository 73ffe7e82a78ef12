"""The messages of ROS 2 that a base speaks, field by field, with the hashes by which ROS 2 (Iron and later) tells that
both ends mean the same. Units and frames are those of REP 103: metres, radians, seconds, x forward, y left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from sayso.robots.base.ros.cdr import F4, F8, I4, U1, U4, Flag

Covariance: TypeAlias = Annotated[tuple[F8, ...], 36]
NO_COVARIANCE = (0.0,) * 36


@dataclass(frozen=True, slots=True)
class Time:
    sec: I4 = 0
    nanosec: U4 = 0


@dataclass(frozen=True, slots=True)
class Header:
    stamp: Time = Time()
    frame_id: str = ""


@dataclass(frozen=True, slots=True)
class Vector3:
    x: F8 = 0.0
    y: F8 = 0.0
    z: F8 = 0.0


@dataclass(frozen=True, slots=True)
class Quaternion:
    x: F8 = 0.0
    y: F8 = 0.0
    z: F8 = 0.0
    w: F8 = 1.0


@dataclass(frozen=True, slots=True)
class Twist:
    linear: Vector3 = Vector3()
    angular: Vector3 = Vector3()


@dataclass(frozen=True, slots=True)
class TwistStamped:
    header: Header = Header()
    twist: Twist = Twist()


@dataclass(frozen=True, slots=True)
class Spot:
    """geometry_msgs/msg/Pose; a Transform is written the same."""

    position: Vector3 = Vector3()
    orientation: Quaternion = Quaternion()


@dataclass(frozen=True, slots=True)
class SpotWithCovariance:
    pose: Spot = Spot()
    covariance: Covariance = NO_COVARIANCE


@dataclass(frozen=True, slots=True)
class TwistWithCovariance:
    twist: Twist = Twist()
    covariance: Covariance = NO_COVARIANCE


@dataclass(frozen=True, slots=True)
class Odometry:
    """Where it is in the frame of its header, and how fast it goes in its own."""

    header: Header = Header()
    child_frame_id: str = ""
    pose: SpotWithCovariance = SpotWithCovariance()
    twist: TwistWithCovariance = TwistWithCovariance()


@dataclass(frozen=True, slots=True)
class TransformStamped:
    header: Header = Header()
    child_frame_id: str = ""
    transform: Spot = Spot()


@dataclass(frozen=True, slots=True)
class TFMessage:
    transforms: tuple[TransformStamped, ...] = ()


@dataclass(frozen=True, slots=True)
class BatteryState:
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


@dataclass(frozen=True, slots=True)
class Nothing:
    """A request that asks for nothing."""


@dataclass(frozen=True, slots=True)
class Answer:
    success: Flag = False
    message: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a type is called, and its hash without `RIHS01_`."""

    name: str
    hash: str

    @property
    def key(self) -> str:
        """Both as they stand in keys."""
        package, what, name = self.name.split("/")
        return f"{package}::{what}::dds_::{name}_/RIHS01_{self.hash}"


KINDS: Mapping[type, Kind] = {
    BatteryState: Kind(
        "sensor_msgs/msg/BatteryState", "4bee5dfce981c98faa6828b868307a0a73f992ed0789f374ee96c8f840e69741"
    ),
    Odometry: Kind("nav_msgs/msg/Odometry", "3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0"),
    TFMessage: Kind("tf2_msgs/msg/TFMessage", "e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087"),
    Twist: Kind("geometry_msgs/msg/Twist", "9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a"),
    TwistStamped: Kind(
        "geometry_msgs/msg/TwistStamped", "5f0fcd4f81d5d06ad9b4c4c63e3ea51b82d6ae4d0558f1d475229b1121db6f64"
    ),
}
TRIGGER = Kind("std_srvs/srv/Trigger", "eeff2cd6fa5ad9d27cdf4dec64818317839b62f212a91e6b5304b634b2062c5f")
