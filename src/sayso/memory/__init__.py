"""What outlives the moment: the journal of all missions, and what is remembered of things and places."""

from sayso.memory.journal import Journal, MissionLog, MissionRow, home
from sayso.memory.wording import Line, story

__all__ = ["Journal", "Line", "MissionLog", "MissionRow", "home", "story"]
