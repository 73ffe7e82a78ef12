"""Composed skills: a MiniSpec program with the signature that follows from what it does.

`$1`, `$2`, … take the name, kind and range of the parameters that they are passed to, directly or through other
composed skills; what a program returns and which resources it uses follow from its body as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from sayso.errors import PlanError, UsageError
from sayso.language.bounds import PlanBounds
from sayso.language.check import check
from sayso.language.nodes import NEGATIVE, Block, Expr, Invocation, Literal, Operation, Parameter, Plan, Return, walk
from sayso.language.parser import parse
from sayso.language.values import BUILT_IN, is_number
from sayso.skill import Param, Range, Skill, SkillSet


@dataclass(frozen=True, slots=True)
class Composed:
    """A skill to be made from a MiniSpec `source`. `params` gives names where the inferred ones do not fit."""

    name: str
    source: str
    description: str
    short: str = ""
    params: tuple[str, ...] = ()
    means: str = ""


def compose(
    skills: SkillSet | Iterable[Skill], composed: Iterable[Composed], bounds: PlanBounds | None = None
) -> SkillSet:
    """`skills` and the composed ones as one set.

    Raises `UsageError` for a body that is no plan for these skills, for parameters that are skipped or used in ways
    that exclude each other, and for skills that call each other in a circle.
    """
    limits = bounds or PlanBounds()
    natives = list(skills.given if isinstance(skills, SkillSet) else skills)
    makings = {c.name: c for c in composed}
    bodies = {c.name: _body(c, limits) for c in makings.values()}
    bare = [
        Skill(c.name, description=c.description, short=c.short, source=c.source, means=c.means)
        for c in makings.values()
    ]
    names = SkillSet([*natives, *bare])
    linked = [replace(s, calls=_calls(bodies[s.name], names)) for s in bare]
    for skill in _callees_first(SkillSet([*natives, *linked]), makings):
        typed = _typed(skill, makings[skill.name], bodies[skill.name], names)
        names = _with(names, typed)
    made = [replace(names[name], short=makings[name].short) for name in makings]
    result = SkillSet([*natives, *made], skills.guidance if isinstance(skills, SkillSet) else None)
    for skill in made:
        _admit(skill, result, limits)
    return result


def _body(composed: Composed, bounds: PlanBounds) -> Plan:
    if not composed.description.strip():
        raise UsageError(f"composed skill {composed.name} needs a description: the model reads it")
    try:
        plan = parse(composed.source, bounds)
    except PlanError as error:
        raise UsageError(f"composed skill {composed.name}: {error.pointed()}") from error
    if not plan.body.statements:
        raise UsageError(f"composed skill {composed.name} has an empty body")
    return plan


def _admit(skill: Skill, skills: SkillSet, bounds: PlanBounds) -> None:
    errors = check(skill.source, skills, bounds, len(skill.params))
    if errors:
        raise UsageError(f"composed skill {skill.name}: " + "\n".join(error.pointed() for error in errors)) from errors[
            0
        ]


def _calls(plan: Plan, names: SkillSet) -> frozenset[str]:
    found = (names.find(call.name) for call in walk(plan.body) if isinstance(call, Invocation))
    return frozenset(skill.name for skill in found if skill)


def _callees_first(skills: SkillSet, makings: dict[str, Composed]) -> list[Skill]:
    """The composed skills, each behind those that it calls. There is no circle: the set would have refused it."""
    order: dict[str, Skill] = {}

    def visit(name: str) -> None:
        if name in makings and name not in order:
            for called in sorted(skills[name].calls):
                visit(called)
            order[name] = skills[name]

    for name in sorted(makings):
        visit(name)
    return list(order.values())


def _with(skills: SkillSet, skill: Skill) -> SkillSet:
    return SkillSet((skill if s.name == skill.name else s for s in skills.skills), skills.guidance)


def _typed(skill: Skill, composed: Composed, body: Plan, names: SkillSet) -> Skill:
    """The skill with parameters, resources and kind of value."""
    called = [names[name] for name in sorted(skill.calls)]
    uses = tuple(dict.fromkeys(resource for s in called for resource in s.uses))
    params = _params(composed, body, names)
    return replace(skill, params=params, uses=uses, returns=_returns(body.body, names))


# Parameters


def _params(composed: Composed, body: Plan, names: SkillSet) -> tuple[Param, ...]:
    wants: dict[int, Param] = {}
    for index, want in _uses(body, names):
        wants[index] = _both(wants[index], want, composed.name, index) if index in wants else want
    size = max(wants, default=0)
    if missing := [f"${i}" for i in range(1, size + 1) if i not in wants]:
        raise UsageError(f"composed skill {composed.name} uses ${size} but not {', '.join(missing)}")
    if composed.params and len(composed.params) != size:
        raise UsageError(f"composed skill {composed.name} names {len(composed.params)} parameters but uses {size}")
    found = [wants[i] for i in range(1, size + 1)]
    given = composed.params or _distinct([p.name for p in found])
    return tuple(replace(p, name=name) for p, name in zip(found, given, strict=True))


def _distinct(names: list[str]) -> tuple[str, ...]:
    """Two parameters that went by one name are numbered."""
    return tuple(name if names.count(name) == 1 else f"{name}{i}" for i, name in enumerate(names, 1))


def _uses(body: Plan, names: SkillSet) -> Iterator[tuple[int, Param]]:
    """Every place where a `$n` stands, as what that place wants of it."""
    for node in walk(body.body):
        if isinstance(node, Parameter):
            yield node.index, Param(f"value{node.index}")
        elif isinstance(node, Invocation):
            skill = names.find(node.name)
            for arg, param in zip(node.args, skill.params if skill else (), strict=False):
                if isinstance(arg, Parameter):
                    yield arg.index, param
        elif isinstance(node, Operation) and _numeric(node):
            for item in node.items:
                if isinstance(item, Parameter):
                    yield item.index, Param(f"value{item.index}", "number")


def _numeric(node: Operation) -> bool:
    """Whether the operands can only be numbers."""
    if node.level == NEGATIVE or any(op in "-*/" for op in node.ops):
        return True
    compared = any(isinstance(i, Literal) and is_number(i.value) for i in node.items)
    return compared and node.ops[0] in ("<", "<=", ">", ">=")


_NARROWER = {("number", "integer"): "integer", ("text", "thing"): "thing", ("text", "place"): "place"}


def _both(one: Param, other: Param, skill: str, index: int) -> Param:
    """A parameter that suits both uses."""
    named = one if not one.name.startswith("value") else other
    kind = _both_kinds(one.kind, other.kind)
    if kind is None:
        raise UsageError(f"composed skill {skill} uses ${index} both as {one.kind} and as {other.kind}")
    options = tuple(o for o in one.options or other.options if o in (other.options or one.options))
    span = _both_ranges(one.range, other.range)
    if (span and span.low > span.high) or (not options and (one.options or other.options)):
        raise UsageError(f"composed skill {skill}: nothing suits every use of ${index} ({one} and {other})")
    return replace(named, kind=kind, unit=one.unit or other.unit, range=span, options=options)


def _both_kinds(one: str, other: str) -> str | None:
    if one == other or other == "any":
        return one
    if one == "any":
        return other
    return _NARROWER.get((one, other)) or _NARROWER.get((other, one))


def _both_ranges(one: Range | None, other: Range | None) -> Range | None:
    if one is None or other is None:
        return one or other
    return Range(max(one.low, other.low), min(one.high, other.high))


# Values


def _returns(body: Block, names: SkillSet) -> str:
    kinds = {_kind(node.value, names) for node in walk(body) if isinstance(node, Return)}
    return kinds.pop() if len(kinds) == 1 else "any" if kinds else ""


def _kind(node: Expr, names: SkillSet) -> str:
    if isinstance(node, Literal):
        return _literal_kind(node)
    if isinstance(node, Invocation):
        skill = names.find(node.name)
        return (skill.returns if skill else _BUILT_IN_KINDS.get(node.name, "")) or "any"
    if isinstance(node, Operation) and node.ops[0] in ("!", "==", "!=", "<", "<=", ">", ">="):
        return "flag"
    return "any"


_BUILT_IN_KINDS = dict(zip(BUILT_IN, ("integer", "number", "text"), strict=True))


def _literal_kind(node: Literal) -> str:
    if isinstance(node.value, bool):
        return "flag"
    if isinstance(node.value, str):
        return "text"
    return "number" if is_number(node.value) else "any"
