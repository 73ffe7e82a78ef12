"""The solids of a world and the poses of its moving bodies, for the 3-D scene.

Read from the physics where a world has some, else from the things that its truth lists.
It is for display only: nothing on the way to a plan may read it.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import mujoco
import numpy as np

from sayso.drawing import GENERAL, NO_TURN, Figure, Land, Solid, Triple, Turn, turned
from sayso.plugins.kits import kits
from sayso.roles import Robot
from sayso.scene import Pose
from sayso.world import Truth, World

HIDDEN_GROUP = 3
"""Groups of geoms from this one on are drawn by no default view; of what stands still in the first of them, which are
walls, the scene keeps the lowest part."""

KNEE_M = 0.22
MOVED_M = 0.15
"""What was measured nearer than this to where it was before has not been moved."""

RAIL, RAIL_COLOUR = 0.006, "#c8452e"
"""The edge of a zone that a person set: how thick, of the zone's width."""

FLOOR_M = 12.0
FINE_M, FINE = 2e-3, 2e-3

_GEOM = mujoco.mjtGeom
PLANE, CAPSULE, BOX = int(_GEOM.mjGEOM_PLANE), int(_GEOM.mjGEOM_CAPSULE), int(_GEOM.mjGEOM_BOX)
SHAPES = {
    int(_GEOM.mjGEOM_SPHERE): "sphere", int(_GEOM.mjGEOM_ELLIPSOID): "sphere", int(_GEOM.mjGEOM_CYLINDER): "cylinder",
}  # fmt: skip
"""What is drawn as what; all else as its box."""


@dataclass(frozen=True, slots=True)
class Body:
    """Solids that move together. `label` names what a person would point at, empty for what has no name; `thing` is
    its id in the world's truth and for perception."""

    number: int
    label: str
    solids: tuple[Solid, ...]
    moves: bool
    robot: bool = False
    thing: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """The pose of a body."""

    at_m: Triple
    turn: Turn


@dataclass(frozen=True, slots=True)
class Place:
    """The solids of a world, and the source of its bodies' poses: the physics, or `pose` for the robot alone."""

    bodies: tuple[Body, ...]
    middle_m: Triple
    span_m: float
    physics: tuple[Any, Any] | None = None
    pose: Callable[[], Pose] | None = None
    land: Land | None = None
    names: tuple[tuple[str, Triple], ...] = ()
    """What the map calls its areas and furniture, and where to write it: words that a person can point with."""

    def spots(self) -> dict[int, Spot]:
        """Where the moving bodies are now."""
        if self.physics is None:
            if self.pose is None:
                return {}
            pose = self.pose()
            stands = Spot(_triple((pose.x_m, pose.y_m, pose.z_m)), _turn(turned(pose.yaw_rad)))
            return {b.number: stands for b in self.bodies if b.robot}
        _, data = self.physics
        return {
            b.number: Spot(_triple(data.xpos[b.number]), _turn(data.xmat[b.number])) for b in self.bodies if b.moves
        }

    def robot_at(self, pose: Pose, spots: Mapping[int, Spot], home: Pose) -> dict[int, Spot]:
        """Where the robot's bodies would be with the robot at `pose` instead of at `home`, where `spots` has them."""
        spin = np.array(turned(pose.yaw_rad - home.yaw_rad))
        origin, goal = np.array([home.x_m, home.y_m, home.z_m]), np.array([pose.x_m, pose.y_m, pose.z_m])
        moved = {}
        for body in self.bodies:
            if body.robot and (spot := spots.get(body.number)):
                at = spin @ (np.array(spot.at_m) - origin) + goal
                moved[body.number] = Spot(_triple(at), _turn(spin @ np.array(spot.turn)))
        return moved

    def things_at(
        self, poses: Mapping[str, Pose], first: Mapping[str, Pose], spots: Mapping[int, Spot]
    ) -> dict[int, Spot]:
        """Where things that can move would be by what was seen of them, all others where they were built: at `spots`.

        A thing has moved as far as it was seen from where it was seen `first`; what was seen first far from its spot
        had been moved before.
        """
        return {
            body.number: _carried(spots[body.number], poses.get(body.thing), first.get(body.thing))
            for body in self.bodies
            if body.moves and not body.robot and body.number in spots
        }


def changed(before: Mapping[int, Spot], now: Mapping[int, Spot]) -> dict[int, Spot]:
    """The bodies that are visibly elsewhere than before."""
    return {n: spot for n, spot in now.items() if n not in before or _apart(before[n], spot)}


def _carried(spot: Spot, pose: Pose | None, first: Pose | None) -> Spot:
    if pose is None:
        return spot
    x, y, z = spot.at_m
    since = first or pose
    if math.dist((since.x_m, since.y_m), (x, y)) > MOVED_M:
        since = Pose(x, y, pose.z_m)
    way = pose.x_m - since.x_m, pose.y_m - since.y_m, pose.z_m - since.z_m
    if math.hypot(*way) < MOVED_M:
        return spot
    return Spot(_triple((x + way[0], y + way[1], max(z + way[2], 0.0))), spot.turn)


