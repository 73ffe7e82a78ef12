"""The office: a furnished room with a quadrotor in it, for the drone's missions.

The world hands out an ordinary robot (`SimDrone`) and an ordinary perception. The perception is made by the
callable that it is given, since worlds and perception do not know each other:

    world = Office("tour", perception=GeometricCamera)

`run` is the only place where time passes here. `truth`, `in_frame` and the pictures are for judges and people.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Protocol

import mujoco

from sayso.errors import RobotError
from sayso.limits import Limits, Zone
from sayso.parts import Perception, World
from sayso.robots.drone.world.draw import Plan, Shape, Tag, draw_plan
from sayso.robots.drone.world.footprint import bottom_m, outline, top_m
from sayso.robots.drone.world.quadrotor import CAMERA, HULL_HALF_HEIGHT_M, Quadrotor, Wind, add_quadrotor
from sayso.robots.drone.world.ranging import free_m
from sayso.robots.drone.world.sim import SimDrone
from sayso.scene import Pose, Scene
from sayso.worlds.lens import Lens
from sayso.worlds.pace import keep_pace
from sayso.worlds.scenery import Placed, Stage, build_room, build_thing, lowered, read_stage, scene_names

SCENES = Path(__file__).with_name("scenes")
CATALOGUE = Path(__file__).with_name("catalogue.toml")

STEP_S = 0.004
TICK_S = 0.02
STRETCH_S = 0.25  # of physics at most before other tasks get a turn, after time has jumped
TRAIL_S = 0.1
WALL_MARGIN_M = 0.25
CEILING_MARGIN_M = 0.3


class Seer(Perception, Protocol):
    """A perception that can also be asked outside of a loop, for judges."""

    def see(self, seen_s: float = 0.0) -> Scene:
        """What is in view now."""


class Eyes(Protocol):
    """Makes a perception for a camera of a model; `perception.geometry.GeometricCamera` is one."""

    def __call__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        camera: int,
        things: Any,
        *,
        own_body: int,
        noise: float = 0.0,
        misses: float = 0.0,
        seed: int = 0,
    ) -> Seer:
        """See the bodies named by `things` through `camera`."""


class Office(World):
    """A scene of the office, or a stage of your own. A seed other than 0 moves the things of a scene a little.

    `wind_mps` blows, with gusts, by seed.
    `noise` and `misses` make the perception as imperfect as a real detector. `limits` replaces the room's own.
    """

    name: ClassVar[str] = "office"

    def __init__(
        self,
        scene: str | Stage = "tour",
        seed: int = 0,
        *,
        perception: Eyes,
        wind_mps: float = 0.0,
        noise: float = 0.0,
        misses: float = 0.0,
        limits: Limits | None = None,
    ) -> None:
        stage = scene if isinstance(scene, Stage) else read_stage(SCENES, scene, seed, CATALOGUE)
        self.stage = lowered(stage, HULL_HALF_HEIGHT_M)
        self.model = _compile(self.stage)
        self.data = mujoco.MjData(self.model)
        self.quadrotor = Quadrotor(self.model, self.data, Wind(wind_mps, seed), self._names())
        self._lens = Lens(self.model)
        self._trail: list[Pose] = []
        mujoco.mj_forward(self.model, self.data)
        self._bounds = {placed.id: _bounds(self.model, self.data, placed.id) for placed in self.stage.things}
        self._things = {placed.id: _truth_of(placed, *self._bounds[placed.id]) for placed in self.stage.things}
        self._shapes = _shapes(self.model, self.data, self.stage)
        self._seen_at_s, self._seen = -1.0, frozenset[str]()
        self._start_flight()
        own, camera = self.quadrotor.body_id, int(self.model.camera(CAMERA).id)
        self._judge = perception(self.model, self.data, camera, self.stage.things, own_body=own)
        self.perception: Perception = perception(
            self.model, self.data, camera, self.stage.things, own_body=own, noise=noise, misses=misses, seed=seed
        )
        self.drone = SimDrone(self.quadrotor, self._range, limits or _limits(self.stage), self._photograph)
        self.robot = self.drone
        self._note_trail()

    @staticmethod
    def scenes() -> tuple[str, ...]:
        return scene_names(SCENES)

    @property
    def time_s(self) -> float:
        """Seconds that this world has run."""
        return float(self.data.time)

    async def run(self) -> None:
        await keep_pace(lambda: self.time_s, self.step_to, TICK_S, STRETCH_S)

    def step_to(self, until_s: float) -> None:
        """Run the physics until this world's time is `until_s`. Raises `RobotError` when it comes apart."""
        began_s = self.time_s
        for _ in range(math.floor((until_s - self.time_s) / STEP_S + 1e-6)):
            self.quadrotor.step()
        if self.time_s < began_s:
            raise RobotError("the simulation came apart and MuJoCo reset it; its state means nothing any more")
        if self.time_s - self._noted_s >= TRAIL_S:
            self._note_trail()

    def truth(self) -> Mapping[str, Any]:
        """The drone, every thing by id, what a perfect detector sees now (ids), and what was touched, with times.

        Poses are `Pose`, a thing's is its middle; sizes are upright extents along the world's axes in metres; times
        are seconds of this world.
        """
        quad = self.quadrotor
        return {
            "time_s": self.time_s,
            "scene": self.stage.name,
            "pose": quad.pose(),
            "start": self.stage.start,
            "flying": quad.armed,
            "crashed": quad.crashed,
            "charge": quad.charge,
            "speed_mps": math.hypot(*quad.velocity()),
            "things": self._things,
            "in_frame": self._in_frame(),
            "collisions": [(touch.label, touch.at_s) for touch in quad.touches],
        }

    def really(self) -> tuple[Pose, float]:
        return self.quadrotor.pose(), math.hypot(*self.quadrotor.velocity())

    def in_frame(self, thing_id: str) -> bool:
        """Whether a perfect detector would find this thing in the camera's image now."""
        return thing_id in self._in_frame()

    def physics(self) -> tuple[Any, Any]:
        return self.model, self.data

    def overview(self, width_px: int = 640, height_px: int = 480) -> Any:
        """The room from above, with names (those in view are marked), the way flown and where the camera looks."""
        pose, quad = self.quadrotor.pose(), self.quadrotor
        in_view = self._in_frame() if quad.armed else frozenset()
        return draw_plan(
            Plan(
                size_m=self.stage.size_m[:2],
                shapes=self._shapes,
                tags=tuple(self._tag(placed, placed.id in in_view) for placed in self.stage.things),
                trail=(*self._trail, pose),
                drone=pose,
                bumps=tuple((touch.at[0], touch.at[1]) for touch in quad.touches),
                title=self.stage.title,
                caption=f"{pose.z_m:.2f} m up   battery {quad.charge:.0%}   {self.time_s:.1f} s",
            ),
            width_px,
            height_px,
        )

    def render(self, width_px: int = 640, height_px: int = 480, camera: str = "room") -> Any:
        """A rendered picture from a `room` corner, a `chase` behind the drone, or its own `front` camera.

        None where there is no GL library.
        """
        if camera == "front":
            return self._photograph(width_px, height_px)
        view, pose = mujoco.MjvCamera(), self.quadrotor.pose()
        if camera == "chase":
            view.lookat[:] = (pose.x_m, pose.y_m, pose.z_m)
            view.distance, view.azimuth, view.elevation = 1.3, math.degrees(pose.yaw_rad), -22.0
        else:
            length, width, height = self.stage.size_m
            view.lookat[:] = (0.02 * length, 0.02 * width, 0.2 * height)
            view.distance, view.azimuth, view.elevation = 1.2 * length, 52.0, -42.0
        return self._lens.shoot(self.data, view, width_px, height_px)

    def close(self) -> None:
        """Give back what pictures needed."""
        self._lens.close()

    # What the robot is made of

    def _range(self, way: tuple[float, float, float]) -> float:
        """The range sensors' reading along a unit vector in the world frame."""
        quad = self.quadrotor
        pose = quad.pose()
        return free_m(self.model, self.data, quad.body_id, (pose.x_m, pose.y_m, pose.z_m), way)

    def _photograph(self, width_px: int, height_px: int) -> Any:
        return self._lens.shoot(self.data, int(self.model.camera(CAMERA).id), width_px, height_px)

    def _start_flight(self) -> None:
        """Landed on the floor, or hovering where the scene says so."""
        if self.stage.hovering:
            self.quadrotor.spin_up()
            self.quadrotor.floor_is_home = False

    # What judges and pictures are made of

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

    def _note_trail(self) -> None:
        self._noted_s = self.time_s
        pose = self.quadrotor.pose()
        if not self._trail or pose.distance_m(self._trail[-1]) > 0.02:
            self._trail.append(pose)

    def _in_frame(self) -> frozenset[str]:
        """Ids of what can be seen; worked out once for one moment."""
        if self._seen_at_s != self.time_s:
            self._seen_at_s = self.time_s
            self._seen = frozenset(thing.id for thing in self._judge.see())
        return self._seen

    def _tag(self, placed: Placed, seen: bool) -> Tag:
        middle, size_m = self._bounds[placed.id]
        return Tag(placed.label, (middle.x_m, middle.y_m), large=min(size_m[:2]) > 0.55 and not placed.fixed, seen=seen)


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


