"""The planner `scored`, of Say-REAPEx: Say × Can × Pay, one step at a time, from what is known now.

Each decision asks a language model once how sensible each *kind* of step is (Say), multiplies by the probability that
its preconditions hold (Can-pre), and takes the best kind. Of that kind's parameters the few most likely to succeed are
kept (Can-comp), and of those the one that is worth most in the long run is taken (Pay, a lower bound from a search
under uncertainty, see `sayso.search`). So the number of model calls does not grow with the number of actions.

The plan is that one statement, so that it passes the same checks, limits and records as any other plan. The domain
hears from the next brief what came of it.
"""

import asyncio
import math
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from sayso.clock import WallClock, current
from sayso.drawing import Believed
from sayso.errors import ModelUnavailable
from sayso.goal import Clause
from sayso.limits import FREE
from sayso.planners.scored_domain import Candidate, Domain, Kind, literal
from sayso.planners.text_planner import stepped
from sayso.roles import Brief, End, Model, Prompt, Session, answered

TELL = "log"
"""The skill with which a plan tells the operator something."""

STEPS_MAX = 32
"""Plans of one mission: with the reading of the wish they stay within a mission's model calls."""

PAY_FLOOR = 0.05
"""What the least worthy of several candidates still weighs."""

Render = Callable[[Brief, Sequence[str], bool], Prompt]
"""(brief, choices in words, whether a ranking is asked for) -> prompt"""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
RANK_SHARE = 0.5
"""Each rank weighs half of the one before it."""

FLOOR = 0.01
"""No choice is ruled out by a model's word alone: that is for preconditions to do."""

_LETTER = re.compile(r"(?<![A-Za-z])[A-Za-z](?![A-Za-z])")


@dataclass(slots=True)
class Say:
    """How sensible `model` finds each of a few choices, as probabilities.

    The choices go into one prompt with a letter each, and the log-probabilities of the letters are the answer: one
    call, however many choices. Where a model has no log-probabilities it is asked for the letters in order, and ranks
    become weights; the operator is told so once, because weights from ranks are an invention. `calls` counts since it
    was made; `note` hears once that a model cannot score."""

    model: Model
    render: Render
    note: Callable[[str], None] = lambda text: None
    calls: int = 0
    scores: bool = True

    async def weigh(self, brief: Brief, choices: Sequence[str]) -> list[float]:
        """Probabilities of the choices; they sum to one. Raises the model's error when it cannot answer at all."""
        if len(choices) > len(LETTERS):
            raise ValueError(f"{len(choices)} choices, but only {len(LETTERS)} letters; keep fewer")
        if len(choices) < 2:
            return [1.0] * len(choices)
        if not self.scores:
            return await self._ranked(brief, choices)
        self.calls += 1
        try:
            letters = list(LETTERS[: len(choices)])
            return softmax(await self.model.score(self.render(brief, choices, False), letters))
        except ModelUnavailable as error:
            weights = await self._ranked(brief, choices)
            self.scores = False  # it answers, but not with scores; an outage would have raised again
            self.note(f"weights are made of a ranked answer, since {self.model.name} does not score: {error}")
            return weights

    async def _ranked(self, brief: Brief, choices: Sequence[str]) -> list[float]:
        self.calls += 1
        return ranked(await answered(self.model, self.render(brief, choices, True)), len(choices))


def softmax(logprobs: Sequence[float]) -> list[float]:
    """Log-probabilities to probabilities, none below the floor."""
    best = max(logprobs)
    return _floored([math.exp(lp - best) for lp in logprobs])


def ranked(text: str, count: int) -> list[float]:
    """Weights of `count` choices from the letters that a text names, best first; those it leaves out get the floor."""
    known = LETTERS[:count]
    order = list(dict.fromkeys(letter for letter in _LETTER.findall(text) if letter in known))
    weights = [0.0] * count
    for rank, letter in enumerate(order):
        weights[known.index(letter)] = RANK_SHARE**rank
    return _floored(weights) if order else [1 / count] * count


def _floored(weights: Sequence[float]) -> list[float]:
    total = sum(weights)
    lifted = [max(w / total, FLOOR) for w in weights]
    return [w / sum(lifted) for w in lifted]


@dataclass(frozen=True, slots=True)
class Weighed:
    """One thing that was weighed: its name, the factors, and their product."""

    name: str
    say: float = 1.0
    can: float = 1.0
    pay: float = 1.0

    @property
    def product(self) -> float:
        return self.say * self.can * self.pay

    def __str__(self) -> str:
        return f"{self.name} {self.product:.3f} (say {self.say:.2f}, can {self.can:.2f}, pay {self.pay:.2f})"


@dataclass(frozen=True, slots=True)
class Choice:
    """The step that was chosen, and what it was weighed against. `processed` counts actions that were scored."""

    candidate: Candidate
    kinds: tuple[Weighed, ...] = ()
    candidates: tuple[Weighed, ...] = ()
    processed: int = 0
    calls: int = 0

    def __str__(self) -> str:
        best = sorted(self.candidates, key=lambda w: -w.product)[:3]
        return f"{self.candidate.statement}: " + "; ".join(map(str, best))


