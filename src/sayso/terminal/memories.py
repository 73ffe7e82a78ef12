"""What memory holds, for a person: asking, correcting, deleting, and taking it all along as JSON."""

from __future__ import annotations

import dataclasses
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from sayso.errors import UsageError
from sayso.memory.journal import Journal
from sayso.memory.recall import meant
from sayso.memory.remember import Memories
from sayso.memory.shelf import Shelf
from sayso.memory.telling import ago, told
from sayso.memory.units import Turn, Unit
from sayso.memory.wording import clean
from sayso.models.pocket import Embedding
from sayso.scene import Pose
from sayso.terminal.tables import shown


class Asked:
    """All maps of one journal, and the moment at which a person asks."""

    def __init__(self, journal: Journal, map_id: str = "", now_s: float = 0.0) -> None:
        self.journal = journal
        self.shelf = Shelf(journal)
        known = self.shelf.map_ids()
        if map_id and map_id not in known:
            raise UsageError(
                f"memory holds no map {map_id!r}; there are {', '.join(filter(None, known)) or 'none yet'}"
            )
        self.maps = [map_id] if map_id else known
        self.now_s = now_s or time.time()

    def memories(self, map_id: str) -> Memories:
        """One map's memory, at this moment."""
        memories = Memories(self.journal, map_id, embed=Embedding())
        memories.now_s = self.now_s
        return memories

    def of(self, unit: int) -> Memories:
        """The memory that holds a thing. Raises `UsageError` where none does."""
        for held in self.shelf.units():
            if held.id == unit:
                return self.memories(held.map)
        raise UsageError(f"memory holds no thing {unit}; see `sayso memory list`")


def list_all(console: Console, asked: Asked, place: str, stale: bool, as_json: bool) -> None:
    """Every thing that is remembered, the latest last; `stale` leaves only those that are gone from their place."""
    units = [u for m in asked.maps for u in asked.shelf.units(m)]
    units = [u for u in units if (not place or u.place == place) and (u.stale or not stale)]
    units.sort(key=lambda u: (u.map, u.seen_s))
    if as_json:
        _print_json([_unit_json(u) for u in units])
        return
    if not units:
        console.print(Text(f"nothing is remembered in {asked.journal.file}" + (" there" if place else "")))
        return
    rows = (
        (str(u.id), u.called, ", ".join(u.attributes.values()), u.map, _where(u), ago(u.seen_s, asked.now_s), _state(u))
        for u in units
    )
    shown(console, ("id", "thing", "like", "map", "where", "last seen", ""), rows)


def where(console: Console, asked: Asked, wish: str, place: str, top: int, as_json: bool) -> int:
    """The things that fit, the best first; 1 where there is none."""
    found = [(f, m) for m in map(asked.memories, asked.maps) for f in meant(m.ask(wish, place=place, top=top))]
    if any(f.why != "meaning" for f, _ in found):  # of one map only what is called so, where another has the like
        found = [pair for pair in found if pair[0].why != "meaning"]
    found.sort(key=lambda pair: (pair[0].unit.stale, -pair[0].score, -pair[0].unit.seen_s))
    if as_json:
        _print_json([{**_unit_json(f.unit), "why": f.why, "score": round(f.score, 3)} for f, _ in found[:top]])
    else:
        if found and found[0][0].why == "meaning":
            console.print(Text(f"nothing is called {clean(wish)!r}; closest in meaning:"))
        for f, memories in found[:top]:
            line = clean(f"{f.unit.id:4}  {memories.tell(f.unit)}")
            console.print(Text(line, "dim" if f.unit.stale else ""), soft_wrap=True)
        if not found:
            console.print(Text(f"nothing of that kind has been seen: {clean(wish)}"))
    return 0 if found else 1


def correct(
    console: Console,
    asked: Asked,
    unit: int,
    name: str | None,
    place: str | None,
    likes: Sequence[str],
    present: bool | None,
) -> None:
    """Put something right. Raises `UsageError` for nothing to correct, and for what is not KEY=VALUE."""
    pairs = [text.partition("=") for text in likes]
    if wrong := [key for key, mark, _ in pairs if not (mark and key.strip())]:
        raise UsageError(f"an attribute is written KEY=VALUE, such as color=red; not {wrong[0]!r}")
    attributes = {key.strip(): value.strip() for key, _, value in pairs}
    if name is None and place is None and not attributes and present is None:
        raise UsageError("say what is right: --name, --place, --like KEY=VALUE, --gone or --there")
    memories = asked.of(unit)
    better = memories.correct(unit, asked.now_s, name=name, place=place, attributes=attributes, present=present)
    console.print(Text(clean(f"{better.id:4}  {memories.tell(better)}")), soft_wrap=True)


def forget(console: Console, asked: Asked, unit: int) -> None:
    """Delete a thing with its history."""
    memories = asked.of(unit)
    gone = memories.things[unit]
    memories.forget(unit)
    console.print(Text(clean(f"forgotten: {told(gone, asked.now_s)}")), soft_wrap=True)


def export(asked: Asked, file: Path | None) -> None:
    """Everything as one JSON object, to a file or to standard output. Never over another file."""
    data = {"maps": [_map_json(asked.shelf, map_id) for map_id in asked.maps]}
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    if file is None:
        sys.stdout.write(text)
        return
    try:
        with file.open("x", encoding="utf-8") as opened:
            opened.write(text)
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror}") from error


def _map_json(shelf: Shelf, map_id: str) -> dict[str, Any]:
    grid = shelf.grid(map_id)
    return {
        "map": map_id,
        "things": [
            {**_unit_json(u), "history": [_turn_json(t) for t in shelf.history(u.id)]} for u in shelf.units(map_id)
        ],
        "places": [dataclasses.asdict(p) for p in shelf.places(map_id)],
        "grid": grid
        and {"cell_m": grid.cell_m, "x_m": grid.origin.x_m, "y_m": grid.origin.y_m, "states": grid.states().tolist()},
    }


def _unit_json(unit: Unit) -> dict[str, Any]:
    return {**dataclasses.asdict(unit), "stale": unit.stale}


def _turn_json(turn: Turn) -> dict[str, Any]:
    return {k: v for k, v in dataclasses.asdict(turn).items() if k != "unit"}


def _print_json(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False), flush=True)


def _where(unit: Unit) -> str:
    return unit.place or (_spot(unit.pose) if unit.pose else "?")


def _spot(pose: Pose) -> str:
    return f"{pose.x_m:.1f}, {pose.y_m:.1f}, {pose.z_m:.1f} m"


def _state(unit: Unit) -> str:
    return "held" if unit.held else "gone" if unit.stale else ""
