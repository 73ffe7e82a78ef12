"""The part of the parser that reads expressions.

`_stack` holds the calls, parentheses and operators that wait for an operand, `_value` the operand that just became
whole. An operator closes those on the stack that bind tighter, then waits itself.
"""

from __future__ import annotations

from sayso.language.automaton import Automaton
from sayso.language.bounds import LONGEST_WORD, PlanBounds, utf8_size
from sayso.language.nodes import (
    COMPARISON,
    LEVELS,
    NEGATIVE,
    NOT,
    Branch,
    Expr,
    Invocation,
    Literal,
    Operation,
    Parameter,
    Statement,
    Variable,
)
from sayso.language.states import CLOSED, FIRST_ARGUMENT, NAMED, OPERAND, OPERATOR, State
from sayso.language.tokens import CONSTANTS, SPELLINGS, number, string

NOTHING = Literal(None)
"""Stands where a value is still to come."""


class Group:
    """An open parenthesis that is no call's."""

    __slots__ = ()
    level = 0


GROUP = Group()


class Expressions(Automaton):
    """Reads values into `_value`; `_statement` is what they are for."""

    def __init__(self, bounds: PlanBounds) -> None:
        super().__init__(bounds)
        self._stack: list[Operation | Invocation | Group] = []
        self._nested = 0
        self._operands = 0
        self._value: Expr = NOTHING
        self._statement: Statement | Branch | None = None

    def _reset(self, state: State) -> None:
        """Forget the expression and statement at hand."""
        self._state = state
        self._stack.clear()
        self._nested = self._operands = 0
        self._statement = None

    def _name(self, text: str, at: int) -> None:
        self._bound_word(text, at)
        self._value = Invocation(text, [], at)
        self._state = NAMED

    def _constant(self, text: str, at: int) -> None:
        self._value = Literal(CONSTANTS[text], at)
        self._state = OPERATOR

    def _number(self, text: str, at: int) -> None:
        self._value = Literal(self._read_number(text, at), at)
        self._state = OPERATOR

    def _read_number(self, text: str, at: int) -> int | float:
        if len(text) > LONGEST_WORD:
            self._refuse("a number is too long", at, f"at most {LONGEST_WORD} characters")
        try:
            return number(text)
        except ValueError as error:
            self._refuse(str(error), at, "an int or a float")

    def _string(self, text: str, at: int) -> None:
        bound = self.bounds.string_bytes
        if len(text) > bound // 4 and utf8_size(text) - 2 > bound:
            self._refuse("a string is too long", at, f"at most {bound} bytes")
        try:
            self._value = Literal(string(text), at)
        except ValueError as error:
            self._refuse(str(error), at, "plain text")
        self._state = OPERATOR

    def _variable(self, text: str, at: int) -> None:
        self._bound_variable(text, at)
        self._value = Variable(text, at)
        self._state = OPERATOR

    def _bound_variable(self, text: str, at: int) -> None:
        if len(text) == 1:
            self._refuse("a variable needs letters or digits behind its _", at, "a name such as _1")
        self._bound_word(text, at)

    def _parameter(self, text: str, at: int) -> None:
        if len(text) != 2 or text[1] not in "123456789":
            self._refuse(f"{text[:LONGEST_WORD]} is no parameter", at, "$1 to $9")
        self._value = Parameter(int(text[1]), at)
        self._state = OPERATOR

    # Calls and parentheses

    def _open_call(self, text: str, at: int) -> None:
        assert isinstance(self._value, Invocation)
        self._nest(at)
        self._stack.append(self._value)
        self._state = FIRST_ARGUMENT

    def _open_group(self, text: str, at: int) -> None:
        self._nest(at)
        self._stack.append(GROUP)
        self._state = OPERAND

    def _nest(self, at: int) -> None:
        self._nested += 1
        if self._nested > self.bounds.depth:
            self._refuse("parentheses nest too deeply", at, f"at most {self.bounds.depth}")

    def _close_empty(self, text: str, at: int) -> None:
        call = self._stack.pop()
        assert isinstance(call, Invocation)
        self._nested -= 1
        self._closed(call)

    def _close_paren(self, text: str, at: int) -> None:
        value = self._reduce()
        if not self._stack:
            self._unexpected(text, at)
        top = self._stack.pop()
        self._nested -= 1
        if isinstance(top, Invocation):
            top.args.append(value)
            self._closed(top)
        else:
            self._value = value
            self._state = CLOSED

    def _closed(self, call: Invocation) -> None:
        self._value = call
        if call is self._statement:
            self._complete(call)
        else:
            self._state = CLOSED

    def _comma(self, text: str, at: int) -> None:
        value = self._reduce()
        top = self._stack[-1] if self._stack else None
        if not isinstance(top, Invocation):
            self._unexpected(text, at)
        top.args.append(value)
        self._more_operands(at)
        self._state = OPERAND

    # Operators

    def _infix(self, text: str, at: int) -> None:
        op = SPELLINGS.get(text, text)
        level = LEVELS[op]
        value = self._reduce(level)
        top = self._stack[-1] if self._stack else None
        if top is None or top.level != level:
            self._stack.append(Operation(level, [op], [value], at))
        elif level == COMPARISON:
            self._refuse("comparisons do not chain", at, "& between two comparisons")
        else:
            assert isinstance(top, Operation)
            top.ops.append(op)
            top.items.append(value)
        self._more_operands(at)
        self._state = OPERAND

    def _more_operands(self, at: int) -> None:
        self._operands += 1
        if self._operands >= self.bounds.operands:
            self._refuse("a statement has too many operands", at, f"at most {self.bounds.operands}")

    def _negative(self, text: str, at: int) -> None:
        self._nest(at)
        self._stack.append(Operation(NEGATIVE, ["-"], [], at))
        self._state = OPERAND

    def _not(self, text: str, at: int) -> None:
        if self._stack and self._stack[-1].level > NOT:
            self._refuse("! cannot stand behind another operator", at, "parentheses around it")
        self._nest(at)
        self._stack.append(Operation(NOT, ["!"], [], at))
        self._state = OPERAND

    def _reduce(self, level: int = 0) -> Expr:
        """The value at hand, with every operator that binds tighter than `level` closed over it."""
        value = self._value
        stack = self._stack
        while stack and stack[-1].level > level:
            top = stack.pop()
            assert isinstance(top, Operation)
            top.items.append(value)
            if top.level == NOT or top.level == NEGATIVE:
                self._nested -= 1
            value = top
        return value

    def _complete(self, call: Invocation) -> None:
        """The call at hand is a statement of its own."""
        raise NotImplementedError

    def _not_assigned(self, text: str, at: int) -> None:
        if isinstance(self._value, Variable):
            self._refuse("an assignment is not an expression", at, "== to compare")
        self._unexpected(text, at)

    def _not_variable(self, text: str, at: int) -> None:
        self._refuse("only a variable can be assigned", at, "a name that begins with _")

    def _expected(self) -> str:
        waiting = [top for top in self._stack if top.level == 0]
        if waiting:
            end = "',' or ')'" if isinstance(waiting[-1], Invocation) else "')'"
        else:
            end = "'{'" if isinstance(self._statement, Branch) else "';'"
        return self._state.expected.format(end=end)
