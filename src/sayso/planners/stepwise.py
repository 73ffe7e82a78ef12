"""The planner `stepwise`, of DaDu-E: one step at a time, each chosen after hearing what came of the last.

The model first writes a list of steps and the first of them, then one step for every feedback, until it says `done` or
gives up. The conversation only ever grows at its end, so that an endpoint's prefix cache holds all that went before.

Each step is a plan of one statement, so that it passes the same checks, limits and records as any other plan. Added to
the paper: what is still open is asked about before `done` is believed, by a ledger that the robot's kit may bring
(`steps.Ledger`); budgets of steps and of answers that mean nothing; giving up with a reason.
"""

import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from sayso.goal import Clause
from sayso.goals.text import parse
from sayso.planners.plan_answer import GoalReporter
from sayso.planners.scored_domain import literal
from sayso.planners.stepwise_answer import ANSWER_MAX, read_answer
from sayso.planners.text_planner import stepped
from sayso.plugins.steps import (
    DONE,
    GIVE_UP,
    Ledger,
    ModelAnswer,
    RejectedAnswer,
    Step,
    StepFeedback,
    StepResult,
    Turn,
)
from sayso.roles import Attempt, Brief, End, Model, Prompt, Session, answered
from sayso.skill import Param, SkillSet

TELL = "log"
ASIDE = frozenset({TELL, "probe", "time"})
"""Skills that are no steps: talking to the operator is the planner's, and thinking the model's own."""

Render: TypeAlias = Callable[[Brief, Brief, Sequence[Turn], Sequence[str]], Prompt]
"""(the brief, the first one, the conversation since, the skills that are steps) -> prompt"""


@dataclass(frozen=True, slots=True)
class Budget:
    """The budget of one mission. `nonsense_max` counts answers without a step, over the whole mission; `doubts_max` how
    often in a row a model may say done against what has been seen."""

    steps_max: int = 80
    nonsense_max: int = 8
    same_failure_max: int = 4
    doubts_max: int = 3


class Stepwise:
    """The planner `stepwise`. `render` makes the prompts, `ledger` is what the robot's kit brings, one for each
    mission. Without `feedback`, an ablation, the model hears only that its step is over. A `terse` model says once what
    the wish means, and the ledger tells every step."""

    name = "stepwise"
    steers = False

    def __init__(
        self,
        model: Model,
        render: Render,
        budget: Budget | None = None,
        *,
        ledger: Callable[[Brief], Ledger] | None = None,
        feedback: bool = True,
        terse: bool = False,
    ) -> None:
        self.model, self.render, self.budget, self.hears = model, render, budget or Budget(), feedback
        self.ledger = ledger or (lambda brief: Ledger())
        self.terse = terse

    async def act(self, session: Session) -> End:
        """See `roles.Planner`. The budget ends it, and a step more than it has room for."""
        first = await session.look()
        return await stepped(session, first, Course(self, session, first).step, self.budget.steps_max + 1)


