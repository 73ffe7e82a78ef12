"""What a recogniser is told to expect is what the reader of plain commands reads."""

from __future__ import annotations

from dataclasses import replace

from sayso.errors import NotUnderstood
from sayso.planners.reflex import Command
from sayso.planners.reflex.spoken import spoken
from sayso.roles import Brief
from sayso.skill import Param, Range, Skill, SkillSet
from sayso.tables.words import Words


def rover() -> Brief:
    """Two skills of no registered robot."""
    skills = [
        Skill(
            "forward",
            (Param("distance_cm", "number", range=Range(5, 300), unit="cm"),),
            description="Drive straight ahead.",
            provided=True,
        ),
        Skill("grip", description="Close the gripper.", provided=True),
    ]
    return Brief("", SkillSet(skills), words=Words())


def reads(text: str, brief: Brief) -> bool:
    try:
        Command.read(replace(brief, instruction=text), mend=False)
    except NotUnderstood:
        return False
    return True


def test_every_form_in_its_plainest_words_is_read() -> None:
    brief = rover()
    able = spoken(brief, lambda word: True)
    assert able.rules["step"] and all(reads(able.said(form), brief) for form in able.rules["step"])


def test_a_robot_is_told_of_its_own_skills_and_of_nothing_that_it_lacks() -> None:
    said = set(spoken(rover(), lambda word: True).rules["step"])
    assert {"close gripper", "grip"} & said
    assert not any("<take_off>" in form or "<find>" in form for form in said)


def test_words_that_nobody_can_pronounce_are_not_expected() -> None:
    able = spoken(rover(), lambda word: word != "grip")
    assert not any("grip" in text.split() for text in able.sentences(200))


def test_sentences_are_the_same_for_the_same_seed() -> None:
    able = spoken(rover(), lambda word: True)
    assert list(able.sentences(50, 1)) == list(able.sentences(50, 1)) != list(able.sentences(50, 2))


def test_most_of_what_is_expected_is_read() -> None:
    brief = rover()
    said = list(spoken(brief, lambda word: True).sentences(200))
    assert sum(reads(text, brief) for text in said) >= 0.7 * len(said)
