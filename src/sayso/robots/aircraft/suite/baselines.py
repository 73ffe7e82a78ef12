"""What Say × Can × Pay is compared with: the same domain, another rule for choosing.

SayCan asks the model about every step with its parameters, one call each, and multiplies by Can-pre. SayCanPay does the
same and multiplies by Pay. SayCan-SayCanPay chooses the kind first, then weighs all of its steps. AEMS2 alone takes the
step with the best lower bound and asks nobody. Sweep patterns are what people fly today: areas in an order fixed by
geometry, a sighting confirmed when it comes, home when it is time.

As published, a model is asked about every action there is, possible or not, one call each: that is what their number
of processed actions counts, and where their time goes. With `spared` a rule has what this planner adds: only steps
that are possible are asked about, and all kinds in one call.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sayso.planners.scored import Choice, Rule, ScoredRule, Weighed, rescaled, weigh_kinds
from sayso.planners.scored_domain import Candidate, Domain, literal
from sayso.planners.scored_say import Say

Point = tuple[float, float]

OTHER = "something else"
"""What a single step is weighed against, when it is asked about alone."""


def possible(domain: Domain) -> list[tuple[Candidate, float]]:
    """Every step with its parameters whose preconditions may hold, and Can-pre."""
    kinds = [(k.name, k.can) for k in domain.kinds() if k.can > 0]
    return [(c, can) for name, can in kinds for c in domain.candidates(name) if c.can > 0]


async def ask_each(domain: Domain, say: Say, steps: Sequence[Candidate]) -> list[float]:
    """Say of every step, one call each."""
    told = domain.told()
    return [(await say.weigh(told, [step.says, OTHER]))[0] for step in steps]


async def ask_kinds(domain: Domain, say: Say) -> list[Weighed]:
    """Say × Can-pre of every kind, one call each."""
    told, kinds = domain.told(), domain.kinds()
    said = [(await say.weigh(told, [kind.says, OTHER]))[0] for kind in kinds]
    return [Weighed(k.name, say=s, can=k.can) for k, s in zip(kinds, said, strict=True) if k.can > 0]


def left_over(domain: Domain, steps: Sequence[Candidate]) -> list[Candidate]:
    """What is not among the possible steps: it is asked about all the same, and what is said counts for nothing."""
    known = {step.statement for step in steps}
    return [step for step in domain.everything() if step.statement not in known]


@dataclass(frozen=True, slots=True)
class SayCanRule:
    """Say × Can-pre over all steps with their parameters, × Pay where `pay` is set."""

    pay: bool = False
    spared: bool = False
    name: str = "saycan"

    async def __call__(self, domain: Domain, say: Say | None) -> Choice | None:
        """The next step; None where none is possible."""
        assert say is not None, "this rule asks a model"
        some, before = possible(domain), say.calls
        if not some:
            return None
        steps = [step for step, _ in some]
        said = await ask_each(domain, say, steps)
        if not self.spared:
            await ask_each(domain, say, left_over(domain, steps))
        asked = say.calls - before
        pay = rescaled(domain.pay(steps)) if self.pay else [1.0] * len(steps)
        weighed = [Weighed(c.statement, s, can, p) for (c, can), s, p in zip(some, said, pay, strict=True)]
        return _best(steps, weighed, asked, asked)


@dataclass(frozen=True, slots=True)
class FirstStepRule:
    """The kind by Say × Can-pre; then Say × Pay over all of its steps, with no top-k between."""

    spared: bool = False
    name: str = "saycan-saycanpay"

    async def __call__(self, domain: Domain, say: Say | None) -> Choice | None:
        """The next step; None where none is possible."""
        assert say is not None, "this rule asks a model"
        before = say.calls
        kinds = await weigh_kinds(domain, say) if self.spared else await ask_kinds(domain, say)
        ordered = sorted(kinds, key=lambda w: -w.product)
        steps = next(filter(None, ([c for c in domain.candidates(w.name) if c.can > 0] for w in ordered)), [])
        if not steps:
            return None
        said = await ask_each(domain, say, steps)
        if not self.spared:
            await ask_each(domain, say, [c for c in left_over(domain, steps) if c.kind == steps[0].kind])
        asked = say.calls - before
        weighed = [
            Weighed(c.statement, s, 1.0, p) for c, s, p in zip(steps, said, rescaled(domain.pay(steps)), strict=True)
        ]
        return _best(steps, weighed, asked, asked if not self.spared else len(steps) + len(kinds))


@dataclass(frozen=True, slots=True)
class PayRule:
    """AEMS2 alone: the best lower bound of all possible steps."""

    name: str = "aems2"

    async def __call__(self, domain: Domain, say: Say | None) -> Choice | None:
        """The next step; None where none is possible."""
        steps = [step for step, _ in possible(domain)]
        if not steps:
            return None
        weighed = [Weighed(c.statement, pay=p) for c, p in zip(steps, rescaled(domain.pay(steps)), strict=True)]
        return _best(steps, weighed, 0, len(steps))


class PatternRule:
    """Areas in a fixed order, one sweep each, over and over. `height` names the climb at the start."""

    def __init__(self, name: str, order: Sequence[str], climb: str = "ascend(60)") -> None:
        self.name, self.order, self.climb = name, tuple(order), climb
        self._next = 0

    async def __call__(self, domain: Domain, say: Say | None) -> Choice | None:
        """Confirm what is sighted, else the next area that can be flown, else home."""
        steps = {c.statement: c for c, _ in possible(domain)}
        if not steps:
            return None
        return Choice(self._choose(steps), processed=1)

    def _choose(self, steps: Mapping[str, Candidate]) -> Candidate:
        for first in ("take_off", "confirm", self.climb):
            if found := next((c for s, c in steps.items() if s.startswith(first)), None):
                return found
        for _ in self.order:
            area = self.order[self._next % len(self.order)]
            self._next += 1
            if found := steps.get(f"search_area({literal(area)})"):
                return found
        return next(c for s, c in steps.items() if s.startswith("return_home"))


def parallel_track(middles: Mapping[str, Point]) -> list[str]:
    """Row by row from the south, each row the other way."""
    rows = sorted({round(y) for _, y in middles.values()})
    order: list[str] = []
    for n, row in enumerate(rows):
        some = sorted((x, name) for name, (x, y) in middles.items() if round(y) == row)
        order += [name for _, name in (some if n % 2 == 0 else reversed(some))]
    return order


def expanding_square(middles: Mapping[str, Point], centre: Point) -> list[str]:
    """Rings around a place, each one round counter-clockwise."""
    side = math.sqrt(_spread(middles) / max(1, len(middles)))

    def place(name: str) -> tuple[int, float]:
        x, y = middles[name]
        ring = round(max(abs(x - centre[0]), abs(y - centre[1])) / side)
        return ring, math.atan2(y - centre[1], x - centre[0])

    return sorted(middles, key=place)


def sectors(middles: Mapping[str, Point], centre: Point, legs: int = 6) -> list[str]:
    """Slices around a place, each flown from the inside out."""

    def place(name: str) -> tuple[int, float]:
        x, y = middles[name]
        slice_ = int((math.atan2(y - centre[1], x - centre[0]) + math.pi) / (2 * math.pi / legs)) % legs
        return slice_, math.dist((x, y), centre)

    return sorted(middles, key=place)


def _spread(middles: Mapping[str, Point]) -> float:
    xs, ys = [x for x, _ in middles.values()], [y for _, y in middles.values()]
    return max(max(xs) - min(xs), 1.0) * max(max(ys) - min(ys), 1.0)


def _best(steps: Sequence[Candidate], weighed: Sequence[Weighed], calls: int, processed: int) -> Choice:
    chosen = max(range(len(steps)), key=lambda n: weighed[n].product)
    return Choice(steps[chosen], candidates=tuple(weighed), processed=processed, calls=calls)


RULES: Mapping[str, Callable[[], Rule]] = {
    "scored": ScoredRule,
    "saycan": SayCanRule,
    "saycanpay": lambda: SayCanRule(pay=True, name="saycanpay"),
    "saycan-saycanpay": FirstStepRule,
    "aems2": PayRule,
    "saycanpay-spared": lambda: SayCanRule(pay=True, spared=True, name="saycanpay-spared"),
    "saycan-saycanpay-spared": lambda: FirstStepRule(spared=True, name="saycan-saycanpay-spared"),
}
"""The rules by name; sweep patterns need a map and are made where one is."""
