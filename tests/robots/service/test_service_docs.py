"""`docs/service.md` runs as it stands, and names what there is."""

from __future__ import annotations

import re
from pathlib import Path

from sayso.robots.service.service import PAPER
from sayso.robots.service.suite.episode import SUITE

PAGE = (Path(__file__).parents[3] / "docs" / "service.md").read_text("utf-8")


def test_every_snippet_runs() -> None:
    snippets = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert snippets
    names: dict[str, object] = {}
    for snippet in snippets:
        exec(compile(snippet, "service.md", "exec"), names)


def test_it_names_every_ablation_and_primitive() -> None:
    assert all(f"`{name}`" in PAGE for name in (*SUITE.ablations, *PAPER))
