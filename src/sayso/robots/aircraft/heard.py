"""The old name of `operator_wish`, which works for one version."""

import warnings

from sayso.robots.aircraft.operator_wish import Grounds, clauses_of, heard

__all__ = ["Grounds", "clauses_of", "heard"]

warnings.warn(f"{__name__} is called sayso.robots.aircraft.operator_wish", DeprecationWarning, stacklevel=2)
