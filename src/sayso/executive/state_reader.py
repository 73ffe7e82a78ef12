"""The reader of a robot's state, which whatever goes wrong with the robot cannot break (S9).

A driver may raise, hand out rubbish or freeze. Whoever asks here gets a state all the same: the last one that was
whole, not connected while no newer one is to be had. What the robot reports of its own speed is held against how far it
went, since an adapter may leave the speed out.
"""

import asyncio
import math
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from types import FunctionType, MethodType

from sayso.limits import REST_MPS
from sayso.roles import Check, Robot, RobotState
from sayso.scene import Pose

WINDOW_S = 0.3
"""How long a robot must not have moved to count as at rest."""

STEP_S = 0.1
"""The least time over which a velocity is measured: shorter ones would measure noise."""


class StateReader:
    """Reads one robot's state, in the world frame; `tell` is called once when it fails, and once when it works."""

    def __init__(self, robot: Robot, tell: Callable[[str], None]) -> None:
        self._robot, self._tell = robot, tell
        self._last = RobotState(connected=False)
        self._track: deque[tuple[float, Pose]] = deque()
        self._failed = ""

    def now(self) -> RobotState:
        """The state; where it cannot be read, the last whole one with `connected` False."""
        problem = ""
        try:
            state = self._robot.state()
            problem = _rubbish(state)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        if problem:
            self._miss(problem)
            return replace(self._last, connected=False)
        if self._failed:
            self._failed = ""
            self._tell("the robot's state can be read again")
        self._last = state
        self._follow(state.pose)
        return state

    def checks(self) -> tuple[Check, ...]:
        """The check list; one that cannot be read is an entry that is not as it must be."""
        try:
            return tuple(self._robot.checks())
        except Exception as error:
            return (Check("check list", f"{type(error).__name__}: {error}", "one that can be read"),)

    def blamed(self, error: BaseException) -> str:
        """The error of somebody else's reading of the state, as a skill may do it, in words; else empty."""
        state = self._robot.state
        own = state.__func__ if isinstance(state, MethodType) else state
        frames = traceback.walk_tb(error.__traceback__)
        if not isinstance(own, FunctionType) or all(frame.f_code is not own.__code__ for frame, _ in frames):
            return ""
        return f"its state could not be read ({type(error).__name__}: {error})"

    def _miss(self, problem: str) -> None:
        self._track.clear()
        if not self._failed:
            self._failed = problem
            self._tell(f"the robot's state cannot be read ({problem}); that counts as a lost link")

    def _follow(self, pose: Pose) -> None:
        now_s = asyncio.get_running_loop().time()
        if not self._track or now_s > self._track[-1][0]:
            self._track.append((now_s, pose))
        while len(self._track) > 2 and self._track[1][0] <= now_s - WINDOW_S:
            self._track.popleft()

    def velocity(self) -> tuple[float, float, float]:
        """Metres per second along x, y, z: how far it went lately, and no slower than it says of itself."""
        if len(self._track) < 2:
            return 0.0, 0.0, 0.0
        now_s, here = self._track[-1]
        then_s, there = next(((s, p) for s, p in reversed(self._track) if s <= now_s - STEP_S + 1e-9), self._track[0])
        went = tuple((a - b) / (now_s - then_s) for a, b in zip(_xyz(here), _xyz(there), strict=True))
        seen_mps = math.hypot(*went)
        scale = max(1.0, self._last.speed_mps / seen_mps) if seen_mps > REST_MPS else 1.0
        return went[0] * scale, went[1] * scale, went[2] * scale

    def speed_mps(self) -> float:
        """The larger of what it reports and what it went."""
        return max(self._last.speed_mps, math.hypot(*self.velocity()))

    def ahead(self, seconds: float) -> Pose:
        """Where it will be if it goes on like this."""
        here, (vx, vy, vz) = self._last.pose, self.velocity()
        return Pose(here.x_m + vx * seconds, here.y_m + vy * seconds, here.z_m + vz * seconds, here.yaw_rad)

    def still(self, state: RobotState | None = None) -> bool:
        """Whether it reports to be at rest, in a `state` just read, and has not gone anywhere for `WINDOW_S` (S4)."""
        state = state or self.now()
        if not state.connected or state.speed_mps > REST_MPS or len(self._track) < 2:
            return False
        then_s, (now_s, here) = self._track[0][0], self._track[-1]
        gone_m = max(math.dist(_xyz(here), _xyz(pose)) for _, pose in self._track)
        return now_s - then_s >= WINDOW_S - 1e-9 and gone_m <= REST_MPS * (now_s - then_s)


def _xyz(pose: Pose) -> tuple[float, float, float]:
    return pose.x_m, pose.y_m, pose.z_m


def _rubbish(state: object) -> str:
    """What makes this no state, in words; empty for a state."""
    if not isinstance(state, RobotState):
        return f"state() returned {type(state).__name__}, not a RobotState"
    if not all(map(math.isfinite, (*_xyz(state.pose), state.pose.yaw_rad, state.charge, state.speed_mps))):
        return "state() holds a number that is not finite"
    return ""
