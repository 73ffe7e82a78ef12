"""The Director: which task may use which part of the robot, decided anew whenever something changes.

`arbiter` decides, `sayso.executive.loop` runs the bodies around it; `docs/executive.md` numbers the rules.
"""
