"""What kind of sentence a wish is (U1): 220 of them, and every wish and command that stands elsewhere in the house."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.plugins.kits import kits
from sayso.robots.drone.suite.episode import SUITE
from sayso.robots.service.suite.commands import commands
from sayso.understanding import requested
from sayso.understanding.acts import act_of, only_tells, set_apart, talk_of, untagged
from sayso.wish import Act

TABLE = tomllib.loads(Path(__file__).with_name("acts.toml").read_text("utf-8"))
COMMANDS = st.sampled_from(TABLE["command"])
NEEDS = ("i am thirsty",)
"""What tells a need and waits for the answer to the question behind it."""
ASKED = st.sampled_from(TABLE["self"] + TABLE["world"] + TABLE["talk"])


@pytest.mark.parametrize(("act", "sentence"), [(act, said) for act, table in TABLE.items() for said in table])
def test_u1_a_sentence_is_a_command_a_question_or_talk_by_how_it_is_put(act: str, sentence: str) -> None:
    assert act_of(sentence) == act


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("the mug's under the bench, isn't it?", "is the mug under the bench?"),
        ("There is a goat in the barn, isn't there?", "is there a goat in the barn?"),
        ("You're tired, aren't you?", "are you tired?"),
        ("Hello. The lids are shut, right?", "Hello. are the lids shut?"),
        ("go to the barn, will you?", "go to the barn, will you?"),
        ("say that the lid is shut, right?", "say that the lid is shut, right?"),
    ],
)
def test_u1_what_is_told_to_be_so_before_it_is_asked_is_a_question(said: str, asked: str) -> None:
    assert untagged(said) == asked


@given(COMMANDS, ASKED)
def test_u1_a_command_beside_anything_is_a_command(command: str, asked: str) -> None:
    assert act_of(f"{asked}. {command}") is Act.COMMAND
    assert act_of(f"{command}. {asked}") is Act.COMMAND or command in NEEDS


@given(st.sampled_from([(act, said) for act in ("self", "world", "talk") for said in TABLE[act]]))
def test_u1_capitals_and_a_name_that_is_called_change_nothing(row: tuple[str, str]) -> None:
    act, said = row
    assert act_of(said.upper()) == act
    if act != "talk" and "!" not in said:
        assert act_of(f"Rusty, {said}") == act


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("the lamp", "lamp"),
        ("that bench by the door, thanks", "bench by the door"),
        ("a lemonade", ""),
        ("the lamp on and off", ""),
        ("the lamp to the bench", ""),
    ],
)
def test_u1_who_only_names_a_thing_is_asked_what_about_it(said: str, named: str) -> None:
    assert requested(said).asks == (f"What about the {named}? Please say it in a whole sentence." if named else "")


@given(st.text(max_size=60))
def test_u1_any_text_has_an_act(text: str) -> None:
    assert act_of(text) in Act
    talk_of(text)


def test_u1_what_robots_are_told_elsewhere_is_no_talk_and_no_question_about_them() -> None:
    told = [task.sentence for task in SUITE.tasks] + [one.text for one in commands(120, seed=5)]
    told += [wish for kit in kits().values() for wish in (*kit.wishes, *kit.commands)]
    assert [said for said in told if requested(said).act.aside] == []


def test_u1_the_tasks_of_the_drone_are_commands() -> None:
    assert [task.sentence for task in SUITE.tasks if act_of(task.sentence) is not Act.COMMAND] == []


@pytest.mark.parametrize(
    ("said", "first", "core", "behind"),
    [
        ("are you all right? then come down", "are you all right?", "come down", ""),
        ("rise 20 cm and tell me how high you are", "", "rise 20 cm", "and tell me how high you are"),
        ("tell me your battery, then land", "tell me your battery,", "land", ""),
        ("face the door, ask Olga how are you", "", "face the door, ask Olga how are you", ""),
        ("where is the cup and how high are you", "", "where is the cup and how high are you", ""),
        ("how high are you?", "", "how high are you?", ""),
    ],
)
def test_u2_what_it_is_asked_about_itself_before_and_behind_a_wish_is_set_apart(
    said: str, first: str, core: str, behind: str
) -> None:
    assert tuple(part.strip() for part in set_apart(said)) == (first, core, behind)


@pytest.mark.parametrize(
    ("said", "tells"),
    [
        ("my back is aching and it is cold", True),
        ("the lamp is broken", True),
        ("somebody's in the cellar", True),
        ("I'm parched", True),
        ("I would like some tea", False),
        ("we need two chairs", False),
        ("the lamp is broken, fetch another one", False),
        ("the lamp is broken, isn't it?", False),
        ("the blue one, please", False),
        ("you should land", False),
        ("left a bit", False),
        ("it is cold so close the hatch", False),
    ],
)
def test_u1_who_only_tells_how_things_are_has_ordered_nothing(said: str, tells: bool) -> None:
    assert only_tells(said) == tells
