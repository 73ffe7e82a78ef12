"""The commands about missions on record: their list, stories, replay and export.

What a kind of robot can write is brought along by the ending of the file, as an entry point of the group
`sayso.exports`: a function of the file, of what is to be exported, and of options that are text, with their defaults;
it yields a line about what it wrote.
"""

import inspect
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated

import typer

from sayso.errors import UsageError
from sayso.plugins.loading import extra
from sayso.terminal.commands import options
from sayso.terminal.commands.options import JournalOption, MissionArgument

GROUP = "sayso.exports"


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
        list[str] | None, typer.Argument(help="A mission, as in `sayso why`; for --to: areas and the like, in order.")
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
    if (mcap is None) == (to is None):
        raise UsageError(
            "say where to: --mcap FILE for a mission's record, or --to FILE for what a kind of robot writes"
        )
    if mcap:
        with extra("mcap", "this file"):
            from sayso.terminal.mcap import export as write
        if what and len(what) > 1:
            raise UsageError(f"an MCAP file holds one mission, not {len(what)}")
        with options.journal(journal) as memory:
            found = memory.resolve(*what or ())
            print(write(found, memory.events(found), mcap))
    elif to:
        written, *warnings = _brought(what or [], to, options_ or [])
        typer.echo(written)
        for warning in warnings:
            typer.secho(warning, fg="yellow")


def _brought(what: Sequence[str], file: Path, with_: Sequence[str]) -> Iterable[str]:
    """What a kind of robot writes into files of that ending. Raises `UsageError`."""
    endings = {f".{entry.name}": entry for entry in entry_points(group=GROUP)}
    if file.suffix.lower() not in endings:
        raise UsageError(f"{file.name} ends in none of {', '.join(endings)}, so there is no telling what to write")
    if not what:
        raise UsageError(f"what is to be written into {file.name}?")
    write: Callable[..., Iterable[str]] = endings[file.suffix.lower()].load()
    known = [
        name for name, p in inspect.signature(write).parameters.items() if p.default is not inspect.Parameter.empty
    ]
    given = dict(option.partition("=")[::2] for option in with_)
    if unknown := set(given) - set(known):
        raise UsageError(
            f"{file.suffix} files take --with {', '.join(f'{name}=…' for name in known)}, not {min(unknown)}"
        )
    return write(file, what, **given)
