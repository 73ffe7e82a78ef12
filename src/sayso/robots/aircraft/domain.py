"""The domain of a search for the planner `scored`: nine kinds of steps, their chances, and their worth by AEMS2.

What is sought and believed is a `SearchState`; here it is turned into Can-pre, Can-comp and Pay for one aircraft. The
wish comes from the operator's sentence, read before take-off and again whenever it changes.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sayso.drawing import Believed
from sayso.errors import NotUnderstood
from sayso.goal import Clause
from sayso.grounding.inflection import definite, indefinite, row, sentence
from sayso.grounding.utterance import read, table
from sayso.limits import Bound
from sayso.planners.scored_domain import Candidate, Kind, literal
from sayso.robots.aircraft.reach import HOVER_S, Flight, Reach
from sayso.robots.aircraft.search.craft import LEVELS_M, Charts
from sayso.robots.aircraft.search.keep_off import KeepOff, bounds_of
from sayso.robots.aircraft.search.pay import Effort, LookAhead, Step
from sayso.robots.aircraft.search.team import Seat, Team
from sayso.robots.aircraft.search.whereabouts import Whereabouts
from sayso.robots.aircraft.search.wish import DOES, SearchWish, wanted
from sayso.robots.aircraft.search_state import SearchState, SearchTarget, TargetNews
from sayso.roles import Attempt, Brief, End, Observation
from sayso.scene import Thing
from sayso.search.grid import region
from sayso.tables import toml

KINDS: tuple[tuple[str, str], ...] = tuple(toml(__package__, "steps.toml")["kinds"].items())
"""The nine kinds of steps, each with what a model reads."""

SWEEPS, CLIMBS = ("search_area", "perform_mapping"), ("ascend", "descend")
BLOCK = "block"
"""The kind of an area that is several squares at once; told as what there is to search it would count twice."""

CIRCLE, CIRCLE_S = "circle_here()", 100.0
"""The plan for a circle over who was found, and how long it takes at most."""

FOLLOW_UP = {"image": "take_image", "hover": "hover", "circle": "hover"}
"""Steps of a wish that are actions of their own, and which; to circle is a way to stay there."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The bounds of a search. `steps_max` counts every action; the last one is always the way home. `mapping_areas` are
    how many areas are offered for mapping, `effort` how far is looked ahead. With `beyond` a search begins in the
    areas of a wish and goes on around them to its last action, as the paper's missions are flown."""

    steps_max: int = 16
    beyond: bool = False
    mapping_areas: int = 6
    effort: Effort = field(default_factory=Effort)


