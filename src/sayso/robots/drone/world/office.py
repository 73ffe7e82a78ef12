"""The office: a furnished room with a quadrotor in it, for the drone's missions.

    world = Office("tour")

The world hands out an ordinary robot (`SimDrone`) and an ordinary perception. `run` is the only place where time passes
here. `truth`, `in_frame` and the pictures are for judges and people.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import mujoco
import numpy as np
from numpy.typing import NDArray

from sayso.limits import Limits, Zone
from sayso.perception.geometry import GeometricCamera
from sayso.robots.drone.world.quadrotor import CAMERA, HULL_HALF_HEIGHT_M, Quadrotor, Wind, add_quadrotor
from sayso.robots.drone.world.sim import SimDrone
from sayso.scene import Pose
from sayso.world import Real, Size, Truth
from sayso.worlds.draw import INK, TRAIL, WHITE, Chart, Point, Rgb, Tag
from sayso.worlds.physics import Physical
from sayso.worlds.scenery import Placed, Stage, bare_room, build_thing, lowered, read_stage, scene_names

SCENES = Path(__file__).with_name("scenes")
CATALOGUE = Path(__file__).with_name("catalogue.toml")

STEP_S = 0.004
WALL_MARGIN_M = 0.25
CEILING_MARGIN_M = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class FlightTruth(Truth):
    """What is so in a room that somebody flies in. Who has crashed lies where it fell."""

    flying: bool
    crashed: bool

    @property
    def landed(self) -> bool:
        return not self.flying and not self.crashed


class Office(Physical):
    """A scene of the office, or a stage of your own. A seed other than 0 moves the things of a scene a little.

    `wind_mps` blows, with gusts, by seed.
    """

    name: ClassVar[str] = "office"
    step_s: ClassVar[float] = STEP_S
    trail_m: ClassVar[float] = 0.02

    def __init__(self, scene: str | Stage = "tour", seed: int = 0, *, wind_mps: float = 0.0) -> None:
        stage = scene if isinstance(scene, Stage) else read_stage(SCENES, scene, seed, CATALOGUE)
        self.stage = lowered(stage, HULL_HALF_HEIGHT_M)
        super().__init__(_compile(self.stage))
        self.quadrotor = quad = Quadrotor(self.model, self.data, Wind(wind_mps, seed), self._names())
        mujoco.mj_forward(self.model, self.data)
        self._things = {placed.id: self._real(placed) for placed in self.stage.things}
        if self.stage.hovering:
            quad.spin_up()
            quad.floor_is_home = False
        camera = int(self.model.camera(CAMERA).id)
        eye = GeometricCamera(self.model, self.data, camera, self.stage.things, own_body=quad.body_id)
        self._judge, self.perception = eye, eye
        self.drone = SimDrone(quad, _limits(self.stage), self._photograph, eye.view)
        self.robot = self.drone
        self.note_way()

    @staticmethod
    def scenes() -> tuple[str, ...]:
        return scene_names(SCENES)

    def step(self) -> None:
        self.quadrotor.step()

    def truth(self) -> FlightTruth:
        quad = self.quadrotor
        pose, speed_mps = self.really()
        return FlightTruth(
            time_s=self.time_s,
            pose=pose,
            start=self.stage.start,
            speed_mps=speed_mps,
            charge=quad.charge,
            things=self._things,
            in_frame=self.in_frame(),
            contacts=tuple(quad.touches),
            flying=quad.armed,
            crashed=quad.crashed,
        )

    def really(self) -> tuple[Pose, float]:
        return self.quadrotor.pose(), math.hypot(*self.quadrotor.velocity())

    def overview(self, width_px: int = 640, height_px: int = 480) -> Any:
        """The room from above, with names (those in view are marked), the way flown and where the camera looks."""
        size_px = width_px, height_px
        return overview(self.stage, self.shapes, self.quadrotor, self.truth(), self.trail, size_px)

    def _photograph(self, width_px: int, height_px: int) -> Any:
        return self.photograph(CAMERA, width_px, height_px)

    # What judges and pictures are made of

    @cached_property
    def shapes(self) -> Sequence[Shape]:
        """The things from above, part by part, the lowest first."""
        parts = [geom for placed in self.stage.things for geom in self._geoms(placed.id)]
        return sorted((seen_from_above(self.model, self.data, geom) for geom in parts), key=lambda s: s.top_m)

    def _geoms(self, body_id: str) -> range:
        body = self.model.body(body_id)
        return range(int(body.geomadr[0]), int(body.geomadr[0] + body.geomnum[0]))

    def _names(self) -> dict[int, tuple[str, str]]:
        """Geom → (thing's id, label); walls, floor and ceiling name themselves."""
        names: dict[int, tuple[str, str]] = {}
        for placed in self.stage.things:
            names |= dict.fromkeys(self._geoms(placed.id), (placed.id, placed.label))
        for geom in self._geoms("world"):
            name = self.model.geom(geom).name
            names[geom] = (name, name.rpartition(" ")[2])
        return names

    def _real(self, placed: Placed) -> Real:
        """A thing as it stands; its pose has the body's heading."""
        ways = (*np.eye(3), *-np.eye(3))
        ends = np.array([farthest(self.model, self.data, g, way) for g in self._geoms(placed.id) for way in ways])
        low, high = ends.min(axis=0).tolist(), ends.max(axis=0).tolist()
        turn = self.data.xmat[int(self.model.body(placed.id).id)]
        x, y, z = ((one + other) / 2 for one, other in zip(low, high, strict=True))
        middle = Pose(x, y, z, math.atan2(turn[3], turn[0]))
        size_m: Size = (high[0] - low[0], high[1] - low[1], high[2] - low[2])
        return Real(label=placed.label, pose=middle, size_m=size_m, attributes=dict(placed.attributes), on=placed.on)


def _compile(stage: Stage) -> mujoco.MjModel:
    spec = bare_room(f"office {stage.name}", stage.size_m)
    spec.option.timestep = STEP_S
    for placed in stage.things:
        build_thing(spec, placed, stage.paints)
    add_quadrotor(spec, stage.start)
    return spec.compile()


def _limits(stage: Stage) -> Limits:
    """What is safe in this room."""
    length, width, height = stage.size_m
    return Limits(
        zone=Zone(-length / 2, length / 2, -width / 2, width / 2).shrunk(WALL_MARGIN_M),
        altitude_min_m=0.0,
        altitude_max_m=height - CEILING_MARGIN_M,
        speed_max_mps=2.0,
        obstacle_min_m=0.3,
        battery_reserve=0.1,
        mission_max_s=600.0,
    )


FLOOR: Rgb = (232, 226, 216)
GRID: Rgb = (223, 216, 204)
WALL: Rgb = (92, 96, 104)
BUMP: Rgb = (200, 30, 40)
WALL_M = 0.1
SIGHT_M, HALF_VIEW_RAD = 2.4, math.radians(35.1)
LARGER = 2.0
"""The drone is drawn larger than it is, so that it can be seen."""

AROUND = tuple(np.array([math.cos(a), math.sin(a), 0.0]) for a in (math.radians(15 * i) for i in range(24)))


@dataclass(frozen=True, slots=True)
class Shape:
    """A flat convex outline in metres, counter-clockwise, its colour, and how high its top is."""

    outline: tuple[Point, ...]
    colour: Rgb
    top_m: float


def seen_from_above(model: mujoco.MjModel, data: mujoco.MjData, geom: int) -> Shape:
    """A geom in the world's x, y plane: its farthest points all around."""
    points = [farthest(model, data, geom, way).tolist() for way in AROUND]
    red, green, blue = (int(255 * v) for v in model.geom_rgba[geom][:3].tolist())
    top = farthest(model, data, geom, np.array([0.0, 0.0, 1.0]))
    return Shape(tuple((x, y) for x, y, _ in points), (red, green, blue), float(top[2]))


def farthest(model: mujoco.MjModel, data: mujoco.MjData, geom: int, way: NDArray[np.float64]) -> NDArray[np.float64]:
    """The point of a geom that lies farthest along a unit vector, in the world's frame."""
    turn = data.geom_xmat[geom].reshape(3, 3)
    point: NDArray[np.float64] = data.geom_xpos[geom] + turn @ _farthest(
        int(model.geom_type[geom]), model.geom_size[geom], turn.T @ way
    )
    return point


def _farthest(kind: int, size: Any, way: Any) -> Any:
    """The same in the geom's own frame, from its middle."""
    shape = mujoco.mjtGeom
    if kind == shape.mjGEOM_SPHERE:
        return size[0] * way
    if kind == shape.mjGEOM_CAPSULE:
        return size[0] * way + [0.0, 0.0, math.copysign(size[1], way[2])]
    if kind == shape.mjGEOM_ELLIPSOID:
        return size * size * way / np.linalg.norm(size * way)
    if kind == shape.mjGEOM_CYLINDER:
        x, y = size[0] * way[:2] / (math.hypot(way[0], way[1]) or 1.0)
        return np.array([x, y, math.copysign(size[1], way[2])])
    return np.copysign(size, way)


def overview(
    stage: Stage,
    shapes: Sequence[Shape],
    quad: Quadrotor,
    truth: Truth,
    trail: Sequence[Pose],
    size_px: tuple[int, int],
) -> Any:
    """(height, width, 3) uint8."""
    pose, size_m = truth.pose, stage.size_m[:2]
    chart = Chart(size_m, *size_px)
    x, y = size_m[0] / 2, size_m[1] / 2
    for wide, colour in ((WALL_M, WALL), (0.0, FLOOR)):
        a, b = x + wide, y + wide
        chart.area([(-a, -b), (a, -b), (a, b), (-a, b)], colour, edge=False)
    for i in range(math.ceil(-x), math.floor(x) + 1):
        chart.line([(i, -y), (i, y)], GRID, 1)
    for i in range(math.ceil(-y), math.floor(y) + 1):
        chart.line([(-x, i), (x, i)], GRID, 1)
    for shape in shapes:
        chart.area(shape.outline, shape.colour)
    chart.sight(pose, HALF_VIEW_RAD, SIGHT_M)
    chart.trail((*trail, pose))
    for bump in quad.bumps:
        chart.cross(bump, BUMP)
    chart.tags(_tags(stage, truth, quad.armed), clear_of=pose)
    _drone(chart, pose)
    chart.titles(stage.title, f"{pose.z_m:.2f} m up   battery {quad.charge:.0%}   {truth.time_s:.1f} s")
    return chart.picture()


def _tags(stage: Stage, truth: Truth, flying: bool) -> Iterator[Tag]:
    for placed in stage.things:
        middle, size_m = truth.things[placed.id].pose, truth.things[placed.id].size_m
        inside = size_m is not None and min(size_m[:2]) > 0.55 and not placed.fixed
        seen = flying and placed.id in truth.in_frame
        yield Tag(placed.label, (middle.x_m, middle.y_m), inside, seen)


def _drone(chart: Chart, pose: Pose) -> None:
    """Four rotors and a nose."""
    arm, rotor_m = 0.05 * LARGER, 0.043 * LARGER
    for x, y in ((arm, arm), (-arm, arm), (-arm, -arm), (arm, -arm)):
        tip = pose.moved(x, y)
        chart.line([(pose.x_m, pose.y_m), (tip.x_m, tip.y_m)], INK, 3)
        chart.disc((tip.x_m, tip.y_m), rotor_m, WHITE, INK)
    nose = [pose.moved(0.2, 0.0), pose.moved(0.05, 0.07), pose.moved(0.05, -0.07)]
    chart.area([(p.x_m, p.y_m) for p in nose], TRAIL, edge=False)
