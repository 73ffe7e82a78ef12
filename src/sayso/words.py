"""How people speak to a kind of robot, as data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """How people speak to a kind of robot, beyond what the plain commands understand of any.

    `called` is what they call it. With `signatures` its skills may be asked for by their names and by what their
    descriptions begin with, `ways` having more phrases by skill. `hints` and `examples` replace the general ones of a
    refusal, by what was wanted.
    """

    called: tuple[str, ...] = ()
    signatures: bool = True
    ways: Mapping[str, Sequence[str]] = field(default_factory=dict)
    hints: Mapping[str, str] = field(default_factory=dict)
    examples: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def read(cls, package: str | None, file: str = "words.toml") -> Words:
        """The words in a data file of a package."""
        assert package is not None
        data = tomllib.loads(resources.files(package).joinpath(file).read_text("utf-8"))
        return cls(**{**data, "called": tuple(data.get("called", ()))})


UNSAID = Words(signatures=False)
"""Of a robot that nobody told about."""
