"""Suites, judges, runner and report. Judges read the world, never the plan."""

from __future__ import annotations

import importlib

from sayso.bench.suite import Suite

SUITES = {
    "drone": "sayso.bench.flight",
    "soccer": "sayso.bench.pitch",
    "hostile": "sayso.bench.hostile",
    "rescue": "sayso.bench.rescue",
    "warehouse": "sayso.bench.warehouse",
    "service": "sayso.bench.service",
}
"""Suite names and the module whose `SUITE` it is; loaded when asked for."""


def load(name: str) -> Suite:
    """The suite of that name."""
    suite: Suite = importlib.import_module(SUITES[name]).SUITE
    return suite
