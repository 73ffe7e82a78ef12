"""The executive: it decides which task runs now, and enforces limits and stop."""

from collections.abc import Sequence
from typing import Any, Protocol

from sayso.limits import Limits
from sayso.skill import SkillSet
from sayso.task import Outcome, Task


class Executive(Protocol):
    """The interface of an executive, as the agent uses it."""

    skills: SkillSet

    @property
    def stopped_by(self) -> str:
        """Who stopped the robot, empty while it may move."""

    async def do(self, task: Task, statement: int = 0) -> Outcome:
        """Run one skill call to its outcome. Raises `JournalError` where nothing can be recorded, and cancellation."""

    def pursue(self, tasks: Sequence[Task]) -> None:
        """Replace the tasks that a steering planner wants now; they compete as optional children of the mission."""

    def tighten(self, wish: Limits) -> None:
        """Apply the limits of this mission's wish, in place of an earlier wish's."""

    def only(self, skills: frozenset[str] | None) -> None:
        """While a question is answered nothing else may run, whoever plans (U1); None for all, as when it is over."""

    def stop(self, by: str, *, own: bool = False) -> None:
        """Give up everything and bring the robot to rest. Returns at once; latched until a person's `release`.

        With `own` it is sayso's, not a person's, and `over` lifts it too.
        """

    async def settled(self) -> None:
        """Return when a stop has been confirmed by the robot, or has been told not to be; trying goes on then."""

    def release(self, by: str) -> None:
        """A person lifts every stop."""

    async def over(self, *, halt: bool = False) -> None:
        """A mission is over: what was pursued ends, stops that are not a person's are lifted."""

    async def land(self) -> str:
        """Bring the robot to where it can be left alone; what went wrong, or nothing."""

    def tree(self) -> list[dict[str, Any]]:
        """Who runs, who waits for whom, as plain data."""

    async def close(self) -> None:
        """End whatever still runs in here."""
