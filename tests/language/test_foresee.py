"""Limits asked of a plan before it moves, as far as its future is certain."""

from __future__ import annotations

import pytest

from sayso.language import foresee, parse
from sayso.limits import Limits, Zone
from sayso.scene import Pose
from sayso.skill import Param, Skill, SkillSet


async def _nothing(*args: object) -> None:
    return None


CM = Param("distance_cm", "number", "cm")
SKILLS = SkillSet(
    [
        Skill("mf", (CM,), uses=("base",), short="mf", body=_nothing, path=lambda p, cm: [p.moved(forward_m=cm / 100)]),
        Skill(
            "tu", (CM,), uses=("base",), short="tu", body=_nothing, path=lambda p, deg: [p.moved(turn_rad=deg / 57.3)]
        ),
        Skill("goto", (Param("thing", "thing"),), uses=("base",), short="g", body=_nothing),
        Skill("look", (), short="lo", returns="flag", body=_nothing),
    ]
)
ROOM = Limits(zone=Zone(-2, 2, -2, 2))


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("mf(300)", 1),
        ("mf(100);mf(150)", 9),
        ("look();mf(300)", 8),
        ("4{mf(100)}", 3),
        ("2{mf(100);tu(180)};mf(300)", 20),
    ],
)
def test_a_limit_that_would_be_broken_is_named_with_its_place(text: str, column: int) -> None:
    """L52: the first statement that would break a limit is named, wherever a loop hides it."""
    error = foresee(parse(text), SKILLS, Pose(), ROOM)
    assert error is not None
    assert error.place.column == column
    assert "geofence" in error.message and "x -2..2 m" in error.message


@pytest.mark.parametrize(
    "text",
    [
        "mf(150)",
        "2{mf(100);tu(180)}",
        "goto('x');mf(900)",
        "?look()==True{mf(900)}",
        "_1=300;mf(_1)",
        "1000{mf(100);tu(180)}",
        "",
    ],
)
def test_what_cannot_be_foreseen_or_is_allowed_passes(text: str) -> None:
    """L52: what is uncertain is left to the executive."""
    assert foresee(parse(text), SKILLS, Pose(), ROOM) is None
