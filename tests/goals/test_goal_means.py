"""Every skill of every registered world that says what it means says it in the language of goals: rule G21."""

from __future__ import annotations

import pytest

from sayso.agent import Agent
from sayso.goals.planned import meant
from sayso.scene import Scene
from sayso.skill import Param, Skill, Value
from sayso.worlds import make, places


def example(param: Param) -> Value:
    """Something that the parameter takes."""
    if param.options:
        return param.options[0]
    if param.kind in ("number", "integer"):
        return param.range.low if param.range else 1
    return True if param.kind == "flag" else "a thing"


@pytest.mark.parametrize("world", sorted(places()))
def test_what_a_skill_means_is_a_goal(world: str) -> None:
    """G21"""
    skills: list[Skill] = [s for s in Agent(world=make(world, seed=1)).skills.values() if s.means]
    for skill in skills:
        assert meant(skill, [example(p) for p in skill.params], Scene()), f"{skill.name}: {skill.means}"
