"""The generator of spoken commands: even, repeatable, and every reference plan admissible before any world is built."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from sayso.robots.service.admit import admit
from sayso.robots.service.suite.commands import (
    CATEGORIES,
    Command,
    commands,
    frames,
    made,
)
from sayso.robots.service.suite.draw import SUPERLATIVES, bests, measured, members
from sayso.roles import Brief
from sayso.skills import skills_for
from sayso.worlds import make

AIMED = {"direct": 51, "missing": 9, "description": 8, "perceived": 12, "loops": 3, "ask": 8, "off": 7}


@pytest.fixture(scope="module")
def thousand() -> list[Command]:
    return list(commands(1000, seed=1))


@pytest.fixture(scope="module")
def brief() -> Brief:
    world = make("home", setup={"people": []})
    skills = skills_for(world.robot, world.perception)
    return Brief("", skills, knowledge=world.robot.knowledge)  # type: ignore[attr-defined]


def test_the_same_seed_gives_the_same_commands() -> None:
    assert list(commands(40, seed=3)) == list(commands(40, seed=3))
    assert [c.text for c in commands(40, seed=3)] != [c.text for c in commands(40, seed=4)]


def test_categories_come_evenly_and_shares_as_aimed(thousand: list[Command]) -> None:
    categories = Counter(c.category for c in thousand)
    assert set(categories) == set(CATEGORIES) and max(categories.values()) - min(categories.values()) <= 1
    takes = Counter(c.takes for c in thousand)
    assert set(takes) == set(AIMED)
    assert all(abs(takes[kind] / 10 - share) < 3.5 for kind, share in AIMED.items()), takes
    assert 450 < sum(c.polite for c in thousand) < 550
    assert len({c.text for c in thousand}) > 900


def test_there_are_enough_structures_and_each_can_be_made() -> None:
    assert sum(len(frame["says"]) for frame in frames()) >= 120
    assert {frame.get("register", 2019) for frame in frames()} == {2019, 2024}
    for frame in frames():
        for seed in range(4):
            one = made(frame["id"], seed)
            assert not set("<>{}") & set(one.text) and not re.search(r"\{\w", "".join(one.goals)), one.text


def test_every_reference_plan_is_admissible(thousand: list[Command], brief: Brief) -> None:
    for one in thousand:
        admitted = admit(one.plan, brief)
        assert admitted.plan, f"{one.frame}: {one.plan}: {admitted.problems}"


def test_an_incomplete_command_does_not_hold_what_is_asked_for(thousand: list[Command]) -> None:
    asking = [c for c in thousand if c.takes == "ask"]
    assert asking and all("ak(" in c.plan and c.setup["operator"]["answers"] for c in asking)
    for one in asking:
        said = one.setup["operator"]["answers"][0]["say"].rstrip(".").removesuffix(", please").lower()
        answer = said.partition(" the ")[2] or said.split()[-1]
        assert answer not in one.text.lower(), f"{one.text}: {answer}"


def test_superlatives_have_one_answer() -> None:
    for word, category, answer in bests():
        key = SUPERLATIVES[word]
        others = [measured(n, key) for n in members(category) if n != answer]
        mine = measured(answer, key)
        assert mine < min(others) if key.startswith("-") else mine > max(others)
