"""The table of things: large enough, complete for the office, and every word in it known."""

from __future__ import annotations

import pytest
import training_path  # noqa: F401

from knowledge import COLOURS, OFFICE, fraction, items, qualities
from sayso.worlds import make, scenes

SIZES = {"tiny", "small", "medium", "large", "huge"}


def test_holds_hundreds_of_things() -> None:
    assert len(items()) >= 250


def test_every_label_of_the_office_is_in_it() -> None:
    labels = {
        thing.label for scene in scenes("office") for thing in make("office", scene=scene).truth().things.values()
    }
    assert labels <= set(items())
    assert labels <= OFFICE


def test_sizes_and_colours_are_known_words() -> None:
    for item in items().values():
        assert item.size in SIZES, item
        assert set(item.colours) <= {*COLOURS, "clear"}, item


@pytest.mark.parametrize(
    ("label", "word", "yes"),
    [
        ("lemon", "taste sour", True),
        ("lemon", "taste sweet", False),
        ("banana", "taste sweet", True),
        ("scissors", "use cut", True),
        ("coke", "is drinkable", True),
        ("coke", "is edible", False),
        ("sofa", "use sit", True),
        ("table", "use sit", False),
        ("potato", "use cook", False),
        ("cup", "is drinkable", False),
        ("pencil", "use write", True),
        ("person", "is alive", True),
    ],
)
def test_common_sense(label: str, word: str, yes: bool) -> None:
    assert (word in items()[label].words) == yes


def test_every_quality_fits_something() -> None:
    for quality in qualities().values():
        assert any(quality.test in item.words for item in items().values()), quality.name
        assert quality.nouns, quality.name
        assert quality.ask.endswith("?")


def test_some_things_are_held_out_but_none_of_the_office() -> None:
    held = [item.label for item in items().values() if item.held_out]
    assert 0.05 < len(held) / len(items()) < 0.2
    assert not set(held) & OFFICE


def test_the_split_depends_on_names_only() -> None:
    assert fraction("frame", "x") == fraction("frame", "x") != fraction("object", "x")
    assert fraction("a", "bc") != fraction("ab", "c")
