"""The data files of this room, read once."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from sayso.prompts.quote import quote
from sayso.skill import SkillSet

_NEEDS = re.compile(r"\[([\w, ]+)\] ?")
_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Example:
    """A task and the plan for it. `uses` maps each abbreviation in the plan to the skill that it stands for."""

    uses: Mapping[str, str]
    scene: str
    task: str
    plan: str
    earlier: str = ""
    ended: str = ""

    def fits(self, skills: SkillSet) -> bool:
        """Whether the plan means the same with these skills."""
        return all((s := skills.find(short)) is not None and s.name == name for short, name in self.uses.items())

    def __str__(self) -> str:
        before = f"Earlier plan:\n{quote(self.earlier)}\nIt ended:\n{quote(self.ended)}\n" if self.earlier else ""
        return f"{before}Scene:\n{quote(self.scene)}\nTask:\n{quote(self.task)}\nPlan:\n{self.plan}"


@functools.cache
def text(name: str) -> str:
    """A template, its fields not yet filled."""
    return resources.files(__package__).joinpath(name).read_text("utf-8").strip()


@functools.cache
def examples() -> tuple[Example, ...]:
    """Every example, for whatever robot."""
    return tuple(Example(**entry) for entry in tomllib.loads(text("examples.toml"))["example"])


def guidance(skills: SkillSet) -> str:
    """The advice that concerns a robot with these skills, as a list."""
    return "\n".join(
        f"- {line}" for line in map(functools.partial(_advice, skills), text("guidance.txt").splitlines()) if line
    )


def _advice(skills: SkillSet, line: str) -> str:
    """A line of guidance without its `[skill, …]`; empty when the robot lacks one of these."""
    needs = _NEEDS.match(line)
    if needs is None:
        return line
    names = {name.strip() for name in needs.group(1).split(",")}
    return line[needs.end() :] if names <= set(skills) else ""


def fill(template: str, **fields: str) -> str:
    """Put fields in their `{places}`, in one pass: what is put in is not read again. Other braces are MiniSpec."""
    return _FIELD.sub(lambda place: fields.get(place.group(1), place.group()), template)
