"""The short form of a step: what the embedded model reads before the next one, and what it writes.

    <next>two lemons to the purchase table<memory>fruit on fruit table:apple,lemon,plum;toy on toy rack:shark toy;
        receiving shelf(purchase table) in;basket box;entrance start<see>
        <do>lemon to receiving shelf;lemon to receiving shelf<end>
    <next>two lemons to the purchase table<memory>fruit on fruit table;toy on toy rack;receiving shelf in;basket box
        <goal>lemon to receiving shelf here;lemon to receiving shelf
        <ran>go fruit table<see>at fruit table;hand empty;lemon yellow fruit,lemon yellow fruit<do>pick lemon<end>

The first answer says what goes where (`from` a place where the wish names one); later ones are a step each. The planner
tells of a goal over all ("every red toy") which one is due. What a person would see at a glance is worked out: whether
the thing that is due is `held`, `here`, `at` another place, `unseen` where it was gone for, `lost` (where it may still
be), `settled` without the robot, or `none` is left of every one. Aliases are shown where the wish uses them. `filled`
and `back` make of what was written what the planner reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from sayso.forms import Form, brief_of
from sayso.models.pocket.text import clean
from sayso.parts import Brief, Prompt
from sayso.robots.warehouse.constraint import GIVE_UP, StepConstraint
from sayso.robots.warehouse.moment import SHORT, Moment, moment
from sayso.robots.warehouse.names import EVERY, HOME, MISPLACED, THING, Table, parted
from sayso.robots.warehouse.reading import WishForm

ROUNDS = 2
"""So often each place is looked at before a thing is lost."""

RAN_MAX, GOALS_MAX, HERE_MAX, SEEN_MAX, LEFT_MAX = 5, 4, 10, 12, 5

_GOAL = re.compile(r"(.+?)(?: from (.+))? to (.+)")
_WAY = re.compile(r"go -?[\d.]+, ?-?[\d.]+")
_LONG = {short: long for long, short in SHORT.items()}


class StepForm(Form):
    """The goals of a wish, then a step at a time."""

    ways = frozenset({"stepwise"})
    lessons, threshold, streams = "warehouse", "stepwise", False
    better = WishForm()

    def reads(self, prompt: Prompt) -> str:
        return step_input(brief_of(prompt))

    def constraint(self, prompt: Prompt, reads: str) -> StepConstraint:
        return StepConstraint(Table.read(brief_of(prompt).knowledge))

    def answer(self, prompt: Prompt, written: str) -> str:
        brief = brief_of(prompt)
        return back(filled(written, moment(brief)), first=not brief.history)

    def declined(self, prompt: Prompt, says: str) -> str:
        return f"give_up({says})"


def step_input(brief: Brief, now: Moment | None = None) -> str:
    """A brief in short, up to the mark behind which the goals or the step begin."""
    now, wish = now or moment(brief), clean(brief.instruction)
    failed = f"<failed>{now.failed}" if now.failed else ""
    if not brief.history:
        return f"<next>{wish}<memory>{_named(now.names, wish, True)}{failed}<see>{_known(now, wish)}<do>"
    goals = ";".join([_goal(now, goal, first=not n) for n, goal in enumerate(now.goals[:GOALS_MAX])])
    ran = ";".join(f"{skill} {bare_point(arg)}{'' if worked else '!'}" for skill, arg, worked in now.ran[-RAN_MAX:])
    memory = _named(now.names, wish, False)
    return f"<next>{wish}<memory>{memory}<goal>{goals}<ran>{ran}{failed}<see>{_see(now)}<do>"


def _named(names: Table, wish: str, kinds: bool) -> str:
    """Places with what belongs there; at first also all kinds of things, with the names that the wish has for them."""
    said = names.said(wish) if kinds else {}

    def shown(name: str) -> str:
        return f"{name}({said[name]})" if name in said else name

    parts = []
    for category, home in names.homes.items():
        some = [shown(k) for k, c in names.kinds.items() if c == category] if kinds else []
        use = f" {names.purpose[home]}" if names.purpose.get(home) else ""
        parts.append(f"{shown(category)} on {shown(home)}{use}{':' if some else ''}{','.join(some)}")
    others = [p for p in names.places if p not in names.homes.values()]
    parts += [f"{shown(p)} {names.purpose[p]}".strip() for p in others]
    return ";".join(parts)


def _known(now: Moment, wish: str) -> str:
    """What is known of where things are before the first step: what has to do with the wish, where there is much."""
    every = [(place, thing) for place, things in now.there.items() for thing in things]
    if len(every) > SEEN_MAX:
        words = set(wish.split())
        near = [
            e for e in every if words & set(re.findall(r"[a-z]+", f"{e[1]} {now.names.kinds.get(parted(e[1])[0])}"))
        ]
        every = (near or every)[:SEEN_MAX]
    spots = dict.fromkeys(place for place, _ in every)
    return ";".join(f"{spot}:{','.join(' '.join(parted(t)) for p, t in every if p == spot)}" for spot in spots)


def _goal(now: Moment, goal: str, first: bool) -> str:
    """The one that is due with how it stands; of others what has to be written again."""
    parts = _GOAL.fullmatch(goal)
    if not parts:
        return goal
    thing, source, to = parts[1], parts[2] or "", parts[3]
    if first:
        return f"{thing} to {to} {hint(now, thing, source, to)}"
    return goal if thing.startswith(f"{EVERY} ") else f"{thing} to {to}"


def hint(now: Moment, thing: str, source: str, to: str) -> str:
    """How it stands with the thing that is due."""
    fits = now.names.fits
    if thing.startswith(f"{EVERY} "):
        return "none"  # else the planner had told which one is due
    if now.hand:
        return "held" if not now.wrong and (now.hand == THING or fits(thing, now.hand, source)) else "other"
    put = sum(p == now.at and (fits(thing, t) or t == thing) for t, p in now.put) if now.at != source else 0
    if sum(fits(thing, t, now.at) for t in now.here) > put and (now.at != to or source == to):
        return "here"
    if dropped := [point for label, point in now.fell if fits(thing, label) and not now.at_point(point)]:
        return f"at {dropped[-1]}"
    if now.last("go") and now.ran[-1][2] and (now.at != to or source == to):
        return "unseen"  # the hand's own look is another one
    seen = [p for p in (source, *now.there) if p != to and p != now.at and _there(now, thing, p, source)]
    if seen:
        return f"at {seen[0]}"
    tried = now.tried(thing)
    if source not in tried and source in now.names.places:
        return f"at {source}"
    again = [p for t, p in now.put if p not in (to, now.at) and (fits(thing, t) or t == thing)]
    if again:
        return f"at {again[-1]}"  # the only one there is may have to be fetched from where it was put
    looked = now.since(thing)
    left = [p for p in (*(p for p in now.names.spots if p != to), to) if p != source and p != now.at]
    left = [p for p in left if looked.count(p) < (ROUNDS if tried.count(source) > 1 else 1)]
    left.sort(key=lambda p: (looked.count(p), p in now.lately))
    if not left and tried.count(source) == 1:
        left = [source]
    if not left and _there(now, thing, to, source, now.here if now.at == to else None):
        return "settled" if now.at == to else f"at {to}"  # somebody else has brought it, as it seems; that is looked at
    return " ".join(["lost", ",".join(left[:LEFT_MAX])]).strip()


def _there(now: Moment, thing: str, place: str, source: str, seen: Sequence[str] | None = None) -> bool:
    """Whether it was seen at a place, besides what was put there on purpose."""
    put = sum(p == place and now.names.fits(thing, t) for t, p in now.put) if place != source else 0
    known = now.there.get(place, ()) if seen is None else seen
    return sum(now.names.fits(thing, t, place) for t in known) > put


def _see(now: Moment) -> str:
    names = now.names
    shown = [
        " ".join(filter(None, (*parted(t), names.kinds.get(parted(t)[0], ""),
                               MISPLACED if names.misplaced(parted(t)[0], now.at) else "")))
        for t in now.here[:HERE_MAX]
    ]  # fmt: skip
    put = f";put {len(now.put)}" if now.put else ""
    return f"at {now.at or 'floor'};hand {now.hand or 'empty'}{put};{','.join(shown)}"


def filled(short: str, now: Moment) -> str:
    """What was written, with where each thing is to be looked for: where memory has it, else where it belongs; what a

    look has shown is here, and what was owed before stays as it was.
    """
    parts = [p.strip() for p in short.partition("<end>")[0].split(";") if p.strip()]
    return ";".join(whole for part in parts for whole in _whole(part, now))


def _whole(part: str, now: Moment) -> list[str]:
    goal = None if part.startswith(GIVE_UP) else _GOAL.fullmatch(part)
    if not goal:
        return [_pointed(part, now)]
    thing, source, to, names = goal[1], goal[2] or "", goal[3], now.names
    every = thing.startswith(f"{EVERY} ")
    if to == HOME and not every:
        to = _home(thing, names) or to
    for owed in now.goals:
        if (known := _GOAL.fullmatch(owed)) and (known[1], known[3]) == (thing, to):
            source = known[2] or ""
            if not every:
                return [owed]
    if every and source:
        return [f"{thing} on {source} from {source} to {to}"]
    if not source and not every and now.ran and now.at:
        source = now.at
    return [f"{thing} from {source or source_of(thing, now)} to {to}"]


def _pointed(step: str, now: Moment) -> str:
    """A way to a point of the floor, as it was told: a sign is soon lost in copying."""
    told = [point for _, point in now.fell]
    if now.failed.startswith("fell "):
        told.append(now.failed.removeprefix("fell "))
    if not told or not _WAY.fullmatch(step) or step.removeprefix("go ") in told:
        return step
    return f"go {told[-1]}"


def _home(thing: str, names: Table) -> str:
    """Where a thing belongs; empty for things of any kind."""
    kind = names.kind_in(thing.removeprefix(f"{EVERY} "))
    return names.homes.get(names.kinds.get(kind, kind), "")


def source_of(thing: str, now: Moment) -> str:
    """Where to look for a thing first: where it belongs, unless memory has it only elsewhere."""
    names = now.names
    wrong = [p for p in names.spots if p in names.tables] if MISPLACED in thing.split() else []
    home = _home(thing, names) or next(iter(wrong or names.spots), "")
    there = [place for place, seen in now.there.items() if any(names.fits(thing, s, place) for s in seen)]
    return home if home in there or not there or thing.startswith(f"{EVERY} ") else there[0]


def back(short: str, first: bool) -> str:
    """Whole goals, or a step, as the planner reads them."""
    parts = [p for p in short.split(";") if p]
    if len(parts) == 1 and not _is_goal(parts[0]) and not (first and parts[0].startswith("go ")):
        return json.dumps({"step_by_step_reasoning": "", "next_action": _calls(parts[0])[0]})
    calls = [call for part in parts for call in _calls(part)]
    if not calls:
        return ""
    listed = calls if calls[-1] == "done" else [*calls, "done"]
    return json.dumps({"reasoning": "", "action_list": listed, "first_action": calls[0]})


def _is_goal(part: str) -> bool:
    return not part.startswith(GIVE_UP) and _GOAL.fullmatch(part) is not None


def _calls(part: str) -> list[str]:
    if _is_goal(part) and (goal := _GOAL.fullmatch(part)):
        thing, source, to = goal[1], goal[2] or "", goal[3]
        return [f"go_to({source})", f"pick_up({thing})", f"go_to({to})", f"place({thing})"]
    if part == "done":
        return ["done"]
    if part.startswith(GIVE_UP):
        return [f"give_up({part.removeprefix(GIVE_UP).strip() or 'I do not know how'})"]
    verb, _, rest = part.partition(" ")
    return [f"{_LONG.get(verb, verb)}({rest})"]


def bare_point(text: str) -> str:
    return text.lower().replace("_", " ").strip()
