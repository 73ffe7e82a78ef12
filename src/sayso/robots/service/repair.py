"""The repair of a service robot's failed plan: the rest of it, from where it failed, by another way.

| what happened | what is right then |
|---|---|
| a thing is not where it was looked for | the rooms in which nobody has looked, one after another, then say so |
| a room of these cannot be got into | the next one, and in the end say which |
| somebody of a name is not there | every room, then say so |
| a closed door | ask whoever is near to open it, once, and go and see |
| whoever opened it comes the other way | back, and once more |
| a grasp that slipped, a person out of sight, nobody who took it, nobody who answered | once more |
| what slipped out of the hand on the way | say so, and where it fell |
| no room on a place | ask where else |
| an answer that names nothing | ask who wishes |
| nobody knows the answer; anything else | say so |

What was done is not done again, and what was answered is not asked again.
"""

from collections.abc import Sequence

from sayso.goals.text import quoted
from sayso.grounding.inflection import row
from sayso.grounding.matching import must_want
from sayso.grounding.names import read_names
from sayso.language.nodes import Assign, Invocation, Literal, Variable
from sayso.language.printer import joined
from sayso.planners.failed_plan import FailedPlan, failed_plan, failure, fell_short, given_up, short
from sayso.planners.sequence import SORRY_DONE
from sayso.robots.service.service import UNKNOWN_ANSWER
from sayso.robots.service.walk import nowhere, say
from sayso.roles import Brief
from sayso.skills.name_resolver import unseen
from sayso.task import FELL, LIMIT, NOT_FOUND, UNKNOWN_NAME, WAY_BLOCKED, Ran

BACK, LOOKS = "lp('me')", ("lp", "look_for_person")


def mended(brief: Brief) -> str:
    """The next plan."""
    last = brief.history[-1]
    failed = failure(last)
    if failed is None:
        return given_up(brief, f"I am sorry. {fell_short(last)}")
    where = failed_plan(last, failed, brief.skills)
    again = sum(r.skill == failed.skill and r.code == failed.code for a in brief.history for r in a.ran if not r.done)
    if where is None or failed.code in (LIMIT, FELL):
        return given_up(brief, _sorry(failed.reason))
    return _mend(brief, failed, where, again) or given_up(brief, _why(brief, failed))


def _mend(brief: Brief, failed: Ran, where: FailedPlan, again: int) -> str:
    thing = next((a for a in failed.args if isinstance(a, str)), "")
    names = read_names(brief.knowledge)
    rooms = [p.name for p in names.places.values() if p.is_room]
    match failed.skill:
        case "look_for_obj" if failed.code == NOT_FOUND and not must_want(thing, names).place:
            return _next_room(brief, where.rest)
        case "look_for_person" | "give" | "follow" if failed.code == NOT_FOUND and again == 1:
            if name := names.person(thing):
                return joined((nowhere(name, rooms), where.rest))
        case "look_for_obj" | "move_to" if failed.code == UNKNOWN_NAME:
            return _asked_back(where)
        case "move_to" if failed.code == WAY_BLOCKED and again == 1 and str((*failed.about, "")[0]).endswith("door"):
            asks = f"ak({quoted(f'Could you open the {failed.about[0]}, please?')})"
            return joined((*(() if _with_somebody(where) else (BACK,)), asks, where.rest))
        case "move_to" if failed.code == WAY_BLOCKED and again == 2 and not _with_somebody(where):
            return joined((BACK, where.rest))
        case "move_to" if again == 1:
            return where.rest
        case "move_to" if _looked(brief):
            return _next_room(brief, where.since(where.at + 1))
        case "grasp" if again <= 2:
            return where.since(_before(where, ("lo", "look_for_obj")))
        case "follow" | "give" | "pass_to" | "look_for_person" if again == 1 and failed.code != NOT_FOUND:
            return where.since(_before(where, LOOKS) if failed.skill == "follow" else where.at)
        case "place" if again == 1 and "free spot" not in failed.reason:
            return joined((f"mt({quoted(thing)})", where.rest)) if names.place(thing) else ""
        case "ask" if not isinstance(where.plan.body.statements[where.at], Assign):
            return where.since(where.at + 1)  # who goes to open a door need not say so
        case "ask" | "confirm" if again == 1:
            return joined((BACK, where.rest)) if where.at == 0 else where.rest
    return ""


def _looked(brief: Brief) -> list[Ran]:
    """Looks for a thing that was not there."""
    return [r for a in brief.history for r in a.ran if r.skill == "look_for_obj" and r.code == NOT_FOUND]


def _unseen(brief: Brief) -> list[str]:
    return unseen({str(place) for look in _looked(brief) for place in look.about}, brief.knowledge)


def _next_room(brief: Brief, rest: str) -> str:
    """On to a room where nobody looked and that can be got into; empty where there is none."""
    barred = [r.args[0] for a in brief.history for r in a.ran if r.skill == "move_to" and not r.done]
    left = [room for room in _unseen(brief) if room not in barred]
    return joined((f"mt({quoted(left[0])})", rest)) if left else ""


def _asked_back(where: FailedPlan) -> str:
    """An answer that is none: what was asked of whoever was near is asked of who wishes."""
    call = where.call(where.at)
    name = call.args[0].name if call and isinstance(call.args[0], Variable) else ""
    given = [s.value for s in where.plan.body.statements if isinstance(s, Assign) and s.name == name]
    asks = [str(v.args[0].value) for v in given if isinstance(v, Invocation) and isinstance(v.args[0], Literal)]
    return joined(say.lost(asks[0])) if asks else ""


def _before(where: FailedPlan, names: Sequence[str]) -> int:
    """The last statement before it that calls one of these; itself where there is none."""
    back = range(where.at - 1, -1, -1)
    return next((at for at in back if (call := where.call(at)) and call.name in names), where.at)


def _with_somebody(where: FailedPlan) -> bool:
    """Whether somebody is being led there."""
    before = where.texts[max(0, where.at - 1) : where.at]
    return any("follow me" in text for text in before)


def _why(brief: Brief, failed: Ran) -> str:
    looked, left = _looked(brief), _unseen(brief)
    lost = looked[-1] if looked and failed.skill == "move_to" else failed
    thing = next((a for a in lost.args if isinstance(a, str)), "")
    match lost.skill, lost.code:
        case (("look_for_obj" | "look_for_person"), "not found"):
            told = thing if thing[:1].isupper() else f"the {thing}"
            there = looked and must_want(thing, read_names(brief.knowledge)).place  # and nowhere else
            elsewhere = looked and left and not there
            missed = f" I did not look in {row([f'the {room}' for room in left], 'or')}." if elsewhere else ""
            return f"I am sorry, I could not find {told}.{missed}"
        case _, code if code == UNKNOWN_ANSWER:
            return "I could not find that out."
    return _sorry(failed.reason)


def _sorry(why: str) -> str:
    return f"{SORRY_DONE}: {short(why)}."
