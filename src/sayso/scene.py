"""The scene: what is believed to be there now, with poses, boxes, views and beliefs.

Frames follow REP 103: x forward, y left, z up; yaw counter-clockwise from +x, in radians. World positions are in
metres. Image coordinates are fractions of the frame, (0, 0) top left, (1, 1) bottom right.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Pose:
    """Position (m) and heading (rad) in the world frame."""

    x_m: float = 0.0
    y_m: float = 0.0
    z_m: float = 0.0
    yaw_rad: float = 0.0

    @property
    def xy(self) -> tuple[float, float]:
        """Its place on the floor."""
        return self.x_m, self.y_m

    def moved(self, forward_m: float = 0.0, left_m: float = 0.0, up_m: float = 0.0, turn_rad: float = 0.0) -> Pose:
        """This pose after a move in its own frame, then a turn on the spot (positive is left)."""
        c, s = math.cos(self.yaw_rad), math.sin(self.yaw_rad)
        return Pose(
            self.x_m + c * forward_m - s * left_m,
            self.y_m + s * forward_m + c * left_m,
            self.z_m + up_m,
            wrap(self.yaw_rad + turn_rad),
        )

    def towards(self, there: Pose, share: float) -> Pose:
        """The pose so far along the straight line to another place, with this heading."""
        to = (there.x_m - self.x_m, there.y_m - self.y_m, there.z_m - self.z_m)
        return Pose(self.x_m + share * to[0], self.y_m + share * to[1], self.z_m + share * to[2], self.yaw_rad)

    def seen_from(self, there: Pose) -> Pose:
        """This pose in the frame of another: metres ahead, left and up of it. The way back from `moved`."""
        c, s = math.cos(there.yaw_rad), math.sin(there.yaw_rad)
        dx, dy = self.x_m - there.x_m, self.y_m - there.y_m
        return Pose(c * dx + s * dy, c * dy - s * dx, self.z_m - there.z_m, wrap(self.yaw_rad - there.yaw_rad))

    def distance_m(self, other: Pose) -> float:
        return math.dist((self.x_m, self.y_m, self.z_m), (other.x_m, other.y_m, other.z_m))

    def level_m(self, other: Pose) -> float:
        """The distance to another pose on the ground."""
        return math.hypot(self.x_m - other.x_m, self.y_m - other.y_m)

    def bearing_rad(self, other: Pose) -> float:
        """Where `other` lies from here: 0 is straight ahead, positive is left."""
        return wrap(math.atan2(other.y_m - self.y_m, other.x_m - self.x_m) - self.yaw_rad)


def wrap(angle_rad: float) -> float:
    """The same angle within [-pi, pi)."""
    return (angle_rad + math.pi) % (2 * math.pi) - math.pi


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in the image: centre and size, as fractions of the frame."""

    x: float
    y: float
    width: float
    height: float

    @property
    def area(self) -> float:
        return self.width * self.height


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing that was seen. `id` is stable while the perception can tell it apart from its like.

    `error_m` is the standard deviation of its place along the line of sight; 0 where it is measured or nobody tells.
    """

    id: str
    label: str
    box: Box | None = None
    distance_m: float | None = None
    pose: Pose | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    confidence: float = 1.0
    seen_s: float = 0.0
    error_m: float = 0.0

    @property
    def name(self) -> str:
        """What a plan calls this very thing, and none of its like."""
        return f"{self.label}#{self.id}"


@dataclass(frozen=True, slots=True)
class Spot:
    """What a thing takes up of the floor, as far as it was seen: a box about its `middle`, half of it `ahead_m` along
    that pose's heading and `aside_m` across it. `id` and `label` are the thing's."""

    id: str
    label: str
    middle: Pose
    ahead_m: float = 0.0
    aside_m: float = 0.0

    @classmethod
    def seen(cls, thing: Thing, observer: Pose, half_width_rad: float) -> Spot | None:
        """In one look: its near side tells how deep it is, its image how wide; None where its place is not known."""
        if thing.pose is None:
            return None
        far_m = observer.level_m(thing.pose)
        near_m = far_m if thing.distance_m is None else min(far_m, thing.distance_m)
        aside_m = thing.box.width * near_m * math.tan(half_width_rad) if thing.box else 0.0
        bearing_rad = observer.yaw_rad + observer.bearing_rad(thing.pose)
        middle = dataclasses.replace(thing.pose, yaw_rad=bearing_rad)
        return cls(thing.id, thing.label, middle, far_m - near_m, min(aside_m, WIDEST_M))

    def at(self, middle: Pose) -> Spot:
        """The same size where the thing is by now."""
        return dataclasses.replace(self, middle=dataclasses.replace(middle, yaw_rad=self.middle.yaw_rad))

    def gap_m(self, pose: Pose) -> float:
        """How far it is from its side on the floor; negative inside of it."""
        at = pose.seen_from(self.middle)
        out_x, out_y = abs(at.x_m) - self.ahead_m, abs(at.y_m) - self.aside_m
        return math.hypot(max(0.0, out_x), max(0.0, out_y)) + min(0.0, max(out_x, out_y))


WIDEST_M = 2.0
"""What looks wider than twice this is taken to be so wide."""


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The places that a robot knows. `below` tells which of their `names` a pose is over; `spots` are those at which
    things can be, each seen as a whole by who goes there and looks; `height_m` how high the ground lies there, `middle`
    where a place is, as far as that is known."""

    names: frozenset[str]
    below: Callable[[Pose], frozenset[str]]
    spots: frozenset[str] = frozenset()
    height_m: Callable[[Pose], float] = lambda pose: 0.0
    middle: Callable[[str], Pose | None] = lambda name: None


