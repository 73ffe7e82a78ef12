"""How a humanoid answers what it is asked about the field: it looks, and says what it sees.

The head looks first, then the robot turns on the spot; it goes nowhere. What its camera was not taught to see it says.
"""

from __future__ import annotations

from sayso.errors import NotUnderstood
from sayso.goal import ANYTHING, Clause, Pred, Which
from sayso.goals.text import quoted
from sayso.grounding.inflection import definite, none_of, plural, row
from sayso.language.printer import joined, when
from sayso.planners.goal_plan import UNANSWERED, Says
from sayso.roles import Brief
from sayso.scene import plain

log = Says("l")


def answered(goal: Clause, brief: Brief) -> tuple[str, Clause]:
    """The plan for a question, and the question. Raises `NotUnderstood` for one that looking does not decide."""
    match goal:
        case Pred("answered", ("what is here", *_)):
            seen = [definite(plain(thing.label)) for thing in brief.scene]
            return log(f"I see {row(seen)}." if seen else f"I see {none_of(ANYTHING)}."), goal
        case Pred("answered", (str(question), Which() as which)) if which == Which(which.kind):
            return joined(_told(question, which.kind)), goal
    raise NotUnderstood(UNANSWERED)


def _told(question: str, kind: str) -> list[str]:
    name, there = quoted(kind), f"l(wi({quoted(kind)}))"
    match question:
        case "where" | "how far":
            return [there]
        case "is it in view":
            yes, no = log(f"Yes, I see {definite(kind)}."), log(f"No, I do not see {definite(kind)} from here.")
            return [when(f"iv({name})", [yes], [no])]
        case "is it here":
            return [when(f"s({name})", [log("Yes."), there], [log(f"No, I looked all round and see {none_of(kind)}.")])]
        case "how many all round":
            many = log("There are ", "_1", f" {plural(kind)}.")
            return ["lr", f"_1=hm({name})", when("_1==1", [log(f"There is one {kind}.")], [many])]
    raise NotUnderstood(UNANSWERED)
