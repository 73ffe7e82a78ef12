"""sayso: robots act on your say-so."""

from sayso.skill import Choice, PlaceName, Range, Skill, SkillSet, ThingName, skill

__version__ = "0.1.0"

__all__ = ["Choice", "PlaceName", "Range", "Skill", "SkillSet", "ThingName", "__version__", "skill"]
