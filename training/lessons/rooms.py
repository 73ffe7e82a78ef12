"""Sampled scenes: what a drone with one forward camera might see in some room, as image boxes.

Things have real sizes and stand on the floor or on furniture, so that boxes hang together as they do in the simulated
office: nearer is larger and lower, what lies on a table lies within its box. Only the result is ever shown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from knowledge import COLOURS, OFFICE, Item, items
from lessons.lists import lists
from sayso.scene import Box, Pose, Scene, Thing

HALF_WIDTH = math.tan(math.radians(35.1))
HALF_HEIGHT = math.tan(math.radians(27.8))

SIZES_M = {
    "tiny": (0.06, 0.05),
    "small": (0.12, 0.13),
    "medium": (0.42, 0.32),
    "large": (0.6, 0.95),
    "huge": (1.3, 1.5),
}
"""Usual width and height by size."""

TOPS_M = {
    "table": 0.72, "desk": 0.74, "chair": 0.48, "sofa": 0.44, "bench": 0.45, "cabinet": 1.6, "dresser": 0.9,
    "bookshelf": 1.8, "shelf": 1.2, "stool": 0.5, "bed": 0.5, "stove": 0.9, "box": 0.4, "fridge": 1.7,
}  # fmt: skip
"""Furniture that things are put on, and how high it is."""


@dataclass(frozen=True, slots=True)
class Room:
    """One view. `on` maps the index of a thing to the index of what it lies on."""

    scene: Scene
    on: tuple[tuple[int, int], ...] = ()

    def alike(self, label: str) -> list[Thing]:
        return [t for t in self.scene.things if t.label == label]

    def labels(self) -> set[str]:
        return {t.label for t in self.scene.things}

    def lying_on(self, label: str) -> list[Thing]:
        things = self.scene.things
        return [things[upper] for upper, lower in self.on if things[lower].label == label]


def ref(thing: Thing, scene: Scene) -> str:
    """How a plan names this thing: its label, with an index where there are several."""
    several = sum(t.label == thing.label for t in scene.things) > 1
    return f"{thing.label}[{thing.box.x:.2f}]" if several and thing.box else thing.label


def colour(rng: Random, item: Item) -> str:
    """A colour that such a thing may have; made things come in others than the usual ones, too."""
    natural = item.kind in ("fruit", "vegetable", "meal", "sweets", "drink", "living") or "is alive" in item.words
    usual = [c for c in item.colours if c != "clear"]
    if not usual or (not natural and rng.random() < 0.2):
        return rng.choice(COLOURS)
    return rng.choice(usual)


@dataclass(slots=True)
class _Spot:
    """A thing in the making: bearing as image x, level distance, height of its underside."""

    item: Item
    x: float
    away_m: float
    base_m: float
    lies_on: int | None = None


PEOPLE = 0.15
"""The share of rooms with somebody in them, besides those that need one."""


def sample(
    rng: Random, pool: Sequence[Item], must: Sequence[str] = (), most: int = 7, airborne: bool | None = None
) -> Room:
    """A room with a few things of `pool`; those labelled `must` are in view, in any number that `must` says."""
    aloft = rng.random() < 0.5 if airborne is None else airborne
    spots: list[_Spot] = []
    wanted = [items()[label] for label in must]
    extra = rng.randrange(max(1, most - len(wanted)) + 1) if most else 0
    if rng.random() < 0.6:  # rather a few things than many: a short prompt teaches as much in less time
        extra = rng.randrange(extra + 1)
    people = rng.choice((1, 1, 1, 2, 2, 3)) if most and "person" not in must and rng.random() < PEOPLE else 0
    for item in [*wanted, *(_pick(rng, pool) for _ in range(extra)), *[items()["person"]] * people]:
        spots.append(_place(rng, item, spots))
        if rng.random() < 0.12 and len(spots) < most and item.label not in must:
            spots.append(_place(rng, item, spots))
    camera_m = rng.uniform(0.8, 1.6) if aloft else 0.02
    return _view(rng, spots, camera_m, set(must))


def _pick(rng: Random, pool: Sequence[Item]) -> Item:
    """The office's own things more often than the rest: they are what the first world holds."""
    if rng.random() < 0.35:
        return items()[rng.choice(_OFFICE)]
    return rng.choice(pool)


_OFFICE = sorted(OFFICE)


