"""The command `memory`: what was seen, to be asked, corrected, deleted and exported."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sayso.errors import UsageError
from sayso.terminal.commands import options
from sayso.terminal.commands.options import JournalOption, MapOption, UnitArgument

if TYPE_CHECKING:
    from sayso.memory.agent_memory import AgentMemory
    from sayso.memory.journal import Journal
    from sayso.memory.store import MemoryStore
    from sayso.memory.thing_record import ThingRecord

memory = typer.Typer(help="What was seen, on all missions: ask, correct, delete.", invoke_without_command=True)


@memory.callback()
def memory_alone(asked: typer.Context, journal: JournalOption = None) -> None:
    """What was seen, on all missions: ask, correct, delete. Alone: all that is remembered."""
    if asked.invoked_subcommand is None:
        memory_list(journal=journal)


@memory.command("list")
def memory_list(
    place: Annotated[str, typer.Option(help="Only what lies at this place.")] = "",
    map_id: MapOption = "",
    stale: Annotated[bool, typer.Option("--stale", help="Only what is gone from its place.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON.")] = False,
    journal: JournalOption = None,
) -> None:
    """All things that are remembered, the latest last."""
    from sayso.memory.thing_record import ago
    from sayso.terminal.tables import shown

    with options.journal(journal) as kept:
        store, maps = _maps(kept, map_id)
        units = [u for m in maps for u in store.units(m)]
    units = [u for u in units if (not place or u.place == place) and (u.stale or not stale)]
    units.sort(key=lambda u: (u.map, u.seen_s))
    if as_json:
        _print_json([_unit_json(u) for u in units])
    elif not units:
        there = " there" if place else ""
        options.console().print(f"nothing is remembered in {kept.file}{there}", markup=False, soft_wrap=True)
    else:
        now_s = time.time()
        rows = (
            (str(u.id), u.called, ", ".join(u.attributes.values()), u.map, _where(u), ago(u.seen_s, now_s), _state(u))
            for u in units
        )
        shown(options.console(), ("id", "thing", "like", "map", "where", "last seen", ""), rows)


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
    from sayso.memory.event_text import clean
    from sayso.memory.recall import WHYS, meant

    wish, console = " ".join(words), options.console()
    with options.journal(journal) as kept:
        of_maps = [_memories(kept, map_id) for map_id in _maps(kept, map_id)[1]]
        found = [(f, m) for m in of_maps for f in meant(m.ask(wish, place=place, top=top))]
    if called := [(f, m) for f, m in found if f.called]:  # of one map only that, where another has the like
        found = called
    found.sort(key=lambda pair: (WHYS.index(pair[0].why), pair[0].unit.stale, -pair[0].score, -pair[0].unit.seen_s))
    if as_json:
        _print_json([{**_unit_json(f.unit), "why": f.why, "score": round(f.score, 3)} for f, _ in found[:top]])
        raise typer.Exit(0 if found else 1)
    if not found:
        console.print(f"nothing of that kind has been seen: {clean(wish)}", markup=False)
        raise typer.Exit(1)
    if not called:
        console.print(f"nothing is called {clean(wish)!r}; closest:", markup=False)
    for f, memories in found[:top]:
        _print_unit(memories, f.unit)


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
    if gone and there:
        raise UsageError("--gone and --there exclude each other")
    present = (there or None) if not gone else False
    pairs = [text.partition("=") for text in like or ()]
    if wrong := [key for key, mark, _ in pairs if not (mark and key.strip())]:
        raise UsageError(f"an attribute is written KEY=VALUE, such as color=red; not {wrong[0]!r}")
    attributes = {key.strip(): value.strip() for key, _, value in pairs}
    if name is None and place is None and not attributes and present is None:
        raise UsageError("say what is right: --name, --place, --like KEY=VALUE, --gone or --there")
    with options.journal(journal) as kept:
        memories = _holding(kept, thing)
        better = memories.correct(thing, memories.now_s, name=name, place=place, attributes=attributes, present=present)
        _print_unit(memories, better)


@memory.command("forget")
def memory_forget(thing: UnitArgument, journal: JournalOption = None) -> None:
    """Delete a thing and its history. What the journal has of the missions stays."""
    with options.journal(journal) as kept:
        memories = _holding(kept, thing)
        gone = memories.things[thing]
        memories.forget(thing)
        _print_unit(memories, gone, "forgotten: ")


@memory.command("export")
def memory_export(
    file: Annotated[Path | None, typer.Argument(help="A new file; standard output when left out.")] = None,
    map_id: MapOption = "",
    journal: JournalOption = None,
) -> None:
    """Everything that is remembered, with histories, places and maps, as JSON."""
    with options.journal(journal) as kept:
        store, maps = _maps(kept, map_id)
        text = json.dumps({"maps": [_map_json(store, m) for m in maps]}, ensure_ascii=False, indent=1) + "\n"
    if file is None:
        sys.stdout.write(text)
        return
    try:
        with file.open("x", encoding="utf-8") as opened:  # never over another file
            opened.write(text)
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror}") from error


def _maps(journal: Journal, map_id: str = "") -> tuple[MemoryStore, list[str]]:
    """What memory keeps, and the maps that are meant. Raises `UsageError` for one that is not there."""
    from sayso.memory.store import MemoryStore

    store = MemoryStore(journal)
    known = store.map_ids()
    if map_id and map_id not in known:
        raise UsageError(f"memory holds no map {map_id!r}; there are {', '.join(filter(None, known)) or 'none yet'}")
    return store, [map_id] if map_id else known


def _memories(journal: Journal, map_id: str) -> AgentMemory:
    """One map's memory, as of now."""
    from sayso.memory.agent_memory import AgentMemory
    from sayso.models.pocket import Embedding

    memories = AgentMemory(journal, map_id, embed=Embedding())
    memories.now_s = time.time()
    return memories


def _holding(journal: Journal, unit: int) -> AgentMemory:
    """The memory that holds a thing. Raises `UsageError` where none does."""
    for held in _maps(journal)[0].units():
        if held.id == unit:
            return _memories(journal, held.map)
    raise UsageError(f"memory holds no thing {unit}; see `sayso memory list`")


def _map_json(store: MemoryStore, map_id: str) -> dict[str, Any]:
    grid = store.grid(map_id)
    return {
        "map": map_id,
        "things": [
            {
                **_unit_json(u),
                "history": [{k: v for k, v in asdict(t).items() if k != "unit"} for t in store.history(u.id)],
            }
            for u in store.units(map_id)
        ],
        "places": [asdict(p) for p in store.places(map_id)],
        "grid": grid
        and {"cell_m": grid.cell_m, "x_m": grid.origin.x_m, "y_m": grid.origin.y_m, "states": grid.states().tolist()},
    }


def _unit_json(unit: ThingRecord) -> dict[str, Any]:
    return {**asdict(unit), "stale": unit.stale}


def _print_json(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False), flush=True)


def _print_unit(memories: AgentMemory, unit: ThingRecord, before: str = "") -> None:
    from rich.text import Text

    from sayso.memory.event_text import clean

    line = clean(f"{before or f'{unit.id:4}  '}{f'{unit.map}: ' if unit.map else ''}{memories.tell(unit)}")
    options.console().print(Text(line, "dim" if unit.stale else ""), soft_wrap=True)


def _where(unit: ThingRecord) -> str:
    p = unit.pose
    return unit.place or (f"{p.x_m:.1f}, {p.y_m:.1f}, {p.z_m:.1f} m" if p else "?")


def _state(unit: ThingRecord) -> str:
    return "held" if unit.held else "gone" if unit.stale else ""
