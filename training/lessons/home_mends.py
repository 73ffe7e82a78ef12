"""What to do when a household plan failed: where else to look, whom to ask, what to do again, what to say.

A plan is cut where one of its steps could fail, the failure worded as the skills word theirs, and the rest mended: what
is held stays held, what was asked for is asked again, and what cannot be mended is said to whoever gave the command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from lessons.telling import Unsaid
from sayso.parts import Attempt
from sayso.robots.service.form import unseen
from sayso.task import NOT_FOUND, Ran

NAMES = {
    "mt": "move_to", "lo": "look_for_obj", "lp": "look_for_person", "f": "follow", "gr": "grasp", "pt": "pass_to",
    "sp": "speak", "an": "answer", "ct": "count", "pi": "person_info", "oi": "object_info", "ak": "ask", "pl": "place",
    "gv": "give",
}  # fmt: skip
BACK = "mt('initial location');lp('me')"
AGAIN = "Where should I look?"

_STEP = re.compile(r"(?:(_\d)=)?([a-z]+)\((?:'([^']*)')?.*\)")
_USED = re.compile(r"_\d(?!=)")


@dataclass(frozen=True, slots=True)
class Mended:
    """What was tried, and the plan that goes on from there."""

    intent: str
    history: tuple[Attempt, ...]
    plan: str


@dataclass(frozen=True, slots=True)
class Broken:
    """A plan in steps, of which number `at` fails; `arg` is what that step names, `looked` where it was looked for."""

    rng: Random
    table: Mapping[str, Any]
    steps: Sequence[str]
    at: int
    arg: str
    looked: list[str] = field(default_factory=list)

    @property
    def rest(self) -> list[str]:
        """The failed step and all that follow, with the questions whose answers they need before them."""
        later = list(self.steps[self.at :])
        needed = set(_USED.findall(";".join(later)))
        given = {m[1] for s in later if (m := _STEP.fullmatch(s)) and m[1]}
        before = [s for s in self.steps[: self.at] if (m := _STEP.fullmatch(s)) and m[1] in needed - given]
        if any("=ak(" not in s for s in before):
            raise Unsaid("a value that only seeing gives")
        return [BACK, *before, *later] if before and self.at > 1 else [*before, *later]

    @property
    def place(self) -> str:
        """Where the robot has driven before it failed; nothing where it asked the way."""
        went = [m[3] or "" for s in self.steps[: self.at] if (m := _STEP.fullmatch(s)) and m[2] == "mt"]
        return went[-1] if went else ""

    @property
    def room(self) -> str:
        return next((p["room"] for p in self.table["places"] if p["name"] == self.place), self.place)

    @property
    def holds(self) -> bool:
        hands = [m[2] for s in self.steps[: self.at] if (m := _STEP.fullmatch(s)) and m[2] in ("gr", "pt", "pl", "gv")]
        return bool(hands) and hands[-1] == "gr"


Mend = Callable[[Broken], "tuple[str, str, str]"]
"""From what broke: the intent, the reason of the failure, and the mended plan."""


def mended(rng: Random, plan: str, table: Mapping[str, Any], said: str) -> Mended:
    """One of the steps fails. Raises `Unsaid` where nothing is to be mended."""
    steps = plan.split(";")
    if steps[-1].startswith("->"):
        raise Unsaid("nothing to fail in a refusal")
    if rng.random() < 0.1:
        return _refused(rng, plan, said, table)
    at = rng.choice([i for i, s in enumerate(steps) if (m := _STEP.fullmatch(s)) and m[2] in _MENDS] or [-1])
    found = _STEP.fullmatch(steps[at])
    if at < 0 or found is None:
        raise Unsaid("no step that is likely to fail")
    broken = Broken(rng, table, steps, at, found[3] or "")
    intent, why, better = _MENDS[found[2]](broken)
    ran = [Ran(NAMES[m[2]]) for s in steps[:at] if (m := _STEP.fullmatch(s))]
    code = NOT_FOUND if found[2] in ("lo", "lp") else ""
    attempt = Attempt(plan, (*ran, Ran(NAMES[found[2]], (), "failed", why, None, code, tuple(broken.looked))), why)
    if better == plan and intent != "mend.again":
        raise Unsaid("the same plan once more")
    return Mended(intent, (attempt,), better)


def _refused(rng: Random, plan: str, said: str, table: Mapping[str, Any]) -> Mended:
    """An answer that was not run, since it held what does not exist: the command is read once more."""
    places = [p["name"] for p in table["places"]]
    wrong = rng.choice(("garage", "unicorn", "swimming pool", "lava lamp", "fridge door"))
    named = re.findall(r"(?:mt|lo|gr|pl)\('([^']+)'\)", plan)
    if not named:
        raise Unsaid("nothing named")
    if rng.random() < 0.3:
        ended = "This answer was not run. - the answer holds no call of a skill; write calls, with ; between them"
        return Mended("mend.refused", (Attempt("->False", (), ended),), plan)
    bad = plan.replace(f"'{rng.choice(named)}'", f"'{wrong}'", 1)
    problem = rng.choice((f"move_to: no place is called '{wrong}'", f"look_for_obj: no object is called '{wrong}'"))
    ended = f"This answer was not run. - {problem}. The places are {', '.join(places)}."
    return Mended("mend.refused", (Attempt(bad, (), ended),), plan)


def _lost_thing(b: Broken) -> tuple[str, str, str]:
    """Look in a room where nobody has looked, and in the end say so."""
    known = {t["name"]: t["category"] for t in b.table["objects"]}
    usual = {c["name"]: c["place"] for c in b.table["categories"]}
    ones = {a: c["name"] for c in b.table["categories"] for a in c["aliases"]}
    category = known.get(b.arg, ones.get(b.arg, ""))
    if not b.arg or not b.place or category not in usual:
        if b.arg and b.arg != "object" and b.place:
            b.looked.append(b.place)
            why = f"found no {b.arg}: looked at the {b.place}"
            return "mend.not-there", why, f"{BACK};sp('I am sorry, I could not find the {b.arg}.');->False"
        raise Unsaid("no thing of a name")
    looked = _looked(b, usual[category])
    left = unseen(looked, b.table)
    every = [p["name"] for p in b.table["places"] if p.get("placement")]
    if left and b.rng.random() < 0.2:  # all was searched in earlier rounds
        looked, left = every, []
    b.looked.extend(looked)
    why = f"found no {b.arg}: looked at the {_and(looked)}"
    if usual[category] not in looked:
        why += f"; it usually is on the {usual[category]}"
    if left:
        return "mend.elsewhere", why, ";".join([f"mt('{left[0]}')", *b.rest])
    return "mend.nowhere", why, f"{BACK};sp('I am sorry, I could not find the {b.arg}.');->False"


def _looked(b: Broken, usual: str) -> list[str]:
    """What the search looks at from here: this place, the others of the room, the usual one."""
    here = [p["name"] for p in b.table["places"] if p["room"] == b.room and p.get("placement")]
    return list(dict.fromkeys([*sorted(here, key=lambda n: n != b.place), usual]))


def _lost_person(b: Broken) -> tuple[str, str, str]:
    """Ask whoever gave the command where else to look; the second time say so."""
    if not b.arg or b.arg == "me" or not b.place:
        raise Unsaid("nobody in particular")
    why = f"found no {b.arg} in the {b.room}; {b.rng.choice(('saw nobody', 'saw somebody (sitting)', 'saw nobody'))}"
    if any("=ak(" in s for s in b.steps):
        who = b.arg if b.arg[0].isupper() else f"the {b.arg}"
        return "mend.nobody", why, f"{BACK};sp('I am sorry, I could not find {who}.');->False"
    who = b.arg if b.arg[0].isupper() else f"the {b.arg}"
    asks = f"_1=ak('I did not find {who}. {AGAIN}')"
    return "mend.ask-where", why, ";".join([BACK, asks, "mt(_1)", *b.rest])


def _blocked(b: Broken) -> tuple[str, str, str]:
    """A door can be opened by somebody; anything else may be gone the next time."""
    if not b.arg or b.arg == "initial location":
        raise Unsaid("no place of a name")
    spot = f"(x {b.rng.uniform(0, 9):.1f} m, y {b.rng.uniform(0, 7):.1f} m)"
    if b.rng.random() < 0.6:
        door = f"{b.rng.choice(b.table['rooms'])['name']} door"
        why = f"the way to the {b.arg} is blocked at the {door} {spot}; it may be closed: ask somebody near to open it"
        return "mend.door", why, ";".join([BACK, f"ak('Could you open the {door}, please?')", *b.rest])
    why = f"the way to the {b.arg} is blocked at the {b.rng.choice(b.table['rooms'])['name']} {spot}"
    return "mend.again", why, ";".join(b.rest)


def _ungrasped(b: Broken) -> tuple[str, str, str]:
    """Go there and look again, then grasp."""
    if not b.place or not b.arg:
        raise Unsaid("no place to go back to")
    why = b.rng.choice((
        f"could not grasp the {b.arg}: the fingers closed on nothing",
        f"could not grasp the {b.arg}: the arm does not get there: something is in its way",
        f"do not see the {b.arg} from here; look_for_obj first",
    ))  # fmt: skip
    found = next((s for s in reversed(b.steps[: b.at]) if s.startswith("lo(")), "")
    if not found or "_" in found:
        raise Unsaid("it was not looked for by its name")
    return "mend.grasp", why, ";".join([f"mt('{b.place}')", found, *b.rest])


def _unfollowed(b: Broken) -> tuple[str, str, str]:
    if not b.arg or b.arg == "me":
        raise Unsaid("nobody of a name")
    found = next((s for s in reversed(b.steps[: b.at]) if s.startswith("lp(")), "")
    return "mend.lost", f"lost sight of {b.arg} in the corridor", ";".join([found, *b.rest])


def _untaken(b: Broken) -> tuple[str, str, str]:
    if not b.arg or not b.holds:
        raise Unsaid("nothing to give")
    if any(b.arg == p["name"] for p in b.table["places"]):
        raise Unsaid("a place takes everything")
    return "mend.untaken", "nobody took the thing", ";".join([f"lp('{b.arg}')", *b.rest])


def _unput(b: Broken) -> tuple[str, str, str]:
    """Another place, if there is no room; else once more."""
    if not b.arg:
        raise Unsaid("no place of a name")
    if b.rng.random() < 0.5:
        why = f"there is no free spot on the {b.arg} for the thing"
        asks = f"_1=ak('The {b.arg} is full. Where should I put it?')"
        return "mend.full", why, ";".join([BACK, asks, "pl(_1)", *b.steps[b.at + 1 :]])
    why = f"could not put the thing on the {b.arg}: the arm does not get there: something is in its way"
    return "mend.put", why, ";".join([f"mt('{b.arg}')", *b.rest])


def _unanswered(b: Broken) -> tuple[str, str, str]:
    if b.at:
        raise Unsaid("asked of somebody else")
    why = f"nobody answered the question '{b.arg}'; is anybody near?"
    return "mend.unanswered", why, ";".join(["lp('me')", *b.rest])


def _unknown(b: Broken) -> tuple[str, str, str]:
    why = f"there is no {b.arg} here; saw {b.rng.choice(('nothing', 'cup and plate'))}"
    return "mend.not-seen", why, f"{BACK};sp('I am sorry, I could not find that out.');->False"


_MENDS: Mapping[str, Mend] = {
    "lo": _lost_thing, "lp": _lost_person, "mt": _blocked, "gr": _ungrasped, "f": _unfollowed, "pt": _untaken,
    "gv": _untaken, "pl": _unput, "ak": _unanswered, "oi": _unknown,
}  # fmt: skip


def _and(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]
