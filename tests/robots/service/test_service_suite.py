"""The service suite: reference plans do what was said and are judged right, spoiled ones are not, and nothing
inadmissible ever runs."""

from __future__ import annotations

import asyncio
import random

import pytest

from sayso.bench import load
from sayso.bench.suite import Trial
from sayso.events import TaskStarted
from sayso.goals.deeds import answers, tells
from sayso.grounding.names import read_names
from sayso.models.corrupted import Corrupted, broken_form, invented_action, wrong_name
from sayso.models.scripted import Scripted
from sayso.planners.sequence import Sequence
from sayso.robots.service.admit import admit, argument_problem
from sayso.robots.service.prompt import sequence_prompt
from sayso.robots.service.suite.commands import CATEGORIES, Command, made
from sayso.robots.service.suite.draw import CHOICES
from sayso.robots.service.suite.episode import admissible, carry_out, carry_out_plan, double, run_episode
from sayso.robots.service.suite.episode import sequence as planner_of
from sayso.roles import Brief, Model, Planner, Prompt
from sayso.skills import skills_for
from sayso.worlds import make

SAMPLE = (
    "tell-gender", "superlative", "guide-me", "follow-me", "follow-back", "talk-nowhere", "put-default", "on-top",
    "say-times",
)  # fmt: skip
"""A frame of each category; the suite has all of them, with its reference."""
AT_ONCE = ("tell-gender", "guide-me", "follow-back", "put-default")
"""Of these the way is gone in every run of the tests, of the others in the slow ones."""


def sequence(model: Model) -> Planner:
    return Sequence(model, sequence_prompt, admit, replans=0)


def test_without_guided_decoding_no_model_is_held_to_a_grammar() -> None:
    world = make("home", setup={"people": []})
    skills = skills_for(world.robot, world.perception)
    brief = Brief("bring me the coke", skills, knowledge=world.robot.knowledge)  # type: ignore[attr-defined]
    for ablation, holds in (("", True), ("no-guided", False)):
        planner = planner_of(ablation)(Scripted([]))
        assert isinstance(planner, Sequence)
        prompt = planner.render(brief)
        assert bool(prompt.grammar) is holds


def test_the_sample_has_one_of_each_category() -> None:
    assert sorted(made(frame).category for frame in SAMPLE) == sorted(CATEGORIES)


@pytest.mark.parametrize(
    "frame", [*AT_ONCE, *(pytest.param(f, marks=pytest.mark.slow) for f in SAMPLE if f not in AT_ONCE)]
)
def test_a_reference_plan_is_carried_out_and_judged_right(frame: str) -> None:
    one = made(frame, 1)
    done = carry_out(one, double(one), sequence, 1)
    assert done.ended.outcome == "achieved", f"{one.text}: {done.ended.reason}"
    assert not done.missed, f"{one.text}: {done.missed}"
    assert admissible(done.events) == (True, True)


def last_dropped(one: Command) -> str:
    return one.plan.rpartition(";")[0]


@pytest.mark.parametrize("frame", ["bring", "talk-name"])
def test_a_plan_without_its_last_step_is_judged_wrong(frame: str) -> None:
    one = made(frame, 1)
    assert carry_out_plan(one, last_dropped(one), 1).missed


def test_the_wrong_thing_and_the_wrong_person_are_judged_wrong() -> None:
    goals = ("given('coke', 'operator')",)
    bring = Command("x", "manipulate", "direct", "AB", "x", "bring me the coke", "", goals, {"people": []})
    assert carry_out_plan(bring, "mt('counter');lo('sprite');gr('sprite');pt('me')", 1).missed
    people = [{"name": "Mary", "place": "bookcase"}, {"name": "John", "place": "couch"}]
    goals, setup = ("heard('Mary', 'saturday')",), {"people": people}
    tell = Command("y", "find-person", "direct", "AC", "y", "tell Mary the day", "", goals, setup)
    assert not carry_out_plan(tell, "mt('bookcase');lp('Mary');sp('It is Saturday.')", 1).missed
    assert carry_out_plan(tell, "mt('kitchen');sp('It is Saturday.')", 1).missed


def household() -> Brief:
    """What a check knows of the home."""
    world = make("home", setup={"people": []})
    skills = skills_for(world.robot, world.perception)
    return Brief("", skills, knowledge=world.robot.knowledge)  # type: ignore[attr-defined]


