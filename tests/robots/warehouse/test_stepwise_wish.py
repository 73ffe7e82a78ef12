"""What a list is taken to mean, by what was seen, and `done` against that."""

import asyncio
import json
from collections.abc import Sequence

from test_stepwise_every import Robot

from sayso.goals.spoken import spoken
from sayso.goals.text import parse
from sayso.models.scripted import Scripted
from sayso.planners.stepwise import Course, Stepwise
from sayso.plugins.steps import Step, StepResult
from sayso.prompts import stepwise_prompt
from sayso.robots.warehouse.errands import Errands
from sayso.robots.warehouse.ledger import Goal
from sayso.robots.warehouse.perception import SeenFromHere
from sayso.robots.warehouse.wanted import wanted
from sayso.roles import Brief, Observation, Session
from sayso.skill import Param, Skill, SkillSet, Value

KNOWN = {
    "places": [{"name": n, "kind": "home", "placement": True, "aliases": []} for n in ("fruit table", "basket")],
    "categories": [{"name": "fruit", "place": "fruit table", "aliases": []}],
    "objects": [{"name": n, "category": "fruit", "paint": "red", "aliases": []} for n in ("apple", "lemon")],
}


def test_where_only_one_was_ever_seen_two_goals_are_about_the_same_thing() -> None:
    robot, goals = Robot(), [Goal("kite", "dock", "toy rack"), Goal("kite", "basket", "toy rack")]
    both = parse("placed(kite, dock); placed(kite, basket)")
    assert wanted(goals, robot.sights) == both
    robot.go("toy rack", "kite (green)")
    robot.pick("kite")
    robot.go("dock")
    robot.put("kite")
    robot.go("dock", "kite (green)")
    same = "each(kite) { placed(it, dock) then placed(it, basket) }"
    assert wanted(goals, robot.sights) == parse(same)
    robot.go("basket", "kite (green)", "kite (green)")
    assert wanted(goals[:1], robot.sights) == parse("placed(kite, dock)")


def test_one_that_is_there_already_is_not_the_one_that_is_brought() -> None:
    robot = Robot()
    robot.go("basket", "lemon (yellow)")
    goal = wanted([Goal("lemon", "basket", "fruit table")], robot.sights)
    assert goal == parse("placed(lemon but lemon from basket, basket)")
    assert goal is not None and spoken(goal) == "I bring another lemon to the basket."


def test_what_goes_home_is_told_by_what_was_seen() -> None:
    robot, everything = Robot(), Goal("every thing", "home", "dock", only=True)
    goal = wanted([everything], robot.sights)
    assert goal is not None and spoken(goal) == "I bring everything from the dock where it belongs."
    robot.go("dock", "lemon (yellow)", "kite (green)")
    homes = "placed(all fruit from dock, 'fruit table'); placed(all toy from dock, 'toy rack')"
    assert wanted([everything], robot.sights) == parse(homes)


def test_what_the_model_let_go_of_is_open_again_where_it_was_seen_elsewhere() -> None:
    ledger = Errands(Brief("a kite", SKILLS, knowledge={**KNOWN, "objects": [{"name": "kite", "category": "toy"}]}))
    fetch = [Step("go_to", ("fruit table",)), Step("pick_up", ("kite",)), Step("go_to", ("basket",)),
             Step("place", ("kite",)), Step("done")]  # fmt: skip
    ledger.take(fetch)
    ledger.take([Step("go_to", ("fruit table",)), Step("done")])
    kite = Goal("kite", "basket")

    def go(place: str, *things: str) -> None:
        view = SeenFromHere(((place, things),) if things else ())
        ledger.hear(Step("go_to", (place,)), StepResult(True, seen=Observation.of(view)))

    go("basket", "kite (green)")
    assert not ledger.doubts() and kite not in ledger.open
    go("fruit table")
    go("fruit table", "kite (green)")
    assert ledger.doubts() and kite in ledger.open, "it was carried from the basket to the table"


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


class Listener(Session):
    """A session double that notes what it is told."""

    def __init__(self) -> None:
        self.notes = list[str]()

    def note(self, text: str) -> None:
        self.notes.append(text)


def ask(answers: Sequence[str], wish: str) -> tuple[str, list[str]]:
    """The first plan, and what the operator was told."""
    listener, planner = Listener(), Stepwise(Scripted(answers, chunk=1000), stepwise_prompt, ledger=Errands)

    async def run() -> str:
        brief = Brief(wish, SKILLS, Observation.of("standing"), knowledge=KNOWN)
        return "".join([piece async for piece in Course(planner, listener, brief).step(brief)])

    return asyncio.run(run()), listener.notes


def test_a_large_models_list_is_never_held_against_words() -> None:
    for things in (("apple",), ("lemon", "lemon"), ("plum",)):
        plan, notes = ask([listed(*things)], "all the apples and one lemon, but not the plum, into the basket")
        assert plan == 'go_to("fruit table")' and not notes


def test_giving_up_at_once_is_the_models_to_decide() -> None:
    give_up = json.dumps({"step_by_step_reasoning": "", "next_action": "give_up(I do not understand)"})
    plan, _ = ask([give_up], "apple, basket")
    assert plan.endswith("->False")
