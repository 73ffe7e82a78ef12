"""What came of a wish, as one value."""

from __future__ import annotations

from dataclasses import dataclass

from sayso.errors import UsageError
from sayso.events import Event, MissionEnded, MissionStarted, PictureTaken, Said, TaskEnded
from sayso.skill import Value
from sayso.wish import Wish


@dataclass(frozen=True, slots=True)
class Result:
    """A mission that is over: its verdict with the figures, and all that happened."""

    ended: MissionEnded
    events: tuple[Event, ...] = ()

    def __str__(self) -> str:
        return f"{self.outcome}: {self.reason}"

    def __bool__(self) -> bool:
        """Whether the wish is met."""
        return self.outcome == "achieved"

    @property
    def outcome(self) -> str:
        """achieved, not_achieved, asked, refused, stopped or error."""
        return self.ended.outcome

    @property
    def asked(self) -> str:
        """The question that waits for an answer; empty where there is none."""
        return self.ended.asked

    @property
    def wish(self) -> Wish:
        """What was wished for, with what was asked back before."""
        return next((e.wish for e in self.events if isinstance(e, MissionStarted)), Wish(""))

    def answered(self, answer: str) -> Wish:
        """The same wish with the answer to what was asked: `do` it. Raises `UsageError` where nothing was asked."""
        if not self.asked:
            raise UsageError("nothing was asked that could be answered")
        return self.wish.answered(self.asked, answer)

    @property
    def reason(self) -> str:
        return self.ended.reason

    @property
    def said(self) -> tuple[str, ...]:
        """What the robot told the person."""
        return tuple(e.text for e in self.events if isinstance(e, Said))

    @property
    def answer(self) -> Value:
        """The plan's value, or else what the last skill found."""
        if self.ended.value is not None:
            value: Value = self.ended.value
            return value
        ends = [e for e in self.events if isinstance(e, TaskEnded) and e.outcome == "done" and e.value is not None]
        return ends[-1].value if ends else None

    @property
    def pictures(self) -> tuple[str, ...]:
        """The files of the pictures that were taken."""
        return tuple(e.file for e in self.events if isinstance(e, PictureTaken) and e.file)
