"""The office: a furnished room with a quadrotor in it, for the drone's missions.

    world = Office("tour")

The world hands out an ordinary robot (`SimDrone`) and an ordinary perception; another may take the place of that.
`run` is the only place where time passes here. `truth`, `in_frame` and the pictures are for judges and people.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import mujoco
import numpy as np

from sayso.limits import Limits, Zone
from sayso.parts import Perception
from sayso.perception.geometry import GeometricCamera
from sayso.robots.drone.world.draw import Shape, overview
from sayso.robots.drone.world.footprint import half_m, outline
from sayso.robots.drone.world.quadrotor import CAMERA, HULL_HALF_HEIGHT_M, Quadrotor, Wind, add_quadrotor
from sayso.robots.drone.world.ranging import free_m
from sayso.robots.drone.world.sim import SimDrone
from sayso.scene import Pose
from sayso.truth import Real, Size, Touch, Truth
from sayso.worlds.draw import Chart, Tag
from sayso.worlds.physics import Physical, Seer
from sayso.worlds.scenery import Placed, Stage, build_room, build_thing, lowered, read_stage, scene_names

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
    `noise` and `misses` make the perception as imperfect as a real detector. `limits` replaces the room's own.
    """

    name: ClassVar[str] = "office"
    step_s: ClassVar[float] = STEP_S
    trail_m: ClassVar[float] = 0.02

    def __init__(
        self,
        scene: str | Stage = "tour",
        seed: int = 0,
        *,
        perception: Callable[..., Seer] = GeometricCamera,
        wind_mps: float = 0.0,
        noise: float = 0.0,
        misses: float = 0.0,
        limits: Limits | None = None,
    ) -> None:
        stage = scene if isinstance(scene, Stage) else read_stage(SCENES, scene, seed, CATALOGUE)
        self.stage = lowered(stage, HULL_HALF_HEIGHT_M)
        super().__init__(_compile(self.stage))
        self.quadrotor = Quadrotor(self.model, self.data, Wind(wind_mps, seed), self._names())
        mujoco.mj_forward(self.model, self.data)
        self._things = {placed.id: _real(self.model, self.data, placed) for placed in self.stage.things}
        self._start_flight()
        own, camera = self.quadrotor.body_id, int(self.model.camera(CAMERA).id)
        self._judge = perception(self.model, self.data, camera, self.stage.things, own_body=own)
        self.perception: Perception = perception(
            self.model, self.data, camera, self.stage.things, own_body=own, noise=noise, misses=misses, seed=seed
        )
        self.drone = SimDrone(self.quadrotor, self._range, limits or _limits(self.stage), self._photograph)
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
            contacts=tuple(Touch(touch.label, touch.at_s) for touch in quad.touches),
            flying=quad.armed,
            crashed=quad.crashed,
        )

    def really(self) -> tuple[Pose, float]:
        return self.quadrotor.pose(), math.hypot(*self.quadrotor.velocity())

    def overview(self, width_px: int = 640, height_px: int = 480) -> Any:
        """The room from above, with names (those in view are marked), the way flown and where the camera looks."""
        pose, quad, size_m = self.quadrotor.pose(), self.quadrotor, self.stage.size_m[:2]
        in_view = self.in_frame() if quad.armed else frozenset()
        chart = Chart(size_m, width_px, height_px)
        caption = f"{pose.z_m:.2f} m up   battery {quad.charge:.0%}   {self.time_s:.1f} s"
        tags = [self._tag(placed, placed.id in in_view) for placed in self.stage.things]
        bumps = [touch.at[:2] for touch in quad.touches]
        return overview(chart, size_m, self._shapes, tags, (*self.trail, pose), bumps, self.stage.title, caption)

    # What the robot is made of

    def _range(self, way: tuple[float, float, float]) -> float:
        """The range sensors' reading along a unit vector in the world frame."""
        quad = self.quadrotor
        pose = quad.pose()
        return free_m(self.model, self.data, quad.body_id, (pose.x_m, pose.y_m, pose.z_m), way)

    def _photograph(self, width_px: int, height_px: int) -> Any:
        return self.photograph(CAMERA, width_px, height_px)

    def _start_flight(self) -> None:
        """Landed on the floor, or hovering where the scene says so."""
        if self.stage.hovering:
            self.quadrotor.spin_up()
            self.quadrotor.floor_is_home = False

    # What judges and pictures are made of

    @cached_property
    def _shapes(self) -> tuple[Shape, ...]:
        return _shapes(self.model, self.data, self.stage)

    def _names(self) -> dict[int, tuple[str, str]]:
        """Geom → (thing's id, label); walls, floor and ceiling name themselves."""
        names = {}
        for placed in self.stage.things:
            body = self.model.body(placed.id)
            for geom in range(int(body.geomadr[0]), int(body.geomadr[0] + body.geomnum[0])):
                names[geom] = (placed.id, placed.label)
        for geom in range(self.model.body_geomadr[0], self.model.body_geomadr[0] + self.model.body_geomnum[0]):
            name = self.model.geom(geom).name
            names[geom] = (name, name.rpartition(" ")[2])
        return names

    def _tag(self, placed: Placed, seen: bool) -> Tag:
        middle, size_m = self._things[placed.id].pose, self._things[placed.id].size_m
        inside = size_m is not None and min(size_m[:2]) > 0.55 and not placed.fixed
        return Tag(placed.label, (middle.x_m, middle.y_m), inside, seen)


def _compile(stage: Stage) -> mujoco.MjModel:
    spec = mujoco.MjSpec()
    spec.modelname = f"office {stage.name}"
    spec.option.timestep = STEP_S
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.visual.global_.offwidth, spec.visual.global_.offheight = 1280, 960
    spec.visual.map.znear, spec.visual.map.zfar = 0.004, 8.0
    spec.visual.quality.shadowsize = 2048
    build_room(spec, stage.size_m)
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


def _real(model: mujoco.MjModel, data: mujoco.MjData, placed: Placed) -> Real:
    """A thing as it stands; its pose has the body's heading."""
    body = model.body(placed.id)
    geoms = range(int(body.geomadr[0]), int(body.geomadr[0] + body.geomnum[0]))
    middles, halves = data.geom_xpos[geoms], np.array([half_m(model, data, g) for g in geoms])
    low, high = (middles - halves).min(axis=0).tolist(), (middles + halves).max(axis=0).tolist()
    turn = data.xmat[int(body.id)]
    x, y, z = ((one + other) / 2 for one, other in zip(low, high, strict=True))
    middle = Pose(x, y, z, math.atan2(turn[3], turn[0]))
    size_m: Size = (high[0] - low[0], high[1] - low[1], high[2] - low[2])
    return Real(label=placed.label, pose=middle, size_m=size_m, attributes=dict(placed.attributes), on=placed.on)


def _shapes(model: mujoco.MjModel, data: mujoco.MjData, stage: Stage) -> tuple[Shape, ...]:
    """The things from above, part by part."""
    shapes = []
    for placed in stage.things:
        body = model.body(placed.id)
        for geom in range(int(body.geomadr[0]), int(body.geomadr[0] + body.geomnum[0])):
            red, green, blue = (int(255 * v) for v in model.geom_rgba[geom][:3].tolist())
            top_m = float(data.geom_xpos[geom][2]) + half_m(model, data, geom)[2]
            shapes.append(Shape(outline(model, data, geom), (red, green, blue), top_m))
    return tuple(shapes)
