"""Every example runs, and prints what its last comment says."""

from __future__ import annotations

import contextlib
import io
import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


def test_examples_are_found() -> None:
    assert len(EXAMPLES) >= 4


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_example_prints_what_it_says(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = path.read_text("utf-8").partition("# Output:\n")[2]
    expected = [line.removeprefix("#").removeprefix(" ").rstrip() for line in said.strip().splitlines()]
    assert expected, "an example ends with its output"
    monkeypatch.chdir(tmp_path)
    with contextlib.redirect_stdout(io.StringIO()) as told:
        runpy.run_path(str(path), run_name="__main__")
    assert [line.rstrip() for line in told.getvalue().splitlines()] == expected