def test_with_answers_spoiled_nothing_inadmissible_runs() -> None:
    brief = household()
    names, spoiled, ran = read_names(brief.knowledge), 0, 0
    for seed, frame in enumerate(("find-object", "talk-name", "toss")):
        one = made(frame, 1)
        model = Corrupted(double(one), 0.3 if seed else 0.9, seed)
        done = carry_out(one, model, sequence, 1)
        spoiled += model.spoiled
        for event in done.events:
            if isinstance(event, TaskStarted):
                ran += 1
                assert event.skill in brief.skills, event
                skill, texts = brief.skills[event.skill], [a if isinstance(a, str) else "" for a in event.args]
                for param, text in zip(skill.params, texts, strict=True):
                    assert not text or not argument_problem(skill, param, text, names), event
    assert spoiled and ran


def test_every_spoiled_plan_is_refused_before_it_can_run() -> None:
    brief = household()
    prompt, chance, refused = Prompt("plan", (), brief=brief), random.Random(1), 0
    for n in range(120):
        plan = made(SAMPLE[n % len(SAMPLE)], n).plan
        for way in (wrong_name, broken_form, invented_action):
            admitted = admit(way(plan, prompt, chance), brief)
            assert not admitted.plan, f"{way.__name__}: {admitted.plan}"
            refused += 1
    assert refused == 360


def test_the_same_seed_spoils_the_same_answers() -> None:
    async def texts(seed: int) -> list[str]:
        model = Corrupted(Scripted(["mt('kitchen');lo('coke')"] * 20), 0.5, seed)
        return ["".join([c.text async for c in model.stream(Prompt("plan", ()))]) for _ in range(20)]

    first, again, other = (asyncio.run(texts(seed)) for seed in (1, 1, 2))
    assert first == again != other and "mt('kitchen');lo('coke')" in first


def test_an_episode_of_the_suite_has_its_figures() -> None:
    suite = load("service")
    assert {t.id for t in suite.tasks} == set(CATEGORIES)
    score = run_episode(Trial("service", "find-object", 0, 0, "sequence", "reference"))
    assert score.figures["admissible_first"] == score.figures["admissible"] == 1.0
    assert set(score.figures) > {"plan_right", "right_A", "right_B"}


@pytest.mark.parametrize(
    ("sentence", "wanted", "is_told"),
    [
        ("The person is female.", "male/man", False),
        ("There are three drinks.", "3", True),
        ("There is no fork.", "0", True),
        ("It is ten past two.", "ten past two/2 10", True),
        ("Hello Mary!", "hello mary", True),
        ("Mary, hello", "hello mary", False),
    ],
)
def test_what_counts_as_told(sentence: str, wanted: str, is_told: bool) -> None:
    assert tells(sentence, wanted) is is_told


@pytest.mark.parametrize(
    ("heard", "wanted", "choices", "is_answer"),
    [
        (["The person is a man."], "male/man", "gender", True),
        (["The person is a man or a woman."], "male/man", "gender", False),
        (["It is a woman.", "No, I was wrong, it is a man."], "male/man", "gender", True),
        (["It is a man.", "No, I was wrong, it is a woman."], "male/man", "gender", False),
        (["There are 1, 2, 3 or 4."], "3", "number", False),
        (["Are there three?"], "3", "number", False),
        (["There are three men in the kitchen."], "3", "number", True),
        (["It is the orange juice."], "orange juice", "drinks", True),
        (["It is the apple on the tray."], "apple", "top", True),
        (["Well, one could say a lot of things about that."], "why did", "", False),
    ],
)
def test_who_names_all_has_not_answered(heard: list[str], wanted: str, choices: str, is_answer: bool) -> None:
    assert answers(heard, wanted, CHOICES[choices] if choices else ()) is is_answer


@pytest.mark.parametrize(
    ("frame", "wrong"),
    [
        ("talk-name", "sp('Well, one could say a lot of things about that.')"),
        ("tell-pose", "mt('initial location');lp('me');sp('The person is sitting, standing or lying.')"),
        ("count-things", "mt('initial location');lp('me');sp('There are 0 1 2 3 4 5 6.')"),
        ("find-object", "mt('corridor')"),
        ("follow-name", "sp('Please follow me!');mt('initial location')"),
        ("clean", ""),
    ],
)
def test_what_only_looks_like_it_is_judged_wrong(frame: str, wrong: str) -> None:
    one = made(frame, 1)
    begun = one.plan.split(";")[:2] if wrong != "mt('corridor')" else []
    assert carry_out_plan(one, ";".join([*begun, *([wrong] if wrong else [])]), 1).missed
