"""The things of one map, each with its identity, updated by every look. Pure; `store` keeps them.

Each thing in view is given to the unit that it continues: of the same kind, with no attribute against it, and near
where that was (the gate grows with the distance, as errors do). Perception's own ids count within a mission. What
continues nothing is a new unit, unless one of its kind is known to be missing: then that one has moved. And a unit that
turns out missing has moved to where one of its kind was first seen after it, if there is exactly one.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypedDict, Unpack

from sayso.errors import UsageError
from sayso.grounding.lexicon import kind
from sayso.memory.thing_record import SURE, Look, ThingRecord, Turn, backdrops, missed, missing, pictured, unlike
from sayso.scene import Pose, Thing, one_to_one

GATE_M, GATE_SHARE, GATE_MAX_M = 0.4, 0.15, 20.0
"""How far from its place a thing may be seen and still be that thing: at least, of the distance, at most."""

OTHER_ID = 0.5
"""What it costs, as a share of the gate, that perception gave a thing another id than in the same mission before."""

MOVED_M = 0.5
FOLLOWED_S = 5.0
"""What moves under the robot's eyes, like a ball, makes no history."""

IN_HAND_M = 0.8
"""A thing of a held one's kind that is seen so near is taken to be the one in the hand."""

KNOWN = 0.3
"""What is seen again is believed at least so much from before."""

HELD_WORDS = frozenset({"true", "yes", "1"})


@dataclass(slots=True)
class Changes:
    """Changes that are not written yet."""

    units: dict[int, ThingRecord] = field(default_factory=dict)
    turns: list[Turn] = field(default_factory=list)
    gone: dict[int, int] = field(default_factory=dict)
    """A unit's id, and the one that it turned out to be; 0 where a person wanted it forgotten."""


class Correction(TypedDict, total=False):
    """A person's correction of a thing; an attribute with an empty value is taken away."""

    name: str | None
    place: str | None
    attributes: Mapping[str, str] | None
    present: bool | None


