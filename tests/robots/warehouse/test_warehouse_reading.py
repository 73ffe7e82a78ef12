"""A wish to the warehouse robot is read once: what may be written, what common sense is asked, what comes of it."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest
from logic_hall import NAMES, TABLE, Hall
from test_stepwise_wish import SKILLS, Listener

from sayso.errors import NotUnderstood
from sayso.goal import ALL, Which
from sayso.goals.text import parse, show
from sayso.models.scripted import Scripted
from sayso.planners.stepwise import Course, Stepwise
from sayso.plugins.steps import Step
from sayso.prompts import stepwise_prompt
from sayso.robots.warehouse.errands import Errands
from sayso.robots.warehouse.form import SAYABLE, WishForm
from sayso.robots.warehouse.ledger import errand, owed
from sayso.roles import Attempt, Brief, Observation, Prompt
from sayso.skill import SkillSet
from sayso.understanding import requested
from sayso.understanding.gaps import unread

FORM = WishForm()
WISH = "Two lemons, and everything but the big red toys from the shelf, to shipping; then come to the basket."
READ = SAYABLE.reads(WISH)


def prompt(wish: str) -> Prompt:
    return Prompt("stepwise", (), brief=Brief(wish, SkillSet(), Observation(), knowledge=TABLE))


def answered(wish: str, reading: str, *yes: str) -> dict[str, object]:
    """What the planner reads; common sense says yes to these names."""

    def ask(asked: Prompt) -> str:
        assert asked.brief is not None
        (shown,) = asked.brief.scene.things
        return shown.label if shown.label in yes else "False"

    whole = FORM.completed(prompt(wish), reading, ask)
    answer: dict[str, object] = json.loads(FORM.answer(prompt(wish), whole))
    return answer


@pytest.mark.parametrize(
    "reading",
    [
        "placed(2 lemons, shipping); placed(all thing from shelf but toys.red, shipping) then visited(basket)",
        "placed(all thing.misplaced, home)",
        "placed(lemons but lemons from shelf, me)",
        "if found(lemons) { placed(lemons, basket) } else { placed('big red toys', basket) }",
        "each(2 lemons) { placed(it, shipping) then placed(it, basket) }",
        "placed(smallest toys, shipping)",
        "placed('something to drink', shipping)",
        "refuse handle",
        "ask where",
    ],
)
def test_what_a_wish_says_can_be_written(reading: str) -> None:
    held = SAYABLE.constraint(READ)
    assert held.take(reading) and held.may_end


@pytest.mark.parametrize(
    "reading", ["placed(apple, shipping)", "at(basket)", "placed(lemons)", "3 { visited(basket) }"]
)
def test_what_it_does_not_say_cannot(reading: str) -> None:
    held = SAYABLE.constraint(READ)
    assert not (held.take(reading) and held.may_end)


def test_names_are_found_by_table_dictionary_and_what_is_there() -> None:
    assert NAMES.named_in("lemons") == ("lemon", ())
    assert NAMES.named_in("ladybird") == ("ladybug toy", ())
    assert NAMES.named_in("toys") == ("toy", ())
    assert NAMES.named_in("everything") == ("thing", ())
    assert NAMES.named_in("lemon with the plum") == ("thing", ("lemon", "plum"))
    assert NAMES.place_in("goods-in") == "receiving shelf"
    assert NAMES.place_in("the other toys") == "toy rack"
    assert NAMES.told_apart("fruit that is crunchy")
    assert not NAMES.told_apart("little toy duck")


def test_what_only_a_description_tells_common_sense_is_asked_name_by_name() -> None:
    wish = "Something crunchy to the basket, please."
    assert answered(wish, "placed('something crunchy', basket)", "lemon") == {"want": "want placed(lemon, basket)"}
    two = answered(wish, "placed('something crunchy', basket)", "lemon", "orange")
    assert two == {"want": "want placed('lemon or orange', basket)"}
    told = answered(wish, "placed('something crunchy', basket)")
    assert "I do not know what something crunchy is" in str(told["next_action"])


def test_what_everybody_knows_no_common_sense_is_asked() -> None:
    fizzy = ("coke can", "pepsi can", "sprite can", "fanta can")
    assert all({*NAMES.named_in(said)[1]} == {*fizzy} for said in ("fizzy drink", "something fizzy"))
    known = answered("A fizzy drink to the basket, please.", "placed('fizzy drink', basket)", "plum")
    assert known == {"want": "want placed('fizzy drink', basket)"}
    like = errand(Which("thing", ("fizzy",), ALL), NAMES)
    assert (like.every, {*like.kinds}) == (True, {*fizzy}), "a trait that no paint is tells the kinds"
    with pytest.raises(NotUnderstood, match="which is jagged"):
        errand(Which("thing", ("jagged",)), NAMES)
    none = answered("A sour thing but no lemon.", "placed('something sour' but lemon, basket)")
    assert "I know of no lemon but those that you do not want" in str(none["next_action"])


def test_who_ships_what_is_on_a_table_takes_it_from_there() -> None:
    there = "placed(all lemon, 'toy rack')"
    told = answered("Send the lemons that lie on the toy rack.", there)
    assert "I am not sure" in str(told["next_action"])
    put = answered(
        "The lemons on the toy rack, and the plum to the shipping shelf.", f"{there}; placed(plum, shipping)"
    )
    assert "want" in put, "a place that is called so ships nothing"


@pytest.mark.parametrize(
    ("wish", "want"),
    [
        ("has the plum arrived?", "answered('is it here', plum on 'receiving shelf')"),
        (
            "if there's no plum put a lemon into the basket, otherwise put the plum on the toy rack",
            "if not found(plum) { placed(lemon, basket) } else { placed(plum, 'toy rack') }",
        ),
        ("don't take the lemon, bring me another fruit", "given(fruit but lemon, me)"),
        ("take the plum to the basket and let me know when you are done", "placed(plum, basket)"),
        (
            "don't move the plum but put all the other fruit on the toy rack",
            "never holding(plum); placed(all fruit but plum, 'toy rack')",
        ),
    ],
)
def test_u3_what_code_reads_has_every_part(wish: str, want: str) -> None:
    core = prompt(requested(wish).core)
    assert core.brief
    read = FORM.known(replace(core, brief=replace(core.brief, instruction=wish, request=requested(wish))))
    assert json.loads(read) == {"want": f"want {want}"}


def test_u3_what_is_not_wanted_is_none_of_those_that_may_be_taken() -> None:
    spared = answered("a toy to the basket, please, no ladybug", "placed(toy, basket)")
    assert spared == {"want": "want placed(toy but 'ladybug toy', basket)"}
    beside = answered("set the plum down next to the lemon", "placed(plum, lemon)")
    assert "not beside one another" in str(beside["next_action"])


@pytest.mark.parametrize("goal", ["holding(all thing from 'toy rack')", "holding(lemon); holding(plum)"])
def test_one_hand_holds_one_thing(goal: str) -> None:
    with pytest.raises(NotUnderstood, match="one hand"):
        owed(parse(goal), NAMES)


def test_several_of_any_of_some_kinds_are_together_so_many() -> None:
    ledger = Errands(Brief("two cans", SkillSet(), knowledge=TABLE))
    ledger.owe(parse("placed(2 'coke can or pepsi can', basket)"))
    wanted = ledger.wanted()
    assert wanted == parse("placed(2 {'coke can' or 'pepsi can'}, basket)")


def test_what_fits_nearly_all_names_tells_nothing() -> None:
    wish = "A fruit that nobody eats into the basket."
    told = answered(wish, "placed('fruit that nobody eats', basket)", *NAMES.kinds)
    assert "next_action" in told


def test_a_name_that_is_left_out_is_asked_about() -> None:
    """G55"""
    goal = parse("placed(lemon, basket)")
    assert [str(g) for g in unread("lemon and plum into the basket", goal, NAMES.names)] == ["“plum” is left out"]
    assert not unread("a lemon, not a plum, into the basket", goal, NAMES.names)
    wrong = parse("placed(plum, basket)")
    assert "not wanted" in str(unread("a lemon, not a plum, into the basket", wrong, NAMES.names)[-1])
    stays = unread(
        "Leave the largest toy alone, the basket gets the plum.", parse("placed(largest toy, basket)"), NAMES.names
    )
    assert "there is “toy”, which is not wanted" in map(str, stays)
    cleared = parse("placed(all fruit from 'toy rack', 'fruit table')")
    assert not unread("I want no fruit on the toy rack, off with it to the fruit table", cleared, NAMES.names)
    assert unread("a lemon into the basket, not the plum on the fruit table", wrong, NAMES.names)
    told = answered("lemon and plum into the basket", "placed(lemon, basket)")
    assert "left out" in str(told["next_action"])


def test_a_place_that_is_left_out_is_asked_about() -> None:
    """G55"""
    wish = "There is a plum among the things at the receiving shelf. It belongs into the basket."
    assert "“receiving shelf” is left out" in str(answered(wish, "placed(plum, basket)"))
    assert "want" in answered(wish, "placed(plum from 'receiving shelf', basket)")
    assert "want" in answered("Start with the plum, that goes into the basket.", "placed(plum, basket)"), "no place"
    assert "want" in answered("The plum has no business anywhere but on the fruit table.", "placed(plum, home)")


def test_what_is_no_goal_is_declined() -> None:
    deep = "if found(plum) { " * 20 + "placed(plum, basket)" + " }" * 20
    assert "next_action" in answered("the plum", deep)


def test_a_refusal_and_a_question_are_said() -> None:
    assert "nothing else" in str(answered("open the tea box", "refuse handle"))
    assert "Where should it go?" in str(answered("the lemon, please", "ask where"))


def test_the_model_is_asked_once_and_code_tells_every_step() -> None:
    asked: list[str] = []

    def answer(given: Prompt) -> str:
        asked.append(given.purpose)
        return json.dumps({"want": "want placed(all lemon, basket); placed(plum, 'toy rack')"})

    hall = Hall({"lemon_1": "fruit table", "lemon_2": "receiving shelf", "plum_1": "fruit table"})
    planner = Stepwise(Scripted(answer), stepwise_prompt, ledger=Errands, terse=True)

    async def plan(brief: Brief) -> str:
        return "".join([piece async for piece in course.step(brief)])

    def told() -> Brief:
        return Brief("every lemon and the plum", SKILLS, hall.seen(), tuple(history), kind="warehouse", knowledge=TABLE)

    history = list[Attempt]()
    course = Course(planner, Listener(), told())
    for _ in range(40):
        brief = told()
        text = asyncio.run(plan(brief))
        if "->" in text:
            break
        skill, _, rest = text.partition("(")
        heard = hall.act(Step(skill, (rest.rstrip(")").strip("'\""),)))
        history.append(Attempt(text, heard.ran, "" if heard.worked else heard.ran[0].reason))
    assert text.endswith("->True")
    assert asked == ["stepwise"]
    assert hall.at == {"lemon_1": "basket", "lemon_2": "basket", "plum_1": "toy rack"}
    goal = course.ledger.wanted()
    assert goal and "placed(all lemon, basket)" in show(goal)
