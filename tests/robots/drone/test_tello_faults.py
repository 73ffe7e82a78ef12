"""A Tello whose line fails: the rules of docs/safety.md on seeded missions, on simulated time, datagrams and all.

python tests/robots/drone/test_tello_faults.py [KIND [FIRST [COUNT]]]      plays more, and prints what was broken
"""

from __future__ import annotations

import asyncio
import math
import os
import random
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tello_wire import ROOM, Wire, office

from sayso.agent import Agent
from sayso.clock import SimClock, WallClock
from sayso.errors import RobotError
from sayso.events import Event, MissionEnded, Stopped
from sayso.parts import closing
from sayso.robots.drone.tello.adapter import LIMITS, Tello
from sayso.robots.drone.tello.face import Face
from sayso.robots.drone.tello.protocol import SILENCE_S
from sayso.robots.drone.world.office import FlightTruth

WISHES = (
    "take off, go forward 2 metres, turn around, go forward 2 metres, land",
    "take off, go left 1 metre, go forward 2 metres, go right 2 metres, return home",
    "move up 50 cm, turn left, go forward 150 cm, turn left, go forward 150 cm",
    "take off, wait 4 seconds, go back 2 metres, go forward 2 metres, go forward 2 metres, land",
)
KINDS = ("lossy", "cut 1", "cut 5", "cut 20", "machine gone", "program gone")
"""10 % of datagrams lost; the line cut for so many seconds; the face closed; nothing of ours heard any more."""

OVERSHOOT_M = 0.35
"""How far outside the zone the drone may really be: what dead reckoning and a look of the fence add up to here."""

HOVERS_MPS = 0.3
BY_ITSELF_S = SILENCE_S + 20.0
"""A motion that it had been given, the silence, the way down."""

OVER_S = 400.0
MOTIONS = ("takeoff", "forward", "back", "left", "right", "up", "down", "cw", "ccw", "go", "rc")


class Far(Tello):
    """The adapter at its end of a wire."""

    def __init__(self, wire: Wire, port: int) -> None:
        super().__init__(ROOM, "127.0.0.1", port, 0)
        self.identity, self._wire = "", wire

    async def _connect(self) -> None:
        await super()._connect()
        self._wire.out.peer = ("127.0.0.1", self.link.state_port)


@dataclass
class Stage:
    """One mission with a line that fails at `fails_s`, and a person who may stop it; what was `broken` in it."""

    kind: str
    seed: int
    broken: list[str] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    furthest_m: float = 0.0
    stopped_s: float = math.inf

    def __post_init__(self) -> None:
        chance = random.Random(f"{self.kind} {self.seed}")
        self.wish, self.fails_s = chance.choice(WISHES), chance.uniform(0.5, 14.0)
        self.stops_s = chance.choice([math.inf, chance.uniform(0.5, 14.0)])
        self.wire = Wire(0.1 if self.kind == "lossy" else 0.0, self.seed)
        self.world = office()
        self.face = Face(self.world.drone)
        self.start = self.truth.pose

    @property
    def truth(self) -> FlightTruth:
        return self.world.truth()

    async def play(self) -> None:
        beside = [asyncio.ensure_future(self.world.run())]
        port = await self.wire.open(await self.face.open())
        self.face.state_port = await self.wire.states.open()
        agent = Agent(Far(self.wire, port))
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
        limits, c, s = ROOM.within(LIMITS), math.cos(self.start.yaw_rad), math.sin(self.start.yaw_rad)
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
        if self.truth.flying and not problem:
            self.broken.append("S12: closed without a word, and it flies")
        if self.kind != "machine gone":
            await self.lands("it never came down")

    async def lands(self, else_broken: str) -> None:
        try:
            await _until(lambda: not self.world.drone.flying, BY_ITSELF_S)
        except TimeoutError:
            self.broken.append(else_broken)

    # What must hold

    def judge(self) -> None:
        if self.furthest_m > OVERSHOOT_M:
            self.broken.append(f"S10: {self.furthest_m:.2f} m outside the zone")
        if self.truth.crashed or self.truth.contacts:
            self.broken.append(f"it has crashed or bumped: {self.truth.contacts}")
        endings = [e for e in self.events if isinstance(e, MissionEnded)]
        if len(endings) != 1 or self.events[-1] is not endings[0]:
            self.broken.append(f"S13: {len(endings)} endings")
        words = [(s, text.split()[0]) for s, text in self.face.log]
        if later := [word for s, word in words if word in MOTIONS and s > self.stopped_s]:
            self.broken.append(f"S1: told to move after the stop: {later}")
        if "emergency" in {word for _, word in words}:
            self.broken.append("S3: its motors were cut, and nobody had set that")


def played(kind: str, seed: int) -> Stage:
    stage = Stage(kind, seed)
    SimClock().run(stage.play())
    return stage


def broken(kind: str, seeds: range) -> list[str]:
    return [f"{kind}, seed {seed}: {what}" for seed in seeds for what in played(kind, seed).broken]


@pytest.mark.parametrize("kind", KINDS)
def test_no_rule_is_broken_while_the_line_fails(kind: str) -> None:
    """S1, S3, S4, S10, S12 and S13, for two missions; the slow tests play two hundred."""
    assert broken(kind, range(2)) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_rule_is_broken_in_two_hundred_missions(kind: str) -> None:
    assert broken(kind, range(200)) == []


@pytest.mark.slow
def test_a_program_that_is_killed_leaves_a_machine_that_lands(tmp_path: Path) -> None:
    """The real thing, on real time: `sayso run` on the far end of a wire is killed in mid-flight."""

    async def main() -> None:
        world = office()
        face, running = Face(world.drone), asyncio.ensure_future(world.run())
        wire = Wire()
        port, face.state_port = await wire.open(await face.open()), await wire.states.open()
        state_port = await (spare := type(wire.out)(lambda data: None)).open()
        spare.close()
        await asyncio.sleep(0.1)
        wire.out.peer = ("127.0.0.1", state_port)
        program = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "sayso", "run", "--robot", f"tello:127.0.0.1:{port}:{state_port}", "--no-memory",
            "--zone", "ahead=2,back=2,left=2,right=2,up=2", "take off and wait 50 seconds",
            env={**os.environ, "SAYSO_HOME": str(tmp_path)}, stdout=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        await _until(lambda: world.truth().pose.z_m > 0.8, 60.0)
        program.send_signal(signal.SIGKILL)
        await program.wait()
        await asyncio.sleep(5.0)
        assert world.truth().flying
        await _until(lambda: not world.truth().flying, BY_ITSELF_S)
        assert not world.truth().crashed
        running.cancel()
        face.close()
        wire.close()

    WallClock().run(main())


async def _until(so: Callable[[], bool], within_s: float) -> None:
    async with asyncio.timeout(within_s):
        while not so():
            await asyncio.sleep(0.1)


if __name__ == "__main__":
    kind, first, count = (*sys.argv[1:], *("all", "0", "20")[len(sys.argv) - 1 :])
    for one in KINDS if kind == "all" else (kind,):
        found = broken(one, range(int(first), int(first) + int(count)))
        print(f"{one}: {count} missions, {len(found)} broken", *found, sep="\n  ", flush=True)
