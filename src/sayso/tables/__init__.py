"""Tables of words, units and figures: data files, each in the package that reads it, and what is made of them."""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from typing import Any


@functools.cache
def toml(package: str | None, file: str) -> dict[str, Any]:
    """The table in such a file, read once: nobody changes it."""
    assert package is not None
    return tomllib.loads(resources.files(package).joinpath(file).read_text("utf-8"))
