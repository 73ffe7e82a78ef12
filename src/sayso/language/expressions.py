"""The parser of expressions.

Reading is a coroutine: it runs until it needs the next token, which stands in `_kind`, `_text` and `_at` when it goes
on. So the grammar is plain recursive descent and text may arrive in any pieces. Depth is bounded, chains of operators
are flat, and nothing is looked at twice: reading is linear in the text, and a wrong token is refused the moment it
arrives.
"""

from collections.abc import Generator
from typing import NoReturn, TypeAlias

from sayso.errors import PlanSyntaxError
from sayso.language import nodes
from sayso.language.bounds import LONGEST_WORD, PlanBounds, utf8_size
from sayso.language.lexer import CONSTANTS, FIRST, KINDS, SPELLINGS, Lexer, number, rare_kind, string

SHOWN = 20
"""Characters of a wrong token that an error repeats."""

NOTHING = nodes.Literal(None)
"""Stands where a value is still to come."""

INFIX = nodes.LEVELS | {spelling: nodes.LEVELS[op] for spelling, op in SPELLINGS.items()}

Reading: TypeAlias = Generator[None, None, None]
Valued: TypeAlias = Generator[None, None, nodes.Expr]


class Expressions:
    """Takes in text of a `plan`. `_line_at` is the offset of the last token that was the first on its line, `_began_at`
    that of the statement at hand; `_last` is the operand that was read last, and `_closed` whether with a `)`."""

    def __init__(self, bounds: PlanBounds) -> None:
        self.plan = nodes.Plan()
        self.bounds = bounds
        self._lexer = Lexer()
        self._kind = self._text = ""
        self._at = self._began_at = 0
        self._line_at = -1
        self._nested = self._operands = 0
        self._last: nodes.Expr = NOTHING
        self._closed = False
        self._reading = self._program()
        next(self._reading)

    def _program(self) -> Reading:
        """All of the text."""
        raise NotImplementedError

    def read(self, text: str) -> None:
        """Take in more text, of any length."""
        source = self.plan.source
        size = utf8_size(text)
        room = self.bounds.program_bytes - source.bytes
        if size > room:
            self._overflow(text, room)
        source.add(text, size)
        tokens = self._lexer.feed(text)
        if tokens:
            self._take(tokens)
        quoted = self._lexer.quoted
        if quoted is not None and quoted.bytes > self.bounds.string_bytes:
            self._refuse("a string is too long", f"at most {self.bounds.string_bytes} bytes")

    def _overflow(self, text: str, room: int) -> NoReturn:
        """What still fits is read, so that an error in it is found first; then the program is refused."""
        fits = text[:room].encode("utf-8", "surrogatepass")[:room].decode("utf-8", "ignore")
        self.read(fits)
        at = self.plan.source.size
        self._refuse("the program is too long", f"at most {self.bounds.program_bytes} bytes", at)

    def _take(self, tokens: list[str]) -> None:
        at = self._at
        for text in tokens:
            kind = KINDS.get(text) or FIRST.get(text[0]) or rare_kind(text)
            self._at = at
            if kind == "space":
                if "\n" in text or self._line_at == at:
                    self._line_at = at + len(text)
            else:
                self._token(kind, text)
            at += len(text)
        self._at = at

    def _token(self, kind: str, text: str) -> None:
        self._kind, self._text = kind, text
        next(self._reading)

    def _refuse(self, message: str, expected: str = "", at: int | None = None) -> NoReturn:
        raise self.plan.source.error(PlanSyntaxError, message, self._at if at is None else at, expected)

    def _unexpected(self, expected: str) -> NoReturn:
        text = self._text
        if not text:
            self._refuse("the text ends in the middle of a statement", expected)
        self._refuse(f"{text if len(text) <= SHOWN else text[: SHOWN - 3] + '...'!r} cannot stand here", expected)

    def _unexpected_behind(self, end: str) -> NoReturn:
        """Behind a value, where `end` would close the expression."""
        if self._kind == "=" and isinstance(self._last, nodes.Variable):
            self._refuse("an assignment is not an expression", "== to compare")
        named = isinstance(self._last, nodes.Invocation) and not self._closed
        self._unexpected(f"'(', an operator or {end}" if named else f"an operator or {end}")

    def _expr(self, level: int = 0, expected: str = "a value") -> Valued:
        """A value, with all operators that bind tighter than `level`; the token at hand is then the one behind it."""
        kind, at = self._kind, self._at
        if kind == "name":
            value: nodes.Expr = yield from self._call()
        elif kind == "(":
            self._nest()
            yield
            value = yield from self._expr()
            if self._kind != ")":
                self._unexpected_behind("')'")
            self._nested -= 1
            self._closed = True
            yield
        elif kind in ("-", "!"):
            if kind == "!" and level > nodes.NOT:
                self._refuse("! cannot stand behind another operator", "parentheses around it")
            self._nest()
            yield
            binds = nodes.NEGATIVE if kind == "-" else nodes.NOT
            value = nodes.Operation(binds, [kind], [(yield from self._expr(binds))], at=at)
            self._nested -= 1
        else:
            value = self._last = self._atom(kind, expected)
            self._closed = False
            yield
        while (binds := INFIX.get(self._text, 0)) > level:
            value = yield from self._chain(value, binds)
        return value

    def _chain(self, first: nodes.Expr, level: int) -> Valued:
        chain = nodes.Operation(level, [], [first], at=self._at)
        while INFIX.get(self._text, 0) == level:
            if level == nodes.COMPARISON and chain.ops:
                self._refuse("comparisons do not chain", "& between two comparisons")
            chain.ops.append(SPELLINGS.get(self._text, self._text))
            self._more_operands()
            yield
            chain.items.append((yield from self._expr(level)))
        return chain

    def _call(self) -> Valued:
        self._bound_word()
        call = self._last = nodes.Invocation(self._text, [], at=self._at)
        self._closed = False
        yield
        if self._kind == "(":
            yield from self._arguments(call)
            yield
        return call

    def _arguments(self, call: nodes.Invocation) -> Reading:
        """Up to the `)`, which is then at hand."""
        self._nest()
        yield
        while self._kind != ")" or call.args:
            call.args.append((yield from self._expr(expected="a value" if call.args else "a value or ')'")))
            if self._kind == ")":
                break
            if self._kind != ",":
                self._unexpected_behind("',' or ')'")
            self._more_operands()
            yield
        self._nested -= 1
        self._last, self._closed = call, True

    def _atom(self, kind: str, expected: str) -> nodes.Expr:
        text, at = self._text, self._at
        if kind == "constant":
            return nodes.Literal(CONSTANTS[text], at=at)
        if kind == "number":
            return nodes.Literal(self._number(), at=at)
        if kind == "string":
            return nodes.Literal(self._string(), at=at)
        if kind == "variable":
            self._bound_variable()
            return nodes.Variable(text, at=at)
        if kind != "parameter":
            self._unexpected(expected)
        if len(text) != 2 or text[1] not in "123456789":
            self._refuse(f"{text[:LONGEST_WORD]} is no parameter", "$1 to $9")
        return nodes.Parameter(int(text[1]), at=at)

    def _number(self) -> int | float:
        if len(self._text) > LONGEST_WORD:
            self._refuse("a number is too long", f"at most {LONGEST_WORD} characters")
        try:
            return number(self._text)
        except ValueError as error:
            self._refuse(str(error), "an int or a float")

    def _string(self) -> str:
        bound = self.bounds.string_bytes
        if len(self._text) > bound // 4 and utf8_size(self._text) - 2 > bound:
            self._refuse("a string is too long", f"at most {bound} bytes")
        try:
            return string(self._text)
        except ValueError as error:
            self._refuse(str(error), "plain text")

    def _bound_word(self) -> None:
        if len(self._text) > LONGEST_WORD:
            self._refuse("a name is too long", f"at most {LONGEST_WORD} characters")

    def _bound_variable(self) -> None:
        if len(self._text) == 1:
            self._refuse("a variable needs letters or digits behind its _", "a name such as _1")
        self._bound_word()

    def _nest(self) -> None:
        self._nested += 1
        if self._nested > self.bounds.depth:
            self._refuse("parentheses nest too deeply", f"at most {self.bounds.depth}")

    def _more_operands(self) -> None:
        self._operands += 1
        if self._operands >= self.bounds.operands:
            self._refuse("a statement has too many operands", f"at most {self.bounds.operands}")
