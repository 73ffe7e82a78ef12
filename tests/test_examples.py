"""Every example runs, and prints what its last comment says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


def test_examples_are_found() -> None:
    assert len(EXAMPLES) >= 4


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_example_prints_what_it_says(path: Path, tmp_path: Path) -> None:
    said = path.read_text("utf-8").partition("# Output:\n")[2]
    expected = [line.removeprefix("#").removeprefix(" ").rstrip() for line in said.strip().splitlines()]
    assert expected, "an example ends with its output"
    run = subprocess.run(
        [sys.executable, "-W", "error", path], capture_output=True, text=True, timeout=60, cwd=tmp_path
    )
    assert run.returncode == 0, run.stderr
    assert [line.rstrip() for line in run.stdout.splitlines()] == expected
