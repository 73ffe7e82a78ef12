"""Tokens to nodes, one token at a time: statements, blocks and the fence around them.

A push-down automaton. The state maps the kind of the next token to what it does; the tables at the end of this file
are the grammar. `_blocks` holds the open braces. A statement is finished the moment its last token is there. Rules are
those of `docs/language.md`.
"""

from __future__ import annotations

from sayso.language.bounds import PlanBounds
from sayso.language.expressions import NOTHING, Expressions
from sayso.language.nodes import Assign, Block, Branch, Conditional, Invocation, Loop, Numbered, Plan, Replan, Return
from sayso.language.states import (
    ASSIGNED,
    BEGIN,
    CALLED,
    CLOSED,
    CLOSED_BRANCH,
    COUNTED,
    ELSE,
    FENCED,
    FIRST_ARGUMENT,
    NAMED,
    OPERAND,
    OPERATOR,
    OVER,
    REPLAN_PAREN,
    REPLANNING,
    START,
    TAGGED,
    Act,
)


class Parser(Expressions):
    """Give it text; `_finish` is called with every statement and header that becomes complete."""

    def __init__(self, bounds: PlanBounds) -> None:
        super().__init__(bounds)
        self._blocks = [self.plan.body]
        self._owners: list[Conditional | None] = [None]
        self._fenced = False
        self._tag = ("", -1)
        self._count = 0
        self._numbered = 0

    def close(self) -> None:
        """The text is over, and ended as its author meant it: complete what is pending, close open blocks."""
        self._take(self._lexer.end())
        if self._lexer.pending:
            self._refuse("this string does not end", self._at, "its closing quote")
        self._step("end", "", self._at)
        for block, owner in zip(self._blocks, self._owners, strict=True):
            block.open = False
            if owner:
                owner.open = False

    # Where a statement begins

    def _begin_call(self, text: str, at: int) -> None:
        self._bound_word(text, at)
        self._began_at = at
        self._statement = self._value = Invocation(text, [], at)
        self._state = CALLED

    def _begin_assign(self, text: str, at: int) -> None:
        self._bound_variable(text, at)
        self._began_at = at
        self._statement = Assign(text, NOTHING, at)
        self._state = ASSIGNED

    def _assign(self, text: str, at: int) -> None:
        self._state = OPERAND

    def _begin_return(self, text: str, at: int) -> None:
        self._began_at = at
        self._statement = Return(NOTHING, at)
        self._state = OPERAND

    def _begin_branch(self, text: str, at: int) -> None:
        self._began_at = at
        self._statement = Branch(NOTHING, Block(), at)
        self._state = OPERAND

    def _begin_replan(self, text: str, at: int) -> None:
        self._began_at = at
        self._statement = Replan(at)
        self._state = REPLANNING

    def _begin_loop(self, text: str, at: int) -> None:
        count = self._read_number(text, at)
        if not isinstance(count, int):
            self._refuse(f"{text} is not a whole number of times", at, "an integer")
        self._began_at = at
        self._count = count
        self._state = COUNTED

    def _nothing(self, text: str, at: int) -> None:
        """An empty statement, or the `;` behind one that is complete already."""

    # Where a statement ends

    def _end(self, text: str, at: int) -> None:
        """At a `;`, a `}` or the end of the text."""
        statement = self._statement
        value = self._reduce()
        if self._stack or statement is None or isinstance(statement, Branch):
            self._unexpected(text, at)
        if isinstance(statement, Assign | Return):
            statement.value = value
        assert not isinstance(statement, Conditional | Loop)
        self._complete(statement)

    def _end_then(self, text: str, at: int) -> None:
        """At a token that can only begin another statement."""
        self._end(text, at)
        self._again(text, at)

    def _end_on_new_line(self, text: str, at: int) -> None:
        """At a token that begins another statement where it stands on a line of its own."""
        if self._line_at != at:
            self._unexpected(text, at)
        self._end_then(text, at)

    def _complete(self, statement: Invocation | Assign | Return | Replan) -> None:
        self._finish(statement, len(self._blocks) - 1)
        self._blocks[-1].statements.append(statement)
        self._statement = None
        self._operands = 0
        self._state = START

    def _finish(self, node: Numbered, depth: int) -> None:
        """Called with each node when it is complete and before it joins the plan; raises where it must not."""
        self._numbered += 1
        node.number = self._numbered

    def _open_paren_replan(self, text: str, at: int) -> None:
        self._state = REPLAN_PAREN

    def _close_paren_replan(self, text: str, at: int) -> None:
        assert isinstance(self._statement, Replan)
        self._complete(self._statement)

    # Blocks

    def _open_branch(self, text: str, at: int) -> None:
        branch = self._statement
        value = self._reduce()
        if self._stack or not isinstance(branch, Branch):
            self._unexpected(text, at)
        branch.test = value
        chain = None if self._blocks[-1].open else self._owners[-1]
        self._room(at, closed=bool(chain))
        self._finish(branch, len(self._blocks) - 1 - bool(chain))
        if chain:
            self._owners.pop()
            self._blocks.pop()
            chain.branches.append(branch)
        else:
            chain = Conditional([branch])
            self._blocks[-1].statements.append(chain)
        self._push(branch.block, chain)

    def _open_loop(self, text: str, at: int) -> None:
        self._room(at)
        loop = Loop(self._count, Block(), self._began_at)
        self._finish(loop, len(self._blocks) - 1)
        self._blocks[-1].statements.append(loop)
        self._push(loop.block, None)

    def _room(self, at: int, closed: bool = False) -> None:
        if len(self._blocks) - closed > self.bounds.depth:
            self._refuse("blocks nest too deeply", at, f"at most {self.bounds.depth}")

    def _push(self, block: Block, owner: Conditional | None) -> None:
        self._reset(START)
        self._blocks.append(block)
        self._owners.append(owner)

    def _close_block(self, text: str, at: int) -> None:
        if len(self._blocks) == 1:
            self._refuse("this } closes nothing", at, "no more than one } for each {")
        block = self._blocks[-1]
        block.open = False
        owner = self._owners[-1]
        if owner and owner.otherwise is None:
            self._state = CLOSED_BRANCH
        else:
            self._pop()

    def _pop(self) -> None:
        self._blocks.pop()
        self._owners.pop()
        self._state = START

    def _no_else(self, text: str, at: int) -> None:
        """Behind a branch's `}` comes anything but a `:`: the conditional is whole."""
        owner = self._owners[-1]
        assert owner is not None
        owner.open = False
        self._pop()
        self._again(text, at)

    def _else(self, text: str, at: int) -> None:
        self._began_at = at
        self._state = ELSE

    def _open_else(self, text: str, at: int) -> None:
        owner = self._owners.pop()
        assert owner is not None
        self._blocks.pop()
        owner.otherwise = Block()
        owner.open = False
        self._push(owner.otherwise, owner)

    # Fences

    def _open_fence(self, text: str, at: int) -> None:
        if len(text) < 3:
            self._unexpected(text, at)
        self._fenced = True
        self._state = FENCED

    def _tag_or_name(self, text: str, at: int) -> None:
        """A word behind the opening fence is its language tag when the line ends there."""
        if self._line_at == at:
            self._state = START
            self._again(text, at)
        else:
            self._tag = (text, at)
            self._state = TAGGED

    def _behind_tag(self, text: str, at: int) -> None:
        tag, tag_at = self._tag
        self._state = START
        if self._line_at <= tag_at:
            self._again(tag, tag_at)
        self._again(text, at)

    def _leave_fence(self, text: str, at: int) -> None:
        self._state = START
        self._again(text, at)

    def _close_fence(self, text: str, at: int) -> None:
        if not self._fenced or len(text) < 3:
            self._unexpected(text, at)
        if len(self._blocks) > 1:
            self._refuse("the fence closes while a block is open", at, "}")
        self._state = OVER


