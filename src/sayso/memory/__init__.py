"""What outlives the moment: the journal."""

from sayso.memory.journal import Journal, MissionLog, MissionRow, home
from sayso.memory.wording import Line, story

__all__ = ["Journal", "Line", "MissionLog", "MissionRow", "home", "story"]
