"""The short form of a step: what the small model reads before the next one, and what it writes. Pure: text from data.

    <next>two lemons to the purchase table<memory>fruit on fruit table:apple,lemon,plum;toy on toy rack:shark toy;
        receiving shelf(purchase table) in;basket box;entrance start<see>
        <do>lemon to receiving shelf;lemon to receiving shelf<end>
    <next>two lemons to the purchase table<memory>fruit on fruit table;toy on toy rack;receiving shelf in;basket box
        <goal>lemon to receiving shelf here;lemon to receiving shelf
        <ran>go fruit table<see>at fruit table;hand empty;lemon yellow fruit,lemon yellow fruit<do>pick lemon<end>

The first answer says what goes where (`from` a place where the wish names one); later ones are a step each. The
planner tells of a goal over all ("every red toy") which one is due, and of an answer that it did not accept what it
lacked. What a person would see at a glance is worked out: whether the thing that is due is `held`, `here`, `at` another
place, `unseen` where it was gone for, `lost` (where it may still be), `settled` without the robot, or `none` is left of
every one. Aliases are shown where the wish uses them. `filled` and `back` make of what was written what the planner
reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sayso.parts import Brief

FAILURE_CHARS = 60
LATELY, ROUNDS = 9, 2
"""So many ways back, a place that was looked at is looked at last; and so often each is, before a thing is lost."""

RAN_MAX, GOALS_MAX, HERE_MAX, SEEN_MAX, LEFT_MAX = 5, 4, 10, 12, 5
OTHERS = {"out": "out", "in": "in", "store": "store", "box": "box", "start": "start"}
"""What a place is for, in a word, where it is no home of a kind of things."""

COLOURS = ("red", "green", "blue", "yellow", "orange", "brown", "black", "white", "grey", "silver", "pink", "purple",
           "clear", "dark")  # fmt: skip
"""What every warehouse may have, besides the colours of its own table."""

EVERY, MISPLACED, HOME, THING = "every", "misplaced", "home", "thing"
GIVE_UP, LEFT_OUT = "give up", "left out: "

_GROUP = re.compile(r"on the ([^:;]+): ([^;]+)")
_LABEL = re.compile(r"(.+?) \((.+?)\)$")
_GOAL = re.compile(r"(.+?)(?: from (.+))? to (.+)")
_CALL = re.compile(r'(\w+)\("(.*?)"\)')
_SIDED = re.compile(r"(?:the )?\w+ (?:side|end) of (.+)")
_HOLDS = re.compile(r"the hand holds the (.+)$")
_REMEMBERED = re.compile(r"remembered: (.+?) \((.+?)\), (.+)")
_WAY = re.compile(r"go -?[\d.]+, ?-?[\d.]+")
_SHORT = {"go_to": "go", "pick_up": "pick", "place": "put"}
_LONG = {short: long for long, short in _SHORT.items()}

FAILURES: Sequence[tuple[str, str]] = (
    (r"go_to\('([^']+)'\)", "reach {0}"),
    (r"go to the (\w+) side", "reach {0} side of {at}"),
    (r"no free spot on this side", "reach far side of {at}"),
    (r"closed on nothing", "slipped"),
    (r"took the (.+?) instead of", "wrong {0}"),
    (r"fallen near x (-?[\d.]+), y (-?[\d.]+)", "fell {0}, {1}"),
    (r"is seen here", "not here"),
    (r"lost its way|stopped before the", "lost way"),
    (r"pushed onto that spot", "spot taken"),
    (r"no free spot on the", "full"),
    (r"in its way", "arm blocked"),
    (r"blocked|in the way|no way", "way blocked"),
    (r"already holds", "hand full"),
    (r"hand is empty", "hand empty"),
    (r"is called", "unknown name"),
)
"""What a failure comes to, by what its words contain; the first that fits."""


@dataclass(frozen=True)
class Names:
    """The robot's table of names, as far as steps need it."""

    places: tuple[str, ...]
    spots: tuple[str, ...]
    purpose: Mapping[str, str]
    homes: Mapping[str, str]
    tables: frozenset[str]
    kinds: Mapping[str, str]
    aliases: tuple[tuple[str, str], ...]
    colours: frozenset[str]

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> Names:
        places, kinds = table.get("places", ()), table.get("objects", ())
        said = [(a.lower(), e["name"]) for e in (*places, *kinds, *table.get("categories", ())) for a in e["aliases"]]
        return cls(
            places=tuple(p["name"] for p in places),
            spots=tuple(p["name"] for p in places if p.get("placement")),
            purpose={p["name"]: OTHERS.get(p.get("kind", ""), "") for p in places},
            homes={c["name"]: c["place"] for c in table.get("categories", ())},
            tables=frozenset(p["name"] for p in places if p.get("kind") == "home"),
            kinds={k["name"]: k["category"] for k in kinds},
            aliases=tuple(sorted(said, key=lambda a: -len(a[0]))),
            colours=frozenset([*COLOURS, *(w for k in kinds for w in str(k.get("paint", "")).split())]),
        )

    def said(self, wish: str) -> dict[str, str]:
        """The aliases in a wish, by the name that they stand for; longer ones first, none within a proper name."""
        found: dict[str, str] = {}
        taken: list[tuple[int, int]] = []
        for name in sorted((*self.places, *self.kinds, *self.homes), key=len, reverse=True):
            taken += [hit.span() for hit in _hits(name, wish)]
        for alias, name in self.aliases:
            for hit in _hits(alias, wish):
                if all(hit.end() <= a or hit.start() >= b for a, b in taken):
                    taken.append(hit.span())
                    found.setdefault(name, alias)
        return found

    def fits(self, thing: str, label: str, place: str = "") -> bool:
        """Whether a label such as `apple (red)` at a place can be what a goal calls so."""
        name, colour = parted(label)
        wanted = thing.removeprefix(f"{EVERY} ")
        kind = self.kind_in(wanted)
        category = self.kinds.get(name, "")
        if MISPLACED in wanted.split() and not self.misplaced(name, place):
            return False
        if kind in self.kinds and kind != name:
            return False
        if kind in self.homes and kind != category:
            return False
        colours = [w for w in wanted.removesuffix(kind).split() if w in self.colours]
        return not colour or all(w in colour.split() for w in colours)

    def kind_in(self, thing: str) -> str:
        """The kind or category at the end of a description; empty for any thing."""
        fitting = [n for n in (*self.kinds, *self.homes) if thing == n or thing.endswith(f" {n}")]
        return max(fitting, key=len, default="")

    def misplaced(self, name: str, place: str) -> bool:
        return place in self.tables and self.homes.get(self.kinds.get(name, ""), place) != place


