"""The page of understanding and the tests quote each other.

`python tests/understanding/test_understanding_rules.py` writes the lists of tests into the page.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
from rule_pages import RulePage

PAGE = RulePage(
    "understanding",
    "U",
    (
        *("understanding", "agent", "goals", "grounding", "planners", "prompts", "safety", "skills", "terminal", "mcp"),
        *(f"robots/{kind}" for kind in ("aircraft", "base", "drone", "humanoid", "service", "warehouse")),
        *("robots", "console", "bench", "executive", "memory"),
    ),
)


def test_the_page_names_the_tests_of_every_rule() -> None:
    assert PAGE.text == PAGE.with_tests(), "run: python tests/understanding/test_understanding_rules.py"


def test_every_rule_has_a_test_and_every_test_a_rule_that_exists() -> None:
    assert set(PAGE.rules) == set(PAGE.quoted())


if __name__ == "__main__":
    PAGE.file.write_text(PAGE.with_tests(), "utf-8")
