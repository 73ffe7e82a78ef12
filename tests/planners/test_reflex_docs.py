"""`docs/reflex.md` and the planner say the same: every row of its tables is run."""

from __future__ import annotations

from pathlib import Path

import pytest
from reflex_brief import plan

from sayso.errors import NotUnderstood
from sayso.planners.reflex import urgent

PAGE = Path(__file__).parents[2] / "docs" / "reflex.md"


def rows(second: str, first: str = "you say") -> list[tuple[str, str]]:
    """The rows of all tables whose columns are headed so."""
    found: list[tuple[str, str]] = []
    inside = False
    for line in PAGE.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if len(cells) != 2:
            inside = False
        elif cells[0].startswith("you say"):
            inside = cells == [first, second]
        elif inside and not cells[0].startswith("---"):
            found.append((cells[0], cells[1]))
    return found


@pytest.mark.parametrize(("sentence", "shown"), rows("the plan"))
def test_a_documented_sentence_has_the_documented_plan(sentence: str, shown: str) -> None:
    assert f"`{plan(sentence)}`" == shown


@pytest.mark.parametrize(("sentence", "shown"), rows("the answer begins"))
def test_a_documented_refusal_says_what_is_documented(sentence: str, shown: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        plan(sentence)
    assert str(caught.value).startswith(shown.strip("*"))


@pytest.mark.parametrize(("text", "shown"), rows("it means"))
def test_a_documented_urgent_word_means_what_is_documented(text: str, shown: str) -> None:
    assert (urgent(text) or "nothing urgent") == shown


def test_the_page_has_examples_of_each_kind() -> None:
    assert len(rows("the plan")) >= 40
    assert len(rows("the answer begins")) >= 8
    assert len(rows("it means")) >= 15
