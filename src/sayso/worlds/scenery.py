"""Scene files: which things stand where, read from TOML and put into a MuJoCo model.

A scene file may extend another, leave some of its things out and add its own. A thing stands on the floor, `on`
another, or is held `in_hand_of` a person. A catalogue says what each thing is made of. All of
it is static: what can be bumped into does not have to roll away.
"""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from sayso.errors import UsageError
from sayso.scene import Pose
from sayso.tables import toml_file

UNPAINTED = frozenset({"skin", "hair", "jeans", "steel", "glass", "screen", "bread", "soil"})
"""Paints that nobody would name as a thing's colour."""

STRAY_M, STRAY_RAD = 0.04, math.radians(6)
STRAY_ON_TOP_M, STRAY_ON_TOP_RAD = 0.015, math.radians(10)

CUTAWAY = 3
"""The geom group of what stands between an outside camera and the room; hidden by default, as MuJoCo has it."""

SHAPES = {name.removeprefix("mjGEOM_").lower(): shape for name, shape in mujoco.mjtGeom.__members__.items()}

Rgb = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Placed:
    """One thing of a scene: where its underside stands, how it is painted, and what can be said of it."""

    id: str
    label: str
    pose: Pose
    model: Mapping[str, Any]
    paint: str
    scale: float = 1.0
    on: str = ""
    fixed: bool = False
    holding: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stage:
    """A scene with every place worked out, ready to be built. Metres."""

    name: str
    title: str
    size_m: tuple[float, float, float]
    start: Pose
    hovering: bool
    things: tuple[Placed, ...]
    paints: Mapping[str, Rgb]


def scene_names(folder: Path) -> tuple[str, ...]:
    """The scenes in a folder of scene files."""
    return tuple(sorted(path.stem for path in folder.glob("*.toml")))


def read_stage(folder: Path, scene: str, seed: int, catalogue: Path) -> Stage:
    """The scene `scene` of `folder`, its things made as `catalogue` says. A seed other than 0 moves things by
    centimetres and degrees.

    Raises `UsageError` for an unknown scene and for a file that contradicts itself.
    """
    entries, models = _read(folder, scene), toml_file(catalogue)
    stray = random.Random(seed) if seed else None
    size_m, start = tuple(entries["room"]["size_m"]), entries["start"]
    x, y = start["at"]
    pose = Pose(x, y, start.get("hover_m", 0.0), math.radians(start.get("yaw_deg", 0.0)))
    return Stage(
        name=scene,
        title=entries.get("title", scene),
        size_m=size_m,
        start=_strayed(pose, stray, 0.03, math.radians(2)),
        hovering="hover_m" in start,
        things=_place(scene, _named(entries["things"]), models, stray),
        paints=models["paints"],
    )


def _read(folder: Path, scene: str) -> dict[str, Any]:
    """The file of `scene`, merged over what it extends."""
    if scene not in scene_names(folder):
        raise UsageError(f"there is no scene {scene!r}; there are {', '.join(scene_names(folder))}")
    entries = {"things": [], **toml_file(folder / f"{scene}.toml")}
    if "extends" not in entries:
        return entries
    below = _read(folder, entries["extends"])
    left_out = set(entries.get("without", ()))
    kept = [thing for thing in _named(below["things"]) if thing["id"] not in left_out]
    return {**below, **entries, "things": kept + entries["things"]}


