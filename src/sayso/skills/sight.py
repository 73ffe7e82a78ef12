"""Skills of looking: seeing, measuring in the image, taking pictures."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeAlias

from sayso.errors import SkillFailed
from sayso.grounding.inflection import none_of
from sayso.roles import Perception
from sayso.scene import Box, Thing, plain
from sayso.skill import ThingName, skill
from sayso.task import NOT_FOUND, UNSENSED

Shown: TypeAlias = Callable[[Any, Sequence[str]], None]
"""Takes a picture, (height, width, 3) uint8 or None where nothing could render it, and the labels in frame."""


class Camera(Protocol):
    """The interface of a robot that takes pictures, and of whoever takes one without holding up the loop."""

    photograph: Callable[[], Awaitable[Any]] | None

    def picture(self, width_px: int = 480, height_px: int = 360) -> Any: ...


class Sight:
    """Looking, measuring in the image, taking pictures."""

    def __init__(self, camera: Camera, perception: Perception, picture_taken: Shown) -> None:
        self._camera, self._perception, self._picture_taken = camera, perception, picture_taken

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
