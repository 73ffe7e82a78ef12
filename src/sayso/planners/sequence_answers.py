"""What people have answered to the questions of plans that failed later: it is put in where a mended plan asks again.

A plan may begin with a question ("Where can I find Mary?"). If a later step fails, the mended plan is a plan of its
own, in which the value of the question is gone; people should not be asked the same thing twice for that. So a question
that was answered becomes its answer, and a value that nothing in the mended plan gives is given first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sayso.parts import Attempt
from sayso.task import NOT_FOUND

ASKS = ("ask", "ak")
_ASKED = re.compile(rf"(_\d+)\s*=\s*(?:{'|'.join(ASKS)})\('((?:[^'\\]|\\.)*)'\)")
_ASKING = re.compile(rf"\b(?:{'|'.join(ASKS)})\('((?:[^'\\]|\\.)*)'\)")
_VARIABLE = re.compile(r"'(?:[^'\\]|\\.)*'|(_\d+)\b(\s*=(?!=))?")


def recalled(plan: str, history: Sequence[Attempt]) -> str:
    """The plan, with answers that were given before in the place of their questions."""
    questions: dict[str, str] = {}
    values: dict[str, str] = {}
    for attempt in history:
        for name, question, answer in _answers(attempt):
            questions[question] = values[name] = answer
    known = _ASKED.sub(lambda m: f"{m[1]}={quoted(questions[m[2]])}" if m[2] in questions else m[0], plan)
    first = [f"{name}={quoted(values[name])}" for name in _unset(known) if name in values]
    return ";".join([*first, known])


def quoted(text: str) -> str:
    """An answer as a plan writes it down."""
    plain = text.replace("\\", " ").replace("'", "’").replace("\n", " ").strip()
    return f"'{plain}'"


def _answers(attempt: Attempt) -> Iterator[tuple[str, str, str]]:
    """The variable, the question and the answer, as often as an answer was kept; questions are answered in order."""
    if any(one.code == NOT_FOUND for one in attempt.ran):
        return  # what was answered did not help: it may be asked again
    said = [str(one.value or "") for one in attempt.ran if one.skill == ASKS[0] and one.done]
    asked = list(_ASKED.finditer(attempt.plan))
    if len(asked) != len(_ASKING.findall(attempt.plan)):
        return  # one was asked without keeping the answer: which is whose is not certain
    for match, answer in zip(asked, said, strict=False):
        if answer:
            yield match[1], match[2], answer


def _unset(plan: str) -> Iterator[str]:
    """Values that are used before the plan gives them, each once."""
    given: set[str] = set()
    for match in _VARIABLE.finditer(plan):
        if match[1] and match[1] not in given:
            given.add(match[1])
            if not match[2]:
                yield match[1]
