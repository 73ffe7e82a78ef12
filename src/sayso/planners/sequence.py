"""The planner of GPSR: one command, one list of calls, checked whole before anything moves.

A model that is asked for a plan may name what does not exist or leave the form. Such an answer is never run: the model
is asked again, with its answer and what was wrong with it, a few times; then the robot says aloud that it could not.
What fails while it runs comes back as a brief with a failure, through the same loop as for every planner.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace

from sayso.errors import ModelBroke, ModelUnavailable
from sayso.language import check
from sayso.parts import Attempt, Brief, Model, Prompt, answered
from sayso.planners.resumed import given_up, short
from sayso.planners.sequence_answers import recalled
from sayso.planners.texts import TextPlanner
from sayso.planners.wants import split
from sayso.scene import plain

REASKS = 5
"""How often an answer may be refused and asked for again: the paper's figure."""

REPLANS = 4
"""How often a plan that failed is followed by another one; the last of these is the spoken end."""

ANSWER_MAX = 6000
"""Characters. No command needs more; whoever writes at such length has lost the thread."""

SORRY_SAID = "I am sorry, I could not make a plan for that."
SORRY_DONE = "I am sorry, I could not do that"


@dataclass(frozen=True, slots=True)
class Admission:
    """What a check says of an answer: the plan as it may run, or an empty one and what is wrong."""

    plan: str = ""
    problems: tuple[str, ...] = ()


def admissible(answer: str, brief: Brief) -> Admission:
    """What any robot lets run: a plan in its language, for its skills."""
    wrong = tuple(error.pointed() for error in check(answer, brief.skills))
    return Admission(problems=wrong) if wrong else Admission(answer)


class Sequence(TextPlanner):
    """Asks `model` for whole plans. `render` turns a brief into a prompt, `admit` decides whether an answer may run.

    With no `reasks` a refused answer is the end at once, as in a system without this handling.
    """

    name = "sequence"

    def __init__(
        self,
        model: Model,
        render: Callable[[Brief], Prompt],
        admit: Callable[[str, Brief], Admission] = admissible,
        *,
        reasks: int = REASKS,
        replans: int = REPLANS,
    ) -> None:
        self.model, self.render, self.admit = model, render, admit
        self.reasks, self.replans = reasks, replans

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        """One admissible plan, whole, or the honest end. Raises `ModelUnavailable` where nothing was answered."""
        if brief.history and len(brief.history) >= self.replans:
            yield given_up(brief, f"{SORRY_DONE}: {plain(short(brief.failure), 160)}")
            return
        asked = brief
        for _ in range(self.reasks + 1):
            try:
                answer, goal = split(await self._answer(asked))
            except ModelUnavailable:
                if asked is brief:
                    raise
                break
            admitted = self.admit(recalled(answer, brief.history), brief)
            if admitted.plan:
                yield f"{admitted.plan}\n{goal}" if goal else admitted.plan
                return
            asked = _asked_again(brief, answer, admitted.problems)
        yield given_up(brief, SORRY_SAID)

    async def _answer(self, brief: Brief) -> str:
        """The whole text; what there is of it where the model broke off, which the check will refuse or not."""
        try:
            return await answered(self.model, self.render(brief), ANSWER_MAX)
        except ModelBroke as broke:
            return f"{broke.received} (the answer broke off)"


def _asked_again(brief: Brief, answer: str, problems: tuple[str, ...]) -> Brief:
    """The brief with the last refused answer as one more attempt, of which nothing ran."""
    wrong = "This answer was not run. " + " ".join(f"- {p}" for p in problems)
    attempt = Attempt(answer[:ANSWER_MAX], (), wrong)
    return replace(brief, history=(*brief.history, attempt), failure=wrong)
