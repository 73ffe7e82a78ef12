"""The last mission in the journal, so that a new conversation can answer what the robot did."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sayso import events as ev
from sayso.clock import current
from sayso.memory.journal import Journal
from sayso.memory.metrics import Metrics
from sayso.roles import Exchange
from sayso.understanding import requested

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


def exchange(events: Sequence[ev.Event]) -> Exchange:
    """The mission of these events as an earlier wish of a conversation."""
    metrics, wish, outcome = Metrics(lambda skill: True, lambda skill: False), "", ""
    for event in events:
        metrics.see(event)
        match event:
            case ev.MissionStarted():
                wish = event.instruction
            case ev.MissionEnded():
                outcome = f"{event.outcome.replace('_', ' ')}: {event.reason}"
    return Exchange(wish, tuple(metrics.ever_ran), tuple(metrics.ever_said), outcome)


def _same(first: ev.Event, setup: Mapping[str, Any]) -> bool:
    return isinstance(first, ev.MissionStarted) and all(first.setup.get(key) == setup.get(key) for key in SAME)
