"""A double of the embedded model for the warehouse: it is told the goals, and answers by the lessons' oracle.

It reads what the model reads and writes what the model should write, so a suite that it wins shows that the short form
tells enough and that the oracle is right; what remains is learning.
"""

from __future__ import annotations

from collections.abc import Callable

from lessons import warehouse_oracle as oracle
from sayso.models.scripted import Scripted
from sayso.parts import Prompt
from sayso.robots.warehouse.form import back, filled, step_input
from sayso.robots.warehouse.moment import moment

GOALS = {
    "L3-04": "apple from receiving shelf to home;coke can from receiving shelf to home",
    "L4-05": "every apple from receiving shelf to home",
    "L4-08": "every fruit from receiving shelf to home",
    "L4-10": "every drink from receiving shelf to home",
    "R-03": "apple to basket;coke can to basket;go entrance",
    "R-06": "every thing from storage rack to home",
    "R-07": "every green fruit to basket",
    "R-09": "every misplaced thing from fruit table to storage rack",
    "R-10": "every misplaced thing to storage rack",
    "X-01": "go fruit table",
    "X-03": "biggest toy to shipping shelf",
    "L3-02": "smallest fruit to shipping shelf",
    "L3-03": "every yellow fruit to shipping shelf",
    "X-07a": "every yellow fruit to storage rack",
}
"""Instructions whose goals are better put in other words than as the moves that meet them."""


def double(goals: str, show: Callable[[str], None] = lambda line: None) -> Scripted:
    """A model that takes every wish to mean these goals."""

    def answer(prompt: Prompt) -> str:
        assert prompt.brief is not None
        now, first = moment(prompt.brief), not prompt.brief.history
        short = goals if first else oracle.next_step(now)
        show(f"{step_input(prompt.brief)} => {short}")
        return back(filled(short, now), first)

    return Scripted(answer, name="double", chunk=500)
