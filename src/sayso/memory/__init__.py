"""What outlives the moment: the journal."""

from sayso.memory.journal import Journal, MissionLog, MissionRow, home
from sayso.memory.story import Line, tell

__all__ = ["Journal", "Line", "MissionLog", "MissionRow", "home", "tell"]
