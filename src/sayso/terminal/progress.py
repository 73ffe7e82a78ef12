"""What a mission looks like from outside at one moment: what every face shows, and what only a terminal draws."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sayso import events as ev
from sayso.memory.shown import Shown, Statement, show
from sayso.memory.wording import clean
from sayso.scene import Pose, Scene, Thing, plain, scene_from
from sayso.terminal.roommap import Place
from sayso.terminal.told import Told, one_line, told
from sayso.truth import Truth

TRAIL = 2000
"""Points of the flown way that are kept."""


@dataclass(slots=True)
class Progress:
    """`see` every event; the fields then say how things stand. `known` are the things of the world, for the map."""

    known: Mapping[str, tuple[str, Pose]] = field(default_factory=dict)
    shown: Shown = field(default_factory=Shown)
    instruction: str = ""
    scene: Scene | None = None
    trail: list[Pose] = field(default_factory=list)
    notable: list[Told] = field(default_factory=list)

    def see(self, event: ev.Event) -> None:
        """Take an event in."""
        self.shown = show(self.shown, event)
        if (said := told(event)) and said.notable:
            self.notable.append(said)
        match event:
            case ev.MissionStarted():
                self.instruction = one_line(event.instruction)
            case ev.Observed():
                self.scene = scene_from(event.scene)
            case ev.Moved() if self.shown.pose:
                self.trail = [*self.trail[-TRAIL:], self.shown.pose]

    @property
    def rows(self) -> Sequence[Statement]:
        """The statements of the present plan."""
        return [row for row in self.shown.plan if row.number >= 0]

    def places(self) -> list[Place]:
        """The things of the world, those in view marked."""
        seen = {t.id for t in self.scene} if self.scene else set()
        return [Place(label, pose, id_ in seen) for id_, (label, pose) in self.known.items()]

    def sight(self) -> str:
        """What is in view, nearest first, with distance and side."""
        if self.scene is None:
            return "(it has not looked yet)"
        near = sorted(self.scene, key=lambda t: math.inf if t.distance_m is None else t.distance_m)
        return ", ".join(f"{clean(plain(t.label))}{_where(t)}" for t in near) or "nothing that it knows"


def known_things(truth: Truth | None) -> dict[str, tuple[str, Pose]]:
    """Label and place of every thing in a world's truth, where the world lists things."""
    return {id_: (thing.label, thing.pose) for id_, thing in truth.there.items()} if truth else {}


def _where(thing: Thing) -> str:
    side = ""
    if thing.box is not None and abs(thing.box.x - 0.5) > 0.17:
        side = " left" if thing.box.x < 0.5 else " right"
    return f"{side} {thing.distance_m:.1f} m" if thing.distance_m is not None else side
