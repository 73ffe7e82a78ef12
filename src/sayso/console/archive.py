"""The archive of missions in the journal: their list, one mission at any moment, its story, and its events as lines.

A journal instance stays in one thread and reading a long mission takes a while, so each reading opens its own and is
meant for a thread beside the one that flies.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sayso.events import Event, Observed, to_line
from sayso.memory.event_text import Line, story
from sayso.memory.journal import Journal, MissionRow
from sayso.memory.mission_view import MissionView, updated, words
from sayso.scene import Pose

STRIDE = 100
"""Events between two remembered states; scrubbing folds at most so many anew."""


@dataclass(slots=True)
class Recording:
    """One recorded mission, ready to be shown at any moment. Build it with `read_mission`."""

    mission: str
    events: Sequence[Event]
    story: Sequence[Line]
    first: dict[str, Pose] = field(default_factory=dict, init=False)
    """Where each thing was when it was seen for the first time."""

    _marks: list[MissionView] = field(default_factory=list, init=False)
    """How things looked after every `STRIDE` events."""

    def __post_init__(self) -> None:
        shown = MissionView()
        for number, event in enumerate(self.events):
            if number % STRIDE == 0:
                self._marks.append(shown)
            shown = updated(shown, event)
            for thing in shown.scene or () if isinstance(event, Observed) else ():
                if thing.pose:
                    self.first.setdefault(thing.id, thing.pose)
        self._marks.append(shown)

    @property
    def length_s(self) -> float:
        """Seconds from the first event to the last."""
        return self.events[-1].at_s if self.events else 0.0

    def at(self, at_s: float) -> MissionView:
        """The view at a moment."""
        upto = bisect_right(self.events, at_s + 1e-9, key=lambda e: e.at_s)
        shown = self._marks[upto // STRIDE]
        for event in self.events[upto // STRIDE * STRIDE : upto]:
            shown = updated(shown, event)
        return shown


def list_missions(file: Path, last: int = 200) -> list[MissionRow]:
    """The latest missions, the newest first."""
    if not file.exists():
        return []
    with Journal(file) as journal:
        return journal.missions(last)[::-1]


def read_mission(file: Path, mission: str) -> Recording:
    """Everything about one mission. Raises `UsageError` and `JournalError`."""
    with Journal(file) as journal:
        row = journal.mission(mission)
        events = journal.events(mission)
    told = [line._replace(text=words(line.text)) for line in story(events, alive=row.alive)]
    return Recording(mission, sorted(events, key=lambda e: e.at_s), told)


def lines(file: Path, mission: str) -> Iterator[str]:
    """A mission as JSON lines: one event each, with its kind."""
    with Journal(file) as journal:
        journal.mission(mission)
        for event in journal.events(mission):
            yield to_line(event) + "\n"
