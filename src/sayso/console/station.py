"""The operators' station: one robot, what operators tell it, who of them has control, and what every page shows.

All pages share one station, so two operators see the same; one of them holds control, and anybody may stop. The station
knows no browser: a page asks it, and draws.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from sayso.agent import Agent
from sayso.console.choices import ConsoleSetup, holds_secret, masked
from sayso.console.solids import Place, Spot, alone, read_place
from sayso.drawing import Believed, Believing
from sayso.errors import RobotError, SaysoError, UsageError
from sayso.executive.missions import MISSION
from sayso.grounding.answers import meant
from sayso.language import foresee, parse
from sayso.limits import Limits
from sayso.memory.mission_view import Item, MissionView, updated
from sayso.planners.reflex import urgent
from sayso.planners.reflex.first import behind
from sayso.roles import Check, RobotState, closing
from sayso.scene import Pose
from sayso.skill import SkillSet
from sayso.understanding import requested
from sayso.wish import Wish

SAME_MOMENT_S = 0.02
LONGEST = 2000
"""Characters of one sentence. A plan for a robot needs no novel."""

EARLIER = 100
"""Entries of earlier missions that stay in the conversation: every page is made of them. All are in the journal."""


@dataclass(slots=True)
class Operators:
    """The operators, and who of them has control. A seat that comes back after a lost connection keeps its name."""

    taken: set[str] = field(default_factory=set)
    control: str = ""
    _names: dict[str, str] = field(default_factory=dict)
    _count: int = 0

    def sit(self, seat: str) -> None:
        """Add an operator whose page has connected. It gets control where nobody holds it."""
        if seat not in self._names:
            self._count += 1
            self._names[seat] = f"operator {self._count}"
        self.taken.add(seat)
        self.control = self.control or seat

    def forget(self, seat: str) -> None:
        """Remove an operator whose page will not come back."""
        self.leave(seat)
        self._names.pop(seat, None)

    def leave(self, seat: str) -> None:
        """Note that a page has lost its connection; its control goes to nobody who did not ask for it."""
        self.taken.discard(seat)
        if self.control == seat:
            self.control = ""

    def take(self, seat: str) -> None:
        """Give control to an operator; the one who had it sees that."""
        if seat in self.taken:
            self.control = seat

    @property
    def holder(self) -> str:
        """The name of the operator who has control; empty for nobody."""
        return self._names.get(self.control, "")


class Station:
    """One robot's station: `open` it, then `say`, `stop`, `answer`. `shown` is how things stand and `version` counts
    its changes.

    `make` builds the agent for a choice; tests bring another one.
    """

    def __init__(
        self,
        choice: ConsoleSetup | None = None,
        make: Callable[[ConsoleSetup], Awaitable[Agent]] = lambda choice: choice.agent(),
    ) -> None:
        self.choice = choice or ConsoleSetup()
        self.seats = Operators()
        self.shown = MissionView()
        self.version = 0
        self.trouble = ""
        self.hears = False
        """Whether there is somebody who understands speech."""
        self.place: Place | None = None
        self.drawing = asyncio.Lock()  # pages draw one after the other, and between any two of them a stop is heard
        self.foreseen: tuple[tuple[float, float, float], ...] = ()
        self._make = make
        self._agent: Agent | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._mission: asyncio.Task[None] | None = None
        self._wish = Wish("")
        self._answer: asyncio.Future[bool] | None = None
        self._halted, self._stopping = False, ""
        self._choosing = asyncio.Lock()
        self._spots: Mapping[int, Spot] = {}
        self._spots_at_s = self._began_s = 0.0

    @property
    def agent(self) -> Agent:
        """The present agent. Raises `UsageError` while there is none."""
        if self._agent is None:
            raise UsageError(self.trouble or "no robot is connected yet")
        return self._agent

    @property
    def ready(self) -> bool:
        """Whether a robot is connected."""
        return self._agent is not None

    async def open(self) -> None:
        """Build what was chosen, and connect. What goes wrong is told in `trouble`."""
        self._loop = asyncio.get_running_loop()
        try:
            agent = await self._make(self.choice)
        except SaysoError as error:
            self.trouble = masked(str(error))
            self._changed()
        else:
            await self._connect(agent)

    async def _connect(self, agent: Agent) -> None:
        self.trouble = ""
        try:
            await agent.open()
        except SaysoError as error:
            self.trouble = masked(str(error))
        else:
            self._agent = agent
            self.place = read_place(agent.world) if agent.world else alone(agent.robot)
            self._spots, self._spots_at_s = {}, 0.0
        self._changed()

    async def close(self) -> None:
        """Bring the robot to where it can be left alone, and disconnect."""
        await self._end_mission("the console closes")
        agent, self._agent = self._agent, None
        if agent:
            with suppress(RobotError):
                await agent.close()
        self._changed()

    async def choose(self, choice: ConsoleSetup) -> str:
        """Change the world, planner, model or limits. Returns what is wrong with the choice, empty where nothing is.

        Nothing is given up for a choice that cannot be: the new agent is built before the old one goes.
        """
        async with self._choosing:
            try:
                made = await self._make(choice)
            except SaysoError as error:
                return masked(str(error))
            self._stopping = self.stopped_by
            await self.close()
            self.choice, self.shown, self._halted = choice, MissionView(), False
            await self._connect(made)
            if self._stopping and self._agent:  # whoever stopped one robot has not released the next (S2, S18)
                self.stop(self._stopping)
            return self.trouble

    @property
    def running(self) -> bool:
        """Whether a mission is going on."""
        return self._mission is not None and not self._mission.done()

    @property
    def question(self) -> str:
        """What the robot asked back when it ended its latest mission; empty where nothing is open."""
        return self.shown.ended.asked if self.shown.ended and not self.running else ""

    async def say(self, seat: str, text: str, *, answers: str = "") -> str:
        """Do what the sentence wishes. Returns why not, empty where it is being done.

        A sentence during a mission is a change of mind: a steering planner hears of it, any other plan is given up for
        the new wish. Words that stop are everybody's. What `answers` a question, or may answer the one that is open,
        completes the wish that it was asked about.
        """
        text = text.strip()
        wish = self._wish.answered(answers, text) if answers else meant(self._wish, self.question, text)
        if refusal := self._deaf_to(seat, text):
            return refusal
        if self.running and (word := urgent(text)):
            await self._obey(text, word)
            return ""
        if self.running and (self.agent.planner.steers or requested(text).act.aside):
            self.agent.change(text)
            return ""
        if self.running and not await self._give_up():
            return "the robot was stopped meanwhile; release it, then say it again"
        self._begin(wish)
        return ""

    def _deaf_to(self, seat: str, text: str) -> str:
        """Why this sentence from that seat changes nothing, in the order in which it matters."""
        if not text:
            return "say what you want"
        if len(text) > LONGEST:
            return f"that is {len(text)} characters; at most {LONGEST} are read"
        if holds_secret(text):
            return "that sentence holds a key or password of this machine; it would be kept in the journal"
        if not self.ready:
            return self.trouble or "no robot is connected yet"
        if self.running and urgent(text):
            return ""
        if self.seats.control != seat:
            return f"{self.seats.holder or 'nobody'} holds control; take it first"
        if self.stopped_by and not self.running:
            return f"stopped by {self.stopped_by}: release the robot first"
        return ""

    async def _obey(self, text: str, word: str) -> None:
        self._halted = True
        self._note(Item("wish", text))
        await self.agent.do(text)
        if word == "land":
            self._note(Item("note", "landed"))

    async def _give_up(self) -> bool:
        """End the running mission for another wish; False where a person stopped the robot for good meanwhile."""
        if self.stopped_by:
            return False
        self._halted = False
        await self._end_mission("a change of mind")
        if self._halted:
            return False
        self.agent.release("the new wish")
        return True

    async def _end_mission(self, by: str) -> None:
        mission = self._mission
        if mission is None or mission.done():
            return
        self.agent.stop(by)
        await asyncio.gather(mission, return_exceptions=True)

    def stop(self, by: str) -> None:
        """Bring the robot to rest, whatever goes on. Returns at once; latched until `release`. Anybody may."""
        self._halted, self._stopping = True, by
        if self._agent:
            self._agent.stop(by)
        self._changed()

    def stop_soon(self, by: str) -> None:
        """`stop`, from another thread."""
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.stop, by)

    def release(self, seat: str) -> str:
        """Lift the stop. Returns why not, empty where it is lifted."""
        if self.seats.control != seat:
            return f"{self.seats.holder or 'nobody'} holds control; take it first"
        if self.running:
            return "the robot is still coming to rest"
        self._halted, self._stopping = False, ""
        self.agent.release(self.seats.holder)
        self._changed()
        return ""

    def take(self, seat: str) -> None:
        """Give control to an operator."""
        self.seats.take(seat)
        self._changed()

    def alive(self, seat: str) -> None:
        """Note that an operator's page is there; the dead-man option counts those of who has control."""
        if self._agent and self.seats.control == seat:
            self._agent.alive()

    def answer(self, seat: str, approved: bool) -> str:
        """Answer to the plan that waits for approval. Returns why not."""
        if self.seats.control != seat:
            return f"{self.seats.holder or 'nobody'} holds control; take it first"
        if self._answer is None or self._answer.done():
            return "no plan waits for an answer"
        self._answer.set_result(approved)
        return ""

    @property
    def stopped_by(self) -> str:
        """Who stopped the robot, empty while it may move."""
        return self._agent.executive.stopped_by if self._agent else ""

    def state(self) -> RobotState:
        """The robot's state."""
        return self._agent.reading.now() if self._agent else RobotState(connected=False, summary="not connected")

    def machine(self) -> tuple[Check, ...]:
        """What there is to look at on a machine that stands somewhere: its check list, and what a stop does on it.
        Nothing for a simulated robot."""
        if self._agent is None:
            return ()
        checks, on_stop = self._agent.reading.checks(), self._agent.robot.on_stop
        return (*checks, Check("stop", on_stop)) if on_stop else checks

    def tree(self) -> Sequence[dict[str, Any]]:
        """The Director's tree."""
        tree = self._agent.executive.tree() if self._agent else ()
        return [b for b in tree if self.running or b["children"] or b["label"] != MISSION]

    def spots(self) -> Mapping[int, Spot]:
        """The poses of the moving bodies, computed once a moment for all pages."""
        now_s = asyncio.get_running_loop().time()
        if self.place and now_s - self._spots_at_s >= SAME_MOMENT_S:
            self._spots_at_s, self._spots = now_s, self.place.spots()
        return self._spots

    def believed(self) -> Believed | None:
        """What the planner believes of the land; None where that is nothing."""
        planner = behind(self._agent.planner) if self._agent else None
        return planner.believed() if isinstance(planner, Believing) else None

    def clock_s(self) -> float:
        """Seconds since the latest mission began, on wall time: what ages of beliefs are counted in."""
        return asyncio.get_running_loop().time() - self._began_s

    @property
    def limits(self) -> Limits:
        """What the robot must never exceed here."""
        return self._agent.limits if self._agent else Limits()

    def _begin(self, wish: Wish) -> None:
        self._wish = wish
        skills, before, since_s = self.agent.skills, self.shown, self.clock_s()
        self._began_s = asyncio.get_running_loop().time()
        self.shown = MissionView(
            moving=frozenset(s.name for s in skills.values() if {*s.uses} - {"camera"}),
            items=before.items[-EARLIER:],
            beliefs={k: replace(b, seen_s=b.seen_s - since_s) for k, b in before.beliefs.items()},
        )
        self._mission = asyncio.ensure_future(self._run(wish))
        self._changed()

    async def _run(self, wish: Wish) -> None:
        approve = self._approve if self.choice.approve else None
        try:
            async with closing(self.agent.say(wish, approve=approve)) as happening:
                async for event in happening:
                    self.shown = updated(self.shown, event)
                    self._changed()
        except SaysoError as error:
            self._note(Item("note", masked(str(error)), good=False))
        finally:
            self.foreseen = ()
            self._changed()

    async def _approve(self, plan: str) -> bool:
        """Show the plan and where it would lead, and wait for whoever holds control."""
        self._answer = asyncio.get_running_loop().create_future()
        self.foreseen = foreseen_way(plan, self.agent.skills, self.agent.robot.state().pose)
        self._changed()
        try:
            return await self._answer
        finally:
            self._answer, self.foreseen = None, ()
            self._changed()

    def _note(self, item: Item) -> None:
        self.shown = replace(self.shown, items=(*self.shown.items, item))
        self._changed()

    def _changed(self) -> None:
        self.version += 1


def foreseen_way(plan: str, skills: SkillSet, start: Pose) -> tuple[tuple[float, float, float], ...]:
    """The corners of the way that a plan would lead along, as far as that is certain before it moves. Metres."""
    way = [start]

    class Noting(Limits):
        """Limits that refuse nothing and remember what they were asked."""

        def path_refusal(self, path: Sequence[Pose]) -> None:
            way.extend(path)

    with suppress(SaysoError):
        foresee(parse(plan), skills, start, Noting())
    return tuple((p.x_m, p.y_m, p.z_m) for p in way) if len(way) > 1 else ()
