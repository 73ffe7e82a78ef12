"""What the Director is told and tells: the bounds of a pass, how a type stands for its users, what became of a task."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

from sayso.task import Done, Outcome, Task


@dataclass(frozen=True, slots=True)
class Settings:
    """The bounds that keep every pass finite.

    `push_patience_s`: how long a pushed provider may take to cause what it promised. `reruns_max`: how often one
    group's providers may be called before everything has been quiet once; each child adds two. `depth_max`: how deep
    the tree may grow. `settle_laps`: how many generations of runs a dying branch waits for its successor to claim what
    it held. `grace_s`: how long a cancelled body may hold up the body that takes over what it held. `wakes`: whether a
    blocked task hears of a provider that appears, is enabled or comes back (the published Director leaves it asleep).
    """

    push_patience_s: float = 10.0
    reruns_max: int = 1000
    depth_max: int = 64
    settle_laps: int = 8
    grace_s: float = 1.0
    wakes: bool = True


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

    `what` is ended, suspended, resumed, gave_up or raised; `outcome` belongs to ended, `text` says why or by whom.
    """

    what: str
    task: Task
    outcome: Outcome | None = None
    text: str = ""
    error: BaseException | None = None
