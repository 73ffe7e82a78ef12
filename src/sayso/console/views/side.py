"""The cards beside the scene: figures and limits, the Director's tree, beliefs, the camera's picture."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sayso.console.views.parts import Line, Lines, Text, block, mark_if, put, show_if, title
from sayso.limits import Limits
from sayso.memory.event_text import Branch, branches, one_line
from sayso.memory.mission_view import MissionView
from sayso.roles import Check, RobotState
from sayso.scene import Scene, Thing

OLD_S = 4.0
NOTHING = (Branch(0, "", "", "nothing runs"),)
UNSEEN = "It has not looked yet."
MOST, WIDE = 24, 90
SIGHT_FADES_S = 1.5
BEHIND_S = 0.4
"""A picture that is older than a look by more shows something else than was seen in it."""


class FiguresCard:
    """Latency, tokens, cost and how much of the limits is used."""

    def __init__(self) -> None:
        self._values: dict[str, Text] = {}
        with block("card", "section", aria_label="figures"):
            title("Figures")
            with block("pairs"):
                for name in ("response", "first text", "tokens", "model calls", "cost", "mission time", "altitude",
                             "speed", "battery"):  # fmt: skip
                    Text(name, "what")
                    self._values[name] = Text("–", "much")
                self._meter = block("meter")
                with self._meter:
                    self._level = block()

    def show(self, rows: Mapping[str, str], charge: float, reserve: float) -> None:
        """The figures, from `figures`."""
        for name, text in rows.items():
            put(self._values[name], text)
        width = f"width: {round(100 * charge)}%"
        if self._level.style.get("width") != f"{round(100 * charge)}%":
            self._level.style(width)
        mark_if(self._meter, "low", charge < reserve + 0.1)


def figures(shown: MissionView, limits: Limits, state: RobotState) -> dict[str, str]:
    """What the card says: measured so far, and the bound beside it where there is one."""
    f = shown.figures
    cost = (f.tokens_in * limits.usd_per_mtoken_in + f.tokens_out * limits.usd_per_mtoken_out) / 1e6
    return {
        "response": _seconds(f.r_time_s),
        "first text": _seconds(f.first_text_s),
        "tokens": f"{f.tokens_in} in, {f.tokens_out} out",
        "model calls": f"{f.calls} of {limits.model_calls_max}",
        "cost": f"${cost:.4f}" if limits.usd_per_mtoken_in or limits.usd_per_mtoken_out else "free here",
        "mission time": f"{shown.at_s:.0f}{_of(limits.mission_max_s)} s",
        "altitude": f"{state.pose.z_m:.1f}{_of(limits.altitude_max_m)} m",
        "speed": f"{state.speed_mps:.1f}{_of(limits.speed_max_mps)} m/s",
        "battery": f"{state.charge:.0%}, reserve {limits.battery_reserve:.0%}",
    }


class MachineCard:
    """A machine that stands somewhere: its link, battery, zone and place, each with what it must be where it is not
    so, and what a stop does on it."""

    def __init__(self) -> None:
        with block("card gone", "section", aria_label="machine") as self._card:
            title("The machine")
            self._lines = Lines(block("list", tabindex="0"), "branch", ("b", ""), ("span", "why"))

    def show(self, checks: Sequence[Check]) -> None:
        """As they are now; gone where there are none."""
        show_if(self._card, bool(checks))
        for (line, (what, found)), check in zip(self._lines.show(len(checks)), checks, strict=True):
            mark_if(line, "waits", bool(check.must))
            put(what, check.what)
            put(found, f" {check.found}{f'; must be {check.must}' if check.must else ''}")


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f} s" if value >= 0.1 else f"{1000 * value:.0f} ms"


def _of(bound: float) -> str:
    return f" of {bound:.4g}" if math.isfinite(bound) else ""


class TreeCard:
    """Who runs, on what, and who waits for whom."""

    def __init__(self) -> None:
        self._drawn: tuple[Branch, ...] = ()
        with block("card", "section", aria_label="who runs"):
            title("Who runs, who waits")
            self._lines = Lines(block("list", tabindex="0"), "branch", ("b", "deep"), ("span", "why"))
        self._draw(NOTHING)

    def show(self, tree: Sequence[Mapping[str, Any]]) -> None:
        """The tree as it is now."""
        rows = tuple(branches(tree)) or NOTHING
        if rows != self._drawn:
            self._draw(rows)

    def _draw(self, rows: tuple[Branch, ...]) -> None:
        self._drawn = rows
        for (line, (what, why)), row in zip(self._lines.show(len(rows)), rows, strict=True):
            if row.state not in line.classes:
                line.classes(replace=f"branch {row.state}")
            put(what, "   " * row.depth + row.label)
            put(why, f" {row.state}{row.more}")


class BeliefsCard:
    """What perception has reported, the freshest first, with its age."""

    def __init__(self) -> None:
        self._drawn: Any = None
        with block("card", "section", aria_label="what it believes"):
            title("What it believes")
            box = block("list believed", tabindex="0")
            self._things = Lines(box, "thing", ("div", "what"), ("div", "where"))
            self._notes = Lines(box, "note", ("span", ""))

    def show(self, shown: MissionView, now_s: float) -> None:
        """Beliefs as of `now_s` on the mission's clock."""
        things = sorted(shown.beliefs.values(), key=lambda b: (-b.seen_s, b.label))[:MOST]
        ages = ((", ".join((t.label, *t.attributes.values())), now_s - t.seen_s) for t in things)
        rows = tuple((like, _age(age_s), age_s > OLD_S) for like, age_s in ages)
        notes = shown.notes[1:]  # the first one is the robot's own state, which the head shows
        if (rows, notes) == self._drawn:
            return
        self._drawn = rows, notes
        for (line, (what, where)), row in zip(self._things.show(len(rows)), rows, strict=True):
            like, age, old = row
            mark_if(line, "old", old)
            put(what, one_line(like, WIDE))
            put(where, age)
        told = (*(() if rows else (UNSEEN,)), *notes[:6])
        for (_, (text,)), note in zip(self._notes.show(len(told)), told, strict=True):
            put(text, note)


