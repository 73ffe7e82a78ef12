"""The planner of DaDu-E: one step at a time, each chosen after hearing what came of the last.

The model first writes a list of steps and the first of them, then one step for every feedback, until it says `done` or
gives up. The conversation only ever grows at its end, so that an endpoint's prefix cache holds all that went before.

Each step is a plan of one statement and a wish for the next plan, so that it passes the same checks, limits and records
as any other plan. Added to the paper: a ledger of goals still open, asked about before `done` is believed; budgets of
steps and of answers that mean nothing; giving up with a reason.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from sayso.parts import Attempt, Brief, Model, Prompt, closing
from sayso.planners.scored_domain import literal
from sayso.planners.stepwise_answer import ANSWER_MAX, DONE, GIVE_UP, Step, read_answer
from sayso.planners.stepwise_ledger import Ledger
from sayso.planners.stepwise_notes import Sights

TELL = "log"
ASIDE = frozenset({TELL, "probe", "time"})
"""Skills that are no steps: talking to the operator is the planner's, and thinking the model's own."""

Messages = tuple[tuple[str, str], ...]


class Form(Protocol):
    """What the model reads: `prompts.stepwise` is one."""

    def opening(self, brief: Brief, skills: Sequence[str]) -> Messages:
        """The part that stays, and the wish."""

    def feedback(self, ran: Sequence[str], news: Sequence[str], owed: Sequence[str]) -> str:
        """What came of the last step, what is known since, and which goals are open."""

    def refusal(self, why: Sequence[str]) -> str:
        """Why an answer was not accepted."""

    def prompt(self, brief: Brief, messages: Messages, skills: Sequence[str]) -> Prompt: ...


@dataclass(frozen=True, slots=True)
class Budget:
    """When it is enough. `nonsense_max` counts answers without a step, over the whole mission."""

    steps_max: int = 60
    nonsense_max: int = 8
    same_failure_max: int = 4


@dataclass(slots=True)
class Course:
    """One mission: the conversation, what is owed, what was asked for last."""

    messages: Messages
    ledger: Ledger = field(default_factory=Ledger)
    told: set[str] = field(default_factory=set)
    first: tuple[str, ...] = ()
    sights: Sights = field(default_factory=Sights)
    step: Step | None = None
    steps: int = 0
    nonsense: int = 0
    doubted: bool = False
    failures: dict[str, int] = field(default_factory=dict)


class Stepwise:
    """`form` makes the prompts. Ablations: without `feedback` the model hears only that its step is over; one that

    does not remember (`remembers`) is not told again what was seen before.
    """

    name = "stepwise"

    def __init__(
        self,
        model: Model,
        form: Form,
        budget: Budget | None = None,
        *,
        feedback: bool = True,
        remembers: bool = True,
        note: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.model, self.form, self.budget, self.hears = model, form, budget or Budget(), feedback
        self.remembers, self.note = remembers, note
        self.now: Course | None = None

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        skills = [s for s in brief.skills if s not in ASIDE and len(brief.skills[s].params) == 1]
        if self.now is None or not brief.history:
            self.now = Course(self.form.opening(brief, skills), first=brief.notes)
            self.now.told.update(brief.notes)
            self.now.sights.hear(None, False, "", brief.notes)
        else:
            self._hear(self.now, brief)
        course = self.now
        if reason := self._spent(course):
            yield _end(brief, False, reason)
            return
        step = await self._next(course, brief, skills)
        if step.skill in (DONE, GIVE_UP):
            yield _end(brief, step.skill == DONE, step.args[0] if step.args else "")
            return
        course.step, course.steps = step, course.steps + 1
        if departure := course.ledger.choose(step):
            self.note(f"departs from its list: {departure}")
        yield f"{step.skill}({','.join(map(literal, step.args))});rp"

    def _hear(self, course: Course, brief: Brief) -> None:
        """What came of the last step."""
        last = brief.history[-1]
        ran = last.ran or (last.ended,)
        worked = any(": done" in line for line in ran)
        if course.step and (worked or not self.hears):
            course.ledger.worked(course.step)
            course.failures = {w: n for w, n in course.failures.items() if not w.startswith(f"{course.step}: ")}
        elif course.step:
            what = f"{course.step}: {_why(last)}"
            course.failures[what] = course.failures.get(what, 0) + 1
        if self.hears:
            course.sights.hear(course.step, worked, brief.failure, brief.notes)
        news = [n for n in brief.notes if n not in course.told]
        course.told = set(brief.notes)
        owed = [str(goal) for goal in course.ledger.open]
        text = self.form.feedback(ran, news, owed) if self.hears else self.form.feedback((), (), ())
        course.messages = (*course.messages, ("user", text))

    def _spent(self, course: Course) -> str:
        if course.steps >= self.budget.steps_max:
            return f"{course.steps} steps did not do it"
        worst = max(course.failures.items(), key=lambda f: f[1], default=("", 0))
        return f"the same failure {worst[1]} times: {worst[0]}" if worst[1] >= self.budget.same_failure_max else ""

    async def _next(self, course: Course, brief: Brief, skills: Sequence[str]) -> Step:
        """The model's next step; asked again, with the reason, where an answer is none."""
        while True:
            text = await self._ask(course, brief, skills)
            answer = read_answer(text, {s: len(brief.skills[s].params) for s in skills})
            course.messages = (*course.messages, ("assistant", text))
            if answer.step is not None:
                if departure := course.ledger.take(answer.plan):
                    self.note(f"departs from its list: {departure}")
                owed = course.ledger.owed
                if answer.step.skill != DONE or course.doubted or not owed:
                    course.doubted = False
                    return answer.step
                course.doubted = True
                self.note(f"done too early: open is {owed}")
                why = [f"done, while this is open: {owed}; go on, or say done again where it is settled, or give_up"]
            else:
                course.nonsense += 1
                why = list(answer.refused)
                for problem in why:
                    self.note(f"not accepted: {problem}")
                if course.nonsense >= self.budget.nonsense_max:
                    return Step(GIVE_UP, (f"the model gave {course.nonsense} answers without a step",))
            course.messages = (*course.messages, ("user", self.form.refusal(why)))

    async def _ask(self, course: Course, brief: Brief, skills: Sequence[str]) -> str:
        text, told = "", self._told(course, brief)
        async with closing(self.model.stream(self.form.prompt(told, course.messages, skills))) as answer:
            async for chunk in answer:
                text += chunk.text
                if len(text) > ANSWER_MAX:
                    break
        return text

    def _told(self, course: Course, brief: Brief) -> Brief:
        """What a model reads that reads no conversation: the brief, with what this mission owes and has seen."""
        own = course.sights.notes(course.ledger.open, self.remembers)
        if self.hears:
            return replace(brief, notes=(*brief.notes, *own))
        unheard = tuple(Attempt(attempt.plan) for attempt in brief.history)
        return replace(brief, notes=(*course.first, *own), history=unheard, failure="")


def _end(brief: Brief, met: bool, reason: str) -> str:
    """The last plan: what the operator should hear, and whether the wish is met."""
    told = f"{TELL}({literal(reason)});" if reason and TELL in brief.skills else ""
    return f"{told}->{met}"


def _why(attempt: Attempt) -> str:
    return "; ".join(attempt.ran) or attempt.ended