def _place(rng: Random, item: Item, spots: Sequence[_Spot]) -> _Spot:
    floor = item.size in ("large", "huge") or item.kind in ("furniture", "living")
    tops = [i for i, s in enumerate(spots) if s.item.label in TOPS_M]
    if not floor and tops and rng.random() < 0.6:
        lower = rng.choice(tops)
        under = spots[lower]
        x = under.x + rng.uniform(-0.3, 0.3) / under.away_m
        return _Spot(
            item, min(0.97, max(0.03, x)), max(0.6, under.away_m - rng.uniform(0, 0.2)), TOPS_M[under.item.label], lower
        )
    base = 0.0 if floor or rng.random() < 0.5 else rng.choice((0.45, 0.72, 0.9, 1.2))
    if item.label in ("window", "whiteboard", "blackboard", "painting", "poster", "clock"):
        base = 1.0
    return _Spot(item, rng.uniform(0.04, 0.96), rng.uniform(1.0, 5.5), base)


def _view(rng: Random, spots: Sequence[_Spot], camera_m: float, must: set[str]) -> Room:
    """Project, drop what is out of frame or too small, sort by distance."""
    seen: list[tuple[float, int, Thing]] = []
    for number, spot in enumerate(spots):
        box = _box(rng, spot, camera_m)
        if box is None and spot.item.label in must:
            spot = replace(spot, base_m=max(0.0, camera_m - 0.2), away_m=max(2.0, spot.away_m), lies_on=None)
            box = _box(rng, spot, camera_m) or Box(spot.x, 0.5, 0.02, 0.03)
            spots[number].lies_on = None
        if box is not None:
            seen.append((spot.away_m, number, _thing(rng, spot.item, box, spot.away_m, number)))
    seen.sort(key=lambda entry: entry[:2])
    place = {number: i for i, (_, number, _) in enumerate(seen)}
    on = tuple(
        (place[n], place[s.lies_on])
        for n, s in enumerate(spots)
        if s.lies_on is not None and n in place and s.lies_on in place
    )
    things = tuple(thing for _, _, thing in seen)
    return Room(Scene(apart(things), Pose(z_m=camera_m)), on)


def _box(rng: Random, spot: _Spot, camera_m: float) -> Box | None:
    width_m, height_m = SIZES_M[spot.item.size]
    if spot.item.label == "person":
        width_m, height_m = 0.6, rng.uniform(1.55, 1.95)
    else:
        width_m, height_m = width_m * rng.uniform(0.75, 1.3), height_m * rng.uniform(0.75, 1.25)
    if spot.item.label in TOPS_M:
        width_m, height_m = width_m * 1.2, TOPS_M[spot.item.label] * (1.9 if spot.item.label == "chair" else 1.0)
    width = width_m / (2 * HALF_WIDTH * spot.away_m)
    scale = 2 * HALF_HEIGHT * spot.away_m
    top = 0.5 - (spot.base_m + height_m - camera_m) / scale
    bottom = 0.5 - (spot.base_m - camera_m) / scale
    left, right = max(0.0, spot.x - width / 2), min(1.0, spot.x + width / 2)
    top, bottom = max(0.0, top), min(1.0, bottom)
    if bottom - top < 0.01 or right - left < 0.005:
        return None
    return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)


def _thing(rng: Random, item: Item, box: Box, away_m: float, number: int) -> Thing:
    attributes: dict[str, str] = {}
    if item.label == "person":
        people = lists("people")
        attributes["shirt"] = rng.choice(people["shirts"])
        if rng.random() < 0.2:
            attributes["holding"] = rng.choice(people["held"])
    elif rng.random() < 0.85 and item.label not in ("window", "sandwich"):
        attributes["color"] = colour(rng, item)
    return Thing(f"{item.label}-{number}", item.label, box, round(away_m, 2), None, attributes)


def apart(things: tuple[Thing, ...]) -> tuple[Thing, ...]:
    """Two of one label never share an index, as two real things hardly do."""
    taken: set[tuple[str, str]] = set()
    kept: list[Thing] = []
    for thing in things:
        box = thing.box
        assert box is not None
        x = box.x
        while (thing.label, f"{x:.2f}") in taken:
            x = (x + 0.013) % 1
        taken.add((thing.label, f"{x:.2f}"))
        kept.append(thing if x == box.x else replace(thing, box=Box(x, box.y, box.width, box.height)))
    return tuple(kept)