class ThingMap:
    """The remembered things of one map, matched to every look; `new_id` numbers them, `place_of` names places."""

    def __init__(
        self,
        units: Iterable[ThingRecord] = (),
        new_id: Callable[[], int] | None = None,
        *,
        map_id: str = "",
        place_of: Callable[[Pose], str] = lambda pose: "",
    ) -> None:
        self.map_id = map_id
        self._place_of = place_of
        self._units: dict[int, ThingRecord] = {}
        self._kinds: dict[str, set[int]] = {}
        self._changes = Changes()
        for unit in units:
            self._file(unit)
        self._new_id = new_id or itertools.count(max(self._units, default=0) + 1).__next__

    def __iter__(self) -> Iterator[ThingRecord]:
        return iter(self._units.values())

    def __len__(self) -> int:
        return len(self._units)

    def __getitem__(self, unit: int) -> ThingRecord:
        """Raises `UsageError` for an id that is not there."""
        if unit not in self._units:
            raise UsageError(f"memory holds no thing {unit}")
        return self._units[unit]

    def __contains__(self, unit: int) -> bool:
        return unit in self._units

    def drain(self) -> Changes:
        """The changes since the last call, for whoever writes them."""
        changes, self._changes = self._changes, Changes()
        return changes

    def see(self, look: Look) -> list[Turn]:
        """Match one look to the things, and return the changes in their histories."""
        before = len(self._changes.turns)
        things = list(look.scene)
        told_apart = self._told_apart(things)
        matched = self._matched(things, told_apart, look)
        for n, thing in enumerate(things):
            if n in matched:
                self._seen_again(self._units[matched[n]], thing, look)
            else:
                matched[n] = self._unknown(thing, look, set(matched.values()))
        seen = set(matched.values())
        for unit in missing(self, look, seen):
            self._not_seen(unit, look)
        return self._changes.turns[before:]

    def _told_apart(self, things: Iterable[Thing]) -> frozenset[str]:
        """Perception's ids that mean one thing each: a label for an id tells nothing apart, nor does one twice."""
        ids = Counter(t.id for t in things)
        return frozenset(t.id for t in things if t.id and ids[t.id] == 1 and t.id != t.label)

    def _matched(self, things: list[Thing], told_apart: frozenset[str], look: Look) -> dict[int, int]:
        """Each thing's place in the scene to the unit that it continues; nearest pairs first."""
        pairs = [
            (cost, n, unit.id)
            for n, thing in enumerate(things)
            for unit in self._alike(thing)
            if (cost := self._cost(thing, unit, thing.id in told_apart, look)) <= 1.0
        ]
        return one_to_one((n, unit_id) for _, n, unit_id in sorted(pairs))

    def _alike(self, thing: Thing | ThingRecord) -> list[ThingRecord]:
        return [self._units[u] for u in sorted(self._kinds.get(kind(thing.label), ()))]

    def _cost(self, thing: Thing, unit: ThingRecord, told_apart: bool, look: Look) -> float:
        """0 is certainly the same, up to 1 may be, more is not."""
        same_mission = bool(look.mission) and unit.mission == look.mission
        if told_apart and same_mission and unit.sense == thing.id:
            return 0.0
        if unlike(thing.attributes, unit.attributes):
            return 2.0
        other = OTHER_ID if told_apart and same_mission and unit.sense else 0.0
        if unit.held:
            return 0.5 if _held(thing) or _eye_m(thing, look) < IN_HAND_M else 2.0
        if unit.pose is None:
            return 0.8 + other / 4
        if thing.pose is None:
            return self._cost_in_image(thing, unit.pose, look) + other
        return thing.pose.distance_m(unit.pose) / _gate_m(thing) + other

    @staticmethod
    def _cost_in_image(thing: Thing, pose: Pose, look: Look) -> float:
        """Without a distance: whether the unit would appear within the box, and how near its middle."""
        spot = look.scene.view.spot(pose) if look.scene.view else None
        if spot is None or thing.box is None:
            return 2.0
        half_x, half_y = thing.box.width / 2 + 0.05, thing.box.height / 2 + 0.05
        return max(abs(spot[0] - thing.box.x) / half_x, abs(spot[1] - thing.box.y) / half_y)

    def _seen_again(self, unit: ThingRecord, thing: Thing, look: Look) -> None:
        """The same thing once more. An older look than the last tells only from how far it can be seen."""
        if look.at_s < unit.seen_s:
            reach_m = max(unit.reach_m, _eye_m(thing, look))
            self._change(replace(unit, reach_m=reach_m, born_s=min(unit.born_s, look.at_s)))
            return
        fresh, moved = self._after(unit, thing, look), _moved(unit, thing)
        self._change(fresh)
        if fresh.held != unit.held:
            self._turn(fresh, "held" if fresh.held else "released", look.at_s, look.mission)
        elif not fresh.held and moved and (unit.stale or look.at_s - unit.seen_s > FOLLOWED_S):
            self._turn(fresh, "moved", look.at_s, look.mission, unseen_s=look.at_s - unit.seen_s)
        elif unit.stale or (unit.pose is None and fresh.pose):
            self._turn(fresh, "found", look.at_s, look.mission, unseen_s=look.at_s - unit.seen_s)

    def _after(self, unit: ThingRecord, thing: Thing, look: Look) -> ThingRecord:
        """The record of a thing after a look that shows it; one of which nothing is believed yet is new."""
        pose, doubt = thing.pose or unit.pose, 1 - max(unit.confidence, KNOWN if unit.confidence else 0.0)
        return replace(
            unit,
            pose=pose,
            place=self._at(pose) or ("" if _moved(unit, thing) else unit.place),
            attributes={**unit.attributes, **thing.attributes},
            seen_s=look.at_s,
            mission=look.mission,
            confidence=min(SURE, 1 - doubt * (1 - thing.confidence)),
            held=_held(thing) or (unit.held and "held" not in thing.attributes),
            picture=pictured(look.scene, thing.id),
            sense=thing.id,
            reach_m=max(unit.reach_m, _eye_m(thing, look)),
            backdrops=tuple(sorted({*unit.backdrops, *backdrops(thing, look.scene)})),
            missed_s=0.0,
        )

    def _unknown(self, thing: Thing, look: Look, taken: set[int]) -> int:
        """A thing that continues no unit: one that was missing and has moved here, or a new one."""
        gone = [
            u
            for u in self._alike(thing)
            if u.stale and u.id not in taken and u.seen_s < look.at_s and not unlike(thing.attributes, u.attributes)
        ]
        if gone and thing.pose:
            last = max(gone, key=lambda u: u.seen_s)
            self._seen_again(last, thing, look)
            return last.id
        new = ThingRecord(self._new_id(), thing.label, self.map_id, born_s=look.at_s, confidence=0.0)
        unit = self._after(new, thing, look)
        self._change(unit)
        self._turn(unit, "seen", look.at_s, look.mission)
        return unit.id

    def _not_seen(self, unit: ThingRecord, look: Look) -> None:
        doubted = missed(unit, look.at_s)
        self._change(doubted)
        if not doubted.stale or unit.stale:
            return
        self._turn(doubted, "missing", look.at_s, look.mission, unseen_s=look.at_s - unit.seen_s)
        others = [u for u in self._alike(unit) if u.id != unit.id]
        later = [u for u in others if u.born_s > unit.seen_s and not unlike(u.attributes, unit.attributes)]
        if len(later) == 1 and not later[0].stale and not later[0].name:
            self._became(doubted, later[0], look)

    def _became(self, old: ThingRecord, now: ThingRecord, look: Look) -> None:
        """One thing that two units stood for: it keeps its older identity and its newer place."""
        self._drop(now.id, old.id)
        one = replace(now, id=old.id, name=old.name, born_s=old.born_s, reach_m=max(old.reach_m, now.reach_m))
        self._change(one)
        self._turn(one, "moved", look.at_s, look.mission, unseen_s=one.seen_s - old.seen_s)

    def hold(self, unit: int, at_s: float, mission: str = "") -> None:
        """Note that the robot holds a thing."""
        held = replace(self[unit], held=True, place="", confidence=SURE, missed_s=0.0)
        self._change(held)
        self._turn(held, "held", at_s, mission)

    def release(self, unit: int, at_s: float, place: str = "", mission: str = "") -> None:
        """Note that the robot has let go of a thing; the next of its kind that is seen is it."""
        free = replace(self[unit], held=False, place=place, pose=None, seen_s=max(at_s, self[unit].seen_s))
        self._change(free)
        self._turn(free, "released", at_s, mission)

    def correct(self, unit: int, at_s: float, **better: Unpack[Correction]) -> ThingRecord:
        """Apply a person's correction. Raises `UsageError` for no such id."""
        name, place, attributes = better.get("name"), better.get("place"), better.get("attributes")
        present = better.get("present")
        old = self[unit]
        likes = {k: v for k, v in {**old.attributes, **(attributes or {})}.items() if v}
        fresh = replace(old, name=old.name if name is None else name, attributes=likes)
        if place is not None:
            fresh = replace(fresh, place=place, pose=None, seen_s=at_s)
        if present is not None:
            fresh = replace(fresh, confidence=SURE if present else 0.01, missed_s=0.0 if present else at_s)
        self._change(fresh)
        said = [f"{k}={v}" for k, v in (attributes or {}).items()]
        said += [f"{k}={v}" for k, v in (("name", name), ("place", place), ("present", present)) if v is not None]
        self._turn(fresh, "corrected", at_s, note=", ".join(said))
        return fresh

    def forget(self, unit: int) -> None:
        """Delete a thing and its history. Raises `UsageError` for an id that is not there."""
        self._drop(self[unit].id, 0)

    def load(self, units: Iterable[ThingRecord]) -> None:
        """Replace everything by what another process has written."""
        for unit_id in list(self._units):
            self._unfile(unit_id)
        for unit in units:
            self._file(unit)

    def place_again(self) -> None:
        """Assign places anew, since their names have changed."""
        for unit in [u for u in self if u.pose and not u.held]:
            if (place := self._at(unit.pose)) and place != unit.place:
                self._change(replace(unit, place=place))

    def _at(self, pose: Pose | None) -> str:
        return self._place_of(pose) if pose else ""

    def _change(self, unit: ThingRecord) -> None:
        self._file(unit)
        self._changes.units[unit.id] = unit

    def _turn(
        self, unit: ThingRecord, what: str, at_s: float, mission: str = "", note: str = "", unseen_s: float = 0.0
    ) -> None:
        turn = Turn(unit.id, at_s, what, unit.pose, unit.place, mission, note, max(unseen_s, 0.0))
        self._changes.turns.append(turn)

    def _drop(self, unit: int, became: int) -> None:
        self._unfile(unit)
        self._changes.units.pop(unit, None)
        self._changes.gone[unit] = became

    def _file(self, unit: ThingRecord) -> None:
        self._units[unit.id] = unit
        self._kinds.setdefault(kind(unit.label), set()).add(unit.id)

    def _unfile(self, unit_id: int) -> None:
        unit = self._units.pop(unit_id)
        self._kinds[kind(unit.label)].discard(unit_id)


def _gate_m(thing: Thing) -> float:
    return min(GATE_MAX_M, max(GATE_M, GATE_SHARE * (thing.distance_m or 0.0)))


def _moved(unit: ThingRecord, thing: Thing) -> bool:
    """Whether it is further from its place than an error of measurement would be."""
    there = unit.pose is not None and thing.pose is not None and unit.pose.distance_m(thing.pose)
    return there > max(MOVED_M, _gate_m(thing))


def _eye_m(thing: Thing, look: Look) -> float:
    """From how far it was recognised."""
    if thing.pose is None:
        return thing.distance_m or 0.0
    eye = look.scene.view.eye if look.scene.view else look.scene.observer
    return eye.distance_m(thing.pose)


def _held(thing: Thing) -> bool:
    return thing.attributes.get("held", "").lower() in HELD_WORDS
