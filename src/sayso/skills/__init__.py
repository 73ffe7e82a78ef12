"""Skills that robots of several kinds share, and what any robot has besides those of its own."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

from sayso.kits import Given, Outfit
from sayso.language import Composed
from sayso.skill import Skill, SkillSet, skills_of
from sayso.skills.recalling import Recollection
from sayso.skills.sight import Sight
from sayso.skills.talk import Talk, asking


def plain(given: Given) -> Outfit:
    """What a robot of no registered kind has."""
    return Outfit(SkillSet(shared(given)))


def shared(given: Given) -> list[Skill]:
    """A robot's own skills, talking, asking its memory where it has one, and looking where it has eyes."""
    sight = skills_of(Sight(given.robot, given.eyes, given.shown)) if given.perception is not None else []
    return [*skills_of(given.robot), *common(given), *sight]


def common(given: Given) -> list[Skill]:
    """Talking, and asking its memory where it has one."""
    talk = skills_of(Talk(given.tell, given.ask, given.eyes, given.since_s))
    return [*talk, *(skills_of(Recollection(given.robot, given.recalling)) if given.recalling else ())]


def composed(package: str | None, file: str) -> list[Composed]:
    """The composed skills in a data file of a package."""
    assert package is not None
    text = resources.files(package).joinpath(file).read_text("utf-8")
    return [_read(entry) for entry in tomllib.loads(text).get("skill", [])]


def _read(entry: dict[str, Any]) -> Composed:
    return Composed(
        name=entry["name"],
        source=entry["source"],
        description=entry["description"],
        short=entry["short"],
        params=tuple(entry["params"]),
        means=entry.get("means", ""),
    )


__all__ = ["asking", "common", "composed", "plain", "shared"]
