"""The words that people use with a kind of robot, as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from sayso.tables import toml


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words that people use with a kind of robot, beyond what the plain commands understand of any.

    `called` is what they call it, `what` what it is in a few words. With `signatures` its skills may be asked for by
    their names and by what their descriptions begin with; `ways` are phrases for it besides, by skill. `hints` and
    `examples` replace the general ones of a refusal, by what was wanted; `usual` the amounts that count where none is
    said, and the largest that are believed. Without `bounds` its planner reads by itself how a wish is to be done. With
    `only`, plain commands of other goals are left to the planner with a model that stands behind them.
    """

    called: tuple[str, ...] = ()
    what: str = "a robot"
    signatures: bool = True
    bounds: bool = True
    only: tuple[str, ...] = ()
    ways: Mapping[str, Sequence[str]] = field(default_factory=dict)
    hints: Mapping[str, str] = field(default_factory=dict)
    examples: Mapping[str, Sequence[str]] = field(default_factory=dict)
    usual: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def read(cls, package: str | None, file: str = "words.toml") -> Self:
        """The words in a data file of a package."""
        data = toml(package, file)
        return cls(**{**data, "called": tuple(data.get("called", ()))})


UNSAID = Words(signatures=False)
"""Of a robot that nobody told about."""