class Course:
    """One mission of a `Stepwise` planner: the conversation, what is owed, what was asked for last."""

    def __init__(self, planner: Stepwise, session: Session, first: Brief) -> None:
        self._by, self._budget, self._session = planner, planner.budget, session
        self._first, self._wants = first, GoalReporter(session)
        self._skills = [s for s in first.skills if s not in ASIDE]
        self._turns: tuple[Turn, ...] = ()
        self._known = set(first.notes)
        self._step: Step | None = None
        self._steps = self._nonsense = self._doubts = 0
        self._before, self._again = "", 0
        self._failures = dict[str, int]()
        self.wanted: Clause | None = None
        self.ledger = planner.ledger(first)
        self.ledger.hear(None, StepResult(False, seen=first.seen))

    async def step(self, brief: Brief) -> AsyncIterator[str]:
        """The next step as a plan, or the last plan: what the operator should hear, and whether the wish is met."""
        over = bool(brief.history) and self._hear(brief.history[-1], brief)
        if reason := self._spent():  # what cannot be done now may be done later
            self._failures.clear()
            self._again = 0
        if reason and not (self._steps < self._budget.steps_max and self.ledger.put_off()):
            yield _end(brief, False, reason)
            return
        if over:
            self._feed_back(brief)
        step = self.ledger.follows()
        if step:
            self._tell(brief.instruction)
        step = step or await self._next(brief)
        if step.skill in (DONE, GIVE_UP):
            yield _end(brief, step.skill == DONE, step.args[0] if step.args else "")
            return
        self._step, self._steps = step, self._steps + 1
        self._departs(self.ledger.choose(step))
        yield called(step, brief.skills)

    def _hear(self, last: Attempt, brief: Brief) -> bool:
        """What came of the last step; whether it is over, and not the end that was refused."""
        if last.missing:
            self._turns += (RejectedAnswer(tuple(f"done, while this is missing: {part}" for part in last.missing)),)
            return False
        hears, step = self._by.hears, self._step
        worked = any(one.done for one in last.ran)
        if step and (worked or not hears):
            self._again = self._again + 1 if str(step) == self._before else 0
            self._before = str(step)
            self._failures = {w: n for w, n in self._failures.items() if not w.startswith(f"{step}: ")}
        elif step:
            what = f"{step}: {'; '.join(one.reason for one in last.ran if one.reason) or last.ended}"
            self._failures[what] = self._failures.get(what, 0) + 1
        self.ledger.hear(step, StepResult(worked, last.ran, brief.seen) if hears else None)
        return True

    def _feed_back(self, brief: Brief) -> None:
        """Tell the model what came of the last step, and what is due by now."""
        last = brief.history[-1]
        news = tuple(n for n in brief.notes if n not in self._known)
        self._known = set(brief.notes)
        fed = StepFeedback(tuple(map(str, last.ran)) or (last.ended,), news, tuple(self.ledger.due()))
        self._turns += (fed if self._by.hears else StepFeedback(),)

    def _spent(self) -> str:
        if self._steps >= self._budget.steps_max:
            return f"{self._steps} steps did not do it"
        if self._again >= self._budget.same_failure_max:
            return f"{self._step} over and over again"
        worst = max(self._failures.items(), key=lambda f: f[1], default=("", 0))
        tried, _, why = worst[0].partition(": ")
        return f"I tried {tried} {worst[1]} times: {why}" if worst[1] >= self._budget.same_failure_max else ""

    async def _next(self, brief: Brief) -> Step:
        """The model's next step; asked again, with the reason, where an answer is none."""
        while True:
            prompt = self._by.render(self._heard(brief), self._first, self._turns, self._skills)
            text = await answered(self._by.model, prompt, ANSWER_MAX)
            answer = read_answer(text, {s: len(brief.skills[s].params) for s in self._skills})
            self._turns += (ModelAnswer(text),)
            if self._by.terse and answer.want:  # the ledger tells the first step, as it does every other
                self.ledger.owe(parse(answer.want))
                self._tell(brief.instruction)
                return self.ledger.follows() or Step(DONE)
            if answer.step is None:
                self._nonsense += 1
                why = answer.refused
                for problem in why:
                    self._session.note(f"not accepted: {problem}")
                if self._nonsense >= self._budget.nonsense_max:
                    return Step(GIVE_UP, (f"the model gave {self._nonsense} answers without a step",))
            else:
                self._departs(self.ledger.take(answer.plan))
                self._wants.tell(answer.want, brief.instruction)
                self._tell(brief.instruction)
                why = self._early(answer.step)
                if not why:
                    return answer.step
                if self._doubts > self._budget.doubts_max:
                    return Step(GIVE_UP, (f"this is still open: {self.ledger.owed}",))
            self._turns += (RejectedAnswer(why),)

    def _departs(self, how: str) -> None:
        if how:
            self._session.note(f"departs from its list: {how}")

    def _tell(self, wish: str) -> None:
        """Say what is wanted by now, by the ledger; a model's own goal comes first."""
        wanted = self.ledger.wanted()
        if wanted is None or wanted == self.wanted:
            return
        self.wanted = wanted
        if not self._wants.told(wish):
            self._session.understood(wanted)

    def _early(self, step: Step) -> tuple[str, ...]:
        """Why `done` is too early: once for any open goal, again and again where what was seen contradicts it."""
        if step.skill == GIVE_UP and self._steps and (put_off := self.ledger.put_off()):
            return (f"giving up, while other things can be done; {put_off} waits until then",)
        if step.skill != DONE:
            self._doubts = 0
            return ()
        contradicted, owed = self.ledger.doubts(), self.ledger.owed
        if not owed or (self._doubts and not contradicted):
            return ()
        self._doubts += 1
        self._session.note(f"done too early: open is {owed}")
        return (f"done, while this is open: {owed}; go on, or say done again where it is settled, or give_up",)

    def _heard(self, brief: Brief) -> Brief:
        """The brief, without what the model must not hear."""
        if self._by.hears:
            return brief
        seen = replace(self._first.seen, scene=brief.scene)
        return replace(brief, seen=seen, history=tuple(Attempt(a.plan) for a in brief.history), failure="")


def _end(brief: Brief, met: bool, reason: str) -> str:
    """The last plan: what the operator should hear, and whether the wish is met."""
    told = f"{TELL}({literal(reason)});" if reason and TELL in brief.skills else ""
    return f"{told}->{met}"


def called(step: Step, skills: SkillSet) -> str:
    """The step as a statement of the plan language."""
    return f"{step.skill}({','.join(map(_written, skills[step.skill].params, step.args))})"


def _written(param: Param, said: str) -> str:
    """An argument as its parameter takes it. What is no number or flag stays text, for the checks to tell."""
    if param.kind == "flag" and said.lower() in ("true", "false"):
        return said.capitalize()
    number = re.fullmatch(rf"(-?\d+(?:\.\d+)?)\s*(?:{re.escape(param.unit)})?", said)
    return number[1] if number and param.kind in ("number", "integer") else literal(said)
