"""The loop, in the order of the picture.

     instruction ─► prompt ─► model ─► language ─► executive ─► skills ─► robot
          ▲                                                                 │
        memory ◄──────────── events ◄──────── scene ◄──────── perception ◄──┘

`Agent` joins the parts and takes instructions; `Mission` follows one instruction from the sentence to the verdict.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import datetime as dt
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, cast

import sayso
from sayso import events as ev
from sayso.errors import (
    ModelUnavailable,
    NotUnderstood,
    PlanError,
    RobotError,
    UsageError,
)
from sayso.executive import Executive
from sayso.executive.missions import DirectorExecutive
from sayso.eyes import Eyes
from sayso.follow import Approve, Declined, Following
from sayso.language import Ended, Plan, foresee
from sayso.limits import Limits
from sayso.memory.journal import new_id
from sayso.memory.pictures import keep_picture
from sayso.memory.tally import Tally
from sayso.models.listened import Listened
from sayso.parts import (
    Attempt,
    Brief,
    Memory,
    Model,
    Perception,
    Planner,
    Recalling,
    Robot,
    Steering,
    World,
    closing,
)
from sayso.planners.reflex import Reflex, urgent
from sayso.planners.stream import Stream
from sayso.prompts import plan_prompt, probe_prompt
from sayso.scene import Scene
from sayso.skill import SkillSet, Value, say
from sayso.skills import Kit, kit

log = logging.getLogger("sayso")

TELEMETRY_S = 0.25
"""How often the robot's pose is journaled, and the watchdog looks."""

Emit: TypeAlias = Callable[[ev.Event], None]


