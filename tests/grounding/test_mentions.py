"""The names of a table in a wish: how many of each are meant, and whether it is wanted at all."""

import pytest

from sayso.goal import ALL
from sayso.grounding.mentions import Mention, Name, mentions

NAMES = [
    *(Name.of(w, "kind", n) for w, n in (("hammer", "hammer"), ("saw", "saw"), ("box of nails", "box of nails"),
                                         ("nails", "box of nails"), ("orange", "orange"))),
    *(Name.of(w, "place", n) for w, n in (("bench", "bench"), ("shelf", "shelf"), ("tool shelf", "shelf"))),
    Name.of("tool", "category", "tool"),
]  # fmt: skip


def said(wish: str) -> list[Mention]:
    return mentions(wish, NAMES)


def only(wish: str) -> Mention:
    (one,) = [m for m in said(wish) if m.what != "place"]
    return one


def test_names_are_found_in_order_the_longer_ones_first_and_in_the_plural() -> None:
    """G44"""
    assert [m.name for m in said("a box of nails and two hammers to the tool shelf")] == [
        "box of nails", "hammer", "shelf",
    ]  # fmt: skip
    assert not said("hammering nowhere")


@pytest.mark.parametrize(
    ("wish", "count"),
    [
        ("two hammers", 2), ("2 of the red hammers", 2), ("a couple of hammers", 2), ("both hammers", 2),
        ("all the hammers", ALL), ("every single hammer", ALL), ("a hammer", None), ("hammer", None), ("one hammer", 1),
        ("half past two: a hammer", None), ("three boxes, a hammer", None),
    ],
)  # fmt: skip
def test_how_many_are_meant_stands_before_the_name(wish: str, count: int | None) -> None:
    """G44"""
    assert only(wish).count == count


def test_a_number_belongs_to_the_name_that_follows() -> None:
    """G44"""
    assert [m.count for m in said("two hammers and a saw")] == [2, None]


@pytest.mark.parametrize(
    "wish",
    [
        "not the hammer", "anything except the hammer", "without a hammer", "apart from the hammer", "never the hammer",
        "don't bring the hammer", "leave the hammer alone", "the hammer remains there", "every tool but the hammer",
        "those which are no hammers",
    ],
)  # fmt: skip
def test_what_is_not_wanted_is_denied(wish: str) -> None:
    """G44"""
    assert [m.denied for m in said(wish) if m.name == "hammer"] == [True]


@pytest.mark.parametrize("wish", ["don't forget the hammer", "the saw, but the hammer too", "no rush: the hammer"])
def test_what_is_wanted_is_not(wish: str) -> None:
    """G44"""
    assert not any(m.denied for m in said(wish))


def test_what_was_taken_back_is_withdrawn_and_only_that() -> None:
    """G44"""
    assert [(m.name, m.withdrawn) for m in said("the hammer, or rather the saw, to the bench")] == [
        ("hammer", True), ("saw", False), ("bench", False),
    ]  # fmt: skip
    assert [m.withdrawn for m in said("a hammer lies somewhere, never mind, put the saw on the bench")] == [
        True,
        False,
        False,
    ]


def test_prepositions_and_colours_go_with_a_name() -> None:
    """G44"""
    hammer, bench, shelf = said("the red hammer from the bench to the shelf")
    assert (hammer.colour, bench.by, shelf.to, bench.to) == ("red", "from", True, False)
    assert [m.name for m in said("the orange hammer")] == ["hammer"], "a colour here"
    assert only("an orange").name == "orange"