@dataclass
class Moment:
    """What the notes and the history of a brief tell."""

    names: Names
    at: str = ""
    hand: str = ""
    here: list[str] = field(default_factory=list)
    there: dict[str, list[str]] = field(default_factory=dict)
    goals: list[str] = field(default_factory=list)
    looked: list[str] = field(default_factory=list)
    put: list[tuple[str, str]] = field(default_factory=list)
    fell: list[tuple[str, str]] = field(default_factory=list)
    ran: list[tuple[str, str, bool]] = field(default_factory=list)
    failed: str = ""
    refused: str = ""

    @property
    def wrong(self) -> bool:
        return self.failed.startswith("wrong ")

    @property
    def lately(self) -> list[str]:
        """Where it has been of late: what is not there now has not come since, with some luck."""
        gone = [bare(arg) for skill, arg, worked in self.ran if skill == "go" and worked]
        return gone[-LATELY:]

    def since(self, thing: str) -> list[str]:
        """Where it has been since it first reached for a thing in vain."""
        first = next((n for n, (s, a, ok) in enumerate(self.ran) if s == "pick" and a == thing and not ok), None)
        if first is None:
            return self.lately
        at = [bare(arg) for skill, arg, worked in self.ran[:first] if skill == "go" and worked]
        return [*at[-1:], *(bare(arg) for skill, arg, worked in self.ran[first:] if skill == "go" and worked)]

    def tried(self, thing: str) -> list[str]:
        """Places where a thing was reached for in vain."""
        at, places = "", []
        for skill, arg, worked in self.ran:
            if skill == "go":
                at = bare(arg) if worked else ""
            elif skill == "pick" and arg == thing and not worked:
                places.append(at)
        return places

    def at_point(self, point: str) -> bool:
        """Whether the last way led to that point of the floor."""
        return bool(self.ran) and self.ran[-1] == ("go", point, True)

    def last(self, skill: str) -> bool:
        return bool(self.ran) and self.ran[-1][0] == skill


def moment(brief: Brief, names: Names | None = None) -> Moment:
    """The state of a mission, read from its brief."""
    now = Moment(names or Names.read(brief.knowledge))
    for attempt in brief.history:
        if found := _CALL.search(attempt.plan):
            worked = not attempt.ran or any(": done" in line for line in attempt.ran)
            now.ran.append((_SHORT.get(found[1], found[1]), found[2], worked))
            if found[1] == "go_to":
                now.at = bare(found[2]) if worked and bare(found[2]) in now.names.places else ""
    for note in brief.notes:
        _note(now, note)
    if brief.history and not (now.ran and now.ran[-1][2]):
        now.failed = failure(brief.failure or brief.history[-1].ended, now.at)
    now.failed = now.refused or now.failed
    return now


