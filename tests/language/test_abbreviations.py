"""Abbreviations: short, unique, and the same for the same set of skills."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from language_world import NATIVES, SKILLS, native

from sayso.errors import UsageError
from sayso.skill import RESERVED, Skill, SkillSet, abbreviate

words = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=6)
names = st.lists(words, min_size=1, max_size=3).map("_".join).filter(lambda n: n.isidentifier() and n not in RESERVED)
sets = st.lists(names, unique=True, min_size=1, max_size=30)

DRONE = {
    "move_forward": "mf", "move_backward": "mb", "move_left": "ml", "move_right": "mr", "move_up": "mu",
    "move_down": "md", "turn_cw": "tc", "turn_ccw": "tu", "delay": "d", "is_visible": "iv",
    "object_x": "ox", "object_y": "oy", "object_width": "ow", "object_height": "oh", "object_distance": "od",
    "probe": "p", "log": "l", "take_picture": "tp", "goto": "g", "scan": "s", "scan_abstract": "sa", "time": "t",
}  # fmt: skip


@given(sets)
def test_short_unique_and_free(given_names: list[str]) -> None:
    """L50: one or two letters, no two alike, none reserved, none another skill's full name."""
    shorts = abbreviate(dict.fromkeys(given_names, ""))
    assert set(shorts) == set(given_names)
    assert len(set(shorts.values())) == len(shorts)
    for name, short in shorts.items():
        assert 1 <= len(short) <= 2
        assert short.isalpha()
        assert short not in RESERVED
        assert short not in set(given_names) - {name}


@given(st.data())
def test_order_does_not_matter(data: st.DataObject) -> None:
    """L50: whatever the order of registration, and whether at once or bit by bit."""
    made = [native(name) for name in data.draw(sets)]
    other = data.draw(st.permutations(made))
    cut = data.draw(st.integers(0, len(made)))

    def shorts(skills: SkillSet) -> dict[str, str]:
        return {s.name: s.short for s in skills.skills}

    assert shorts(SkillSet(made)) == shorts(SkillSet(other)) == shorts(SkillSet(other[:cut]).plus(other[cut:]))


def test_the_drone() -> None:
    """L50: the drone's set comes out as published; the few that the rule would make otherwise are given."""
    assert {name: SKILLS[name].short for name in DRONE} == DRONE
    explicit = {"turn_cw", "turn_ccw", "log", "scan", "scan_abstract"}
    assert {s.name for s in SKILLS.given if s.short} == explicit


@pytest.mark.parametrize(
    ("given_names", "shorts"),
    [
        (["turn_cw"], ["tc"]),
        (["land", "log"], ["l", "lo"]),
        (["replan_path"], ["re"]),
        (["move_far_away"], ["mf"]),
        (["move_up", "make_up", "mu_meson"], ["mm", "mu", "mo"]),
        (["a", "ab", "abc"], ["a", "ab", "ac"]),
    ],
)
def test_the_rule(given_names: list[str], shorts: list[str]) -> None:
    """L50: initials of the first two words; else the first letter with each later one; alphabetical order decides."""
    found = abbreviate(dict.fromkeys(given_names, ""))
    assert sorted(found.values()) == sorted(shorts), found


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
