"""A planned search as a file for a ground station: take off, sweep areas one after the other, come home."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from sayso.errors import UsageError
from sayso.robots.aircraft.search.craft import LEVELS_M, At, Charts, Course
from sayso.robots.aircraft.search.detection import detection
from sayso.robots.aircraft.search.export import Origin, items, kml, qgc_plan, waypoints
from sayso.robots.aircraft.world.scene import read_scene

Written = Callable[[Sequence[Course], Charts, Origin, Sequence[str]], str]

FORMS: Mapping[str, Written] = {
    ".waypoints": lambda courses, charts, origin, areas: waypoints(items(courses, charts.terrain, origin)),
    ".plan": lambda courses, charts, origin, areas: qgc_plan(items(courses, charts.terrain, origin)),
    ".kml": lambda courses, charts, origin, areas: kml(courses, charts.terrain, origin, areas=areas),
}
"""By the ending of the file: MAVLink as text, QGroundControl's plan, and a map layer."""


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
    form = FORMS[file.suffix.lower()]
    charts = Charts(read_scene(scene).terrain, detection())
    named = [charts.terrain.area(area).name for area in areas]
    courses, seconds, charge = planned(charts, named, altitude_m)
    file.write_text(form(courses, charts, _origin(middle), named), "utf-8")
    left = max(0.0, 1 - charge)
    yield f"{file}: {', '.join(named)} from {altitude_m:g} m; {seconds / 60:.0f} min, {left:.0%} charge left"
    if left < charts.craft.reserve:
        yield f"That is less than the reserve of {charts.craft.reserve:.0%}: name fewer areas."


def planned(charts: Charts, areas: Sequence[str], altitude_m: float) -> tuple[list[Course], float, float]:
    """The courses, seconds and charge of the whole flight."""
    if altitude_m not in LEVELS_M:
        raise UsageError(f"a search is flown at {', '.join(f'{h:g}' for h in LEVELS_M)} m, not at {altitude_m:g}")
    at: At = (*charts.terrain.home, 0.0)
    courses, seconds, charge = list[Course](), 0.0, 0.0
    sweeps = [partial(charts.search, area=area) for area in areas]
    steps: list[Callable[[At], Course]] = [
        charts.take_off, partial(charts.level, altitude_m=altitude_m), *sweeps, charts.home,
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