@dataclass(frozen=True, slots=True)
class ScoredRule:
    """Say × Can-pre, then Can-comp's `top_k`, then × Pay. With `ask_steps` the model also weighs the kept steps, in a
    second call (the paper's line 20)."""

    top_k: int = 8
    ask_steps: bool = False
    name: str = "scored"

    async def __call__(self, domain: Domain, say: Say | None) -> Choice | None:
        """The next step; None where no kind of step is possible."""
        assert say is not None, "this rule asks a model"
        before = say.calls
        weighed = await weigh_kinds(domain, say)
        some = (top(domain.candidates(w.name), self.top_k) for w in sorted(weighed, key=lambda w: -w.product))
        kept = next(filter(None, some), [])
        if not kept:
            return None
        asked = await say.weigh(domain.told(), [c.says for c in kept]) if self.ask_steps else [1.0] * len(kept)
        waits = isinstance(current(), WallClock)  # on real time no stop waits for it, simulated time stands still
        pay = await asyncio.to_thread(domain.pay, kept) if waits else domain.pay(kept)
        # Can-comp has done its part by choosing whom to weigh; Pay holds the chance of success already
        told = zip(kept, asked, rescaled(pay), strict=True)
        steps = [Weighed(c.statement, say=sensible, pay=worth) for c, sensible, worth in told]
        chosen = kept[max(range(len(kept)), key=lambda n: steps[n].product)]
        return Choice(chosen, tuple(weighed), tuple(steps), len(weighed) + len(kept), say.calls - before)


Rule = Callable[[Domain, Say | None], Awaitable[Choice | None]]
"""How one step is chosen: `ScoredRule`, or one that it is compared with."""


async def weigh_kinds(domain: Domain, say: Say) -> list[Weighed]:
    """Say × Can-pre for every kind that is possible at all. The model sees only those."""
    kinds: Sequence[Kind] = [k for k in domain.kinds() if k.can > 0]
    sensible = await say.weigh(domain.told(), [k.says for k in kinds])
    return [Weighed(k.name, say=s, can=k.can) for k, s in zip(kinds, sensible, strict=True)]


def top(candidates: Sequence[Candidate], k: int) -> list[Candidate]:
    """The `k` most likely to succeed, of those that can at all; earlier ones first where they tie."""
    possible = [c for c in candidates if c.can > 0]
    return sorted(possible, key=lambda c: -c.can)[:k]


def rescaled(values: Sequence[float]) -> list[float]:
    """Worths to (0, 1], the best one 1. A product with raw negative worths would prefer the least likely step."""
    if not values:
        return []
    low, high = min(values), max(values)
    if high - low < 1e-12:
        return [1.0] * len(values)
    return [PAY_FLOOR + (1 - PAY_FLOOR) * (v - low) / (high - low) for v in values]


@dataclass
class Scored:
    """A planner that chooses one step for each brief. `domain` makes the domain of a mission from its first brief.

    `chosen` hears every choice with all that was weighed.
    """

    model: Model | None
    domain: Callable[[Brief], Awaitable[Domain]]
    render: Render
    rule: Rule = field(default_factory=ScoredRule)
    note: Callable[[str], None] = lambda text: None
    chosen: Callable[[Choice], None] = lambda choice: None
    name: str = "scored"
    steers: bool = False
    steps_max: int = STEPS_MAX
    now: Domain | None = None
    _session: Session | None = None
    _wanted: Clause | None = None

    async def act(self, session: Session) -> End:
        """See `roles.Planner`."""
        self.now, self.note, self._session = None, session.note, session
        return await stepped(session, await session.look(), self.step, self.steps_max)

    async def step(self, brief: Brief) -> AsyncIterator[str]:
        """One statement as a plan; or what the mission came to."""
        if self.now is None:
            self.now = await self.domain(brief)
            self._say = Say(self.model, self.render, self.note) if self.model else None
            self._wanted = None
        domain = self.now
        await domain.take_in(brief)
        if self._session:
            self._session.tighten(replace(FREE, bounds=tuple(domain.bounds())))
        if (goal := domain.wanted()) is not None and goal != self._wanted and self._session:
            self._wanted = goal
            self._session.understood(goal, heeds=domain.heeds())
        verdict = domain.over()
        for line in self._spoken(brief, *domain.news(), *([verdict.reason] if verdict else [])):
            yield line
        if verdict:
            yield f"->{verdict.met}"
            return
        choice = await self.rule(domain, self._say)
        if choice is None:
            for line in self._spoken(brief, "no step is possible"):
                yield line
            yield "->False"
            return
        self.chosen(choice)
        domain.chosen(choice.candidate)
        yield choice.candidate.statement

    def believed(self) -> Believed | None:
        """See `figures.Believing`."""
        return self.now.believed() if self.now else None

    def _spoken(self, brief: Brief, *texts: str) -> list[str]:
        """What the operator is to hear: as statements where the robot has a voice, else as notes."""
        if TELL in brief.skills:
            return [f"{TELL}({literal(text)});" for text in texts]
        for text in texts:
            self.note(text)
        return []
