"""An agent's memory: a journal that also remembers things and places from the events it keeps.

Every event goes to the journal first. An observation is then folded into the things of this map, a skill that grasps or
lets go changes what is held, and what changed is kept before the next event is taken. So what memory believes always
follows from the record, and survives as the record does.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any, Unpack

from sayso.clock import current
from sayso.errors import UsageError
from sayso.events import Event, MissionEnded, MissionStarted, Observed, TaskEnded, TaskStarted
from sayso.grounding.lexicon import aliases, kind
from sayso.memory.background_writer import BackgroundWriter
from sayso.memory.journal import Journal
from sayso.memory.places import GridMap, Place, Places
from sayso.memory.recall import TOP, Embed, Found, Recall, meant
from sayso.memory.store import MemoryStore
from sayso.memory.thing_record import Look, ThingRecord, Turn, described, remembered, where_from
from sayso.memory.things import Correction, ThingMap
from sayso.roles import Recalling
from sayso.scene import Belief, Pose, Scene, Thing, plain, scene_from

NOTES_MOST, SUBGOALS_MOST = 10, 8
_PARTS = re.compile(r"[.;,]\s|\bthen\b|\band\b|\bfinally\b", re.IGNORECASE)

NEWS_S = 10.0
"""What was in view a shorter while ago is no news when it is not."""

KEEP_EVERY = 10
"""So many sweeps of rays are kept at once; a kill costs the last ones, which the next flight measures again."""


class AgentMemory:
    """The memory of things and places on the map `map_id`, in the file of `journal`. Raises `JournalError`.

    Poses mean something only where every mission uses the same frame; `map_id` names it. Without one, what was seen on
    earlier missions is still known, but no longer where. `embed` compares meanings.
    """

    def __init__(self, journal: Journal, map_id: str = "", *, embed: Embed | None = None) -> None:
        self.journal, self.map_id = journal, map_id
        self.store = MemoryStore(journal)
        self.aliases = aliases()
        self.places = Places(self.store.places(map_id))
        self.things = ThingMap(new_id=self.store.new_id, map_id=map_id, place_of=self.places.at)
        self.recalls = Recall(embed=embed, called=self.aliases)
        if meanings := self.recalls.meanings:
            meanings.known.update(self.store.vectors(meanings.space))
        self.grid = self.store.grid(map_id) or GridMap()
        self.now_s = 0.0
        self._news: list[str] = []
        self._sweeps = 0
        self._on_file: set[int] = set()
        self._version = 0
        self._load()

    @property
    def file(self) -> Path:
        """The journal's file."""
        return self.journal.file

    def begin(self, mission: str) -> MissionMemory:
        """The record of a mission, which is learnt from as it is written."""
        self.store.number()
        if self.store.changed_elsewhere not in (0, self._version):
            self._load()
        if not self.map_id:
            self._lose_frame()
        return MissionMemory(self, self.journal.begin(mission))

    def recall(self, name: str) -> Thing | None:
        """The thing that a plan's name stands for, where it was last seen; None where it is not known or not there."""
        self._let_go()
        unit = self._named(name)
        pose = self._pose(unit) if unit else None
        if unit is None or pose is None or unit.held:
            return None
        likes, id_ = dict(unit.attributes), f"remembered {unit.id}"
        return Thing(id_, unit.label, pose=pose, attributes=likes, confidence=unit.confidence, seen_s=unit.seen_s)

    def where(self, name: str, here: Pose) -> str:
        """Where a thing was last seen, in words; empty where memory holds nothing of that name."""
        unit = self._named(name, stale=True)
        return self.tell(unit, here) if unit else ""

    def recalled(self, instruction: str, scene: Scene) -> tuple[Belief, ...]:
        """The remembered things that an instruction speaks of and that are not in view, for a planner."""
        found = [meant(self.ask(part)) for part in subgoals(instruction)]
        best = dict.fromkeys(f.unit.id for some in zip_longest(*found) for f in some if f)
        units = {f.unit.id: f.unit for some in found for f in some}
        out = [units[i] for i in best if not _in_view(units[i], scene)]
        return tuple(
            remembered(self._with_place(unit), self.now_s or unit.seen_s, scene.observer) for unit in out[:NOTES_MOST]
        )

    def news(self) -> tuple[str, ...]:
        """What memory noticed since it was last asked: things that are gone from their place, or found elsewhere."""
        news, self._news = tuple(self._news), []
        return news

    def sweep(self, eye: Pose, bearings_rad: Sequence[float], ranges_m: Sequence[float], reach_m: float) -> None:
        """Update the map from one turn of rays; a range of `reach_m` or more met nothing. What lies too far from the
        rest for one map is left out."""
        if not self.map_id or not self.grid.holds(eye, reach_m):
            return
        self.grid.scan(eye, bearings_rad, ranges_m, reach_m)
        self._sweeps += 1
        if self._sweeps % KEEP_EVERY == 0:
            self.keep_grid()

    def keep_grid(self) -> None:
        """Give the map to be put on file, where rays have told of it."""
        if self._sweeps:
            self.store.keep_grid(self.map_id, self.grid)

    def ask(self, wish: str, *, place: str = "", top: int = TOP) -> list[Found]:
        """The units of this map that fit best, at most `top`."""
        called = self.places.named(place)
        found = self.recalls.ask(wish, place=called.name if called else place, top=top)
        if (meanings := self.recalls.meanings) and meanings.new:
            self.store.keep_vectors(meanings.space, meanings.new)
            meanings.new.clear()
        return found

    def tell(self, unit: ThingRecord, here: Pose | None = None) -> str:
        """A unit in words."""
        return described(self._with_place(unit), self.now_s or unit.seen_s, here)

    def _with_place(self, unit: ThingRecord) -> ThingRecord:
        """With its place, as far as that is known by now."""
        pose = self._pose(unit)
        return replace(unit, place=unit.place or (self.places.at(pose) if pose else ""), pose=pose)

    def see(self, look: Look) -> list[Turn]:
        """Update the memory from one look, and return the changes in the histories of things."""
        self._let_go()
        turns = self.things.see(look)
        self.now_s = max(self.now_s, look.at_s)
        self._noticed(turns, look.scene.observer)
        self.keep()
        return turns

    def hold(self, name: str, mission: str = "") -> ThingRecord | None:
        """Note that the robot has grasped what a plan calls so, and return the thing, where memory knows one."""
        unit = self._named(name, stale=True)
        if unit:
            self.things.hold(unit.id, self.now_s, mission)
            self.keep()
        return unit and self.things[unit.id]

    def release(self, *named: str, mission: str = "") -> list[ThingRecord]:
        """Note that the robot has let go of what it held; `named` is the thing, the place, or both."""
        held = [u for u in self.things if u.held]
        places = [n for n in named if not any(self._called(u, n) for u in held)]
        meant = [u for u in held if any(self._called(u, n) for n in named)] or held
        known = self.places.named(places[-1]) if places else None
        place = known.name if known else places[-1] if places else ""
        for unit in meant:
            self.things.release(unit.id, self.now_s, place, mission=mission)
        self.keep()
        return [self.things[u.id] for u in meant]

    def _named(self, name: str, *, stale: bool = False) -> ThingRecord | None:
        """What a plan calls so, on this map; an index (`chair[0.6]`) is of an image, and picks nothing here."""
        return self.recalls.best(name.partition("[")[0], stale=stale)

    def _called(self, unit: ThingRecord, name: str) -> bool:
        name = kind(name.partition("[")[0])
        return name in self.aliases.names(unit.label) or name == kind(unit.name)

    def correct(self, unit: int, at_s: float, **better: Unpack[Correction]) -> ThingRecord:
        """Take a person's correction of a thing. Raises `UsageError` for no such id."""
        corrected = self.things.correct(unit, at_s, **better)
        self.keep()
        self.store.flush()
        return corrected

    def forget(self, unit: int) -> None:
        """Delete a thing and its history. Raises `UsageError` for no such id."""
        self.things.forget(unit)
        self.keep()
        self.store.flush()

    def teach(self, table: Mapping[str, Any]) -> None:
        """Learn other names of things and fixed places from a robot's own table of names."""
        kinds = [[k["name"], *k["aliases"]] for k in table.get("objects", ()) if k.get("aliases")]
        meanings, self.aliases = self.recalls.meanings, self.aliases.more(kinds)
        self.recalls = Recall(called=self.aliases)
        self.recalls.meanings = meanings
        for unit in self.things:
            self.recalls.update(unit)
        for entry in table.get("places", ()):
            known = self.places.named(entry["name"])
            if "at" in entry and (known is None or known.name != entry["name"]):
                at, size = entry["at"], entry.get("size_m", (1.0, 1.0))
                self.label(Place(entry["name"], Pose(at[0], at[1]), max(size[:2]) / 2, tuple(entry.get("aliases", ()))))

    def label(self, place: Place) -> None:
        """Add a fixed place by its name."""
        if not place.name.strip():
            raise UsageError("a place needs a name")
        self.places.add(place)
        self.store.keep_place(self.map_id, place)
        self.things.place_again()
        self.keep()

    def keep(self) -> None:
        """Write what changed to the file; it survives the death of the process when `kept` has returned."""
        changes = self.things.drain()
        if not (changes.units or changes.gone or changes.turns):
            return
        self.store.keep(changes, self._on_file)
        gone = {**changes.gone, **self.things.drain().gone}
        for unit in changes.units.values():
            if unit.id not in gone:
                self.recalls.update(unit)
        for unit_id in gone:
            self.recalls.remove(unit_id)
        self._on_file = (self._on_file | changes.units.keys()) - gone.keys()
        self._let_go()

    def _let_go(self) -> None:
        """Forget what a person has made another process forget."""
        for unit_id in self.store.forgotten():
            if unit_id in self.things:
                self.things.forget(unit_id)
            self.recalls.remove(unit_id)
            self._on_file.discard(unit_id)
        self.things.drain()

    def _load(self) -> None:
        units = self.store.units(self.map_id)
        self.things.load(units)
        self.recalls.clear()
        for unit in units:
            self.recalls.update(unit)
        self._on_file = {unit.id for unit in units}
        self.now_s = max((max(u.seen_s, u.missed_s) for u in units), default=0.0)
        self._version = self.store.changed_elsewhere

    def _lose_frame(self) -> None:
        """Nothing ties the poses of an earlier mission to the next one's."""
        units = [replace(u, pose=None, sense="") for u in self.things]
        self.things.load(units)
        for unit in units:
            self.recalls.update(unit)

    def _pose(self, unit: ThingRecord) -> Pose | None:
        """Where it is; where only the place is known, the place."""
        known = self.places.named(unit.place) if unit.place and unit.pose is None else None
        return known.pose if known else unit.pose

    def _noticed(self, turns: Sequence[Turn], here: Pose) -> None:
        for turn in turns:
            if self._is_news(turn):
                name = plain(self.things[turn.unit].called)
                at = f": {where_from(here, turn.pose)}" if turn.pose and turn.what == "moved" else ""
                says = "is no longer where it was seen" if turn.what == "missing" else "is now elsewhere"
                self._news.append(f"the {name} {says}{at}")

    def _is_news(self, turn: Turn) -> bool:
        """What moved, and what is gone that was seen on another mission, or a while ago."""
        if turn.unit not in self.things:
            return False
        other = self.things[turn.unit].mission != turn.mission
        return turn.what == "moved" or (turn.what == "missing" and (other or turn.unseen_s > NEWS_S))


