"""The live view of a mission: the plan as it streams, what is seen, how the robot is, and what was said.

On a terminal it is one picture that redraws in place and fits whatever room there is; anywhere else it is a line for
each thing that happened. The last picture stays, with all that is worth keeping told below it.
"""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text

from sayso.events import ApprovalAsked, Event, MissionEnded, MissionStarted
from sayso.memory.event_text import EventNarrator, Line, branches, clean, one_line
from sayso.memory.mission_view import MissionView, Statement, updated
from sayso.scene import Scene, Thing, plain
from sayso.tables import toml

REDRAW_S = 0.08
LOOKS = toml(__package__, "live.toml")
MARKS, STATES, STYLES = LOOKS["marks"], LOOKS["states"], LOOKS["styles"]
MOST_ROWS = 30
ARRIVING = 200
"""Characters of an arriving answer that are looked at."""

FOOT_ROWS = 4
TREE_INDENT = 20
DRAWN = ("asks", "answers", "plan", "sees", "start", "done")
"""What a picture of the flight shows by itself, as it does the wish that a mission begins with."""

Tree = Callable[[], Sequence[Mapping[str, Any]]]


class LiveView:
    """Consumes events; `with` it around the mission. With a `tree`, the executive's is shown as well."""

    def __init__(self, console: Console, tree: Tree | None = None) -> None:
        self.console = console
        self._tree, self._told_tree = tree, ""
        self._shown = MissionView()
        self._notable: list[Text] = []
        self._tell = EventNarrator()
        self._drawn_s = 0.0
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            self._begin()
        return self

    def __exit__(self, *exc: Any) -> None:
        if self._live:
            self._end(self.render(final=True))
            for line in self._notable:
                self.console.print(line, soft_wrap=True, highlight=False)

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
        self._shown = updated(self._shown, event)
        told = self._tell(event)
        line = told and styled(told, event)
        if line and told and told.mark not in DRAWN and not isinstance(event, MissionStarted | ApprovalAsked):
            self._notable.append(line)
        if self._live is None:
            if line and not isinstance(event, ApprovalAsked):  # whoever asks shows the plan
                self.console.print(line, soft_wrap=True, highlight=False)
            self._print_tree()
        elif time.monotonic() - self._drawn_s > REDRAW_S:
            self._drawn_s = time.monotonic()
            self._live.update(self.render(), refresh=True)

    def _print_tree(self) -> None:
        """Below the line of the event that changed it."""
        text = outline(self._tree) if self._tree else Text("")
        if text.plain != self._told_tree:
            self._told_tree = text.plain
            self.console.print(Padding(text, (0, 0, 0, TREE_INDENT)), highlight=False)

    def render(self, final: bool = False) -> RenderableType:
        """The picture, in as much room as there is. The `final` one leaves the foot to what is printed below it."""
        columns, rows = self.console.size
        foot_rows = FOOT_ROWS if rows >= 16 else 0
        plan_rows = min(rows - 1 - foot_rows, MOST_ROWS) - 3
        title = Text.assemble(("“", "dim"), (one_line(self._shown.wish), "bold"), ("”", "dim"))
        parts: list[RenderableType] = [self._cut(title)]
        if self._tree:
            tree = outline(self._tree)
            plan_rows -= len(tree.plain.splitlines()) + 2
        if plan_rows >= 4:
            parts.append(self._plan(columns, plan_rows))
        if self._tree:
            parts.append(Panel(tree, title="tree", title_align="left", border_style="dim", padding=(0, 1)))
        parts += [self._cut(Text.assemble(("sees  ", "dim"), sight(self._shown.scene))), self._status()]
        if foot_rows and not final:
            parts += [self._cut(line.copy()) for line in self._notable[-foot_rows:]]
        return Group(*parts[: max(1, rows - 1)])

    def _plan(self, columns: int, rows: int) -> Panel:
        """The statements around the one that runs, and the text that is still on its way."""
        arriving = one_line(self._shown.arriving[-ARRIVING:])
        awaited = one_line(self._shown.awaited) or (f"… {arriving[-columns:]}" if arriving else "")
        around = self._around(max(1, rows - 2) - bool(awaited))
        text = Text("\n").join(_statement(row, columns - 4) for row in around)
        if awaited:
            text.append("\n" if around else "")
            text.append_text(Text(awaited[-(columns - 4) :], "italic dim"))
        replans = self._shown.figures.replans
        title = f"plan {replans + 1}" if replans else "plan"
        return Panel(text, title=title, title_align="left", height=rows, border_style="dim", padding=(0, 1))

    def _around(self, room: int) -> Sequence[Statement]:
        rows = [row for row in self._shown.plan if row.number >= 0]
        begun = (n for n, row in enumerate(rows) if row.state != "ready")
        at = max(begun, key=lambda n: (rows[n].state == "running", n), default=0)
        first = max(0, min(at - room // 2, len(rows) - room))
        return rows[first : first + max(0, room)]

    def _status(self) -> Text:
        shown = self._shown
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


def styled(line: Line, event: Event) -> Text:
    """A line in the colour of what it is about."""
    return Text(line.short, ending(event) if isinstance(event, MissionEnded) else STYLES.get(line.mark, ""))


def ending(end: MissionEnded) -> str:
    """The style of how it ended: only what was observed stands out. That something cannot be done is an answer, and so
    is a question: no accident."""
    if end.outcome == "achieved":
        return "green" if end.doubtful else "bold green"
    return "bold yellow" if end.declined or end.asked else "bold red"


def outline(tree: Tree) -> Text:
    """The executive's tree as indented lines: who runs, on what, and who waits for whom."""
    lines = (
        Text.assemble("  " * b.depth, (b.label, "" if b.depth else "bold"), "  ", (b.state, STATES[b.state]), b.more)
        for b in branches(tree())
    )
    return Text("\n").join(lines)


def sight(scene: Scene | None) -> str:
    """What is in view, nearest first, with distance and side."""
    if scene is None:
        return "(it has not looked yet)"
    near = sorted(scene, key=lambda t: math.inf if t.distance_m is None else t.distance_m)
    return ", ".join(f"{clean(plain(t.label))}{_where(t)}" for t in near) or "nothing that it knows"


def _where(thing: Thing) -> str:
    side = ""
    if thing.box is not None and abs(thing.box.x - 0.5) > 0.17:
        side = " left" if thing.box.x < 0.5 else " right"
    return f"{side} {thing.distance_m:.1f} m" if thing.distance_m is not None else side


def _statement(row: Statement, columns: int) -> Text:
    mark, style = MARKS[row.state]
    again = f" ×{row.times}" if row.times > 1 else ""
    text = "else" if row.text == ":" else one_line(row.text)
    line = Text.assemble((f"{mark} {'  ' * row.depth}{text}", style), (again, "dim"))
    if row.note:
        line.append(f"  {one_line(row.note)}", "red" if row.state in ("failed", "dropped") else "dim")
    line.truncate(max(1, columns), overflow="ellipsis")
    return line
