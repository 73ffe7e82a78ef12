"""The executive on the Director: a mission's tasks run under one root, and safety guards beside it.

    mission (0)      the skill calls of the running plan, or the tasks that a steering planner pursues (`calls`)
    battery (600) … lost_link (900)    guards: take what they need when their limit is in danger
    siblings         what a kind of robot brings along, such as fall recovery
    stop (10 000)    holds everything, from the moment it is asked for until a person releases it

`stop` does not wait its turn in the tree: the robot is told to halt in the same moment, the tree only keeps others from
moving it. The rules S1 to S12 of docs/safety.md are kept here, in `halting`, `reading` and `guards`.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from sayso.errors import ReplanWanted, RobotError, SkillFailed
from sayso.events import Event, LimitHeld, Released, StopAsked, Stopped, Warned
from sayso.executive.calls import Call, Calls
from sayso.executive.guards import WATCH_S, Geofence, Guard, LostLink, RestKeeper, guards
from sayso.executive.halting import REST_TIMEOUT_S, Halting, begun, bounded
from sayso.executive.latch import Latch
from sayso.executive.loop import Director
from sayso.executive.state_reader import StateReader
from sayso.grounding.lexicon import kind
from sayso.limits import EVERYTHING, FREE, LimitReached, Limits, outset
from sayso.plugins.kits import Capabilities
from sayso.roles import Robot
from sayso.skill import Skill
from sayso.task import AT_REST, QUESTION, UNREADY, Done, Failed, Outcome, Preempted, Provider, Refused, Task

MISSION = "mission"
STOP = "stop"
STOP_PRIORITY = 10_000
UNCONFIRMED = "a halt that the robot has not confirmed"
BREACHES_MAX = 3
"""So often a fence may be met in one mission before the mission is stopped."""

OUTSIDE = "outside the fence"
"""Who stands outside and sets out further stays where it is, until a person releases it or brings it back."""

BROKEN_PAUSE_S = 1.0

HANDLES = ("holding", "placed", "given", "touched")
"""What is done to a thing by who does not leave it alone."""

UP_AND_DOWN = ("airborne", "landed")
"""What a motion means that leads from the ground or there, through the least height of a wish."""

log = logging.getLogger("sayso")


class DirectorExecutive:
    """Runs skill calls and pursued tasks of one robot on the Director. `emit` records an event.

    `capabilities` is what a kind of robot brings along.
    """

    def __init__(
        self,
        capabilities: Capabilities,
        robot: Robot,
        limits: Limits,
        emit: Callable[[Event], None],
        *,
        recorded: Callable[[], Awaitable[None]] | None = None,
        latch: Latch | None = None,
    ) -> None:
        self.skills, self.robot, self.limits, self.emit = capabilities.skills, robot, limits, emit
        self._limits, self._robots, self._wish = limits, robot.limits, FREE
        self._way_home = self.skills.get("return_home")  # of no mission: who leaves goes to where the robot was first
        self._latch = latch
        self.reading = StateReader(robot, self._warn)
        self.halting = Halting(robot, self.reading, self._rests, self._warn, lambda: self.director.evict())
        self.director = Director(notice=lambda notice: self.calls.hear(notice))
        self.calls = Calls(
            self.director,
            lambda: self.skills,
            emit,
            self._attempt,
            self._refusal,
            lambda notice: next((f"the limit {r.limit}: {r.asked}" for r in self._troubled.values()), notice.text),
            recorded,
        )
        self._siblings, self._senses = capabilities.siblings, capabilities.senses
        self._guards = guards(limits, self.reading, self.halting, self._lands)
        self._still = RestKeeper(self.reading, self.halting, self._warn)
        self._grounded: dict[str, Refused] = {}
        self._only: frozenset[str] | None = None
        self._breaches, self._leaving = 0, False
        self._cleared = self._told_checks = False
        self._troubled: dict[str, Refused] = {}
        self._stops: dict[str, bool] = {}
        self._watching: list[asyncio.Future[None]] = []
        self._declare(capabilities.providers)

    def tighten(self, wish: Limits) -> None:
        """Apply the limits of this mission's wish, where they are stricter; `over` takes them away again (S22). The
        robot's own limits become as tight, since it may find ways that keep to them."""
        if wish == self._wish:
            return
        if self._wish == FREE:
            self._robots = self.robot.limits
        self._wish = wish
        self.limits = self._limits.within(wish)
        for guard in self._guards:
            guard.limits = self.limits
        self.robot.limits = self._robots.within(wish)
        self.robot.bounded(wish)

    def only(self, skills: frozenset[str] | None) -> None:
        """Allow only these skills while a question is answered, whoever plans (U1); None allows all."""
        self._only = skills

    @property
    def stopped_by(self) -> str:
        """Who stopped the robot, empty while it may move; a person comes before the kernel's own stops (S2)."""
        by_person = [by for by, own in self._stops.items() if not own]
        return next(iter(by_person or self._stops), UNCONFIRMED if self.halting.failing else "")

    @property
    def grounded(self) -> Refused | None:
        """Why the robot may not set out, while that lasts."""
        return next(iter(self._grounded.values()), None)

    async def do(self, task: Task, statement: int = 0) -> Outcome:
        """Run one skill call to its outcome. Raises `JournalError` where nothing can be recorded, and cancellation."""
        self._begin()
        return await self.calls.do(task, statement)

    def pursue(self, tasks: Sequence[Task]) -> None:
        """Replace the tasks that a steering planner wants. The tasks compete as optional children of the mission."""
        self._begin()
        if not (tasks and (self.stopped_by or self._unready())):
            self.calls.pursue(tasks)

    def stop(self, by: str, *, own: bool = False) -> None:
        """Give up all calls and bring the robot to rest. Returns at once; `settled` waits for the confirmation.

        Halted first, recorded second (S1). The kernel lifts what it set itself (`own`), only a person the rest (S2).
        """
        self.halting.command()
        first = not self._stops
        self._stops[by] = own and self._stops.get(by, True)
        if self._latch and not self._stops[by]:
            self._latch.set(by)
        try:
            self.emit(StopAsked(by=by))
        finally:
            if first:
                self._give_up(by)

    def _give_up(self, by: str) -> None:
        self._begin()
        self.director.emit(Task(STOP, priority=STOP_PRIORITY))
        self.director.take_back(MISSION)
        self.calls.give_up(Preempted(by))

    async def settled(self) -> None:
        """Return when a stop has been confirmed by the robot, or has been told not to be; trying goes on then (S3)."""
        await self.halting.settled()

    def release(self, by: str) -> None:
        """Lift every stop and every grounding, for a person."""
        self._grounded.clear()
        if self._latch:
            self._latch.lift()
        if self._stops:
            self._stops.clear()
            self._lifted(by)

    async def over(self, *, halt: bool = False) -> None:
        """End a mission: what was pursued ends with it (S15), and stops that are not a person's are lifted (S2).

        With `halt` the robot is brought to rest first.
        """
        self.pursue(())
        if halt:
            await self._halted()
        self.tighten(FREE)
        self.only(None)
        self._breaches, self._told_checks = 0, False
        self._still.mission_over()
        for by in [by for by, own in self._stops.items() if own]:
            del self._stops[by]
            if not self._stops:
                self._lifted(by)

    def _lifted(self, by: str) -> None:
        self.director.take_back(STOP)
        self.director.emit(Task(MISSION))
        self.emit(Released(by=by))

    async def land(self) -> str:
        """Bring the robot to where it can be left alone (S12); returns what went wrong, or nothing."""
        return await self.halting.land()

    def tree(self) -> list[dict[str, Any]]:
        """The live tree as plain data."""
        return self.director.tree()

    async def close(self) -> None:
        """End whatever still runs here. The robot is the agent's business."""
        self.calls.close()
        for watching in self._watching:
            watching.cancel()
        await asyncio.gather(*self._watching, return_exceptions=True)
        self._watching.clear()
        await self.halting.close()
        await self.director.close()

    def _declare(self, providers: Sequence[Provider]) -> None:
        add = self.director.add
        known = {p.provides for p in providers}
        natives = [s for s in self.skills.values() if s.body]
        add(*providers)
        add(*(Provider(s.name, self.calls.perform, needs=s.uses) for s in natives))
        needed = {n for p in providers for n in p.needs} | {r for s in natives for r in s.uses}
        add(*(Provider(resource) for resource in sorted(needed - known)))
        everything = tuple(sorted(needed))
        add(*(Provider(g.name, self._reaction(g), needs=everything) for g in self._guards))
        add(Provider(STOP, needs=everything), Provider(MISSION, self.calls.mission, hears=("renew",)))

    def _begin(self) -> None:
        """Root tasks and the watch, once there is a loop to run them."""
        if not self._watching:
            self._watching.append(asyncio.ensure_future(self._unbroken("the watch", self._watch)))
            if self._senses:
                self._watching.append(asyncio.ensure_future(self._unbroken("the senses", self._sense)))
            for sibling in self._siblings:
                self.director.emit(sibling)
            self.director.emit(Task(MISSION))

    async def _attempt(self, call: Call) -> Outcome:
        # the body of the present set: each mission brings its own, under the same names
        skill = self.skills[call.task.type]
        assert skill.body is not None
        try:
            return Done(await skill.body(*call.args))
        except ReplanWanted as changed:
            return Done(None, replan=str(changed))
        except LimitReached as reached:
            return reached.refused
        except SkillFailed as failed:
            return Failed(str(failed), failed.code, failed.about)
        except asyncio.CancelledError:
            if call.pursued and {*skill.uses} - AT_REST:  # nobody wants it any longer, and no call waits for its end
                await self._halted()
            raise
        except Exception as error:
            problem = self.reading.blamed(error) or _broken(error)
            if not problem:
                raise
            await self._halted()  # a driver that fails may leave the wheels turning
            return Failed(f"the robot: {problem}")

    def _refusal(self, task: Task) -> Outcome | None:
        """Why this task may not even begin, in the order in which it matters."""
        if by := self.stopped_by:
            return Preempted(by)
        skill = self.skills.get(task.type)
        if skill is None:
            return Failed(f"this robot has no skill {task.type!r}")
        if problem := skill.problem(task.data):
            return Failed(problem)
        if self._only is not None and skill.name not in self._only:
            return Failed(f"a question moves nothing, so {skill.name.replace('_', ' ')} waits for a command", QUESTION)
        if alone := self._alone(skill, task):
            return Refused("what is left alone", alone, "nothing done to it")
        if self.grounded and skill.uses:
            return self.grounded
        if {*skill.uses} - AT_REST and (unready := self._unready()):
            return unready
        if skill.path is None or (skill.means in UP_AND_DOWN and self._wish != FREE):
            return None
        state = self.reading.now()
        begin = outset(state.pose, self.limits, self._wish, rises=state.resting and self.skills.flies)
        return self.limits.path_refusal(skill.path(begin, *task.data))

    def _alone(self, skill: Skill, task: Task) -> str:
        """What the wish wants left alone and this would act on; to go to it and look at it does nothing to it (S22)."""
        if skill.means.partition("(")[0] not in HANDLES or not isinstance(task.data, tuple):
            return ""
        named = [str(arg) for param, arg in zip(skill.params, task.data, strict=False) if param.kind == "thing"]
        left = self.limits.untouched
        return next((what for what in left for name in named if what == EVERYTHING or kind(what) == kind(name)), "")

    def _lands(self) -> bool:
        """Whether it is on its way down to where it can be left alone, which leads through the least height."""
        wanted = (call.skill for call in self.calls.wanted.values())
        return self.halting.landing or any(skill and skill.means == "landed" for skill in wanted)

    def _unready(self) -> Failed | None:
        """Why the robot may not leave its rest, by its check list, which is told once a mission (S19)."""
        if self._cleared and not self.reading.now().resting:
            return None
        checks = self.reading.checks()
        if checks and not self._told_checks:
            self._warn("before it moves: " + "; ".join(f"{c.what} {c.found}" for c in checks))
        wrong = next((c for c in checks if c.must), None)
        self._cleared, self._told_checks = wrong is None, True
        told = wrong and f"it may not set out: {wrong.what} {wrong.found}; must be {wrong.must}"
        return Failed(told, UNREADY) if told else None

    async def _unbroken(self, name: str, watch: Callable[[], Awaitable[None]]) -> None:
        """What watches must not end: where it breaks the robot is stopped, and it begins again (S9)."""
        while True:
            try:
                await watch()
                return
            except Exception as broken:
                log.exception("%s broke", name)
                self._warn(f"{name} broke and begins again: {type(broken).__name__}: {broken}")
                if name not in self._stops:
                    self.stop(name, own=True)
            await asyncio.sleep(BROKEN_PAUSE_S)

    async def _sense(self) -> None:
        assert self._senses is not None
        await self._senses(self.director.tell, self.director.send)

    async def _watch(self) -> None:
        """Ask every guard, many times a second; a guard in trouble becomes a root task until its trouble is over."""
        while True:
            state = self.reading.now()
            for guard in self._guards:
                refused = guard.trouble(state)
                if refused and guard.name not in self._troubled:
                    self._begin_trouble(guard, refused)
                elif refused is None and guard.name in self._troubled and not self._coming_to_rest:
                    self._end_trouble(guard)
                if isinstance(guard, Geofence) and guard.inside:
                    self._grounded.pop(OUTSIDE, None)
            self._still.look(self.calls.wanted, self._stops, self._troubled, self._coming_to_rest)
            await asyncio.sleep(WATCH_S)

    def _begin_trouble(self, guard: Guard, refused: Refused) -> None:
        self._troubled[guard.name] = refused
        self.emit(LimitHeld(limit=refused.limit, asked=refused.asked, bound=refused.bound, skill=guard.name))
        self.director.emit(Task(guard.name, refused, guard.priority))
        if guard.ends:
            self._breach(guard, refused)

    def _breach(self, guard: Guard, refused: Refused) -> None:
        """What led here is refused and not begun again; what leads here again and again ends the mission (S10)."""
        self.calls.give_up(refused, moving=True)
        self._breaches += 1
        if isinstance(guard, Geofence) and guard.stranded:
            self._grounded[OUTSIDE] = refused
        if self._breaches >= BREACHES_MAX and not self._stops:
            self.stop(guard.name, own=True)

    def _end_trouble(self, guard: Guard) -> None:
        del self._troubled[guard.name]
        self.director.take_back(guard.name)
        if isinstance(guard, LostLink):
            who = self.robot.kind or "robot"
            self._warn(f"the link to the {who} was lost for {guard.lost_s():.1f} s; it held still, and answers again")
        if self._grounded.pop(guard.name, None):
            self._warn(f"{guard.name.replace('_', ' ')}: over; the robot may set out again")

    def _reaction(self, guard: Guard) -> Callable[[Any], Awaitable[None]]:
        async def react(run: Any) -> None:
            if guard.reaction == "halt":
                await self._halted()
                return
            if isinstance(guard, LostLink):
                await self._halted()
                await asyncio.sleep(self.limits.link_lost_s - guard.lost_s())
            self._grounded[guard.name] = self._troubled.get(guard.name, run.data)
            await self._leave(guard)

        return react

    async def _halted(self) -> None:
        """Come to rest; the mission is not stopped by it, and neither is a landing that is under way (S12)."""
        if not self.halting.landing:
            self.halting.command()
        await self.halting.settled()

    async def _leave(self, guard: Guard) -> None:
        """Home where the robot knows the way, and down in any case. Once begun it is not given up: see `_watch`."""
        self._leaving = True
        try:
            await self._halted()
            home = self._way_home
            if home and home.body and self.reading.now().connected and not self.halting.landing:
                if problem := await bounded(begun(home.body), REST_TIMEOUT_S):
                    self._warn(f"{guard.name} could not bring the robot home: {problem}")
            await self.land()
        finally:
            self._leaving = False

    @property
    def _coming_to_rest(self) -> bool:
        """Whether the robot is on its way to rest: no trouble is over before that is."""
        return self._leaving or self.halting.under_way or self.halting.landing

    def _rests(self, confirmed: bool) -> None:
        if self._stops:
            self.emit(Stopped(state=self.reading.now().summary, confirmed=confirmed))

    def _warn(self, text: str) -> None:
        self.emit(Warned(text=text))


def _broken(error: Exception) -> str:
    """What failed of the machine or its link, in words; empty for a bug."""
    if isinstance(error, RobotError):
        return str(error)
    return f"{type(error).__name__}: {error}" if isinstance(error, OSError) else ""