class RescueDomain:
    """One search by one aircraft. `read` turns a brief into a wish (`running`: the one so far), `flight` tells how the
    aircraft is. Several aircraft share a `hunt`, and have a `seat` each in one team."""

    def __init__(
        self,
        charts: Charts,
        areas: Sequence[str],
        flight: Callable[[Brief], Flight],
        read: Callable[[Brief, SearchWish | None], Awaitable[SearchWish]],
        rules: Rules | None = None,
        *,
        hunt: SearchState | None = None,
        seat: Seat | None = None,
    ) -> None:
        self.charts, self.rules = charts, rules or Rules()
        self.hunt, self.seat = hunt or SearchState(charts, areas), seat or Team(charts.terrain).join("")
        self.reach = Reach(charts, self.hunt, self.seat)
        self.steps: list[Attempt] = []
        self._flight_of, self._read = flight, read
        self._ahead: dict[SearchTarget, LookAhead] = {}
        self._brief: Brief | None = None
        self._chosen: Candidate | None = None
        self._flew = False
        self._barred: frozenset[str] = frozenset()
        self._means: dict[str, Step] = {}
        """What the look-ahead makes of each statement that was offered."""
        self._followed: set[str] = set()
        self._reported: set[SearchTarget] = set()
        self._sighted: dict[str, str] = {}
        """What was reported as it was sighted, by id."""
        self._news: list[str] = []

    @property
    def wish(self) -> SearchWish | None:
        return self.hunt.wish

    @property
    def hunted(self) -> Sequence[SearchTarget]:
        return self.hunt.hunted

    # What has happened

    async def take_in(self, brief: Brief) -> None:
        """The wish where it is new or has changed; then every look that is new in the scene."""
        if brief.instruction != self.hunt.instruction:
            self._news += await self._followed_up(brief)
            self.reach.since_s = self._flight_of(brief).now_s
        self._brief = brief
        self.reach.goes_on(self._flight_of(brief), brief.limits.battery_reserve)
        self._flew = self._flew or self.reach.flying
        self.seat.hold()
        failed = brief.failure.partition("\n")[0]
        heard = self.hunt.learn(brief.scene, self.reach.flight.now_s)
        self._grow(heard, failed)
        self._report()
        self._remember([line for some in heard for line in some.told], failed)

    async def _followed_up(self, brief: Brief) -> Sequence[str]:
        """The wish in the brief's words. What cannot be read is no reason to give up a search that is running."""
        try:
            wish = await self._read(brief, self.wish)
            news = self.hunt.follow(brief.instruction, replace(wish, only=wish.only and not self.rules.beyond))
            left = [name for name in self.reach.bounds.off if name not in self._kept_off]
            started = [f"I cannot keep off {name}, on which I started" for name in left]
            return [*news, *started]
        except NotUnderstood as error:
            if self.wish is None:
                raise
            return self.hunt.goes_on(brief.instruction, str(error))

    def _report(self) -> None:
        """A find is told with its place, once, also to those whom the wish names."""
        for hunted in self.hunted:
            if hunted.found_at is not None and hunted not in self._reported:
                self._reported.add(hunted)
                at = f"the {hunted.label} is at x {hunted.found_at.x_m:.0f} m, y {hunted.found_at.y_m:.0f} m."
                self._news.append(sentence(at))
                self._news += [f"To the {who}: {at}" for who in (self.wish.report if self.wish else ())]

        for hunted, sighting in self._open() if self.wish and self.wish.unconfirmed else ():
            if sighting.id not in self._sighted:
                self._sighted[sighting.id] = _sighting(hunted, sighting)
                self._news.append(self._sighted[sighting.id])

    def _grow(self, heard: Sequence[TargetNews], failed: str) -> None:
        """The trees go on below what was done, if that was what was chosen."""
        step = self._means[self._chosen.statement] if self._chosen and not failed else None
        for hunted, some in zip(self.hunted, heard, strict=True):
            ahead = self._ahead.get(hunted)
            if ahead is not None and step is not None:
                ahead.observe(step, some.seen)
            elif ahead is not None:
                ahead.forget()

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

    def wanted(self) -> Clause | None:
        return wanted(self.wish, self._kept_off, any(h.found for h in self.hunted)) if self.wish else None

    def heeds(self) -> Sequence[str]:
        """Colours tell how well somebody is seen, and the operator who it is. Amounts bound the search, or are told as
        left out with it; pictures are steps of it."""
        if self.wish is None:
            return ()
        amounts = (q.text for q in read(self.hunt.instruction).quantities)
        pictures = table()["deeds"]["picture"] if "image" in self.wish.on_find else ()
        who = (said for one in self.wish.sought for said in (one.colour, one.label) if said)
        return (*who, *amounts, *pictures)

    @property
    def _kept_off(self) -> Sequence[str]:
        return [bound.name for bound in self.bounds() if isinstance(bound, KeepOff)]

    def news(self) -> Sequence[str]:
        """How the operator's sentence was understood, before anything flies; and what a later one changes."""
        news, self._news = self._news, []
        return news

    def bounds(self) -> Sequence[Bound]:
        """The ceiling of the wish, and the ground to keep off; both hold for the way home from a search called off."""
        return bounds_of(self.reach.bounds, self.charts.terrain)

    def told(self) -> Brief:
        assert self._brief is not None and self.wish is not None
        brief = self._brief
        seen = Observation.of(*self._state())
        steps, limits = tuple(self.steps), brief.limits
        return Brief(brief.instruction, brief.skills, seen, steps, limits=limits, kind=brief.kind, wish=brief.wish)

    def _state(self) -> list[str]:
        return told_state(
            height_m=self.reach.flight.at[2] if self.reach.flying else None,
            charge=self.reach.flight.charge,
            actions=self.rules.steps_max - len(self.steps),
            found=[(h.label, h.found) for h in self.hunted],
            within=sum(self.charts.terrain.area(a).kind != BLOCK for a in self.reach.areas()),
            unchecked=[(s.label, h.truth(s)) for h, s in self._open()],
            to_do=[dict(KINDS)[FOLLOW_UP[step]] for step in self._follow_up()],
        )

    @property
    def _on_find(self) -> Sequence[str]:
        """The steps that the operator wants done on a find, once everyone is found."""
        return self.wish.on_find if self.wish and self.all_found else ()

    def _follow_up(self) -> list[str]:
        """Those of them that have not been done yet."""
        return [step for step, kind in FOLLOW_UP.items() if step in self._on_find and kind not in self._followed]

    # Say × Can × Pay

    @property
    def all_found(self) -> bool:
        return self.hunt.all_found

    def over(self) -> End | None:
        """On the ground again, or out of actions there."""
        if self.hunt.over and not self.reach.flying:
            return End(True, "The search was called off." + (" I am home again." if self._flew else ""))
        if self.reach.flying or not (self._flew or len(self.steps) >= self.rules.steps_max):
            return None
        found = [definite(h.label) for h in self.hunted if h.found]
        told = [f"I found {row(found)}."] if found else []
        left = [f"I did not {DOES[step]}." for step in self._follow_up()]
        searched = self.hunt.covered and self.wish is not None and not self.wish.must_find
        told += [*left, *self.hunt.unfound(), *self._sighted.values()]
        return End(searched or not (self.hunt.missing or left), " ".join(("I am home again.", *told)))

    def kinds(self) -> Sequence[Kind]:
        """The nine kinds; Can-pre is 0 for what cannot be now."""
        return [Kind(name, says, self._can(name)) for name, says in KINDS]

    def _can(self, name: str) -> float:
        """The probability that the preconditions hold. Getting home with the last action is one of everything."""
        reach = self.reach
        if not reach.flying:
            return float(name == "take_off" and not self._flew)
        last = len(self.steps) >= self.rules.steps_max - 1
        here = LEVELS_M[reach.level] in reach.bounds.levels(LEVELS_M)
        over = self.hunt.over or self.all_found or self.hunt.searched or reach.late
        elsewhere = not here and not over and any(map(self.candidates, CLIMBS))
        due = not over and bool(self.hunt.kept_to and reach.free())
        if name == "return_home":
            return float(last or not (elsewhere or due))
        done = last or self.hunt.over or reach.late or (self.hunt.searched and name != "confirm")
        if done or name == "take_off":
            return 0.0
        if name in SWEEPS:
            return float(not self.all_found and here and bool(reach.free()))
        if name == "confirm":
            return max((h.truth(s) for h, s in self._to_confirm()), default=0.0) if self.seat.may_ask else 0.0
        if name in CLIMBS:
            return float(not self.all_found and bool(reach.levels(name == "ascend")))
        stays = reach.hovers(CIRCLE_S if "circle" in self._on_find else HOVER_S)
        return float(stays and not (elsewhere or due))  # first to a height from which it may be searched

    def candidates(self, kind: str) -> Sequence[Candidate]:
        """Every step of a kind, Can-comp with each; none that has just failed."""
        return [c for c in self._candidates(kind) if c.statement not in self._barred]

    def everything(self) -> Sequence[Candidate]:
        """Every step with its parameters, whether it is possible now or not: what a planner without Can has to ask."""
        maps = self.hunt.areas[: self.rules.mapping_areas]
        sweeps = [self._sweep(k, a) for k, some in zip(SWEEPS, (self.hunt.areas, maps), strict=True) for a in some]
        climbs = [self._climb(kind, n) for kind in CLIMBS for n in range(len(LEVELS_M))]
        others = [self._plain(kind) for kind in ("take_off", "take_image", "return_home", "hover")]
        return [*sweeps, *climbs, *others, *self._candidates("confirm")]

    def _candidates(self, kind: str) -> Sequence[Candidate]:
        if kind in SWEEPS:
            found, free = self.hunt.finds(self.reach.level), self.reach.free()
            if kind == "perform_mapping":
                free = sorted(free, key=lambda a: -found[a])[: self.rules.mapping_areas]
            return [self._sweep(kind, a, found[a]) for a in free]
        if kind == "confirm":
            return [self._confirm(hunted, sighting) for hunted, sighting in self._to_confirm()]
        if kind in CLIMBS:
            return [self._climb(kind, n) for n in self.reach.levels(kind == "ascend")]
        return [self._plain(kind)]

    def _offered(self, kind: str, statement: str, says: str, step: Step, can: float = 1.0) -> Candidate:
        self._means[statement] = step
        return Candidate(kind, statement, says, can)

    def _confirm(self, hunted: SearchTarget, one: Thing) -> Candidate:
        says = f"confirm the {one.label} sighted as {one.id}"
        return self._offered("confirm", f"confirm({literal(one.id)})", says, Step("confirm"), hunted.truth(one))

    def _sweep(self, kind: str, area: str, can: float = 1.0) -> Candidate:
        step, verb = Step("sweep", area=area), "search"
        if kind == "perform_mapping":
            survey_s = self.hunted[0].surveys.survey(area, self.reach.level).seconds
            step, verb = Step("idle", area=area, seconds=round(2 * survey_s)), "map"
        return self._offered(kind, f"{kind}({literal(area)})", f"{verb} {area}", step, can)

    def _climb(self, kind: str, level: int) -> Candidate:
        metres = f"{LEVELS_M[level]:g}"
        return self._offered(kind, f"{kind}({metres})", f"{kind} to {metres} m", Step("climb", level=level))

    def _plain(self, kind: str) -> Candidate:
        """A step without a choice of what."""
        idle_s = {"hover": HOVER_S, "take_image": self.charts.craft.image_s, "take_off": HOVER_S}
        step = Step("idle", seconds=idle_s[kind]) if kind in idle_s else Step("home")
        stays = CIRCLE if "circle" in self._on_find else f"hover({HOVER_S:g})"
        return self._offered(kind, stays if kind == "hover" else f"{kind}()", dict(KINDS)[kind], step)

    def pay(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        """AEMS2's lower bounds, added up over everyone who is still missing."""
        steps = [self._means[c.statement] for c in candidates]
        missing = self.hunt.missing
        if not missing or not self.reach.flying:
            return [1.0 if s.what == "home" else 0.0 for s in steps]
        totals = [0.0] * len(steps)
        for hunted in missing:
            worths = self._look_ahead(hunted).worths(steps, self.reach.flight.at, self._pending(hunted))
            totals = [t + w for t, w in zip(totals, worths, strict=True)]
        return totals

    def believed(self) -> Believed | None:
        """Where those who are still missing may be, summed over them; None where all have been found."""
        return believed([hunted.where for hunted in self.hunt.missing])

    def chosen(self, candidate: Candidate) -> None:
        self._chosen = candidate
        self.seat.hold(self._means[candidate.statement].area, asks=candidate.kind == "confirm")

    def _look_ahead(self, hunted: SearchTarget) -> LookAhead:
        """The tree over one object, for this aircraft."""
        if hunted not in self._ahead or self._ahead[hunted].where is not hunted.where:
            self._ahead[hunted] = LookAhead(hunted.where, hunted.surveys, self.rules.effort)
        return self._ahead[hunted]

    def _open(self) -> list[tuple[SearchTarget, Thing]]:
        """Sightings of this aircraft that are still to be confirmed, the likeliest first."""
        return [(h, s) for h, s in self.hunt.open_sightings() if self.seat.owns(s.id)]

    def _to_confirm(self) -> list[tuple[SearchTarget, Thing]]:
        return [] if self.wish and self.wish.unconfirmed else self._open()

    def _pending(self, hunted: SearchTarget) -> tuple[tuple[float, float], float] | None:
        mine = [s for h, s in self._open() if h is hunted]
        if not mine:
            return None
        pose = mine[0].pose
        assert pose is not None
        return (pose.x_m, pose.y_m), hunted.truth(mine[0])


def believed(missing: Sequence[Whereabouts]) -> Believed | None:
    """Where any of them may be, as a map and in a line."""
    if not missing:
        return None
    chances = np.sum([where.belief.probability for where in missing], axis=0)
    labels = dict.fromkeys(str(where.subject.label) for where in missing)
    hectares = float(region(chances / chances.sum(), 0.5).sum()) * missing[0].terrain.cell_m ** 2 / 1e4
    says = f"where the {' or the '.join(labels)} may be: half of the probability on {hectares:.0f} ha"
    return Believed(says, chances)


def told_state(
    *,
    height_m: float | None,
    charge: float,
    actions: int,
    found: Sequence[tuple[str, bool]],
    within: int,
    unchecked: Sequence[tuple[str, float]],
    to_do: Sequence[str] = (),
) -> list[str]:
    """How things stand, as a model reads it: a line each. `height_m` is None on the ground."""
    open_ = [f"{label} {truth:.0%} likely" for label, truth in unchecked]
    return [
        "on the ground" if height_m is None else f"in the air at {height_m:.0f} m",
        f"battery {charge:.0%}, {actions} actions left",
        *(f"{label}: {'found and confirmed' if yes else 'not found yet'}" for label, yes in found),
        f"areas within reach of the battery: {within}",
        f"sightings not checked: {', '.join(open_) or 'none'}",
        *(f"still to do: {says}" for says in to_do),
    ]


def _sighting(hunted: SearchTarget, sighting: Thing) -> str:
    assert sighting.pose is not None
    at = f"x {sighting.pose.x_m:.0f} m, y {sighting.pose.y_m:.0f} m"
    found = sentence(f"{indefinite(sighting.label)} may be at {at}, {hunted.truth(sighting):.0%} likely")
    return f"{found} I do not fly there."
