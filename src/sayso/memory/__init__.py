"""The journal of all missions, and the memory of things and places."""

from sayso.memory.event_text import Line, story
from sayso.memory.journal import Journal, MissionLog, MissionRow, home

__all__ = ["Journal", "Line", "MissionLog", "MissionRow", "home", "story"]