@dataclass(frozen=True, slots=True)
class View:
    """How a camera stood and how wide it looks; whatever is not in there says nothing by being unseen.

    `eye` is its place, with the heading of its axis; `pitch_rad` is positive upwards; angles are from the axis.
    """

    eye: Pose
    half_width_rad: float
    half_height_rad: float
    pitch_rad: float = 0.0

    def spot(self, point: Pose) -> tuple[float, float] | None:
        """Where a point of the world falls in the image (fractions of the frame), None outside of it."""
        at = point.seen_from(self.eye)
        c, s = math.cos(self.pitch_rad), math.sin(self.pitch_rad)
        depth, up = c * at.x_m + s * at.z_m, c * at.z_m - s * at.x_m
        if depth <= 0.0:
            return None
        x = 0.5 - at.y_m / (2 * depth * math.tan(self.half_width_rad))
        y = 0.5 - up / (2 * depth * math.tan(self.half_height_rad))
        return (x, y) if 0.0 <= x <= 1.0 and 0.0 <= y <= 1.0 else None

    def ray(self, x: float, y: float) -> tuple[float, float, float]:
        """The direction in the world of a point of the image (fractions of the frame), 1 m deep along the axis."""
        left = (1 - 2 * x) * math.tan(self.half_width_rad)
        rise = (1 - 2 * y) * math.tan(self.half_height_rad)
        c, s = math.cos(self.pitch_rad), math.sin(self.pitch_rad)
        level, up = c - s * rise, s + c * rise
        c, s = math.cos(self.eye.yaw_rad), math.sin(self.eye.yaw_rad)
        return c * level - s * left, s * level + c * left, up


