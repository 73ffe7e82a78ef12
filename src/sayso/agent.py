"""The agent: the loop of the system, in the order of the picture.

     instruction ─► prompt ─► model ─► language ─► executive ─► skills ─► robot
          ▲                                                                 │
        memory ◄──────────── events ◄──────── scene ◄──────── perception ◄──┘

`Agent` joins the parts and takes instructions; a `Mission` follows one of them from the sentence to the verdict.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from sayso import events as ev
from sayso.clock import WallClock, current
from sayso.errors import JournalError, RobotError, UsageError
from sayso.executive import Executive
from sayso.executive.halting import begun, bounded
from sayso.executive.latch import Latch
from sayso.executive.missions import DirectorExecutive
from sayso.executive.ownership import claim, unclaim
from sayso.executive.state_reader import StateReader
from sayso.executive.supervisor import Supervisor
from sayso.limits import Limits
from sayso.memory.journal import stops_folder
from sayso.memory.last_mission import latest
from sayso.memory.pictures import keep_picture
from sayso.mission import Mission
from sayso.mission.defaults import make_planner, settled
from sayso.mission.mission_perception import MissionPerception, VisionModel
from sayso.models import make as connect
from sayso.models.metered import MeteredModel
from sayso.models.pocket import Embedding
from sayso.planners.plan_run import Approve
from sayso.planners.reflex import Reflex, urgent
from sayso.planners.stream import Stream
from sayso.plugins.kits import Capabilities, MissionServices, words_for
from sayso.plugins.loading import being_read
from sayso.prompts import plan_prompt, probe_prompt
from sayso.result import Result
from sayso.roles import (
    Exchange,
    Filed,
    Knowing,
    Memory,
    Model,
    Observation,
    Perception,
    Planner,
    Recalling,
    Robot,
    Seeing,
    answered,
    closing,
)
from sayso.scene import Pose, Scene
from sayso.skill import SkillSet
from sayso.skills import capabilities
from sayso.understanding import requested
from sayso.understanding.self_model import SelfModel
from sayso.understanding.self_questions import recalls
from sayso.wish import Wish
from sayso.world import World

OPEN_TIMEOUT_S = 30.0
LATCHED_S = 2.0

Emit: TypeAlias = Callable[[ev.Event], None]


class Agent:
    """One robot that acts on what it is told.

        agent = Agent(Rover(), model=my_model)
        async for event in agent.say("go to the door"):
            print(event)

    Without a model, plain commands still work: the `reflex` planner reads them. One that is named is asked by the
    planner of the robot's kind, as on the command line; any other one for plans. A `world` is stepped while a mission
    runs and brings robot and perception along. `skills` has the last word on what can be asked for, `executive` may
    bring another one and `kind` says for which kind of robot is planned (a replay does both). With a `watchdog_s` the
    robot stops when nobody has said `alive()` for so long. With `earlier`, the conversation so far, planners are told
    of it, and every wish goes on with it. `embed` compares names by meaning (texts to vectors of length 1, one a row).
    The model `onlooker` is shown the camera's picture where something is asked about what is in view.
    """

    def __init__(
        self,
        robot: Robot | None = None,
        *,
        world: World | None = None,
        perception: Perception | None = None,
        model: Model | str | None = None,
        planner: Planner | Callable[[Model], Planner] | None = None,
        memory: Memory | None = None,
        limits: Limits | None = None,
        skills: Callable[[SkillSet], SkillSet] = lambda all_of_them: all_of_them,
        executive: Callable[[SkillSet, Emit], Executive] | None = None,
        kind: str = "",
        setup: Mapping[str, Any] | None = None,
        pictures: Path | None = None,
        watchdog_s: float = 0.0,
        earlier: Sequence[Exchange] | None = None,
        embed: Callable[[Sequence[str]], Any] | None = None,
        onlooker: Model | str | None = None,
    ) -> None:
        if robot is None:
            if world is None:
                raise UsageError("an agent needs a robot, or a world that has one")
            robot = world.robot
        self.robot = robot
        self.kind = kind or self.robot.kind
        self.world = world
        self.memory = memory
        self.recalling = memory if isinstance(memory, Recalling) else None
        self.limits = limits or self.robot.limits
        self.setup = dict(setup or {})
        self.pictures = pictures
        self.watchdog_s = watchdog_s
        self.earlier = None if earlier is None else list(earlier)
        self.trail: list[Pose] = []
        self.embed = embed
        self._alive_s = 0.0
        self.mission: Mission | None = None
        self._last: Mission | None = None
        if isinstance(model, str):
            name, model, self.embed = model, connect(model), embed or Embedding()
            planner = planner or make_planner(settled(name, "", self.kind)[1], model, self.robot)
        self.model = MeteredModel(model, self.emit, self.limits) if model else None
        self.onlooker = self._sighted(onlooker)
        self.perception = perception or (world.perception if world else None)
        self.reading = StateReader(self.robot, lambda text: None)
        self.eyes = MissionPerception(self.robot, self.reading, self.perception, self.recalling, self.emit)
        self.planner = self._planner(planner)
        self._latch = Latch(stops_folder(), self.robot.identity, self._warn_soon) if self.robot.identity else None
        self._choose_skills = skills
        brings = self._capabilities()
        self.skills, self.ground = brings.skills, brings.ground
        self.executive = executive(self.skills, self.emit) if executive else self._director(brings)
        self._pump: asyncio.Future[Any] | None = None
        self._obeying: asyncio.Future[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._supervisor: Supervisor | None = None

    def say(self, wish: str | Wish, *, approve: Approve | None = None) -> Saying:
        """Do what a person wishes, in a sentence or with the answers to what was asked back; yields every event, the
        last one a `MissionEnded` (S13).

        Leaving the loop early stops the robot, ends the mission and latches nothing (S7). "Stop" and "land" are obeyed
        at once, also while another mission runs, and are never shown to a model. When it is iterated while another
        mission runs it raises `UsageError`.
        """
        return Saying(self, wish if isinstance(wish, Wish) else Wish(wish), approve)

    async def do(self, wish: str | Wish, *, approve: Approve | None = None) -> Result:
        """Do what a person wishes, and return the result. A word that was obeyed during another mission ends as
        achieved.

        result = await agent.do("go to the chair")
        if result.asked:
            result = await agent.do(result.answered("the left one"))
        """
        async with closing(self.say(wish, approve=approve)) as happening:
            return Result.of([event async for event in happening])

    async def follow(self, mission: Mission) -> AsyncIterator[ev.Event]:
        """Yield the mission's events, each once it is on record; a caller that stops iterating ends the mission."""
        running = asyncio.ensure_future(mission.run())
        try:
            while (event := await mission.happened.get()) is not None:
                await mission.acknowledged()
                yield event
        finally:
            if not running.done():
                mission.leave()
            while not running.done():
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.wait([running])

    async def begin(self, wish: Wish, approve: Approve | None) -> Mission | None:
        """Begin a mission for the wish; None where it was a word that is obeyed at once, such as stop. Raises
        `UsageError` while one runs."""
        earlier = await self._recalled(wish)
        while self.mission and self.mission.left:
            await self.mission.over.wait()
        word = urgent(wish.latest)
        if self.mission and word:
            await self._obey(word, wish.latest)
            return None
        if self.mission:
            raise UsageError("a mission is running; stop it, or wait for its end")
        self.mission = self._last = Mission(self, Wish(wish.latest) if word else wish, approve, earlier)
        return self.mission

    async def _recalled(self, wish: Wish) -> Sequence[Exchange]:
        """The conversation so far; who is asked about what it did before any, and remembers, looks into its journal."""
        if self.earlier or not (self.recalling and isinstance(self.memory, Filed)) or not recalls(wish.text):
            return self.earlier or ()
        with contextlib.suppress(JournalError):
            return await latest(self.memory.file, self.setup)
        return ()

    def prepare(self) -> None:
        """Prepare a mission: fresh skills, and the model's budget counts anew. Home is where the first one finds it."""
        if not self.trail and (state := self.reading.now()).connected:
            self.trail.append(state.pose)
        self.skills = self.executive.skills = self._capabilities().skills
        for model in filter(None, (self.model, self.onlooker)):
            model.begin()

    async def _obey(self, word: str, said: str) -> None:
        """Stop; and where the word was to land, do that as soon as the robot has come to rest. What is asked behind the
        word is answered then."""
        if self.mission:  # by itself, since nothing may keep a stop or a landing waiting
            asyncio.get_running_loop().call_soon(self.mission.answer_behind, said)
        self.stop("word")
        await self.executive.settled()
        if word == "land":
            await self.executive.land()

    def stop(self, by: str = "api") -> None:
        """Bring the robot to rest, whatever is going on, from any thread. Returns at once; latched until `release`."""
        if self.reachable and self._loop is not _running():
            with contextlib.suppress(Exception):
                self.robot.halt_now()
            self.soon(self.stop, by)
            return
        self.executive.stop(by)
        if self.mission:
            self.mission.abandon()

    def alive(self) -> None:
        """Reset the watchdog: somebody is there."""
        self._alive_s = asyncio.get_running_loop().time()

    def watch(self) -> None:
        """Stop the robot when the watchdog has not been reset for too long."""
        silent_s = asyncio.get_running_loop().time() - self._alive_s
        if 0 < self.watchdog_s < silent_s and not self.executive.stopped_by:
            self.stop("watchdog")

    def known(self, seen: Observation, earlier: Sequence[Exchange], wish: str = "") -> SelfModel:
        """The robot's knowledge of itself, with what is seen and was wished for before; `wish` is the present one."""
        return SelfModel(
            seen.state or self.reading.now(),
            self.limits,
            self.executive.skills,
            earlier,
            seen.scene,
            self.trail[0] if self.trail else None,
            self.ground,
            self.robot.endurance_s,
            self.executive.stopped_by,
            self.robot.checks(),
            wish,
            words_for(self.kind).what,
            str(self.robot.knowledge.get("robot", {}).get("name", "")) if isinstance(self.robot, Knowing) else "",
        )

    def release(self, by: str = "api") -> None:
        """Lift the stop, for a person."""
        self.executive.release(by)

    def change(self, instruction: str) -> None:
        """Change the wish of the running mission; the planner hears of it when it looks next. "Stop" and "land" are
        obeyed at once, and a question about the robot is answered while the mission goes on."""
        if self.mission is None:
            raise UsageError("no mission is running whose wish could be changed")
        if word := urgent(instruction):
            self._obeying = asyncio.ensure_future(self._obey(word, instruction))
            return
        if requested(instruction).act.aside:
            self.mission.aside(instruction)
            return
        self.mission.wish = Wish(instruction)
        self.mission.session.heed()
        self.emit(ev.Instructed(instruction=instruction))

    async def open(self) -> None:
        """Connect the robot and start its world, if that has not happened yet.

        Raises `RobotError`, and `UsageError` where another agent drives this robot (S14) and where somebody's file is
        only being read for what is in it.
        """
        if self._pump is None:
            if file := being_read():
                raise UsageError(
                    f"{file} drives a robot while it is read: put that behind `if __name__ == '__main__':`"
                )
            claim(self)
            self._loop, self.robot.told_to_stop = asyncio.get_running_loop(), self.stop
            try:
                async with asyncio.timeout(OPEN_TIMEOUT_S):
                    await self.robot.open()
            except BaseException:
                unclaim(self)
                raise
            self._pump = asyncio.ensure_future(self.world.run() if self.world else asyncio.Event().wait())
            self._pump.add_done_callback(self._world_ended)
            if self._latch and (by := await asyncio.to_thread(self._latch.read)):
                self.executive.stop(by)
            if self.world is None and isinstance(current(), WallClock):
                self._supervisor = Supervisor(self.robot.halt_now, self._blocked)
            await asyncio.sleep(0)

    def _blocked(self, stood_s: float) -> None:
        """The loop stood still; the supervisor has told the robot to halt meanwhile (S5)."""
        self._warn(
            f"nothing was watched for {stood_s:.1f} s, since the program was blocked; the robot was told to halt"
        )
        if self.mission:
            self.executive.stop("a blocked program", own=True)

    def soon(self, call: Callable[..., None], *given: Any) -> bool:
        """Schedule a call on this agent's loop, from any thread, and return whether that loop still runs."""
        with contextlib.suppress(RuntimeError):  # it may be closed in this moment
            if self._loop:
                self._loop.call_soon_threadsafe(call, *given)
                return True
        return False

    def _warn_soon(self, text: str) -> None:
        """`_warn` from another thread."""
        self.soon(self._warn, text)

    def _world_ended(self, pump: asyncio.Future[Any]) -> None:
        """A world that is not stepped any more must not be waited for; the next mission steps it again."""
        if pump.cancelled() or self._pump is not pump:
            return
        self._pump = None
        error = pump.exception()
        if self.mission:
            why = f"{type(error).__name__}: {error}" if error else "it ended"
            self.mission.break_off(f"the world stands still: {why}")

    @property
    def opened(self) -> bool:
        """Whether the robot is connected, on a loop that still runs."""
        return self._pump is not None and self.reachable

    @property
    def reachable(self) -> bool:
        """Whether it was opened, or is being opened, on a loop that still runs."""
        return self._loop is not None and not self._loop.is_closed()

    async def close(self) -> None:
        """Bring the robot to where it can be left alone, then disconnect, whatever fails on the way (S12).

        Raises `RobotError` where the robot could not be brought to rest: it must be assumed to be moving.
        """
        if self._pump is None:
            return
        if self.mission:
            self.mission.leave()
            await self.mission.over.wait()
        problem = await self.executive.land()
        await self.executive.close()
        if self._supervisor:
            self._supervisor.close()
        problem = await bounded(begun(self.robot.close), OPEN_TIMEOUT_S) or problem
        for model in filter(None, (self.model, self.onlooker)):
            await model.close()
        pump, self._pump = self._pump, None
        if pump is not None:
            pump.cancel()
            await asyncio.gather(pump, return_exceptions=True)
        if self._latch:
            await asyncio.to_thread(self._latch.flush, LATCHED_S)
        self.trail.clear()
        unclaim(self)
        self.robot.told_to_stop = None
        if problem:
            raise RobotError(problem)

    async def __aenter__(self) -> Agent:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def emit(self, event: ev.Event) -> None:
        """Record an event with the running mission, or after the end of the last one (S16)."""
        if self.mission:
            self.mission.emit(event)
        elif self._last:
            self._last.afterwards(event)

    async def _recorded(self) -> None:
        """Return when all that happened in this mission is on record. Raises `JournalError` (S16)."""
        if self.mission:
            await self.mission.record.kept()

    def _sighted(self, onlooker: Model | str | None) -> MeteredModel | None:
        """A model that is shown pictures, in one budget with the other. Raises `UsageError` for one that takes none."""
        model = connect(onlooker) if isinstance(onlooker, str) else onlooker
        if model is None:
            return None
        if not isinstance(model, Seeing):
            raise UsageError(f"{model.name} takes no pictures; a model at an endpoint may, see docs/your-camera.md")
        self._picture_px = model.picture_px
        return MeteredModel(model, self.emit, self.limits, self.model)

    def _planner(self, planner: Planner | Callable[[Model], Planner] | None) -> Planner:
        if isinstance(planner, Planner):
            return planner
        if self.model is None:
            return Reflex()
        return planner(self.model) if planner else Stream(self.model, plan_prompt)

    def _director(self, brings: Capabilities) -> Executive:
        recorded = self._recorded if self.memory else None
        return DirectorExecutive(brings, self.robot, self.limits, self.emit, recorded=recorded, latch=self._latch)

    def _capabilities(self) -> Capabilities:
        """What the robot can do in one mission, and what its kind brings along."""
        given = MissionServices(
            robot=self.robot,
            eyes=self.eyes,
            tell=lambda text: self.emit(ev.Said(text=text)),
            shown=self._show,
            since_s=lambda: asyncio.get_running_loop().time() - self.mission.session.began_s if self.mission else 0.0,
            perception=self.perception,
            ask=self._ask if self.model or self.onlooker else None,
            recalling=self.recalling,
            embed=self.embed,
            trail=self.trail,
        )
        brings = capabilities(given, self.robot.kind)
        return replace(brings, skills=self._choose_skills(brings.skills))

    async def _ask(self, question: str, scene: Scene) -> str:
        """Put one short question to who is shown the picture, else to the model (the skill `probe`)."""
        if self.onlooker:
            return await VisionModel(self.onlooker, self._picture_px, self.robot, self.emit).answer(question, scene)
        assert self.model is not None
        return await answered(self.model, probe_prompt(question, scene))

    def _warn(self, text: str) -> None:
        self.emit(ev.Warned(text=text))

    def _show(self, picture: Any, labels: Sequence[str]) -> None:
        """Keep a picture that the robot took."""
        name = f"{self.mission.id}-{self.mission.metrics.pictures + 1}" if self.mission else "picture"
        try:
            file = keep_picture(picture, self.pictures, name)
        except OSError as error:
            file = ""
            self._warn(f"the picture could not be kept: {error}")
        self.emit(ev.PictureTaken(file=file, labels=tuple(labels)))


def _running() -> asyncio.AbstractEventLoop | None:
    """The loop that runs in this thread."""
    with contextlib.suppress(RuntimeError):
        return asyncio.get_running_loop()
    return None


class Saying:
    """The stream of one wish's events. Letting go of it, even by a mere `break`, ends the mission."""

    def __init__(self, agent: Agent, wish: Wish, approve: Approve | None) -> None:
        self._agent, self._wish, self._approve = agent, wish, approve
        self._mission: Mission | None = None
        self._events: AsyncIterator[ev.Event] | None = None
        self._closed = False

    def __aiter__(self) -> Saying:
        return self

    async def __anext__(self) -> ev.Event:
        if self._closed:
            raise StopAsyncIteration
        if self._events is None:
            self._mission = await self._agent.begin(self._wish, self._approve)
            if self._mission is None:
                self._closed = True
                raise StopAsyncIteration
            self._events = self._agent.follow(self._mission)
        return await anext(self._events)

    async def aclose(self) -> None:
        """End the stream: the robot is stopped and comes to rest before this returns."""
        self._closed = True
        if self._events is not None:
            async with closing(self._events):
                pass

    def __del__(self) -> None:
        if self._mission:
            self._mission.left = True
