"""The wish of a search: who or what is missing, where to look, and what to do on a find.

This is the structured form of an operator's sentence. It is shown back in words before anything flies (`in_words`), and
it may change in flight (`differs`): beliefs then follow the change, and are not begun again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from sayso.goal import IT, All, Amount, Clause, Each, Never, Pred, Then, Which, Within
from sayso.grounding.inflection import definite, indefinite, plural, row
from sayso.grounding.lexicon import is_a
from sayso.robots.aircraft.search.lost import Subject
from sayso.robots.aircraft.search.terrain import Terrain
from sayso.tables import toml

DOES: Mapping[str, str] = toml(__package__, "wish.toml")["does"]
STEPS = tuple(DOES)
"""What may be asked for on a find, in the order in which it makes sense."""

MOBILITIES = ("still", "slow", "walking", "unknown")


@dataclass(frozen=True, slots=True)
class Sought:
    """Someone or something to be found. Empty text and None mean: not said.

    `toward` is a place that attracts it, `seen_at` where it was last seen, `seen_ago_s` how long ago. `category` is the
    searchers' word for a kind of lost person (dementia, child, hiker), which says how far they go. `count` are so many
    of which the same is said: each of them is an individual.
    """

    label: str
    colour: str = ""
    size_m: float | None = None
    mobility: str = "unknown"
    toward: str = ""
    seen_at: str = ""
    seen_ago_s: float | None = None
    category: str = ""
    count: int = 1

    def facts(self) -> list[str]:
        """What is said of it, each as a name and a value."""
        known = {
            "colour": self.colour,
            "size": f"{self.size_m:g}" if self.size_m else "",
            "moves": self.mobility if self.mobility != "unknown" else "",
            "toward": self.toward,
            "seen": self.seen_at,
            "ago": "" if self.seen_ago_s is None else f"{self.seen_ago_s / 60:g}",
            "category": self.category,
            "count": str(self.count) if self.count > 1 else "",
        }
        return [f"{name} {value}" for name, value in known.items() if value]

    def __str__(self) -> str:
        facts = [
            f"{self.size_m:g} m long" if self.size_m else "",
            {"still": "not moving", "slow": "moving slowly", "walking": "on foot"}.get(self.mobility, ""),
            f"toward {self.toward}" if self.toward else "",
            f"last seen at {self.seen_at}" if self.seen_at else "",
            f"{self.seen_ago_s / 60:g} min ago" if self.seen_ago_s is not None else "",
            self.category if self.category != self.label else "",
        ]
        named = f"{self.colour} {self.label}".lstrip()
        named = f"{self.count} {plural(named)}" if self.count > 1 else indefinite(named)
        told = ", ".join(f for f in facts if f)
        return f"{named} ({told})" if told else named


@dataclass(frozen=True, slots=True)
class Bounds:
    """What holds throughout a search. Heights are metres above the ground, None and empty: not said.

    `under_m` must not be reached, `most_m` and `least_m` may be; `at_m` is where a search is flown. `off` is ground
    that is not flown over. It is to be back `within_s` seconds after that was said, with `reserve` of the charge left.
    """

    under_m: float | None = None
    most_m: float | None = None
    least_m: float | None = None
    at_m: float | None = None
    off: tuple[str, ...] = ()
    within_s: float | None = None
    reserve: float | None = None

    def levels(self, known_m: Sequence[float]) -> tuple[float, ...]:
        """Those of the heights from which it may be searched: the one that was said, or the next one below."""
        fit = [h for h in known_m if h < (self.under_m or math.inf) and (self.least_m or 0.0) <= h]
        most_m = min(self.most_m or math.inf, self.at_m or math.inf)
        fit = [h for h in fit if h <= most_m]
        return tuple(fit[-1:]) if self.at_m else tuple(fit)

    def __str__(self) -> str:
        return ", ".join(
            text
            for said, text in (
                (self.under_m, f"below {self.under_m or 0:g} m"),
                (self.most_m, f"at most {self.most_m or 0:g} m above the ground"),
                (self.least_m, f"at least {self.least_m or 0:g} m above the ground"),
                (self.at_m, f"at {self.at_m or 0:g} m"),
                (self.off, f"not over {row(self.off)}"),
                (self.within_s, f"back within {(self.within_s or 0) / 60:g} min"),
                (self.reserve, f"back with {self.reserve or 0:.0%} of the battery"),
            )
            if said
        )


@dataclass(frozen=True, slots=True)
class SearchWish:
    """A search: every one of `sought` is to be found, in `areas` (everywhere where empty), never in `avoid`.

    `on_find` are steps out of `STEPS`; coming home is a limit of the robot's and not a wish, so "home" there only says
    that a find ends the search. `ordered`: the areas are searched one after the other. `report` is who is to be told of
    a find beside the operator, `left_out` what of the words stands nowhere in here. `over`: it is called off.
    `unconfirmed`: what is sighted is reported, and not flown to. `only` in its areas is searched; where not `must_find`
    that is what is wanted, whoever is there. With `rest` the areas come first, and then everywhere else.
    """

    sought: tuple[Sought, ...]
    areas: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    on_find: tuple[str, ...] = ("confirm", "home")
    ordered: bool = False
    bounds: Bounds = Bounds()
    report: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    over: bool = False
    unconfirmed: bool = False
    only: bool = False
    rest: bool = False
    must_find: bool = True

    @property
    def individuals(self) -> tuple[Sought, ...]:
        """Everyone and everything that is to be found, one by one."""
        return tuple(replace(one, count=1) for one in self.sought for _ in range(one.count))

    def in_words(self) -> str:
        """The mission as an operator can check it at a glance: a sentence for what, bounds and finds each."""
        if self.over:
            return "The search is called off: I return and land."
        where = f"in {row([definite(area) for area in self.areas])}" if self.areas else "everywhere"
        order = ", in this order" if self.ordered and len(self.areas) > 1 else ""
        leave = f", leaving out {row([definite(area) for area in self.avoid])}" if self.avoid else ""
        told = [f"I search for {row([str(s) for s in self.sought])} {where}{order}{leave}."]
        around = "come home" if self.only else "search everywhere else" if self.rest else "search on around there"
        told += [f"Where that finds nothing, I {around}."] if self.areas else []
        told += [f"I stay within this: {self.bounds}."] if self.bounds != Bounds() else []
        told += ["I report what is sighted and do not fly there."] if self.unconfirmed else []
        steps = {*self.on_find, *(() if self.unconfirmed else ("confirm",))}
        after = [DOES[step] for step in STEPS if step in steps] + [f"report to the {r}" for r in self.report]
        told += [f"On a find I {row(after)}."] if after else []
        return " ".join(told + ([f"I leave out: {row(self.left_out)}."] if self.left_out else []))

    def differs(self, other: SearchWish) -> tuple[str, ...]:
        """What `other` changes, in words; empty where nothing."""
        if other.over:
            return (other.in_words(),)
        changes = []
        before, after = dict(enumerate(self.sought)), dict(enumerate(other.sought))
        changes += [f"now also: {after[n]}" for n in after if n not in before]
        changes += [f"no longer: {before[n]}" for n in before if n not in after]
        changes += [f"{before[n]} is now {after[n]}" for n in before if n in after and before[n] != after[n]]
        if (self.areas, self.avoid) != (other.areas, other.avoid):
            changes.append(f"search {row(other.areas) if other.areas else 'everywhere'}")
        if self.ordered != other.ordered:
            changes.append("in this order" if other.ordered else "in any order")
        if self.bounds != other.bounds:
            changes.append(str(other.bounds) or "no bounds but my own")
        if self.on_find != other.on_find:
            changes.append(f"on a find {row(other.on_find)}")
        if self.unconfirmed != other.unconfirmed:
            changes.append("report what is sighted without flying there" if other.unconfirmed else "confirm sightings")
        changes += [f"report to the {one}" for one in other.report if one not in self.report]
        changes += [f"I leave out: {row(other.left_out)}"] if other.left_out else []
        return tuple(changes)

    def in_short(self) -> str:
        """The mission in one line: `find person;colour red|in north field|not forest|then confirm home`."""
        parts = [";".join([f"find {_flat(s.label)}", *map(_flat, s.facts())]) for s in self.sought]
        parts += [f"in {';'.join(map(_flat, self.areas))}"] if self.areas else []
        parts += [f"not {';'.join(map(_flat, self.avoid))}"] if self.avoid else []
        return "|".join([*parts, f"then {' '.join(self.on_find)}"])


def _flat(text: str) -> str:
    """Without the signs that part facts."""
    return " ".join(re.sub("[|;]", " ", text).lower().split())


SIZES_M: Mapping[str, float] = toml(__package__, "wish.toml")["size_m"]

THING_CATEGORY = "thing"
MOVING = ("person", "child", "animal", "boat")
"""What moves where nobody says that it does not, afloat too."""


@cache
def lies_still(label: str) -> bool:
    """Whether what is called so stays where it is, as things do."""
    return not any(label == kind or is_a(label, kind) for kind in MOVING)


def subject_of(sought: Sought, wish: SearchWish, terrain: Terrain) -> Subject:
    """The object as the map of probabilities needs it. Names must be those of the terrain (`UsageError`)."""
    thing = lies_still(sought.label)
    still = sought.mobility == "still" or (sought.mobility == "unknown" and thing)
    return Subject(
        label=sought.label,
        category=sought.category or (THING_CATEGORY if thing else "unknown"),
        size_m=_seen_size(sought),
        colour=sought.colour or "unknown",
        mobile=not still,
        attractor=sought.toward,
        seen_at=terrain.centre(sought.seen_at) if sought.seen_at else None,
        ago_s=math.inf if sought.seen_ago_s is None else sought.seen_ago_s,
        within=() if wish.rest else wish.areas,
    )


def _seen_size(sought: Sought) -> float:
    """Someone's height is not what shows from above."""
    usual = SIZES_M.get(sought.label, SIZES_M["person"])
    if sought.size_m is None:
        return usual
    return sought.size_m * 0.4 if sought.label in ("person", "child") else sought.size_m


