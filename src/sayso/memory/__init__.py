"""The journal of all missions, and the memory of things and places."""

from sayso.memory.event_text import Line, story
from sayso.memory.journal import Journal, MissionRow, home

__all__ = ["Journal", "Line", "MissionRow", "home", "story"]
