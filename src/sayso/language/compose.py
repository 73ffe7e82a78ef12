"""Composed skills: a MiniSpec program with the signature that follows from what it does.

`$1`, `$2`, … take the name, kind and range of the parameters that they are passed to, directly or through other
composed skills; what a program returns and which resources it uses follow from its body as well.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from graphlib import TopologicalSorter

from sayso.errors import PlanError, UsageError
from sayso.language.check import check
from sayso.language.nodes import NEGATIVE, Block, Expr, Invocation, Literal, Operation, Parameter, Plan, Return, walk
from sayso.language.parser import parse
from sayso.language.values import BUILT_IN, is_number
from sayso.skill import Param, Skill, SkillSet


@dataclass(frozen=True, slots=True)
class Composed:
    """A skill to be made from a MiniSpec `source`. `params` gives names where the inferred ones do not fit."""

    name: str
    source: str
    description: str
    short: str = ""
    params: tuple[str, ...] = ()
    means: str = ""


def compose(skills: SkillSet | Iterable[Skill], composed: Iterable[Composed]) -> SkillSet:
    """`skills` and the composed ones as one set.

    Raises `UsageError` for a body that is no plan for these skills, for parameters that are skipped or used in ways
    that exclude each other, and for skills that call each other in a circle.
    """
    natives = list(skills.given if isinstance(skills, SkillSet) else skills)
    makings = {c.name: c for c in composed}
    bodies = {c.name: _body(c) for c in makings.values()}
    bare = [
        Skill(c.name, description=c.description, short=c.short, source=c.source, means=c.means)
        for c in makings.values()
    ]
    names = SkillSet([*natives, *bare])
    linked = {s.name: replace(s, calls=_calls(bodies[s.name], names)) for s in bare}
    SkillSet([*natives, *linked.values()])  # which refuses circles
    made = dict[str, Skill]()
    for name in TopologicalSorter({s.name: s.calls & makings.keys() for s in linked.values()}).static_order():
        made[name] = _typed(linked[name], makings[name], bodies[name], SkillSet([*natives, *made.values()]))
    guidance = skills.guidance if isinstance(skills, SkillSet) else None
    result = SkillSet([*natives, *(made[name] for name in makings)], guidance)
    for skill in made.values():
        if errors := check(skill.source, result, params=len(skill.params)):
            told = "\n".join(error.pointed() for error in errors)
            raise UsageError(f"composed skill {skill.name}: {told}") from errors[0]
    return result


def _body(composed: Composed) -> Plan:
    if not composed.description.strip():
        raise UsageError(f"composed skill {composed.name} needs a description: the model reads it")
    try:
        plan = parse(composed.source)
    except PlanError as error:
        raise UsageError(f"composed skill {composed.name}: {error.pointed()}") from error
    if not plan.body.statements:
        raise UsageError(f"composed skill {composed.name} has an empty body")
    return plan


def _calls(plan: Plan, names: SkillSet) -> frozenset[str]:
    found = (names.find(call.name) for call in walk(plan.body) if isinstance(call, Invocation))
    return frozenset(skill.name for skill in found if skill)


def _typed(skill: Skill, composed: Composed, body: Plan, names: SkillSet) -> Skill:
    """The skill with parameters, resources and kind of value."""
    called = [names[name] for name in sorted(skill.calls)]
    uses = tuple(dict.fromkeys(resource for s in called for resource in s.uses))
    params = _params(composed, body, names)
    return replace(skill, params=params, uses=uses, returns=_returns(body.body, names))


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
    span = one.range.within(other.range) if one.range and other.range else one.range or other.range
    if (span and span.low > span.high) or (not options and (one.options or other.options)):
        raise UsageError(f"composed skill {skill}: nothing suits every use of ${index} ({one} and {other})")
    return replace(named, kind=kind, unit=one.unit or other.unit, range=span, options=options)


def _both_kinds(one: str, other: str) -> str | None:
    if one == other or "any" in (one, other):
        return one if other == "any" else other
    return _NARROWER.get((one, other)) or _NARROWER.get((other, one))


def _returns(body: Block, names: SkillSet) -> str:
    kinds = {_kind(node.value, names) for node in walk(body) if isinstance(node, Return)}
    return kinds.pop() if len(kinds) == 1 else "any" if kinds else ""


def _kind(node: Expr, names: SkillSet) -> str:
    if isinstance(node, Invocation):
        skill = names.find(node.name)
        return (skill.returns if skill else _BUILT_IN_KINDS.get(node.name, "")) or "any"
    if isinstance(node, Operation) and node.ops[0] in ("!", "==", "!=", "<", "<=", ">", ">="):
        return "flag"
    return _VALUE_KINDS.get(type(node.value), "any") if isinstance(node, Literal) else "any"


_BUILT_IN_KINDS = dict(zip(BUILT_IN, ("integer", "number", "text"), strict=True))
_VALUE_KINDS = {bool: "flag", str: "text", int: "number", float: "number"}
