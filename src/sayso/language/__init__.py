"""MiniSpec, the plan language: read and checked while it streams, run as a generator. Pure: no I/O, no clock.

`docs/language.md` has the rules. `PlanStream` reads, `Interpreter` runs what it has read so far; `parse`, `check`,
`show`, `to_python` and `grammar` are for whole plans, `compose` makes skills out of them.
"""

from sayso.language.bounds import PlanBounds
from sayso.language.check import check
from sayso.language.compose import Composed, compose
from sayso.language.foresee import faults, foresee
from sayso.language.grammar import grammar
from sayso.language.lexer import plainly
from sayso.language.nodes import Plan
from sayso.language.parser import parse
from sayso.language.printer import show
from sayso.language.run import GIVE_WAY, NEED_TEXT, Call, Ended, Interpreter
from sayso.language.stream import Dropped, PlanStream, Ready
from sayso.language.translate import to_python
from sayso.language.values import read_json, read_value

__all__ = [
    "GIVE_WAY", "NEED_TEXT", "Call", "Composed", "Dropped", "Ended", "Interpreter", "Plan", "PlanBounds",
    "PlanStream", "Ready", "check", "compose", "faults", "foresee", "grammar", "parse", "plainly", "read_json",
    "read_value", "show", "to_python",
]  # fmt: skip
