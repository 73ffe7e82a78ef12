"""The 3-D scene: solids are sent once, then only what moves."""

import base64
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np
from nicegui import ui
from nicegui.awaitable_response import AwaitableResponse, NullResponse
from nicegui.elements.scene.objects.texture import Texture
from nicegui.elements.scene.scene_object3d import Object3D

from sayso.console.solids import Body, Place, Spot, changed
from sayso.drawing import Solid, Triple
from sayso.memory.pictures import as_jpeg
from sayso.scene import Thing

PAPER = "#e9edf0"
WAY, FORESEEN = "#e2582a", "#1f6f8b"
SEGMENTS = 500
SMALL = 0.06
"""Of the place's width: a robot below that is hard to see."""

DASH, LIFT = 0.015, 0.012
"""Of the place's width: a dash, and how far above a thing its name stands."""

FRESH_S = 4.0
WIDE_M, WIDE_UNITS = 60.0, 24.0
"""A place wider than this is shown as a model, so wide in the scene's own units."""

LABEL = "font: 600 11px system-ui, sans-serif; padding: 1px 6px; border-radius: 9px; pointer-events: none; "
AREA = LABEL + "--rank: 0; background: #ffffffa6; color: #20262b; font-weight: 500;"
FRESH = LABEL + "--rank: 1; background: #1f6f8be6; color: #fff;"
STALE = LABEL + "--rank: 2; background: #f5f6f7b8; color: #56616b; font-style: italic;"
LYING = [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]
"""three.js has its cylinders along y, we along z."""


class Canvas(ui.scene):
    """A scene that can be told many things in one message. By itself it sends several for each solid: to show twenty
    viewers another place would hold up the server for seconds."""

    _calls: list[list[Any]] | None = None

    def run_method(self, name: str, *args: Any, timeout: float = 1) -> AwaitableResponse:
        """Now, or with the rest of what is told `together`."""
        if self._calls is None:
            return super().run_method(name, *args, timeout=timeout)
        self._calls.append([name, *args])
        return NullResponse()

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is told meanwhile goes to the page in one message at the end."""
        if self._calls is not None:
            yield
            return
        self._calls = calls = list[list[Any]]()
        try:
            yield
        finally:
            self._calls = None
        if calls:
            self.run_method("run_methods", calls)


class SceneView:
    """The scene on a page. `move` it with the spots of its bodies; `trail`, `foresee` and `believe` draw the rest."""

    def __init__(self, place: Place) -> None:
        self.scene = Canvas(
            grid=False, background_color=PAPER, fps=20, click_events=[],
            camera=ui.scene.perspective_camera(fov=45, near=0.05, far=400),
        )  # fmt: skip
        self.set_place(place)

    def set_place(self, place: Place) -> None:
        """Show another place in the same scene: a scene that is thrown away goes on drawing in the browser."""
        with self.scene.together():
            self.scene.delete_objects()
            self.place = place
            self._shown: dict[int, Spot] = {}
            self._bodies: dict[int, Object3D] = {}
            self._trail: list[Object3D] = []
            self._trail_end: Triple | None = None
            self._foreseen: list[Object3D] = []
            self._foreseen_way: Sequence[Triple] = ()
            self._labels: dict[str, tuple[tuple[Any, ...], Object3D]] = {}
            self._ground: Texture | None = None
            self._paint = self._plain = ""
            self._scale = WIDE_UNITS / place.span_m if place.span_m > WIDE_M else 1.0
            with self.scene as scene:
                self._root = scene.group().scale(self._scale)
                with self._root:
                    for body in place.bodies:
                        self._build(scene, body)
                    self._halo = self._mark(scene)
                    self._lay_ground(scene)
                    for name, at in place.names:
                        scene.text(name, AREA).move(*at)
            self._look()
            self.move(place.spots())

    def _look(self) -> None:
        """From the south-west and above, where the walls are cut away."""
        d = self.place.span_m * self._scale
        x, y, z = (v * self._scale for v in self.place.middle_m)
        self.scene.move_camera(x - 0.58 * d, y - 0.89 * d, 0.84 * d, x, y - 0.05 * d, z, 0, 0, 1, duration=0)

    def _lay_ground(self, scene: ui.scene) -> None:
        land = self.place.land
        if land is None:
            return
        self._plain = f"data:image/jpeg;base64,{base64.b64encode(as_jpeg(land.paint(), quality=85)).decode()}"
        self._ground = scene.texture(self._plain, land.net())

    def paint(self, url: str) -> None:
        """Set the picture on the ground; an empty address stands for the plain one."""
        if self._ground and url != self._paint:
            self._paint = url
            self._ground.set_url(url or self._plain)

    def _mark(self, scene: ui.scene) -> tuple[int, tuple[Object3D, ...]] | None:
        """A ring below the robot, and a halo around one that is too small to be found."""
        own = [b for b in self.place.bodies if b.robot]
        if not own or self.place.land:
            return None
        reach_m = sum(max(math.hypot(*s.at_m) + max(s.size_m) / 2 for s in b.solids) for b in own)
        size_m = SMALL * self.place.span_m / 3
        if reach_m > SMALL * self.place.span_m:
            return own[0].number, (scene.ring(1.5 * size_m, 1.7 * size_m, 32).material(WAY, 0.8, "both"),)
        ring = scene.ring(0.8 * size_m, size_m, 24).material(WAY, 0.8, "both")
        return own[0].number, (ring, scene.sphere(size_m, 24, 16).material(WAY, 0.22))

    def _build(self, scene: ui.scene, body: Body) -> None:
        if not body.moves:
            for solid in body.solids:
                _solid(scene, solid)
            return
        with scene.group() as group:
            for solid in body.solids:
                _solid(scene, solid)
        self._bodies[body.number] = group

    def move(self, spots: Mapping[int, Spot]) -> int:
        """Set the bodies' poses, and return how many had moved."""
        with self.scene.together():
            moved = 0
            for number, spot in changed(self._shown, spots).items():
                if body := self._bodies.get(number):
                    body.move(*spot.at_m).rotate_R([list(row) for row in spot.turn])
                    moved += 1
                self._shown[number] = spot
                if self._halo and number == self._halo[0]:
                    self._mark_at(spot)
            return moved

    def _mark_at(self, spot: Spot) -> None:
        assert self._halo is not None, "only called where there is one"
        (x, y, z), (ring, *halo) = spot.at_m, self._halo[1]
        ring.move(x, y, 0.01)
        for sphere in halo:
            sphere.move(x, y, z)

    def trail(self, points: Sequence[Triple]) -> None:
        """Draw the way so far. A way that is another one begins anew."""
        with self.scene.together():
            if not points or (self._trail_end is not None and self._trail_end not in points[-40:]):
                for line in self._trail:
                    line.delete()
                self._trail, self._trail_end = [], None
            if not points:
                return
            since = 0 if self._trail_end is None else len(points) - 1 - points[::-1].index(self._trail_end)
            with self.scene as scene, self._root:
                for a, b in zip(points[since:], points[since + 1 :], strict=False):
                    self._trail.append(scene.line(list(a), list(b)).material(WAY))
            while len(self._trail) > SEGMENTS:
                self._trail.pop(0).delete()
            self._trail_end = points[-1]

    def foresee(self, way: Sequence[Triple]) -> None:
        """Draw, dashed, where a plan would lead."""
        if way == self._foreseen_way:
            return
        self._foreseen_way = way
        with self.scene.together():
            for line in self._foreseen:
                line.delete()
            self._foreseen = []
            with self.scene as scene, self._root:
                for a, b in dashes(way, DASH * self.place.span_m):
                    self._foreseen.append(scene.line(list(a), list(b)).material(FORESEEN))
                if way:
                    end = scene.sphere(DASH / 2 * self.place.span_m).material(FORESEEN, 0.7)
                    end.move(*way[-1])
                    self._foreseen.append(end)

    def believe(self, beliefs: Mapping[str, Thing], now_s: float) -> None:
        """Draw a name at every place where something is believed to be; old ones fade. The page keeps them apart."""
        with self.scene.together():
            lift_m = max(0.15, LIFT * self.place.span_m)
            for id_, belief in beliefs.items():
                if belief.pose is None:
                    continue
                fresh = now_s - belief.seen_s < FRESH_S
                key = (round(belief.pose.x_m, 1), round(belief.pose.y_m, 1), belief.label, fresh)
                before = self._labels.get(id_)
                if before and before[0] == key:
                    continue
                if before:
                    before[1].delete()
                with self.scene as scene, self._root:
                    label = scene.text(belief.label[:40], FRESH if fresh else STALE)
                    label.move(belief.pose.x_m, belief.pose.y_m, belief.pose.z_m + lift_m)
                self._labels[id_] = key, label
            for id_ in set(self._labels) - set(beliefs):
                self._labels.pop(id_)[1].delete()


