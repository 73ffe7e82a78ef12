"""`sayso release`: a person lifts the stop of a real machine that outlived its program (S6)."""

from __future__ import annotations

from sayso.errors import UsageError
from sayso.executive.latch import Latch, latched
from sayso.memory.journal import stops_folder


def release(machine: str) -> str:
    """Lift the stop of `machine`, or of the only one that is stopped; what was done. Raises `UsageError`."""
    stopped = latched(stops_folder())
    if machine and machine not in stopped:
        raise UsageError(f"{machine} is not stopped; stopped: {', '.join(stopped) or 'none'}")
    if not machine and len(stopped) > 1:
        raise UsageError(f"several machines are stopped, name one of them: {', '.join(stopped)}")
    if not stopped:
        return "no machine is stopped"
    name = machine or next(iter(stopped))
    latch = Latch(stops_folder(), name, lambda problem: None)  # what is wrong shows in that the record is still there
    latch.lift()
    latch.flush(5.0)
    if latch.read():
        raise UsageError(f"the record of the stop, {latch.file}, cannot be removed")
    return f"{name} is released; it was stopped by {stopped[name]}"