def _apart(a: Spot, b: Spot) -> bool:
    if any(abs(p - q) > FINE_M for p, q in zip(a.at_m, b.at_m, strict=True)):
        return True
    return any(abs(p - q) > FINE for u, v in zip(a.turn, b.turn, strict=True) for p, q in zip(u, v, strict=True))


def read_place(world: World) -> Place:
    """The solids of a world as it stands now. A world that shows neither physics nor things is an empty place."""
    physics, land, figure = world.physics(), world.land(), _figure(world.robot)
    names = tuple((name, (p.x_m, p.y_m, p.z_m)) for name, p in world.names())
    if physics:
        bodies = _from_physics(*physics, world)
        middle_m, span_m = _extent(bodies)
        if figure:
            bodies = _drawn_as(figure, bodies, span_m)
        return Place(bodies, middle_m, span_m, physics=physics, names=names)
    figure = figure or GENERAL
    if land:
        own = _standing_figure(figure, land.span_m, 0)
        return Place((own,), (0.0, 0.0, 0.0), land.span_m, None, lambda: world.robot.state().pose, land, names)
    bodies = _from_things(world.truth())
    middle_m, span_m = _extent(bodies)
    own = _standing_figure(figure, span_m, len(bodies))
    return Place((*bodies, own), middle_m, span_m, pose=lambda: world.robot.state().pose)


def alone(robot: Robot) -> Place:
    """The place of a robot of which no world is known: the zone that a person staked out for it."""
    zone = robot.limits.zone
    x, y, wide, deep = 0.0, 0.0, 4.0, 4.0
    fence: tuple[Body, ...] = ()
    if all(map(math.isfinite, (zone.x_min_m, zone.x_max_m, zone.y_min_m, zone.y_max_m))):
        x, y = (zone.x_min_m + zone.x_max_m) / 2, (zone.y_min_m + zone.y_max_m) / 2
        wide, deep = zone.x_max_m - zone.x_min_m, zone.y_max_m - zone.y_min_m
        fence = (Body(1, "", _fence(x, y, wide, deep, robot.limits.altitude_max_m), moves=False),)
    high = robot.limits.altitude_max_m if math.isfinite(robot.limits.altitude_max_m) else 0.0
    span_m = max(math.hypot(wide, deep, high), 2.0)
    own = _standing_figure(_figure(robot) or GENERAL, span_m, 0)
    return Place((own, *fence), (x, y, 0.4), span_m, pose=lambda: robot.state().pose)


def _fence(x: float, y: float, wide: float, deep: float, up: float) -> tuple[Solid, ...]:
    """The edges of a zone of `wide` by `deep` metres around (x, y): on the ground, and where it ends above."""
    thick = RAIL * max(wide, deep)
    return tuple(
        Solid("box", size, (x + dx, y + dy, z), NO_TURN, RAIL_COLOUR, opacity)
        for z, opacity in ((0.0, 1.0), (up, 0.4))
        if math.isfinite(z)
        for size, dx, dy in (
            ((wide, thick, thick), 0.0, -deep / 2),
            ((wide, thick, thick), 0.0, deep / 2),
            ((thick, deep, thick), -wide / 2, 0.0),
            ((thick, deep, thick), wide / 2, 0.0),
        )
    )


def _figure(robot: Robot) -> Figure | None:
    kit = kits().get(robot.kind)
    return kit.figure if kit else None


def _standing_figure(figure: Figure, span_m: float, number: int) -> Body:
    return Body(number, "", figure.fitting(span_m), moves=True, robot=True)


def _drawn_as(figure: Figure, bodies: Sequence[Body], span_m: float) -> tuple[Body, ...]:
    """The same bodies, with the figure in the place of the robot's own solids."""
    own = [b for b in bodies if b.robot]
    stands = [replace(own[0], solids=figure.fitting(span_m))] if own else []
    return (*(b for b in bodies if not b.robot), *stands)


def _from_physics(model: Any, data: Any, world: World) -> tuple[Body, ...]:
    robot = _robot_root(model, data, world.robot.state().pose)
    labels = {id_: thing.label for id_, thing in world.truth().there.items()}
    bodies = []
    for number in range(model.nbody):
        moves = bool(model.body_weldid[number]) or int(model.body_mocapid[number]) >= 0
        geoms = range(int(model.body_geomadr[number]), int(model.body_geomadr[number] + model.body_geomnum[number]))
        solids = tuple(s for g in geoms for s in _solid(model, data, g, moves))
        if solids:
            thing = model.body(number).name
            own = moves and int(model.body_rootid[number]) == robot
            bodies.append(Body(number, labels.get(thing, ""), solids, moves, own, thing))
    return tuple(bodies)


