"""The parser of statements, blocks and the fence around them, by the rules of `docs/language.md`.

`_blocks` holds the open braces, with the conditional that each belongs to in `_owners`. A statement is finished the
moment its last token is there.
"""

from collections.abc import Callable, Generator, Mapping
from typing import TypeAlias

from sayso.language.bounds import PlanBounds
from sayso.language.expressions import NOTHING, Expressions, Reading
from sayso.language.nodes import Assign, Block, Branch, Conditional, Invocation, Loop, Numbered, Plan, Replan, Return

ENDINGS = frozenset((";", "}", "fence", "->", "?", "end"))
"""What ends a statement wherever it stands."""

NEW_LINE = frozenset(("name", "replan", "variable", "number"))
"""What ends one on a line of its own, or behind a `)`."""

Stated: TypeAlias = Generator[None, None, bool]
"""Whether the token at hand belonged to the statement; else it begins the next."""


class Parser(Expressions):
    """Parses text as it arrives; `_finish` is called with every statement and header that becomes complete."""

    def __init__(self, bounds: PlanBounds) -> None:
        super().__init__(bounds)
        self._blocks = [self.plan.body]
        self._owners: list[Conditional | None] = [None]
        self._inside = False
        self._numbered = 0

    def close(self) -> None:
        """The text is over, and ended as its author meant it: complete what is pending, close open blocks."""
        self._take(self._lexer.end())
        if self._lexer.pending:
            self._refuse("this string does not end", "its closing quote")
        self._token("end", "")
        for block, owner in zip(self._blocks, self._owners, strict=True):
            block.open = False
            if owner:
                owner.open = False

    def _program(self) -> Reading:
        """A fence is skipped, with its language tag where the line ends behind that."""
        yield
        fenced, used = self._kind == "fence", False
        if fenced:
            self._fence()
            yield
            if self._kind == "name" and self._line_at != self._at:
                tag = Invocation(self._text, [], at=self._at)
                yield
                if self._line_at <= tag.at and self._kind != "end":  # it is the first call
                    self._inside, self._began_at = True, tag.at
                    used = yield from self._called(tag)
        yield from self._statements(fenced, used)

    def _statements(self, fenced: bool = False, used: bool = True) -> Reading:
        """From the token at hand on, or from the next one."""
        while True:
            self._inside = False
            if used:
                yield
            self._nested = self._operands = 0
            kind = self._kind
            if kind in (";", "end"):
                used = True
                continue
            if kind == "fence" and fenced:
                break
            begin = BEGIN.get(kind)
            if begin is None:
                self._unexpected("a statement")
            self._inside, self._began_at = kind != "}", self._at
            used = yield from begin(self)
        self._fence()
        if len(self._blocks) > 1:
            self._refuse("the fence closes while a block is open", "}")
        while True:
            yield
            if self._kind != "end":
                self._unexpected("nothing behind the closing fence")

    def _fence(self) -> None:
        if len(self._text) < 3:
            self._unexpected("a statement")

    def _call_alone(self) -> Stated:
        self._bound_word()
        call = Invocation(self._text, [], at=self._at)
        yield
        return (yield from self._called(call))

    def _assign(self) -> Stated:
        self._bound_variable()
        assign = Assign(self._text, NOTHING, at=self._at)
        yield
        if self._kind != "=":
            self._unexpected("'='")
        yield
        assign.value = yield from self._expr()
        return self._valued(assign)

    def _return(self) -> Stated:
        at = self._at
        yield
        return self._valued(Return((yield from self._expr()), at=at))

    def _called(self, call: Invocation) -> Stated:
        if self._kind == "(":
            yield from self._arguments(call)
            self._complete(call)
            return True
        if self._kind == "=":
            self._refuse("only a variable can be assigned", "a name that begins with _")
        return self._ends(call, "'(', ';' or a new line")

    def _replan(self) -> Stated:
        replan = Replan(at=self._at)
        yield
        if self._kind != "(":
            return self._ends(replan, "';'")
        yield
        if self._kind != ")":
            self._unexpected("')'")
        self._complete(replan)
        return True

    def _valued(self, statement: Assign | Return) -> bool:
        if self._closed and self._kind in NEW_LINE:
            self._complete(statement)
            return False
        return self._ends(statement)

    def _ends(self, statement: Invocation | Assign | Return | Replan, expected: str = "") -> bool:
        """At the token behind it."""
        if self._kind not in ENDINGS and not (self._kind in NEW_LINE and self._line_at == self._at):
            self._unexpected(expected) if expected else self._unexpected_behind("';'")
        self._complete(statement)
        return self._kind == ";"

    def _complete(self, statement: Invocation | Assign | Return | Replan) -> None:
        self._finish(statement, len(self._blocks) - 1)
        self._blocks[-1].statements.append(statement)

    def _finish(self, node: Numbered, depth: int) -> None:
        """Called with each node when it is complete and before it joins the plan; raises where it must not."""
        self._numbered += 1
        node.number = self._numbered

    def _branch(self, chain: Conditional | None = None) -> Stated:
        """A condition with its `{`; with `chain` one more of those, behind a `:`."""
        at = self._at
        yield
        branch = Branch((yield from self._expr()), Block(), at=at)
        if self._kind != "{":
            self._unexpected_behind("'{'")
        self._room(closed=bool(chain))
        self._finish(branch, len(self._blocks) - 1 - bool(chain))
        if chain:
            self._pop()
            chain.branches.append(branch)
        else:
            chain = Conditional([branch])
            self._blocks[-1].statements.append(chain)
        self._push(branch.block, chain)
        return True

    def _loop(self) -> Stated:
        at, count = self._at, self._number()
        if not isinstance(count, int):
            self._refuse(f"{self._text} is not a whole number of times", "an integer")
        yield
        if self._kind != "{":
            self._unexpected("'{'")
        self._room()
        loop = Loop(count, Block(), at=at)
        self._finish(loop, len(self._blocks) - 1)
        self._blocks[-1].statements.append(loop)
        self._push(loop.block, None)
        return True

    def _room(self, closed: bool = False) -> None:
        if len(self._blocks) - closed > self.bounds.depth:
            self._refuse("blocks nest too deeply", f"at most {self.bounds.depth}")

    def _push(self, block: Block, owner: Conditional | None) -> None:
        self._blocks.append(block)
        self._owners.append(owner)

    def _pop(self) -> None:
        self._blocks.pop()
        self._owners.pop()

    def _close_block(self) -> Stated:
        """At a `}`; behind that of a branch another may follow."""
        if len(self._blocks) == 1:
            self._refuse("this } closes nothing", "no more than one } for each {")
        self._blocks[-1].open = False
        chain = self._owners[-1]
        if chain is None or chain.otherwise is not None:
            self._pop()
            return True
        yield
        if self._kind not in (":", *ENDINGS, *NEW_LINE):
            self._unexpected("a statement or ':'")
        if self._kind != ":":
            chain.open = False
            self._pop()
            return False
        self._inside, self._began_at = True, self._at
        yield
        if self._kind == "?":
            self._began_at = self._at
            return (yield from self._branch(chain))
        if self._kind != "{":
            self._unexpected("'{' or '?'")
        self._pop()
        chain.otherwise, chain.open = Block(), False
        self._push(chain.otherwise, chain)
        return True


BEGIN: Mapping[str, Callable[[Parser], Stated]] = {
    "name": Parser._call_alone, "variable": Parser._assign, "->": Parser._return, "replan": Parser._replan,
    "?": Parser._branch, "number": Parser._loop, "}": Parser._close_block,
}  # fmt: skip


def parse(text: str, bounds: PlanBounds | None = None) -> Plan:
    """A whole plan, read for its syntax only. Raises `PlanSyntaxError`."""
    parser = Parser(bounds or PlanBounds())
    parser.read(text)
    parser.close()
    return parser.plan
