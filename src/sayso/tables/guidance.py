"""Guidance for a model beyond the signatures of a robot's skills: advice and examples, as data.

A kit keeps them in a file, `prompts.toml`, a table for each way of asking (`plan`, `rolling`, …), and hands them on
with its set of skills. A piece that speaks of skills is shown only where the robot has them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from sayso.tables import toml


class Named(Protocol):
    """Skills, as far as advice needs to know them: by name, and which name an abbreviation stands for."""

    def __contains__(self, name: object, /) -> bool: ...
    def stands_for(self, short: str) -> str: ...


@dataclass(frozen=True, slots=True)
class Advice:
    """A sentence for robots that have all the skills in `needs`."""

    says: str
    needs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Example:
    """A task and the answer for it. `uses` maps each abbreviation in the answer to the skill that it stands for.

    `scene` is what the model would be shown; `earlier` an answer before, of which `ran` came, and how it `ended`.
    """

    task: str
    answer: str
    scene: str = ""
    earlier: str = ""
    ran: tuple[str, ...] = ()
    ended: str = ""
    uses: Mapping[str, str] = field(default_factory=dict)
    needs: frozenset[str] = frozenset()

    def fits(self, skills: Named) -> bool:
        """Whether the answer means the same with these skills."""
        return _has(skills, self.needs) and all(skills.stands_for(short) == name for short, name in self.uses.items())


@dataclass(frozen=True, slots=True)
class Parts:
    """The robot's part of one kind of prompt. `robot` is what it is called in a sentence."""

    robot: str = "a robot"
    advice: tuple[Advice, ...] = ()
    examples: tuple[Example, ...] = ()

    def advice_for(self, skills: Named) -> str:
        """What concerns a robot with these skills, as a list."""
        return "\n".join(f"- {a.says}" for a in self.advice if _has(skills, a.needs))

    def examples_for(self, skills: Named) -> list[Example]:
        return [e for e in self.examples if e.fits(skills)]


Guidance: TypeAlias = Mapping[str, Parts]
"""By the way of asking; one that a kit does not speak of is asked in general words."""


def read_guidance(package: str | None, file: str = "prompts.toml") -> Guidance:
    """The guidance in a data file of that package."""
    table = toml(package, file)
    return {way: _parts(**parts) for way, parts in table.items()}


def _parts(advice: Iterable[Mapping[str, Any]] = (), example: Iterable[Mapping[str, Any]] = (), **robot: str) -> Parts:
    advised, shown = (Advice(**_frozen(a)) for a in advice), (Example(**_frozen(e)) for e in example)
    return Parts(advice=tuple(advised), examples=tuple(shown), **robot)


def _frozen(entry: Mapping[str, Any]) -> dict[str, Any]:
    lists = {"needs": frozenset, "ran": tuple}
    return {key: lists[key](value) if key in lists else value for key, value in entry.items()}


def _has(skills: Named, names: frozenset[str]) -> bool:
    return all(name in skills for name in names)
