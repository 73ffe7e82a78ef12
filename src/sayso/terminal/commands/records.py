"""What was done: the missions on record, their stories, and one run again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sayso.errors import UsageError
from sayso.terminal.commands import options
from sayso.terminal.commands.options import JournalOption, MissionArgument


def missions(journal: JournalOption = None) -> None:
    """All missions on record, the latest last."""
    from sayso.terminal import tables

    with options.journal(journal) as memory:
        tables.missions(options.console(), memory)


def why(mission: MissionArgument = "LAST", journal: JournalOption = None) -> None:
    """The story of a mission, from its journal."""
    from sayso.terminal import tables

    with options.journal(journal) as memory:
        tables.why(options.console(), memory, mission)


def replay(
    mission: MissionArgument = "LAST",
    pace: Annotated[float, typer.Option(min=0, metavar="RATE", help="Recorded seconds a second; 0: no waiting.")] = 0.0,
    journal: JournalOption = None,
) -> None:
    """Run a mission again from its journal; exit 0 where it ends the same."""
    from sayso.terminal.replay import replay as run_again

    with options.journal(journal) as memory:
        events = memory.events(memory.resolve(mission))
    if difference := run_again(events, options.console(), pace):
        options.complain(f"the replay went another way: {difference}")
        raise typer.Exit(1)
    print("the replay ended the same")


def export(
    what: Annotated[
        list[str] | None,
        typer.Argument(help="A mission, as in `sayso why`; for --to: areas and the like, in order."),
    ] = None,
    mcap: Annotated[Path | None, typer.Option(metavar="FILE", help="A new file of the mission's record.")] = None,
    to: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A new file of an ending that a kind of robot knows, such as .plan."),
    ] = None,
    options_: Annotated[
        list[str] | None, typer.Option("--with", metavar="KEY=VALUE", help="For --to, such as altitude=90.")
    ] = None,
    journal: JournalOption = None,
) -> None:
    """A mission's record as MCAP, or a plan in a form that a kind of robot knows, for other programs."""
    from sayso.terminal.export import brought, mission

    if (mcap is None) == (to is None):
        raise UsageError(
            "say where to: --mcap FILE for a mission's record, or --to FILE for what a kind of robot writes"
        )
    if mcap:
        with options.journal(journal) as memory:
            print(mission(memory, what or [], mcap))
    elif to:
        written, *warnings = brought(what or [], to, options_ or [])
        typer.echo(written)
        for warning in warnings:
            typer.secho(warning, fg="yellow")
