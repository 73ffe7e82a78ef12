"""A plan's text, put together from the texts of its statements."""

from __future__ import annotations

from collections.abc import Iterable

MET, FAILED = "->True", "->False"
"""The end of a plan, well and not."""


def joined(statements: Iterable[str]) -> str:
    """One after the other, with a semicolon where one is needed; an empty one is none."""
    text = ""
    for statement in filter(None, statements):
        text += statement if not text or text.endswith("}") else f";{statement}"
    return text


def repeated(count: int | float, body: Iterable[str]) -> str:
    """So often."""
    return f"{count}{{{joined(body)}}}"


def when(test: str, then: Iterable[str], otherwise: Iterable[str] | None = None) -> str:
    """One or the other by a test."""
    return f"?{test}{{{joined(then)}}}" + ("" if otherwise is None else f":{{{joined(otherwise)}}}")
