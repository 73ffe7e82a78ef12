"""Say × Can × Pay: which factor decides what, how many calls that takes, and what becomes a plan."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scored_desk import Opinion, Table, plan, scored
from sitting import Sitting

from sayso.planners.scored import Choice, ScoredRule, rescaled
from sayso.robots.aircraft.suite.baselines import RULES, PatternRule, Product
from sayso.roles import Attempt, Brief, End, Planner
from sayso.skill import Param, Skill, SkillSet

STEPS = {
    "search": [("a", 0.1, -3.0), ("b", 0.3, -9.0), ("c", 0.2, -1.0), ("d", 0.0, 50.0)],
    "home": [("", 1.0, 0.0)],
    "confirm": [("s1", 0.9, 5.0)],
}
LIKES = {"do search": 0.6, "do home": 0.3, "do confirm": 0.1}


def table(**can: float) -> Table:
    return Table({"search": 1.0, "home": 1.0, "confirm": 1.0, **can}, STEPS)


def test_it_fulfils_the_contract() -> None:
    assert isinstance(scored(Opinion(LIKES), table()), Planner)


def test_the_kind_is_say_times_can_and_the_step_is_pay_among_the_likeliest() -> None:
    domain, model = table(), Opinion(LIKES)
    assert plan(scored(model, domain, rule=ScoredRule(top_k=2))) == 'search("c")'
    assert domain.paid == [['search("b")', 'search("c")']], "Can-comp keeps two; Pay is asked about no other"
    assert len(model.prompts) == 1


def test_preconditions_outweigh_what_is_sensible() -> None:
    assert plan(scored(Opinion(LIKES), table(search=0.3))).startswith("home")
    assert plan(scored(Opinion(LIKES), table(search=0.0))).startswith("home")


def test_what_cannot_be_is_not_even_shown_to_the_model() -> None:
    model = Opinion(LIKES)
    plan(scored(model, table(confirm=0.0)))
    assert model.prompts[0].question.splitlines() == ["do search", "do home"]


def test_with_negative_worths_the_better_one_is_taken_all_the_same() -> None:
    assert plan(scored(Opinion(LIKES), table(), rule=ScoredRule(top_k=3))) == 'search("c")'


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_any_worths_are_rescaled_to_weights_that_keep_their_order(values: list[float]) -> None:
    weights = rescaled(values)
    assert all(0 < w <= 1 for w in weights) and max(weights) == pytest.approx(1.0)
    assert all(
        weights[i] <= weights[j] for i in range(len(values)) for j in range(len(values)) if values[i] < values[j]
    )


def test_steps_can_be_asked_about_in_one_more_call() -> None:
    model = Opinion({**LIKES, "do search b": 0.9, "do search c": 0.1, "do search a": 0.01})
    choices: list[Choice] = []
    planner = scored(model, table(), rule=ScoredRule(ask_steps=True, top_k=3), chosen=choices.append)
    assert plan(planner) == 'search("c")', "0.1 × 1 against 0.9 × 0.05: Pay still counts"
    assert choices[0].calls == len(model.prompts) == 2
    assert choices[0].processed == 3 + 3


@pytest.mark.parametrize("steps", [4, 40])
def test_calls_do_not_grow_with_the_number_of_actions(steps: int) -> None:
    rows = {"search": [(f"a{n}", 0.1, float(n)) for n in range(steps)], "home": STEPS["home"]}
    model = Opinion(LIKES)
    plan(scored(model, Table({"search": 1.0, "home": 1.0}, rows), rule=ScoredRule(ask_steps=True)))
    assert len(model.prompts) == 2


def test_a_model_without_scores_is_asked_for_a_ranking_and_the_operator_told_once() -> None:
    model, notes = Opinion(LIKES, scores=False), list[str]()
    planner = scored(model, table(), note=notes.append)
    assert plan(planner).startswith("search")
    assert plan(planner, Brief("find it", SkillSet(), history=(Attempt("x"),))).startswith("search")
    assert len(notes) == 1 and "ranked" in notes[0]
    assert [p.purpose for p in model.prompts] == ["rank", "rank"]


def test_the_end_is_the_domains_word() -> None:
    domain = table()
    domain.verdict = End(True, "home again")
    assert plan(scored(Opinion(LIKES), domain)) == "->True"
    domain.verdict = End(False, "nothing found")
    assert plan(scored(Opinion(LIKES), domain)) == "->False"
    talker = SkillSet([Skill("log", (Param("text", "text"),), body=body)])
    assert plan(scored(Opinion(LIKES), domain), Brief("x", talker)) == 'log("nothing found");->False'
    assert domain.taken == []


def test_the_operator_hears_what_was_understood_as_part_of_the_plan() -> None:
    domain, notes = table(), list[str]()
    domain.tells = ('search for "him"',)
    talker = SkillSet([Skill("log", (Param("text", "text"),), body=body)])
    assert plan(scored(Opinion(LIKES), domain), Brief("x", talker)).startswith('log("search for \\"him\\"");search(')
    plan(scored(Opinion(LIKES), domain, note=notes.append))
    assert notes == ['search for "him"']


async def body(text: str) -> None:
    """Never run here."""


def test_where_nothing_is_possible_it_says_so() -> None:
    notes: list[str] = []
    assert plan(scored(Opinion(LIKES), Table({"search": 0.0}, STEPS), note=notes.append)) == "->False"
    assert notes == ["no step is possible"]


def test_a_new_mission_begins_with_a_new_domain() -> None:
    made: list[Table] = []

    async def domain(brief: Brief) -> Table:
        made.append(table())
        return made[-1]

    def over_after_two(text: str) -> Attempt:
        return Attempt(text, how="returned" if len(made[-1].briefs) == 2 else "finished")

    planner = scored(Opinion(LIKES), table())
    planner.domain = domain
    for _ in range(2):
        asyncio.run(planner.act(Sitting(Brief("find it", SkillSet()), over_after_two)))
    assert [len(t.briefs) for t in made] == [2, 2]


def test_saycan_asks_about_every_step_and_saycanpay_weighs_worth_as_well() -> None:
    likes = {"do search a": 0.5, "do search b": 0.4, "do search c": 0.4, "do home ": 0.1, "do confirm s1": 0.1}
    model = Opinion({**likes, "something else": 0.1})
    assert plan(scored(model, table(), rule=RULES["saycan"])) == 'search("a")'
    assert len(model.prompts) == 6, "one call for each step there is"
    spared = Opinion({**likes, "something else": 0.1})
    assert plan(scored(spared, table(), rule=Product("saycan", pays=False, spared=True))) == 'search("a")'
    assert len(spared.prompts) == 5, "one call for each possible step"
    paid = Opinion({**likes, "something else": 0.1})
    assert plan(scored(paid, table(), rule=RULES["saycanpay"])) != 'search("b")'


def test_the_first_step_only_narrows_to_a_kind() -> None:
    model = Opinion({**LIKES, "do search a": 0.3, "do search b": 0.3, "do search c": 0.3, "something else": 0.3})
    choices: list[Choice] = []
    assert plan(scored(model, table(), rule=RULES["saycan-saycanpay"], chosen=choices.append)) == 'search("c")'
    assert (choices[0].calls, choices[0].processed) == (7, 7), "3 kinds and 4 steps, one call each"
    plan(scored(model, table(), rule=RULES["saycan-saycanpay-spared"], chosen=choices.append))
    assert choices[1].candidate == choices[0].candidate
    assert (choices[1].calls, choices[1].processed) == (4, 6), "the kinds in one call, and 3 steps that are possible"


def test_aems2_alone_asks_nobody() -> None:
    choices: list[Choice] = []
    planner = scored(None, table(), rule=RULES["aems2"], chosen=choices.append)
    assert plan(planner) == 'confirm("s1")'
    assert (choices[0].calls, choices[0].processed) == (0, 5)


def test_a_pattern_flies_its_order_and_confirms_what_it_meets() -> None:
    rows = {"search_area": [(a, 0.1, 0.0) for a in "xyz"], "return_home": [("", 1.0, 0.0)]}
    domain = Table({"search_area": 1.0, "return_home": 1.0}, rows)
    planner = scored(None, domain, rule=PatternRule("parallel", ["z", "q", "x"]))
    goes_on = Brief("", SkillSet(), history=(Attempt("x"),))
    assert [plan(planner), plan(planner, goes_on)] == ['search_area("z")', 'search_area("x")']
    domain.can = {"search_area": 0.0, "return_home": 1.0}
    assert plan(planner, goes_on) == 'return_home("")'
