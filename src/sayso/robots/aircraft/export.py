"""The export of a planned search: a MAVLink mission for an autopilot, and KML for a map.

It takes off, sweeps areas one after the other and comes home. Autopilots and maps speak of latitude and longitude; a
search knows metres from the middle of its map. An `Origin` ties the two together. Over the few kilometres of a search
the earth is flat enough: the error stays below a metre.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from sayso.errors import UsageError
from sayso.robots.aircraft.search.craft import LEVELS, LEVELS_M, At, Charts, Course
from sayso.robots.aircraft.search.detection import detection
from sayso.robots.aircraft.search.terrain import Area, Terrain
from sayso.robots.aircraft.world.scene import read_scene
from sayso.tables import toml

METRES_PER_DEGREE = 111_319.49
"""Of latitude, and of longitude on the equator, on a sphere with the WGS 84 equatorial radius."""

RELATIVE_ALTITUDE = 3  # MAV_FRAME_GLOBAL_RELATIVE_ALT: metres above home
TERRAIN_ALTITUDE = 10  # MAV_FRAME_GLOBAL_TERRAIN_ALT: metres above the ground there
WAYPOINT, LOITER_TIME, RETURN, LAND, TAKE_OFF, SPEED = 16, 19, 20, 21, 22, 178
"""Numbers of MAV_CMD."""

QGC_HEADER = "QGC WPL 110"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the middle of the map lies: degrees north and east; metres above the sea at home."""

    latitude_deg: float
    longitude_deg: float
    home_m: float = 0.0

    def __post_init__(self) -> None:
        if not (abs(self.latitude_deg) < 85 and abs(self.longitude_deg) <= 180):
            raise UsageError(
                f"no map lies at {self.latitude_deg}, {self.longitude_deg}; degrees north below 85, and east"
            )

    def degrees(self, x_m: float, y_m: float) -> tuple[float, float]:
        """Latitude and longitude of a place on the map."""
        shrink = math.cos(math.radians(self.latitude_deg))
        return (self.latitude_deg + y_m / METRES_PER_DEGREE, self.longitude_deg + x_m / METRES_PER_DEGREE / shrink)


@dataclass(frozen=True, slots=True)
class Item:
    """One mission item, as MAVLink has it: a command, its frame, and seven parameters."""

    command: int
    frame: int
    params: tuple[float, float, float, float, float, float, float]


def items(courses: Iterable[Course], terrain: Terrain, origin: Origin) -> list[Item]:
    """Courses flown one after the other as mission items; the first is home, which a mission file needs."""
    lat, lon = origin.degrees(*terrain.home)
    made = [Item(WAYPOINT, 0, (0, 0, 0, 0, lat, lon, origin.home_m))]
    speed_mps, at = 0.0, (*terrain.home, 0.0)
    for course in courses:
        for leg in course.legs:
            if leg.speed_mps and leg.speed_mps != speed_mps and leg.to[:2] != at[:2]:
                speed_mps = leg.speed_mps
                made.append(Item(SPEED, 2, (0, speed_mps, -1, 0, 0, 0, 0)))
            made.append(_item(leg.to, leg.wait_s, at, origin))
            at = leg.to
    if len(made) == 1:
        raise UsageError("there is nothing to export: the courses hold no leg")
    return made


def _item(to: At, wait_s: float, at: At, origin: Origin) -> Item:
    lat, lon = origin.degrees(to[0], to[1])
    if to[2] <= 0:
        return Item(LAND, RELATIVE_ALTITUDE, (0, 0, 0, math.nan, lat, lon, 0))
    if at[2] <= 0:
        return Item(TAKE_OFF, TERRAIN_ALTITUDE, (0, 0, 0, math.nan, lat, lon, to[2]))
    if wait_s:
        return Item(LOITER_TIME, TERRAIN_ALTITUDE, (wait_s, 0, 0, 0, lat, lon, to[2]))
    return Item(WAYPOINT, TERRAIN_ALTITUDE, (0, 0, 0, math.nan, lat, lon, to[2]))


def waypoints(mission: Sequence[Item]) -> str:
    """The mission as a waypoint file (`QGC WPL 110`), which every ground station reads."""
    lines = [QGC_HEADER]
    for number, item in enumerate(mission):
        # the text format knows no "not a number": zero means the same, leave it to the autopilot
        params = [0.0 if math.isnan(p) else p for p in item.params]
        numbers = [f"{p:.8f}" for p in params]
        lines.append("\t".join([str(number), str(int(number == 0)), str(item.frame), str(item.command), *numbers, "1"]))
    return "\n".join(lines) + "\n"


def qgc_plan(mission: Sequence[Item]) -> str:
    """The mission as a QGroundControl `.plan`, JSON text."""
    home, *rest = mission
    told = toml(__package__, "export.toml")["plan"]
    place = {"plannedHomePosition": list(home.params[4:])}
    simple = {"items": [_simple(number, item) for number, item in enumerate(rest, start=1)]}
    told = {**told, "mission": told["mission"] | place | simple}
    return json.dumps(told, indent=2)


