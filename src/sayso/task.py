"""Tasks and their outcomes: the seam between language, executive and skills.

The words are the Director's. A *task type* is a name that only one task can own at a time: a skill or a resource. A
*provider* is what makes tasks of one type happen. `docs/executive.md` has the rules.
"""

import enum
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from sayso.skill import Value


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """One task for the executive. Two tasks are never equal: a wish repeated is another wish.

    `type` is a skill's full name or a resource; `data` its arguments (a root task with data None takes the earlier
    one back). Higher `priority` wins; an `optional` task loses to any that is not.
    """

    type: str
    data: Any = ()
    priority: int = 0
    optional: bool = False
    name: str = ""

    def __str__(self) -> str:
        return self.name or self.type


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome of a task that ended as it should; `value` is what it found.

    `replan` is set when the skill changed so much that the rest of the plan should be thought over, and says why.
    """

    value: Value = None
    replan: str = ""

    def __str__(self) -> str:
        return "done" if self.value is None else f"done: {self.value}"


@dataclass(frozen=True, slots=True)
class Failed:
    """The outcome of a task that could not do its work. `reason` is written for whoever plans next; `code` and `about`
    say the same as data, where the skill does (`SkillFailed`)."""

    reason: str
    code: str = ""
    about: tuple[str | float, ...] = ()

    def __str__(self) -> str:
        return f"failed: {self.reason}"


@dataclass(frozen=True, slots=True)
class Preempted:
    """The outcome of a task that lost what it held to something stronger; `by` names it."""

    by: str

    def __str__(self) -> str:
        return f"preempted by {self.by}"


LIMIT = "limit"
"""The code of what a limit refused."""

UNREADY = "unready"
"""The code of what a machine's check list forbids: no other plan mends that."""

UNSENSED = "unsensed"
"""The code of what no sense of the robot can tell: no other plan mends that either."""

AT_REST = frozenset({"voice", "camera"})
"""What may be used by a robot that may not set out."""

QUESTION = "question"
"""The code of what moves, where something is only asked (U1)."""

NOT_FOUND = "not found"
"""The code of a search in vain, about the places that were looked at."""

BLOCKED, OBSTRUCTED, WAY_BLOCKED = "blocked", "obstructed", "way blocked"
"""Codes of what a motion met, and of a place that cannot be reached."""

UNKNOWN_NAME = "unknown name"
"""The code of a name that is in no table of the robot's."""

SLIPPED, FELL = "slipped", "fell"
"""Codes of fingers with nothing between them: after a grasp, and on the way, about where in metres, x and y."""

STOPPED = "stopped"
"""The code of a motion that was halted: nothing else is tried instead."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The outcome of a task that a limit refused. Nothing lifts it but a person who changes the limits."""

    limit: str
    asked: str
    bound: str

    @property
    def reason(self) -> str:
        return f"the limit on {self.limit} is {self.bound}; this would need {self.asked}"

    def __str__(self) -> str:
        return f"refused: {self.reason}"


Outcome: TypeAlias = Done | Failed | Preempted | Refused

PURSUED = "pursued"
"""What stands for an outcome while a task goes on."""


@dataclass(frozen=True, slots=True)
class Ran:
    """One task that is over, as planners hear of it.

    `outcome` is done, failed, preempted or refused, and pursued for one that goes on; `reason` says in words why, by
    whom, or how long; `value` is what it found, or seconds. `code` and `about` are a failure's (`SkillFailed`);
    where a limit said no they are `limit` and its name. What `answers` changed nothing: its words are all that came of
    it.
    """

    skill: str
    args: tuple[Value, ...] = ()
    outcome: str = "done"
    reason: str = ""
    value: Value = None
    code: str = ""
    about: tuple[Value, ...] = ()
    answers: bool = False

    @property
    def done(self) -> bool:
        return self.outcome == "done"

    def __str__(self) -> str:
        told = self.skill == "ask" or (self.answers and isinstance(self.value, str))
        heard = self.value if told and self.done else ""
        return f"{self.skill}: {self.outcome} {self.reason or heard}".strip()


class RunReason(enum.Enum):
    """The reason why a provider's body is called (Director rule 40)."""

    OTHER_TRIGGER = "a message or timer of its own"
    NEW_TASK = "it was given a task"
    STARTED = "its group leaves idle"
    STOPPED = "its group goes idle"
    SUBTASK_DONE = "a child said Done, or a Wait is over"
    PUSHED = "a stronger task needs the state that it promises"


class Word(enum.Enum):
    """The use of a provider."""

    PROVIDE = "makes tasks of its type happen"
    START = "runs before the first task of its type"
    STOP = "runs when no task of its type is left"


@dataclass(frozen=True, slots=True)
class When:
    """A condition on a state: `test` is asked with the value last told; a state never told is not met."""

    state: str
    test: Callable[[int], bool]
    says: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Provider:
    """A provider: it makes tasks of type `provides` happen.

    `needs` are types that must be free (and are then held) for it, `when` the states it requires, `causing` the states
    it promises to bring about, `triggers` the messages that call it again while it is active, and without which it
    cannot run at all. `hears` names messages that call it as well but need never have come; such a call reaches even
    an idle provider, which then has no task. `uses` names the types whose progress it wants to see (its needs are
    included).
    """

    provides: str
    body: Callable[..., Awaitable[Any] | Any] | None = None
    word: Word = Word.PROVIDE
    needs: tuple[str, ...] = ()
    when: tuple[When, ...] = ()
    causing: Mapping[str, int] = field(default_factory=dict)
    triggers: tuple[str, ...] = ()
    name: str = ""
    hears: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name or self.provides
