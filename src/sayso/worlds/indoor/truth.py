"""What is really so in furnished rooms: where everything and everybody is, who has what, and all that was said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sayso.scene import Pose
from sayso.world import ROBOT, Done, Real, Truth
from sayso.worlds.indoor.voice import Said


@dataclass(frozen=True, slots=True, kw_only=True)
class Somebody(Real):
    """A person. `led` is whether they have led the robot all the way, `heard` what the robot said in their hearing."""

    posture: str = "standing"
    led: bool = False
    heard: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IndoorTruth(Truth):
    """Furnished rooms at one moment. `room` and `place` are the robot's, `said` is in order, `closed` names doors."""

    room: str = ""
    place: str = ""
    people: Mapping[str, Somebody] = field(default_factory=dict)
    said: tuple[Said, ...] = ()
    closed: frozenset[str] = frozenset()

    @property
    def done(self) -> tuple[Done, ...]:
        heard = [Done(s.at_s, "heard", frozenset(s.heard_by), s.text) for s in self.said if s.by == ROBOT]
        led = [Done(self.time_s, "followed", frozenset({name})) for name, one in self.people.items() if one.led]
        here = [Done(self.time_s, "visited", frozenset({self.place}))] if self.place else []
        return (*super(IndoorTruth, self).done, *heard, *led, *here)

    @property
    def there(self) -> Mapping[str, Real]:
        """Closed doors are things of their own."""
        doors = {name: Real(label=name, pose=Pose(), attributes={"state": "closed"}) for name in self.closed}
        return {**super(IndoorTruth, self).there, **doors}
