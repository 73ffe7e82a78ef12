"""Pictures of rooms for a detector, with labels that come free: every pixel knows which thing it shows.

A room is furnished at random from the office's catalogue and flown through by its drone, whose camera takes the
pictures. Size, furniture, paints, floor, walls, lights and viewpoints are drawn from one seed. Some of all that no
training room has, and every room that is held out has nothing else: walls and floors of a hue, light from low at one
side, and rooms of a size. The office's own scenes, in which missions are flown, are held out besides.

What is small is seldom seen: of 400 pictures of rooms as they are, nine show an apple. Training rooms are therefore
littered, and half of their pictures are taken of something small from near by; rooms that are held out are not.

    python training/rooms.py runs/rooms 40        (40 pictures as PNG, with the boxes drawn)
"""

from __future__ import annotations

import colorsys
import math
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import mujoco
import numpy as np
from PIL import Image, ImageDraw

from sayso.robots.drone.world.office import CATALOGUE, Office
from sayso.robots.drone.world.quadrotor import CAMERA
from sayso.scene import Pose
from sayso.worlds.scenery import Placed, Stage

WIDTH, HEIGHT = 320, 240
LONG_PX, SHORT_PX, PIXELS = 7, 3, 18
"""What shows less than this is too small to be found: the sides of its box, and its pixels."""

STANDING = (
    "chair",
    "office chair",
    "table",
    "side table",
    "cabinet",
    "bookshelf",
    "sofa",
    "plant",
    "trash can",
    "person",
)
MOUNTED = {"whiteboard": (0.8, 1.1), "window": (0.8, 1.1), "door": (0.0, 0.0)}
"""How high their lower edge is, from and to."""
LYING = ("apple", "orange", "lemon", "banana", "sandwich", "bottle", "coke", "cup", "keyboard", "laptop", "monitor",
         "scissors", "book", "backpack")  # fmt: skip
FIXED_PAINT = frozenset({"banana", "lemon", "orange", "sandwich", "window", "whiteboard", "laptop", "monitor", "coke"})
"""What has the colour that it has."""

NAMED = {"office chair": "chair"}
LABELS = tuple(sorted({NAMED.get(kind, kind) for kind in (*STANDING, *MOUNTED, *LYING)}))

HELD_HUES = (0.50, 0.72)
"""Of walls and floors."""
HELD_LENGTH_M = 8.0
"""Longer rooms are held out."""


NOISE = np.random.default_rng(0).normal(size=4 * 3 * HEIGHT * WIDTH).astype(np.float32)
"""Drawn once; a piece of it is what a picture gets."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture (height, width, 3; uint8) and its boxes: number of the label, left, top, right, bottom in pixels."""

    picture: np.ndarray[Any, Any]
    boxes: np.ndarray[Any, Any]


