"""Inside this guide a search names no place that the map does not have, whatever a model's weights say."""

from __future__ import annotations

import pytest

from sayso.robots.aircraft.form import MissionConstraint

PLACES = ("North Field", "west field", "lake", "B2")


def fed(text: str) -> MissionConstraint:
    """As a model writes it, a few letters at a time."""
    guide = MissionConstraint(PLACES, 400)
    for n in range(0, len(text), 3):
        if not guide.take(text[n : n + 3]):
            break
    return guide


@pytest.mark.parametrize(
    "text",
    [
        "nothing",
        "find person;colour red|in north field;b2|not lake|then confirm home",
        "find dog;toward road;seen lake;ago 5|in field|then confirm hover",
        "find person|find suitcase;colour blue;seen west field|then confirm home",
    ],
)
def test_what_names_the_map_may_be_written(text: str) -> None:
    guide = fed(text)
    assert guide.text == text and guide.may_end


@pytest.mark.parametrize(
    "text",
    [
        "find person;seen ceiling", "find person;seen road|", "find person;toward nor|", "find person|in atlantis",
        "find person|in north field;mars|", "find person|not b22",
    ],
)  # fmt: skip
def test_no_other_place_can_be_written(text: str) -> None:
    guide = fed(text)
    assert guide.text != text


def test_half_a_name_is_no_end() -> None:
    assert not fed("find person;seen north").may_end
    assert fed("find person;seen north field").may_end
