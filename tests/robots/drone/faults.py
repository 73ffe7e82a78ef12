"""A machine whose line fails: the rules of docs/safety.md on seeded missions, on simulated time, datagrams and all.

Which machine is a `Stage`'s business; this is what happens to each of them, and what must hold.
"""

from __future__ import annotations

import asyncio
import math
import os
import random
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from wire import ROOM, Wire, office

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import RobotError
from sayso.events import Event, MissionEnded, Stopped
from sayso.limits import Limits
from sayso.robots.drone.world.office import Office
from sayso.roles import Robot, closing

WISHES = (
    "take off, go forward 2 metres, turn around, go forward 2 metres, land",
    "take off, go left 1 metre, go forward 2 metres, go right 2 metres, return home",
    "move up 50 cm, turn left, go forward 150 cm, turn left, go forward 150 cm",
    "take off, wait 4 seconds, go back 2 metres, go forward 2 metres, go forward 2 metres, land",
)
KINDS = ("lossy", "cut 1", "cut 5", "cut 20", "machine gone", "program gone")
"""10 % of datagrams lost; the line cut for so many seconds; the face closed; nothing of ours heard any more."""

OVERSHOOT_M = 0.35
"""How far outside the zone the drone may really be: what its own idea of where it is and a look of the fence add up to
here."""

HOVERS_MPS = 0.3
OVER_S = 400.0


@dataclass
class Stage(ABC):
    """One mission with a line that fails at `fails_s`, and a person who may stop it; what was `broken` in it."""

    kind: str
    seed: int
    broken: list[str] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    furthest_m: float = 0.0
    stopped_s: float = math.inf

    limits: ClassVar[Limits]
    by_itself_s: ClassVar[float]
    """How long after the last word the machine may take to stand: a motion that it had, the silence, the way down."""

    wishes: ClassVar[tuple[str, ...]] = WISHES
    overshoot_m = OVERSHOOT_M
    moves: ClassVar[frozenset[str]] = frozenset()
    """How its face's log begins where it was told to move."""

    cuts: ClassVar[str] = "no such word"
    """How it begins where its motors were cut."""

    def __post_init__(self) -> None:
        chance = random.Random(f"{self.kind} {self.seed}")
        self.wish, self.fails_s = chance.choice(self.wishes), chance.uniform(0.5, 14.0)
        self.stops_s = chance.choice([math.inf, chance.uniform(0.5, 14.0)])
        self.world = self.place()
        self.start = self.truth.pose
        self.wire, self.face = self.machine(0.1 if self.kind == "lossy" else 0.0)

    @abstractmethod
    def machine(self, lost: float) -> tuple[Wire, Any]:
        """A line that loses that share, and a face for the drone of `world`."""

    @abstractmethod
    async def plug(self) -> Robot:
        """The adapter at one end of the line, the open face at the other."""

    def place(self) -> Any:
        """The world behind the line."""
        return office()

    def rests(self) -> bool:
        """Whether it is really where it can be left alone."""
        return not self.world.drone.flying

    def told_to_move(self, text: str) -> bool:
        """Whether a line of its face's log says so."""
        return text.startswith((*self.moves, self.cuts))

    @property
    def truth(self) -> Any:
        return self.world.truth()

    async def play(self) -> None:
        beside = [asyncio.ensure_future(self.world.run())]
        agent = Agent(await self.plug())
        await agent.open()
        beside += [asyncio.ensure_future(work) for work in (self.look(), self.fail(), self.stop(agent))]
        try:
            async with asyncio.timeout(OVER_S):
                if self.kind == "program gone":
                    await self.program_gone(agent)
                else:
                    await self.fly(agent)
                await self.close(agent)
        except TimeoutError:
            self.broken.append(f"S13: it was not over after {OVER_S:g} s")
        for work in beside:
            work.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        self.face.close()
        self.wire.close()
        self.judge()

    # What happens

    async def fly(self, agent: Agent) -> None:
        async with closing(agent.say(self.wish)) as happening:
            async for event in happening:
                self.events.append(event)
                if isinstance(event, Stopped) and event.confirmed and self.truth.speed_mps > HOVERS_MPS:
                    self.broken.append(f"S4: it rests, they say, at {self.truth.speed_mps:.2f} m/s")

    async def fail(self) -> None:
        await asyncio.sleep(self.fails_s)
        if self.kind.startswith("cut"):
            self.wire.cut = True
            await asyncio.sleep(float(self.kind.split()[1]))
            self.wire.cut = False
        elif self.kind == "machine gone":
            self.face.close()

    async def stop(self, agent: Agent) -> None:
        if math.isfinite(self.stops_s):
            await asyncio.sleep(self.stops_s)
            self.stopped_s = asyncio.get_running_loop().time()
            agent.stop("a person")

    async def look(self) -> None:
        """How far from the zone it really is."""
        limits, c, s = ROOM.within(self.limits), math.cos(self.start.yaw_rad), math.sin(self.start.yaw_rad)
        while True:
            pose, _ = self.world.really()
            dx, dy, dz = pose.x_m - self.start.x_m, pose.y_m - self.start.y_m, pose.z_m - self.start.z_m
            seen = type(pose)(c * dx + s * dy, c * dy - s * dx, dz)
            self.furthest_m = max(self.furthest_m, limits.beyond_m(seen))
            await asyncio.sleep(0.1)

    async def program_gone(self, agent: Agent) -> None:
        """What lands it is the machine."""
        flying = asyncio.ensure_future(self.fly(agent))
        await asyncio.wait([flying], timeout=self.fails_s)
        self.wire.cut = True
        await self.lands("it flies on without a program")
        agent.stop("the end of the test")
        await asyncio.wait([flying])

    async def close(self, agent: Agent) -> None:
        """It has landed, or the person is told that it has not, and the machine does it by itself (S12)."""
        problem = ""
        try:
            await agent.close()
        except RobotError as error:
            problem = str(error)
        if not self.rests() and not problem:
            self.broken.append("S12: closed without a word, and it moves")
        if self.kind != "machine gone":
            await self.lands("it never came down")

    async def lands(self, else_broken: str) -> None:
        try:
            await until(self.rests, self.by_itself_s)
        except TimeoutError:
            self.broken.append(else_broken)

    # What must hold

    def judge(self) -> None:
        if self.furthest_m > self.overshoot_m:
            self.broken.append(f"S10: {self.furthest_m:.2f} m outside the zone")
        if self.truth.contacts or getattr(self.truth, "crashed", False):
            self.broken.append(f"it has crashed or bumped: {self.truth.contacts}")
        endings = [e for e in self.events if isinstance(e, MissionEnded)]
        if len(endings) != 1 or self.events[-1] is not endings[0]:
            self.broken.append(f"S13: {len(endings)} endings")
        told = [(s, text) for s, text in self.face.log if self.told_to_move(text)]
        if later := [text for s, text in told if s > self.stopped_s]:
            self.broken.append(f"S1: told to move after the stop: {later}")
        if any(text.startswith(self.cuts) for _, text in told):
            self.broken.append("S3: its motors were cut, and nobody had set that")


