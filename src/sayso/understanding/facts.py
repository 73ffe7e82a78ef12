"""What a robot knows of itself: facts from state, limits, skills and journal, and answers from them (U2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sayso.limits import Limits
from sayso.parts import Exchange, RobotState
from sayso.skill import SkillSet


@dataclass(frozen=True, slots=True)
class Self:
    """Where the facts come from. `earlier` is what the conversation or the journal tells of the missions before."""

    name: str
    kind: str
    state: RobotState
    limits: Limits
    skills: SkillSet
    earlier: Sequence[Exchange] = ()


def facts(known: Self) -> Mapping[str, str]:
    """By topic, a sentence that the robot says of itself."""
    return {}


def reply(sentence: str, known: Self) -> str:
    """What the robot answers to a question about itself, or to talk; empty where no fact tells it."""
    return ""
