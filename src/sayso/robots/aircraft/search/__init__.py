"""Searching for someone who is lost: the ground, what a camera sees of it, where they may be, and the look-ahead.

Pure: no clock, no I/O but tables that are read once. The map of probabilities comes from `whereabouts`; `outlook` lumps
it into a small POMDP, with bounds of its own in `problem`.
"""
