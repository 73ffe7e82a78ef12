"""Things are found by other names for them, and never by a guess between two."""

from __future__ import annotations

import pytest

from sayso.clock import SimClock
from sayso.models.pocket import Embedding
from sayso.scene import Scene, Thing
from sayso.skills.naming import Meanings, Named

ROOM = ("chair", "coke", "apple", "person", "cup", "monitor", "window", "bin", "plant", "bookshelf", "laptop")


@pytest.fixture(scope="module")
def meanings() -> Meanings:
    """With the encoder of the small model in the package."""
    return Meanings(Embedding())


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("trash can", "bin"),
        ("mug", "cup"),
        ("fruit", "apple"),
        ("people", "person"),
        ("Cola", "coke"),
        ("soda", "coke"),
        ("screens", "monitor"),
    ],
)
def test_the_table_knows_other_names_without_an_encoder(name: str, label: str) -> None:
    assert Meanings().label(name, ROOM) == label


@pytest.mark.parametrize(("name", "label"), [("computer display", "monitor"), ("flower pot", "plant")])
def test_meaning_finds_what_no_table_has(meanings: Meanings, name: str, label: str) -> None:
    assert Meanings().label(name, ROOM) == ""
    assert meanings.label(name, ROOM) == label


@pytest.mark.parametrize("name", ["dog", "elephant", "bicycle", "pizza", "television", "fork", "", "?!"])
def test_what_is_like_nothing_here_is_not_here(meanings: Meanings, name: str) -> None:
    assert meanings.label(name, ROOM) == ""


@pytest.mark.parametrize(
    ("name", "labels"),
    [("trash can", ("bin", "dustbin")), ("fruit", ("banana", "orange")), ("drink", ("coke", "cola", "beer"))],
)
def test_between_two_that_are_alike_nobody_guesses(meanings: Meanings, name: str, labels: tuple[str, ...]) -> None:
    assert meanings.label(name, labels) == ""


@pytest.mark.parametrize(("name", "label"), [("wheelchair", "chair"), ("post box", "box"), ("teacup", "cup")])
def test_what_is_called_a_kind_of_another_is_not_that_other(meanings: Meanings, name: str, label: str) -> None:
    assert meanings.label(name, (label, "plant")) == ""


def test_a_label_that_is_there_is_never_anything_else(meanings: Meanings) -> None:
    things = tuple(Thing(label, label, distance_m=1.0) for label in ("bin", "trash can", "cup"))

    class Eyes:
        async def look(self) -> Scene:
            return Scene(things)

    scene = SimClock().run(Named(Eyes(), meanings).look())
    assert scene.find("trash can") is things[1] and scene.find("mug[0.5]") is things[2]
    assert scene.find("rubbish bin") is None, "there are two of those"
    assert scene.find("giraffe") is None and scene.things == things
