"""Whether this robot can do what a statement asks: known names, arity, literal types and ranges, loop counts.

The same check serves a stream, where the first error ends the plan, and `check`, which reports all of them.
"""

from __future__ import annotations

from sayso.errors import PlanError
from sayso.language.bounds import PlanBounds
from sayso.language.nodes import (
    Assign,
    Branch,
    Expr,
    Invocation,
    Literal,
    Loop,
    Numbered,
    Operation,
    Parameter,
    Replan,
    Return,
)
from sayso.language.source import Source
from sayso.language.survey import Survey
from sayso.language.values import BUILT_IN, UnfitError, fold
from sayso.skill import Param, Skill, SkillSet, Value, count

MANY_NAMES = 12
"""A robot with more skills than this is not listed in an error."""


class Checker:
    """Checks nodes of one plan against one set of skills. `params` is how many `$n` the plan may use."""

    def __init__(self, skills: SkillSet, bounds: PlanBounds, params: int, source: Source) -> None:
        self._skills = skills
        self._bounds = bounds
        self._params = params
        self._source = source

    def problems(self, node: Numbered) -> list[PlanError]:
        """Everything that is wrong with a statement, or with the header of a block."""
        found: list[PlanError] = []
        if isinstance(node, Invocation):
            self._invocation(node, found)
        elif isinstance(node, Assign | Return):
            self._expr(node.value, found)
        elif isinstance(node, Branch):
            self._expr(node.test, found)
        elif isinstance(node, Loop):
            self._loop(node, found)
        else:
            assert isinstance(node, Replan)
        return found

    def _loop(self, loop: Loop, found: list[PlanError]) -> None:
        most = self._bounds.loop_count
        if loop.count > most:
            found.append(self._source.check_error(f"a loop of {loop.count} passes", loop.at, f"at most {most}"))

    def _expr(self, node: Expr, found: list[PlanError]) -> None:
        if isinstance(node, Invocation):
            self._invocation(node, found)
        elif isinstance(node, Operation):
            for item in node.items:
                self._expr(item, found)
        elif isinstance(node, Parameter) and node.index > self._params:
            found.append(self._parameter_error(node))

    def _parameter_error(self, node: Parameter) -> PlanError:
        if not self._params:
            message = f"${node.index} has a meaning only in the body of a composed skill"
            return self._source.check_error(message, node.at, "a value")
        message = f"${node.index} is not given: this skill has {count(self._params, 'parameter')}"
        return self._source.check_error(message, node.at)

    def _invocation(self, call: Invocation, found: list[PlanError]) -> None:
        skill = self._skills.find(call.name)
        if skill is not None:
            self._arguments(call, skill, found)
            return
        if call.name not in BUILT_IN:
            found.append(self._unknown(call))
        elif len(call.args) != 1:
            message = f"{call.name}() takes 1 argument, not {len(call.args)}"
            found.append(self._source.check_error(message, call.at))
        for arg in call.args:
            self._expr(arg, found)

    def _unknown(self, call: Invocation) -> PlanError:
        meant = self._skills.suggest(call.name, ("replan", *BUILT_IN))
        if meant:
            return self._source.check_error(f"unknown skill {call.name!r}, did you mean {meant}?", call.at)
        names = [s.name for s in self._skills.skills]
        expected = f"one of {', '.join(names)}" if 0 < len(names) <= MANY_NAMES else "a skill of this robot"
        return self._source.check_error(f"unknown skill {call.name!r}", call.at, expected)

    def _arguments(self, call: Invocation, skill: Skill, found: list[PlanError]) -> None:
        if len(call.args) != len(skill.params):
            wanted = count(len(skill.params), "argument")
            message = f"{skill.name} takes {wanted}, not {len(call.args)}"
            found.append(self._source.check_error(message, call.at, skill.signature))
            for arg in call.args:
                self._expr(arg, found)
            return
        for arg, param in zip(call.args, skill.params, strict=True):
            if isinstance(arg, Literal):
                self._constant(arg.value, arg.at, param, skill, found)
                continue
            self._expr(arg, found)
            if isinstance(arg, Operation):
                self._folded(arg, param, skill, found)

    def _folded(self, arg: Operation, param: Param, skill: Skill, found: list[PlanError]) -> None:
        """Where a value follows from literals alone, a wrong one is refused before anything moves."""
        try:
            value = fold(arg)
        except UnfitError:
            return
        self._constant(value, arg.at, param, skill, found)

    def _constant(self, value: Value, at: int, param: Param, skill: Skill, found: list[PlanError]) -> None:
        problem = param.problem(value)
        if problem:
            found.append(self._source.check_error(f"{skill.name}: {problem}", at, str(param)))


class _CheckedSurvey(Survey):
    def __init__(self, skills: SkillSet, bounds: PlanBounds, params: int) -> None:
        super().__init__(bounds)
        self._checker = Checker(skills, bounds, params, self.plan.source)

    def _finish(self, node: Numbered, depth: int) -> None:
        for problem in self._checker.problems(node):
            self.note(problem)


def check(text: str, skills: SkillSet, bounds: PlanBounds | None = None, params: int = 0) -> list[PlanError]:
    """All errors of a whole plan, in the order of the text; none means that it is admissible."""
    survey = _CheckedSurvey(skills, bounds or PlanBounds(), params)
    survey.survey(text)
    return sorted(survey.errors, key=lambda error: error.place)
