"""The short form: what makes no difference is gone, what matters is there, and no text can pose as a mark."""

from __future__ import annotations

import re

import training_path  # noqa: F401
from hypothesis import given
from hypothesis import strategies as st

from lessons.record import output
from sayso.models.pocket.any_robot import form_for, probe_input
from sayso.models.pocket.scene_text import seen
from sayso.models.pocket.text import clean
from sayso.models.pocket.tokenizer import MARKS
from sayso.prompts import plan_prompt, probe_prompt
from sayso.robots.drone.form import SAYABLE
from sayso.roles import Brief, Observation
from sayso.scene import Box, Scene, Thing
from sayso.skill import SkillSet

CHAIR = Thing("c", "chair", Box(0.42, 0.37, 0.13, 0.28), 3.1, attributes={"color": "blue"})
FAR = Thing("d", "chair", Box(0.9, 0.4, 0.05, 0.1), 5.0)
SCENE = Scene((FAR, CHAIR))


def brief(wish: str = "Go to the chair.", scene: Scene = SCENE, **more: object) -> Brief:
    return Brief(wish, SkillSet(), Observation(scene), **more)  # type: ignore[arg-type]


def test_a_question_in_short() -> None:
    assert probe_input("Which is it?", Scene((CHAIR,))) == "<ask>which is it<see>chair 42 37 13 28 blue<say>"


def test_the_nearest_comes_first_and_repeated_labels_carry_their_index() -> None:
    told = seen(SCENE)
    assert told.startswith("chair[0.42] of 2 42 37 13 28 blue ")
    assert ";chair[0.90] of 2 90 40 5 10 " in told


def test_what_a_thing_is_the_most_of_is_told_of_all_and_of_its_kind() -> None:
    lamp = Thing("l", "lamp", Box(0.1, 0.05, 0.02, 0.5), 9.0)
    chair, far, light = seen(Scene((*SCENE, lamp))).split(";")
    most = "largest nearest +largest +tallest +nearest +leftmost +highest"
    assert chair == f"chair[0.42] of 2 42 37 13 28 blue by chair[0.90] {most}"
    assert far.startswith("chair[0.90] of 2 90 40 5 10 by chair[0.42] smallest shortest rightmost lowest +smallest")
    assert light.startswith("lamp 10 5 2 50 by chair[0.42] tallest furthest leftmost highest")


def test_the_tallest_is_so_in_metres_and_not_in_the_image() -> None:
    man, child = (
        Thing(i, "person", Box(x, 0.5, 0.1, tall), away_m)
        for i, x, tall, away_m in (("m", 0.5, 0.4, 4.5), ("c", 0.9, 0.6, 2.0))
    )
    near, far = seen(Scene((man, child))).split(";")
    assert near.startswith("person[0.90]") and "+largest" in near and "+shortest" in near
    assert far.startswith("person[0.50]") and "+tallest" in far


def test_what_is_beside_a_thing_is_closest_on_the_ground_not_in_the_image() -> None:
    apple = Thing("a", "apple", Box(0.45, 0.6, 0.02, 0.04), 2.1)
    door = Thing("d", "door", Box(0.42, 0.5, 0.04, 0.54), 6.0)
    near = Thing("c", "chair", Box(0.42, 0.37, 0.13, 0.28), 2.0)
    chair = seen(Scene((near, door, apple))).split(";")[0]
    assert " by apple" in chair


def test_prompts_of_the_project_are_read_by_purpose() -> None:
    probe, plan = probe_prompt("Anything red?", SCENE), plan_prompt(brief(kind="drone"))
    assert form_for(probe).reads(probe) == probe_input("Anything red?", SCENE)
    assert form_for(plan).reads(plan) == SAYABLE.reads("Go to the chair.")
    assert probe_input("Anything red?", Scene()) == "<ask>anything red<see><say>"


def test_what_makes_no_difference_is_gone() -> None:
    assert (
        len(
            {
                clean(text)
                for text in ("Go to the chair.", "go to the  chair", " GO TO THE CHAIR!! ", "go to the chair…")
            }
        )
        == 1
    )
    assert clean("l’été à 90°") == "l'ete a 90 degrees"
    assert clean("今天") == "~~"


@given(st.text(max_size=60), st.text(max_size=20))
def test_nothing_from_outside_is_a_mark(wish: str, label: str) -> None:
    told = probe_input(wish, Scene((Thing("x", label, Box(0.5, 0.5, 0.1, 0.1)),)))
    assert re.findall(r"<[a-z]+>", told) == ["<ask>", "<see>", "<say>"]
    assert re.findall(r"<[a-z]+>", SAYABLE.reads(wish)) == ["<plan>", "<do>"]
    assert set(re.findall(r"<[a-z]+>", told)) <= set(MARKS)


def test_output_ends_with_its_mark() -> None:
    assert output("tp\n") == "tp<end>"
