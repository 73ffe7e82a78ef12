"""What everybody knows that things are like, or have in them, names them."""

from __future__ import annotations

import pytest

from sayso.grounding.lexicon import means


@pytest.mark.parametrize(
    ("like", "is_", "is_not"),
    [("caffeine", "coke can", "lemon"), ("soft", "squirrel toy", "fire engine toy"), ("sour", "lemon", "plum"),
     ("gift", "shark toy", "tea box"), ("alcohol", "beer bottle", "tea box")],
)  # fmt: skip
def test_a_thing_may_be_called_by_what_it_is_like(like: str, is_: str, is_not: str) -> None:
    assert means(like, is_) and not means(like, is_not)