_P = Parser
_ENDINGS: dict[str, Act] = {
    ";": _P._end, "}": _P._end_then, "fence": _P._end_then, "->": _P._end_then, "?": _P._end_then, "end": _P._end,
}  # fmt: skip
_NEW_LINE: dict[str, Act] = dict.fromkeys(["name", "replan", "variable", "number"], _P._end_on_new_line)
_STATEMENTS: dict[str, Act] = {
    "name": _P._begin_call, "variable": _P._begin_assign, "->": _P._begin_return, "?": _P._begin_branch,
    "replan": _P._begin_replan, "number": _P._begin_loop, ";": _P._nothing, "}": _P._close_block,
    "fence": _P._close_fence, "end": _P._nothing,
}  # fmt: skip
_OPERANDS: dict[str, Act] = {
    "name": _P._name, "constant": _P._constant, "number": _P._number, "string": _P._string, "variable": _P._variable,
    "parameter": _P._parameter, "(": _P._open_group, "-": _P._negative, "!": _P._not,
}  # fmt: skip
_OPERATORS: dict[str, Act] = {
    "infix": _P._infix, "-": _P._infix, ")": _P._close_paren, ",": _P._comma, "{": _P._open_branch,
    "=": _P._not_assigned, **_ENDINGS,
}  # fmt: skip

_LEAVE: dict[str, Act] = dict.fromkeys(_STATEMENTS, _P._leave_fence)
_NOT_HERE: dict[str, Act] = dict.fromkeys(_STATEMENTS, _P._no_else)
_BEHIND: dict[str, Act] = dict.fromkeys([*_STATEMENTS, "("], _P._behind_tag)
_MAY_END: dict[str, Act] = {"end": _P._nothing}

BEGIN.on(_LEAVE, _MAY_END, {"fence": _P._open_fence})
FENCED.on(_LEAVE, _MAY_END, {"name": _P._tag_or_name})
TAGGED.on(_BEHIND, _MAY_END)
START.on(_STATEMENTS)
CALLED.on(_ENDINGS, _NEW_LINE, {"(": _P._open_call, "=": _P._not_variable})
ASSIGNED.on({"=": _P._assign})
COUNTED.on({"{": _P._open_loop})
REPLANNING.on(_ENDINGS, _NEW_LINE, {"(": _P._open_paren_replan})
REPLAN_PAREN.on({")": _P._close_paren_replan})
OPERAND.on(_OPERANDS)
FIRST_ARGUMENT.on(_OPERANDS, {")": _P._close_empty})
OPERATOR.on(_OPERATORS, _NEW_LINE)
NAMED.on(_OPERATORS, _NEW_LINE, {"(": _P._open_call})
CLOSED.on(_OPERATORS, dict.fromkeys(_NEW_LINE, _P._end_then))
CLOSED_BRANCH.on(_NOT_HERE, _MAY_END, {":": _P._else})
ELSE.on({"{": _P._open_else, "?": _P._begin_branch})
OVER.on(_MAY_END)


def parse(text: str, bounds: PlanBounds | None = None) -> Plan:
    """A whole plan, read for its syntax only. Raises `PlanSyntaxError`."""
    parser = Parser(bounds or PlanBounds())
    parser.read(text)
    parser.close()
    return parser.plan