def broken(stage: type[Stage], kind: str, seeds: range) -> list[str]:
    found = []
    for seed in seeds:
        one = stage(kind, seed)
        SimClock().run(one.play())
        found += [f"{kind}, seed {seed}: {what}" for what in one.broken]
    return found


async def killed_in_flight(world: Office, robot: str, home: Path) -> None:
    """`sayso run` with that robot, which takes off and is then killed for good."""
    await killed(lambda: world.truth().pose.z_m > 0.8, robot, home, "take off and wait 50 seconds")


async def killed(when: Callable[[], bool], robot: str, home: Path, wish: str) -> None:
    """`sayso run` with that robot and wish, which is killed for good `when` it is so."""
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "sayso", "run", "--robot", robot, "--no-memory",
        "--zone", "ahead=2,back=2,left=2,right=2,up=2", wish,
        env={**os.environ, "SAYSO_HOME": str(home)}, stdout=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    await until(when, 60.0)
    program.send_signal(signal.SIGKILL)
    await program.wait()


async def until(so: Callable[[], bool], within_s: float) -> None:
    async with asyncio.timeout(within_s):
        while not so():
            await asyncio.sleep(0.1)


def report(stage: type[Stage], words: list[str]) -> None:
    """[KIND [FIRST [COUNT]]]: plays that many, and prints what was broken."""
    kind, first, count = (*words, *("all", "0", "20")[len(words) :])
    for one in KINDS if kind == "all" else (kind,):
        found = broken(stage, one, range(int(first), int(first) + int(count)))
        print(f"{one}: {count} missions, {len(found)} broken", *found, sep="\n  ", flush=True)
