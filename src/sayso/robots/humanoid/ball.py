"""The ball: a simulated detector that sees only what the head camera could, and a Kalman filter that remembers.

The detector is a model of a trained one: from the geometry of the camera (field of view, range, what stands in the
way) follow detections with misses and noise, both by seed. The estimate is a constant-velocity Kalman filter with
rolling friction on the field, and keeps the last known place when the ball is out of view.

Where the camera is, and what there would be to see, is told by an `Eye`; a world or a test provides one.
"""

import asyncio
import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from sayso.scene import Belief, Box, Pose, Scene, Sense, Thing

Vector: TypeAlias = tuple[float, float, float]

FRAME_HZ = 15.0
VIEW_RAD = math.radians(80)  # horizontally
ASPECT = 4 / 3
BALL_RANGE_M, GOAL_RANGE_M = 6.0, 12.0
STILL_VISIBLE_S = 0.3
"""A missed frame or two do not make a ball invisible."""
RESTART_M = 0.8  # a ball found this far from where it was expected has been moved
FRICTION_MPS2 = 0.5
SHAKE_MPS2 = 1.0


class Eye(Protocol):
    """A camera on a robot, and what is around it. Metres and radians in the world frame."""

    def now_s(self) -> float:
        """Time of the last frame."""

    def observer(self) -> Pose:
        """Where the robot believes it stands."""

    def axes(self) -> tuple[Vector, Vector, Vector, Vector]:
        """The camera's position, and the unit vectors forward, left and up of the image."""

    def things(self) -> Mapping[str, tuple[Vector, float]]:
        """Centre and half width of everything that could be detected, by label; `ball` is one of them."""

    def open_share(self, centre: Vector, half_m: float) -> float:
        """How much of a thing is not hidden from the camera, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Ball(Belief):
    """The ball as a planner hears of it: tenths of a second and centimetres; None: never seen."""

    visible: bool = False
    unseen_s: float | None = None
    distance_m: float | None = None

    def __str__(self) -> str:
        if self.unseen_s is None or self.distance_m is None:
            return "ball is not visible, never seen"
        seen = "is visible" if self.visible else "is not visible"
        return f"ball {seen}, last seen {self.unseen_s:.1f} s ago, {self.distance_m:.2f} m away"

    def gist(self) -> tuple[str, float]:
        return f"{self.visible} {self.unseen_s is None}", self.distance_m or 0.0


@dataclass(frozen=True, slots=True)
class BallState:
    """The belief about the ball: distance and bearing (positive left) from the robot; None: never seen."""

    visible: bool = False
    unseen_s: float | None = None
    distance_m: float | None = None
    bearing_rad: float | None = None
    pose: Pose | None = None

    @property
    def told(self) -> Ball:
        """What a planner hears of it."""
        if self.unseen_s is None or self.distance_m is None:
            return Ball()
        return Ball(self.visible, round(self.unseen_s, 1), round(self.distance_m, 2))


class Track:
    """The Kalman filter: one ball on a plane, both axes with the same variances."""

    def __init__(self, x_m: float, y_m: float, variance: float) -> None:
        self.x_m, self.y_m = x_m, y_m
        self.vx_mps = self.vy_mps = 0.0
        self._place, self._mixed, self._speed = variance, 0.0, 1.0

    def predict(self, dt_s: float) -> None:
        speed = math.hypot(self.vx_mps, self.vy_mps)
        kept = max(0.0, 1 - FRICTION_MPS2 * dt_s / speed) if speed > 1e-6 else 0.0
        self.x_m += self.vx_mps * dt_s * (1 + kept) / 2
        self.y_m += self.vy_mps * dt_s * (1 + kept) / 2
        self.vx_mps, self.vy_mps = self.vx_mps * kept, self.vy_mps * kept
        noise = SHAKE_MPS2 * SHAKE_MPS2 * dt_s
        self._place += 2 * dt_s * self._mixed + dt_s * dt_s * self._speed
        self._mixed += dt_s * self._speed
        self._speed = min(4.0, self._speed + noise)

    def update(self, x_m: float, y_m: float, variance: float) -> None:
        gain = self._place / (self._place + variance)
        gain_v = self._mixed / (self._place + variance)
        dx, dy = x_m - self.x_m, y_m - self.y_m
        self.x_m, self.y_m = self.x_m + gain * dx, self.y_m + gain * dy
        self.vx_mps, self.vy_mps = self.vx_mps + gain_v * dx, self.vy_mps + gain_v * dy
        self._speed -= gain_v * self._mixed
        self._mixed *= 1 - gain
        self._place *= 1 - gain


class BallDetector:
    """Perception of a soccer robot: `look` gives what is in view, `ball` what is believed of the ball.

    Run `run` beside the mission; without it, `look` takes a frame of its own when the last one is old. `miss` is the
    share of frames in which a near, open ball is overlooked; noise is one standard deviation, range as a share.
    """

    remembers = True

    def __init__(
        self, eye: Eye, seed: int = 0, *, miss: float = 0.03, noise_rad: float = 0.01, noise_range: float = 0.03
    ) -> None:
        self._eye = eye
        self._chance = random.Random(seed)
        self._miss, self._noise_rad, self._noise_range = miss, noise_rad, noise_range
        self._scene = Scene()
        self._framed_s = -math.inf
        self._track: Track | None = None
        self._seen_s = -math.inf

    async def run(self) -> None:
        """Take frames at the camera's rate until cancelled."""
        while True:
            self.frame()
            await asyncio.sleep(1 / FRAME_HZ)

    async def look(self) -> Scene:
        """What is in view now: the ball and the goals, with places on the field."""
        if self._eye.now_s() - self._framed_s >= 1 / FRAME_HZ:
            self.frame()
        return self._scene

    @property
    def ball(self) -> BallState:
        """The estimate at this moment, seen from where the robot stands by now."""
        if not self._track:
            return BallState()
        here = self._eye.observer()
        pose = Pose(self._track.x_m, self._track.y_m)
        unseen_s = max(0.0, self._eye.now_s() - self._seen_s)
        return BallState(
            visible=unseen_s <= STILL_VISIBLE_S,
            unseen_s=unseen_s,
            distance_m=pose.level_m(here),
            bearing_rad=here.bearing_rad(pose),
            pose=pose,
        )

    def believed(self) -> tuple[Belief, ...]:
        """The estimate, for a planner's brief."""
        return (self.ball.told,)

    def frame(self) -> Scene:
        """Take one picture and learn from it."""
        now_s = self._eye.now_s()
        here = self._eye.observer()
        found = [t for t in (self._detect(*item, here, now_s) for item in self._eye.things().items()) if t]
        self._scene = Scene(tuple(found), here, now_s, sense=Sense("My camera", tuple(self._eye.things())))
        dt_s = now_s - self._framed_s
        self._framed_s = now_s
        if self._track and dt_s > 0:
            self._track.predict(dt_s)
        ball = next((t for t in found if t.label == "ball"), None)
        if ball and ball.pose and ball.distance_m is not None:
            self._believe(ball.pose, ball.distance_m, now_s)
            found[found.index(ball)] = replace(ball, attributes=self._inside())
            self._scene = replace(self._scene, things=tuple(found))
        return self._scene

    def _inside(self) -> Mapping[str, str]:
        """In which goal the ball lies: behind its line, as seen from the middle of the field."""
        at = self._track
        for name, ((x_m, y_m, _), half_m) in self._eye.things().items():
            if at and name != "ball" and at.x_m / x_m > 1 and abs(at.y_m - y_m) < half_m:
                return {"on": name}
        return {}

    def _believe(self, pose: Pose, distance_m: float, now_s: float) -> None:
        variance = (0.01 + max(self._noise_range, self._noise_rad) * distance_m) ** 2
        track = self._track
        if not track or math.hypot(pose.x_m - track.x_m, pose.y_m - track.y_m) > RESTART_M:
            self._track = Track(pose.x_m, pose.y_m, variance)
        else:
            track.update(pose.x_m, pose.y_m, variance)
        self._seen_s = now_s

    def _detect(self, label: str, place: tuple[Vector, float], here: Pose, now_s: float) -> Thing | None:
        centre, half_m = place
        box, away_m = framed(self._eye, centre, half_m)
        range_m = BALL_RANGE_M if label == "ball" else GOAL_RANGE_M
        if not box or away_m > range_m:
            return None
        chance = self._eye.open_share(centre, half_m) * (1 - self._miss) * min(1.0, 2 - 1.6 * away_m / range_m)
        if self._chance.random() >= chance:
            return None
        truly = Pose(centre[0], centre[1])
        bearing = here.bearing_rad(truly) + self._chance.gauss(0.0, self._noise_rad)
        distance_m = truly.level_m(here)
        distance_m *= max(0.1, 1 + self._chance.gauss(0.0, self._noise_range))
        pose = here.moved(distance_m * math.cos(bearing), distance_m * math.sin(bearing))
        return Thing(label, label, box, distance_m, Pose(pose.x_m, pose.y_m), {}, chance, now_s)


