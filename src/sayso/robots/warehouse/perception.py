"""The perception of the warehouse's robot: what has been seen from where it stands, place by place.

Where things were last seen is for the robot's memory to say.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sayso.perception.geometry import Camera, Seeable
from sayso.perception.indoor import IndoorCamera
from sayso.scene import Belief, Pose, Scene, Thing

MISSES_MAX = 3
"""A thing in plain view is now and then not recognised; not so often in a row."""

SAME_SPOT_M = 1.2
"""While the robot has moved less, what it saw is what is here."""


@dataclass(frozen=True, slots=True)
class SeenFromHere(Belief):
    """What has been seen from where the robot stands: by spot, things such as `apple (red)`."""

    spots: tuple[tuple[str, tuple[str, ...]], ...]

    def __str__(self) -> str:
        seen = "; ".join(f"on the {spot}: {', '.join(things)}" for spot, things in self.spots)
        return f"seen from here {seen}" if seen else "seen from here: nothing"


class Stockroom(IndoorCamera):
    """An indoor camera without a memory of its own. `misses` is the chance that a thing in view is not reported, drawn
    from `seed` look by look."""

    remembers = False
    _here: Pose | None = None
    _seen: dict[str, Thing]
    _missed: Counter[str]

    def __init__(self, *given: Any, misses: float = 0.0, seed: int = 0, **parts: Any) -> None:
        super().__init__(*given, **parts)
        self._misses, self._random = misses, np.random.default_rng([seed & 0xFFFFFFFF, 0xCA3])

    def _in_view(self, view: Camera) -> Sequence[tuple[Seeable, Thing]]:
        in_view = super()._in_view(view)
        return [one for one in in_view if not self._overlooked()] if self._misses else in_view

    def _overlooked(self) -> bool:
        chance = self._random.random()
        self._random.standard_normal(6)  # what is overlooked is what was when figures were measured
        return chance < self._misses

    def see(self, seen_s: float = 0.0) -> Scene:
        scene = super().see(seen_s)
        if self._here is None or self._here.distance_m(scene.observer) > SAME_SPOT_M:
            self._here, self._seen, self._missed = scene.observer, {}, Counter()
        fresh = {t.id: t for t in scene}
        for id_, thing in self._seen.items():
            shown = thing.pose and scene.view and scene.view.spot(thing.pose)
            self._missed[id_] = 0 if id_ in fresh else self._missed[id_] + bool(shown)
        still = {i: t for i, t in self._seen.items() if self._missed[i] < MISSES_MAX}
        self._seen = still | fresh
        return scene

    def believed(self) -> tuple[Belief, ...]:
        """The names, and what has been seen from where the robot stands."""
        spots: dict[str, list[str]] = {}
        for thing in self._seen.values() if self._here else ():
            if where := thing.attributes.get("on"):
                spots.setdefault(where, []).append(f"{thing.label} ({thing.attributes.get('color', 'plain')})")
        return (*self._names, SeenFromHere(tuple((spot, tuple(things)) for spot, things in spots.items())))
