"""What there is: worlds, planners, models, and what is installed."""

from __future__ import annotations

import typer

from sayso.terminal.commands import options


def worlds() -> None:
    """The embedded worlds and their scenes."""
    from sayso.terminal import tables

    tables.worlds(options.console())


def planners() -> None:
    """What can turn a wish into a plan."""
    from sayso.terminal import tables

    tables.planners(options.console())


def models() -> None:
    """What can be connected with --model."""
    from sayso.terminal import tables

    tables.models(options.console())


def doctor() -> None:
    """What is installed here, and which endpoint answers."""
    from sayso.terminal.doctor import examine

    raise typer.Exit(examine(options.console()))