def _simple(number: int, item: Item) -> dict[str, Any]:
    return {
        "type": "SimpleItem",
        "doJumpId": number,
        "autoContinue": True,
        "command": item.command,
        "frame": item.frame,
        "params": [None if math.isnan(p) else p for p in item.params],
    }


def kml(courses: Iterable[Course], terrain: Terrain, origin: Origin, areas: Sequence[str] = ()) -> str:
    """The way of the aircraft as a line above the ground, areas as outlines, and home as a pin."""
    points = [(*terrain.home, 0.0), *(leg.to for course in courses for leg in course.legs)]
    line = _coordinates(points, origin)
    pin = f"<Point><coordinates>{_coordinates([(*terrain.home, 0.0)], origin)}</coordinates></Point>"
    outlines = [_placemark(area, _polygon(terrain.area(area), terrain, origin)) for area in areas]
    way = f"<LineString><altitudeMode>relativeToGround</altitudeMode><coordinates>{line}</coordinates></LineString>"
    body = "\n".join([_placemark("way", way), *outlines, _placemark("home", pin)])
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">\n<Document>\n'
        f"<name>planned search</name>\n{body}\n</Document>\n</kml>\n"
    )


def _placemark(name: str, shape: str) -> str:
    return f"<Placemark><name>{escape(name)}</name>{shape}</Placemark>"


def _coordinates(points: Iterable[At], origin: Origin) -> str:
    """KML wants longitude first."""
    told = []
    for x, y, z in points:
        lat, lon = origin.degrees(x, y)
        told.append(f"{lon:.8f},{lat:.8f},{z:.1f}")
    return " ".join(told)


def _polygon(area: Area, terrain: Terrain, origin: Origin) -> str:
    """The area's outline: west ends of its rows going north, east ends coming back."""
    west: list[At] = []
    east: list[At] = []
    for i, row in enumerate(area.mask):
        columns = row.nonzero()[0]
        if not len(columns):
            continue
        r, c = area.window[0].start + i, area.window[1].start
        for edge in (r - 0.5, r + 0.5):
            west.append((*terrain.middle((edge, c + float(columns[0]) - 0.5)), 0.0))
            east.append((*terrain.middle((edge, c + float(columns[-1]) + 0.5)), 0.0))
    ring = _coordinates([*west, *east[::-1], west[0]], origin)
    boundary = f"<outerBoundaryIs><LinearRing><coordinates>{ring}</coordinates></LinearRing></outerBoundaryIs>"
    return f"<Polygon>{boundary}</Polygon>"


MISSIONS: Mapping[str, Callable[[Sequence[Item]], str]] = {".waypoints": waypoints, ".plan": qgc_plan}
"""By the ending of the file: MAVLink as text, and QGroundControl's plan; another ending is a map layer's."""


def write(
    file: Path, areas: Sequence[str], scene: str = "valley", altitude: str = "60", middle: str = "47.75,11.38"
) -> Iterator[str]:
    """Write the file (see `sayso.exports`), and say how long the flight takes: areas of the scene or squares, in order.

    `altitude` is 30, 60 or 90 metres above the ground; `middle` is where the middle of the map lies, as LAT,LON[,M]
    with metres at home. Raises `UsageError` for what cannot be flown or written.
    """
    try:
        altitude_m = float(altitude)
    except ValueError as error:
        raise UsageError(f"altitude is a number of metres, not {altitude!r}") from error
    form, origin = MISSIONS.get(file.suffix.lower()), _origin(middle)
    charts = Charts(read_scene(scene).terrain, detection())
    named = [charts.terrain.area(area).name for area in areas]
    courses, seconds, charge = planned(charts, named, altitude_m)
    terrain = charts.terrain
    file.write_text(
        form(items(courses, terrain, origin)) if form else kml(courses, terrain, origin, areas=named), "utf-8"
    )
    left = max(0.0, 1 - charge)
    yield f"{file}: {', '.join(named)} from {altitude_m:g} m; {seconds / 60:.0f} min, {left:.0%} charge left"
    if left < charts.craft.reserve:
        yield f"That is less than the reserve of {charts.craft.reserve:.0%}: name fewer areas."


def planned(charts: Charts, areas: Sequence[str], altitude_m: float) -> tuple[list[Course], float, float]:
    """The courses, seconds and charge of the whole flight."""
    if altitude_m not in LEVELS_M:
        raise UsageError(f"a search is flown at {LEVELS} m, not at {altitude_m:g}")
    at: At = (*charts.terrain.home, 0.0)
    courses, seconds, charge = list[Course](), 0.0, 0.0
    sweeps = [partial(charts.search, area=area) for area in areas]
    steps: list[Callable[[At], Course]] = [
        charts.level, partial(charts.level, altitude_m=altitude_m), *sweeps, charts.home,
    ]  # fmt: skip
    for step in steps:
        course = step(at)
        cost = charts.cost(course, at)
        at, seconds, charge = cost.end, seconds + cost.seconds, charge + cost.charge
        courses.append(course)
    return courses, seconds, charge


def _origin(middle: str) -> Origin:
    """ "47.75,11.38" or "47.75,11.38,610" """
    try:
        return Origin(*map(float, middle.split(",")))
    except (ValueError, TypeError):
        raise UsageError(f"middle takes degrees north, degrees east and metres at home, not {middle!r}") from None
