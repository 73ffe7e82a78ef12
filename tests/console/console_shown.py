"""How a mission looks after events."""

from collections.abc import Iterable
from functools import reduce

from sayso.events import Event
from sayso.memory.mission_view import MissionView, updated


def show_all(events: Iterable[Event], shown: MissionView | None = None) -> MissionView:
    return reduce(updated, events, shown or MissionView())
