"""Whoever is imported does not import back, not even for its types or inside a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import sayso

SOURCE = Path(sayso.__file__).parent.parent


def name_of(file: Path) -> str:
    parts = file.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(file): file for file in SOURCE.rglob("sayso/**/*.py")}


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            inner = (f"{node.module}.{one.name}" for one in node.names)
            yield from (name if name in MODULES else node.module for name in inner)


def test_no_module_is_imported_by_what_it_imports() -> None:
    graph = {name: {n for n in imported(file) if n in MODULES and n != name} for name, file in MODULES.items()}
    assert len(graph) > 300
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle
