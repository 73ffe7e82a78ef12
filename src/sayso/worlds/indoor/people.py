"""The people in furnished rooms: where each is, what they look like, and how they walk, lead and follow.

They walk along the same grid as the robot, a little slower than it, stop before whoever stands in their way, and do not
step back. What they hear and say is `voice`'s part.
"""

import math
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from sayso.scene import Pose, wrap
from sayso.worlds.indoor.grid_path import GridMap, find_path
from sayso.worlds.indoor.person import HAND_M, VOICE_M, Body

WALK_MPS = 0.7
TURN_RADPS = 2.5
BEHIND_M = 0.95
"""How far behind the robot a follower stays."""

AHEAD_M = 2.2
"""Who leads the way waits for a robot that is further behind than this."""

UP_TO_M = 0.6
"""Who has been guided somewhere comes so near to the robot in the end."""

LOST_M = 4.0
"""A robot that is further ahead than this has lost its follower, who stands still then."""

RADIUS_M = 0.22
KEEP_M = 0.50
"""A person does not come nearer than this to the robot, nor to another person when walking."""

CLOSE_M = 0.9
"""Near enough to where a person wants to go, where others stand in the way."""

ROUND_M = 0.33
"""How far round somebody else a way is planned, besides the walker's own radius."""

CRUMB_M, ON_TRAIL_M = 0.1, 0.3
PATIENCE_S = 1.0
"""How long a walking person waits before looking for another way."""

WAVE_HZ = 1.2


@dataclass
class Person:
    """One person: who and how they are, what they will say, and what they are about. Words in `when` of their answers
    must all be in a question."""

    label: ClassVar[str] = "person"

    name: str
    gender: str
    pose: Pose
    posture: str = "standing"
    gesture: str = ""
    shirt: str = "grey"
    garment: str = "t-shirt"
    answers: tuple[tuple[tuple[str, ...], str], ...] = ()
    asks: tuple[str, ...] = ()
    leads_to: str = ""
    body: Body = field(init=False)
    start: Pose = field(init=False)
    following: bool = False
    path: deque[tuple[float, float]] = field(default_factory=deque)
    goal: tuple[float, float] | None = None
    leading: bool = False
    led: bool = False
    """Has led the robot all the way."""
    held_up_s: float = 0.0
    look_at: float | None = None
    arrived: Callable[[], None] | None = None

    def __post_init__(self) -> None:
        self.start = self.pose

    @property
    def id(self) -> str:
        return self.name

    @property
    def walking(self) -> bool:
        return bool(self.path)

    @property
    def attributes(self) -> dict[str, str]:
        """What an onlooker sees; a face that is known has a name."""
        seen = {
            "name": self.name,
            "gender": self.gender,
            "pose": "walking" if self.walking else self.posture,
            "shirt": self.shirt,
            "clothing": f"{self.shirt} {self.garment}",
        }
        if self.gesture:
            seen["gesture"] = self.gesture
        return seen

    @property
    def mouth(self) -> tuple[float, float, float]:
        return self.pose.x_m, self.pose.y_m, self.pose.z_m + VOICE_M[self.posture]

    def hand(self) -> Pose:
        """Where a thing is that the person holds."""
        return self.pose.moved(0.30, 0.0, HAND_M[self.posture])

    def show(self, now_s: float = 0.0) -> None:
        self.body.place(self.pose)
        sway = math.sin(2 * math.pi * WAVE_HZ * now_s) if self.gesture == "waving" else 0.0
        self.body.show(self.posture, self.gesture, sway)


