"""Doubles for planners that weigh: a domain with fixed numbers, and models that score, rank, or do neither."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sayso.errors import ModelUnavailable
from sayso.goal import Clause
from sayso.limits import Bound
from sayso.planners.scored import Scored
from sayso.planners.scored_domain import Candidate, Kind
from sayso.prompts.score import score_prompt
from sayso.roles import Attempt, Brief, Chunk, End, Observation, Prompt
from sayso.skill import SkillSet


@dataclass
class Table:
    """A domain double: `can` by kind, `steps` by kind as (argument, Can-comp, worth)."""

    can: Mapping[str, float]
    steps: Mapping[str, Sequence[tuple[str, float, float]]]
    verdict: End | None = None
    taken: list[Candidate] = field(default_factory=list)
    briefs: list[Brief] = field(default_factory=list)
    paid: list[list[str]] = field(default_factory=list)
    tells: Sequence[str] = ()
    wants: Clause | None = None

    async def take_in(self, brief: Brief) -> None:
        self.briefs.append(brief)

    def wanted(self) -> Clause | None:
        return self.wants

    def heeds(self) -> Sequence[str]:
        return ()

    def bounds(self) -> Sequence[Bound]:
        return ()

    def news(self) -> Sequence[str]:
        return self.tells

    def told(self) -> Brief:
        return Brief("find it", SkillSet(), Observation.of("in the air"), (Attempt("take off", ended="done"),))

    def over(self) -> End | None:
        return self.verdict

    def kinds(self) -> Sequence[Kind]:
        return [Kind(name, f"do {name}", can) for name, can in self.can.items()]

    def candidates(self, kind: str) -> Sequence[Candidate]:
        return [Candidate(kind, f'{kind}("{a}")', f"do {kind} {a}", can) for a, can, _ in self.steps[kind]]

    def everything(self) -> Sequence[Candidate]:
        return [step for kind in self.steps for step in self.candidates(kind)]

    def pay(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        self.paid.append([c.statement for c in candidates])
        worth = {f'{kind}("{a}")': w for kind, rows in self.steps.items() for a, _, w in rows}
        return [worth[c.statement] for c in candidates]

    def chosen(self, candidate: Candidate) -> None:
        self.taken.append(candidate)


class Opinion:
    """A model double. `likes` gives a probability by the words of a choice; `scores` False makes it rank."""

    name = "opinion double"

    def __init__(self, likes: Mapping[str, float], scores: bool = True, answer: str = "") -> None:
        self.likes, self.scores, self.answer = likes, scores, answer
        self.prompts: list[Prompt] = []

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        self.prompts.append(prompt)
        choices = prompt.question.splitlines()
        order = sorted(range(len(choices)), key=lambda n: -self.likes.get(choices[n], 0.0))
        yield Chunk(self.answer or " ".join("ABCDEFGHIJKLMNOP"[n] for n in order))

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        if not self.scores:
            raise ModelUnavailable("no log-probabilities here")
        self.prompts.append(prompt)
        return [math.log(self.likes.get(c, 1e-6)) for c in prompt.question.splitlines()][: len(continuations)]


def scored(model: Any, domain: Table, **options: Any) -> Scored:
    async def made(brief: Brief) -> Table:
        return domain

    return Scored(model, made, score_prompt, **options)


def plan(planner: Scored, brief: Brief | None = None) -> str:
    async def read() -> str:
        return "".join([piece async for piece in planner.step(brief or Brief("find it", SkillSet()))])

    return asyncio.run(read())
