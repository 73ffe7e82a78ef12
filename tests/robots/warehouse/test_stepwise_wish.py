"""A list held against the words of the wish, and `done` against what was seen."""

import asyncio
import json
from collections.abc import Sequence

import pytest
from test_stepwise_every import TABLE, Robot

from sayso.models.scripted import Scripted
from sayso.parts import Attempt, Brief, Observation
from sayso.planners.stepwise import Stepwise
from sayso.prompts import STEPWISE
from sayso.robots.warehouse.errands import Errands
from sayso.robots.warehouse.ledger import Goal, Goals
from sayso.robots.warehouse.wish import given_up_too_soon, left_behind, left_out, once, unheeded
from sayso.skill import Param, Skill, SkillSet, Value

KNOWN = {
    "places": [{"name": n, "kind": "home", "placement": True, "aliases": []} for n in ("fruit table", "basket")],
    "categories": [{"name": "fruit", "place": "fruit table", "aliases": []}],
    "objects": [{"name": n, "category": "fruit", "paint": "red", "aliases": []} for n in ("apple", "lemon")],
}


@pytest.mark.parametrize(
    ("wish", "goals", "missing"),
    [
        ("lemon, duck: basket", [Goal("lemon", "basket")], ["duck"]),
        ("a lemon and the yellow duck to the basket", [Goal("lemon", "basket"), Goal("duck", "basket")], []),
        ("a lemon and a duck to the toy shelf", [Goal("lemon", "basket")], ["duck", "toy rack"]),
        ("all lemons to the basket", [Goal("lemon", "basket")], ["every lemon"]),
        ("all lemons to the basket", [Goal("every lemon", "basket")], []),
        ("all lemons to the basket", [Goal("lemon", "basket"), Goal("lemon", "basket")], []),
        ("that's all, a lemon to the basket", [Goal("lemon", "basket")], []),
        ("two lemons to the basket", [Goal("lemon", "basket")], ["lemon"]),
        ("something yellow from the fruits to the basket", [Goal("lemon", "basket", "fruit table")], []),
        ("put a fruit into the basket", [Goal("apple", "basket")], []),
    ],
)
def test_what_a_list_leaves_out(wish: str, goals: Sequence[Goal], missing: list[str]) -> None:
    assert left_out(wish, goals, TABLE) == missing


def test_what_stands_there_twice_is_wanted_twice_only_where_the_wish_says_so() -> None:
    lemon, duck = Goal("lemon", "basket"), Goal("duck", "basket")
    assert once("a lemon and a duck into the basket", [lemon, lemon, duck], TABLE) == [lemon, duck]
    assert once("two lemons into the basket", [lemon, lemon], TABLE) == [lemon, lemon]
    assert once("a lemon to the basket, and a lemon to the basket", [lemon, lemon], TABLE) == [lemon, lemon]


def test_who_gives_up_is_asked_where_the_wish_names_thing_and_place() -> None:
    assert unheeded("lemon, basket", TABLE) == ["lemon", "basket"]
    assert unheeded("a unicorn into the basket", TABLE) == [] and unheeded("sing", TABLE) == []


def test_all_of_a_kind_is_not_done_while_more_was_seen() -> None:
    robot = Robot()
    robot.go("fruit table", "lemon (yellow)", "lemon (yellow)")
    robot.pick("lemon")
    robot.go("basket")
    robot.put("lemon")
    ledger = Goals(met=[Goal("lemon", "basket", "fruit table")])
    assert left_behind("put all lemons into the basket", ledger, robot.sights, TABLE) == [Goal("every lemon", "basket")]
    assert not left_behind("put a lemon into the basket", ledger, robot.sights, TABLE)


def test_what_the_model_let_go_of_is_open_again_where_it_was_seen_elsewhere() -> None:
    robot, goal = Robot(), Goal("kite", "basket", "toy rack")
    ledger = Goals(dropped=[goal])
    robot.go("basket", "kite (green)")
    assert not given_up_too_soon(ledger, robot.sights, TABLE)
    robot.go("dock")
    robot.go("dock", "kite (green)")
    assert given_up_too_soon(ledger, robot.sights, TABLE) == [goal], "it was carried from the basket to the dock"


# The planner


async def nothing(value: Value) -> None: ...


SKILLS = SkillSet(
    [
        *(Skill(n, (Param("x", "thing"),), description=n, body=nothing) for n in ("go_to", "pick_up", "place")),
        Skill("log", (Param("text", "any"),), description="tell", short="l", body=nothing),
    ]
)


def listed(*things: str) -> str:
    calls = [c for x in things for c in ("go_to(fruit table)", f"pick_up({x})", "go_to(basket)", f"place({x})")]
    return json.dumps({"reasoning": "", "action_list": [*calls, "done"], "first_action": calls[0]})


def ask(answers: Sequence[str], wish: str, history: tuple[Attempt, ...] = ()) -> tuple[str, list[str], list[str]]:
    """The first plan; what the briefs told of answers that were not accepted; what the operator was told."""
    model, notes = Scripted(answers, chunk=1000), list[str]()
    planner = Stepwise(model, STEPWISE, ledger=Errands)
    planner.note = notes.append

    async def run() -> str:
        brief = Brief(wish, SKILLS, Observation.of("standing"), history, knowledge=KNOWN)
        return "".join([piece async for piece in planner.step(brief)])

    plan = asyncio.run(run())
    told = [n for p in model.prompts if p.brief for n in p.brief.notes if n.startswith(("left out", "refused"))]
    return plan, told, notes


def test_a_list_that_leaves_something_out_is_asked_about_once() -> None:
    plan, told, notes = ask([listed("apple"), listed("apple", "lemon")], "apple and lemon into the basket")
    assert plan == 'go_to("fruit table")'
    assert told == ["left out: lemon"] and notes == ["the list leaves out lemon"]
    plan, told, _ = ask([listed("apple"), listed("apple")], "an apple, not a lemon, into the basket")
    assert plan == 'go_to("fruit table")' and len(told) == 1, "the second answer counts"


def test_a_second_list_that_leaves_out_more_is_not_taken() -> None:
    worse = json.dumps({"reasoning": "", "action_list": ["go_to(basket)", "done"], "first_action": "go_to(basket)"})
    plan, _, _ = ask([listed("apple"), worse], "apple and lemon into the basket")
    assert plan == 'go_to("fruit table")'


def test_giving_up_at_once_is_asked_about_where_all_is_named() -> None:
    give_up = json.dumps({"step_by_step_reasoning": "", "next_action": "give_up(I do not understand)"})
    plan, told, _ = ask([give_up, listed("apple")], "apple, basket")
    assert plan == 'go_to("fruit table")' and told == ["left out: apple, basket"]
    plan, _, _ = ask([give_up, give_up], "paint the apple and the basket blue")
    assert plan.endswith("->False")
