"""The language page and its tests hold each other: every rule names its tests, every test its rule."""

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "language.md").read_text("utf-8")

RULE = re.compile(r"^\*\*L(\d+)\. .*?(?=^\*\*L|^## |\Z)", re.MULTILINE | re.DOTALL)
TEST = re.compile(r"`(test_\w+\.py)::(test_\w+)`")
QUOTED = re.compile(r"L(\d+): ")


def from_page() -> set[tuple[int, str, str]]:
    return {(int(rule[1]), *test.groups()) for rule in RULE.finditer(PAGE) for test in TEST.finditer(rule[0])}


def from_tests() -> set[tuple[int, str, str]]:
    found = set()
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                quoted = QUOTED.match(ast.get_docstring(node) or "")
                if quoted:
                    found.add((int(quoted[1]), path.name, node.name))
    return found


def test_rules_are_numbered_in_order() -> None:
    numbers = [int(rule[1]) for rule in RULE.finditer(PAGE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 40


def test_every_rule_names_its_tests() -> None:
    assert {rule for rule, _, _ in from_page()} == {int(rule[1]) for rule in RULE.finditer(PAGE)}


def test_page_and_tests_agree() -> None:
    assert from_page() - from_tests() == set(), "the page names tests that do not quote the rule"
    assert from_tests() - from_page() == set(), "tests quote rules that do not name them"


def test_every_test_of_the_language_quotes_a_rule() -> None:
    quoting = {(file, name) for _, file, name in from_tests()}
    for path in HERE.glob("test_*.py"):
        if path.name not in (Path(__file__).name, "test_language_guide.py"):  # few of the guide's tests quote a rule
            names = {n.name for n in ast.parse(path.read_text("utf-8")).body if isinstance(n, ast.FunctionDef)}
            assert {(path.name, n) for n in names if n.startswith("test_")} <= quoting


def test_the_example_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(block, {})