def dashes(way: Sequence[Triple], length_m: float = 0.12) -> list[tuple[Triple, Triple]]:
    """A way as short lines with gaps between them."""
    lines = []
    for a, b in pairwise(way):
        count = min(200, max(1, round(math.dist(a, b) / length_m)))
        for n in range(0, count, 2):
            lines.append((_between(a, b, n / count), _between(a, b, min(1.0, (n + 1) / count))))
    return lines


def _between(a: Triple, b: Triple, part: float) -> Triple:
    x, y, z = (p + (q - p) * part for p, q in zip(a, b, strict=True))
    return x, y, z


def _solid(scene: ui.scene, solid: Solid) -> None:
    turn = [list(row) for row in solid.turn]
    if solid.shape == "capsule":
        with scene.group() as capsule:
            _capsule(scene, solid)
        capsule.move(*solid.at_m).rotate_R(turn)
        return
    shape = _shape(scene, solid).material(solid.colour, solid.opacity).move(*solid.at_m)
    shape.rotate_R((np.array(turn) @ LYING).tolist() if solid.shape == "cylinder" else turn)


def _shape(scene: ui.scene, solid: Solid) -> Object3D:
    x, y, z = solid.size_m
    if solid.shape == "sphere":
        return scene.sphere(0.5, 20, 14).scale(x, y, z)
    return scene.cylinder(x / 2, x / 2, z, 24) if solid.shape == "cylinder" else scene.box(x, y, z)


def _capsule(scene: ui.scene, solid: Solid) -> None:
    radius_m, length_m = solid.size_m[0] / 2, solid.size_m[2]
    scene.cylinder(radius_m, radius_m, length_m, 18).material(solid.colour, solid.opacity).rotate_R(LYING)
    for end in (1, -1):
        scene.sphere(radius_m, 18, 12).material(solid.colour, solid.opacity).move(0, 0, end * length_m / 2)
