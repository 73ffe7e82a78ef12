"""The source text of a plan, and the nodes of its syntax tree.

Nodes are plain slotted records that the parser fills while text arrives and the interpreter walks meanwhile, hence
neither frozen nor hashed. Equality is of meaning: where a node stands (`at`, an offset) and which number it has do not
count. Chains such as `a+b+c` and `?…{}:?…{}` are one flat node each, so a tree is only as deep as its parentheses
and braces.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias, TypeVar

from sayso.errors import Place, PlanError
from sayso.skill import Value

E = TypeVar("E", bound=PlanError)

SHOWN_BEHIND = 60
"""Characters of a line that a snippet keeps behind the spot: lines of a plan can be long."""


class Source:
    """The text of a plan, which grows by `add`. `size` is in characters, `bytes` in UTF-8."""

    def __init__(self) -> None:
        self.size = 0
        self.bytes = 0
        self._pieces: list[str] = []
        self._lines = [0]

    def add(self, text: str, size: int) -> None:
        """`size` is that of `text` in bytes."""
        if "\n" in text:
            self._lines += [self.size + i + 1 for i, c in enumerate(text) if c == "\n"]
        self._pieces.append(text)
        self.size += len(text)
        self.bytes += size

    @property
    def text(self) -> str:
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def place(self, offset: int) -> Place:
        line = bisect_right(self._lines, offset)
        return Place(offset, line, offset - self._lines[line - 1] + 1)

    def snippet(self, place: Place) -> str:
        """The line at `place`, as far as it has arrived."""
        start = self._lines[place.line - 1]
        return self.text[start : place.offset + SHOWN_BEHIND].partition("\n")[0].rstrip("\r")

    def error(self, kind: type[E], message: str, offset: int, expected: str = "") -> E:
        """An error that points at an offset."""
        place = self.place(offset)
        return kind(message, place, expected=expected, snippet=self.snippet(place))


LEVELS = {
    "|": 1, "&": 2,
    "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4,
    "+": 5, "-": 5, "*": 6, "/": 6,
}  # fmt: skip
"""How tightly each infix operator binds."""

NOT, COMPARISON, NEGATIVE = 3, 4, 7
"""The levels of prefix `!`, of all comparisons, and of prefix `-`."""


@dataclass(slots=True, kw_only=True)
class Located:
    """What a plan is made of; `at` is where its text begins."""

    at: int = field(default=0, compare=False)


@dataclass(slots=True, kw_only=True)
class Numbered(Located):
    """What becomes complete at a moment of its own: a statement, or the header of a block."""

    number: int = field(default=0, compare=False)


@dataclass(slots=True, eq=False)
class Literal(Located):
    """A number, a string, a truth value or None, written down."""

    value: Value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literal) and type(self.value) is type(other.value) and self.value == other.value


@dataclass(slots=True)
class Variable(Located):
    """`_1`, `_count`."""

    name: str


@dataclass(slots=True)
class Parameter(Located):
    """`$1`: what a composed skill was called with, counted from 1."""

    index: int


@dataclass(slots=True)
class Invocation(Numbered):
    """A skill or a built-in function with its arguments; as a statement of its own it has a number."""

    level: ClassVar[int] = 0
    name: str
    args: list[Expr] = field(default_factory=list)


@dataclass(slots=True)
class Operation(Located):
    """Operators of one level and their operands, in order: one operand more than operators, or one with a prefix."""

    level: int
    ops: list[str]
    items: list[Expr]


Expr: TypeAlias = Literal | Variable | Parameter | Invocation | Operation


@dataclass(slots=True)
class Block:
    """Statements, in order; `open` until its `}`."""

    statements: list[Statement] = field(default_factory=list)
    open: bool = field(default=True, compare=False)


@dataclass(slots=True)
class Assign(Numbered):
    """`_1=…`"""

    name: str
    value: Expr


@dataclass(slots=True)
class Return(Numbered):
    """`->…`"""

    value: Expr


@dataclass(slots=True)
class Replan(Numbered):
    """`replan`"""


@dataclass(slots=True)
class Loop(Numbered):
    """`8{…}`"""

    count: int
    block: Block


@dataclass(slots=True)
class Branch(Numbered):
    """`?test{…}`, the first of a conditional or one behind a `:`."""

    test: Expr
    block: Block


@dataclass(slots=True)
class Conditional:
    """Branches of which at most one runs; `open` while another `:` may still follow."""

    branches: list[Branch]
    otherwise: Block | None = None
    open: bool = field(default=True, compare=False)

    @property
    def at(self) -> int:
        return self.branches[0].at

    @property
    def number(self) -> int:
        return self.branches[0].number


Statement: TypeAlias = Invocation | Assign | Return | Replan | Loop | Conditional


@dataclass(slots=True)
class Plan:
    """A program, whole or growing. `broken` once no more text can come although the last block may be open."""

    body: Block = field(default_factory=Block)
    source: Source = field(default_factory=Source, compare=False)
    broken: bool = field(default=False, compare=False)
    error: PlanError | None = field(default=None, compare=False)


def walk(block: Block) -> Iterator[Statement | Expr]:
    """Every statement and expression, however deep, as the text has them; what a statement is made of comes first."""
    for statement in block.statements:
        if isinstance(statement, Conditional):
            for branch in statement.branches:
                yield from _parts(branch.test)
                yield from walk(branch.block)
            if statement.otherwise:
                yield from walk(statement.otherwise)
        elif isinstance(statement, Loop):
            yield from walk(statement.block)
        elif isinstance(statement, Assign | Return):
            yield from _parts(statement.value)
        if isinstance(statement, Invocation):
            yield from _parts(statement)
        else:
            yield statement


def _parts(node: Expr) -> Iterator[Expr]:
    yield node
    if isinstance(node, Invocation | Operation):
        for item in node.args if isinstance(node, Invocation) else node.items:
            yield from _parts(item)
