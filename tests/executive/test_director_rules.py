"""The rules page and the tests quote each other, and the page's example does what the page says.

`python tests/executive/test_director_rules.py` writes the lists of tests into the page.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "executive.md"
TESTS_LINE = "\n  *Tests:"


def quoted_rules() -> dict[str, list[str]]:
    """Each rule with the tests that name it, in their name (`test_d63_…`) or in their docstring (`(D15, D51)`)."""
    found: dict[str, list[str]] = {}
    for file in sorted(HERE.glob("test_director_*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                in_name = re.findall(r"_d(\d+)(?=_)", node.name)
                in_words = re.findall(r"(?<![A-Za-z0-9])D(\d+)", ast.get_docstring(node) or "")
                for rule in dict.fromkeys(f"D{n}" for n in in_name + in_words):
                    found.setdefault(rule, []).append(node.name)
    return found


def with_tests(page: str) -> str:
    """The page with each rule followed by the tests that name it."""
    quoted = quoted_rules()
    bare = re.sub(r"\n  \*Tests:[^*]*\*", "", page)

    def add(rule: re.Match[str]) -> str:
        tests = ", ".join(f"`{name.removeprefix('test_')}`" for name in quoted.get(rule[1], ["none"]))
        return f"{rule[0].rstrip()}{TESTS_LINE} {tests}*\n"

    return re.sub(r"^- \*\*(D\d+)\*\* (?:.*\n)(?:  .*\n)*", add, bare, flags=re.M)


def rules(page: str) -> list[str]:
    return re.findall(r"^- \*\*(D\d+)\*\*", page, flags=re.M)


def test_the_page_names_the_tests_of_every_rule() -> None:
    page = PAGE.read_text()
    assert page == with_tests(page), "run: python tests/executive/test_director_rules.py"


def test_every_rule_has_a_test_and_every_test_a_rule_that_exists() -> None:
    known, quoted = rules(PAGE.read_text()), quoted_rules()
    assert known == [f"D{i + 1}" for i in range(len(known))]
    assert [r for r in known if r not in quoted] == []
    assert [r for r in quoted if r not in known] == []


def test_the_example_prints_what_the_page_says() -> None:
    page = PAGE.read_text()
    code, output = re.findall(r"```(?:python)?\n(.*?)```", page, flags=re.S)[:2]
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert ran.stderr == ""
    assert ran.stdout == output


if __name__ == "__main__":
    PAGE.write_text(with_tests(PAGE.read_text()))
