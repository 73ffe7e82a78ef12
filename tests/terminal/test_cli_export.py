"""A planned search leaves as a file that a ground station reads, or with a line that says why not."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cli_runner import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    (tmp_path / "home").mkdir()
    return Home(tmp_path / "home")


@pytest.mark.parametrize("ending", [".waypoints", ".plan", ".kml"])
def test_each_ending_has_its_form(home: Home, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"search{ending}"
    ran = home.sayso(
        "export", "the West Field", "b2", "--to", str(file), "--with", "altitude=90", "--with", "middle=47,11,600"
    )
    assert ran.code == 0 and "west field, B2 from 90 m" in ran.out.replace("\n", " ")
    text = file.read_text("utf-8")
    if ending == ".plan":
        assert json.loads(text)["fileType"] == "Plan"
    elif ending == ".kml":
        assert ElementTree.fromstring(text).tag.endswith("kml")
    else:
        rows = [line.split("\t") for line in text.splitlines()[1:]]
        assert all(abs(float(r[8]) - 47) < 0.1 for r in rows if r[3] == "16")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["s.txt", "b2"], "s.txt ends in none of"),
        (["s.kml", "atlantis"], "atlantis"),
        (["s.kml", "b2", "--with", "altitude=45"], "30, 60, 90 m"),
        (["s.kml", "b2", "--with", "wind=3"], "not wind"),
        (["s.kml"], "what is to be written"),
        (["s.kml", "b2", "--with", "middle=here"], "middle takes degrees"),
    ],
)
def test_what_cannot_be_is_told_and_nothing_is_written(
    home: Home, tmp_path: Path, arguments: list[str], told: str
) -> None:
    file, *rest = arguments
    ran = home.sayso("export", "--to", str(tmp_path / file), *rest)
    assert ran.code == 2 and told in ran.err
    assert not (tmp_path / file).exists()


def test_too_much_for_one_battery_is_said(home: Home, tmp_path: Path) -> None:
    areas = [f"{column}{row}" for column in "ABCDEF" for row in range(1, 7)]
    ran = home.sayso("export", *areas, "--to", str(tmp_path / "s.kml"), "--with", "altitude=30")
    assert ran.code == 0 and "less than the reserve" in ran.out.replace("\n", " ")
