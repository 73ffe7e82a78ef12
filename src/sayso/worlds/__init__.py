"""Simulated worlds by name, registered by entry point:

    [project.entry-points."sayso.worlds"]
    yard = "my_rover.kit:YARD"

Worlds and perceptions do not know each other: who registers a place names both.
"""

import functools
import inspect
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from sayso.errors import UsageError
from sayso.plugins.loading import checked, is_file, maker, registered
from sayso.world import World


@dataclass(frozen=True, slots=True)
class Errand:
    """A wish to try at a place: in words, the goal that it means, a plan for it, and the skills that it needs."""

    wish: str
    goal: str
    plan: str
    takes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Entry:
    """A registered world: what makes it, what it is, its scenes, and the one taken by default.

    `make` takes a `seed`, the `scene` where there are scenes, and options of its own. With an `errand` the place is one
    of those where words on the way are tried.
    """

    make: Callable[..., World]
    says: str
    scenes: Callable[[], Sequence[str]] = tuple
    scene: str = ""
    errand: Errand | None = None

    @classmethod
    def of(cls, where: str, says: str, scene: str = "", errand: Errand | None = None) -> Self:
        """A world whose class is loaded from `where`, `module:name`, with all of its physics, when one is made or its
        scenes are asked for. One without a `scene` has none to choose from."""
        load = functools.partial(pkgutil.resolve_name, where)
        return cls(lambda **options: load()(**options), says, lambda: load().scenes() if scene else (), scene, errand)


@functools.cache
def places() -> Mapping[str, Entry]:
    """Every registered place, by name."""
    return dict(registered("sayso.worlds", Entry))


def make(name: str, scene: str = "", seed: int = 0, **options: Any) -> World:
    """The world `name` in one of its scenes. `options` are the world's own.

    Raises `UsageError` for an unknown world, scene or option.
    """
    entry = _entry(name)
    if scene and not entry.scene:
        raise UsageError(f"the world {name} has no scenes to choose from, so not {scene!r} either")
    if entry.scene:
        options["scene"] = scene or entry.scene
    try:
        return entry.make(seed=seed, **options)
    except TypeError as error:
        raise UsageError(f"the world {name} cannot be made like this: {error}") from error


def scenes(name: str) -> tuple[str, ...]:
    """The scenes of the world `name`; empty where there is nothing to choose."""
    return tuple(_entry(name).scenes())


def first_scene(name: str) -> str:
    """The scene that the world `name` is made with where none is asked for; empty where it has none."""
    return _entry(name).scene


def _entry(name: str) -> Entry:
    if is_file(name):
        return Entry(functools.partial(_own, name), name)
    if name not in places():
        raise UsageError(f"there is no world {name!r}; there are {', '.join(places())}, and FILE.py:CLASS of your own")
    return places()[name]


def _own(name: str, **options: Any) -> World:
    """The world in somebody's file; the first seed is not forced upon one that is always the same."""
    make = maker(name, World)
    if not options["seed"] and "seed" not in inspect.signature(make).parameters:
        del options["seed"]
    return checked(make(**options), World, name)