class MissionMemory:
    """The record of one mission, from which the memory learns while it is written. Called like `record`."""

    def __init__(self, memories: AgentMemory, log: BackgroundWriter[Event]) -> None:
        self.id = log.id
        self._memories, self._log = memories, log
        self._began_s = 0.0
        self._args: dict[int, list[str]] = {}

    def record(self, event: Event) -> None:
        """Take the event to be kept, and learn from it. Raises `JournalError` where what it teaches cannot be kept."""
        self._log.record(event)
        memories = self._memories
        if isinstance(event, MissionStarted):
            self._began_s = max(wall_s(event.wall), memories.now_s + 1)  # simulated time may run ahead
        at_s = self._began_s + event.at_s
        memories.now_s = max(memories.now_s, at_s)
        match event:
            case TaskStarted():
                self._args[event.task] = [str(arg) for arg in event.args]
            case Observed():
                memories.see(Look(scene_from(event.scene), at_s, self.id))
            case TaskEnded():
                args = self._args.pop(event.task, [])
                if event.outcome == "done" and event.skill in memories.aliases.grasps:
                    memories.hold((args or [""])[0], self.id)
                elif event.outcome == "done" and event.skill in memories.aliases.releases:
                    memories.release(*args, mission=self.id)
            case MissionEnded():
                memories.keep_grid()

    async def kept(self) -> None:
        """Return when every event taken so far survives. Raises `JournalError`."""
        await self._log.kept()
        await self._memories.store.kept()


class EmptyMemory(Recalling):
    """A memory that stores nothing, so that a robot without one offers the same skills."""

    def begin(self, mission: str) -> EmptyMemory:
        return self

    def record(self, event: Event) -> None: ...

    async def kept(self) -> None:
        await current().held(asyncio.sleep(0))

    def sweep(self, *rays: object) -> None: ...


def wall_s(iso: str) -> float:
    """Seconds since 1970 of a mission's wall time; now, where it has none."""
    try:
        return dt.datetime.fromisoformat(iso).timestamp()
    except ValueError:
        return dt.datetime.now().timestamp()


def subgoals(instruction: str) -> list[str]:
    """The parts of an instruction that each ask for a thing of their own, and so are looked up by themselves."""
    return [part for part in map(str.strip, _PARTS.split(instruction)) if part][:SUBGOALS_MOST] or [instruction]


def _in_view(unit: ThingRecord, scene: Scene) -> bool:
    """Whether a scene shows this unit, or one that cannot be told from it."""
    for thing in scene:
        if kind(thing.label) != kind(unit.label):
            continue
        if thing.pose is None or unit.pose is None or thing.pose.distance_m(unit.pose) < 1.0:
            return True
    return False
