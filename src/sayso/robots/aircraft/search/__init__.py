"""The search for someone who is lost: ground, camera, belief and look-ahead.

Pure: no clock, no I/O but tables that are read once. The map of probabilities comes from `whereabouts`; `outlook` lumps
it into a small POMDP, with bounds of its own in `problem`.
"""
