"""What other programs read: waypoint file, plan and KML of a planned search."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from search_ground import flat

from sayso.errors import UsageError
from sayso.robots.aircraft.export import (
    LAND,
    METRES_PER_DEGREE,
    SPEED,
    TAKE_OFF,
    Origin,
    items,
    kml,
    qgc_plan,
    waypoints,
)
from sayso.robots.aircraft.search.craft import Charts, Course
from sayso.robots.aircraft.search.detection import detection

GROUND = flat()
CHARTS = Charts(GROUND, detection())
ORIGIN = Origin(47.75, 11.38, 590.0)
KML = "{http://www.opengis.net/kml/2.2}"


def planned() -> list[Course]:
    at = (0.0, 0.0, 0.0)
    courses = []
    for make in (CHARTS.level, lambda a: CHARTS.level(a, 60.0), lambda a: CHARTS.search(a, "A1"), CHARTS.home):
        courses.append(make(at))
        at = CHARTS.cost(courses[-1], at).end
    return courses


def test_a_degree_is_as_long_as_it_is() -> None:
    lat, lon = ORIGIN.degrees(1000.0, -500.0)
    assert (47.75 - lat) * METRES_PER_DEGREE == pytest.approx(500.0)
    assert lon - 11.38 == pytest.approx(1000 / 111_319.49 / 0.67237, rel=1e-3)
    with pytest.raises(UsageError, match="north"):
        Origin(91.0, 0.0)


def test_the_waypoint_file_has_its_form() -> None:
    text = waypoints(items(planned(), GROUND, ORIGIN))
    head, *lines = text.strip().split("\n")
    rows = [line.split("\t") for line in lines]
    assert head == "QGC WPL 110" and all(len(row) == 12 for row in rows)
    assert [int(row[0]) for row in rows] == list(range(len(rows)))
    assert [row[1] for row in rows] == ["1", *["0"] * (len(rows) - 1)]
    commands = [int(row[3]) for row in rows]
    assert commands[1] == TAKE_OFF and commands[-1] == LAND and SPEED in commands
    assert float(rows[-1][8]) == pytest.approx(47.75) and float(rows[-1][9]) == pytest.approx(11.38)
    assert "nan" not in text


def test_the_plan_holds_the_same_items() -> None:
    mission = items(planned(), GROUND, ORIGIN)
    plan = json.loads(qgc_plan(mission))
    told = plan["mission"]["items"]
    assert plan["fileType"] == "Plan" and plan["mission"]["plannedHomePosition"] == [47.75, 11.38, 590.0]
    assert [t["command"] for t in told] == [i.command for i in mission[1:]]
    assert [t["doJumpId"] for t in told] == list(range(1, len(told) + 1))
    assert all(len(t["params"]) == 7 for t in told)


def test_kml_draws_the_way_and_the_areas() -> None:
    text = kml(planned(), GROUND, ORIGIN, areas=["forest"])
    root = ElementTree.fromstring(text)
    names = [node.text for node in root.iter(f"{KML}name")]
    assert names == ["planned search", "way", "forest", "home"]
    way = next(root.iter(f"{KML}LineString")).find(f"{KML}coordinates")
    assert way is not None and way.text is not None
    lon, lat, high = (float(v) for v in way.text.split()[0].split(","))
    assert (lon, lat, high) == pytest.approx((11.38, 47.75, 0.0))
    ring = next(root.iter(f"{KML}LinearRing")).find(f"{KML}coordinates")
    assert ring is not None and ring.text is not None
    corners = ring.text.split()
    assert corners[0] == corners[-1] and len(corners) == 4 * 10 + 1


def test_an_empty_search_is_not_exported() -> None:
    with pytest.raises(UsageError, match="nothing to export"):
        items([Course()], GROUND, ORIGIN)
