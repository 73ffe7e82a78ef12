"""What the stepwise planner does when a model goes round in circles, gives up early, or says that it is done."""

import asyncio
import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from test_stepwise_wish import SKILLS, Listener, listed

from sayso.models.scripted import Scripted
from sayso.planners.stepwise import Budget, Course, Stepwise
from sayso.prompts import stepwise_prompt
from sayso.robots.warehouse.errands import Errands
from sayso.robots.warehouse.ledger import Goal
from sayso.robots.warehouse.perception import SeenFromHere
from sayso.roles import Attempt, Brief, Observation
from sayso.task import Ran

SPOTS = ("fruit table", "toy rack", "basket")
KNOWN: dict[str, Any] = {
    "places": [{"name": n, "kind": "home", "placement": True, "aliases": []} for n in SPOTS],
    "categories": [{"name": "fruit", "place": "fruit table", "aliases": []}],
    "objects": [
        *({"name": n, "category": "fruit", "paint": "red", "aliases": []} for n in ("apple", "lemon")),
        {"name": "kite", "category": "toy", "paint": "green", "aliases": []},
    ],
}
BOTH, APPLE, LEMON = "an apple and a lemon into the basket", Goal("apple", "basket"), Goal("lemon", "basket")
NOTHING, ONE_APPLE = SeenFromHere(()), SeenFromHere((("fruit table", ("apple (red)",)),))
DONE = json.dumps({"next_action": "done"})


def step(call: str) -> str:
    return json.dumps({"next_action": call})


Result = tuple[str, SeenFromHere]


def all_works(plan: str) -> Result:
    return "done", ONE_APPLE if plan.startswith('go_to("fruit table")') else NOTHING


def ran(plan: str, result: str) -> Ran:
    """What came of a step: `done`, or `failed` with the reason."""
    outcome, _, reason = result.partition(" ")
    return Ran(plan.partition("(")[0], (), outcome, reason)


class Play:
    """A mission on a desk. The model, a double, gives its answers and goes on with the last; `outcome` tells of a plan
    what came of it and what is seen then."""

    def __init__(
        self,
        *answers: str,
        wish: str = BOTH,
        outcome: Callable[[str], Result] = all_works,
        plans_max: int = 30,
    ) -> None:
        given = itertools.chain(answers, itertools.repeat(answers[-1], 60))
        self.model, listener, self.plans = Scripted(lambda prompt: next(given), chunk=1000), Listener(), list[str]()
        self.notes = listener.notes
        planner = Stepwise(self.model, stepwise_prompt, Budget(same_failure_max=3), ledger=Errands)
        first = Brief(wish, SKILLS, Observation.of("standing", NOTHING), knowledge=KNOWN)
        self.course = Course(planner, listener, first)
        asyncio.run(self._run(wish, outcome, plans_max))

    async def _run(self, wish: str, outcome: Callable[[str], Result], plans_max: int) -> None:
        history, view = list[Attempt](), NOTHING
        while len(self.plans) < plans_max and "->" not in "".join(self.plans[-1:]):
            brief = Brief(wish, SKILLS, Observation.of("standing", view), tuple(history), knowledge=KNOWN)
            self.plans.append("".join([piece async for piece in self.course.step(brief)]))
            result, view = outcome(self.plans[-1])
            history.append(Attempt(self.plans[-1], (ran(self.plans[-1], result),)))

    @property
    def ledger(self) -> Errands:
        assert isinstance(self.course.ledger, Errands)
        return self.course.ledger

    def due(self, n: int) -> str:
        """The first open goal that the model read of with its n-th prompt."""
        return self.heard(n).partition("Open of the list: ")[2].partition(" to ")[0]

    def heard(self, n: int) -> str:
        return self.model.prompts[n].messages[-1][1]


# Going round in circles, and what waits


def test_the_same_step_over_and_over_ends_though_it_works_each_time() -> None:
    play = Play(listed("apple"), step("go_to(toy rack)"), wish="an apple into the basket")
    assert play.plans[1:-1] == ['go_to("toy rack")'] * 4
    assert play.plans[-1] == 'log("go_to(toy rack) over and over again");->False'


def test_two_steps_in_turn_are_no_circle_of_one() -> None:
    there_and_back = [step("go_to(toy rack)"), step("go_to(fruit table)")] * 8
    play = Play(listed("apple"), *there_and_back, wish="an apple into the basket", plans_max=16)
    assert len(play.plans) == 16 and not any("->" in plan for plan in play.plans)


