"""Searching for someone who is lost: the wish in a structured form, and the look-ahead over areas.

Pure like the rest of this room: the map of probabilities comes from `sayso.search.whereabouts`; here it is lumped into
a small POMDP with bounds of its own.
"""

from sayso.search.rescue.outlook import Surveys, chances, level_of, look_ahead, truth_of
from sayso.search.rescue.problem import CONFIRMED, NOTHING, SIGHTING, Layout, Outlook, Worth, build, lower, start, upper
from sayso.search.rescue.wish import MOBILITIES, STEPS, SearchWish, Sought, subject_of

__all__ = [
    "CONFIRMED", "MOBILITIES", "NOTHING", "SIGHTING", "STEPS", "Layout", "Outlook", "SearchWish", "Sought", "Surveys",
    "Worth", "build", "chances", "level_of", "look_ahead", "lower", "start", "subject_of", "truth_of", "upper",
]  # fmt: skip
