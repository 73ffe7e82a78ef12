"""The goal that a plan works towards, from what its skills bring about, as far as its text tells.

A skill's `means` is a goal in text with the names of its parameters in braces. A value that only becomes known while
the plan runs stands for anything; a branch that ends the plan as failed asks for what its test found missing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sayso.errors import PlanSyntaxError
from sayso.goal import ANYTHING, OTHER_SIDE, All, Amount, Clause, If, Not, Pred, Until
from sayso.goals.clauses import changed, joined, several
from sayso.goals.text import parse, quoted
from sayso.language import nodes
from sayso.scene import Scene
from sayso.skill import Skill, SkillSet, Value

LOOPS_MAX = 20
"""A loop that goes round more often is taken for one round: nobody wants the hundredth one in particular."""

WAYS_MAX = 20
"""Ways out of a plan, one behind the other, that are told apart."""

CLAUSES_MAX = 100
"""Nor so many deeds: loops inside loops, which would come to more, are taken for a round each."""


@dataclass(frozen=True, slots=True)
class Planned:
    """What a plan works towards; None where that is nothing that a predicate tells. It is `sure` where the way that the
    plan takes can be told, and not `sure` where it goes by a value that only becomes known while it runs."""

    want: Clause | None
    sure: bool


@dataclass(slots=True)
class _Reading:
    skills: SkillSet
    scene: Scene
    sure: bool = True
    ways: int = 0


def planned(plan: nodes.Plan, skills: SkillSet, scene: Scene) -> Planned:
    """The goal of a plan; a name that picks one of several, such as `chair[0.6]`, becomes that thing's id."""
    read = _Reading(skills, scene)
    want = joined(list(_block(plan.body.statements, read)))
    return Planned(want, read.sure)


def _block(statements: Sequence[nodes.Statement], read: _Reading) -> Iterator[Clause]:
    """In order. What stands behind a way out of the plan is wanted where that way was not taken."""
    for n, statement in enumerate(statements):
        way = _way_out(statement)
        if way is None or (statement is way and n == len(statements) - 1):
            yield from _statement(statement, read)
            continue
        read.ways += 1
        if read.ways > WAYS_MAX:
            read.sure = False
        elif isinstance(statement, nodes.Loop):
            yield from _until(statement, way, statements[n + 1 :], read)
        else:
            yield from _conditional(way, read, statements[n + 1 :])
        return


def _statement(statement: nodes.Statement, read: _Reading) -> Iterator[Clause]:
    match statement:
        case nodes.Invocation():
            yield from _calls(statement, read)
        case nodes.Assign(value=value):
            yield from _calls(value, read)
        case nodes.Loop(count=count, block=block):
            round_ = list(_block(block.statements, read))
            many = count > LOOPS_MAX or count * len(round_) > CLAUSES_MAX
            yield from round_ * (1 if many else count)
        case nodes.Conditional():
            yield from _conditional(statement, read)
        case nodes.Return(value=value):
            yield from _calls(value, read)


def _conditional(
    statement: nodes.Conditional, read: _Reading, rest: Sequence[nodes.Statement] = ()
) -> Iterator[Clause]:
    """The branches in order, each with the `rest` behind it; one that gives up negates its test."""
    last = (*(statement.otherwise.statements if statement.otherwise else ()), *rest)
    otherwise = joined(list(_block(last, read)))
    lost = bool(rest) and fails(last)
    for branch in reversed(statement.branches):
        inside = branch.block.statements
        test, told = _test(branch.test, read), list(_block(inside if _ends(inside) else (*inside, *rest), read))
        if fails(inside):
            parts = ([Not(test)] if test else []) + ([otherwise] if otherwise else [])
            otherwise = joined([_positive(p) for p in parts])
        elif test is None:
            read.sure = read.sure and (lost or not (told or otherwise))
            otherwise = joined([*told, *([otherwise] if otherwise and not lost else [])])
        elif lost:
            otherwise = joined([test, *told])
        elif yes := joined(told):
            otherwise = If(test, yes, otherwise)
        elif otherwise:
            otherwise = If(_positive(Not(test)), otherwise)
        lost = False
    if otherwise:
        yield otherwise


def _until(
    loop: nodes.Loop, way: nodes.Conditional, rest: Sequence[nodes.Statement], read: _Reading
) -> Iterator[Clause]:
    """A loop that is left when its test holds: what it does until then, and then either the way out or the rest."""
    before = loop.block.statements.index(way)
    test, (branch, *_) = _test(way.branches[0].test, read), way.branches
    body = joined(list(_block([s for s in loop.block.statements if s is not way], read)))
    out, on = joined(list(_block(branch.block.statements, read))), joined(list(_block(rest, read)))
    if test is None:
        read.sure = False
        yield from _block(loop.block.statements[:before], read)
        yield from (c for c in (out, None if fails(rest) else on) if c)
        return
    if body:
        yield Until(test, body, loop.count)
    if fails(rest):
        yield from (c for c in (test, out) if c)
    elif out or on:
        yield If(test, out, on) if out else If(_positive(Not(test)), on or test)


