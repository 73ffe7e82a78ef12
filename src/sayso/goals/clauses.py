"""Walks over a goal: its clauses, the things that they speak of, and the same goal with others in their place."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields

from sayso.goal import All, Any, Argument, Clause, Each, Pred, Then, Which


def several(kind: type[All] | type[Any] | type[Then], parts: Sequence[Clause]) -> Clause:
    """These clauses as one; a single one as it is."""
    return parts[0] if len(parts) == 1 else kind(tuple(parts))


def joined(parts: Sequence[Clause]) -> Clause | None:
    """One clause after the other; None where there is none."""
    return several(Then, parts) if parts else None


def clauses(clause: Clause | None) -> Iterator[Clause]:
    """It and every clause inside it, in the order in which they are written."""
    if clause is not None:
        yield clause
        for part in parts_of(clause):
            yield from clauses(part)


def preds(clause: Clause | None) -> Iterator[Pred]:
    """Every predicate of a goal."""
    return (one for one in clauses(clause) if isinstance(one, Pred))


def arguments(clause: Clause | None) -> Iterator[Argument]:
    """What stands in the predicates of a goal, and what it is done for each of."""
    for one in clauses(clause):
        if isinstance(one, Pred | Each):
            yield from one.args if isinstance(one, Pred) else (one.which,)


def whiches(clause: Clause | None) -> Iterator[Which]:
    """All things, places and people that a goal speaks of; not those that are excepted, nor those that tell which."""
    return (argument for argument in arguments(clause) if isinstance(argument, Which))


def parts_of(clause: Clause) -> tuple[Clause, ...]:
    """The clauses directly inside one."""
    values = (getattr(clause, f.name) for f in fields(clause))
    inside = (part for value in values for part in (value if isinstance(value, tuple) else (value,)))
    return tuple(part for part in inside if isinstance(part, Clause))


def changed(clause: Clause, change: Callable[[Clause], Clause]) -> Clause:
    """The same clause with others directly inside it."""

    def new(value: object) -> object:
        if isinstance(value, Clause):
            return change(value)
        return tuple(map(new, value)) if isinstance(value, tuple) else value

    make: Callable[..., Clause] = type(clause)
    return make(*(new(getattr(clause, f.name)) for f in fields(clause)))


def mapped(clause: Clause, change: Callable[[Which], Which]) -> Clause:
    """The same goal with other things in it."""
    match clause:
        case Pred(name, args):
            return Pred(name, tuple(change(a) if isinstance(a, Which) else a for a in args))
        case Each(which, body):
            return Each(change(which), mapped(body, change))
    return changed(clause, lambda part: mapped(part, change))
