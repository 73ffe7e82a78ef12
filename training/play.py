"""One sentence to a humanoid, played in virtual time: an agent, a pitch, a bystander who keeps the books.

As in the soccer suite, but the episode ends as soon as the judge is content: the next sentence waits.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from double_soccer import double
from judged_soccer import Play, Sample, Sentence, judge
from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import Event, MissionEnded, TaskStarted
from sayso.models import make as make_model
from sayso.planners.rolling import Rolling
from sayso.prompts import rolling_prompt
from sayso.robots.humanoid.suite.bystander import SAMPLE_S, Bystander
from sayso.robots.humanoid.suite.episode import MODEL_CALLS_MAX
from sayso.robots.humanoid.world.pitch import Soccer
from sayso.roles import Model, closing
from sayso.scene import Pose

LINGER_S = 3.5

DEEDS = {
    "scored": {"scored": True}, "kicked": {"kicks": 1}, "approached": {"approached": True}, "waved": {"waved": 1},
    "turned": {"turned": 60}, "looked": {"looked": 60}, "walked": {"in_place": False}, "stood": {"stands": 2},
}  # fmt: skip
"""What the world can tell of a robot, for the confusions."""


@dataclass(slots=True)
class Played:
    """An episode that is over."""

    game: Play
    events: Sequence[Event]
    ended: MissionEnded | None
    met_s: float | None
    right: bool

    @property
    def did(self) -> tuple[str, ...]:
        """What it did, whatever was asked."""
        return tuple(name for name, spec in DEEDS.items() if judge(spec)(self.game))


class Beholder(Bystander):
    """Keeps books for the sentence's judge, and what the head does."""

    def __init__(self, world: Soccer, sentence: Sentence, change: Callable[[str], None], seed: int) -> None:
        super().__init__(world, sentence.goal, change, seed)
        self.game, self._judge = Play(), sentence.judge

    def note(self) -> None:
        truth = self._world.truth()
        self.game.books = truth.books
        self.game.pans_rad.append(self._world.robot.head[0])
        self.game.samples.append(Sample.of(truth))
        if self.met_s is None and self._goal.feasible and self.met():
            self.met_s = self.now_s

    def met(self) -> bool:
        self.game.changed_s = self.changed_s
        return self._judge(self.game)


def play(sentence: Sentence, planner: str, model: str, seed: int = 0) -> Played:
    """A mission that fails is a result, not an exception."""
    clock = SimClock()
    world = Soccer(seed, **_apart(sentence.apart_m))
    brain = double(sentence) if planner == "double" else make_model(model)
    return clock.run(_episode(world, sentence, brain, seed))


def came(played: Played) -> str:
    """One of the ways of `evaluate.WAYS`."""
    if played.right:
        return "right"
    if any(not fall.pushed for fall in played.game.books.falls):
        return "fell"
    ended = played.ended
    if ended is None or ended.outcome == "achieved" or ended.reason.startswith("the time limit"):
        return "did something else"
    if ended.outcome == "error":
        return "broke"
    nothing = not played.game.begun_s
    return "refused" if nothing else "gave up"


def _apart(apart_m: float) -> dict[str, Pose | tuple[float, float]]:
    """Nothing, or robot and ball this far apart, on the long axis of the pitch."""
    if not apart_m:
        return {}
    return {"robot_at": Pose(-apart_m / 4, 0.0, 0.0, math.pi), "ball_at": (0.75 * apart_m, 0.0)}


async def _episode(world: Soccer, sentence: Sentence, model: Model, seed: int) -> Played:
    limits = replace(world.robot.limits, mission_max_s=sentence.goal.limit_s, model_calls_max=MODEL_CALLS_MAX)
    agent = Agent(world=world, model=model, planner=lambda heard: Rolling(heard, rolling_prompt), limits=limits)
    later = asyncio.Event()

    def change(text: str) -> None:
        """Before the first wish is met it replaces that; after that it is a new one."""
        if agent.mission:
            agent.change(text)
        else:
            later.set()

    beholder, events = Beholder(world, sentence, change, seed), list[Event]()
    async with agent:
        watching = asyncio.ensure_future(beholder.watch())
        try:
            ended = await _mission(agent, sentence.say, beholder, events, watching)
            if ended and sentence.then and beholder.changed_s is None:
                await asyncio.wait([asyncio.ensure_future(later.wait()), watching], return_when=asyncio.FIRST_COMPLETED)
                ended = await _mission(agent, sentence.then, beholder, events, watching)
            beholder.game.claimed = None if ended is None else ended.outcome == "achieved"
            if beholder.game.claimed:
                await _linger(beholder, watching)
        finally:
            broken = watching.done()
            watching.cancel()
            await asyncio.wait([watching])
        if broken:
            watching.result()  # raises what went wrong in the evaluation itself
        right = beholder.met_s is not None or (ended is not None and beholder.met())
    return Played(beholder.game, events, ended, beholder.met_s, right)


async def _linger(beholder: Beholder, watching: asyncio.Future[None]) -> None:
    """A quick model says that it is done before the robot has stood there long enough for the judge."""
    for _ in range(round(LINGER_S / SAMPLE_S)):
        if beholder.met_s is not None or watching.done():
            return
        await asyncio.sleep(SAMPLE_S)


async def _mission(
    agent: Agent, say: str, beholder: Beholder, seen: list[Event], watching: asyncio.Future[None]
) -> MissionEnded | None:
    """Until the agent ends it, the judge is content, or the watch has broken down."""
    async with closing(agent.say(say)) as events:
        async for event in events:
            seen.append(event)
            if isinstance(event, TaskStarted):
                beholder.game.begun_s.append(beholder.now_s)
            if isinstance(event, MissionEnded):
                return event
            if beholder.met_s is not None or watching.done():
                return None
    return None