def _way_out(statement: nodes.Statement) -> nodes.Conditional | None:
    """The condition, or the one in a loop, of which some way ends the plan well and just one goes on: what comes then
    would multiply without end."""
    match statement:
        case nodes.Loop(block=block):
            found = [s for s in block.statements if _way_out(s) is s and isinstance(s, nodes.Conditional)]
            return found[0] if len(found) == 1 and len(found[0].branches) == 1 else None
        case nodes.Conditional():
            ways = [b.block.statements for b in statement.branches]
            ways.append(statement.otherwise.statements if statement.otherwise else [])
            return (
                statement
                if any(_ends(w) and not fails(w) for w in ways) and sum(not _ends(w) for w in ways) == 1
                else None
            )
    return None


def _ends(statements: Sequence[nodes.Statement]) -> bool:
    return bool(statements) and isinstance(statements[-1], nodes.Return)


def fails(statements: Sequence[nodes.Statement]) -> bool:
    """Whether they end the plan as failed."""
    last = statements[-1] if statements else None
    return isinstance(last, nodes.Return) and isinstance(last.value, nodes.Literal) and last.value.value is False


def _positive(clause: Clause) -> Clause:
    """Without a double negation."""
    return clause.part.part if isinstance(clause, Not) and isinstance(clause.part, Not) else clause


def _test(test: nodes.Expr, read: _Reading) -> Clause | None:
    """What a condition asks; None where no predicate tells it."""
    match test:
        case nodes.Invocation():
            return joined(list(_calls(test, read)))
        case nodes.Operation(ops=["!"], items=[inside]):
            asked = _test(inside, read)
            return _positive(Not(asked)) if asked else None
        case nodes.Operation(
            ops=["==" | "!=" as op], items=[nodes.Invocation() as call, nodes.Literal(value=bool(value))]
        ):
            asked = _test(call, read)
            return asked if asked is None or value is (op == "==") else _positive(Not(asked))
        case nodes.Operation(ops=ops, items=items) if set(ops) == {"&"}:
            parts = [p for item in items if (p := _test(item, read))]
            return several(All, parts) if parts else None
    return None


def _calls(expression: nodes.Expr, read: _Reading) -> Iterator[Clause]:
    """What every call in an expression brings about, the inner ones first."""
    match expression:
        case nodes.Invocation(name=name, args=args):
            for arg in args:
                yield from _calls(arg, read)
            skill = read.skills.find(name)
            if skill and (
                clause := meant(skill, [a.value if isinstance(a, nodes.Literal) else None for a in args], read.scene)
            ):
                yield clause
        case nodes.Operation(items=items):
            for item in items:
                yield from _calls(item, read)


def meant(skill: Skill, args: Sequence[Value], scene: Scene) -> Clause | None:
    """The goal of one call; an argument of None is not known. None where nothing tells it."""
    if not skill.means:
        return None
    given = {p.name: _written(p.kind, a, scene) for p, a in zip(skill.params, args, strict=False)}
    if len(args) < sum(not p.optional for p in skill.params):
        return None  # a call with too little is refused where it is checked
    if any(p.kind in ("number", "integer") and given.get(p.name) == "" for p in skill.params):
        return None  # how far it goes only turns out on the way
    try:
        return _ahead(parse(skill.means.format(**given)))
    except PlanSyntaxError:
        return None


def _ahead(clause: Clause) -> Clause:
    """A way by less than nothing is one to the other side."""
    match clause:
        case Pred(name, (str(side), Amount(value, unit))) if value < 0 and side in OTHER_SIDE:
            return Pred(name, (OTHER_SIDE[side], Amount(-value, unit)))
    return changed(clause, _ahead)


def _written(kind: str, value: Value, scene: Scene) -> str:
    """An argument as the language of goals writes it."""
    if kind in ("thing", "place"):
        return _named(value, scene)
    if isinstance(value, str):
        return quoted(value)
    return "" if value is None else f"{float(value):.4f}"


def _named(value: Value, scene: Scene) -> str:
    """A thing's label; its id where the plan picks one of several."""
    name = str(value or "").strip()
    if "#" in name:
        return quoted(name.partition("#")[2])
    if name.endswith("]") and (picked := scene.find(name)):
        return quoted(picked.id)
    return quoted(name.partition("[")[0].strip()) if name else ANYTHING


def reachable(skills: SkillSet) -> frozenset[str]:
    """The predicates that these skills can bring about, and those that follow where a robot can go and see."""
    named = frozenset[str]().union(*(s.brings for s in skills.values()))
    measured = {"measured"} if any(s.measures and s.unit for s in skills.values()) else set[str]()
    return frozenset(
        named
        | measured
        | ({"visited", "stayed"} if "at" in named else set())
        | ({"found"} if "sees" in named else set())
    )
