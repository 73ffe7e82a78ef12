"""A page of rules and the tests that quote them: each rule is followed by the tests that name it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from pathlib import Path

TESTS = Path(__file__).parent


class RulePage:
    """`docs/NAME.md`, whose rules are a `letter` and a number; `rooms` are the folders of tests that may name them."""

    def __init__(self, name: str, letter: str, rooms: Sequence[str]) -> None:
        self.file = TESTS.parent / "docs" / f"{name}.md"
        self.letter, self.rooms = letter, rooms

    @property
    def text(self) -> str:
        return self.file.read_text("utf-8")

    @property
    def rules(self) -> list[str]:
        """In the order of the page."""
        return re.findall(rf"^- \*\*({self.letter}\d+)\*\*", self.text, flags=re.M)

    def quoted(self) -> dict[str, list[str]]:
        """Each rule with the tests that name it, in their name (`test_d63_…`) or in their docstring (`(D15, D51)`)."""
        found: dict[str, list[str]] = {}
        for file in (f for room in self.rooms for f in sorted((TESTS / room).glob("test_*.py"))):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                    in_name = re.findall(rf"_{self.letter.lower()}(\d+)(?=_)", node.name)
                    told = re.findall(rf"(?<![A-Za-z0-9]){self.letter}(\d+)", ast.get_docstring(node) or "")
                    for number in dict.fromkeys(in_name + told):
                        found.setdefault(f"{self.letter}{number}", []).append(node.name)
        return found

    def with_tests(self) -> str:
        """The page with each rule followed by the tests that name it."""
        quoted = self.quoted()
        bare = re.sub(r"\n  \*Tests:[^*]*\*", "", self.text)

        def add(rule: re.Match[str]) -> str:
            tests = ", ".join(f"`{name.removeprefix('test_')}`" for name in quoted.get(rule[1], ["none"]))
            return f"{rule[0].rstrip()}\n  *Tests: {tests}*\n"

        return re.sub(rf"^- \*\*({self.letter}\d+)\*\* (?:.*\n)(?:  .*\n)*", add, bare, flags=re.M)
