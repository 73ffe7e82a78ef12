"""The tables of missions on record, and the story of one of them."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sayso.memory.event_text import Line, clean, one_line, story
from sayso.memory.journal import Journal

WISH_COLUMNS = 72


def missions(console: Console, journal: Journal) -> None:
    """All missions on record, the latest last."""
    rows = journal.missions()
    if not rows:
        console.print(Text(f'no mission yet in {journal.file}; begin with: sayso run "take off and go to the chair"'))
        return
    told = ((m.id, one_line(m.instruction, WISH_COLUMNS), m.ended or ("(running)" if m.alive else "(killed)"))
            for m in rows)  # fmt: skip
    shown(console, ("mission", "wish", "outcome"), told)


def why(console: Console, journal: Journal, which: str) -> None:
    """The story of one mission as a timeline. Where no person looks, a line stays a line."""
    mission = journal.resolve(which)
    told = story(journal.events(mission), alive=journal.mission(mission).alive)
    console.print(Text(f"mission {mission}", "bold"))
    if console.is_terminal:
        console.print(_timeline(told))
        return
    for line in told:
        console.print(Text(str(line)), soft_wrap=True)


def _timeline(told: Sequence[Line]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", style="dim", no_wrap=True)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for line in told:
        table.add_row(f"{line.at_s:.2f} s", Text(line.mark), Text(line.text))
    return table


def shown(console: Console, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table of plain text, as wide as it has to be."""
    table = Table(*columns, box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for row in rows:
        table.add_row(*(Text(clean(cell)) for cell in row))
    console.print(table)
