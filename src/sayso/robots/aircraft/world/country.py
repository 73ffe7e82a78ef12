"""The rescue world: ground with woods, fields, water and houses, somebody lost in it, and a small aircraft above.

    world = Rescue("valley")

The world hands out an ordinary robot (`SimAircraft`) and an ordinary perception. `terrain`, `model`, `charts` and
`subjects` are what a searcher may know beforehand; where the sought ones are is in `truth` alone.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from sayso.limits import Limits, Zone
from sayso.robots.aircraft.aerial import AerialCamera
from sayso.robots.aircraft.search.craft import LEVELS_M, Charts, Craft
from sayso.robots.aircraft.search.detection import Detection, detection
from sayso.robots.aircraft.search.lost import Subject
from sayso.robots.aircraft.search.sweep import CONFIRMED, Look, stares_at
from sayso.robots.aircraft.search.terrain import Terrain
from sayso.robots.aircraft.world.draw import Land, overview, photograph
from sayso.robots.aircraft.world.flight import Airframe
from sayso.robots.aircraft.world.people import Lost, People, Present, SearchTruth
from sayso.robots.aircraft.world.scene import read_scene, scene_names
from sayso.robots.aircraft.world.sim import SimAircraft
from sayso.roles import Perception
from sayso.scene import Pose
from sayso.world import Real, World

LUCK = 7919
"""Keeps the draws of two cameras apart."""

TRAIL_M = 10.0
MARGIN_M = 60.0  # around the map, for turns
ALTITUDE_MARGIN_M = 30.0


class Rescue(World):
    """A scene of the rescue world. The same seed is the same mission, however it is played.

    `wind_mps` blows from the west; `craft` and `model` replace the aircraft's figures and the detection table;
    `subjects` replaces who is lost, `law` what their places are drawn from (`people.LAWS`). Of several aircraft over
    the same people each has a `number`: its camera has its own luck, and signs what it reports.
    """

    name: ClassVar[str] = "rescue"
    tick_s: ClassVar[float] = 0.25
    stretch_s: ClassVar[float] = 30.0

    def __init__(
        self,
        scene: str = "valley",
        seed: int = 0,
        *,
        number: int = 0,
        wind_mps: float = 0.0,
        craft: Craft | None = None,
        model: Detection | None = None,
        subjects: Sequence[Subject] | None = None,
        law: str = "",
    ) -> None:
        self.scene = read_scene(scene)
        self.terrain: Terrain = self.scene.terrain
        self.model = model or detection()
        craft = craft or Craft()
        craft = replace(craft, payload="ir" if self.terrain.light == "night" else craft.payload)
        self.charts = Charts(self.terrain, self.model, craft, (wind_mps, 0.0))
        lost = self.scene.subjects if subjects is None else subjects
        self.people = People(lost, self.terrain, self.model, seed, law)
        labels = tuple(dict.fromkeys(["person", *(p.subject.label for p in self.people.present)]))
        self.signs, luck = (f"{number}-", LUCK * (number - 1)) if number else ("", 0)
        self.camera = AerialCamera(self.people, self.model, self.observer, seed + luck, labels, self.signs)
        self.perception: Perception = self.camera
        self.frame = Airframe(self.charts, seed, self._expose)
        self.aircraft = SimAircraft(self.frame, self.camera, _limits(self.charts), self._photograph, self._taken)
        self.robot = self.aircraft
        self.trail: list[Pose] = [self.really()[0]]
        self._noted = self.frame.at
        self.found_s: dict[str, float] = {}
        self.confirmed_s: dict[str, float] = {}
        self.pictures: list[tuple[float, frozenset[str]]] = []
        self.instruction = self.scene.instruction

    @staticmethod
    def scenes() -> tuple[str, ...]:
        return scene_names()

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """What is told about those who are there."""
        return tuple(p.subject for p in self.people.present)

    def observer(self) -> tuple[Pose, float]:
        """Where the aircraft is, and when."""
        return self.aircraft.pose(self.frame.at), self.frame.now_s

    @property
    def time_s(self) -> float:
        return self.frame.now_s

    def step_to(self, until_s: float) -> None:
        """Let this world's time pass until then. What happens does not depend on how time is cut into calls."""
        while True:
            self.frame.advance(min(until_s, self.people.next_s))
            if self.people.next_s <= self.time_s:
                self.people.step()
            self._note()
            if self.time_s >= until_s and self.frame.event_s > until_s:
                return

    def truth(self) -> SearchTruth:
        pose, speed_mps = self.really()
        return SearchTruth(
            time_s=self.time_s,
            pose=pose,
            speed_mps=speed_mps,
            charge=self.frame.charge,
            things={name: Real(label=name, pose=Pose(*self.terrain.centre(name))) for name in self.terrain.named},
            flying=self.frame.flying,
            crashed=self.frame.fell,
            at_home=self.aircraft.at_home and not self.frame.flying,
            present={one.id: self._present(one) for one in self.people.present},
            in_frame=self._framed(),
            pictures=tuple(self.pictures),
        )

    def really(self) -> tuple[Pose, float]:
        return self.aircraft.pose(self.frame.at), self.frame.speed_mps

    def land(self) -> Land:
        return Land(self.terrain)

    def names(self) -> Sequence[tuple[str, Pose]]:
        """The named areas, at their middles, as high as the ground there."""
        named = ((name, self.terrain.centre(name)) for name in self.terrain.named)
        return [(name, Pose(x, y, self.land().height_m(x, y))) for name, (x, y) in named]

    def overview(self, width_px: int = 640, height_px: int = 480) -> Any:
        """The place from above: ground, areas, the way flown, what was looked at, sightings, and who is there."""
        return overview(self.terrain, self.camera, self.trail, self.truth(), width_px, height_px)

    def _present(self, one: Present) -> Lost:
        x_m, y_m = one.place
        return Lost(
            label=one.subject.label,
            attributes={"colour": one.subject.colour},
            pose=Pose(x_m, y_m, self.aircraft.pose((x_m, y_m, 0.0)).z_m),
            open_to_sky=one.open_to_sky,
            found_s=self.found_s.get(one.id),
            confirmed_s=self.confirmed_s.get(one.id),
        )

    def _expose(self, look: Look, done: float, now_s: float) -> bool:
        sighted = self.camera.expose(look, done, now_s)
        if not sighted and not look.asked:
            return False
        for thing in self.camera.sightings:
            if cause := self.camera.cause(thing.id):
                self.found_s.setdefault(cause, now_s)
                if thing.attributes["status"] == CONFIRMED:
                    self.confirmed_s.setdefault(cause, now_s)
        return sighted and self.charts.craft.stops_at_sighting and look.how == "sweep"

    def _taken(self) -> None:
        """An image was taken: who is in it belongs to the truth."""
        self.pictures.append((self.time_s, self._framed()))

    def _framed(self) -> frozenset[str]:
        """Who can be seen in an image of now."""
        if not self.frame.flying:
            return frozenset()
        look = self.charts.image(self.frame.at).look
        assert look is not None
        present = self.people.present
        return frozenset(p.id for p in present if p.open_to_sky and stares_at(look, p.place, self.model))

    def _photograph(self, width_px: int, height_px: int) -> Any:
        return photograph(self.people, self.model, self.really()[0], width_px, height_px)

    def _note(self) -> None:
        if math.dist(self.frame.at, self._noted) > TRAIL_M:
            self._noted = self.frame.at
            self.trail.append(self.really()[0])


def _limits(charts: Charts) -> Limits:
    """What is safe here. The reserve takes the aircraft home from the farthest corner, whatever it was doing."""
    wide_m, high_m = charts.terrain.size_m
    relief_m = float(charts.terrain.elevation_m.max() - charts.terrain.height_m(*charts.terrain.home))
    corners = [(x * wide_m / 2, y * high_m / 2, LEVELS_M[-1]) for x in (-1, 1) for y in (-1, 1)]
    farthest = max(1 - charts.left_at_home(1.0, corner) for corner in corners)
    return Limits(
        zone=Zone(-wide_m / 2, wide_m / 2, -high_m / 2, high_m / 2).shrunk(-MARGIN_M),
        altitude_min_m=-500.0,
        altitude_max_m=LEVELS_M[-1] + max(relief_m, 0.0) + ALTITUDE_MARGIN_M,
        speed_max_mps=charts.craft.cruise_mps * 1.5 + math.hypot(*charts.wind_mps),
        battery_reserve=round(max(charts.craft.reserve, farthest + 0.03), 3),
        mission_max_s=2 * charts.craft.endurance_s,
    )
