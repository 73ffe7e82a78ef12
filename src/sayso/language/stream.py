"""The stream of a plan: text in, checked statements out.

`PlanStream` is the parser with the checker built in. It never waits and never runs anything; an `Interpreter` walks the
same growing plan at its own pace.
"""

from collections.abc import Callable
from dataclasses import dataclass

from sayso.errors import Place, PlanError
from sayso.language.bounds import PlanBounds
from sayso.language.check import Checker
from sayso.language.nodes import Numbered
from sayso.language.parser import Parser
from sayso.language.printer import header
from sayso.skill import SkillSet


@dataclass(slots=True)
class Ready:
    """A statement, or the header of a block, that is complete and admissible. `number` counts from 1 in the order of
    the text, `text` is its canonical form, `depth` counts enclosing blocks.

    `behind` is what stands between it and the branch before: `:` before another condition, `:{` before the first
    statement of what runs otherwise.
    """

    number: int
    text: str
    place: Place
    depth: int
    behind: str = ""


@dataclass(frozen=True, slots=True)
class Dropped:
    """The unfinished statement of a stream that broke."""

    place: Place
    text: str


class PlanStream(Parser):
    """Reads one plan. Without skills only the syntax is checked.

    `ready` is everything that became complete, also when `feed` then raised; `plan` is what an interpreter walks.
    After an error or a cut the plan is `broken`: what came before it can still run.
    """

    def __init__(self, skills: SkillSet | None, bounds: PlanBounds | None = None, params: int = 0) -> None:
        super().__init__(bounds or PlanBounds())
        self.ready: list[Ready] = []
        self._checker = Checker(skills, self.bounds, params, self.plan.source) if skills is not None else None

    def feed(self, text: str) -> list[Ready]:
        """What `text`, in chunks of any size, completes. Raises `PlanSyntaxError` and `PlanCheckError`."""
        return self._completed(lambda: self.read(text))

    def end(self) -> list[Ready]:
        """The text is over, and its author meant it to end here: what can be closed is. Raises as `feed` does."""
        return self._completed(self.close)

    def cut(self) -> Dropped | None:
        """The text broke off. An unfinished statement is dropped, and returned."""
        if self.plan.broken or not self.plan.body.open:
            return None
        self.plan.broken = True
        source, start = self.plan.source, self.whole
        return Dropped(source.place(start), source.text[start:].rstrip()) if start < source.size else None

    @property
    def whole(self) -> int:
        """Up to which offset the text is complete statements and headers; behind it one is unfinished."""
        if self._inside:
            return self._began_at
        return self._at if self._lexer.pending else self.plan.source.size

    def _completed(self, read: Callable[[], None]) -> list[Ready]:
        if self.plan.error is not None:
            raise self.plan.error
        first = len(self.ready)
        try:
            read()
        except PlanError as error:
            self.plan.error, self.plan.broken = error, True
            raise
        return self.ready[first:]

    def _finish(self, node: Numbered, depth: int) -> None:
        if self._checker and (problem := next(self._checker.problems(node), None)):
            raise problem
        super()._finish(node, depth)
        self.ready.append(Ready(node.number, header(node), self.plan.source.place(node.at), depth, self._behind()))

    def _behind(self) -> str:
        block, owner = self._blocks[-1], self._owners[-1]
        if owner is None or block.statements or block is not owner.otherwise:
            return ":" if owner is not None and not block.open else ""
        return ":{"
