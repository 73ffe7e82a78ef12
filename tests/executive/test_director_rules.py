"""The rules page and the tests quote each other, and the page's example does what the page says.

`python tests/executive/test_director_rules.py` writes the lists of tests into the page.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
from rule_pages import RulePage

PAGE = RulePage("executive", "D", ("executive",))


def test_the_page_names_the_tests_of_every_rule() -> None:
    assert PAGE.text == PAGE.with_tests(), "run: python tests/executive/test_director_rules.py"


def test_every_rule_has_a_test_and_every_test_a_rule_that_exists() -> None:
    assert PAGE.rules == [f"D{i + 1}" for i in range(len(PAGE.rules))]
    assert set(PAGE.rules) == set(PAGE.quoted())


def test_the_example_prints_what_the_page_says() -> None:
    code, output = re.findall(r"```(?:python)?\n(.*?)```", PAGE.text, flags=re.S)[:2]
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    assert ran.stdout == output


if __name__ == "__main__":
    PAGE.file.write_text(PAGE.with_tests(), "utf-8")