class Studio:
    """Takes pictures in one office, whatever stands in it."""

    def __init__(self, stage: str | Stage, seed: int = 0) -> None:
        self.world = Office(stage, seed)
        self.model, self.data = self.world.model, self.world.data
        self._shows = np.full(self.model.ngeom + 1, -1)  # the last one is nothing
        self._whose = np.full(self.model.ngeom + 1, -1)
        for n, thing in enumerate(self.world.stage.things):
            body = self.model.body(thing.id)
            geoms = slice(int(body.geomadr[0]), int(body.geomadr[0] + body.geomnum[0]))
            self._whose[geoms] = n
            self._shows[geoms] = LABELS.index(thing.label) if thing.label in LABELS else -1

    def close(self) -> None:
        self.world.close()

    def shoot(self, pose: Pose, pitch_rad: float = 0.0, roll_rad: float = 0.0) -> Shot:
        """What the drone's camera sees from there."""
        turn = np.zeros(4)
        mujoco.mju_euler2Quat(turn, np.array([pose.yaw_rad, pitch_rad, roll_rad]), "zyx")
        self.world.quadrotor._qpos[:] = [pose.x_m, pose.y_m, pose.z_m, *turn]
        mujoco.mj_forward(self.model, self.data)
        camera, lens = int(self.model.camera(CAMERA).id), self.world.lens
        picture = lens.shoot(self.data, camera, WIDTH, HEIGHT)
        if picture is None:
            raise SystemExit("pictures need a GL library; see sayso doctor")
        return Shot(picture, self._boxes(lens.geoms(self.data, camera, WIDTH, HEIGHT)))

    def _boxes(self, ids: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        whose, boxes = self._whose[ids], []
        for n in np.unique(whose[whose >= 0]):
            rows, columns = np.nonzero(whose == n)
            left, right, top, bottom = columns.min(), columns.max() + 1, rows.min(), rows.max() + 1
            label, sides = int(self._shows[ids[rows[0], columns[0]]]), (right - left, bottom - top)
            if label >= 0 and max(sides) >= LONG_PX and min(sides) >= SHORT_PX and len(rows) >= PIXELS:
                boxes.append((label, left, top, right, bottom))
        return np.array(boxes, np.int16).reshape(-1, 5)


def shots(seed: int, held: bool, a_room: int = 8, *, littered: bool = False) -> Iterator[Shot]:
    """Pictures without end, so many of each room; the same seed gives the same."""
    number = 0
    while True:
        random = Random(f"{seed} {held} {number}")
        studio = Studio(room(random, held, littered=littered))
        paint(studio.model, random, held)
        for _ in range(a_room):
            near = close_by(studio.world.stage, random) if littered and random.random() < 0.5 else None
            yield studio.shoot(*(near or viewpoint(studio.world.stage, random)))
        studio.close()
        number += 1


def office_shots(scenes: Sequence[str], seed: int, a_scene: int) -> Iterator[Shot]:
    """Pictures of the office as missions find it."""
    for scene in scenes:
        random = Random(f"{seed} {scene}")
        studio = Studio(scene)
        for _ in range(a_scene):
            yield studio.shoot(*viewpoint(studio.world.stage, random))
        studio.close()


def clear(stage: Stage, x: float, y: float) -> bool:
    """Whether a drone may be there: in the room, and not inside of anything that stands on its floor."""
    length, width, _ = stage.size_m
    standing = (t for t in stage.things if not t.on and not t.fixed and t.label not in LYING)
    return (
        abs(x) < length / 2 - 0.3
        and abs(y) < width / 2 - 0.3
        and all(math.hypot(t.pose.x_m - x, t.pose.y_m - y) > 0.75 for t in standing)
    )


def close_by(stage: Stage, random: Random) -> tuple[Pose, float, float] | None:
    """Near something small, which is somewhere in the picture: pose, pitch and roll. None where that is not found."""
    if not (small := [t.pose for t in stage.things if t.label in LYING]):
        return None
    for _ in range(30):
        of, apart_m, at_rad = random.choice(small), random.uniform(0.5, 2.6), random.uniform(-math.pi, math.pi)
        x, y = of.x_m - apart_m * math.cos(at_rad), of.y_m - apart_m * math.sin(at_rad)
        if clear(stage, x, y):
            z_m = min(max(0.1, of.z_m + apart_m * random.uniform(-0.15, 0.4)), 2.0)
            return Pose(x, y, z_m, at_rad + random.gauss(0, 0.25)), random.gauss(0, 0.03), random.gauss(0, 0.02)
    return None


def viewpoint(stage: Stage, random: Random) -> tuple[Pose, float, float]:
    """Somewhere in the air, not inside of anything that stands there: pose, pitch and roll."""
    length, width, _ = stage.size_m
    standing = [t for t in stage.things if not t.on and not t.fixed]
    while True:
        x, y = random.uniform(-length / 2 + 0.3, length / 2 - 0.3), random.uniform(-width / 2 + 0.3, width / 2 - 0.3)
        if all(math.hypot(t.pose.x_m - x, t.pose.y_m - y) > 0.75 for t in standing):
            break
    if random.random() < 0.6 and standing:  # towards something, as who flies to it
        aim = random.choice(standing).pose
        yaw_rad = math.atan2(aim.y_m - y, aim.x_m - x) + random.gauss(0, 0.3)
    else:
        yaw_rad = random.uniform(-math.pi, math.pi)
    z_m = random.choice((0.1, random.uniform(0.5, 1.2), random.uniform(0.9, 1.1), random.uniform(1.0, 1.9)))
    return Pose(x, y, z_m, yaw_rad), random.gauss(0, 0.03), random.gauss(0, 0.02)


def room(random: Random, held: bool, *, littered: bool = False) -> Stage:
    """A furnished room."""
    catalogue = tomllib.loads(CATALOGUE.read_text("utf-8"))
    length = random.uniform(HELD_LENGTH_M, 9.5) if held else random.uniform(5.0, HELD_LENGTH_M)
    size_m = (length, random.uniform(4.5, 7.0), random.uniform(2.4, 3.2))
    things: list[Placed] = []
    for kind, (low, high) in MOUNTED.items():
        if random.random() < 0.7:
            things.append(_made(catalogue, random, kind, len(things), _at_wall(size_m, random, low, high), fixed=True))
    for _ in range(random.randint(5, 12)):
        kind = random.choice(STANDING)
        if spot := _free(size_m, things, random):
            things.append(_made(catalogue, random, kind, len(things), spot))
    for below in [t for t in things if t.label in ("table", "side table", "cabinet", "sofa", "chair")]:
        most = (9, 3) if littered else (5, 1)
        for _ in range(random.randint(1, most[0]) if below.label == "table" else random.randint(0, most[1])):
            half = 0.25 if below.label != "table" else 0.6
            across, along = random.uniform(-0.22, 0.22), random.uniform(-half, half)
            near = [t for t in things if t.on == below.id]
            pose = below.pose.moved(across, along, _top_m(below), random.uniform(-math.pi, math.pi))
            if all(math.dist((t.pose.x_m, t.pose.y_m), (pose.x_m, pose.y_m)) > 0.22 for t in near):
                things.append(_made(catalogue, random, random.choice(LYING), len(things), pose, on=below.id))
    for _ in range(random.randint(2, 7) if littered else random.randint(0, 3)):  # and on the floor
        if spot := _free(size_m, things, random):
            things.append(_made(catalogue, random, random.choice(LYING), len(things), spot))
    return Stage("drawn", "drawn", size_m, Pose(0, 0, 1.0), True, tuple(things), catalogue["paints"])


def _made(
    catalogue: dict[str, Any], random: Random, kind: str, number: int, pose: Pose, *, on: str = "", fixed: bool = False
) -> Placed:
    model = catalogue[kind]
    paints = [p for p in catalogue["paints"] if p not in ("skin", "glass", "screen", "bread", "soil")]
    own = model["paint"] if kind in FIXED_PAINT or random.random() < 0.4 else random.choice(paints)
    if kind == "apple":
        own = random.choice(("red", "green", "yellow"))
    label, scale = NAMED.get(kind, kind), random.uniform(0.88, 1.12)
    return Placed(f"{label.replace(' ', '-')}-{number}", label, pose, model, own, scale, on, fixed)


def _at_wall(size_m: tuple[float, float, float], random: Random, low_m: float, high_m: float) -> Pose:
    length, width, _ = size_m
    side, z_m = random.randrange(4), random.uniform(low_m, high_m)
    x, y = random.uniform(-length / 2 + 1.1, length / 2 - 1.1), random.uniform(-width / 2 + 1.1, width / 2 - 1.1)
    return (
        Pose(length / 2 - 0.04, y, z_m, math.pi),
        Pose(-length / 2 + 0.04, y, z_m, 0.0),
        Pose(x, width / 2 - 0.04, z_m, -math.pi / 2),
        Pose(x, -width / 2 + 0.04, z_m, math.pi / 2),
    )[side]


def _free(size_m: tuple[float, float, float], things: Sequence[Placed], random: Random) -> Pose | None:
    """A place on the floor a metre from what stands there already; None where none is found."""
    for _ in range(20):
        x = random.uniform(-size_m[0] / 2 + 0.6, size_m[0] / 2 - 0.6)
        y = random.uniform(-size_m[1] / 2 + 0.6, size_m[1] / 2 - 0.6)
        if all(t.on or math.hypot(t.pose.x_m - x, t.pose.y_m - y) > 1.0 for t in things):
            return Pose(x, y, 0.0, random.uniform(-math.pi, math.pi))
    return None


def _top_m(thing: Placed) -> float:
    highest = max(part["at"][2] + part["size"][-1] / 2 for part in thing.model["parts"])
    return float(thing.model.get("top_m", highest)) * thing.scale


# Looks


def paint(model: mujoco.MjModel, random: Random, held: bool) -> None:
    """Walls, floor and light of a model that nobody has rendered yet, and paints that are not the catalogue's quite."""
    walls = _colour(random, held, 0.55, 0.98)
    for name in ("east", "west", "north", "south"):
        geom = model.geom(f"{name} wall")
        geom.rgba[:3] = np.clip(walls + random.uniform(-0.05, 0.05), 0, 1)
    model.geom("ceiling").rgba[:3] = random.uniform(0.75, 1.0)
    for geom in range(model.ngeom):
        if model.geom_bodyid[geom]:
            shift = np.array([random.gauss(0, 0.03) for _ in range(3)])
            model.geom_rgba[geom, :3] = np.clip(model.geom_rgba[geom, :3] * random.uniform(0.85, 1.1) + shift, 0, 1)
    _tile(model, random, held)
    for light in range(model.nlight):
        if held:  # from low at one side
            model.light_pos[light] = [random.choice((-1, 1)) * 2.0, random.choice((-1, 1)) * 1.5, 1.4]
            model.light_dir[light] = [random.uniform(-1, 1), random.uniform(-1, 1), -0.3]
        else:
            model.light_pos[light, :2] += [random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2)]
        warm = random.uniform(-0.06, 0.06)
        model.light_diffuse[light] = random.uniform(0.15, 0.6) * np.array([1 + warm, 1.0, 1 - warm])
        model.light_castshadow[light] = random.random() < 0.8
    model.vis.headlight.ambient[:] = random.uniform(0.25, 0.6)
    model.vis.headlight.diffuse[:] = random.uniform(0.1, 0.4)