@dataclass(frozen=True, slots=True)
class Sense:
    """Who looked, and what it can tell at all: the `labels` that it knows, and the `traits`, words for what things look
    like. What it cannot tell is not so little as absent: nobody knows."""

    name: str
    labels: tuple[str, ...]
    traits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything in view at one moment, and where the observer stood. `view` is the camera's, where that is known.

    `sense` is who looked, None for who can tell whatever there is; `doubtful` are things that may be there and may not.
    """

    things: tuple[Thing, ...] = ()
    observer: Pose = Pose()
    seen_s: float = 0.0
    view: View | None = None
    sense: Sense | None = None
    doubtful: tuple[Thing, ...] = ()

    def __iter__(self) -> Iterator[Thing]:
        return iter(self.things)

    def find(self, name: str) -> Thing | None:
        """The thing that `name` picks: `chair`, `chair[0.6]` for the chair nearest to that image x, or `chair#ID`.

        Without an index the nearest known one is meant; a label never matches in part.
        """
        label, individual, id_ = name.partition("#")
        if individual:
            return next((t for t in self.things if t.id == id_), None)
        label, _, index = name.strip().partition("[")
        alike = self.alike(label)
        if not alike:
            return None
        if index.endswith("]"):
            try:
                x = float(index[:-1])
            except ValueError:
                return None
            return min(alike, key=lambda t: abs((t.box.x if t.box else 0.5) - x))
        return min(alike, key=lambda t: t.distance_m if t.distance_m is not None else math.inf)

    def alike(self, label: str) -> list[Thing]:
        """All things of this label."""
        wanted = plain(label).lower()
        return [t for t in self.things if plain(t.label).lower() == wanted]

    def pick(self, thing: Thing) -> str:
        """How a plan names one of these: with its image x, where its label stands for several."""
        several = sum(t.label == thing.label for t in self.things) > 1
        return f"{plain(thing.label)}[{thing.box.x:.2f}]" if several and thing.box else plain(thing.label)

    @property
    def names(self) -> tuple[str, ...]:
        """What things here are called: those in view, and those that whoever looks knows."""
        return (*(t.label for t in self.things), *(self.sense.labels if self.sense else ()))

    def untold(self, name: str) -> str:
        """The reason why nobody can tell whether there is a thing of that name here; empty where it can be told."""
        label = plain(name.partition("#")[0].partition("[")[0])
        if self.sense is None or label.lower() in (plain(known).lower() for known in self.sense.labels):
            return ""
        return f"{self.sense.name} cannot tell {label} from other things, so whether there is one is not known"

    def describe(self) -> str:
        """The scene as a model reads it: `[chair x:0.59 y:0.55 width:0.31 height:0.41 distance:230, …]`; cm.

        Labels come from the world and are data: whatever could end the list or the line is taken out of them. Where
        one label stands for several things, each carries its image x as an index that a plan can use.
        """
        parts = []
        for thing in self.things:
            name, box = self.pick(thing), thing.box
            far = "" if thing.distance_m is None else f" distance:{thing.distance_m * 100:.0f}"
            if box is None:
                parts.append(f"{name}{far}")
                continue
            more = "".join(f" {plain(k)}:{plain(v)}" for k, v in sorted(thing.attributes.items()))
            parts.append(f"{name} x:{box.x:.2f} y:{box.y:.2f} width:{box.width:.2f} height:{box.height:.2f}{far}{more}")
        return "[" + ", ".join(parts) + "]"


def one_to_one(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """What was seen to what it is taken for, from possible pairs, the best first: neither of a pair is in another."""
    matched: dict[int, int] = {}
    for one, other in pairs:
        if one not in matched and other not in matched.values():
            matched[one] = other
    return matched


def scene_json(scene: Scene) -> dict[str, Any]:
    """The scene as plain JSON, for the journal; what a perception does not tell is left out."""
    data: dict[str, Any] = {"things": tuple(map(_thing_json, scene.things)), "observer": _fields(scene.observer)}
    data["seen_s"] = scene.seen_s
    if scene.view is not None:
        data["view"] = _fields(scene.view) | {"eye": _fields(scene.view.eye)}
    if scene.sense is not None:
        data["sense"] = _fields(scene.sense)
    if scene.doubtful:
        data["doubtful"] = tuple(map(_thing_json, scene.doubtful))
    return data


def _thing_json(thing: Thing) -> dict[str, Any]:
    box, pose = thing.box and _fields(thing.box), thing.pose and _fields(thing.pose)
    data = _fields(thing) | {"box": box, "pose": pose, "attributes": dict(thing.attributes)}
    if not thing.error_m:
        del data["error_m"]
    return data


def scene_from(data: Mapping[str, Any]) -> Scene:
    """The scene that `scene_json` wrote."""
    view, sense = data.get("view"), data.get("sense")
    return Scene(
        tuple(map(_thing_from, data["things"])),
        Pose(**data["observer"]),
        data["seen_s"],
        view and View(**{**view, "eye": Pose(**view["eye"])}),
        sense and Sense(sense["name"], tuple(sense["labels"]), tuple(sense.get("traits", ()))),
        tuple(map(_thing_from, data.get("doubtful", ()))),
    )


def _thing_from(data: Mapping[str, Any]) -> Thing:
    return Thing(**{**data, "box": data["box"] and Box(**data["box"]), "pose": data["pose"] and Pose(**data["pose"])})


def plain(text: str, limit: int = 60) -> str:
    """Text from the world, made safe to stand inside a list in a prompt."""
    kept = text if text.isalnum() else "".join(c if c.isalnum() or c in " -_.'" else " " for c in text)
    return " ".join(kept.split())[:limit]


class Belief:
    """Something that is believed besides the scene: a small frozen dataclass, whose `str` is a line for a prompt.

    Its fields are what JSON can hold, tuples for lists, so that a journal brings it back; the robot's kit names it.
    """

    def gist(self) -> tuple[str, float]:
        """What must differ for it to be news: words, and a distance in metres, which may stray a little."""
        return str(self), 0.0


@dataclass(frozen=True, slots=True)
class TextBelief(Belief):
    """A belief that is only a line of text."""

    line: str

    def __str__(self) -> str:
        return self.line


def belief_json(belief: Belief) -> dict[str, Any] | None:
    """A belief as data; None for a mere line, which is written down beside it."""
    if isinstance(belief, TextBelief):
        return None
    return {"belief": type(belief).__name__, **_fields(belief)}


def belief_from(data: Mapping[str, Any] | None, line: str, known: Mapping[str, type[Belief]]) -> Belief:
    """The belief that `belief_json` wrote and that reads so; a mere line where its kind is not `known`."""
    kind = known.get(data["belief"]) if data else None
    if data is None or kind is None:
        return TextBelief(line)
    return kind(**{name: _tuples(value) for name, value in data.items() if name != "belief"})


def _fields(record: Any) -> dict[str, Any]:
    return {f.name: getattr(record, f.name) for f in dataclasses.fields(record)}


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list | tuple) else value
