"""The repair of a drone's failed plan: the rest of it, from where it failed, by another way.

| what happened | what is right then |
|---|---|
| the way to a thing is blocked, and there is none round or over what stands there | say so |
| it is not in view, or not any more | look all round for it once, and go on |
| a limit refused | say which; nothing lifts a limit |
| something is in the way of a move | say so |
| a turn was over, and the plan asked for a new look | tell what is in view now |
| anything else, once | go on from there |

What was done is not done again.
"""

from sayso.goals.text import quoted
from sayso.language.printer import joined, when
from sayso.planners.failed_plan import failed_plan, failure, fell_short, given_up
from sayso.robots.drone.goal_plan import log
from sayso.robots.drone.things_in_view import ThingsInView
from sayso.roles import Brief
from sayso.task import BLOCKED, LIMIT, NOT_FOUND, OBSTRUCTED

LIMITS = {
    "altitude": "I may not fly that high or that low.",
    "geofence": "I may not fly that far: it is outside my area.",
    "battery": "My battery is too low for that.",
}


def mended(brief: Brief) -> str:
    """The next plan."""
    last = brief.history[-1]
    failed = failure(last)
    if last.how == "replan" or not failed:
        return log(ThingsInView(brief.scene).in_words()) if last.how == "replan" else given_up(brief, fell_short(last))
    if failed.code == LIMIT:
        about = str(failed.about[0]) if failed.about else ""
        return given_up(brief, next((says for name, says in LIMITS.items() if name in about), failed.reason))
    thing = next((a for a in failed.args if isinstance(a, str)), "")
    again = sum(any(r.code == failed.code and r.args == failed.args for r in a.ran) for a in brief.history)
    where = failed_plan(last, failed, brief.skills)
    if where is None:
        return given_up(brief, failed.reason)
    rest = where.rest
    if failed.code == BLOCKED and thing:
        return given_up(brief, f"I cannot get to the {_label(thing)}: something is in the way.")
    if failed.code == OBSTRUCTED:
        return given_up(brief, failed.reason if thing else "Something is in my way.")
    if again > 1:
        return given_up(brief, failed.reason)
    if failed.code == NOT_FOUND and thing:
        label = _label(thing)
        return joined((when(f"!s({quoted(label)})", log.lost(f"I see no {label}.")), rest))
    return rest


def _label(name: str) -> str:
    return name.partition("[")[0].partition("#")[0]
