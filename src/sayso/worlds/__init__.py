"""Simulated places that hand out ordinary robots, by name.

Worlds and perceptions do not know each other: a world takes the perception that looks at it as an argument. This
table names both ends of each pair as data, and imports them when one is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from sayso.errors import UsageError
from sayso.parts import World


@dataclass(frozen=True, slots=True)
class Entry:
    """One world: where its class is, which perception looks at it by default, and its first scene, if it has scenes."""

    world: str
    perception: str
    says: str
    scene: str = ""


WORLDS: Mapping[str, Entry] = {
    "office": Entry(
        "sayso.worlds.office:Office",
        "sayso.perception.geometry:GeometricCamera",
        "a furnished office with a small quadrotor",
        "tour",
    ),
    "soccer": Entry(
        "sayso.worlds.soccer:Soccer",
        "sayso.perception.ball:BallDetector",
        "a field with a humanoid and a ball",
    ),
    "home": Entry(
        "sayso.worlds.home:Home",
        "sayso.perception.household:Household",
        "a flat with people, things and a service robot",
        "flat",
    ),
    "warehouse": Entry(
        "sayso.worlds.warehouse:Warehouse",
        "sayso.perception.household:Stockroom",
        "a warehouse with racks, 33 things that there can be, and a robot with an arm; failures by seed and rate",
        "store",
    ),
    "rescue": Entry(
        "sayso.worlds.rescue:Rescue",
        "sayso.perception.aerial:AerialCamera",
        "open country with somebody lost in it and a small aircraft with a camera",
        "valley",
    ),
}


def make(name: str, scene: str = "", seed: int = 0, **options: Any) -> World:
    """The world `name` in one of its scenes. `options` are the world's own; `perception` replaces the default one.

    Raises `UsageError` for an unknown world, scene or option.
    """
    entry = _entry(name)
    if scene and not entry.scene:
        raise UsageError(f"the world {name} has no scenes to choose from, so not {scene!r} either")
    options.setdefault("perception", _load(entry.perception))
    if entry.scene:
        options["scene"] = scene or entry.scene
    try:
        world: World = _load(entry.world)(seed=seed, **options)
    except TypeError as error:
        raise UsageError(f"the world {name} cannot be made like this: {error}") from error
    return world


def scenes(name: str) -> tuple[str, ...]:
    """The scenes of the world `name`; empty where there is nothing to choose."""
    entry = _entry(name)
    return tuple(_load(entry.world).scenes()) if entry.scene else ()


def first_scene(name: str) -> str:
    """The scene that the world `name` is made with where none is asked for; empty where it has none."""
    return _entry(name).scene


def _entry(name: str) -> Entry:
    if name not in WORLDS:
        raise UsageError(f"there is no world {name!r}; there are {', '.join(WORLDS)}")
    return WORLDS[name]


def _load(path: str) -> Any:
    module, _, attribute = path.partition(":")
    return getattr(import_module(module), attribute)
