"""The reader of a model's answer that asks for tasks: generous about form, strict about meaning.

`Task: WalkToBall Priority: 2` may come with bullets, commas, bold marks, brackets, its parts on lines of their own or
with prose around it. But a task is one of those that exist, each at most once, with a whole number that counts; what
is not is refused, with words for the model and for the operator. Nothing is guessed: `Kick` is not `KickBall`.
"""

import difflib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from sayso.language import plainly
from sayso.scene import plain

PRIORITY_MAX = 99
ANSWER_MAX = 4000
"""Characters. Whoever answers at such length does not answer the question."""

_ENTRY = re.compile(r"\btask\b[\s*_`]*[:=]", re.IGNORECASE)
_NAME = re.compile(r"[\s*_`<\[\"'(]*([A-Za-z][\w-]{0,60})")
_PRIORITY = re.compile(r"[\W_]*\bpriority\b[\s*_`]*[:=]?[\s*_`<\[\"'(]*([-+]?\d[\d.]{0,20})", re.IGNORECASE)
_WHOLE = re.compile(r"\+?(\d{1,4})(?:\.0*)?")
QUESTION_MAX = 300

_ASKS = re.compile(r"\s*ask\s*:\s*(.+\?)\s*", re.IGNORECASE | re.DOTALL)
_WORD = re.compile(r"\W*(done|cannot)\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answer:
    """What was understood of an answer: tasks with priorities, the word `done` or `cannot`, or a `question`.

    `refused` says for each thing that was not accepted what it was and what would be right. `executable` is the
    paper's figure: in the right form, and every task exists.
    """

    tasks: Mapping[str, int] = field(default_factory=dict)
    word: str = ""
    refused: tuple[str, ...] = ()
    executable: bool = True
    question: str = ""

    def __str__(self) -> str:
        if self.question:
            return f"Ask: {self.question}"
        return self.word.capitalize() or "\n".join(f"Task: {name} Priority: {n}" for name, n in self.tasks.items())


def read_answer(text: str, known: Collection[str]) -> Answer:
    """The answer in `text`, from a model that may ask for the tasks in `known`."""
    if len(text) > ANSWER_MAX:
        return _unreadable(f"an answer of more than {ANSWER_MAX} characters")
    text = plainly(text)
    if word := _WORD.fullmatch(text):
        return Answer(word=word[1].lower())
    if asks := _ASKS.fullmatch(text):
        return Answer(question=" ".join(asks[1].split())[:QUESTION_MAX])
    entries = _ENTRY.split(text)[1:]
    if not entries:
        return _unreadable(f"{plain(text, 40)!r}, which names no task" if text.strip() else "an empty answer")
    tasks: dict[str, int] = {}
    refused: list[str] = []
    executable = True
    for entry in entries:
        name, priority, problem = _read_entry(entry, known)
        executable = executable and not problem
        if problem:
            refused.append(problem)
        elif name in tasks:
            refused.append(f"{name} twice: it stays at priority {tasks[name]}; name each task once")
        else:
            tasks[name] = priority
    return Answer(tasks, refused=tuple(refused), executable=executable)


def _read_entry(entry: str, known: Collection[str]) -> tuple[str, int, str]:
    """Name and priority of one task, or why it is refused."""
    found = _NAME.match(entry)
    if not found:
        return "", 0, f"a task without a name; name one of {', '.join(known)}"
    name = {k.lower(): k for k in known}.get(found[1].lower(), "")
    if not name:
        return "", 0, f"{plain(found[1])}, which is no task of this robot{_meant(found[1], known)}"
    number = _PRIORITY.match(entry, found.end())
    if not number:
        return "", 0, f"{name} without a priority; write Task: {name} Priority: 1"
    whole = _WHOLE.fullmatch(number[1])
    if not whole or not 1 <= int(whole[1]) <= PRIORITY_MAX:
        return "", 0, f"{name} with priority {number[1]}; a priority is a whole number from 1 to {PRIORITY_MAX}"
    return name, int(whole[1]), ""


def _meant(name: str, known: Collection[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return f"; was {close[0]} meant?" if close else f"; there are {', '.join(known)}"


def _unreadable(what: str) -> Answer:
    return Answer(refused=(f"{what}; write Task: NAME Priority: NUMBER, Done or Cannot",), executable=False)
