"""A mission while it flies: the plan as it streams, what is seen, a small map, and what was said.

On a terminal it is one picture that redraws in place; anywhere else it is a line for each thing that happened.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from sayso.events import (
    ChunkArrived,
    Event,
    LimitHeld,
    MissionEnded,
    MissionStarted,
    Moved,
    Observed,
    PictureTaken,
    PlanRefused,
    Replanned,
    Said,
    StatementReady,
    Stopped,
    TaskEnded,
    TaskStarted,
    Warned,
)
from sayso.limits import Limits
from sayso.scene import Pose, scene_from

REDRAW_S = 0.08
ARROWS = "→↗↑↖←↙↓↘"
MARKS = {"ready": ("·", "dim"), "running": ("▶", "yellow"), "done": ("✓", "green"), "failed": ("✗", "red")}


class LiveView:
    """Consumes events; `with` it around the mission."""

    def __init__(self, console: Console, limits: Limits, truth: Mapping[str, Any] | None = None) -> None:
        self.console, self.limits = console, limits
        self.things = dict((truth or {}).get("things", {}))
        self.statements: dict[int, tuple[str, int, str, str]] = {}
        self.lines: list[Text] = []
        self.instruction = ""
        self.scene = ""
        self.text = ""
        self.pose: Pose | None = None
        self.trail: list[Pose] = []
        self.charge = 1.0
        self.at_s = 0.0
        self._running: dict[int, int] = {}
        self._drawn_s = 0.0
        self._live = Live(console=console, auto_refresh=False, transient=False) if console.is_terminal else None

    def __enter__(self) -> LiveView:
        if self._live:
            self._live.__enter__()
        return self

    def __exit__(self, *exc: Any) -> None:
        if self._live:
            self._live.update(self.render(), refresh=True)
            self._live.__exit__(*exc)

    def see(self, event: Event) -> None:
        self.at_s = event.at_s
        self._take(event)
        line = self._line(event)
        if line is not None:
            self.lines.append(line)
            if self._live is None:
                self.console.print(line)
        if self._live and time.monotonic() - self._drawn_s > REDRAW_S:
            self._drawn_s = time.monotonic()
            self._live.update(self.render(), refresh=True)

    def _take(self, event: Event) -> None:
        match event:
            case MissionStarted():
                self.instruction = event.instruction
            case ChunkArrived():
                self.text += event.text
            case Replanned():
                self.text = ""
                self.statements.clear()
            case StatementReady():
                self.statements[event.statement] = (event.text, event.depth, "ready", "")
            case TaskStarted(statement=number):
                self._running[event.task] = number
                self._mark(number, "running", "")
            case TaskEnded():
                state = "done" if event.outcome == "done" else "failed"
                note = event.detail or ("" if event.value is None else f"= {event.value}")
                self._mark(self._running.pop(event.task, 0), state, note)
            case Observed():
                self.scene = scene_from(event.scene).describe()
            case Moved():
                self.pose = Pose(event.x_m, event.y_m, event.z_m, event.yaw_rad)
                self.trail.append(self.pose)
                self.charge = event.charge

    def _mark(self, number: int, state: str, note: str) -> None:
        if number in self.statements:
            text, depth, _, _ = self.statements[number]
            self.statements[number] = (text, depth, state, note)

    def _line(self, event: Event) -> Text | None:
        """What an event is worth in words, or None."""
        at = f"{event.at_s:6.2f}s "
        match event:
            case MissionStarted():
                return Text(f"{at}“{event.instruction}”", "bold")
            case StatementReady() if self._live is None:
                return Text(f"{at}  plan    {'  ' * event.depth}{event.text}", "dim")
            case TaskStarted() if self._live is None:
                return Text(f"{at}  start   {event.skill}({', '.join(map(repr, event.args))})")
            case TaskEnded():
                failed = event.outcome != "done"
                if self._live is not None and not failed:
                    return None
                note = event.detail or ("" if event.value is None else f"= {event.value}")
                return Text(f"{at}  {event.outcome:7s} {event.skill} {note}", "red" if failed else "")
            case Said():
                return Text(f"{at}  says    {event.text}", "cyan")
            case PictureTaken():
                return Text(
                    f"{at}  picture {event.file or '(nothing can render here)'} of {', '.join(event.labels)}", "cyan"
                )
            case PlanRefused():
                return Text(f"{at}  refused {event.pointed or event.error}", "red")
            case LimitHeld():
                return Text(f"{at}  limit   {event.limit}: {event.asked}; allowed: {event.bound}", "magenta")
            case Replanned():
                return Text(f"{at}  replan  {event.reason}", "yellow")
            case Stopped():
                return Text(f"{at}  stopped {event.state}{'' if event.confirmed else ' (NOT CONFIRMED)'}", "bold red")
            case Warned():
                return Text(f"{at}  note    {event.text}", "yellow")
            case MissionEnded():
                good = event.outcome == "achieved"
                return Text(
                    f"{at}{event.outcome.replace('_', ' ')}: {event.reason}", "bold green" if good else "bold red"
                )
        return None

    # The picture

    def render(self) -> RenderableType:
        top = Table.grid(expand=True)
        top.add_column(ratio=3)
        top.add_column(ratio=2)
        top.add_row(self._plan_panel(), self._map_panel())
        return Group(top, self._sight(), *self.lines[-8:])

    def _plan_panel(self) -> Panel:
        rows = Text()
        for text, depth, state, note in list(self.statements.values())[-16:]:
            mark, style = MARKS[state]
            rows.append(f"{mark} {'  ' * depth}{text}", style)
            rows.append(f"  {note}\n" if note else "\n", "dim")
        if self.text:
            rows.append(f"\n{self.text[-240:]}", "dim italic")
        return Panel(rows, title=escape(f"plan for “{self.instruction[:60]}”"), title_align="left", height=20)

    def _map_panel(self) -> Panel:
        where = f"{self.at_s:.1f} s"
        if self.pose:
            p = self.pose
            where += f"  x {p.x_m:.1f} y {p.y_m:.1f} z {p.z_m:.1f} m  battery {self.charge:.0%}"
        return Panel(Text(self.map_text()), title=where, title_align="left", height=20)

    def _sight(self) -> Text:
        return Text(f"sees {self.scene or '(nothing yet)'}", "dim", overflow="ellipsis", no_wrap=True)

    def map_text(self, columns: int = 44, rows: int = 17) -> str:
        """The room from above, x to the right and y up: things by their first letter, the flown trail, the robot."""
        zone = self.limits.zone
        if not all(map(math.isfinite, (zone.x_min_m, zone.x_max_m, zone.y_min_m, zone.y_max_m))):
            return ""
        grid = [[" "] * columns for _ in range(rows)]

        def put(pose: Pose, mark: str) -> None:
            c = round((pose.x_m - zone.x_min_m) / (zone.x_max_m - zone.x_min_m) * (columns - 1))
            r = round((zone.y_max_m - pose.y_m) / (zone.y_max_m - zone.y_min_m) * (rows - 1))
            if 0 <= r < rows and 0 <= c < columns:
                grid[r][c] = mark

        for pose in self.trail:
            put(pose, "·")
        for thing in self.things.values():
            put(thing["pose"], str(thing["label"])[:1])
        if self.pose:
            put(self.pose, ARROWS[round(self.pose.yaw_rad / (math.pi / 4)) % 8])
        return "\n".join("".join(row) for row in grid)
