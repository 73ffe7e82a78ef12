"""Abbreviations: short, unique, and fixed with the skill."""

import pytest
from language_world import NATIVES, native

from sayso.agent import Agent
from sayso.errors import UsageError
from sayso.skill import Skill, SkillSet
from sayso.worlds import make, places


def test_an_abbreviation_is_the_skill_s_own() -> None:
    """L50: what stands beside a skill changes nothing of what its abbreviation means, and gives none to one without."""
    right, left = native("turn_clockwise", short="tr"), native("turn_counterclockwise")
    for skills in (SkillSet([right]), SkillSet([left]), SkillSet([right, left]), SkillSet([left, right])):
        assert {s.name: s.short for s in skills.values()} == {s.name: s.short or s.name for s in skills.given}
    assert SkillSet([left]).find("tc") is None and SkillSet([left]).find("t") is None
    assert SkillSet([left]).describe() == "turn_counterclockwise()  Do turn_counterclockwise."


def test_no_abbreviation_means_two_things() -> None:
    """L50: across all robots that are there, an abbreviation of a motion has one meaning."""
    means: dict[str, set[str]] = {}
    for name in places():
        for s in Agent(world=make(name)).skills.given:
            if s.short and "base" in s.uses:
                means.setdefault(s.short, set()).add(s.name)
    assert {short: names for short, names in means.items() if len(names) > 1} == {}


@pytest.mark.parametrize("shorts", [("x", "x"), ("rp", ""), ("abc", ""), ("5", ""), ("land", ""), ("", "l2")])
def test_explicit_ones_are_checked(shorts: tuple[str, str]) -> None:
    """L50: an abbreviation that is given must be free, and one or two letters."""
    with pytest.raises(UsageError):
        SkillSet([native("log", short=shorts[0]), native("land", short=shorts[1])])


@pytest.mark.parametrize("name", ["replan", "int", "True", "_x", "two words", "", "if-else"])
def test_names_that_cannot_be(name: str) -> None:
    """L4: no skill takes a word of the language, or a name that is none."""
    with pytest.raises(UsageError):
        SkillSet([Skill(name, body=NATIVES[0].body)])


def test_doubles() -> None:
    """L4: a name belongs to one skill."""
    with pytest.raises(UsageError, match="two skills"):
        SkillSet([native("log"), native("log")])
