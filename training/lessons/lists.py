"""The small word lists of `words.toml`."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any


@functools.cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))


def lists(table: str) -> Mapping[str, list[str]]:
    """One table of word lists, by name."""
    words: Mapping[str, list[str]] = _data()[table]
    return words


def pairs(table: str) -> list[tuple[str, str]]:
    """One table of pairs: what is usual, and what may stand there."""
    return [(one, other) for one, other in _data()[table]["pairs"]]
