"""A mission while it flies: the plan as it streams, what is seen, a small map, and what was said.

On a terminal it is one picture that redraws in place and fits whatever room there is; anywhere else it is a line for
each thing that happened. The last picture stays, with all that is worth keeping told below it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from sayso.events import Event
from sayso.limits import Limits
from sayso.memory.shown import Statement
from sayso.scene import Pose
from sayso.terminal import roommap
from sayso.terminal.progress import Progress, known_things
from sayso.terminal.told import ending, one_line, telling
from sayso.terminal.tree import Branch, outline
from sayso.truth import Truth

REDRAW_S = 0.08
MARKS = {"ready": ("·", "dim"), "running": ("▶", "bold yellow"), "done": ("✓", "green"), "failed": ("✗", "red"),
         "dropped": ("✗", "red")}  # fmt: skip
MOST_ROWS = 30
ARRIVING = 200
"""Characters of an arriving answer that are looked at."""

MAP_FROM_COLUMNS = 64
FOOT_ROWS = 4
LEGEND_ROWS = 3
TREE_INDENT = 20


class LiveView:
    """Consumes events; `with` it around the mission. With a `tree`, the executive's is shown as well."""

    def __init__(
        self,
        console: Console,
        limits: Limits,
        truth: Truth | None = None,
        tree: Callable[[], Sequence[Branch]] | None = None,
    ) -> None:
        self.console, self.limits = console, limits
        self._tree = tree
        self._shown_tree = ""
        self.progress = Progress(known=known_things(truth))
        self._tell = telling()
        self._drawn_s = 0.0
        self._live: Live | None = None

    def __enter__(self) -> LiveView:
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            self._begin()
        return self

    def __exit__(self, *exc: Any) -> None:
        if self._live:
            self._end(self.render(final=True))
            for said in self.progress.notable:
                self.console.print(said.line(), soft_wrap=True, highlight=False)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Leave the terminal to a question."""
        if self._live is None:
            yield
            return
        self._end(Text(""))
        yield
        self._begin()

    def _begin(self) -> None:
        # whatever is printed while the picture stands would be drawn over; nothing but this view prints then
        self._live = Live(console=self.console, auto_refresh=False, vertical_overflow="crop", redirect_stdout=False)
        self._live.start()

    def _end(self, last: RenderableType) -> None:
        assert self._live is not None
        self._live.update(last, refresh=True)
        self._live.stop()
        self._live = None

    def see(self, event: Event) -> None:
        """Show an event."""
        self.progress.see(event)
        if self._live is None:
            if said := self._tell(event):
                self.console.print(said.line(), soft_wrap=True, highlight=False)
            self._print_tree()
        elif time.monotonic() - self._drawn_s > REDRAW_S:
            self._drawn_s = time.monotonic()
            self._live.update(self.render(), refresh=True)

    def _print_tree(self) -> None:
        """Below the line of the event that changed it."""
        text = outline(self._tree()) if self._tree else Text("")
        if text.plain != self._shown_tree:
            self._shown_tree = text.plain
            self.console.print(Padding(text, (0, 0, 0, TREE_INDENT)), highlight=False)

    # The picture

    def render(self, final: bool = False) -> RenderableType:
        """The picture, in as much room as there is. The `final` one leaves the foot to what is printed below it."""
        columns, rows = self.console.size
        foot_rows = FOOT_ROWS if rows >= 16 else 0
        body_rows = min(rows - 1 - foot_rows, MOST_ROWS) - 3
        parts: list[RenderableType] = [self._title()]
        if self._tree:
            tree = outline(self._tree())
            body_rows -= len(tree.plain.splitlines()) + 2
        if body_rows >= 4:
            parts.append(self._body(columns, body_rows))
        if self._tree:
            parts.append(Panel(tree, title="tree", title_align="left", border_style="dim", padding=(0, 1)))
        parts += [self._sight(), self._status()]
        if foot_rows and not final:
            parts += [self._cut(said.line()) for said in self.progress.notable[-foot_rows:]]
        return Group(*parts[: max(1, rows - 1)])

    def _body(self, columns: int, rows: int) -> RenderableType:
        across, down = roommap.size(self.limits.zone, min(columns * 2 // 5, 60) - 4, rows - 2 - LEGEND_ROWS)
        if columns < MAP_FROM_COLUMNS or not across:
            return self._plan(columns, rows)
        grid = Table.grid(expand=True)
        grid.add_column(ratio=1)
        grid.add_column(width=across + 4)
        rows = down + LEGEND_ROWS + 2
        grid.add_row(self._plan(columns - across - 4, rows), self._map(across, down, rows))
        return grid

    def _title(self) -> Text:
        return self._cut(Text.assemble(("“", "dim"), (self.progress.instruction, "bold"), ("”", "dim")))

    def _plan(self, columns: int, rows: int) -> Panel:
        """The statements around the one that runs, and the text that is still on its way."""
        progress = self.progress
        room = max(1, rows - 2)
        arriving = one_line(progress.shown.arriving[-ARRIVING:])
        awaited = one_line(progress.shown.awaited) or (f"… {arriving[-columns:]}" if arriving else "")
        shown = self._around(room - bool(awaited))
        text = Text("\n").join(self._statement(row, columns - 4) for row in shown)
        if awaited:
            text.append("\n" if shown else "")
            text.append_text(Text(awaited[-(columns - 4) :], "italic dim"))
        replans = progress.shown.figures.replans
        title = f"plan {replans + 1}" if replans else "plan"
        return Panel(text, title=title, title_align="left", height=rows, border_style="dim", padding=(0, 1))

    def _around(self, room: int) -> Sequence[Statement]:
        rows = self.progress.rows
        begun = (n for n, row in enumerate(rows) if row.state != "ready")
        at = max(begun, key=lambda n: (rows[n].state == "running", n), default=0)
        first = max(0, min(at - room // 2, len(rows) - room))
        return rows[first : first + max(0, room)]

    @staticmethod
    def _statement(row: Statement, columns: int) -> Text:
        mark, style = MARKS[row.state]
        again = f" ×{row.times}" if row.times > 1 else ""
        text = "else" if row.text == ":" else one_line(row.text)
        line = Text.assemble((f"{mark} {'  ' * row.depth}{text}", style), (again, "dim"))
        if row.note:
            line.append(f"  {one_line(row.note)}", "red" if row.state in ("failed", "dropped") else "dim")
        line.truncate(max(1, columns), overflow="ellipsis")
        return line

    def _map(self, across: int, down: int, rows: int) -> Panel:
        progress = self.progress
        places = progress.places()
        robot = progress.shown.pose or Pose()
        picture = roommap.draw(self.limits.zone, across, down, places, progress.trail, robot)
        legend = roommap.legend(places, across, LEGEND_ROWS)
        zone = self.limits.zone
        size = f"{zone.x_max_m - zone.x_min_m:g} × {zone.y_max_m - zone.y_min_m:g} m"
        return Panel(
            Text("\n").join([picture, legend]), title="map", subtitle=size, title_align="left", subtitle_align="right",
            height=rows, border_style="dim", padding=(0, 1),
        )  # fmt: skip

    def _sight(self) -> Text:
        return self._cut(Text.assemble(("sees  ", "dim"), self.progress.sight()))

    def _status(self) -> Text:
        shown = self.progress.shown
        parts = [f"{shown.at_s:.1f} s", f"battery {shown.charge:.0%}"]
        if p := shown.pose:
            parts.append(f"x {p.x_m:+.1f}  y {p.y_m:+.1f}  z {p.z_m:.1f} m")
        if shown.ended:
            state, style = shown.ended.outcome.replace("_", " "), ending(shown.ended)
        else:
            state, style = "Ctrl-C stops", "dim"
        return self._cut(Text.assemble("   ".join(parts), "   ", (state, style)))

    def _cut(self, line: Text) -> Text:
        line.truncate(max(1, self.console.size.width - 1), overflow="ellipsis")
        line.no_wrap = True
        return line
