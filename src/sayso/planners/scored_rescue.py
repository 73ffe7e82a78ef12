"""The search for lost people as a domain to weigh in: nine kinds of steps, their chances, and AEMS2's word on them.

What is believed comes from the scene alone: every look and every sighting that the aircraft has reported, put together
with the map, the subject's motion and the detection table in `sayso.search`. What is wanted comes from the operator's
sentence, read before take-off and again whenever it changes; beliefs follow the change and are never begun again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from sayso.parts import Attempt, Brief
from sayso.planners.scored_domain import Candidate, Kind, Verdict, literal
from sayso.scene import Scene, Thing
from sayso.search import lost
from sayso.search.craft import LEVELS_M, At, Charts, Course
from sayso.search.lost import Subject
from sayso.search.rescue import (
    CONFIRMED,
    NOTHING,
    SIGHTING,
    SearchWish,
    Surveys,
    chances,
    level_of,
    subject_of,
    truth_of,
)
from sayso.search.rescue.pay import Effort, LookAhead, Step
from sayso.search.sweep import Look, looks_in, sightings_of
from sayso.search.whereabouts import Whereabouts

LOW_M = 5.0
"""Below this height above the ground it stands."""

HOVER_S = 10.0
CLIMB = 0.015
"""Charge to change the level."""

UNLIKELY = 1e-9
"""A description rules nothing out for good: what it says may be wrong."""

OPEN = "unconfirmed"
"""The status of a sighting that nobody has decided on."""

LIKELY = 0.05
"""A sighting less likely true than this is no longer offered."""

KINDS = (
    ("take_off", "take off"),
    ("search_area", "search an area for what is missing"),
    ("confirm", "fly to a sighting and let the operator confirm or deny it"),
    ("ascend", "climb to a greater height, to see more ground at a time"),
    ("descend", "go down to a lower height, to see smaller things"),
    ("hover", "hover here and keep looking down"),
    ("take_image", "take one image of what is below"),
    ("perform_mapping", "map an area with overlapping pictures"),
    ("return_home", "fly home and land; this ends the search"),
)

FOLLOW_UP = {"image": "take_image", "hover": "hover"}
"""Steps of a wish that are actions of their own, and which."""


@dataclass(frozen=True, slots=True)
class Flight:
    """How the aircraft is: its place with height above the ground, its charge, and the time of its world."""

    at: At
    charge: float
    now_s: float = 0.0


@dataclass(slots=True)
class Hunted:
    """One object of the wish: the belief about it, what is planned for it, and whether it has been found."""

    where: Whereabouts
    surveys: Surveys
    ahead: LookAhead
    found: bool = False
    sightings: dict[str, Thing] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return self.where.subject.label


@dataclass(frozen=True, slots=True)
class Rules:
    """What bounds a search. `steps_max` counts every action; the last one is always the way home. `mapping_areas` are

    how many areas are offered for mapping, `effort` how far is looked ahead.
    """

    steps_max: int = 16
    mapping_areas: int = 6
    effort: Effort = field(default_factory=Effort)


class RescueDomain:
    """One search. `read` turns a brief into a wish (`running`: the one so far), `flight` tells how the aircraft is."""

    def __init__(
        self,
        charts: Charts,
        areas: Sequence[str],
        flight: Callable[[Brief], Flight],
        read: Callable[[Brief, SearchWish | None], Awaitable[SearchWish]],
        rules: Rules | None = None,
    ) -> None:
        self.charts, self.areas, self.rules = charts, tuple(areas), rules or Rules()
        self._flight_of, self._read = flight, read
        self.wish: SearchWish | None = None
        self.hunted: list[Hunted] = []
        self.flight = Flight((*charts.terrain.home, 0.0), 1.0)
        self.steps: list[Attempt] = []
        self._known: set[str] = set()
        self._instruction = ""
        self._brief: Brief | None = None
        self._chosen: Candidate | None = None
        self._flew = False
        self._reach: list[str] | None = None
        self._barred: frozenset[str] = frozenset()
        self._followed: set[str] = set()
        self._news: list[str] = []

    # What has happened

    async def take_in(self, brief: Brief) -> None:
        """The wish where it is new or has changed; then every look that is new in the scene."""
        if brief.instruction != self._instruction:
            wish = await self._read(brief, self.wish)
            self._news += self.wish.differs(wish) if self.wish else (f"understood: {wish.in_words()}",)
            self._follow(wish)
            self._instruction = brief.instruction
        self._brief, self.flight, self._reach = brief, self._flight_of(brief), None
        self._flew = self._flew or self.flying
        failed = _failed(brief)
        fresh = [look for look in looks_in(brief.scene) if look.id not in self._known]
        heard = [self._learn(hunted, fresh, brief.scene) for hunted in self.hunted]
        self._known |= {look.id for look in fresh}
        for hunted, (seen, _) in zip(self.hunted, heard, strict=True):
            hunted.where.advance(self.flight.now_s)
            self._grow(hunted, seen, failed)
        self._remember([line for _, lines in heard for line in lines], failed)

    def _follow(self, wish: SearchWish) -> None:
        """What is new to be found gets a belief; what was sought before keeps its own, cut to what is now said."""
        terrain, model = self.charts.terrain, self.charts.model
        before = list(self.hunted)
        after = []
        for sought in wish.sought:
            subject = subject_of(sought, wish, terrain)
            old = next((h for h in before if h.label == sought.label), None)
            if old is None:
                after.append(self._hunt(Whereabouts(subject, terrain, model)))
            else:
                before.remove(old)
                after.append(self._retold(old, subject))
        self.wish, self.hunted = wish, after

    def _retold(self, old: Hunted, subject: Subject) -> Hunted:
        """The same object as it is described now: its map stays and takes what is newly said as evidence."""
        if subject == old.where.subject:
            return old
        terrain = self.charts.terrain
        fresh = Whereabouts(subject, terrain, self.charts.model)
        fresh.advance(old.where.now_s)
        said = lost.prior(subject, terrain) / np.maximum(lost.prior(old.where.subject, terrain), UNLIKELY)
        fresh.belief = old.where.belief
        fresh.belief.multiply(said + UNLIKELY)
        return self._hunt(fresh, old)

    def _hunt(self, where: Whereabouts, old: Hunted | None = None) -> Hunted:
        surveys = Surveys(where, self.charts, self.areas)
        fresh = Hunted(where, surveys, LookAhead(where, surveys, self.rules.effort))
        if old:
            fresh.found, fresh.sightings = old.found, old.sightings
        return fresh

    def _learn(self, hunted: Hunted, looks: Sequence[Look], scene: Scene) -> tuple[int, list[str]]:
        """New looks: belief and open sightings of one object; what was observed, and in words."""
        seen, told = NOTHING, list[str]()
        for look in looks:
            reported = sightings_of(look, scene)
            hunted.where.learn(look, reported)
            alike = [s for s in reported if s.label == hunted.label and s.pose is not None]
            hunted.sightings |= {s.id: s for s in alike}
            seen = SIGHTING if alike else seen
            told += [f"sighted a {s.label} ({self._truth(hunted, s):.0%} likely)" for s in alike]
            if look.asked in hunted.sightings:
                del hunted.sightings[look.asked]
                yes = look.said == "yes"
                hunted.found, seen = hunted.found or yes, CONFIRMED if yes else NOTHING
                told.append(f"the operator {'confirms' if yes else 'denies'} the {hunted.label}")
        decided = {t.id for t in scene if t.attributes.get("status", OPEN) != OPEN}
        hunted.sightings = {id_: s for id_, s in hunted.sightings.items() if id_ not in decided}
        return seen, told

    def _grow(self, hunted: Hunted, seen: int, failed: str) -> None:
        """The tree goes on below what was done, if that was what was chosen."""
        step = self._step(self._chosen) if self._chosen and not failed else None
        if step is None:
            hunted.ahead.forget()
        else:
            hunted.ahead.observe(step, seen)

    def _remember(self, news: Sequence[str], failed: str) -> None:
        """The step so far as history; one that failed is not offered again before another one was done."""
        if self._chosen is None:
            return
        self._barred = self._barred | {self._chosen.statement} if failed else frozenset()
        if self.all_found and not failed:
            self._followed.add(self._chosen.kind)
        self.steps.append(Attempt(self._chosen.says, ended="; ".join(news) or failed or "nothing new"))
        self._chosen = None

    # What a model is told

    def news(self) -> Sequence[str]:
        """How the operator's sentence was understood, before anything flies; and what a later one changes."""
        news, self._news = self._news, []
        return news

    def told(self) -> Brief:
        assert self._brief is not None and self.wish is not None
        brief = self._brief
        return Brief(
            brief.instruction, brief.skills, history=tuple(self.steps), limits=brief.limits, notes=tuple(self._state())
        )

    def _state(self) -> list[str]:
        lines = [f"in the air at {self.flight.at[2]:.0f} m" if self.flying else "on the ground"]
        lines.append(f"battery {self.flight.charge:.0%}, {self.rules.steps_max - len(self.steps)} actions left")
        for hunted in self.hunted:
            lines.append(f"{hunted.label}: {'found and confirmed' if hunted.found else 'not found yet'}")
        lines.append(f"areas within reach of the battery: {len(self._reachable())}")
        open_ = [f"{s.label} {self._truth(h, s):.0%} likely" for h, s in self._open()]
        lines.append(f"sightings not checked: {', '.join(open_) or 'none'}")
        return [*lines, *(f"still to do: {says}" for says in self._follow_up())]

    def _follow_up(self) -> list[str]:
        """What the operator wants done on a find, once everyone is found, and has not been done yet."""
        assert self.wish is not None
        asked = [kind for step, kind in FOLLOW_UP.items() if step in self.wish.on_find]
        return [dict(KINDS)[kind] for kind in asked if self.all_found and kind not in self._followed]

    # Say × Can × Pay

    @property
    def flying(self) -> bool:
        return self.flight.at[2] > LOW_M

    @property
    def all_found(self) -> bool:
        return bool(self.hunted) and all(h.found for h in self.hunted)

    @property
    def could_search(self) -> bool:
        """Whether there was still an area within reach, when last asked."""
        return bool(self._reachable())

    def over(self) -> Verdict | None:
        """On the ground again, or out of actions there."""
        if self.flying or not (self._flew or len(self.steps) >= self.rules.steps_max):
            return None
        found = [h.label for h in self.hunted if h.found]
        missing = [h.label for h in self.hunted if not h.found]
        told = f"found {', '.join(found) or 'nothing'}" + (f", not {', '.join(missing)}" if missing else "")
        return Verdict(not missing, f"home again; {told}")

    def kinds(self) -> Sequence[Kind]:
        """The nine kinds; Can-pre is 0 for what cannot be now."""
        return [Kind(name, says, self._can(name)) for name, says in KINDS]

    def _can(self, name: str) -> float:
        """The probability that the preconditions hold. Getting home with the last action is one of everything."""
        if not self.flying:
            return float(name == "take_off" and not self._flew)
        if name == "return_home":
            return 1.0
        if name == "take_off" or len(self.steps) >= self.rules.steps_max - 1:
            return 0.0
        if name in ("search_area", "perform_mapping"):
            return float(not self.all_found and bool(self._reachable()))
        if name == "confirm":
            return max((self._truth(h, s) for h, s in self._open()), default=0.0)
        if name in ("ascend", "descend"):
            return float(not self.all_found and bool(self._levels(name)))
        return float(self._left(self.charts.hover(self.flight.at, HOVER_S)))

    def candidates(self, kind: str) -> Sequence[Candidate]:
        """Every step of a kind, Can-comp with each; none that has just failed."""
        return [c for c in self._candidates(kind) if c.statement not in self._barred]

    def _candidates(self, kind: str) -> Sequence[Candidate]:
        if kind == "search_area":
            found = self._finds()
            return [Candidate(kind, f"search_area({literal(a)})", f"search {a}", found[a]) for a in self._reachable()]
        if kind == "perform_mapping":
            found = self._finds()
            best = sorted(self._reachable(), key=lambda a: -found[a])[: self.rules.mapping_areas]
            return [Candidate(kind, f"perform_mapping({literal(a)})", f"map {a}", found[a]) for a in best]
        if kind == "confirm":
            return [
                Candidate(
                    kind, f"confirm({literal(s.id)})", f"confirm the {s.label} sighted as {s.id}", self._confirms(h, s)
                )
                for h, s in self._open()
            ]
        if kind in ("ascend", "descend"):
            return [
                Candidate(kind, f"{kind}({LEVELS_M[n]:g})", f"{kind} to {LEVELS_M[n]:g} m") for n in self._levels(kind)
            ]
        says = dict(KINDS)[kind]
        return [Candidate(kind, f"hover({HOVER_S:g})" if kind == "hover" else f"{kind}()", says)]

    def pay(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        """AEMS2's lower bounds, added up over everyone who is still missing."""
        steps = [self._step(c) or Step("idle", seconds=HOVER_S) for c in candidates]
        missing = [h for h in self.hunted if not h.found]
        if not missing or not self.flying:
            return [1.0 if s.what == "home" else 0.0 for s in steps]
        totals = [0.0] * len(steps)
        for hunted in missing:
            worths = hunted.ahead.worths(steps, self.flight.at, self._pending(hunted))
            totals = [t + w for t, w in zip(totals, worths, strict=True)]
        return totals

    def chosen(self, candidate: Candidate) -> None:
        self._chosen = candidate

    def _step(self, candidate: Candidate) -> Step | None:
        argument = candidate.statement.partition("(")[2].rstrip(")").strip('"')
        match candidate.kind:
            case "search_area":
                return Step("sweep", area=argument)
            case "ascend" | "descend":
                return Step("climb", level=level_of(float(argument)))
            case "confirm":
                return Step("confirm")
            case "return_home":
                return Step("home")
            case "perform_mapping":
                survey_s = self.hunted[0].surveys.survey(argument, level_of(self.flight.at[2])).seconds
                return Step("idle", seconds=round(2 * survey_s))
            case "hover" | "take_image":
                return Step("idle", seconds=HOVER_S if candidate.kind == "hover" else self.charts.craft.image_s)
        return None

    # Chances

    def _finds(self) -> dict[str, float]:
        """The probability that one sweep of each area finds one of those who are missing."""
        level, missing = level_of(self.flight.at[2]), [h for h in self.hunted if not h.found]
        none = [1.0] * len(self.areas)
        for hunted in missing:
            none = [n * (1 - c) for n, c in zip(none, chances(hunted.where, hunted.surveys, level), strict=True)]
        return {area: 1 - n for area, n in zip(self.areas, none, strict=True)}

    def _reachable(self) -> list[str]:
        """Areas after whose sweep from this height there is enough left to fly home."""
        if not self.hunted:
            return []
        if self._reach is None:
            spared = self.hunted[0].surveys.spared(self.flight.at, self.flight.charge, level_of(self.flight.at[2]))
            self._reach = [a for a, left in zip(self.areas, spared, strict=True) if left >= self._reserve]
        return self._reach

    def _left(self, course: Course) -> bool:
        left = self.charts.left_at_home(self.flight.charge, self.flight.at, course)
        return left >= self._reserve

    @property
    def _reserve(self) -> float:
        return max(self.charts.craft.reserve, self._brief.limits.battery_reserve if self._brief else 0.0)

    def _levels(self, kind: str) -> list[int]:
        """Levels above or below from which a sweep of some area is within reach."""
        x, y, height_m = self.flight.at
        now, charge = level_of(height_m), self.flight.charge - CLIMB
        others = [n for n in range(len(LEVELS_M)) if (n > now if kind == "ascend" else n < now)]
        surveys = self.hunted[0].surveys
        return [n for n in others if max(surveys.spared((x, y, LEVELS_M[n]), charge, n)) >= self._reserve]

    def _open(self) -> list[tuple[Hunted, Thing]]:
        """Sightings that are still to be confirmed, the likeliest first."""
        pairs = [(h, s) for h in self.hunted if not h.found for s in h.sightings.values()]
        likely = [(h, s) for h, s in pairs if self._truth(h, s) >= LIKELY]
        return sorted(likely, key=lambda pair: -self._truth(*pair))

    def _truth(self, hunted: Hunted, sighting: Thing) -> float:
        assert sighting.pose is not None
        return truth_of(hunted.where, (sighting.pose.x_m, sighting.pose.y_m), LEVELS_M[-1])

    def _confirms(self, hunted: Hunted, sighting: Thing) -> float:
        return self._truth(hunted, sighting)

    def _pending(self, hunted: Hunted) -> tuple[tuple[float, float], float] | None:
        mine = [(self._truth(h, s), s) for h, s in self._open() if h is hunted]
        if not mine:
            return None
        chance, best = max(mine, key=lambda pair: pair[0])
        assert best.pose is not None
        return (best.pose.x_m, best.pose.y_m), chance


def _failed(brief: Brief) -> str:
    """Why the last plan failed, one line; empty where it asked for the next one, as planned."""
    last = brief.failure.partition("\n")[0]
    return "" if "asks for a new one" in last else last
