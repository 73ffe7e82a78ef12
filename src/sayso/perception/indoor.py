"""A simulated head camera with good recognition in furnished rooms: things and people, with what can be said of them.

Where and whether something is seen comes from geometry (`GeometricCamera`: frustum, size, occlusion). Recognition adds
what such software adds: a thing's name, category and colour, and what it stands on by the map of the furniture; a
person's gender, pose, gesture and clothing, and the name of a face that is known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import mujoco

from sayso.perception.geometry import GeometricCamera, Seeable
from sayso.scene import Belief, Pose, Scene, TextBelief, Thing

FACE_M = 4.5
"""From further away than this, a face is not recognised."""

STACK_M = 0.012
"""What stands on another thing has this little between; a flat thing beside it is lower."""

TOP_M = 0.06
"""How near to a top a thing's underside must be to stand on it."""


@dataclass(frozen=True, slots=True)
class LastSeen(Belief):
    """Where things were seen last: their labels, each with what it stood on."""

    places: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return "last seen: " + "; ".join(f"{label} on the {place}" for label, place in self.places)


class IndoorCamera(GeometricCamera):
    """Perception of a home. `places` is the table of names; of people and things only `Seeable` is used."""

    remembers = True
    """Whether it keeps track of things by itself, and says so in `believed`."""

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        camera: int,
        things: Sequence[Seeable],
        *,
        people: Sequence[Seeable],
        places: Mapping[str, Any],
        own_body: int,
    ) -> None:
        super().__init__(model, data, camera, (*things, *people), own_body=own_body)
        self._kinds = {kind["name"]: kind for kind in places["objects"]}
        self._tops = [p for p in (*places["places"], *places["outside"]) if "at" in p]
        self._names = tuple(map(TextBelief, names(places)))
        self._last: dict[str, str] = {}

    def see(self, seen_s: float = 0.0) -> Scene:
        scene = super().see(seen_s)
        placed = tuple(self._person(t) if t.label == "person" else self._thing(t, scene.things) for t in scene)
        for thing in placed:
            if where := thing.attributes.get("on"):
                self._last[thing.label] = where
        return replace(scene, things=placed)

    def believed(self) -> tuple[Belief, ...]:
        """The names of the flat, and where things were last seen."""
        return (*self._names, LastSeen(tuple(sorted(self._last.items())))) if self._last else self._names

    def _person(self, thing: Thing) -> Thing:
        attributes = dict(thing.attributes)
        if (thing.distance_m or 0.0) > FACE_M:
            attributes.pop("name", None)
        return replace(thing, attributes=attributes)

    def _thing(self, thing: Thing, others: Sequence[Thing]) -> Thing:
        kind = self._kinds.get(thing.label)
        if kind is None or thing.pose is None:
            return thing
        under_m = thing.pose.z_m - float(kind["size_m"][2]) / 2
        attributes = {**thing.attributes, "category": str(kind["category"])}
        if on := self._stacked(thing, under_m, others) or self._on(thing.pose, under_m):
            attributes["on"] = on
        return replace(thing, attributes=attributes)

    def _on(self, pose: Pose, under_m: float) -> str:
        """The furniture that a thing stands on, or the floor; empty where the map does not tell."""
        for place in self._tops:
            x, y, yaw = place["at"]
            on = pose.seen_from(Pose(x, y, 0.0, yaw))
            inside = abs(on.x_m) <= place["size_m"][0] / 2 and abs(on.y_m) <= place["size_m"][1] / 2
            if inside and (abs(under_m - place["size_m"][2]) < TOP_M or place.get("bin")):
                return str(place["name"])
        return "floor" if under_m < TOP_M else ""

    def _stacked(self, thing: Thing, under_m: float, others: Sequence[Thing]) -> str:
        """The other thing that a thing stands on, or nothing."""
        assert thing.pose is not None
        for other in others:
            below = self._kinds.get(other.label)
            if other is thing or below is None or other.pose is None:
                continue
            top_m = other.pose.z_m + float(below["size_m"][2]) / 2
            apart_m = other.pose.level_m(thing.pose)
            if -STACK_M / 2 < under_m - top_m < STACK_M and apart_m < max(below["size_m"][:2]) / 2:
                return other.label
        return ""


def names(places: Mapping[str, Any]) -> tuple[str, ...]:
    """The names that a plan may use, in a few lines."""
    rooms = [room["name"] for room in places["rooms"]]
    by_room = [f"{r}: {', '.join(p['name'] for p in places['places'] if p['room'] == r)}" for r in rooms]
    kinds = [
        f"{c['name']} (usually on the {c['place']}): "
        + ", ".join(o["name"] for o in places["objects"] if o["category"] == c["name"])
        for c in places["categories"]
    ]
    put = ", ".join(p["name"] for p in places["places"] if p.get("placement") or p.get("bin"))
    outside = ", ".join(p["name"] for p in places["outside"])
    return (
        "rooms and their places: " + "; ".join(by_room),
        f"things can be put on: {put}",
        "objects: " + "; ".join(kinds),
        *([f"other places: initial location (where the operator gives commands), {outside}"] if outside else []),
    )