def _robot_root(model: Any, data: Any, pose: Pose) -> int:
    """The root of what moves freely nearest to where the robot says it is; 0 where nothing does."""
    roots = {int(model.body_rootid[n]) for n in range(1, model.nbody) if model.body_weldid[n]}
    where = (pose.x_m, pose.y_m)
    parts = {root: int(np.count_nonzero(model.body_rootid == root)) for root in roots}
    return min(roots, key=lambda r: (round(math.dist(data.xpos[r][:2], where), 2), -parts[r]), default=0)


def _solid(model: Any, data: Any, geom: int, moves: bool) -> list[Solid]:
    """A geom as a solid: in its body's frame where that moves, else in the world's."""
    wall = _is_wall(model, data, geom)
    if model.geom_group[geom] >= HIDDEN_GROUP and not wall:
        return []
    kind, size = int(model.geom_type[geom]), [float(v) for v in model.geom_size[geom]]
    red, green, blue, opacity = (float(v) for v in _colour(model, geom))
    if opacity < 0.03:
        return []
    if moves:
        at, turn = _triple(model.geom_pos[geom]), _from_quat(model.geom_quat[geom])
    else:
        at, turn = _triple(data.geom_xpos[geom]), _turn(data.geom_xmat[geom])
    shape, full, shift = _shape(model, geom, kind, size)
    if wall:
        shift, full = (0.0, 0.0, (KNEE_M - full[2]) / 2), (*full[:2], KNEE_M)
        red, green, blue, opacity = 0.62, 0.64, 0.66, 1.0
    at = _triple(a + sum(turn[i][j] * shift[j] for j in range(3)) for i, a in enumerate(at))
    colour = f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"
    return [Solid(shape, full, at, turn, colour, round(opacity, 2))]


def _is_wall(model: Any, data: Any, geom: int) -> bool:
    """Whether a hidden geom is a block that stands on the floor and belongs to the place itself."""
    if int(model.geom_group[geom]) != HIDDEN_GROUP or int(model.geom_type[geom]) != BOX or model.geom_bodyid[geom] != 0:
        return False
    half_m = float(model.geom_size[geom][2])
    return 2 * half_m > KNEE_M and float(data.geom_xpos[geom][2]) - half_m < KNEE_M / 2


def _shape(model: Any, geom: int, kind: int, size: Sequence[float]) -> tuple[str, Triple, Triple]:
    """Shape, full measures, and how far its middle lies from the geom's origin."""
    if kind == CAPSULE:  # its height is told without its ends
        return "capsule", (2 * size[0], 2 * size[0], 2 * size[1]), (0.0, 0.0, 0.0)
    if kind == PLANE:
        return "box", (2 * (size[0] or FLOOR_M / 2), 2 * (size[1] or FLOOR_M / 2), 0.01), (0.0, 0.0, -0.008)
    middle, half = model.geom_aabb[geom][:3], model.geom_aabb[geom][3:]
    return SHAPES.get(kind, "box"), _triple(2 * half), _triple(middle)


def _colour(model: Any, geom: int) -> Sequence[float]:
    """The geom's own colour, or its material's; a texture is shown as one plain colour."""
    material = int(model.geom_matid[geom])
    if material < 0:
        return list(model.geom_rgba[geom])
    rgba = [float(v) for v in model.mat_rgba[material]]
    return [0.86, 0.83, 0.78, rgba[3]] if rgba[:3] == [1.0, 1.0, 1.0] else rgba


def _from_things(truth: Truth) -> tuple[Body, ...]:
    """A block for every thing that has a size."""
    bodies = []
    for number, thing in enumerate(truth.there.values()):
        if thing.size_m:
            at_m = (thing.pose.x_m, thing.pose.y_m, thing.pose.z_m)
            solid = Solid("box", _triple(thing.size_m), at_m, NO_TURN, "#b8b2a7")
            bodies.append(Body(number, thing.label, (solid,), moves=False))
    return tuple(bodies)


def _extent(bodies: Sequence[Body]) -> tuple[Triple, float]:
    """Middle and width of what stands still; of a first look's frame."""
    points = [s.at_m for b in bodies if not b.moves for s in b.solids]
    if not points:
        return (0.0, 0.0, 0.0), 8.0
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    span = float(max(high[0] - low[0], high[1] - low[1], 2.0))
    return (float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2, 0.4), min(span, 60.0)


def _triple(values: Any) -> Triple:
    x, y, z = (round(float(v), 4) for v in values)
    return x, y, z


def _turn(values: Any) -> Turn:
    rows = np.asarray(values, dtype=float).reshape(3, 3)
    return _triple(rows[0]), _triple(rows[1]), _triple(rows[2])


def _from_quat(quat: Any) -> Turn:
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, np.asarray(quat, dtype=float))
    return _turn(matrix)
