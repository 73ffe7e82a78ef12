"""A plan that ran, drawn as the state machine that it is: a state for each call, what came of it, where it went on.

1  move_to('counter')          done        6.2 s
2  look_for_obj('coke')        failed      found no coke: looked at the counter
>  a new plan
3  move_to('bookcase')         done        9.0 s
=  achieved
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.text import Text

from sayso.events import Event, MissionEnded, Replanned, TaskEnded, TaskStarted
from sayso.memory.event_text import call, clean, one_line

CALL_COLUMNS = 44
STYLES = {"done": "green", "failed": "red", "refused": "red", "preempted": "yellow"}


def drawn(events: Iterable[Event]) -> Text:
    """One line a state, in the order in which they were entered."""
    return Text("\n").join(_lines(list(events)))


def _lines(events: list[Event]) -> Iterator[Text]:
    ends = {e.task: e for e in events if isinstance(e, TaskEnded)}
    number = 0
    for event in events:
        match event:
            case TaskStarted() if event.statement:
                number += 1
                yield _state(number, event, ends.get(event.task))
            case Replanned():
                yield Text(f"{'>':>3}  a new plan", "yellow")
            case MissionEnded():
                yield Text(f"{'=':>3}  {event.outcome.replace('_', ' ')}", "bold")


def _state(number: int, began: TaskStarted, ended: TaskEnded | None) -> Text:
    line = Text(f"{number:>3}  {one_line(call(began), CALL_COLUMNS):<{CALL_COLUMNS}} ")
    if ended is None:
        return line.append("never ended", "yellow")
    line.append(f"{ended.outcome:<10}", STYLES.get(ended.outcome, ""))
    line.append(f"{ended.at_s - began.at_s:6.1f} s  ", "dim")
    came = ended.detail or ("" if ended.value is None else f"-> {ended.value}")
    return line.append(clean(came), "dim")
