"""Tasks chosen by a model, made safe to emit (D56 to D58).

A required pack is all or nothing: one invented type or one type named twice, and the robot stands still. So what a
model says is sorted before it is emitted: unknown and doubled tasks are refused with a sentence that the model can
read, the rest is emitted as optional, so that each runs where it can.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from sayso.executive.director.run import Run
from sayso.task import Task


@dataclass(frozen=True, slots=True)
class Choice:
    """What is left of a model's wishes, and what was refused and why."""

    tasks: tuple[Task, ...]
    refused: tuple[str, ...]


def sort_out(wishes: Iterable[Task], known: Collection[str]) -> Choice:
    """Keep known types once each, the highest priority (then the first) winning; all become optional."""
    chosen: dict[str, Task] = {}
    refused = []
    for wish in wishes:
        if wish.type not in known:
            refused.append(f"there is no task {wish.type!r}; there are {', '.join(sorted(known))}")
            continue
        earlier = chosen.get(wish.type)
        if earlier is not None:
            refused.append(f"{wish.type} was asked for twice; priority {max(earlier.priority, wish.priority)} counts")
        if earlier is None or wish.priority > earlier.priority:
            chosen[wish.type] = replace(wish, optional=True)
    return Choice(tuple(chosen.values()), tuple(refused))


def emit_choice(run: Run, wishes: Iterable[Task] | None, known: Collection[str]) -> Choice:
    """Emit what a model chose; None (it gave no usable answer) keeps the last plan instead of dropping it."""
    if wishes is None:
        run.keep()
        return Choice((), ())
    choice = sort_out(wishes, known)
    for task in choice.tasks:
        run.emit(task)
    return choice
