"""The planner `sequence`: nothing inadmissible is passed on, what was wrong is told, and the end is honest."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sayso.errors import ModelUnavailable
from sayso.models.scripted import Scripted
from sayso.planners.sequence import Sequence, given_up
from sayso.robots.service.admit import admit
from sayso.robots.service.prompt import chosen, sequence_prompt
from sayso.roles import Attempt, Brief, Observation, Prompt
from sayso.skill import Skill, SkillSet
from sayso.skills import skills_for
from sayso.task import Ran
from sayso.worlds import make

BRING = "mt('counter');lo('coke');gr('coke');pt('me')"


@pytest.fixture(scope="module")
def brief() -> Brief:
    world = make("home", setup={"people": []})
    skills = skills_for(world.robot, world.perception)
    seen = Observation(believed=world.perception.believed())  # type: ignore[attr-defined]
    return Brief("bring me the coke", skills, seen, knowledge=world.robot.knowledge)  # type: ignore[attr-defined]


@dataclass
class Planned:
    text: str
    prompts: list[Prompt]


def planned(brief: Brief, *answers: str, **options: int) -> Planned:
    model = Scripted(list(answers))
    planner = Sequence(model, sequence_prompt, admit, **options)

    async def read() -> str:
        return "".join([text async for text in planner.plan(brief)])

    return Planned(asyncio.run(read()), model.prompts)


def test_an_admissible_answer_is_passed_on_with_its_names_grounded(brief: Brief) -> None:
    assert planned(brief, "mt('sofa');lo('cola');gr('it');pt('me')").text == "mt('couch');lo('cola');gr('it');pt('me')"


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("mt('garage')", "no place is called 'garage'"),
        ("mt('kitchen');lo('unicorn')", "no object is called 'unicorn'"),
        ("lp('Gandalf')", "nobody is called 'Gandalf'"),
        ("lp('swimming pool')", "describes no person"),
        ("mt('kitchen');jump('high')", "unknown skill 'jump'"),
        ("Sure, I will fetch it.", "expected"),
        ("mt('kitchen'", "the text ends in the middle"),
        ("pt(_1)", "_1 is used before it has a value"),
        ("mt('kitchen');rp", "no replan"),
        ("pt('garage')", "neither a person nor a place"),
        ("oi('nicest','cup')", "no relation or superlative"),
        ("pi('age')", "'age' of a person is not known"),
        ("ct('dragons','kitchen')", "no object is called 'dragons'"),
        ("", "no call of a skill"),
    ],
)
def test_a_bad_answer_is_asked_again_with_what_was_wrong(brief: Brief, bad: str, told: str) -> None:
    done = planned(brief, bad, BRING)
    assert done.text == BRING and len(done.prompts) == 2
    again = done.prompts[1].messages[-1][1]
    assert told in again and "Nothing of it ran." in again
    assert done.prompts[0].messages[0] == done.prompts[1].messages[0], "the stable part stays"


def test_after_five_reasks_the_robot_says_that_it_cannot(brief: Brief) -> None:
    done = planned(brief, *["mt('garage')"] * 6)
    assert done.text == "speak('I am sorry. I could not make a plan for that.');->False" and len(done.prompts) == 6
    assert len(planned(brief, "mt('garage')", reasks=0).prompts) == 1


def test_a_model_that_goes_away_between_reasks_ends_aloud(brief: Brief) -> None:
    assert planned(brief, "mt('garage')").text.endswith("->False")
    with pytest.raises(ModelUnavailable):
        planned(brief)


def test_a_failure_while_running_is_mended_and_at_last_told(brief: Brief) -> None:
    failed = Attempt(BRING, (Ran("move_to", (), "failed", "the way is blocked"),), "the way is blocked")
    once = Brief(**{**_fields(brief), "history": (failed,), "failure": "the way is blocked"})
    done = planned(once, BRING)
    assert done.text == BRING and "the way is blocked" in done.prompts[0].messages[-1][1]
    often = Brief(**{**_fields(brief), "history": (failed,) * 4, "failure": "the way is blocked\nby a door"})
    assert planned(often).text == "speak('I am sorry, I could not do that: the way is blocked');->False"


def _fields(brief: Brief) -> dict[str, object]:
    return {name: getattr(brief, name) for name in ("instruction", "skills", "seen", "knowledge")}


def test_giving_up_needs_a_voice_that_the_robot_has() -> None:
    assert given_up(Brief("x", SkillSet()), "No.") == "->False"


def test_without_grounding_an_alias_is_refused(brief: Brief) -> None:
    assert "couch" in admit("mt('sofa')", brief, exact=True).problems[0]
    assert admit("lo('cola')", brief, exact=True).problems and admit("mt('couch');lo('coke')", brief, exact=True).plan


def test_the_dictionary_grounds_what_spelling_does_not(brief: Brief) -> None:
    assert admit("mt('sofa')", brief).plan == "mt('couch')"
    assert admit("mt('dustbin');lo('biscuit')", brief).plan == "mt('trash bin');lo('cookies')"
    assert not admit("mt('dustbin')", brief, exact=True).plan and not admit("mt('garage')", brief).plan


def test_descriptions_stay_descriptions(brief: Brief) -> None:
    plan = "mt('dining table');lo('object on top of the potato chips');gr('it');pt('man in the red shirt')"
    assert admit(plan, brief).plan == plan


def test_the_prompt_shows_like_examples_and_all_names(brief: Brief) -> None:
    tasks = [e.task for e in chosen("tell me how many women are in the kitchen", brief.skills)]
    assert tasks[-1] == "tell me how many women are in the dining room"
    user = sequence_prompt(brief).messages[-1][1]
    assert all(name in user for name in ("storage table", "potato chips", "taxi", "initial location"))
    assert user.endswith("| bring me the coke\nPlan:")


def test_every_example_of_the_prompt_is_admissible(brief: Brief) -> None:
    for example in chosen("", brief.skills, most=99):
        assert admit(example.answer, brief).plan, (example.answer, admit(example.answer, brief).problems)
    assert len(chosen("", brief.skills, most=99)) >= 15


def test_the_grammar_holds_flat_lists_with_known_places_only(brief: Brief) -> None:
    held = _gbnf(sequence_prompt(brief).grammar)
    assert held.accepts(BRING) and held.accepts("_1=ct('people','kitchen');sp('There are '+_1);3{sp('Hey')};->False")
    for example in chosen("", brief.skills, most=99):
        assert held.accepts(example.answer), example.answer
    for bad in ("mt('garage')", "jump('high')", "?True{mt('kitchen')}", "Sure! mt('kitchen')", "mt('kitchen'"):
        assert not held.accepts(bad), bad
    assert sequence_prompt(brief, guided=False).grammar == ""
    waits = Brief("wait", SkillSet([Skill("wait", source="->1", description="Wait.")]))
    assert _gbnf(sequence_prompt(waits).grammar).accepts("wait\nwant landed()")


def _gbnf(text: str) -> Any:
    """The recogniser that the language's own grammar is held to."""
    file = Path(__file__).parent.parent / "language" / "gbnf_reader.py"
    spec = importlib.util.spec_from_file_location("gbnf_reader", file)
    assert spec and spec.loader
    module = sys.modules.setdefault("gbnf_reader", importlib.util.module_from_spec(spec))
    if not hasattr(module, "Gbnf"):
        spec.loader.exec_module(module)
    return module.Gbnf(text)
