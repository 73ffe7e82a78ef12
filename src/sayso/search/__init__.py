"""Planning under uncertainty: POMDPs, bounds on their value, and AEMS2, the anytime search between them.

Pure: arrays in, decisions out; no clock, no I/O. numba, where installed, makes the search about a hundred times faster.
`docs/search.md` is the way in.
"""

from sayso.search.aems import AEMS2, Decision, Episode, Stop, simulate
from sayso.search.bounds import blind, fib, qmdp, value
from sayso.search.drift import Drift
from sayso.search.grid import GridBelief, last_seen
from sayso.search.model import POMDP, observe, update

__all__ = [
    "AEMS2",
    "POMDP",
    "Decision",
    "Drift",
    "Episode",
    "GridBelief",
    "Stop",
    "blind",
    "fib",
    "last_seen",
    "observe",
    "qmdp",
    "simulate",
    "update",
    "value",
]
