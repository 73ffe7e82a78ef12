"""What was seen, on all missions: ask, correct, delete."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sayso.errors import UsageError
from sayso.terminal.commands import options
from sayso.terminal.commands.options import JournalOption, MapOption, UnitArgument

memory = typer.Typer(help="What was seen, on all missions: ask, correct, delete.", no_args_is_help=True)


@memory.command("list")
def memory_list(
    place: Annotated[str, typer.Option(help="Only what lies at this place.")] = "",
    map_id: MapOption = "",
    stale: Annotated[bool, typer.Option("--stale", help="Only what is gone from its place.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON.")] = False,
    journal: JournalOption = None,
) -> None:
    """All things that are remembered, the latest last."""
    from sayso.terminal import memories

    with options.journal(journal) as file:
        memories.list_all(options.console(), memories.Asked(file, map_id), place, stale, as_json)


@memory.command("where")
def memory_where(
    words: Annotated[list[str], typer.Argument(help="What you look for, such as: the red cup.")],
    place: Annotated[str, typer.Option(help="Only what lies at this place.")] = "",
    map_id: MapOption = "",
    top: Annotated[int, typer.Option(min=1, metavar="N", help="At most so many.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON.")] = False,
    journal: JournalOption = None,
) -> None:
    """Where something was last seen; exit 1 where nothing of the kind was."""
    from sayso.terminal import memories

    with options.journal(journal) as file:
        asked = memories.Asked(file, map_id)
        raise typer.Exit(memories.where(options.console(), asked, " ".join(words), place, top, as_json))


@memory.command("correct")
def memory_correct(
    thing: UnitArgument,
    name: Annotated[str | None, typer.Option(help="What it is called; empty: as the camera calls it.")] = None,
    place: Annotated[str | None, typer.Option(help="Where it is now.")] = None,
    like: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="What it is like; KEY= takes away.")
    ] = None,
    gone: Annotated[bool, typer.Option("--gone", help="It is not there any more.")] = False,
    there: Annotated[bool, typer.Option("--there", help="It is there after all.")] = False,
    journal: JournalOption = None,
) -> None:
    """Put right what is remembered of a thing."""
    from sayso.terminal import memories

    if gone and there:
        raise UsageError("--gone and --there exclude each other")
    with options.journal(journal) as file:
        present = (there or None) if not gone else False
        memories.correct(options.console(), memories.Asked(file), thing, name, place, like or (), present)


@memory.command("forget")
def memory_forget(thing: UnitArgument, journal: JournalOption = None) -> None:
    """Delete a thing and its history. What the journal has of the missions stays."""
    from sayso.terminal import memories

    with options.journal(journal) as file:
        memories.forget(options.console(), memories.Asked(file), thing)


@memory.command("export")
def memory_export(
    file: Annotated[Path | None, typer.Argument(help="A new file; standard output when left out.")] = None,
    map_id: MapOption = "",
    journal: JournalOption = None,
) -> None:
    """Everything that is remembered, with histories, places and maps, as JSON."""
    from sayso.terminal import memories

    with options.journal(journal) as kept:
        memories.export(memories.Asked(kept, map_id), file)
