"""A list held against the words of the wish, and `done` against what was seen."""

import asyncio
import json
from collections.abc import Sequence

import pytest
from test_stepwise_every import TABLE, Robot

from sayso.errors import Unclear
from sayso.goals.spoken import spoken
from sayso.goals.text import parse
from sayso.models.scripted import Scripted
from sayso.parts import Brief, Observation
from sayso.planners.stepwise import Stepwise
from sayso.prompts import STEPWISE
from sayso.robots.warehouse.errands import Errands
from sayso.robots.warehouse.ledger import Goal
from sayso.robots.warehouse.wanted import wanted
from sayso.robots.warehouse.wish import gaps, mended
from sayso.skill import Param, Skill, SkillSet, Value

KNOWN = {
    "places": [{"name": n, "kind": "home", "placement": True, "aliases": []} for n in ("fruit table", "basket")],
    "categories": [{"name": "fruit", "place": "fruit table", "aliases": []}],
    "objects": [{"name": n, "category": "fruit", "paint": "red", "aliases": []} for n in ("apple", "lemon")],
}


def weighed(wish: str, *goals: Goal) -> list[str]:
    return list(map(str, gaps(wish, goals, TABLE)))


@pytest.mark.parametrize(
    ("wish", "goals", "missing"),
    [
        ("lemon, duck: basket", [Goal("lemon", "basket")], ["“duck” is left out"]),
        ("a lemon and the yellow duck to the basket", [Goal("lemon", "basket"), Goal("duck", "basket")], []),
        ("a lemon to the toy shelf", [Goal("lemon", "basket")], ["“toy rack” is left out", "nobody said “basket”"]),
        ("all lemons to the basket", [Goal("lemon", "basket")], ["“every lemon” is left out"]),
        ("all lemons to the basket", [Goal("every lemon", "basket")], []),
        ("all lemons to the basket", [Goal("lemon", "basket"), Goal("lemon", "basket")], []),
        ("that's all, a lemon to the basket", [Goal("lemon", "basket")], []),
        ("two lemons to the basket", [Goal("lemon", "basket")], ["“2 lemon” is left out"]),
        ("one lemon to the basket", [Goal("every lemon", "basket")], ["nobody said “every lemon”"]),
        ("something yellow from the fruits to the basket", [Goal("lemon", "basket", "fruit table")], []),
        ("put a fruit into the basket", [Goal("apple", "basket")], []),
        ("put the lemon where it belongs", [Goal("lemon", "fruit table", "dock")], []),
        ("put the lemon with the toys", [Goal("lemon", "toy rack")], []),
        ("lemon, dock, now", [Goal("", "dock")], ["“lemon” is left out", "nobody said “go to the dock”"]),
        ("drive to the dock", [Goal("", "dock")], []),
        ("the biggest toy into the basket", [Goal("biggest toy", "basket")], []),
        ("the smallest toy into the basket", [Goal("biggest toy", "basket")], ["nobody said “largest”"]),
        ("a kite on the toy rack", [Goal("kite", "toy rack", "toy rack")],
         ["“kite to toy rack” is nothing that is left to do"]),
    ],
)  # fmt: skip
def test_a_list_that_parts_from_its_wish(wish: str, goals: Sequence[Goal], missing: list[str]) -> None:
    assert weighed(wish, *goals) == missing


@pytest.mark.parametrize(
    ("wish", "goal", "refused"),
    [
        ("not the lemon, the apple into the basket", "lemon", "lemon"),
        ("any fruit except the lemon into the basket", "lemon", "lemon"),
        ("don't take the lemon, just the apple into the basket", "lemon", "lemon"),
        ("the kite goes into the basket and the lemon stays where it lies", "lemon", "lemon"),
        ("leave the lemon alone, the apple goes into the basket", "lemon", "lemon"),
        ("don't forget the lemon, into the basket with it", "lemon", ""),
        ("the apple remains there, but the lemon goes into the basket", "lemon", ""),
    ],
)
def test_what_is_said_not_to_be_wanted_is_in_no_goal(wish: str, goal: str, refused: str) -> None:
    told = [g.what for g in gaps(wish, [Goal(goal, "basket")], TABLE) if g.kind == "refused"]
    assert told == ([refused] if refused else [])


def test_a_place_that_is_denied_is_not_where_it_goes_or_comes_from() -> None:
    told = weighed("a lemon into the basket, not the dock", Goal("lemon", "dock"))
    assert "there is “dock”, which is not wanted" in told
    from_dock = Goal("kite", "basket", "dock")
    told = weighed("a kite, of those which aren't at the dock, into the basket", from_dock)
    assert told[0] == "there is “dock”, which is not wanted"
    assert not weighed("the kite goes into the basket, not to the dock", from_dock)


def test_what_was_taken_back_is_not_missed() -> None:
    assert not weighed("the lemon, or rather the apple, into the basket", Goal("apple", "basket"))
    assert not weighed("a lemon to the dock, correction, to the basket", Goal("lemon", "basket"))


