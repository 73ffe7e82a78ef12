"""The office: a furnished room with a quadrotor in it, for the drone's missions.

    world = Office("tour")

The world hands out an ordinary robot (`SimDrone`) and an ordinary perception. `run` is the only place where time passes
here. `truth`, `in_frame` and the pictures are for judges and people.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar

import mujoco
import numpy as np

from sayso.limits import Limits, Zone
from sayso.perception.geometry import GeometricCamera
from sayso.robots.drone.world.draw import Shape, farthest, overview, seen_from_above
from sayso.robots.drone.world.quadrotor import CAMERA, HULL_HALF_HEIGHT_M, Quadrotor, Wind, add_quadrotor
from sayso.robots.drone.world.sim import SimDrone
from sayso.scene import Pose
from sayso.world import Real, Size, Truth
from sayso.worlds.physics import Physical
from sayso.worlds.scenery import Placed, Stage, bare_room, build_thing, read_stage, scene_names

SCENES = Path(__file__).with_name("scenes")
CATALOGUE = Path(__file__).with_name("catalogue.toml")

STEP_S = 0.004
WALL_MARGIN_M = 0.25
CEILING_MARGIN_M = 0.3


class Office(Physical):
    """A scene of the office, or a stage of your own. A seed other than 0 moves the things of a scene a little.

    `wind_mps` blows, with gusts, by seed.
    """

    name: ClassVar[str] = "office"
    step_s: ClassVar[float] = STEP_S
    trail_m: ClassVar[float] = 0.02

    def __init__(self, scene: str | Stage = "tour", seed: int = 0, *, wind_mps: float = 0.0) -> None:
        stage = scene if isinstance(scene, Stage) else read_stage(SCENES, scene, seed, CATALOGUE)
        if not stage.hovering:  # it stands on its hull
            stage = replace(stage, start=replace(stage.start, z_m=HULL_HALF_HEIGHT_M))
        self.stage = stage
        super().__init__(_compile(self.stage))
        self.quadrotor = quad = Quadrotor(self.model, self.data, Wind(wind_mps, seed), self._names())
        mujoco.mj_forward(self.model, self.data)
        if self.stage.hovering:
            quad.spin_up()
            quad.floor_is_home = False
        camera = int(self.model.camera(CAMERA).id)
        eye = GeometricCamera(self.model, self.data, camera, self.stage.things, own_body=quad.body_id)
        self._judge, self.perception = eye, eye
        self.drone = SimDrone(quad, _limits(self.stage), partial(self.photograph, CAMERA), eye.view)
        self.robot = self.drone
        self.note_way()

    @staticmethod
    def scenes() -> tuple[str, ...]:
        return scene_names(SCENES)

    def step(self) -> None:
        self.quadrotor.step()

    def truth(self) -> Truth:
        quad = self.quadrotor
        pose, speed_mps = self.really()
        return Truth(
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

    @cached_property
    def _things(self) -> Mapping[str, Real]:
        return {placed.id: self._real(placed) for placed in self.stage.things}

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