def test_who_goes_in_circles_is_told_of_another_goal_once_each() -> None:
    play = Play(listed("apple", "lemon"), step("go_to(toy rack)"))
    assert play.plans[1:-1] == ['go_to("toy rack")'] * (4 + 3 + 3) and play.plans[-1].endswith("->False")
    dues = [play.due(n) for n in range(1, len(play.model.prompts))]
    assert [thing for thing, _ in itertools.groupby(dues)] == ["apple", "lemon", "apple"]


def test_what_fails_again_and_again_waits_until_the_rest_is_done() -> None:
    def no_apple(plan: str) -> Result:
        return ("failed no grip", NOTHING) if plan.startswith('pick_up("apple")') else ("done", NOTHING)

    apple, rest = step("pick_up(apple)"), [step(f"{c})") for c in ("pick_up(lemon", "go_to(basket", "place(lemon")]
    play = Play(listed("apple", "lemon"), *[apple] * 3, *rest, apple, outcome=no_apple)
    assert (play.due(3), play.due(4)) == ("apple", "lemon")
    assert play.ledger.met == [LEMON] and play.ledger.open == [APPLE]
    assert play.plans[7:-1] == ['pick_up("apple")'] * 3
    assert "pick_up(apple) 3 times: no grip" in play.plans[-1] and play.plans[-1].endswith("->False")


def test_giving_up_waits_while_other_things_can_be_done() -> None:
    give_up, rest = step("give_up(no apple)"), [step(f"{c})") for c in ("pick_up(lemon", "go_to(basket", "place(lemon")]
    play = Play(listed("apple", "lemon"), give_up, *rest, give_up)
    assert "apple to basket waits" in play.heard(2) and play.due(3) == "lemon"
    assert play.ledger.met == [LEMON] and play.plans[-1] == 'log("no apple");->False'


def test_each_goal_is_put_off_once_and_the_only_one_never() -> None:
    ledger = Errands(Brief("", SKILLS))
    assert ledger.put_off() == ""
    ledger.open = [APPLE]
    assert ledger.put_off() == ""
    ledger.open = [APPLE, LEMON]
    assert [ledger.put_off(), ledger.put_off(), ledger.put_off()] == ["apple to basket", "lemon to basket", ""]
    assert ledger.open == [APPLE, LEMON]


# Done, says the model


@pytest.mark.parametrize(("wish", "thing"), [("all apples into the basket", "every apple"), ("an apple", "apple")])
def test_done_against_what_was_seen_is_never_believed(wish: str, thing: str) -> None:
    play = Play(listed(thing), DONE, wish=f"{wish} into the basket")
    assert play.plans[1:] == [f'log("this is still open: {thing} to basket");->False']
    assert len(play.model.prompts) == 1 + 4 and "go on, or say done again" in play.heard(4)


def test_done_with_an_open_goal_is_asked_about_once() -> None:
    apple = [step(f"{c})") for c in ("pick_up(apple", "go_to(basket", "place(apple")]
    lemon = [step(f"{c})") for c in ("go_to(fruit table", "pick_up(lemon", "go_to(basket", "place(lemon")]
    play = Play(listed("apple", "lemon"), *apple, DONE, *lemon, DONE)
    assert play.plans[-1] == "->True" and len(play.plans) == 9 and "lemon to basket" in play.heard(5)
    assert any(n.startswith("done too early") and "lemon to basket" in n for n in play.notes)
    insists = Play(listed("apple", "lemon"), *apple, DONE)
    assert insists.plans[-1] == "->True" and len(insists.plans) == 5, "a model that insists is believed"


def test_done_with_nothing_seen_against_it_is_believed_when_said_again() -> None:
    play = Play(listed("kite"), DONE, wish="a kite into the basket")
    assert play.plans[1:] == ["->True"] and len(play.model.prompts) == 1 + 2


def test_all_of_a_kind_is_done_when_every_place_was_looked_at() -> None:
    brought = [step(f"{c})") for c in ("pick_up(apple", "go_to(basket", "place(apple")]
    play = Play(listed("every apple"), *brought, DONE, DONE, step("go_to(toy rack)"), DONE, wish="all apples: basket")
    assert "the robot to toy rack" in play.heard(4) and play.plans[4] == 'go_to("toy rack")', "not believed before"
    assert play.plans[-1] == "->True" and play.ledger.met == [Goal("every apple", "basket")]
    assert len(play.model.prompts) == 8, "nothing is asked about at the end"
