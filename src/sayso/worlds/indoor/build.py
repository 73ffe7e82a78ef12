"""The home as a MuJoCo model: floor, walls, sliding doors, furniture, things, people, and the robot.

Things are free bodies that MuJoCo puts to sleep while they rest, so that a flat full of them costs next to nothing.
People are moved by hand, as it were (mocap bodies): they are obstacles with arms, not physics.
"""

import math
from collections.abc import Sequence
from typing import Any

import mujoco

from sayso.worlds.indoor.arm import ArmShape, add_arm
from sayso.worlds.indoor.mobile_base import FIXED, LOOSE, MEETS, add_base
from sayso.worlds.indoor.person import add_person
from sayso.worlds.indoor.scene import Flat, Outline, leaf
from sayso.worlds.indoor.setup import Layout
from sayso.worlds.indoor.things import Loose
from sayso.worlds.scenery import CUTAWAY, SHAPES, Placed, Rgb, about_z, build_thing, described, half_sizes

STEP_S, HELD_STEP_S = 0.01, 0.0025
"""Of the physics, and while closed fingers have to hold something by friction."""
CAMERA, WRIST = "head camera", "wrist"
HAND = "arm hand"
HEAD_JOINTS = ("head pan", "head tilt")
HIDDEN_M = -5.0
"""How deep below the floor a door's leaf waits while the door is open."""


def build(flat: Flat, layout: Layout, arm: ArmShape, *, wrist: bool = False) -> mujoco.MjModel:
    """One model of everything. Bodies bear the ids of things, the names of people, furniture and doors.

    With `wrist` the hand has a camera of its own.
    """
    spec = described(__file__, "rooms")
    spec.modelname, spec.option.timestep = flat.name, STEP_S
    sleep = mujoco.mjtEnableBit.__members__.get("mjENBL_SLEEP")
    if sleep is not None:  # an older MuJoCo does the same, some ten times slower
        spec.option.enableflags |= sleep
    spec.worldbody.add_geom(
        name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[flat.size_m[0] / 2, flat.size_m[1] / 2, 0.1],
        material="floor", contype=FIXED, conaffinity=MEETS[FIXED],
    )  # fmt: skip
    for outline in flat.walls:
        _upright(spec.worldbody, outline, flat.wall_m, (0.88, 0.88, 0.85, 1.0))
    for door in flat.doors:
        body = spec.worldbody.add_body(name=door.name, mocap=True, pos=[0, 0, HIDDEN_M])
        _upright(body, leaf(door), flat.wall_m - 0.1, (0.62, 0.45, 0.30, 1.0))
    for piece in flat.furniture:
        build_thing(spec, Placed(piece.name, piece.name, piece.pose, {"parts": piece.parts}, "oak"), flat.paints)
    if flat.stock:
        trolley = spec.worldbody.add_body(name="trolley", mocap=True, pos=[0, 0, HIDDEN_M])
        size = [0.25, 0.25, 0.4]
        trolley.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=size, pos=[0, 0, 0.4], rgba=[0.2, 0.4, 0.7, 1],
                         contype=FIXED, conaffinity=MEETS[FIXED])  # fmt: skip
    for person in layout.people:
        add_person(spec, person.name, person.gender, flat.paints[person.shirt], flat.paints)
    for item in layout.things:
        _loose(spec, item, flat.paints[item.kind["paint"]])
    body = add_base(spec, layout.robot)
    _head(body)
    add_arm(body, arm)
    if wrist:
        spec.body(HAND).add_camera(name=WRIST, pos=[-0.02, 0, 0.09], xyaxes=[0, -1, 0, 0.5, 0, 0.87], fovy=70.0)
    return spec.compile()


def _upright(body: mujoco.MjsBody, outline: Outline, height_m: float, rgba: Sequence[float]) -> None:
    """A box over a four-cornered outline."""
    (ax, ay), (bx, by), (cx, cy), _ = outline
    yaw = math.atan2(by - ay, bx - ax)
    size = [math.dist((ax, ay), (bx, by)) / 2, math.dist((bx, by), (cx, cy)) / 2, height_m / 2]
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX, size=size, pos=[(ax + cx) / 2, (ay + cy) / 2, height_m / 2], quat=about_z(yaw),
        rgba=list(rgba), contype=FIXED, conaffinity=MEETS[FIXED], group=CUTAWAY,
    )  # fmt: skip


def _loose(spec: mujoco.MjSpec, item: Loose, paint: Rgb) -> None:
    """A thing that can be taken; its origin is the middle of its underside."""
    at, (length, width, height) = item.at, item.size_m
    body = spec.worldbody.add_body(name=item.id, pos=[at.x_m, at.y_m, at.z_m + 0.001], quat=about_z(at.yaw_rad))
    body.add_freejoint(name=item.id)
    shape, mass = item.kind["shape"], float(item.kind["mass_kg"])
    solid = {
        "contype": LOOSE, "conaffinity": MEETS[LOOSE], "condim": 6, "solref": [2 * HELD_STEP_S, 1.0],
        "solimp": [0.95, 0.99, 0.001, 0.5, 2.0], "friction": [0.9, 0.01, 0.002],
        "priority": 1,  # what it is made of decides, not what it stands on or the pad that presses it
    }  # fmt: skip

    def part(shape: str, size_m: Sequence[float], z_m: float, mass: float, rgba: Sequence[float], **meets: Any) -> None:
        size = half_sizes(shape, [length, height] if shape == "cylinder" else list(size_m))
        body.add_geom(type=SHAPES[shape], size=size, pos=[0, 0, z_m], rgba=list(rgba), mass=mass, **meets)

    looks = (*paint, 1.0)
    if shape == "ellipsoid":  # seen round, lying on a flat bottom, so that fruit does not roll off the shelf
        part(shape, item.size_m, height / 2, mass, looks, contype=0, conaffinity=0)
        part("box", (0.6 * length, 0.6 * width, height), height / 2, 0.0, (0, 0, 0, 0), **solid)
    elif shape == "case":
        part("box", (length, width, height * 0.8), height * 0.4, mass, looks, **solid)
        part("box", (length * 0.2, width * 0.6, height * 0.2), height * 0.9, 0.01, looks, **solid)
    else:
        part(shape if shape == "cylinder" else "box", item.size_m, height / 2, mass, looks, **solid)


def _head(base: mujoco.MjsBody) -> None:
    """A column with a camera on a pan-and-tilt head."""
    base.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.05, 0.08, 0.40], pos=[-0.1, 0, 0.70], rgba=[0.9, 0.9, 0.88, 1],
        mass=3.0, contype=0, conaffinity=0,
    )  # fmt: skip
    base.add_frame().attach_body(described(__file__, "head").body("pan"), "head ", "")