class People:
    """Everybody. `free` is the flat without people and with the doors as they are now."""

    def __init__(self, people: Iterable[Person], free: Callable[[], GridMap]) -> None:
        self.all = {person.name: person for person in people}
        self._free = free
        self._trail: deque[tuple[float, float]] = deque(maxlen=400)
        self._waved = 0
        self._robot = (math.inf, math.inf)
        for person in self.all.values():
            person.show()

    def stand_up(self, person: Person) -> None:
        """Onto the feet, beside what the person sat or lay on."""
        if person.posture == "lying" and person.pose.z_m > 0:
            near = find_path(self._free(), (0.0, 0.0), person.pose.xy, RADIUS_M, near_m=1.6)
            if near:
                person.pose = Pose(*near[-1], yaw_rad=person.pose.yaw_rad)
        person.posture = "standing"
        person.show()

    def send(self, person: Person, goal: tuple[float, float], near_m: float = 0.8, leading: bool = False) -> bool:
        """Let a person walk somewhere, waiting for the robot where `leading`; False where there is no way."""
        self.stand_up(person)
        path = self._way(person, goal, near_m)
        if path is None:
            return False
        person.following, person.leading, person.goal, person.path = False, leading, goal, path
        return True

    def _way(self, person: Person, goal: tuple[float, float], near_m: float) -> deque[tuple[float, float]] | None:
        """Round the robot and everybody else, or else as if they would step aside."""
        at, free = person.pose.xy, self._free()
        others = [o for o in self._others(person) if 0.3 < math.dist(o, at) < 4.0]
        for grid in (free.marked(others, ROUND_M), free):
            if path := find_path(grid, at, goal, RADIUS_M, near_m=near_m):
                return deque(path[1:])
        return None

    def _others(self, person: Person) -> list[tuple[float, float]]:
        """Where everybody else is, and the robot."""
        return [*(p.pose.xy for p in self.all.values() if p is not person), self._robot]

    def follow(self, person: Person) -> None:
        self.stand_up(person)
        person.following = True
        person.path.clear()
        self._trail.clear()

    def arrive(self, person: Person) -> None:
        """Come up to the robot, and stay."""
        at, robot = person.pose.xy, self._robot
        far, person.following, person.leading = math.dist(at, robot), False, False
        person.path.clear()
        if UP_TO_M < far < LOST_M and self._free().clear(at, robot, 0.1):
            share = (far - UP_TO_M) / far
            person.path.append((at[0] + share * (robot[0] - at[0]), at[1] + share * (robot[1] - at[1])))

    def tick(self, dt_s: float, now_s: float, robot: Pose) -> None:
        """Everybody's next step."""
        here = self._robot = robot.xy
        if not self._trail or math.dist(self._trail[-1], here) > CRUMB_M:
            self._trail.append(here)
        self._waved += 1
        for person in self.all.values():
            if person.following:
                self._keep_behind(person)
            moved = self._step(person, dt_s)
            if moved or (person.gesture == "waving" and self._waved % 4 == 0):
                person.show(now_s)

    def _keep_behind(self, person: Person) -> None:
        """Follow the robot's own trail, as far as the place behind it."""
        at, robot = person.pose.xy, self._robot
        if math.dist(at, robot) < BEHIND_M or math.dist(at, robot) > LOST_M:
            person.path.clear()
            person.look_at = math.atan2(robot[1] - at[1], robot[0] - at[0])
            return
        crumbs = list(self._trail)
        nearest = min(range(len(crumbs)), key=lambda i: math.dist(crumbs[i], at))
        nearest += math.dist(crumbs[nearest], at) < ON_TRAIL_M  # on it already: never back to where one has been
        ahead = [c for c in crumbs[nearest:] if math.dist(c, robot) > BEHIND_M * 0.9]
        free = self._free()
        direct = free.clear(at, robot, 0.1) and free.clear(at, ahead[-1] if ahead else robot, RADIUS_M)
        person.path = deque(ahead[-1:] if direct and ahead else ahead or [robot])

    def _step(self, person: Person, dt_s: float) -> bool:
        """One step along the path, or a turn towards what the person looks at; whether anything moved."""
        if not person.path:
            if person.arrived:
                self._there(person)
            return self._turn(person, dt_s)
        pose, goal = person.pose, person.path[0]
        if person.leading and math.dist(pose.xy, self._robot) > AHEAD_M:
            return False
        way = math.atan2(goal[1] - pose.y_m, goal[0] - pose.x_m)
        far = math.dist(pose.xy, goal)
        pace = min(WALK_MPS * dt_s, far)
        there = (pose.x_m + pace * math.cos(way), pose.y_m + pace * math.sin(way))
        if self._in_the_way(person, there):
            person.held_up_s += dt_s
            if person.held_up_s > PATIENCE_S and person.goal:
                self._think_again(person)
            return self._turn(person, dt_s)
        person.held_up_s = 0.0
        turn = max(-TURN_RADPS * dt_s, min(TURN_RADPS * dt_s, wrap(way - pose.yaw_rad)))
        person.pose = Pose(*there, pose.z_m, wrap(pose.yaw_rad + turn))
        if far - pace < 0.02:
            person.path.popleft()
            if not person.path:
                self._there(person)
        return True

    def _think_again(self, person: Person) -> None:
        """Somebody stands in the way: near enough to the goal will do, else there may be a way round."""
        assert person.goal is not None
        person.held_up_s = 0.0
        if math.dist(person.pose.xy, person.goal) < CLOSE_M:
            person.path.clear()
            self._there(person)
            return
        person.path = self._way(person, person.goal, 0.8) or person.path

    def _there(self, person: Person) -> None:
        person.led = person.led or person.leading
        person.goal, person.leading = None, False
        person.look_at = math.atan2(self._robot[1] - person.pose.y_m, self._robot[0] - person.pose.x_m)
        if person.arrived:
            done, person.arrived = person.arrived, None
            done()

    def _in_the_way(self, person: Person, there: tuple[float, float]) -> bool:
        """Whether the step comes too near to somebody, and nearer than now."""
        at = person.pose.xy
        return any(math.dist(there, o) < min(KEEP_M, math.dist(at, o)) for o in self._others(person))

    def _turn(self, person: Person, dt_s: float) -> bool:
        if person.look_at is None or person.posture != "standing":
            return False
        off = wrap(person.look_at - person.pose.yaw_rad)
        if abs(off) < 0.02:
            person.look_at = None
            return False
        turn = max(-TURN_RADPS * dt_s, min(TURN_RADPS * dt_s, off))
        person.pose = person.pose.moved(turn_rad=turn)
        return True
