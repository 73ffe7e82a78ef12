"""The checker: whether this robot can do what a statement asks, by names, arity, types, ranges and loop counts.

The same check serves a stream, where the first error ends the plan, and `check`, which reports all of them.
"""

from collections.abc import Iterator
from typing import TypeAlias

from sayso.errors import PlanCheckError, PlanError, PlanSyntaxError
from sayso.language import nodes
from sayso.language.bounds import PlanBounds
from sayso.language.parser import Parser
from sayso.language.values import BUILT_IN, UnfitError, fold
from sayso.skill import Param, Skill, SkillSet, count

Problems: TypeAlias = Iterator[PlanError]

MANY_NAMES = 12
"""A robot with more skills than this is not listed in an error."""


class Checker:
    """Checks nodes of one plan against one set of skills. `params` is how many `$n` the plan may use."""

    def __init__(self, skills: SkillSet, bounds: PlanBounds, params: int, source: nodes.Source) -> None:
        self._skills = skills
        self._bounds = bounds
        self._params = params
        self._source = source

    def problems(self, node: nodes.Numbered) -> Problems:
        """Everything that is wrong with a statement, or with the header of a block."""
        match node:
            case nodes.Invocation():
                yield from self._invocation(node)
            case nodes.Assign(value=value) | nodes.Return(value=value) | nodes.Branch(test=value):
                yield from self._expr(value)
            case nodes.Loop(count=count) if count > self._bounds.loop_count:
                yield self._error(f"a loop of {count} passes", node.at, f"at most {self._bounds.loop_count}")

    def _error(self, message: str, at: int, expected: str = "") -> PlanCheckError:
        return self._source.error(PlanCheckError, message, at, expected)

    def _expr(self, node: nodes.Expr) -> Problems:
        if isinstance(node, nodes.Invocation):
            yield from self._invocation(node)
        elif isinstance(node, nodes.Operation):
            for item in node.items:
                yield from self._expr(item)
        elif isinstance(node, nodes.Parameter) and node.index > self._params:
            if self._params:
                given = f"this skill has {count(self._params, 'parameter')}"
                yield self._error(f"${node.index} is not given: {given}", node.at)
            else:
                message = f"${node.index} has a meaning only in the body of a composed skill"
                yield self._error(message, node.at, "a value")

    def _invocation(self, call: nodes.Invocation) -> Problems:
        skill = self._skills.find(call.name)
        if skill and skill.takes(len(call.args)):
            for arg, param in zip(call.args, skill.params, strict=False):
                yield from self._argument(arg, param, skill)
            return
        if skill:
            yield self._error(skill.miscounted(len(call.args)), call.at, skill.signature)
        elif call.name not in BUILT_IN:
            yield self._unknown(call)
        elif len(call.args) != 1:
            yield self._error(f"{call.name}() takes 1 argument, not {len(call.args)}", call.at)
        for arg in call.args:
            yield from self._expr(arg)

    def _unknown(self, call: nodes.Invocation) -> PlanError:
        meant = self._skills.suggest(call.name, ("replan", *BUILT_IN))
        if meant:
            return self._error(f"unknown skill {call.name!r}, did you mean {meant}?", call.at)
        names = [s.name for s in self._skills.skills]
        expected = f"one of {', '.join(names)}" if 0 < len(names) <= MANY_NAMES else "a skill of this robot"
        return self._error(f"unknown skill {call.name!r}", call.at, expected)

    def _argument(self, arg: nodes.Expr, param: Param, skill: Skill) -> Problems:
        """Where a value follows from literals alone, a wrong one is refused before anything moves."""
        yield from self._expr(arg)
        try:
            value = fold(arg)
        except UnfitError:
            return
        if problem := param.problem(value):
            yield self._error(f"{skill.name}: {problem}", arg.at, str(param))


MOST_ERRORS = 100
"""Nobody reads more; noise would otherwise give one for each character."""


class _TooManyErrors(Exception):
    """Reading is given up."""


class _Survey(Parser):
    """A parser that notes errors in `errors` instead of raising them.

    Behind a wrong token everything is skipped up to the next place where a statement clearly begins: behind a `;`, at a
    `}`, inside the block of a broken header, or on a new line.
    """

    def __init__(self, skills: SkillSet, bounds: PlanBounds, params: int) -> None:
        super().__init__(bounds)
        self._checker = Checker(skills, bounds, params, self.plan.source)
        self.errors: list[PlanError] = []
        self._skips = False

    def note(self, error: PlanError) -> None:
        self.errors.append(error)
        if len(self.errors) >= MOST_ERRORS:
            raise _TooManyErrors

    def survey(self, text: str) -> None:
        """Read all of `text`."""
        try:
            self.read(text)
            self.close()
        except PlanError as error:
            self.errors.append(error)
        except _TooManyErrors:
            return

    def _finish(self, node: nodes.Numbered, depth: int) -> None:
        for problem in self._checker.problems(node):
            self.note(problem)

    def _token(self, kind: str, text: str) -> None:
        try:
            self._skip(kind, text) if self._skips else super()._token(kind, text)
        except PlanSyntaxError as error:
            self.note(error)
            try:  # the wrong token itself may be where a statement ends or begins
                self._skip(kind, text)
            except PlanSyntaxError:
                self._begin()
                self._skips = kind != "}"

    def _skip(self, kind: str, text: str) -> None:
        """Read on from here, if a statement can begin here."""
        self._skips = kind not in (";", "}", "{") and (kind == "end" or self._line_at != self._at)
        if self._skips:
            return
        if not self._blocks[-1].open:
            self._pop()
        self._begin()
        if kind == "{":  # the block behind a broken header is read as that of a condition
            self._room()
            self._push(nodes.Block(), nodes.Conditional([nodes.Branch(nodes.Literal(None), nodes.Block())]))
        else:
            super()._token(kind, text)

    def _begin(self) -> None:
        """Before a statement."""
        self._reading = self._statements()
        next(self._reading)


def check(text: str, skills: SkillSet, bounds: PlanBounds | None = None, params: int = 0) -> list[PlanError]:
    """All errors of a whole plan, in the order of the text; none means that it is admissible."""
    survey = _Survey(skills, bounds or PlanBounds(), params)
    survey.survey(text)
    return sorted(survey.errors, key=lambda error: error.place)
