"""The planner of DaDu-E: one step at a time, each chosen after hearing what came of the last.

The model first writes a list of steps and the first of them, then one step for every feedback, until it says `done` or
gives up. The conversation only ever grows at its end, so that an endpoint's prefix cache holds all that went before.

Each step is a plan of one statement, so that it passes the same checks, limits and records as any other plan. Added to
the paper: what is still open is asked about before `done` is believed, by a ledger that the robot's kit may bring
(`steps.Ledger`); budgets of steps and of answers that mean nothing; giving up with a reason.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from sayso.goal import Clause
from sayso.goals.text import parse
from sayso.parts import Attempt, Brief, End, Model, Observation, Prompt, Session, answered
from sayso.planners.scored_domain import literal
from sayso.planners.stepwise_answer import ANSWER_MAX, Answer, read_answer
from sayso.planners.texts import stepped
from sayso.planners.wants import Wants
from sayso.skill import Param, SkillSet
from sayso.steps import DONE, GIVE_UP, Heard, Ledger, Listed, Step

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
    """When it is enough. `nonsense_max` counts answers without a step, over the whole mission; `doubts_max` how often

    in a row a model may say done against what has been seen.
    """

    steps_max: int = 80
    nonsense_max: int = 8
    same_failure_max: int = 4
    doubts_max: int = 3


@dataclass(slots=True)
class Course:
    """One mission: the conversation, what is owed, what was asked for last."""

    messages: Messages
    ledger: Ledger
    first: Observation
    told: set[str] = field(default_factory=set)
    step: Step | None = None
    steps: int = 0
    nonsense: int = 0
    doubts: int = 0
    wanted: Clause | None = None
    before: str = ""
    again: int = 0
    failures: dict[str, int] = field(default_factory=dict)


class Stepwise:
    """`form` makes the prompts, `ledger` is what the robot's kit brings, one for each mission. Without `feedback`, an
    ablation, the model hears only that its step is over. A `terse` model says once what the wish means, and the ledger
    tells every step.
    """

    name = "stepwise"
    steers = False

    def __init__(
        self,
        model: Model,
        form: Form,
        budget: Budget | None = None,
        *,
        ledger: Callable[[Brief], Ledger] | None = None,
        feedback: bool = True,
        terse: bool = False,
    ) -> None:
        self.model, self.form, self.budget, self.hears = model, form, budget or Budget(), feedback
        self.ledger = ledger or (lambda brief: Listed())
        self.terse = terse
        self.note: Callable[[str], None] = lambda text: None
        self.now: Course | None = None
        self._session: Session | None = None
        self._wants: Wants | None = None

    async def act(self, session: Session) -> End:
        """See `parts.Planner`. The budget ends it, and a step more than it has room for."""
        self.now, self.note = None, session.note
        self._session, self._wants = session, Wants(session)
        return await stepped(session, self.step, self.budget.steps_max + 1)

    async def step(self, brief: Brief) -> AsyncIterator[str]:
        """The next step as a plan, or the last plan: what the operator should hear, and whether the wish is met."""
        skills = [s for s in brief.skills if s not in ASIDE]
        if self.now is None or not brief.history:
            self.now = Course(self.form.opening(brief, skills), self.ledger(brief), brief.seen)
            self.now.told.update(brief.notes)
            self.now.ledger.hear(None, Heard(False, seen=brief.seen))
            over = False
        else:
            over = self._hear(self.now, brief)
        course = self.now
        if reason := self._spent(course):  # what cannot be done now may be done later
            course.failures.clear()
            course.again = 0
        if reason and not (course.steps < self.budget.steps_max and course.ledger.put_off()):
            yield _end(brief, False, reason)
            return
        if over:
            self._feed_back(course, brief)
        step = course.ledger.follows()
        if step:
            self._tell(course, brief.instruction)
        step = step or await self._next(course, brief, skills)
        if step.skill in (DONE, GIVE_UP):
            yield _end(brief, step.skill == DONE, step.args[0] if step.args else "")
            return
        course.step, course.steps = step, course.steps + 1
        if departure := course.ledger.choose(step):
            self.note(f"departs from its list: {departure}")
        yield called(step, brief.skills)

    def _hear(self, course: Course, brief: Brief) -> bool:
        """What came of the last step; whether it is over, and not the end that was refused."""
        last = brief.history[-1]
        if last.missing:
            why = [f"done, while this is missing: {part}" for part in last.missing]
            course.messages = (*course.messages, ("user", self.form.refusal(why)))
            return False
        worked = any(one.done for one in last.ran)
        if course.step and (worked or not self.hears):
            course.again = course.again + 1 if str(course.step) == course.before else 0
            course.before = str(course.step)
            course.failures = {w: n for w, n in course.failures.items() if not w.startswith(f"{course.step}: ")}
        elif course.step:
            what = f"{course.step}: {_why(last)}"
            course.failures[what] = course.failures.get(what, 0) + 1
        course.ledger.hear(course.step, Heard(worked, last.ran, brief.seen) if self.hears else None)
        return True

    def _feed_back(self, course: Course, brief: Brief) -> None:
        """Tell the model what came of the last step, and what is due by now."""
        last = brief.history[-1]
        ran = tuple(map(str, last.ran)) or (last.ended,)
        news = [n for n in brief.notes if n not in course.told]
        course.told = set(brief.notes)
        text = self.form.feedback(ran, news, course.ledger.due()) if self.hears else self.form.feedback((), (), ())
        course.messages = (*course.messages, ("user", text))

    def _spent(self, course: Course) -> str:
        if course.steps >= self.budget.steps_max:
            return f"{course.steps} steps did not do it"
        if course.again >= self.budget.same_failure_max:
            return f"{course.step} over and over again"
        worst = max(course.failures.items(), key=lambda f: f[1], default=("", 0))
        return f"the same failure {worst[1]} times: {worst[0]}" if worst[1] >= self.budget.same_failure_max else ""

    async def _next(self, course: Course, brief: Brief, skills: Sequence[str]) -> Step:
        """The model's next step; asked again, with the reason, where an answer is none."""
        while True:
            prompt = self.form.prompt(self._told(course, brief), course.messages, skills)
            text = await answered(self.model, prompt, ANSWER_MAX)
            answer = read_answer(text, {s: len(brief.skills[s].params) for s in skills})
            course.messages = (*course.messages, ("assistant", text))
            if self.terse and answer.want:
                return self._read(course, answer.want, brief.instruction)
            if answer.step is None:
                course.nonsense += 1
                why = list(answer.refused)
                for problem in why:
                    self.note(f"not accepted: {problem}")
                if course.nonsense >= self.budget.nonsense_max:
                    return Step(GIVE_UP, (f"the model gave {course.nonsense} answers without a step",))
            else:
                if departure := course.ledger.take(answer.plan):
                    self.note(f"departs from its list: {departure}")
                self._understand(course, answer, brief.instruction)
                why = self._early(course, answer.step)
                if not why:
                    return answer.step
                if course.doubts > self.budget.doubts_max:
                    return Step(GIVE_UP, (f"this is still open: {course.ledger.owed}",))
            course.messages = (*course.messages, ("user", self.form.refusal(why)))

    def _read(self, course: Course, want: str, wish: str) -> Step:
        """A terse model said what the wish means; the ledger tells the first step, as it does every other."""
        course.ledger.owe(parse(want))
        self._tell(course, wish)
        return course.ledger.follows() or Step(DONE)

    def _understand(self, course: Course, answer: Answer, wish: str) -> None:
        """Say what is wanted by now: the model's own goal, or else what the ledger makes of its list."""
        if self._wants is not None:
            self._wants.tell(answer.want, wish)
        self._tell(course, wish)

    def _tell(self, course: Course, wish: str) -> None:
        """What is wanted by now, by the ledger; a model's own goal comes first."""
        wanted = course.ledger.wanted()
        if wanted is None or wanted == course.wanted:
            return
        course.wanted = wanted
        if self._session is not None and self._wants is not None and not self._wants.told(wish):
            self._session.understood(wanted)

    def _early(self, course: Course, step: Step) -> list[str]:
        """Why `done` is too early: once for any open goal, again and again where what was seen contradicts it."""
        ledger = course.ledger
        if step.skill == GIVE_UP and course.steps and (put_off := ledger.put_off()):
            return [f"giving up, while other things can be done; {put_off} waits until then"]
        if step.skill != DONE:
            course.doubts = 0
            return []
        contradicted, owed = ledger.doubts(), ledger.owed
        if not owed or (course.doubts and not contradicted):
            return []
        course.doubts += 1
        self.note(f"done too early: open is {owed}")
        return [f"done, while this is open: {owed}; go on, or say done again where it is settled, or give_up"]

    def _told(self, course: Course, brief: Brief) -> Brief:
        """The brief, without what it must not hear."""
        if self.hears:
            return brief
        seen = replace(course.first, scene=brief.scene)
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


def _why(attempt: Attempt) -> str:
    return "; ".join(map(str, attempt.ran)) or attempt.ended