def _age(seconds: float) -> str:
    """Coarse on purpose: an age that changes each second would draw the eye for nothing."""
    if seconds < OLD_S:
        return "now"
    if seconds < 60:
        return f"{10 * max(1, round(seconds / 10))} s ago"
    return f"{round(seconds / 60)} min ago"


class CameraCard:
    """The robot's picture with what its perception found in the latest look."""

    def __init__(self) -> None:
        self._drawn: Scene | None = None
        self._number, self._age_s = 0, 0.0
        with block("card", "section", aria_label="camera"):
            title("Camera")
            with block("frame43"):
                self._image = block("gone", "img", alt="what the robot's camera sees")
                self._boxes = Lines(block(), "box", ("div", "label"))
                self._empty = Text("no picture here; rectangles are what it detected", "nopicture")

    def picture(self, number: int, age_s: float) -> None:
        """A fresh picture lies at the server under another number; so long ago the latest was how things looked."""
        self._age_s = age_s
        if number == self._number:
            return
        self._number = number
        if number:
            self._image.props["src"] = f"/camera.jpg?{number}"
        show_if(self._image, bool(number))
        show_if(self._empty, not number)

    def show(self, shown: MissionView, now_s: float) -> None:
        """The rectangles of the latest look; they go when it is no longer what is in view, or not yet."""
        age_s = math.inf if shown.looked_s is None else now_s - shown.looked_s
        keep = self._age_s - BEHIND_S < age_s < SIGHT_FADES_S or not self._number
        scene = shown.scene if keep else None
        if scene is self._drawn:
            return
        self._drawn = scene
        sights = [thing for thing in scene or () if thing.box][:MOST]
        for line, sight in zip(self._boxes.show(len(sights)), sights, strict=True):
            _frame(line, sight)


def _frame(line: Line, sight: Thing) -> None:
    (box, (label,)), at = line, sight.box
    assert at is not None, "only what has a box is shown"
    left, top = (max(0.0, min(1.0, v)) for v in (at.x - at.width / 2, at.y - at.height / 2))
    right, bottom = (max(0.0, min(1.0, v)) for v in (at.x + at.width / 2, at.y + at.height / 2))
    mark_if(box, "low", top < 0.08)
    mark_if(box, "east", left > 0.6)
    box.style(replace=f"left:{left:.1%};top:{top:.1%};width:{right - left:.1%};height:{bottom - top:.1%}")
    far = "" if sight.distance_m is None else f" {sight.distance_m:.1f} m"
    put(label, f"{sight.label}{far}")
