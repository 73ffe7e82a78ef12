"""The interpreter of plans, a generator: it yields the skill calls it wants and receives how they ended.

Nothing here waits, moves or knows the time. The plan may still be growing: where the text has not arrived yet the
generator yields `NEED_TEXT` and looks again when it is resumed; a plan that computes for long yields `GIVE_WAY` now and
then. Composed skills run inside, on parameters and variables of their own, so whoever drives the generator sees native
calls only.

Steps that may have to wait are generators themselves, as deep as the bounds of a plan allow.
"""

import enum
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NoReturn, TypeAlias

from sayso.errors import PlanRunError, UsageError
from sayso.language import nodes
from sayso.language.bounds import PlanBounds, utf8_size
from sayso.language.nodes import NEGATIVE, NOT, Block, Expr, Invocation, Operation, Plan, Statement
from sayso.language.parser import parse
from sayso.language.stream import PlanStream
from sayso.language.values import BUILT_IN, UnfitError, combine, negative
from sayso.skill import Reading, Skill, SkillSet, Value
from sayso.task import Done, Failed, Outcome, Refused, Task

_SOURCE_BOUNDS = PlanBounds(program_bytes=2**20)


class _Pause(enum.Enum):
    NEED_TEXT = "the plan goes on, but its next statement has not arrived"
    GIVE_WAY = "the plan computes; others should have a turn before it goes on"


NEED_TEXT: Final = _Pause.NEED_TEXT
GIVE_WAY: Final = _Pause.GIVE_WAY

