"""Skills of looking and remembering: seeing, measuring, taking pictures, turning to what was seen earlier.

A name that no thing in view has is taken for one that means the same (trash can, bin): by the dictionary, and by
meaning, where an encoder compares that. It has to be near, and nearer than any other: where two might be meant, or none
is near, the thing is not here; nor is it where its name only ends as another's. Nobody guesses.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from sayso.errors import SkillFailed
from sayso.grounding.inflection import none_of
from sayso.grounding.lexicon import kind, means
from sayso.roles import Perception, Recalling, RobotState
from sayso.scene import Box, Scene, Thing, plain
from sayso.skill import ThingName, Value, skill
from sayso.task import NOT_FOUND, UNSENSED

Embed: TypeAlias = Callable[[Sequence[str]], Any]
"""Texts to an array of vectors of length 1, one a row."""

NEAR, NEARER = 0.65, 0.1
"""How alike two names have to be in meaning (their vectors' product), and by how much more than the next one."""


class Meanings:
    """Finds the label that a name means. Without `embed` only by the dictionary."""

    def __init__(self, embed: Embed | None = None) -> None:
        self._embed = embed
        self._known: dict[tuple[str, frozenset[str]], str] = {}

    def label(self, name: str, labels: Iterable[str]) -> str:
        """The one of the labels that the name means; empty for none, and where several might be meant."""
        there = frozenset(labels)
        if (name, there) not in self._known:
            self._known[name, there] = self._found(name, sorted(there))
        return self._known[name, there]

    def _found(self, name: str, labels: Sequence[str]) -> str:
        called = [label for label in labels if means(name, label)]
        if called or not labels or self._embed is None or not kind(name):
            return called[0] if len(called) == 1 else ""
        vectors = self._embed([kind(name), *map(kind, labels)])
        likeness = sorted(zip((vectors[1:] @ vectors[0]).tolist(), labels, strict=True), reverse=True)
        (best, label), next_best = likeness[0], likeness[1][0] if len(likeness) > 1 else -1.0
        kind_of = kind(name).endswith(kind(label))  # a wheelchair is no chair, a post box no box
        return label if best >= NEAR and best >= next_best + NEARER and not kind_of else ""


@dataclass(frozen=True, slots=True)
class NamedScene(Scene):
    """A scene in which things are found by other names as well."""

    meanings: Meanings | None = None

    def alike(self, label: str) -> list[Thing]:
        """All things of this label; where there are none, of the one that it means. What whoever looks has a label for
        means no other thing."""
        found = Scene.alike(self, label)
        known = self.sense is not None and plain(label).lower() in map(str.lower, self.sense.labels)
        if found or known or self.meanings is None:
            return found
        meant = self.meanings.label(label, {t.label for t in self.things})
        return Scene.alike(self, meant) if meant else []

    def untold(self, name: str) -> str:
        """Why nobody can tell whether it is here; empty where one of the labels means it."""
        told = Scene.untold(self, name)
        if not told or self.sense is None or self.meanings is None:
            return told
        label = name.partition("#")[0].partition("[")[0]
        known = any(means(label, mine) for mine in self.sense.labels) or self.meanings.label(label, self.sense.labels)
        return "" if known else told


class Named:
    """A perception whose scenes know other names for things."""

    def __init__(self, perception: Perception, meanings: Meanings) -> None:
        self._perception, self._meanings = perception, meanings

    async def look(self) -> Scene:
        seen = await self._perception.look()
        return NamedScene(seen.things, seen.observer, seen.seen_s, seen.view, seen.sense, seen.doubtful, self._meanings)


Shown: TypeAlias = Callable[[Any, Sequence[str]], None]
"""Takes a picture, (height, width, 3) uint8 or None where nothing could render it, and the labels in frame."""


class Camera(Protocol):
    """The interface of a robot that takes pictures, and of whoever takes one without holding up the loop."""

    photograph: Callable[[], Awaitable[Any]] | None

    def picture(self, width_px: int = 480, height_px: int = 360) -> Any: ...


class Sight:
    """Looking, measuring in the image, taking pictures."""

    def __init__(self, camera: Camera, perception: Perception, picture_taken: Shown) -> None:
        self._camera = camera
        self._perception = perception
        self._picture_taken = picture_taken

    @skill(short="iv", means="sees({thing})")
    async def is_visible(self, thing: ThingName) -> bool:
        """Whether a thing is in view now."""
        scene = await self._perception.look()
        found = scene.find(thing)
        if found is None and (why := scene.untold(thing)):
            raise SkillFailed(why, UNSENSED)
        return found is not None

    @skill(short="ox")
    async def object_x(self, thing: ThingName) -> float:
        """Where a thing's centre is in the image: 0 left, 1 right."""
        return (await self._box(thing)).x

    @skill(short="oy")
    async def object_y(self, thing: ThingName) -> float:
        """Where a thing's centre is in the image: 0 top, 1 bottom."""
        return (await self._box(thing)).y

    @skill(short="ow")
    async def object_width(self, thing: ThingName) -> float:
        """A thing's width as a fraction of the image, 0 to 1."""
        return (await self._box(thing)).width

    @skill(short="oh")
    async def object_height(self, thing: ThingName) -> float:
        """A thing's height as a fraction of the image, 0 to 1."""
        return (await self._box(thing)).height

    @skill(short="od")
    async def object_distance(self, thing: ThingName) -> float:
        """How far away a thing in view is, in cm."""
        seen = await self._thing(thing)
        if seen.distance_m is None:
            raise SkillFailed(f"the distance to the {plain(seen.label)} is not known")
        return round(seen.distance_m * 100, 1)

    @skill(uses="camera", short="tp", again=True, means="picture")
    async def take_picture(self) -> None:
        """Take a picture of what is in view."""
        scene = await self._perception.look()
        picture = await self._camera.photograph() if self._camera.photograph else self._camera.picture()
        self._picture_taken(picture, tuple(t.label for t in scene))

    async def _thing(self, name: str) -> Thing:
        thing = (await self._perception.look()).find(name)
        if thing is None:
            raise SkillFailed(f"{none_of(plain(name.partition('[')[0].partition('#')[0]))} in view", NOT_FOUND)
        return thing

    async def _box(self, name: str) -> Box:
        thing = await self._thing(name)
        if thing.box is None:
            raise SkillFailed(f"the {plain(thing.label)} is known, but not where it is in the image")
        return thing.box


FACING_RAD = 0.07
"""Turns smaller than this show nothing new."""


class Body(Protocol):
    """The interface of a robot, as these skills use it."""

    def state(self) -> RobotState: ...


class Turner(Body, Protocol):
    """The interface of a robot that can turn on the spot; positive is left."""

    async def turn(self, angle_rad: float) -> None: ...


class Recollection:
    """Asking memory; for every robot that has one."""

    def __init__(self, body: Body, memory: Recalling) -> None:
        self._body, self._memory = body, memory

    @skill(short="w")
    async def where(self, thing: ThingName) -> Value:
        """Where a thing was last seen, in words; False when it never was."""
        return plain(self._memory.where(thing, self._body.state().pose), 200) or False


class LookingBack:
    """Turning to where things were; `ready` makes the robot fit to turn."""

    def __init__(
        self, turner: Turner, perception: Perception, memory: Recalling, ready: Callable[[], Awaitable[None]]
    ) -> None:
        self._turner, self._perception, self._memory, self._ready = turner, perception, memory, ready

    @skill(uses="base", short="rc", again=True)
    async def recall(self, thing: ThingName) -> bool:
        """Turn to where a thing was last seen; True when it is in view."""
        if (await self._perception.look()).find(thing):
            return True
        known = self._memory.recall(thing)
        if known is None or known.pose is None:
            return False
        await self._ready()
        turn_rad = self._turner.state().pose.bearing_rad(known.pose)
        if abs(turn_rad) > FACING_RAD:
            await self._turner.turn(turn_rad)
        return (await self._perception.look()).find(thing) is not None
