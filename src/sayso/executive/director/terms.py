"""Records that pass between the Director and its users: settings, progress of a type, notices, reasons."""

import enum
from dataclasses import dataclass
from typing import Any

from sayso.task import Done, Outcome, Task


@dataclass(frozen=True, slots=True)
class Settings:
    """The bounds that keep every pass finite.

    `push_patience_s`: how long a pushed provider may take to cause what it promised. `reruns_max`: how often one
    group's providers may be called before everything has been quiet once; each child adds two. `depth_max`: how deep
    the tree may grow. `grace_s`: how long a cancelled body may hold up the body that takes over what it held.
    """

    push_patience_s: float = 10.0
    reruns_max: int = 1000
    depth_max: int = 64
    grace_s: float = 1.0


class Progress(enum.Enum):
    """How a used type stands for the one who asks (D50)."""

    NO_TASK = "not asked for"
    QUEUED = "asked for, waiting"
    RUNNING = "asked for, running"


@dataclass(frozen=True, slots=True)
class Uses:
    """What a provider sees of a type that it uses, as it was when the run was scheduled."""

    progress: Progress = Progress.NO_TASK
    done: bool = False
    outcome: Outcome | None = None

    @property
    def value(self) -> Any:
        """What the task found, where it said Done."""
        return self.outcome.value if isinstance(self.outcome, Done) else None


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about a task that whoever asked for it may want to know.

    `what` is ended, suspended or resumed; `outcome` belongs to ended, `text` says why or by whom.
    """

    what: str
    task: Task
    outcome: Outcome | None = None
    text: str = ""


class Because(enum.Enum):
    """The kinds of reason. `{type}` is the type that matters, `{by}` who stands in the way."""

    RUNS = "nothing stands in its way"
    PUSHES = "{type} is pushed to cause {detail}"
    NOBODY = "nobody provides {type}"
    OWNED = "{type} belongs to {by}"
    HELD = "{type} is held by {by}, which needs it"
    SHARED = "a stronger sibling uses {type}"
    LOOP = "{type} would need itself"
    UNMET = "{type} requires {detail}, and no running provider may be pushed to cause it"
    SPLIT = "what {type} requires cannot all be caused by the same provider"
    TOO_DEEP = "the tree would grow deeper than {detail} tasks"
    SIBLING = "it runs only together with {by}, which waits"
    UNTRIED = "it is optional, and what is required could not run"