def goal(wish: SearchWish) -> Clause:
    """What a sentence asks for, as the world's truth tells it: everyone confirmed, pictures of them where they are
    asked for, and home again."""
    found = (_found(sought, "image" in wish.on_find) for sought in wish.sought)
    return All((*found, Pred("home"), Pred("landed")))


def _found(sought: Sought, pictured: bool) -> Clause:
    which = Which(sought.label, (sought.colour,) if sought.colour else (), sought.count)
    meant = which if sought.count == 1 else Which(IT)
    confirmed = Pred("confirmed", (meant,))
    asked = Then((confirmed, Pred("picture", (meant,)))) if pictured else confirmed
    return asked if sought.count == 1 else Each(which, asked)


def wanted(wish: SearchWish, kept_off: Sequence[str], found_some: bool = True) -> Clause:
    """The same as far as the aircraft observes it: no camera tells a colour, the operator's word does; what is in an
    image it does not know. Of areas that are to be searched that they are, until it has `found_some`. With it, ground
    that can be `kept_off`, and the time."""
    if wish.over:
        return All((Pred("home"), Pred("landed")))
    found = [_found(Sought(sought.label, count=sought.count), False) for sought in wish.sought]
    if not (wish.must_find or found_some):
        found = [Pred("covered", (Which(area),)) for area in wish.areas]
    off = (Never(Pred("over", (Which(name),))) for name in kept_off)
    clause: Clause = All((*found, Pred("home"), Pred("landed"), *off))
    return Within(Amount(wish.bounds.within_s, "s"), clause) if wish.bounds.within_s else clause
