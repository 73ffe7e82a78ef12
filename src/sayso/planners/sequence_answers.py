"""What people have answered to the questions of plans that failed later: it is put in where a mended plan asks again.

A plan may begin with a question ("Where can I find Mary?"). If a later step fails, the mended plan is a plan of its
own, in which the value of the question is gone; people should not be asked the same thing twice for that. So a question
that was answered becomes its answer, and a value that nothing in the mended plan gives is given first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sayso.errors import PlanError
from sayso.language import parse, show
from sayso.language.nodes import Assign, Invocation, Literal, Plan, Variable, walk
from sayso.parts import Attempt
from sayso.task import NOT_FOUND

ASKS = ("ask", "ak")


def recalled(text: str, history: Sequence[Attempt]) -> str:
    """The plan, with answers that were given before in the place of their questions; as it is where there are none."""
    questions: dict[str, str] = {}
    values: dict[str, str] = {}
    for attempt in history:
        for name, question, answer in _answers(attempt):
            questions[question] = values[name] = answer
    plan = _read(text)
    known = [one for one in _questions(plan) if _asked(one) in questions]
    for one in known:
        one.value = Literal(questions[_asked(one)])
    first = [Assign(name, Literal(values[name])) for name in _unset(plan) if name in values]
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


def _unset(plan: Plan) -> Iterator[str]:
    """Values that are used before the plan gives them, each once."""
    given: set[str] = set()
    for node in walk(plan.body):
        if isinstance(node, Variable) and node.name not in given:
            yield node.name
        if isinstance(node, Variable | Assign):
            given.add(node.name)