TURN = 500
"""Operations between two looks at the rest of the program: a fraction of a millisecond (S5)."""


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A native skill that is to run. `statement` is the number in the plan that asks for it; `through` names the
    composed skills it is inside, outermost first."""

    task: Task
    skill: Skill
    args: tuple[Value, ...]
    statement: int
    through: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.skill.name}({', '.join(map(repr, self.args))})"


How: TypeAlias = Literal["finished", "returned", "replan", "failed", "cut"]


@dataclass(frozen=True, slots=True)
class Ended:
    """How a plan ended: `returned` has a `value`, `failed` an `outcome`; `cut` means that its text broke off."""

    how: How
    value: Value = None
    reason: str = ""
    outcome: Outcome | None = None


@dataclass(slots=True)
class _Frame:
    """One running program: the plan, or the body of a composed skill, which knows its parameters only."""

    plan: Plan
    args: tuple[Value, ...] = ()
    through: tuple[str, ...] = ()
    variables: dict[str, Value] = field(default_factory=dict)


class _PlanOverError(Exception):
    def __init__(self, ended: Ended) -> None:
        self.ended = ended


class _ReturnedError(Exception):
    def __init__(self, value: Value) -> None:
        self.value = value


Steps: TypeAlias = Generator[Any, Any, Any]
"""Yields a `Call` or a pause; returns a value, where it has one."""


class Interpreter:
    """Runs one plan once.

    `statement` is the number of the statement being run, and `count` how many were executed. `came` hears of every
    composed skill that ran to its end: the skill, its arguments, its value.
    """

    def __init__(
        self,
        plan: Plan | PlanStream,
        skills: SkillSet,
        bounds: PlanBounds | None = None,
        came: Callable[[Skill, Sequence[Value], Value], None] = lambda skill, args, value: None,
    ) -> None:
        self.plan = plan.plan if isinstance(plan, PlanStream) else plan
        self.skills = skills
        self.bounds = bounds or PlanBounds()
        self._came = came
        self.statement = 0
        self.count = 0
        self.operations = 0
        self._at = 0
        self._bodies: dict[str, Plan] = {}

    def run(self) -> Generator[Call | _Pause, Outcome | None, Ended]:
        """Yields `Call`, to be resumed with its outcome, or `NEED_TEXT` or `GIVE_WAY`, to be resumed with None.

        Raises `PlanRunError` when a value that only became known here is wrong.
        """
        try:
            yield from self._block(self.plan.body, _Frame(self.plan))
        except _PlanOverError as over:
            return over.ended
        except _ReturnedError as returned:
            return Ended("returned", returned.value)
        return Ended("finished")

    def _block(self, block: Block, frame: _Frame) -> Steps:
        done = 0
        while True:
            if done < len(block.statements):
                yield from self._run(block.statements[done], frame)
                done += 1
            elif block.open:
                yield from self._wait()
            else:
                return None

    def _wait(self) -> Generator[Literal[_Pause.NEED_TEXT], None, None]:
        if self.plan.broken:
            reason = str(self.plan.error) if self.plan.error else "the plan's text broke off"
            raise _PlanOverError(Ended("cut", reason=reason))
        yield NEED_TEXT

    def _run(self, node: Statement, frame: _Frame) -> Steps:
        if isinstance(node, nodes.Conditional):
            yield from self._conditional(node, frame)
            return None
        self._begin(node, frame)
        if isinstance(node, nodes.Loop):
            yield from self._loop(node, frame)
        elif isinstance(node, nodes.Replan):
            raise _PlanOverError(Ended("replan", reason="the plan asks for a new one"))
        elif isinstance(node, nodes.Assign):
            frame.variables[node.name] = yield from self._value(node.value, frame)
        elif isinstance(node, nodes.Return):
            raise _ReturnedError((yield from self._value(node.value, frame)))
        else:
            yield from self._value(node, frame)
        return None

    def _begin(self, node: nodes.Numbered, frame: _Frame) -> None:
        if not frame.through:
            self.statement = node.number
            self._at = node.at
        self._spend(node.at, frame)

    def _spend(self, at: int, frame: _Frame) -> None:
        self.count += 1
        if self.count > self.bounds.statements_run:
            self._wrong(f"the plan ran {self.bounds.statements_run} statements without ending", at, frame)

    def _compute(self, at: int, frame: _Frame) -> Generator[Literal[_Pause.GIVE_WAY], None, None]:
        """Count one operation; from time to time, let others have a turn."""
        self.operations += 1
        if self.operations > self.bounds.operations:
            self._wrong(f"the plan computed {self.bounds.operations} values without ending", at, frame)
        if self.operations % TURN == 0:
            yield GIVE_WAY

    def _loop(self, node: nodes.Loop, frame: _Frame) -> Steps:
        for _ in range(node.count):
            self._spend(node.at, frame)
            yield from self._compute(node.at, frame)
            yield from self._block(node.block, frame)
        return None

    def _conditional(self, node: nodes.Conditional, frame: _Frame) -> Steps:
        """The first branch whose test holds; a later one may still be on its way."""
        tried = 0
        while True:
            if tried < len(node.branches):
                branch = node.branches[tried]
                tried += 1
                self._begin(branch, frame)
                if (yield from self._value(branch.test, frame)):
                    yield from self._block(branch.block, frame)
                    return None
            elif node.otherwise is not None:
                yield from self._block(node.otherwise, frame)
                return None
            elif node.open:
                yield from self._wait()
            else:
                return None

    def _value(self, node: Expr, frame: _Frame) -> Steps:
        if isinstance(node, nodes.Literal):
            return node.value
        if isinstance(node, nodes.Variable):
            if node.name not in frame.variables:
                self._wrong(f"{node.name} is read before it is set", node.at, frame)
            return frame.variables[node.name]
        if isinstance(node, nodes.Parameter):
            if node.index > len(frame.args):
                self._wrong(f"${node.index} is not given", node.at, frame)
            return frame.args[node.index - 1]
        steps = self._invoke(node, frame) if isinstance(node, Invocation) else self._operate(node, frame)
        return (yield from steps)

    def _operate(self, node: Operation, frame: _Frame) -> Steps:
        value = yield from self._value(node.items[0], frame)
        if node.level == NOT:
            return not value
        try:
            if node.level == NEGATIVE:
                return negative(value)
            for op, item in zip(node.ops, node.items[1:], strict=True):
                yield from self._compute(node.at, frame)
                if op in "|&" and bool(value) == (op == "|"):
                    return value
                right = yield from self._value(item, frame)
                value = right if op in "|&" else combine(op, value, right)
        except UnfitError as error:
            self._wrong(str(error), node.at, frame)
        return self._bounded(value, node.at, frame)

    def _bounded(self, value: Value, at: int, frame: _Frame) -> Value:
        most = self.bounds.string_bytes
        if isinstance(value, str) and utf8_size(value) > most:
            self._wrong(f"a text grows beyond {most} bytes", at, frame)
        return value

    def _invoke(self, node: Invocation, frame: _Frame) -> Steps:
        args: list[Value] = []
        for arg in node.args:
            args.append((yield from self._value(arg, frame)))
        skill = self.skills.find(node.name)
        if skill is None:
            return self._built_in(node, args, frame)
        problem = skill.problem(args)
        if problem:
            self._wrong(f"{skill.name}: {problem}", node.at, frame)
        run = self._composed if skill.source else self._native
        steps = run(skill, [*skill.filled(args)], frame)
        return (yield from steps)

    def _built_in(self, node: Invocation, args: list[Value], frame: _Frame) -> Value:
        if node.name not in BUILT_IN:
            self._wrong(f"unknown skill {node.name!r}", node.at, frame)
        if len(args) != 1:
            self._wrong(f"{node.name}() takes 1 argument, not {len(args)}", node.at, frame)
        try:
            return BUILT_IN[node.name](args[0])
        except UnfitError as error:
            self._wrong(str(error), node.at, frame)

    def _native(self, skill: Skill, args: list[Value], frame: _Frame) -> Steps:
        given = tuple(args)
        outcome = yield Call(Task(skill.name, given), skill, given, self.statement, frame.through)
        if isinstance(outcome, Done):
            if outcome.replan:
                raise _PlanOverError(Ended("replan", reason=outcome.replan))
            return Reading.of(outcome.value, skill.unit)
        if not isinstance(outcome, Outcome):
            raise UsageError(f"resume the plan with the outcome of {skill.name}, not {outcome!r}")
        reason = outcome.reason if isinstance(outcome, Failed | Refused) else str(outcome)
        raise _PlanOverError(Ended("failed", reason=reason, outcome=outcome))

    def _composed(self, skill: Skill, args: list[Value], frame: _Frame) -> Steps:
        body = self._bodies.get(skill.name)
        if body is None:
            body = self._bodies[skill.name] = parse(skill.source, _SOURCE_BOUNDS)
        inner = _Frame(body, tuple(args), (*frame.through, skill.name))
        value = None
        try:
            yield from self._block(body.body, inner)
        except _ReturnedError as returned:
            value = returned.value
        self._came(skill, args, value)
        return value

    def _wrong(self, message: str, at: int, frame: _Frame) -> NoReturn:
        """Errors point into the plan; of one inside a composed skill, its author sees the statement that called it."""
        if frame.through:
            message, at = f"in {' > '.join(frame.through)}: {message}", self._at
        raise self.plan.source.error(PlanRunError, message, at)