class Agent:
    """One robot that acts on what it is told.

        agent = Agent(Rover(), model=my_model)
        async for event in agent.say("go to the door"):
            print(event)

    Without a model, plain commands still work: the `reflex` planner reads them. A `world` is stepped while a mission
    runs and brings robot and perception along. `replans` bounds how often a plan may be mended. `skills` has the last
    word on what can be asked for, `executive` may bring another one (a replay does). With a `watchdog_s` the robot
    stops when nobody has said `alive()` for so long.
    """

    def __init__(
        self,
        robot: Robot | None = None,
        *,
        world: World | None = None,
        perception: Perception | None = None,
        model: Model | None = None,
        planner: Planner | Steering | Callable[[Model], Planner | Steering] | None = None,
        memory: Memory | None = None,
        limits: Limits | None = None,
        replans: int = 4,
        skills: Callable[[SkillSet], SkillSet] = lambda all_of_them: all_of_them,
        executive: Callable[[SkillSet, Emit], Executive] | None = None,
        setup: Mapping[str, Any] | None = None,
        pictures: Path | None = None,
        watchdog_s: float = 0.0,
    ) -> None:
        if robot is None and world is None:
            raise UsageError("an agent needs a robot, or a world that has one")
        self.robot = robot or world.robot  # type: ignore[union-attr]
        self.world = world
        self.memory = memory
        self.recalling = memory if isinstance(memory, Recalling) else None
        self.limits = limits or self.robot.limits
        self.replans = replans
        self.setup = dict(setup or {})
        self.pictures = pictures
        self.watchdog_s = watchdog_s
        self._alive_s = 0.0
        self.mission: Mission | None = None
        self.model = Listened(model, self.emit, self.limits) if model else None
        self.perception = perception or (world.perception if world else None)
        self.eyes = Eyes(self.robot, self.perception, self.recalling, self.emit)
        self.planner = self._planner(planner)
        if hasattr(self.planner, "note"):
            self.planner.note = self._warn
        self._choose_skills = skills
        brings = self._kit()
        self.skills = skills(brings.skills)
        self.executive = (executive or self._director(brings))(self.skills, self.emit)
        self._pump: asyncio.Task[None] | None = None

    async def say(self, instruction: str, *, approve: Approve | None = None) -> AsyncIterator[ev.Event]:
        """Do what the sentence wishes; yields every event, the last one a `MissionEnded`.

        Leaving the loop early stops the robot. "Stop" and "land" are obeyed at once, also while another mission runs,
        and are never shown to a model.
        """
        if self.mission and (word := urgent(instruction)):
            await self._obey(word)
            return
        if self.mission:
            raise UsageError("a mission is running; stop it, or wait for its end")
        await self.open()
        self.skills = self.executive.skills = self._choose_skills(self._kit().skills)
        if self.model:
            self.model.begin()
        self.mission = mission = Mission(self, instruction, approve)
        mission.begin()
        running = asyncio.ensure_future(mission.run())
        try:
            while (event := await mission.happened.get()) is not None:
                yield event
            await running
        finally:
            if not running.done():
                self.stop("the listener left")
                with contextlib.suppress(asyncio.CancelledError):
                    await running
            self.mission = None

    async def _obey(self, word: str) -> None:
        """Stop; and where the word was to land, do that as soon as the robot has come to rest."""
        self.stop("word")
        await self.executive.settled()
        if word == "land":
            await self.robot.rest()

    def stop(self, by: str = "api") -> None:
        """Bring the robot to rest, whatever is going on. Returns at once; latched until `release`."""
        self.executive.stop(by)
        if self.mission:
            self.mission.abandon()

    def alive(self) -> None:
        """Somebody is there: the watchdog starts counting anew."""
        self._alive_s = asyncio.get_running_loop().time()

    def watch(self) -> None:
        """Stop where the watchdog has not heard from anybody for too long."""
        silent_s = asyncio.get_running_loop().time() - self._alive_s
        if 0 < self.watchdog_s < silent_s and not self.executive.stopped_by:
            self.stop("watchdog")

    def release(self, by: str = "api") -> None:
        """A person lifts the stop."""
        self.executive.release(by)

    def change(self, instruction: str) -> None:
        """Change the wish of the running mission; the planner hears of it when it looks next."""
        if self.mission is None:
            raise UsageError("no mission is running whose wish could be changed")
        self.mission.instruction = instruction
        self.emit(ev.Instructed(instruction=instruction))

    async def open(self) -> None:
        """Connect the robot and start its world, if that has not happened yet."""
        if self._pump is None:
            await self.robot.open()
            self._pump = asyncio.ensure_future(self.world.run() if self.world else asyncio.sleep(0))
            await asyncio.sleep(0)

    async def close(self) -> None:
        """Bring the robot to where it can be left alone, then disconnect."""
        if self._pump is None:
            return
        try:
            await self.robot.rest()
            await self.robot.close()
        finally:
            await self.executive.close()
            if self.model:
                await self.model.close()
            self._pump.cancel()
            await asyncio.gather(self._pump, return_exceptions=True)
            self._pump = None

    async def __aenter__(self) -> Agent:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def emit(self, event: ev.Event) -> None:
        """Record an event with the running mission; without one it concerns nobody."""
        if self.mission:
            self.mission.emit(event)

    def _planner(
        self, planner: Planner | Steering | Callable[[Model], Planner | Steering] | None
    ) -> Planner | Steering:
        if isinstance(planner, Planner | Steering):
            return planner
        if self.model is None:
            return Reflex()
        return planner(self.model) if planner else Stream(self.model, plan_prompt)

    def _director(self, brings: Kit) -> Callable[[SkillSet, Emit], Executive]:
        def make(skills: SkillSet, emit: Emit) -> Executive:
            more = {"providers": brings.providers, "siblings": brings.siblings, "senses": brings.senses}
            return DirectorExecutive(skills, self.robot, self.limits, emit, **cast(Any, more))

        return make

    def _kit(self) -> Kit:
        """What the robot can do in one mission, and what its kind brings along."""
        ask = self._ask if self.model else None
        told = self._tell, self._show, self._plan_s
        return kit(self.robot, self.perception, self.eyes, ask, *told, recalling=self.recalling)

    async def _ask(self, question: str, scene: Scene) -> str:
        """Put one short question to the model (the skill `probe`)."""
        assert self.model is not None
        async with closing(self.model.stream(probe_prompt(question, scene))) as answer:
            return "".join([chunk.text async for chunk in answer])

    def _plan_s(self) -> float:
        """Seconds since the running plan began."""
        return asyncio.get_running_loop().time() - self.mission.plan_began_s if self.mission else 0.0

    def _tell(self, text: str) -> None:
        self.emit(ev.Said(text=text))

    def _warn(self, text: str) -> None:
        self.emit(ev.Warned(text=text))

    def _show(self, picture: Any, labels: Sequence[str]) -> None:
        """Keep a picture that the robot took."""
        name = f"{self.mission.id}-{self.mission.tally.pictures + 1}" if self.mission else "picture"
        try:
            file = keep_picture(picture, self.pictures, name)
        except OSError as error:
            file = ""
            self._warn(f"the picture could not be kept: {error}")
        self.emit(ev.PictureTaken(file=file, labels=tuple(labels)))


