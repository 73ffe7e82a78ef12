"""How a search aircraft answers what it is asked about the land and about what it has sighted: it stays where it is."""

from __future__ import annotations

from sayso.errors import NotUnderstood
from sayso.goal import Clause, Pred, Which
from sayso.goals.text import quoted
from sayso.grounding.inflection import none_of
from sayso.language.printer import joined, when
from sayso.parts import Brief
from sayso.planners.goal_plan import UNANSWERED, Says

log = Says("l")


def answered(goal: Clause, brief: Brief) -> tuple[str, Clause]:
    """The plan for a question, and the question. Raises `NotUnderstood` for one that no chart and no look decides."""
    match goal:
        case Pred("answered", ("where" | "how far", Which() as which)) if which == Which(which.kind):
            return f"l(wi({quoted(which.kind)}))", goal
        case Pred("answered", ("is it in view" | "is it here", Which() as which)) if which.relation is None:
            no = log(f"I see {none_of(which.kind)} from here. Tell me where to search.")
            yes = log("Yes, I have sighted one.")
            return joined([when(f"iv({quoted(which.kind)})", [yes], [no])]), goal
    raise NotUnderstood(UNANSWERED)
