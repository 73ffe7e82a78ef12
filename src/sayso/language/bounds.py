"""The bounds on the size of a plan, so that reading and running one always ends.

A model writes plans, and a model can write anything: every loop, nest, string and text has a bound, and each is a
setting.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlanBounds:
    """The bounds on the size of a plan. `depth` bounds blocks in blocks, and parentheses in parentheses; `operands`
    those of one statement.

    Sizes are in bytes of UTF-8. `statements_run` counts every statement that is executed, in composed skills as well,
    and every pass of a loop; `operations` every value that an expression takes.
    """

    depth: int = 32
    string_bytes: int = 4096
    loop_count: int = 1000
    program_bytes: int = 65536
    statements_run: int = 10_000
    operands: int = 1000
    operations: int = 100_000


LONGEST_WORD = 64
"""Characters of one name or number. No bound to tune: it is what lets a name be read again when a letter arrives."""

LARGEST_INT = 10**LONGEST_WORD
"""Whole numbers stay below this, so that arithmetic on them costs next to nothing."""


def utf8_size(text: str) -> int:
    """Bytes that `text` takes as UTF-8; lone surrogates, which have none, count three."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