def _named(things: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same things, each with an id: its own, or its label and a number."""
    taken = {thing["id"] for thing in things if "id" in thing}
    named = []
    for thing in things:
        if "id" not in thing:
            stem = thing["label"].replace(" ", "-")
            number = next(n for n in range(1, len(things) + 2) if f"{stem}-{n}" not in taken)
            thing = {**thing, "id": f"{stem}-{number}"}
            taken.add(thing["id"])
        named.append(thing)
    return named


def _place(
    scene: str, entries: list[dict[str, Any]], catalogue: Mapping[str, Any], stray: random.Random | None
) -> tuple[Placed, ...]:
    """Work out where everything is; what carries something comes before it in the file."""
    placed: dict[str, Placed] = {}
    holding = {entry["in_hand_of"]: entry["label"] for entry in entries if "in_hand_of" in entry}
    for entry in entries:
        name, label = entry["id"], entry["label"]
        model = catalogue.get(entry.get("model", label))
        if model is None:
            raise UsageError(f"scene {scene!r}: the catalogue has no {entry.get('model', label)!r}")
        for key in ("on", "in_hand_of"):
            if key in entry and entry[key] not in placed:
                raise UsageError(f"scene {scene!r}: {name} is {key} {entry[key]!r}, which is not above it in the file")
        paint = entry.get("paint", model["paint"])
        held = holding.get(name, "")
        placed[name] = Placed(
            id=name,
            label=label,
            pose=_pose(entry, placed, stray),
            model=model,
            paint=paint,
            scale=entry["height_m"] / model["height_m"] if "height_m" in entry else 1.0,
            on=entry.get("on", entry.get("in_hand_of", "")),
            fixed=bool(entry.get("fixed")),
            holding=held,
            attributes=_attributes(paint, held, label, entry.get("attributes", {})),
        )
    return tuple(placed.values())


def _pose(entry: Mapping[str, Any], placed: Mapping[str, Placed], stray: random.Random | None) -> Pose:
    yaw_rad = math.radians(entry.get("yaw_deg", 0.0))
    if "in_hand_of" in entry:
        person = placed[entry["in_hand_of"]]
        forward, left, up = (v * person.scale for v in person.model["hand"])
        return person.pose.moved(forward, left, up, yaw_rad)
    x, y = entry["at"]
    if "on" in entry:
        below = placed[entry["on"]]
        return _strayed(below.pose.moved(x, y, _top_m(below), yaw_rad), stray, STRAY_ON_TOP_M, STRAY_ON_TOP_RAD)
    pose = Pose(x, y, entry.get("z_m", 0.0), yaw_rad)
    return pose if entry.get("fixed") else _strayed(pose, stray, STRAY_M, STRAY_RAD)


def _strayed(pose: Pose, stray: random.Random | None, by_m: float, by_rad: float) -> Pose:
    if stray is None:
        return pose
    return pose.moved(stray.uniform(-by_m, by_m), stray.uniform(-by_m, by_m), 0.0, stray.uniform(-by_rad, by_rad))


def _top_m(thing: Placed) -> float:
    """How high above its underside other things stand on it."""
    highest: float = max(part["at"][2] + part["size"][-1] / 2 for part in thing.model["parts"])
    top: float = thing.model.get("top_m", highest)
    return top * thing.scale


def _attributes(paint: str, held: str, label: str, said: Mapping[str, str]) -> dict[str, str]:
    """What an onlooker could say of the thing. A person's paint is the shirt."""
    attributes = dict(said)
    if paint not in UNPAINTED:
        attributes["shirt" if label == "person" else "color"] = paint
    if held:
        attributes["holding"] = held
    return attributes


def described(beside: str, name: str) -> mujoco.MjSpec:
    """What MuJoCo's file of that name, beside a module's, describes."""
    return mujoco.MjSpec.from_file(str(Path(beside).with_name(f"{name}.xml")))


def bare_room(name: str, size_m: tuple[float, float, float]) -> mujoco.MjSpec:
    """Floor, walls, ceiling and light."""
    spec = described(__file__, "room")
    spec.modelname = name
    length, width, height = size_m
    box, room = mujoco.mjtGeom.mjGEOM_BOX, spec.worldbody
    ground = [length / 2, width / 2, 0.1]
    room.add_geom(name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=ground, material="floor")
    top = [length / 2, width / 2, 0.05]
    room.add_geom(
        name="ceiling", type=box, size=top, pos=[0, 0, height + 0.05], rgba=[0.95, 0.95, 0.93, 1], group=CUTAWAY
    )
    for name, x, y in (("east", 1, 0), ("west", -1, 0), ("north", 0, 1), ("south", 0, -1)):
        half = [0.05, width / 2 + 0.1, height / 2] if x else [length / 2 + 0.1, 0.05, height / 2]
        at = [x * (length / 2 + 0.05), y * (width / 2 + 0.05), height / 2]
        group = CUTAWAY if name in ("south", "west") else 0
        room.add_geom(name=f"{name} wall", type=box, size=half, pos=at, rgba=[0.86, 0.87, 0.85, 1], group=group)
    for lamp_x in (-length / 4, length / 4):
        room.add_light(pos=[lamp_x, 0.3, height - 0.1])
    return spec


def build_thing(spec: mujoco.MjSpec, thing: Placed, paints: Mapping[str, Rgb]) -> None:
    """One static body, named by the thing's id."""
    pose = thing.pose
    body = spec.worldbody.add_body(name=thing.id, pos=[pose.x_m, pose.y_m, pose.z_m], quat=about_z(pose.yaw_rad))
    stance = "holding" if thing.holding else "empty"
    for part in thing.model["parts"]:
        if part.get("when", stance) != stance:
            continue
        paint = thing.paint if part["paint"] == "main" else part["paint"]
        if paint not in paints:
            raise UsageError(f"{thing.id}: the catalogue has no paint {paint!r}")
        body.add_geom(
            type=SHAPES[part["shape"]],
            size=half_sizes(part["shape"], [v * thing.scale for v in part["size"]]),
            pos=[v * thing.scale for v in part["at"]],
            quat=_tilted(part.get("tilt_deg", (0, 0, 0))),
            rgba=[*paints[paint], 1.0],
        )


def half_sizes(shape: str, size: list[float]) -> list[float]:
    """MuJoCo's radii and half lengths from full measures."""
    if shape in ("box", "ellipsoid"):
        return [v / 2 for v in size]
    if shape == "sphere":
        return [size[0] / 2, 0.0, 0.0]
    length = size[1] if shape == "cylinder" else max(size[1] - size[0], 0.002)
    return [size[0] / 2, length / 2, 0.0]


def about_z(yaw_rad: float) -> list[float]:
    """That turn as MuJoCo's quaternion."""
    return [math.cos(yaw_rad / 2), 0.0, 0.0, math.sin(yaw_rad / 2)]


def _tilted(tilt_deg: Sequence[float]) -> list[float]:
    """The quaternion of turns about the fixed axes x, then y, then z."""
    quat = np.zeros(4)
    mujoco.mju_euler2Quat(quat, np.radians(np.array(tilt_deg, dtype=float)), "XYZ")
    return [float(v) for v in quat]
