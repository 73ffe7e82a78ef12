"""The stepwise planner against a desk that says what came of each step: protocol, ledger, budgets, conversation."""

import asyncio
import json
from collections.abc import Callable, Sequence

from retold import attempt
from sitting import Sitting

from sayso.models.scripted import Scripted
from sayso.planners.stepwise import Budget, Course, Stepwise
from sayso.prompts import stepwise_prompt
from sayso.prompts.stepwise import grammar
from sayso.roles import Brief, Observation
from sayso.skill import Param, Skill, SkillSet, Value


async def nothing(value: Value) -> None: ...


STEPS = [
    Skill(name, (Param("thing", "thing"),), description=name, body=nothing) for name in ("go_to", "pick_up", "place")
]
SKILLS = SkillSet([*STEPS, Skill("log", (Param("text", "any"),), description="tell", short="l", body=nothing)])
LIST = ["go_to(fruit table)", "pick_up(apple)", "go_to(basket)", "place(apple)", "done"]


def first(*steps: str, action: str = "") -> str:
    return json.dumps({"reasoning": "r", "action_list": list(steps), "first_action": action or steps[0]})


def then(step: str) -> str:
    return json.dumps({"step_by_step_reasoning": "r", "next_action": step})


def play(
    answers: Sequence[str],
    outcome: Callable[[str], str] = lambda step: "done",
    budget: Budget | None = None,
    skills: SkillSet = SKILLS,
    **more: bool,
) -> tuple[list[str], list[str], Scripted]:
    """The plans, the notes and the model after a whole mission."""
    model, plans, history = Scripted(answers, chunk=1000), [], []
    planner = Stepwise(model, stepwise_prompt, budget, **more)
    sitting = Sitting(Brief("", skills))

    async def run() -> None:
        course: Course | None = None
        while True:
            notes_now = (f"step {len(plans)}",)
            brief = Brief("put the apple into the basket", skills, Observation.of(*notes_now), tuple(history))
            course = course or Course(planner, sitting, brief)
            plan = "".join([piece async for piece in course.step(brief)])
            plans.append(plan)
            if "->" in plan:
                return
            history.append(attempt(plan, f"{plan.partition('(')[0]}: {outcome(plan)}"))

    asyncio.run(run())
    return plans, sitting.notes, model


def test_one_step_a_plan_until_done() -> None:
    plans, notes, model = play([first(*LIST), *map(then, LIST[1:])])
    steps = ['go_to("fruit table")', 'pick_up("apple")', 'go_to("basket")', 'place("apple")']
    assert plans == [*(f"{step}" for step in steps), "->True"]
    assert notes == []
    assert len(model.prompts) == 5


def test_conversation_only_grows_at_its_end() -> None:
    _, _, model = play([first(*LIST), *map(then, LIST[1:])])
    for before, after in zip(model.prompts, model.prompts[1:], strict=False):
        assert after.messages[: len(before.messages)] == before.messages
        assert [role for role, _ in after.messages[len(before.messages) :]] == ["assistant", "user"]


def test_feedback_holds_the_failure_and_only_what_is_new() -> None:
    outcomes = iter(["done", "failed the fingers closed on nothing", "done", "done", "done"])
    answers = [first(*LIST), then(LIST[1]), then(LIST[1]), *map(then, LIST[2:])]
    plans, notes, model = play(answers, outcome=lambda plan: next(outcomes))
    assert "fingers closed on nothing" in model.prompts[2].messages[-1][1]
    assert "step 2" in model.prompts[2].messages[-1][1] and "step 1" not in model.prompts[2].messages[-1][1]
    assert plans[-1] == "->True" and any("departs" in note for note in notes)


def test_without_feedback_nothing_of_it_is_heard() -> None:
    _, _, model = play([first(*LIST), *map(then, LIST[1:])], outcome=lambda plan: "done", feedback=False)
    assert all("step 1" not in text for _, text in model.prompts[-1].messages[1:])


def test_done_with_steps_left_is_asked_about_once() -> None:
    early = [first(*LIST), *map(then, LIST[1:2]), then("done")]
    plans, notes, model = play([*early, *map(then, LIST[2:])])
    assert plans[-1] == "->True" and len(plans) == 5
    assert "done too early: open is go_to(basket), place(apple)" in notes
    assert "go_to(basket), place(apple)" in model.prompts[3].messages[-1][1]
    plans, _, _ = play([*early, then("done")])
    assert plans[-1] == "->True" and len(plans) == 3, "a model that insists is believed"


def test_done_before_anything_was_done_is_asked_about_once() -> None:
    plans, notes, _ = play([then("done"), then("done")])
    assert plans == ["->True"] and notes == ["done too early: open is the task, for which nothing has been done"]


def test_skills_may_take_any_number_of_arguments_as_their_parameters_have_them() -> None:
    move = Skill("move", (Param("side", "text"), Param("distance_cm", "number", "cm")), description="", body=nothing)
    blink = Skill("blink", (), description="", body=nothing)
    light = Skill("light", (Param("on", "flag"),), description="", body=nothing)
    asked = ["move(left, 30 cm)", "blink()", "light(true)", "move(left, far)"]
    plans, _, model = play(
        [first(*asked, "done"), *map(then, [*asked[1:], "done"])], skills=SkillSet([move, blink, light])
    )
    assert plans[:4] == ['move("left",30)', "blink()", "light(True)", 'move("left","far")']
    assert "- move(side, distance_cm)" in model.prompts[0].messages[0][1]


def test_unknown_action_is_refused_and_asked_again() -> None:
    plans, notes, model = play([then("fly_to(moon)"), first(*LIST), *map(then, LIST[1:])])
    assert plans[0] == 'go_to("fruit table")'
    assert "fly to" in notes[0] or "fly_to" in notes[0]
    assert "Not accepted" in model.prompts[1].messages[-1][1]


def test_nonsense_ends_in_giving_up_with_the_reason() -> None:
    plans, _, _ = play(["banana"] * 3, budget=Budget(nonsense_max=3))
    assert plans == ['log("the model gave 3 answers without a step");->False']


def test_steps_and_repeated_failures_are_bounded() -> None:
    plans, _, _ = play([then(f"go_to(place {n})") for n in range(9)], budget=Budget(steps_max=5))
    assert len(plans) == 6 and plans[-1] == 'log("5 steps did not do it");->False'
    budget = Budget(same_failure_max=3)
    plans, _, _ = play([then("pick_up(apple)")] * 9, outcome=lambda plan: "failed no", budget=budget)
    assert len(plans) == 4 and "3 times" in plans[-1] and plans[-1].endswith("->False")


def test_giving_up_tells_the_reason() -> None:
    plans, _, _ = play([then("give_up(there is no unicorn)")])
    assert plans == ['log("there is no unicorn");->False']


def test_quotes_and_statements_in_an_argument_stay_text() -> None:
    plans, _, _ = play([json.dumps({"next_action": {"skill": "pick_up", "params": ['a");go_to("moon']}}), then("done")])
    assert plans[0] == 'pick_up("a\\");go to(\\"moon")'


def test_grammar_names_only_what_there_is() -> None:
    rules = grammar(["go_to", "pick_up"], first=True)
    assert '"go_to" | "pick_up" | "give_up"' in rules and "action_list" in rules
    assert "action_list" not in grammar(["go_to"], first=False)