class Mission:
    """One instruction, from the sentence to the verdict."""

    def __init__(self, agent: Agent, instruction: str, approve: Approve | None) -> None:
        self.agent, self.instruction, self.approve = agent, instruction, approve
        self.id = new_id()
        self.happened: asyncio.Queue[ev.Event | None] = asyncio.Queue()
        self._began_s = self.plan_began_s = asyncio.get_running_loop().time()
        self._record = agent.memory.begin(self.id) if agent.memory else None
        self._work: asyncio.Future[ev.MissionEnded] | None = None
        self.tally = Tally(self._moves)

    def begin(self) -> None:
        """Put the wish on record, before anything else can happen."""
        self.emit(
            ev.MissionStarted(
                instruction=self.instruction,
                setup=self.agent.setup,
                wall=dt.datetime.now().astimezone().isoformat(timespec="seconds"),
                version=sayso.__version__,
            )
        )

    async def run(self) -> ev.MissionEnded:
        """The whole mission. Whatever happens, the last event is its `MissionEnded` and the robot is at rest."""
        telemetry = asyncio.ensure_future(self._telemetry())
        try:
            ended = await self._watched()
        finally:
            telemetry.cancel()
        self.emit(ended)
        self.happened.put_nowait(None)
        return ended

    def abandon(self) -> None:
        """Give up at once; called when the robot has been stopped."""
        if self._work:
            self._work.cancel()

    def emit(self, event: ev.Event) -> None:
        """Stamp, journal, then let others see. Nothing is acted upon before it is on record."""
        event = dataclasses.replace(event, at_s=round(asyncio.get_running_loop().time() - self._began_s, 6))
        if self._record:
            self._record.record(event)
        self.tally.see(event)
        self.happened.put_nowait(event)

    # From the instruction to the verdict

    async def _watched(self) -> ev.MissionEnded:
        """`_pursue` under the mission's time limit, ready to be stopped at any moment."""
        executive = self.agent.executive
        if executive.stopped_by:
            await executive.settled()
            return self._verdict("stopped", f"stopped by {executive.stopped_by}; a person has to release it")
        steering = isinstance(self.agent.planner, Steering) and not urgent(self.instruction)
        self._work = asyncio.ensure_future(self._steer() if steering else self._pursue())
        try:
            async with asyncio.timeout(self.agent.limits.mission_max_s):
                return await self._work
        except TimeoutError:
            executive.stop("mission time")
            await executive.settled()
            executive.release("mission time")
            return self._verdict("not_achieved", f"the time limit of {self.agent.limits.mission_max_s:g} s is over")
        except asyncio.CancelledError:
            if not executive.stopped_by:
                executive.stop("cancelled")
            await executive.settled()
            return self._verdict("stopped", f"stopped by {executive.stopped_by}")
        except RobotError as error:
            return self._verdict("error", f"the robot: {error}")
        except Exception as bug:
            log.exception("mission %s", self.id)
            executive.stop("an error in sayso")
            await executive.settled()
            return self._verdict("error", f"{type(bug).__name__}: {bug}")

    async def _pursue(self) -> ev.MissionEnded:
        """Plan, run, and mend the plan until the wish is met or the budget spent."""
        attempts: list[Attempt] = []
        failure = ""
        for round_ in range(self.agent.replans + 1):
            if round_:
                self.emit(ev.Replanned(round=round_, reason=failure))
            try:
                plan, ended = await self._follow(await self._brief(attempts, failure))
            except (NotUnderstood, Declined) as error:
                return self._verdict("refused", str(error))
            except ModelUnavailable as error:
                return self._verdict("not_achieved", str(error))
            self.emit(ev.PlanEnded(how=ended.how, value=ended.value, reason=ended.reason))
            if ended.how in ("finished", "returned"):
                return self._judge(ended)
            failure = ended.reason
            attempts.append(Attempt(plan, tuple(self.tally.ran), failure))
            self.tally.ran.clear()
            if not self._mendable():
                return self._verdict("not_achieved", failure)
        return self._verdict("not_achieved", f"gave up after {self.agent.replans} new plans; the last one: {failure}")

    async def _steer(self) -> ev.MissionEnded:
        """Let the planner choose again and again what to do now; the executive arbitrates what it wants."""
        planner = self.agent.planner
        assert isinstance(planner, Steering)

        async def brief() -> Brief:
            return await self._brief((), "")

        met, reason = await planner.steer(brief, self.agent.executive.pursue)
        self.agent.executive.pursue(())
        return self._verdict("achieved" if met else "not_achieved", reason)

    def _mendable(self) -> bool:
        """A planner without a model says the same thing again; asking twice would be a loop."""
        return self.agent.model is not None

    async def _brief(self, attempts: Sequence[Attempt], failure: str) -> Brief:
        agent = self.agent
        scene, notes = await agent.eyes.look_for(self.instruction, self.tally.ran)
        return Brief(
            instruction=self.instruction,
            skills=agent.skills,
            scene=scene,
            history=tuple(attempts),
            failure=failure,
            limits=agent.limits,
            notes=notes,
            knowledge=getattr(agent.robot, "knowledge", {}),
        )

    async def _follow(self, brief: Brief) -> tuple[str, Ended]:
        """One plan, run while it is still being written; its text, and how it ended."""
        agent, self.plan_began_s = self.agent, asyncio.get_running_loop().time()
        following = Following(agent.skills, agent.executive.do, self.emit, self._foresee)
        planner = agent.planner if isinstance(agent.planner, Planner) and not urgent(brief.instruction) else Reflex()
        ended = await following.run(planner.plan(brief), self.approve)
        return following.text, ended

    def _foresee(self, plan: Plan) -> PlanError | None:
        agent = self.agent
        return foresee(plan, agent.skills, agent.robot.state().pose, agent.limits)

    # What is told

    def _moves(self, skill: str) -> bool:
        known = self.agent.skills.get(skill)
        return known is None or bool({*known.uses} - {"camera"})

    def _judge(self, ended: Ended) -> ev.MissionEnded:
        """A plan that ran to its end did what its skills measured; one that returns False says that it could not."""
        if ended.value is False:
            return self._verdict("not_achieved", "the plan ended with False: it could not be done", value=False)
        reason = "done" if ended.value in (None, True) else f"answer: {say(ended.value)}"
        return self._verdict("achieved", reason, value=ended.value)

    def _verdict(self, outcome: str, reason: str, value: Value = None) -> ev.MissionEnded:
        return self.tally.ended(outcome, reason, value)

    async def _telemetry(self) -> None:
        """Journal where the robot is, and let the watchdog look."""
        self.agent.alive()
        while True:
            self.agent.watch()
            state = self.agent.robot.state()
            p = state.pose
            self.emit(ev.Moved(x_m=p.x_m, y_m=p.y_m, z_m=p.z_m, yaw_rad=p.yaw_rad, charge=state.charge))
            await asyncio.sleep(TELEMETRY_S)
