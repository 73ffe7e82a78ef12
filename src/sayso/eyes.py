"""How an agent sees: every look is put on record, and a memory that can recall learns from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from sayso import events as ev
from sayso.executive.reading import Reading
from sayso.parts import Observation, Perception, Ranging, Recalling, Robot, Scanning, Tracking
from sayso.scene import Belief, Scene, belief_json, scene_json
from sayso.task import Ran

RAYS_M = 8.0
RAYS_RAD = tuple(n * math.pi / 12 for n in range(24))
"""Where a map is measured: so many bearings, up to so far."""


class Eyes:
    """A `Perception` for skills and planners. A robot without one sees an empty scene."""

    def __init__(
        self,
        robot: Robot,
        reading: Reading,
        perception: Perception | None,
        recalling: Recalling | None,
        emit: Callable[[ev.Event], None],
    ) -> None:
        self._robot, self._reading, self._perception = robot, reading, perception
        self._recalling, self._emit = recalling, emit

    async def look(self) -> Scene:
        """What is in view now."""
        if self._perception is None:
            return Scene()
        scene = await self._perception.look()
        self._observed(ev.Observed(scene=scene_json(scene), task=-1))
        return scene

    async def look_for(self, wish: str, ended: Sequence[Ran]) -> Observation:
        """What is in view, how the robot is, what perception believes, what is remembered of things in the wish, and
        which tasks have `ended`."""
        state = self._reading.now()
        believed = tuple(self._perception.believed()) if isinstance(self._perception, Tracking) else ()
        scene = await self._perception.look() if self._perception else Scene()
        seen = Observation(scene, state, believed, self._recalled(wish, scene), tuple(ended))
        if self._perception:
            told = tuple(map(belief_json, (*believed, *seen.recalled)))
            self._observed(
                ev.Observed(
                    scene=scene_json(scene),
                    notes=seen.notes,
                    beliefs=told if any(told) else (),
                    charge=state.charge,
                    holding=state.holding,
                    doing=state.doing,
                )
            )
        return seen

    def _recalled(self, wish: str, scene: Scene) -> tuple[Belief, ...]:
        """What memory holds of a wish; a perception that keeps track by itself knows better."""
        knows = isinstance(self._perception, Tracking) and self._perception.remembers
        return () if self._recalling is None or knows else self._recalling.recalled(wish, scene)

    def _observed(self, look: ev.Observed) -> None:
        """Put a look on record, and tell what memory noticed in it."""
        self._emit(look)
        if self._recalling:
            self._sweep(self._recalling)
            for noticed in self._recalling.news():
                self._emit(ev.Warned(text=noticed))

    def _sweep(self, memory: Recalling) -> None:
        """Let memory map what the range sensors measure; on the ground they measure the ground."""
        state = self._reading.now()
        if isinstance(self._robot, Scanning):
            memory.sweep(state.pose, *self._robot.lidar())
        elif isinstance(self._robot, Ranging) and not state.resting:
            memory.sweep(state.pose, RAYS_RAD, [self._robot.clearance_m(bearing) for bearing in RAYS_RAD], RAYS_M)
