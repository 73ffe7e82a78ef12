"""How a search aircraft answers what it is asked about the land and about what it has sighted: it stays where it is."""

from __future__ import annotations

from sayso.errors import NotUnderstood
from sayso.goal import ANYTHING, Clause, Pred, Which
from sayso.goals.text import quoted
from sayso.grounding.inflection import indefinite, none_of
from sayso.language.printer import joined, when
from sayso.planners.goal_plan import UNANSWERED, Says
from sayso.roles import Brief

log = Says("l")
NOTHING = "I have sighted nothing and nobody so far. Tell me where to search, and for what."


def answered(goal: Clause, brief: Brief) -> tuple[str, Clause]:
    """The plan for a question, and the question. Raises `NotUnderstood` for one that no chart and no look decides."""
    match goal:
        case Pred("answered", ("where" | "how far", Which() as which)) if which == Which(which.kind):
            return f"l(wi({quoted(which.kind)}))", goal
        case Pred("answered", ("is it in view" | "is it here", Which() as which)) if which.relation is None:
            no = log(f"I see {none_of(which.kind)} from here. Tell me where to search.")
            yes = log("Yes, I have sighted one.")
            return joined([when(f"iv({quoted(which.kind)})", [yes], [no])]), goal
        case Pred("answered", ("what is here" | "what is all round", Which(kind, relation=None))) if kind == ANYTHING:
            sighted = ", ".join(dict.fromkeys(indefinite(thing.label) for thing in brief.scene))
            return joined([log(f"I have sighted {sighted}." if sighted else NOTHING)]), goal
    raise NotUnderstood(UNANSWERED)
