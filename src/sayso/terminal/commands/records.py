"""What was done: the missions on record, their stories, and one run again."""

from __future__ import annotations

from typing import Annotated

import typer

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