def framed(eye: Eye, centre: Vector, half_m: float) -> tuple[Box | None, float]:
    """Where a thing falls into the image, None when its middle is outside; and how far away it is (m)."""
    at, forward, left, up = eye.axes()
    way = (centre[0] - at[0], centre[1] - at[1], centre[2] - at[2])
    away_m = math.hypot(*way)
    depth = sum(a * b for a, b in zip(way, forward, strict=True))
    if depth < 0.05:
        return None, away_m
    focal = 0.5 / math.tan(VIEW_RAD / 2)
    x = 0.5 - focal * sum(a * b for a, b in zip(way, left, strict=True)) / depth
    y = 0.5 - focal * ASPECT * sum(a * b for a, b in zip(way, up, strict=True)) / depth
    if not (0 <= x <= 1 and 0 <= y <= 1):
        return None, away_m
    size = 2 * half_m * focal / depth
    return Box(x, y, min(1.0, size), min(1.0, size * ASPECT)), away_m


def in_frame(eye: Eye) -> frozenset[str]:
    """What a perfect detector finds in the picture of now, by label: the middle in it, and most of it open."""
    there = {name: place for name, place in eye.things().items() if framed(eye, *place)[0]}
    return frozenset(name for name, place in there.items() if eye.open_share(*place) > 0.5)
