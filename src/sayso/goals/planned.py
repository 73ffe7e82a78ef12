"""The goal that a plan works towards, as far as its text tells: each skill says what it brings about.

A skill's `means` is a goal in text with the names of its parameters in braces. A value that only becomes known while
the plan runs stands for anything; a branch that ends the plan as failed asks for what its test found missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sayso.errors import PlanSyntaxError
from sayso.goal import ANYTHING, All, Any, Clause, Each, If, Never, Not, Only, Pred, Then, Until, Within
from sayso.goals.text import parse
from sayso.language.nodes import (
    Assign,
    Block,
    Conditional,
    Expr,
    Invocation,
    Literal,
    Loop,
    Operation,
    Plan,
    Return,
    Statement,
)
from sayso.scene import Scene
from sayso.skill import Skill, SkillSet, Value

LOOPS_MAX = 20
"""A loop that goes round more often is taken for one round: nobody wants the hundredth one in particular."""

CLAUSES_MAX = 100
"""Nor so many deeds: loops inside loops, which would come to more, are taken for a round each."""


@dataclass(frozen=True, slots=True)
class _Reading:
    skills: SkillSet
    scene: Scene


def want_of(plan: Plan, skills: SkillSet, scene: Scene | None = None) -> Clause | None:
    """What the plan works towards; None where it works towards nothing that a predicate tells.

    A name that picks one of several in the scene, such as `chair[0.6]`, becomes that thing's id.
    """
    return joined(list(_block(plan.body, _Reading(skills, scene or Scene()))))


def joined(parts: Sequence[Clause]) -> Clause | None:
    """One clause after the other; None where there is none."""
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else Then(tuple(parts))


def _block(block: Block, read: _Reading) -> Iterator[Clause]:
    for statement in block.statements:
        yield from _statement(statement, read)


def _statement(statement: Statement, read: _Reading) -> Iterator[Clause]:
    match statement:
        case Invocation():
            yield from _calls(statement, read)
        case Assign(value=value):
            yield from _calls(value, read)
        case Loop(count=count, block=block):
            round_ = list(_block(block, read))
            many = count > LOOPS_MAX or count * len(round_) > CLAUSES_MAX
            yield from round_ * (1 if many else count)
        case Conditional():
            yield from _conditional(statement, read)
        case Return(value=value):
            yield from _calls(value, read)


def _conditional(statement: Conditional, read: _Reading) -> Iterator[Clause]:
    """Branches in order; one that gives up turns its test into something that has to be otherwise."""
    otherwise = joined(list(_block(statement.otherwise, read))) if statement.otherwise else None
    for branch in reversed(statement.branches):
        test, told = _test(branch.test, read), list(_block(branch.block, read))
        if gives_up(branch.block):
            parts = ([Not(test)] if test else []) + ([otherwise] if otherwise else [])
            otherwise = joined([_positive(p) for p in parts])
        elif test is None:
            otherwise = joined([*told, *([otherwise] if otherwise else [])])
        elif yes := joined(told):
            otherwise = If(test, yes, otherwise)
        elif otherwise:
            otherwise = If(_positive(Not(test)), otherwise)
    if otherwise:
        yield otherwise


def decides(plan: Plan) -> bool:
    """Whether the plan does one thing or another, beyond giving up where it cannot go on."""
    return any(isinstance(s, Conditional) and not all(gives_up(b.block) for b in s.branches) for s in _all(plan.body))


def _all(block: Block) -> Iterator[Statement]:
    for statement in block.statements:
        yield statement
        match statement:
            case Loop(block=inside):
                yield from _all(inside)
            case Conditional():
                for branch in statement.branches:
                    yield from _all(branch.block)
                if statement.otherwise:
                    yield from _all(statement.otherwise)


def gives_up(block: Block) -> bool:
    """Whether a block ends the plan as failed."""
    last = block.statements[-1] if block.statements else None
    return isinstance(last, Return) and isinstance(last.value, Literal) and last.value.value is False


def _positive(clause: Clause) -> Clause:
    """Without a double negation."""
    return clause.part.part if isinstance(clause, Not) and isinstance(clause.part, Not) else clause


def _test(test: Expr, read: _Reading) -> Clause | None:
    """What a condition asks; None where no predicate tells it."""
    match test:
        case Invocation():
            return joined(list(_calls(test, read)))
        case Operation(ops=["!"], items=[inside]):
            asked = _test(inside, read)
            return _positive(Not(asked)) if asked else None
        case Operation(ops=["==" | "!=" as op], items=[Invocation() as call, Literal(value=bool(value))]):
            asked = _test(call, read)
            return asked if asked is None or value is (op == "==") else _positive(Not(asked))
        case Operation(ops=ops, items=items) if set(ops) == {"&"}:
            parts = [p for item in items if (p := _test(item, read))]
            return All(tuple(parts)) if len(parts) > 1 else parts[0] if parts else None
    return None


def _calls(expression: Expr, read: _Reading) -> Iterator[Clause]:
    """What every call in an expression brings about, the inner ones first."""
    match expression:
        case Invocation(name=name, args=args):
            for arg in args:
                yield from _calls(arg, read)
            skill = read.skills.find(name)
            if skill and (
                clause := meant(skill, [a.value if isinstance(a, Literal) else None for a in args], read.scene)
            ):
                yield clause
        case Operation(items=items):
            for item in items:
                yield from _calls(item, read)


def meant(skill: Skill, args: Sequence[Value], scene: Scene) -> Clause | None:
    """What a call brings about; an argument of None is not known. None where nothing tells it."""
    if not skill.means:
        return None
    given = {p.name: _written(p.kind, a, scene) for p, a in zip(skill.params, args, strict=False)}
    if any(p.kind in ("number", "integer") and given.get(p.name) == "" for p in skill.params):
        return None  # how far it goes only turns out on the way
    try:
        return parse(skill.means.format(**given))
    except PlanSyntaxError:
        return None


def _written(kind: str, value: Value, scene: Scene) -> str:
    """An argument as the language of goals writes it."""
    if kind in ("thing", "place"):
        return _named(value, scene)
    if isinstance(value, str):
        return _quoted(value)
    return "" if value is None else f"{float(value):.4f}"


def _named(value: Value, scene: Scene) -> str:
    """A thing's label; its id where the plan picks one of several."""
    name = str(value or "").strip()
    if name.endswith("]") and (picked := scene.find(name)):
        return _quoted(picked.id)
    return _quoted(name.partition("[")[0].strip()) if name else ANYTHING


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def reachable(skills: SkillSet) -> frozenset[str]:
    """The predicates that these skills can bring about, and those that follow where a robot can go and see."""
    named = {s.means.partition("(")[0] for s in skills.values() if s.means}
    return frozenset(named | ({"visited", "stayed"} if "at" in named else set()))


def preds(clause: Clause | None) -> Iterator[Pred]:
    """Every predicate of a goal, in the order in which it is written."""
    match clause:
        case None:
            return
        case Pred():
            yield clause
        case _:
            for part in parts_of(clause):
                yield from preds(part)


def parts_of(clause: Clause) -> tuple[Clause, ...]:
    """The clauses directly inside one."""
    match clause:
        case Pred():
            return ()
        case Not(part) | Never(part) | Only(part):
            return (part,)
        case All(parts) | Any(parts) | Then(parts):
            return parts
        case If(test, yes, no):
            return (test, yes, no) if no is not None else (test, yes)
        case Until(test, body, _):
            return (test, body)
        case Each(_, body) | Within(_, body):
            return (body,)
