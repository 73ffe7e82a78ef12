"""The planner `rolling`: no plan, but the tasks that help now, asked for again every two seconds.

The model sees the request and the state of the moment and answers with tasks and priorities; the executive pursues
them until the next answer. What a model gets wrong costs little here: an unknown or doubled task is refused and the
model told so; a call that fails or hangs leaves the last tasks in force; an answer to a request that has changed in
the meantime is dropped, its call ended, and the new request asked about at once.

It ends when the model says Done and something has happened that can be seen, or after three rounds in which nothing
did. The model's word alone is never enough. Progress is what was not there before: a task asked for the first time, a
task done, a state unlike every earlier one.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from sayso.clock import beside
from sayso.errors import ModelError, ModelUnavailable
from sayso.grounding.inflection import row
from sayso.planners.plan_answer import GoalReporter, split
from sayso.planners.reflex import plain_goal
from sayso.planners.rolling_answer import ANSWER_MAX, Answer, read_answer
from sayso.planners.rolling_course import Course, state_of
from sayso.roles import Brief, End, Model, Prompt, Session, answered
from sayso.skill import SkillSet
from sayso.task import Ran
from sayso.understanding.abilities import able
from sayso.understanding.picks import joined
from sayso.wish import Act

PERIOD_S, WATCH_S, CALL_MAX_S = 2.0, 0.25, 10.0
"""From prompt to prompt, between two looks at the request and the state, and for one answer."""

IDLE_ROUNDS = 3
"""So many without progress end it."""


class Rolling:
    """Asks `model` again and again what to do now. `render` turns a brief into the prompt.

    In what is rendered, `history` holds the last answer and what became of it, `failure` what was not accepted in it.
    What may be asked for are the brief's skills that a provider makes happen; of those that last, nobody reports an
    end: to have gone on for a while is all there is.
    """

    name = "rolling"
    steers = True

    def __init__(self, model: Model, render: Callable[[Brief], Prompt]) -> None:
        self.model, self.render = model, render

    async def act(self, session: Session) -> End:
        """See `roles.Planner`. Raises the model's error when each of the last rounds failed by one."""
        return await _Rounds(self, session).run()


class _Rounds:
    """One mission of a `Rolling` planner."""

    def __init__(self, planner: Rolling, session: Session) -> None:
        self._planner = planner
        self._session, self._wants = session, GoalReporter(session)
        self._brief = Brief("", SkillSet())
        self._heard: tuple[Ran, ...] = ()
        self._course = Course("", state_of(self._brief))
        self._error: ModelError | None = None

    async def run(self) -> End:
        while True:
            due_s = _now_s() + PERIOD_S
            await self._see()
            course, answer = self._course, await self._answer()
            if self._course is not course:
                continue
            if answer:
                self._follow(answer)
            if verdict := self._verdict(answer):
                return verdict
            await self._rest(due_s)

    async def _see(self) -> None:
        """Look at the state and the request; a changed request is a new course, and reads the same with and without a
        full stop. What is seen names every end so far, oldest first: each is taken in once."""
        brief = await self._session.look()
        ended, request = brief.seen.ended, brief.instruction.strip().rstrip(".。").rstrip()
        fresh = ended[len(self._heard) :] if ended[: len(self._heard)] == self._heard else ended
        self._heard, seen = ended, replace(brief.seen, ended=())
        self._brief = replace(brief, instruction=request, history=(), failure="", seen=seen)
        state = state_of(self._brief)
        if request != self._course.request:
            self._course = Course(request, state, self._course.in_force)
        self._course.see(state, fresh)

    async def _answer(self) -> Answer | None:
        """What the model answers to the state of now; None where nothing came or the request has changed."""
        course = self._course
        failure = "\n".join(course.told)
        brief = replace(self._brief, history=course.history(_now_s()), failure=failure)
        course.asked()
        self._error = None
        try:
            text = await self._ask(self._planner.render(brief))
        except ModelError as error:
            self._error = error
            self._session.note(f"no answer, so the last tasks stay in force: {error}")
            return None
        if self._course is not course:
            self._session.note("the request has changed, so the answer to the earlier one is dropped")
            return None
        tasks, goal = split(text)
        self._wants.tell(goal, course.request)
        return read_answer(tasks, [s.name for s in self._brief.skills.skills if s.provided])

    async def _ask(self, prompt: Prompt) -> str:
        """The answer's text; what there is of it when the request changes. No call outlives this."""
        course, give_up_s = self._course, _now_s() + CALL_MAX_S
        async with beside(answered(self._planner.model, prompt, ANSWER_MAX)) as call:
            while not call.done() and self._course is course:
                if _now_s() >= give_up_s:
                    raise ModelUnavailable(f"{self._planner.model.name} gave no whole answer in time")
                await asyncio.wait([call], timeout=WATCH_S)
                await self._see()
            return call.result() if call.done() and self._course is course else ""

    def _follow(self, answer: Answer) -> None:
        """Pursue what was asked for. An answer without one good task leaves the last ones in force."""
        course = self._course
        course.told = list(answer.refused)
        if answer.tasks:
            self._session.pursue(course.take(answer, _now_s()))
        elif answer.word == "cannot" or answer.question:
            course.drop()
            self._session.pursue(())
        elif answer.word == "done" and not self._evidence():
            course.told.append("Done, while nothing has happened yet that would show it")
        elif answer.word == "done":
            course.told += [f"Done, while this is missing: {part}" for part in self._session.missing()]
        for problem in course.told:
            self._session.note(f"not accepted: {problem}")

    def _evidence(self) -> str:
        lasting = frozenset(s.name for s in self._brief.skills.skills if s.lasting)
        return self._course.evidence(_now_s(), lasting)

    def _verdict(self, answer: Answer | None) -> End | None:
        """Whether it is over, and why."""
        done = answer is not None and answer.word == "done" and not self._course.told
        if done and (evidence := self._evidence()):
            return End(True, f"going by {self._planner.model.name}, it is done ({evidence})")
        course = self._course
        course.end_round(failed=answer is None)
        if answer and answer.question:
            return End(False, answer.question, asks=True)
        if course.idle < IDLE_ROUNDS:
            return None
        if self._error and course.failures >= IDLE_ROUNDS:
            raise self._error
        if answer and answer.word == "cannot":
            asks = self._brief.request is not None and self._brief.request.act is Act.WORLD
            lacks = "I cannot tell that by looking" if asks else self._lacks()
            return End(False, f"{lacks}. {able('', self._brief.skills)[1]}", False)
        last = f"; not accepted: {course.told[-1]}" if course.told else ""
        return End(False, f"I came no further in {IDLE_ROUNDS} rounds{last}")

    def _lacks(self) -> str:
        """The parts of the wish that are no plain command, where some are one: these cannot be done."""
        some = joined(self._brief.core)
        lost = [f"“{part}”" for part in some if plain_goal(self._brief, part) is None]
        return f"I cannot do {row(lost)}" if 0 < len(lost) < len(some) else f"I cannot do “{self._brief.core}”"

    async def _rest(self, until_s: float) -> None:
        """Wait for the next round; a changed request does not wait."""
        course = self._course
        while self._course is course and (left_s := until_s - _now_s()) > 1e-9:
            await asyncio.sleep(min(WATCH_S, left_s))
            await self._see()


def _now_s() -> float:
    return asyncio.get_running_loop().time()
