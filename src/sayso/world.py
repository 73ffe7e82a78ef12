"""The interface of a simulated world: it hands out an ordinary robot and perception, and knows the truth for judges.
Judges and pictures ask for that; nothing on the way to a plan may read it.

A kind of world that knows more than `Truth` has a truth of its own, which is one of these.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

from sayso.drawing import Land
from sayso.limits import Limits
from sayso.roles import Perception, Robot
from sayso.scene import Pose

Size: TypeAlias = tuple[float, float, float]
ROBOT = "robot"
"""Who holds what the robot holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Real:
    """Something or somebody that is really there.

    `pose` is the middle, in the world's frame; `size_m` the upright extent along the world's axes. `on` is what it
    stands on, a thing's id or a place; `holder` who has it, `ROBOT` or a person; `place` and `room` where that is, `at`
    all the places that it can be said to be at, where that is more than what it is on.
    """

    label: str
    pose: Pose
    size_m: Size | None = None
    category: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    on: str = ""
    holder: str = ""
    place: str = ""
    room: str = ""
    at: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Touch:
    """A contact of the robot with something that it should not touch. Seconds of the world."""

    what: str
    at_s: float


@dataclass(frozen=True, slots=True)
class Done:
    """A deed that really happened: the predicate that it makes true, the ids of those to whom, and the text said."""

    at_s: float
    what: str
    to: frozenset[str] = frozenset()
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """The world at one moment, and whom and what the robot has bumped into so far.

    `time_s` is how long this world has run; `pose`, `speed_mps` and `charge` are the robot's, `start` where it began.
    `things` and `people` go by id; `readings` are what sensors would tell, by the names of the skills that ask them
    (`soil_moisture_percent`); `in_frame` are the ids of what a perfect detector finds in its image now. `flying` is
    None of what cannot, `fallen` of what stands by itself; who has `crashed` lies where it fell.
    """

    time_s: float = 0.0
    pose: Pose = Pose()
    start: Pose = Pose()
    speed_mps: float = 0.0
    charge: float = 1.0
    things: Mapping[str, Real] = field(default_factory=dict)
    people: Mapping[str, Real] = field(default_factory=dict)
    in_frame: frozenset[str] = frozenset()
    contacts: tuple[Touch, ...] = ()
    readings: Mapping[str, float] = field(default_factory=dict)
    flying: bool | None = None
    crashed: bool = False
    fallen: bool | None = None

    @property
    def done(self) -> tuple[Done, ...]:
        """What has happened so far, as far as a goal may ask for it; in any order."""
        return tuple(Done(t.at_s, "touched", frozenset({t.what})) for t in self.contacts)

    @property
    def landed(self) -> bool | None:
        """Whether the robot is on the ground, where it can be in the air."""
        return None if self.flying is None else not (self.flying or self.crashed)

    @property
    def upright(self) -> bool | None:
        """Whether the robot is on its feet, where it can fall."""
        return None if self.fallen is None else not self.fallen

    @property
    def holding(self) -> str:
        """The id of what the robot holds, or nothing."""
        return next((id_ for id_, thing in self.things.items() if thing.holder == ROBOT), "")

    @property
    def there(self) -> Mapping[str, Real]:
        """Everything and everybody."""
        return {**self.things, **self.people}


class World(ABC):
    """A simulated place. It hands out an ordinary robot and perception, keeps its own time, and knows the truth.

    On a clock it is stepped every `tick_s`. After the clock has jumped it catches up in stretches of at most
    `stretch_s`, between which others get a turn.
    """

    name: ClassVar[str] = "world"
    tick_s: ClassVar[float] = 0.02
    stretch_s: ClassVar[float] = 0.25
    robot: Robot
    perception: Perception
    instruction: str = ""
    """The wish that this place was made for; empty where any will do."""

    @property
    @abstractmethod
    def time_s(self) -> float:
        """Seconds that this world has run."""

    @abstractmethod
    def step_to(self, until_s: float) -> None:
        """Let this world's time pass until then, or the last step before. Raises `RobotError` when it comes apart."""

    @abstractmethod
    def truth(self) -> Truth:
        """What is really so, for judges and pictures only: nothing on the way to a plan may read it."""

    @property
    def limits(self) -> Limits:
        """What is safe here."""
        return self.robot.limits

    async def run(self) -> None:
        """Keep up with the running loop's time, virtual or on the wall, until cancelled."""
        loop = asyncio.get_running_loop()
        began_s = loop.time() - self.time_s
        while True:
            await asyncio.sleep(self.tick_s)
            while (goal_s := loop.time() - began_s) - self.time_s > self.stretch_s:
                self.step_to(self.time_s + self.stretch_s)
                await asyncio.sleep(0)
            self.step_to(goal_s)

    def really(self) -> tuple[Pose, float]:
        """Where the robot really is, and its speed in m/s: a part of `truth` that may be cheaper to ask often."""
        truth = self.truth()
        return truth.pose, truth.speed_mps

    def physics(self) -> tuple[Any, Any] | None:
        """MuJoCo's model and data, for whoever draws the place in three dimensions; None where there are no such."""
        return None

    def land(self) -> Land | None:
        """The open country that the place lies on; None indoors and wherever the ground is flat."""
        return None

    def names(self) -> Sequence[tuple[str, Pose]]:
        """What the map calls its areas and furniture, and where to write it: words that a person can point with."""
        return ()

    def overview(self, width_px: int = 640, height_px: int = 480) -> Any:
        """The place seen from above as (height, width, 3) uint8; drawn without GL where there is none."""
        return None

    def close(self) -> None:
        """Give back what pictures needed."""
