"""The meaning of a person's words: numbers, units, names and phrases, one module each. English lives here and in the
grammar of the plain commands, nowhere else."""

from typing import Any

from sayso.tables import toml

ENGLISH: dict[str, Any] = toml(__package__, "english.toml")
"""The words for numbers."""
