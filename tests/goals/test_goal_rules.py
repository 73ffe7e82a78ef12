"""The page of goals and the tests quote each other.

`python tests/goals/test_goal_rules.py` writes the lists of tests into the page.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "goals.md"
ROOMS = ("goals", "agent", "grounding", "bench", "planners", "robots/warehouse", "terminal")


def quoted_rules() -> dict[str, list[str]]:
    """Each rule with the tests whose docstrings name it."""
    found: dict[str, list[str]] = {}
    for file in (f for room in ROOMS for f in sorted((TESTS / room).glob("test_*.py"))):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for rule in dict.fromkeys(re.findall(r"(?<![A-Za-z0-9])G\d+(?!\w)", ast.get_docstring(node) or "")):
                    found.setdefault(rule, []).append(node.name)
    return found


def with_tests(page: str) -> str:
    """The page with each rule followed by the tests that name it."""
    quoted = quoted_rules()
    bare = re.sub(r"\n  \*Tests:[^*]*\*", "", page)

    def add(rule: re.Match[str]) -> str:
        tests = ", ".join(f"`{name.removeprefix('test_')}`" for name in quoted.get(rule[1], ["none"]))
        return f"{rule[0].rstrip()}\n  *Tests: {tests}*\n"

    return re.sub(r"^- \*\*(G\d+)\*\* (?:.*\n)(?:  .*\n)*", add, bare, flags=re.M)


def test_the_page_names_the_tests_of_every_rule() -> None:
    page = PAGE.read_text("utf-8")
    assert page == with_tests(page), "run: python tests/goals/test_goal_rules.py"


def test_every_rule_has_a_test_and_every_test_a_rule_that_exists() -> None:
    known = re.findall(r"^- \*\*(G\d+)\*\*", PAGE.read_text("utf-8"), flags=re.M)
    assert set(known) == set(quoted_rules())


if __name__ == "__main__":
    PAGE.write_text(with_tests(PAGE.read_text("utf-8")), "utf-8")
