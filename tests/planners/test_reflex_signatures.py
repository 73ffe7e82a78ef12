"""Plain commands for a robot that nobody wrote words for: its signatures are all there is."""

from __future__ import annotations

import re
from typing import Annotated

import pytest
from test_reflex_docs import rows

from sayso.errors import NotUnderstood
from sayso.language import check
from sayso.planners.reflex import Command, signatures
from sayso.roles import Brief, Observation
from sayso.scene import Box, Scene, Thing
from sayso.skill import Choice, PlaceName, Range, SkillSet, ThingName, skill, skills_of
from sayso.tables.words import Words


class Rover:
    """Wheels, a gripper, a lamp. Nothing here moves: signatures are what is read."""

    @skill(uses="base")
    async def forward(self, distance_cm: Annotated[float, Range(5, 300)]) -> None:
        """Drive straight ahead."""

    @skill(uses="base")
    async def back(self, distance_m: Annotated[float, Range(0.05, 1)]) -> None:
        """Drive straight back."""

    @skill(uses="base")
    async def turn_left(self, angle_deg: Annotated[float, Range(-180, 180)]) -> None:
        """Turn on the spot; a negative angle turns right."""

    @skill(uses="base")
    async def drive_to(self, place: PlaceName) -> None:
        """Drive to a place."""

    @skill(uses="gripper")
    async def open_gripper(self, width_mm: Annotated[float, Range(0, 80)]) -> None:
        """Open the gripper."""

    @skill(uses="gripper")
    async def grip(self) -> str:
        """Close the gripper; tells what it holds."""

    @skill(uses="gripper")
    async def bring(self, thing: ThingName, place: PlaceName) -> None:
        """Carry a thing to a place."""

    @skill()
    async def set_speed(self, speed_percent: Annotated[float, Range(1, 100)]) -> None:
        """Set the speed."""

    @skill()
    async def set_mode(self, mode: Annotated[str, Choice("careful", "very_fast")]) -> None:
        """Choose how it drives."""

    @skill()
    async def lamp(self, lit: bool) -> None:
        """Switch the lamp."""

    @skill()
    async def beep(self, times: Annotated[int, Range(1, 9)]) -> None:
        """Beep."""

    @skill()
    async def holds(self) -> str:
        """What do you hold."""

    @skill()
    async def log(self, text: str) -> None:
        """Tell the person something."""


SKILLS = SkillSet(skills_of(Rover()))
WORDS = Words(ways={"grip": ["grab it"]})


def plan(sentence: str, *labels: str, words: Words = WORDS) -> str:
    things = tuple(Thing(str(i), label, Box(0.5, 0.5, 0.1, 0.1)) for i, label in enumerate(labels))
    return " ".join(Command.read(Brief(sentence, SKILLS, Observation(Scene(things)), words=words)).plan).strip()


def call(name: str, args: str = "") -> str:
    return f"{SKILLS[name].short}({args});" if args else f"{SKILLS[name].short};"


@pytest.mark.parametrize(
    ("sentence", "name", "args"),
    [
        ("forward half a metre", "forward", "50"),
        ("please drive forward 50 cm", "forward", "50"),
        ("go ahead by 120 cm", "forward", "120"),
        ("drive straight ahead for one metre", "forward", "100"),
        ("go backwards 30 centimetres", "back", "0.3"),
        ("back half a metre", "back", "0.5"),
        ("turn left 90 degrees", "turn_left", "90"),
        ("rotate left by 45°", "turn_left", "45"),
        ("turn right 45 degrees", "turn_left", "-45"),
        ("turn right", "turn_left", "-90"),
        ("drive to the kitchen", "drive_to", "'kitchen'"),
        ("go to the dining table", "drive_to", "'dining table'"),
        ("open the gripper to 40 mm", "open_gripper", "40"),
        ("open gripper 4 cm", "open_gripper", "40"),
        ("open the gripper to a width of 4 cm", "open_gripper", "40"),
        ("close the gripper", "grip", ""),
        ("grip", "grip", ""),
        ("grab it", "grip", ""),
        ("bring the red block to the kitchen", "bring", "'red block', 'kitchen'"),
        ("carry the red block to the kitchen", "bring", "'red block', 'kitchen'"),
        ("set speed to 30 percent", "set_speed", "30"),
        ("set the speed to 30%", "set_speed", "30"),
        ("set mode to very fast", "set_mode", "'very_fast'"),
        ("lamp on", "lamp", "True"),
        ("switch the lamp off", "lamp", "False"),
        ("beep 3", "beep", "3"),
        ("log 'all is well'", "log", "'all is well'"),
    ],
)
def test_a_command_by_its_signature(sentence: str, name: str, args: str) -> None:
    assert plan(sentence, "red block") == call(name, args)
    assert not check(plan(sentence, "red block"), SKILLS)


@pytest.mark.parametrize(("sentence", "shown"), rows("its plan", "you say to the rover"))
def test_a_documented_sentence_for_any_robot_has_the_documented_plan(sentence: str, shown: str) -> None:
    short = plan(sentence, "red block")
    assert f"`{long(short)}`" == shown


def long(text: str) -> str:
    """The plan with the names of skills in full."""
    named = {s.short: name for name, s in SKILLS.items()}
    calls = [re.fullmatch(r"(\w+)(\(.*\))?", c.strip()) for c in text.split(";") if c.strip()]
    return " ".join(f"{named[c[1]]}{c[2] or '()'};" for c in calls if c)


def test_commands_join_and_repeat() -> None:
    steps = [call("forward", "100"), call("turn_left", "90"), call("grip")]
    assert plan("forward 1 metre, then turn left 90 degrees and grip") == " ".join(steps)
    assert plan("turn left 90 degrees 3 times") == f"3{{{call('turn_left', '90')}}}"


def test_a_question_is_answered_aloud() -> None:
    assert plan("what do you hold?") == f"_1={SKILLS['holds'].short};{SKILLS['log'].short}(_1);"


def test_what_is_missing_is_told() -> None:
    with pytest.raises(NotUnderstood, match=r"For open_gripper I need width_mm: number 0\.\.80"):
        plan("open the gripper")
    with pytest.raises(NotUnderstood, match="a unit such as"):
        plan("open the gripper to 40")
    with pytest.raises(NotUnderstood, match="width_mm must be 0 to 80 mm, not 200"):
        plan("open the gripper to 20 cm")
    with pytest.raises(NotUnderstood, match="no skill to move up"):
        plan("go up one metre")
    with pytest.raises(NotUnderstood, match='I understand, for example, "forward 50 cm"'):
        plan("make me a sandwich")


def test_its_examples_are_understood() -> None:
    for sentence in signatures.examples(SKILLS, ["red block"]):
        assert plan(sentence, "red block")


def test_a_robot_whose_words_are_all_told_is_not_asked_by_signature() -> None:
    with pytest.raises(NotUnderstood):
        plan("open the gripper to 40 mm", words=Words(signatures=False))