def test_a_mere_category_is_not_enough_where_the_wish_says_which_of_it() -> None:
    for wish in ("a toy that costs little, into the basket", "a toy into the basket, without sharp edges"):
        assert weighed(wish, Goal("toy", "basket")) == ["one “toy” is taken and I see several"]
        assert not weighed(wish, Goal("duck", "basket")), "the model knows which"
    assert not weighed("a toy into the basket, no hurry", Goal("toy", "basket"))


def test_what_can_only_be_meant_otherwise_is_mended() -> None:
    lemon, duck = Goal("lemon", "basket"), Goal("duck", "basket")
    assert mended("a lemon and a duck into the basket", [lemon, lemon, duck], TABLE) == [lemon, duck]
    assert mended("the lemon into the basket; the lemon must be there by noon", [lemon, lemon], TABLE) == [lemon]
    assert mended("two lemons into the basket", [lemon, lemon], TABLE) == [lemon, lemon]
    assert mended("a lemon to the basket, and a lemon to the basket", [lemon, lemon], TABLE) == [lemon, lemon]
    (every,) = mended("all fruit except the lemons into the basket", [Goal("every fruit", "basket")], TABLE)
    assert every.but == ("lemon",)
    idle = Goal("every toy", "home", "toy rack", only=True)
    assert mended("everything home", [lemon, idle], TABLE) == [lemon]


def test_where_only_one_was_ever_seen_two_goals_are_about_the_same_thing() -> None:
    robot, goals = Robot(), [Goal("kite", "dock", "toy rack"), Goal("kite", "basket", "toy rack")]
    both = parse("placed(kite, dock); placed(kite, basket)")
    assert wanted(goals, robot.sights, TABLE) == both
    robot.go("toy rack", "kite (green)")
    robot.pick("kite")
    robot.go("dock")
    robot.put("kite")
    robot.go("dock", "kite (green)")
    same = "each(kite) { placed(it, dock) then placed(it, basket) }"
    assert wanted(goals, robot.sights, TABLE) == parse(same)
    robot.go("basket", "kite (green)", "kite (green)")
    assert wanted(goals[:1], robot.sights, TABLE) == parse("placed(kite, dock)")


def test_one_that_is_there_already_is_not_the_one_that_is_brought() -> None:
    robot = Robot()
    robot.go("basket", "lemon (yellow)")
    goal = wanted([Goal("lemon", "basket", "fruit table")], robot.sights, TABLE)
    assert goal == parse("placed(lemon but lemon from basket, basket)")
    assert goal is not None and spoken(goal) == "I bring another lemon to the basket."


def test_what_goes_home_is_told_by_what_was_seen() -> None:
    robot, everything = Robot(), Goal("every thing", "home", "dock", only=True)
    goal = wanted([everything], robot.sights, TABLE)
    assert goal is not None and spoken(goal) == "I bring every thing from the dock to where it belongs."
    robot.go("dock", "lemon (yellow)", "kite (green)")
    homes = "placed(all fruit from dock, 'fruit table'); placed(all toy from dock, 'toy rack')"
    assert wanted([everything], robot.sights, TABLE) == parse(homes)


def test_what_the_model_let_go_of_is_open_again_where_it_was_seen_elsewhere() -> None:
    kite = Goal("kite", "basket", "toy rack")
    ledger, robot = Errands(Brief("a kite", SKILLS)), Robot()
    ledger.table, ledger.sights, ledger.dropped = TABLE, robot.sights, [kite]
    robot.go("basket", "kite (green)")
    assert not ledger.doubts() and not ledger.open
    robot.go("dock")
    robot.go("dock", "kite (green)")
    assert ledger.doubts() and ledger.open == [kite], "it was carried from the basket to the dock"


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


def ask(answers: Sequence[str], wish: str, terse: bool = False) -> tuple[str, list[str]]:
    """The first plan, and what the operator was told."""
    model, notes = Scripted(answers, chunk=1000), list[str]()
    planner = Stepwise(model, STEPWISE, ledger=Errands, terse=terse)
    planner.note = notes.append

    async def run() -> str:
        brief = Brief(wish, SKILLS, Observation.of("standing"), knowledge=KNOWN)
        return "".join([piece async for piece in planner.step(brief)])

    return asyncio.run(run()), notes


def test_a_small_models_list_that_parts_from_the_wish_is_asked_about_before_anything_moves() -> None:
    with pytest.raises(Unclear, match="“lemon” is left out"):
        ask([listed("apple")], "apple and lemon into the basket", terse=True)
    plan, _ = ask([listed("apple", "lemon")], "apple and lemon into the basket", terse=True)
    assert plan == 'go_to("fruit table")'


def test_a_large_models_list_is_never_held_against_words() -> None:
    for things in (("apple",), ("lemon", "lemon"), ("plum",)):
        plan, notes = ask([listed(*things)], "all the apples and one lemon, but not the plum, into the basket")
        assert plan == 'go_to("fruit table")' and not notes


def test_giving_up_at_once_is_the_models_to_decide() -> None:
    give_up = json.dumps({"step_by_step_reasoning": "", "next_action": "give_up(I do not understand)"})
    for terse in (True, False):
        plan, _ = ask([give_up], "apple, basket", terse=terse)
        assert plan.endswith("->False")
