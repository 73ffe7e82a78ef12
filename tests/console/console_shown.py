"""How a mission looks after events."""

from collections.abc import Iterable
from functools import reduce

from sayso.events import Event
from sayso.memory.shown import Shown, show


def show_all(events: Iterable[Event], shown: Shown | None = None) -> Shown:
    return reduce(show, events, shown or Shown())