def _colour(random: Random, held: bool, low: float, high: float) -> np.ndarray[Any, Any]:
    """A colour of a hue that is held out, or of one that is not."""
    hue = random.uniform(*HELD_HUES)
    while not held and HELD_HUES[0] <= hue <= HELD_HUES[1]:
        hue = random.random()
    return np.array(colorsys.hsv_to_rgb(hue, random.uniform(0.08 if held else 0.0, 0.35), random.uniform(low, high)))


def _tile(model: mujoco.MjModel, random: Random, held: bool) -> None:
    """Another floor: checks of two colours, some with speckles."""
    texture = model.tex("planks")
    start, count = int(texture.adr[0]), int(texture.height[0] * texture.width[0] * texture.nchannel[0])
    one = _colour(random, held, 0.3, 0.95)
    other = np.clip(one * random.uniform(0.75, 1.1), 0, 1)
    side = int(texture.height[0])
    check = np.add.outer(np.arange(side) // (side // 2), np.arange(side) // (side // 2)) % 2
    pixels = np.where(check[..., None] == 0, one, other)
    if random.random() < 0.5:
        pixels = pixels + np.random.default_rng(random.getrandbits(32)).normal(0, 0.05, (side, side, 1))
    model.tex_data[start : start + count] = (np.clip(pixels, 0, 1) * 255).astype(np.uint8).ravel()
    model.mat("floor").texrepeat[:] = random.uniform(0.4, 2.0)


def varied(picture: np.ndarray[Any, Any], boxes: np.ndarray[Any, Any], dice: np.random.Generator) -> Any:
    """The picture (3, height, width) and its boxes mirrored, moved and enlarged, lighter or darker, with noise."""
    boxes = boxes.astype(np.float32)
    if dice.random() < 0.5:
        picture = picture[:, ::-1]
        boxes[:, [1, 3]] = WIDTH - boxes[:, [3, 1]]
    if dice.random() < 0.5:  # a part of it, enlarged
        share = dice.uniform(0.6, 1.0)
        high, wide = int(HEIGHT * share), int(WIDTH * share)
        top, left = dice.integers(HEIGHT - high + 1), dice.integers(WIDTH - wide + 1)
        picture = picture[top + np.arange(HEIGHT) * high // HEIGHT][:, left + np.arange(WIDTH) * wide // WIDTH]
        larger = np.array([WIDTH / wide, HEIGHT / high] * 2, np.float32)
        whole = (boxes[:, 3:] - boxes[:, 1:3]).prod(1)
        boxes[:, 1:] = ((boxes[:, 1:] - [left, top, left, top]) * larger).clip(0, [WIDTH, HEIGHT, WIDTH, HEIGHT])
        sides = boxes[:, 3:] - boxes[:, 1:3]
        shown = sides.prod(1) > 0.25 * whole * larger[0] * larger[1]
        boxes = boxes[(sides.min(1) >= SHORT_PX) & (sides.max(1) >= LONG_PX) & shown]
    gains, shift = dice.uniform(0.6, 1.35) * dice.uniform(0.92, 1.08, 3), dice.uniform(-20, 20)
    tables = (np.arange(256) * gains[:, None] + shift).clip(0, 255).astype(np.uint8)
    light = np.stack([table[plane] for table, plane in zip(tables, picture.transpose(2, 0, 1), strict=True)])
    if dice.random() < 0.4:
        at = dice.integers(NOISE.size - light.size)
        noise = NOISE[at : at + light.size].reshape(light.shape) * np.float32(dice.uniform(1, 8))
        light = (light + noise).clip(0, 255).astype(np.uint8)
    return light, boxes


def main(folder: str, count: str) -> None:
    to = Path(folder)
    to.mkdir(parents=True, exist_ok=True)
    for side, source in (("held", shots(1, True, 2)), ("room", shots(1, False, 2, littered=True))):
        for n, shot in zip(range(int(count) // 2), source, strict=False):
            image = Image.fromarray(shot.picture).resize((2 * WIDTH, 2 * HEIGHT))
            draw = ImageDraw.Draw(image)
            for label, *corners in shot.boxes.tolist():
                draw.rectangle([2 * c for c in corners], outline="red")
                draw.text((2 * corners[0], 2 * corners[1]), LABELS[label], fill="black")
            image.save(to / f"{side}{n}.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