def _note(now: Moment, note: str) -> None:
    """One line of what is known."""
    head, _, tail = note.partition(": ")
    if held := _HOLDS.search(note):
        now.hand = held[1]
    elif head == "open":
        now.goals.append(tail)
    elif head == "looked at":
        now.looked = tail.split(", ")
    elif head == "left out":
        now.refused = f"left out {tail}"
    elif head == "refused":
        now.refused = f"not {tail}"
    elif head == "fell":
        now.fell += [(a, b) for a, _, b in [tail.partition(" at ")]]
    elif head == "put down before":
        now.put = [(a, b) for a, _, b in (part.partition(" on the ") for part in tail.split(", "))]
    elif head.startswith("here at the "):
        now.here += _things(tail)
    elif head.startswith("seen before on the "):
        now.there[head.removeprefix("seen before on the ")] = _things(tail)
    elif head.startswith("seen from here"):
        for place, things in _GROUP.findall(note):
            if place == "floor" and not now.at:
                now.here += _things(things)
            elif place != "floor" and place not in now.there and place != now.at:
                now.there.setdefault(place, _things(things))
    elif found := _REMEMBERED.fullmatch(note):
        _remembered(now, found[1], found[2].split(", "), found[3])


def _remembered(now: Moment, name: str, likes: Sequence[str], rest: str) -> None:
    """A thing that memory knows, where this mission has not seen its place."""
    place = next((x for x in likes if x in now.names.places), "") or next(
        (p for p in now.names.places if f"at {p}," in rest), ""
    )
    if not place or "no longer there" in rest or place in now.looked:
        return
    colour = next((x for x in likes if x != place and x not in now.names.homes), "plain")
    here = now.there.setdefault(place, [])
    if sum(parted(t)[0] == name for t in here) < 1:
        here.append(f"{name} ({colour})")


def left_out(brief: Brief) -> list[str]:
    """The names that the planner missed in a first list."""
    return [
        name for note in brief.notes if note.startswith(LEFT_OUT) for name in note.removeprefix(LEFT_OUT).split(", ")
    ]


def step_input(brief: Brief, now: Moment | None = None) -> str:
    """A brief in short, up to the mark behind which the goals or the step begin."""
    now, wish = now or moment(brief), _clean(brief.instruction)
    failed = f"<failed>{now.failed}" if now.failed else ""
    if not brief.history:
        return f"<next>{wish}<memory>{_named(now.names, wish, True)}{failed}<see>{_known(now, wish)}<do>"
    goals = ";".join([_goal(now, goal, first=not n) for n, goal in enumerate(now.goals[:GOALS_MAX])])
    ran = ";".join(f"{skill} {bare_point(arg)}{'' if worked else '!'}" for skill, arg, worked in now.ran[-RAN_MAX:])
    memory = _named(now.names, wish, False)
    return f"<next>{wish}<memory>{memory}<goal>{goals}<ran>{ran}{failed}<see>{_see(now)}<do>"


def _named(names: Names, wish: str, kinds: bool) -> str:
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


def failure(text: str, at: str) -> str:
    """A failure in a word or two, with what it names."""
    for pattern, short in FAILURES:
        if found := re.search(pattern, text):
            return short.format(*found.groups(), at=at)
    return _clean(text.partition("\n")[0])[:FAILURE_CHARS]


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


def _home(thing: str, names: Names) -> str:
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


def parted(label: str) -> tuple[str, str]:
    """`apple (red)` as name and colour."""
    found = _LABEL.match(label)
    return (found[1], found[2]) if found else (label, "")


def bare(text: str) -> str:
    """A place without articles and the side that one stands at."""
    text = text.lower().replace("_", " ").strip()
    sided = _SIDED.fullmatch(text)
    return re.sub(r"^(?:the|an?) ", "", sided[1] if sided else text)


def bare_point(text: str) -> str:
    return text.lower().replace("_", " ").strip()


def _things(text: str) -> list[str]:
    return [t for t in text.split(", ") if t and t != "nothing"]


def _hits(name: str, wish: str) -> Iterable[re.Match[str]]:
    return re.finditer(rf"\b{re.escape(name)}(?:e?s)?\b", wish) if name.split()[0] in wish else ()


def _clean(text: str) -> str:
    from sayso.models.pocket.form import clean  # the form of forms, which imports this one

    return clean(text)
