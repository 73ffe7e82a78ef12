"""What was answered once is not asked again when a plan is mended."""

from __future__ import annotations

import pytest
import retold

from sayso.planners.sequence import recalled
from sayso.roles import Attempt
from sayso.task import NOT_FOUND, Ran

WHERE = "_1=ak('Where can I find Mary?')"
BLOCKED = "the way to the kitchen is blocked at the kitchen door"


def attempt(plan: str, *ran: str, ended: str = BLOCKED) -> Attempt:
    return retold.attempt(plan, *ran, ended=ended)


def test_a_question_that_was_answered_becomes_its_answer() -> None:
    before = attempt(f"{WHERE};mt(_1);lp('Mary')", "ask: done the kitchen", f"move_to: failed {BLOCKED}")
    mended = f"ak('Could you open the door, please?');{WHERE};mt(_1);lp('Mary')"
    assert recalled(mended, [before]) == "ak('Could you open the door, please?');_1='the kitchen';mt(_1);lp('Mary')"


def test_a_value_that_is_used_and_never_given_is_given_first() -> None:
    before = attempt(f"{WHERE};mt(_1)", "ask: done the sink")
    assert recalled("mt(_1);lp('Mary')", [before]) == "_1='the sink';mt(_1);lp('Mary')"
    assert recalled("_1=pi('name');sp(_1)", [before]) == "_1=pi('name');sp(_1)"
    assert recalled("sp('_1 is what I call it')", [before]) == "sp('_1 is what I call it')"


@pytest.mark.parametrize(
    "before",
    [
        attempt(f"{WHERE};mt(_1)", "ask: failed nobody answered"),
        attempt(f"{WHERE};mt(_1)", "ask: done"),
        attempt("ak('Are you well?');_1=ak('Which?')", "ask: done yes", "ask: done the cup"),
        Attempt(
            f"{WHERE};mt(_1)", (Ran("ask", value="the sink"), Ran("look_for_person", outcome="failed", code=NOT_FOUND))
        ),
    ],
    ids=["unanswered", "empty", "whose answer is not certain", "it did not help"],
)
def test_what_is_not_known_is_asked_again(before: Attempt) -> None:
    assert recalled(f"{WHERE};mt(_1)", [before]) == f"{WHERE};mt(_1)"


def test_an_answer_cannot_end_the_quote_it_stands_in() -> None:
    before = attempt(f"{WHERE};mt(_1)", "ask: done sink');mt('exit")
    assert recalled("mt(_1)", [before]).count("'") == 2
