"""The result of a mission: its verdict with the figures, and all that happened."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from sayso.errors import UsageError
from sayso.events import Event, MissionEnded, MissionStarted, PictureTaken, Said, TaskEnded
from sayso.skill import Value
from sayso.wish import Wish


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a mission that is over."""

    ended: MissionEnded
    events: tuple[Event, ...] = ()

    @classmethod
    def of(cls, events: Sequence[Event]) -> Self:
        """The result of a mission with these events; there are none where a word was obeyed beside another mission."""
        ended = events[-1] if events else MissionEnded(outcome="achieved", reason="obeyed")
        assert isinstance(ended, MissionEnded), "every mission ends with its verdict"
        return cls(ended, tuple(events))

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

    def told(self) -> dict[str, Any]:
        """The result as data for another program."""
        ended = self.ended
        return {
            "outcome": ended.outcome,
            "reason": ended.reason,
            "said": list(self.said),
            "answer": self.answer,
            "asked": self.asked,
            "goal": ended.goal,
            "verified": ended.verified,
            "missing": list(ended.missing),
            "unknown": list(ended.unknown),
            "left_out": list(ended.left_out),
        }

    @property
    def pictures(self) -> tuple[str, ...]:
        """The files of the pictures that were taken."""
        return tuple(e.file for e in self.events if isinstance(e, PictureTaken) and e.file)