def _bounds(model: mujoco.MjModel, data: mujoco.MjData, name: str) -> tuple[Pose, tuple[float, float, float]]:
    """Middle (with the body's heading) and upright extent of a thing, in metres."""
    body = model.body(name)
    geoms = range(int(body.geomadr[0]), int(body.geomadr[0] + body.geomnum[0]))
    reach = [(outline(model, data, g), bottom_m(model, data, g), top_m(model, data, g)) for g in geoms]
    xs = [x for points, _, _ in reach for x, _ in points]
    ys = [y for points, _, _ in reach for _, y in points]
    low, high = min(r[1] for r in reach), max(r[2] for r in reach)
    turn = data.xmat[int(body.id)]
    middle = Pose((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, (low + high) / 2, math.atan2(turn[3], turn[0]))
    return middle, (max(xs) - min(xs), max(ys) - min(ys), high - low)


def _shapes(model: mujoco.MjModel, data: mujoco.MjData, stage: Stage) -> tuple[Shape, ...]:
    """The things from above, part by part."""
    shapes = []
    for placed in stage.things:
        body = model.body(placed.id)
        for geom in range(int(body.geomadr[0]), int(body.geomadr[0] + body.geomnum[0])):
            red, green, blue = (int(255 * v) for v in model.geom_rgba[geom][:3].tolist())
            shapes.append(Shape(outline(model, data, geom), (red, green, blue), top_m(model, data, geom)))
    return tuple(shapes)


def _truth_of(placed: Placed, middle: Pose, size_m: tuple[float, float, float]) -> dict[str, Any]:
    return {
        "label": placed.label,
        "pose": middle,
        "size_m": size_m,
        "attributes": dict(placed.attributes),
        "on": placed.on,
    }
