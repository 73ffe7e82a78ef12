"""The baselines of Say × Can × Pay: the same domain, another rule for choosing.

SayCan asks the model about every step with its parameters, one call each, and multiplies by Can-pre. SayCanPay does the
same and multiplies by Pay. SayCan-SayCanPay chooses the kind first, then weighs all of its steps. AEMS2 alone takes the
step with the best lower bound and asks nobody. Sweep patterns are what people fly today: areas in an order fixed by
geometry, a sighting confirmed when it comes, home when it is time.

As published, a model is asked about every action there is, possible or not, one call each: that is what their number
of processed actions counts, and where their time goes. With `spared` a rule has what this planner adds: only steps
that are possible are asked about, and all kinds in one call.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sayso.planners.scored import Choice, Rule, Say, ScoredRule, Weighed, rescaled, weigh_kinds
from sayso.planners.scored_domain import Candidate, Domain, Kind, literal
from sayso.robots.aircraft.search.terrain import Terrain
from sayso.robots.aircraft.world.country import Rescue

Point = tuple[float, float]
SECTORS = 6

OTHER = "something else"
"""What a single step is weighed against, when it is asked about alone."""


def possible(domain: Domain) -> list[tuple[Candidate, float]]:
    """Every step with its parameters whose preconditions may hold, and Can-pre."""
    kinds = [(k.name, k.can) for k in domain.kinds() if k.can > 0]
    return [(c, can) for name, can in kinds for c in domain.candidates(name) if c.can > 0]


async def ask_each(domain: Domain, say: Say, steps: Sequence[Candidate | Kind]) -> list[float]:
    """Say of every step or kind, one call each."""
    told = domain.told()
    return [(await say.weigh(told, [step.says, OTHER]))[0] for step in steps]


@dataclass(frozen=True, slots=True)
class Product:
    """The largest product over all steps with their parameters: Say × Can-pre where it `asks`, × Pay where it `pays`.

    With `kinds_first` the kind is chosen by Say × Can-pre before, and its steps are weighed without Can-pre.
    """

    name: str
    asks: bool = True
    pays: bool = True
    kinds_first: bool = False
    spared: bool = False

    async def __call__(self, domain: Domain, say: Say | None) -> Choice | None:
        """The next step; None where none is possible."""
        before = say.calls if say else 0
        kinds = await self._kinds(domain, say) if say and self.kinds_first else []
        by_kind = ([(c, 1.0) for c in domain.candidates(w.name) if c.can > 0] for w in kinds)
        some = next(filter(None, by_kind), []) if self.kinds_first else possible(domain)
        if not some:
            return None
        steps, cans = [step for step, _ in some], [can if self.asks else 1.0 for _, can in some]
        said = await self._said(domain, say, steps) if say and self.asks else [1.0] * len(steps)
        pay = rescaled(domain.pay(steps)) if self.pays else [1.0] * len(steps)
        weighed = [Weighed(c.statement, *f) for c, *f in zip(steps, said, cans, pay, strict=True)]
        best = max(range(len(steps)), key=lambda n: weighed[n].product)
        calls = say.calls - before if say else 0
        processed = calls if self.asks and not self.spared else len(steps) + len(kinds)
        return Choice(steps[best], candidates=tuple(weighed), processed=processed, calls=calls)

    async def _kinds(self, domain: Domain, say: Say) -> list[Weighed]:
        """The kinds that are possible, the best first: as published with one call each, asked of all."""
        if self.spared:
            some = await weigh_kinds(domain, say)
        else:
            kinds = domain.kinds()
            said = await ask_each(domain, say, kinds)
            some = [Weighed(k.name, say=s, can=k.can) for k, s in zip(kinds, said, strict=True) if k.can > 0]
        return sorted(some, key=lambda w: -w.product)

    async def _said(self, domain: Domain, say: Say, steps: Sequence[Candidate]) -> list[float]:
        """Say of each step. As published what is not possible is asked about all the same, and counts for nothing."""
        said = await ask_each(domain, say, steps)
        if not self.spared:
            known = {step.statement for step in steps}
            others = [step for step in domain.everything() if step.statement not in known]
            await ask_each(domain, say, [c for c in others if not self.kinds_first or c.kind == steps[0].kind])
        return said


class OneStepRule(ABC):
    """A rule that knows which step it takes, and asks nobody."""

    async def __call__(self, domain: Domain, say: Say | None) -> Choice | None:
        """The next step; None where none is possible."""
        steps = {c.statement: c for c, _ in possible(domain)}
        return Choice(self._choose(steps), processed=1) if steps else None

    @abstractmethod
    def _choose(self, steps: Mapping[str, Candidate]) -> Candidate: ...


class PatternRule(OneStepRule):
    """A rule that flies a pattern: confirm what is sighted, else sweep the next area that can be flown, in a fixed
    order for ever, else home."""

    def __init__(self, name: str, order: Sequence[str]) -> None:
        self.name, self.order = name, tuple(order)
        self._next = 0

    def _choose(self, steps: Mapping[str, Candidate]) -> Candidate:
        for first in ("take_off", "confirm", "ascend(60)"):
            if found := next((c for s, c in steps.items() if s.startswith(first)), None):
                return found
        for _ in self.order:
            area = self.order[self._next % len(self.order)]
            self._next += 1
            if found := steps.get(f"search_area({literal(area)})"):
                return found
        return next(c for s, c in steps.items() if s.startswith("return_home"))


def ordered(pattern: str, middles: Mapping[str, Point], centre: Point) -> list[str]:
    """Areas in the order of a pattern. `parallel`: row by row from the south, each row the other way; `square`: rings
    around a place, each one round counter-clockwise; `sector`: slices around it, each flown from the inside out."""
    rows = sorted({round(y) for _, y in middles.values()})
    side = math.sqrt(_spread(middles) / max(1, len(middles)))

    def place(name: str) -> tuple[float, float]:
        x, y = middles[name]
        if pattern == "parallel":
            row = rows.index(round(y))
            return row, x if row % 2 == 0 else -x
        turn = math.atan2(y - centre[1], x - centre[0])
        if pattern == "square":
            return round(max(abs(x - centre[0]), abs(y - centre[1])) / side), turn
        return int((turn + math.pi) / (2 * math.pi / SECTORS)) % SECTORS, math.dist((x, y), centre)

    return sorted(middles, key=place)


def _spread(middles: Mapping[str, Point]) -> float:
    xs, ys = [x for x, _ in middles.values()], [y for _, y in middles.values()]
    return max(max(xs) - min(xs), 1.0) * max(max(ys) - min(ys), 1.0)


class OracleRule(OneStepRule):
    """How many missions could be won at all: a pilot who knows where the missing one is, within the same bounds.

    It peeks at the truth of `world` and is no planner: it flies to the square that holds the place, sweeps it until the
    camera sights what is there, lets the operator look, and comes home. What it cannot win, nobody can: someone out of
    sight from the air, a place beyond the battery, an operator who keeps saying no.
    """

    name = "oracle"

    def __init__(self, world: Rescue) -> None:
        self.world = world

    def _choose(self, steps: Mapping[str, Candidate]) -> Candidate:
        truth = self.world.truth()
        missing = [one for one in truth.present.values() if one.confirmed_s is None]
        wanted = [f"{first}()" if first == "take_off" else first for first in ("take_off", "ascend(60)") if missing]
        wanted += [s for s in steps if s.startswith("confirm") and self.world.camera.cause(_argument(s))]
        seen = [one.pose for one in missing if one.open_to_sky]
        squares = [square_of(self.world.terrain, pose.x_m, pose.y_m) for pose in seen]
        wanted += [f"search_area({literal(square)})" for square in squares]
        return next((steps[s] for s in wanted if s in steps), steps.get("return_home()", next(iter(steps.values()))))


def square_of(terrain: Terrain, x_m: float, y_m: float) -> str:
    """The square of the search grid that holds a place."""
    cell = terrain.cell(x_m, y_m)
    return next(name for name in terrain.squares if terrain.cells(name)[cell])


def _argument(statement: str) -> str:
    return statement.partition("(")[2].rstrip(")").strip('"')


RULES: Mapping[str, Rule] = {
    rule.name: rule
    for rule in (
        ScoredRule(),
        Product("saycan", pays=False),
        Product("saycanpay"),
        Product("saycan-saycanpay", kinds_first=True),
        Product("aems2", asks=False),
        Product("saycanpay-spared", spared=True),
        Product("saycan-saycanpay-spared", kinds_first=True, spared=True),
    )
}
"""The rules by name; sweep patterns need a map and are made where one is."""
