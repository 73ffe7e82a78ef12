"""The benchmark: suites, judges, runner and report. Judges read the world, never the plan.

A suite registers by entry point, those of the wheel like anybody's:

    [project.entry-points."sayso.suites"]
    rover = "my_rover.suite:SUITE"
"""

from importlib.metadata import entry_points

from sayso.bench.suite import Suite
from sayso.errors import UsageError
from sayso.plugins.loading import checked


def known() -> tuple[str, ...]:
    """The names of all suites."""
    return tuple(sorted(e.name for e in entry_points(group="sayso.suites")))


def load(name: str) -> Suite:
    """The suite of that name. Raises `UsageError` where there is none."""
    for entry in entry_points(group="sayso.suites", name=name):
        return checked(entry.load(), Suite, f"the entry point {entry.name} = {entry.value} of sayso.suites")
    raise UsageError(f"no suite is called {name!r}; there are {', '.join(known())}, all, compare")
