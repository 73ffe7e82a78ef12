"""The metrics of a mission, counted from its events, and the last mission in the journal.

The last mission in the journal is read so that a new conversation can answer what the robot did.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sayso import events as ev
from sayso.clock import current
from sayso.events import Event, MissionEnded, MissionStarted
from sayso.memory.journal import Journal
from sayso.roles import Exchange
from sayso.skill import Value
from sayso.task import Ran
from sayso.understanding import requested


class Metrics:
    """Counts one mission's events; the first motion or spoken word is the response, and `moves` tells which skills move
    the robot. `answers` tells whether what it returns is all that comes of it.

    `said` is what the latest task was to say, if it was: a plan that ends with that gives its reason so. `ran` is what
    ran of the present plan; what is `ever_` or `called` is of the whole mission.
    """

    def __init__(self, moves: Callable[[str], bool], answers: Callable[[str], bool]) -> None:
        self._moves, self._answers = moves, answers
        self._purposes: dict[int, str] = {}
        self.r_time_s: float | None = None
        self.c_time_s: float | None = None
        self.plan_tokens = self.replans = self.pictures = 0
        self.said = ""
        self._words: Sequence[object] = ()
        self.ran: list[Ran] = []
        self.ever_ran: list[str] = []
        self.ever_said: list[str] = []
        self.called: list[ev.TaskStarted] = []
        self._args: dict[int, tuple[Value, ...]] = {}

    def see(self, event: ev.Event) -> None:
        """Count an event."""
        match event:
            case ev.TaskStarted():
                self.said, self._words = "", event.args
                self.called.append(event)
                self._args[event.task] = event.args
                if self._moves(event.skill):
                    self._respond(event.at_s)
            case ev.Said():
                self.ever_said.append(event.text)
                self.said = event.text if event.text in self._words else self.said
                self._respond(event.at_s)
            case ev.TaskEnded():
                self.c_time_s = event.at_s
                args = self._args.get(event.task, ())
                told = event.outcome, event.detail, event.value, event.code, event.about
                self.ran.append(Ran(event.skill, args, *told, self._answers(event.skill)))
                self.ever_ran.append(str(self.ran[-1]))
            case ev.Prompted():
                self._purposes[event.call] = event.purpose
            case ev.AnswerEnded() if self._purposes.get(event.call) != "probe":
                self.plan_tokens += event.tokens_out
            case ev.Replanned():
                self.replans += 1
            case ev.PictureTaken():
                self.pictures += 1

    def ended(self, outcome: str, reason: str, value: Value = None) -> ev.MissionEnded:
        """The verdict with all that was counted."""
        return ev.MissionEnded(
            outcome=outcome,
            reason=reason,
            value=value,
            r_time_s=self.r_time_s,
            c_time_s=self.c_time_s,
            plan_tokens=self.plan_tokens,
            model_calls=len(self._purposes),
            replans=self.replans,
        )

    def _respond(self, at_s: float) -> None:
        if self.r_time_s is None:
            self.r_time_s = at_s


MISSIONS_MAX = 20
"""So far back it is looked for."""

SAME = ("world", "robot")
"""What of two setups is the same where they are of one robot."""


async def latest(file: Path, setup: Mapping[str, Any]) -> Sequence[Exchange]:
    """The last mission of the robot with this setup in which something was to be done, or none.

    Read in a thread, since a journal that is locked for a while must not keep a stop waiting. Raises `JournalError`.
    """

    def read() -> Sequence[Exchange]:
        with Journal(file) as journal:
            for row in reversed(journal.missions(MISSIONS_MAX)):
                if row.outcome and not requested(row.instruction).act.aside:
                    events = journal.events(row.id)
                    if _same(events[0], setup):
                        return [exchange(events)]
        return []

    with current().real():
        return await asyncio.to_thread(read)


def exchange(events: Sequence[Event]) -> Exchange:
    """The mission of these events as an earlier wish of a conversation."""
    metrics, wish, outcome = Metrics(lambda skill: True, lambda skill: False), "", ""
    for event in events:
        metrics.see(event)
        match event:
            case MissionStarted():
                wish = event.instruction
            case MissionEnded():
                outcome = f"{event.outcome.replace('_', ' ')}: {event.reason}"
    return Exchange(wish, tuple(metrics.ever_ran), tuple(metrics.ever_said), outcome)


def _same(first: Event, setup: Mapping[str, Any]) -> bool:
    return isinstance(first, MissionStarted) and all(first.setup.get(key) == setup.get(key) for key in SAME)
