"""An agent's perception: every look is recorded, a memory learns from it, and a vision model may be asked about it.
What no label tells, a model that is shown the picture may."""

import math
from collections.abc import Callable, Sequence

from sayso import events as ev
from sayso.errors import ModelBroke, SkillFailed
from sayso.executive.state_reader import StateReader
from sayso.language import read_json
from sayso.memory.pictures import as_jpeg
from sayso.prompts import picture_prompt
from sayso.roles import Model, Observation, Perception, Ranging, Recalling, Robot, Scanning, Tracking, answered
from sayso.scene import Belief, Scene, belief_json, plain, scene_json
from sayso.task import UNSENSED, Ran

SURE = 0.5
"""Who is shown a picture and is less sure than this has not told: a detector's things count from the same on."""

ANSWER_CHARS = 200

RAYS_M = 8.0
RAYS_RAD = tuple(n * math.pi / 12 for n in range(24))
"""Where a map is measured: so many bearings, up to so far."""


class VisionModel:
    """A model that answers questions about the camera's picture. What it answers is evidence with its name on it."""

    def __init__(self, model: Model, px: int, robot: Robot, emit: Callable[[ev.Event], None]) -> None:
        self._model, self._px, self._robot, self._emit = model, px, robot, emit

    async def answer(self, question: str, scene: Scene) -> str:
        """The model's answer about the picture. Raises `ModelError`, and `SkillFailed` where it cannot tell."""
        picture = await self._robot.photograph() if self._robot.photograph else self._robot.picture()
        if picture is None:
            raise SkillFailed("the camera gives no picture to show; in simulation it needs a GL library", UNSENSED)
        prompt = picture_prompt(question, scene, as_jpeg(picture, self._px))
        told = await answered(self._model, prompt)
        answer, sure = _read(told)
        if answer is None:
            raise SkillFailed(f"{self._model.name} cannot tell from the picture: {question}", UNSENSED)
        if sure < SURE:
            raise SkillFailed(f"{self._model.name} is only {sure:.0%} sure: {question} {answer}", UNSENSED)
        thing = scene.find(answer)
        self._emit(ev.Judged(
            question=question, answer=answer, confidence=sure, by=self._model.name, thing=thing.id if thing else ""
        ))  # fmt: skip
        return answer


def _read(told: str) -> tuple[str | None, float]:
    """The answer in a JSON object, None for none, and its confidence. Raises `ModelBroke` without one."""
    try:
        data = read_json(told)
        answer, sure = data["answer"], float(data["sure"])
    except (ValueError, TypeError, KeyError) as error:
        raise ModelBroke("what was answered to a picture is not {answer, sure}", told) from error
    words, _, index = ("" if answer is None else str(answer)).partition("[")
    named = plain(words, ANSWER_CHARS) + (f"[{plain(index)}]" if index else "")
    return named or None, sure if 0 <= sure <= 1 else 0.0


class MissionPerception:
    """A `Perception` for skills and planners. A robot without one sees an empty scene."""

    def __init__(
        self,
        robot: Robot,
        reading: StateReader,
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
                    speed_mps=round(state.speed_mps, 3),
                    resting=state.resting,
                    trouble=state.trouble,
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
