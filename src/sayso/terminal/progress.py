"""What a mission looks like from outside at one moment, gathered from its events."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sayso import events as ev
from sayso.memory.story import clean
from sayso.scene import Pose, Scene, plain, scene_from
from sayso.skill import say
from sayso.terminal.roommap import Place
from sayso.terminal.told import Told, one_line, told
from sayso.truth import Truth

TRAIL = 2000
"""Points of the flown way that are kept."""


@dataclass(slots=True)
class Row:
    """A statement of the plan: `state` is ready, running, done or failed; `note` says what came of it."""

    text: str
    depth: int
    state: str = "ready"
    note: str = ""
    times: int = 0


@dataclass(slots=True)
class Progress:
    """`see` every event; the fields then say how things stand. `known` are the things of the world, for the map."""

    known: Mapping[str, tuple[str, Pose]] = field(default_factory=dict)
    instruction: str = ""
    rows: dict[float, Row] = field(default_factory=dict)
    """By the statement's number; what runs otherwise is headed by a row half a step before its first statement."""
    current: int = 0
    asking: str = ""
    arriving: str = ""
    scene: Scene | None = None
    pose: Pose | None = None
    trail: list[Pose] = field(default_factory=list)
    charge: float = 1.0
    at_s: float = 0.0
    ended: ev.MissionEnded | None = None
    notable: list[Told] = field(default_factory=list)
    round: int = 0
    _owner: dict[int, int] = field(default_factory=dict)
    _call: int = 0

    def see(self, event: ev.Event) -> None:
        """Take an event in."""
        self.at_s = event.at_s
        if (said := told(event)) and said.notable:
            self.notable.append(said)
        match event:
            case ev.MissionStarted():
                self.instruction = one_line(event.instruction)
            case ev.Observed():
                self.scene = scene_from(event.scene)
            case ev.Moved():
                self.pose = Pose(event.x_m, event.y_m, event.z_m, event.yaw_rad)
                self.trail = [*self.trail[-TRAIL:], self.pose]
                self.charge = event.charge
            case ev.MissionEnded():
                self.ended, self.asking = event, ""
                for row in self.rows.values():  # what still runs is a loop or branch: tasks have ended by now
                    row.state = "done" if row.state == "running" else row.state
            case ev.Prompted() | ev.ChunkArrived() | ev.AnswerEnded() | ev.AnswerFailed():
                self._see_model(event)
            case ev.StatementReady() | ev.Replanned() | ev.TaskStarted() | ev.TaskEnded():
                self._see_plan(event)

    def _see_model(self, event: ev.Prompted | ev.ChunkArrived | ev.AnswerEnded | ev.AnswerFailed) -> None:
        match event:
            case ev.Prompted():
                self.asking = f"{event.model} is asked for a {event.purpose}"
                if event.purpose != "probe":
                    self._call, self.arriving = event.call, ""
            case ev.ChunkArrived():
                self.asking = ""
                if event.call == self._call:
                    self.arriving = f"{self.arriving}{event.text}"[-200:]
            case _:
                self.asking = ""
                if event.call == self._call:
                    self.arriving = ""

    def _see_plan(self, event: ev.StatementReady | ev.Replanned | ev.TaskStarted | ev.TaskEnded) -> None:
        match event:
            case ev.Replanned():
                self.round = event.round
                self.rows.clear()
            case ev.StatementReady():
                if event.behind == ":{":
                    self.rows[event.statement - 0.5] = Row("else", event.depth - 1)
                sign = ":" if event.behind == ":" else ""
                self.rows[event.statement] = Row(f"{sign}{one_line(event.text)}", event.depth)
            case ev.TaskStarted():
                self._owner[event.task] = event.statement
                if row := self.rows.get(event.statement):
                    self._enter(event.statement)
                    self.current, row.state, row.note, row.times = event.statement, "running", "", row.times + 1
            case ev.TaskEnded():
                if row := self.rows.get(self._owner.pop(event.task, 0)):
                    row.state = "done" if event.outcome == "done" else "failed"
                    row.note = one_line(event.detail or ("" if event.value is None else f"= {say(event.value)}"))

    def _enter(self, statement: int) -> None:
        """A loop or branch that asks for no task itself runs while something inside it does."""
        inside = self.rows[statement].depth
        for number in sorted((n for n in self.rows if n < statement), reverse=True):
            row = self.rows[number]
            if row.times:
                inside = min(inside, row.depth)
            elif row.depth < inside:
                inside, row.state = row.depth, "running"
            elif row.state == "running":
                row.state = "done"

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


def _where(thing: Any) -> str:
    side = ""
    if thing.box is not None and abs(thing.box.x - 0.5) > 0.17:
        side = " left" if thing.box.x < 0.5 else " right"
    return f"{side} {thing.distance_m:.1f} m" if thing.distance_m is not None else side
