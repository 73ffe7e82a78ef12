"""What is done n times, round and round, or along the sides of a figure, is done just so often."""

from __future__ import annotations

import pytest
from reflex_brief import brief, plan

from sayso.errors import NotUnderstood
from sayso.planners.reflex import Command


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("turn round twice", "2{tc(180);tc(180);}"),
        ("spin around 3 times", "3{tc(180);tc(180);}"),
        ("spin twice to the left", "2{tu(180);tu(180);}"),
        ("turn once round", "tc(180);tc(180);"),
        ("do one and a half turns to the left", "tu(180);tu(180);tu(180);"),
        ("turn right a sixth of a turn", "tc(60);"),
        ("rise and sink twice", "mu(50); 2{md(50);}"),  # a command of its own is done by itself
        ("go up and down twice", "2{mu(50);md(50);}"),  # two ways with one verb go together
        ("fly left 1 m and right 1 m 3 times", "3{ml(100);mr(100);}"),
        ("fly a triangle of 70 cm", "3{mf(70);tc(120);}"),
        ("draw a hexagon, 40 cm a side", "6{mf(40);tc(60);}"),
        ("make a square with 1.5 m sides", "4{mf(150);tc(90);}"),
        ("count to four and land", "l('1, 2, 3, 4'); la;"),
        ("count down from 3", "l('3, 2, 1');"),
        ("take three steps back and be back", "mb(150); rh;"),
        ("lower your altitude to 90 cm", "fa(90);"),
    ],
)
def test_n_times_is_n_times(sentence: str, shown: str) -> None:
    assert plan(sentence) == shown


@pytest.mark.parametrize(
    "sentence", ["make a turn", "go up, left and down twice", "count to 2.5", "fly a circle of 1 m"]
)
def test_what_could_be_two_things_is_not_read(sentence: str) -> None:
    with pytest.raises(NotUnderstood):
        Command.read(brief(sentence))
