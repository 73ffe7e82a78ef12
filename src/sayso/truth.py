"""What is really so in a simulated world. It is for judges and pictures; nothing on the way to a plan may read it.

A kind of world that knows more than this has a truth of its own, which is one of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from sayso.scene import Pose

Size: TypeAlias = tuple[float, float, float]
ROBOT = "robot"
"""Who holds what the robot holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Real:
    """Something or somebody that is there.

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
    """The robot met something that it should not. Seconds of the world."""

    what: str
    at_s: float


@dataclass(frozen=True, slots=True)
class Done:
    """Something that happened: the predicate of the language of goals that it makes true, the ids of those to whom, and
    the text that was said."""

    at_s: float
    what: str
    to: frozenset[str] = frozenset()
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """The world at one moment, and whom and what the robot has bumped into so far.

    `time_s` is how long this world has run; `pose`, `speed_mps` and `charge` are the robot's, `start` where it began.
    `things` and `people` go by id; `readings` are what sensors would tell, by the names of the skills that ask them
    (`soil_moisture_percent`); `in_frame` are the ids of what a perfect detector finds in its image now.
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

    @property
    def done(self) -> tuple[Done, ...]:
        """What has happened so far, as far as a goal may ask for it; in any order."""
        return tuple(Done(t.at_s, "touched", frozenset({t.what})) for t in self.contacts)

    @property
    def landed(self) -> bool | None:
        """Whether the robot is on the ground, where it can be in the air."""
        return None

    @property
    def upright(self) -> bool | None:
        """Whether the robot is on its feet, where it can fall."""
        return None

    @property
    def holding(self) -> str:
        """The id of what the robot holds, or nothing."""
        return next((id_ for id_, thing in self.things.items() if thing.holder == ROBOT), "")

    @property
    def there(self) -> Mapping[str, Real]:
        """Everything and everybody."""
        return {**self.things, **self.people}
