"""What is meant by a person's words: numbers, units, tokens; one module each. English lives here and in the grammar of
the plain commands, nowhere else."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

ENGLISH: dict[str, Any] = tomllib.loads(resources.files(__package__).joinpath("english.toml").read_text("utf-8"))
"""The words for numbers and units."""
