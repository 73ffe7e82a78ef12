"""Skills shared by all robots of one kind.

A robot's own `@skill` methods come from its adapter; what every drone can do besides is here, and the agent puts both
into one set.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from importlib import resources
from typing import Any, Protocol

from sayso.errors import UsageError
from sayso.language import Composed, compose
from sayso.parts import Perception
from sayso.skill import SkillSet, skills_of
from sayso.skills.flight import DEFAULT_RULES, Flight, FlightRules, Flyer, Tell
from sayso.skills.sight import Camera, Shown, Sight
from sayso.skills.talk import Ask, Talk, asking


class CameraDrone(Flyer, Camera, Protocol):
    """A drone with a camera: all that the shared skills of drones need."""


def drone_skills(
    robot: CameraDrone,
    perception: Perception,
    ask: Ask | None,
    tell: Tell,
    picture_taken: Shown,
    *,
    since_s: Callable[[], float] | None = None,
    rules: FlightRules = DEFAULT_RULES,
) -> SkillSet:
    """Everything that a drone can do in one mission: its own skills, the shared native ones, and the composed ones.

    A skill that the adapter declares itself replaces the shared one of its name. Make a fresh set for every mission:
    home is where its first motion starts.
    """
    kits: list[object] = [
        Flight(robot, perception, tell, rules),
        Sight(robot, perception, picture_taken),
        Talk(tell, ask, perception, since_s),
    ]
    own = skills_of(robot)
    shared = [s for kit in kits for s in skills_of(kit) if s.name not in {o.name for o in own}]
    return compose(SkillSet([*shared, *own]), composed("drone"))


_SHARED = {"drone": drone_skills}


def shared_by(kind: str) -> Callable[..., SkillSet]:
    """What makes the skills of a robot of `kind` in one mission. Raises `UsageError` for a kind that is not known."""
    if kind not in _SHARED:
        raise UsageError(f"no shared skills are known for a robot of kind {kind!r}; there are {', '.join(_SHARED)}")
    return _SHARED[kind]


def composed(kind: str) -> list[Composed]:
    """The composed skills of robots of `kind`, from this room's data file; empty where there is none."""
    file = resources.files(__package__).joinpath(f"{kind}.toml")
    if not file.is_file():
        return []
    return [_read(entry) for entry in tomllib.loads(file.read_text("utf-8")).get("skill", [])]


def _read(entry: dict[str, Any]) -> Composed:
    return Composed(
        name=entry["name"],
        source=entry["source"],
        description=entry["description"],
        short=entry["short"],
        params=tuple(entry["params"]),
    )


__all__ = [
    "CameraDrone", "Flight", "FlightRules", "Flyer", "Sight", "Talk", "asking", "composed", "drone_skills", "shared_by",
]  # fmt: skip
