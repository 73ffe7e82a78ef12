"""The planner `sequence`, of GPSR: one command, one list of calls, checked whole before anything moves.

A model that is asked for a plan may name what does not exist or leave the form. Such an answer is never run: the model
is asked again, with its answer and what was wrong with it, a few times; then the robot says aloud that it could not.
What fails while it runs comes back as a brief with a failure, through the same loop as for every planner.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, replace

from sayso.errors import ModelBroke, ModelUnavailable, PlanError
from sayso.language import check, parse, show
from sayso.language.nodes import Assign, Invocation, Literal, Plan, Variable, walk
from sayso.planners.failed_plan import NO_PLAN, given_up, short
from sayso.planners.plan_answer import split
from sayso.planners.text_planner import TextPlanner
from sayso.roles import Attempt, Brief, Model, Prompt, answered
from sayso.scene import plain
from sayso.task import NOT_FOUND

REASKS = 5
"""How often an answer may be refused and asked for again: the paper's figure."""

REPLANS = 4
"""How often a plan that failed is followed by another one; the last of these is the spoken end."""

ANSWER_MAX = 6000
"""Characters. No command needs more; whoever writes at such length has lost the thread."""

SORRY_SAID = f"I am sorry. {NO_PLAN}"
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


ASKS = ("ask", "ak")


def recalled(text: str, history: tuple[Attempt, ...]) -> str:
    """The plan, with answers that were given before in the place of their questions; as it is where there are none.

    A plan may begin with a question ("Where can I find Mary?"). If a later step fails, the mended plan is a plan of its
    own, in which the value of the question is gone; people should not be asked the same thing twice for that. So a
    question that was answered becomes its answer, and a value that nothing in the mended plan gives is given first.
    """
    questions: dict[str, str] = {}
    values: dict[str, str] = {}
    for attempt in history:
        for name, question, answer in _answers(attempt):
            questions[question] = values[name] = answer
    plan = _read(text)
    known = [one for one in _questions(plan) if _asked(one) in questions]
    for one in known:
        one.value = Literal(questions[_asked(one)])
    first = [Assign(name, Literal(values[name])) for name in unset(plan) if name in values]
    plan.body.statements[:0] = first
    return show(plan) if known or first else text


def _read(text: str) -> Plan:
    """An empty plan where the text is none: who admits it says what is wrong."""
    try:
        return parse(text)
    except PlanError:
        return Plan()


def _questions(plan: Plan) -> list[Assign]:
    """What keeps an answer under a name."""
    return [node for node in walk(plan.body) if isinstance(node, Assign) and _asked(node)]


def _asked(node: Assign) -> str:
    call = node.value
    if not isinstance(call, Invocation) or call.name not in ASKS or not call.args:
        return ""
    return str(call.args[0].value) if isinstance(call.args[0], Literal) else ""


def _answers(attempt: Attempt) -> Iterator[tuple[str, str, str]]:
    """The variable, the question and the answer, as often as an answer was kept; questions are answered in order."""
    if any(one.code == NOT_FOUND for one in attempt.ran):
        return  # what was answered did not help: it may be asked again
    said = [str(one.value or "").strip() for one in attempt.ran if one.skill == ASKS[0] and one.done]
    plan = _read(attempt.plan)
    asked = _questions(plan)
    if len(asked) != sum(isinstance(node, Invocation) and node.name in ASKS for node in walk(plan.body)):
        return  # one was asked without keeping the answer: which is whose is not certain
    for one, answer in zip(asked, said, strict=False):
        if answer:
            yield one.name, _asked(one), answer


def unset(plan: Plan) -> Iterator[str]:
    """Values that are used before the plan gives them, each once."""
    given: set[str] = set()
    for node in walk(plan.body):
        if isinstance(node, Variable) and node.name not in given:
            yield node.name
        if isinstance(node, Variable | Assign):
            given.add(node.name)
