"""One mission: from the sentence to the verdict, with its planner, its limits and its record."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import datetime as dt
import logging
from asyncio import FIRST_COMPLETED
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import sayso
from sayso import events as ev
from sayso.errors import JournalError, ModelError, NotUnderstood, PlanError, RobotError, Unclear
from sayso.executive import Executive
from sayso.executive.state_reader import StateReader
from sayso.goals.observed import Watch
from sayso.grounding.answers import sentence
from sayso.grounding.referred import Before, referred
from sayso.language import Plan, foresee
from sayso.limits import Limits, outset
from sayso.memory.journal import new_id
from sayso.memory.metrics import Metrics
from sayso.memory.mission_recorder import MissionRecorder
from sayso.mission.mission_perception import MissionPerception
from sayso.mission.session import MissionSession, Spent
from sayso.models.pocket import Embedding
from sayso.planners.plan_run import Approve, Declined
from sayso.planners.reflex import Reflex, exact, urgent
from sayso.plugins.kits import words_for
from sayso.roles import Brief, End, Exchange, Knowing, Memory, Model, Observation, Perception, Planner, Robot
from sayso.scene import Ground, Pose
from sayso.skill import SkillSet, Value
from sayso.understanding.acts import asked_behind, ordered_behind
from sayso.understanding.bounds import Bounding
from sayso.understanding.forms import EMBEDDED, is_terse
from sayso.understanding.meaning import Understanding
from sayso.understanding.self_model import SelfModel
from sayso.understanding.self_questions import reply
from sayso.wish import Act, Wish

log = logging.getLogger("sayso")

GRACE_S = 1.0
"""How long what was given up may take to end before it is left behind."""

TELEMETRY_S = 0.25
"""How often the robot's pose is journaled, and the watchdog looks."""

EARLIER_MAX = 6
"""Of a conversation so many wishes are kept, the last ones."""


class MissionHost(Protocol):
    """The interface of the agent, as a mission uses it."""

    robot: Robot
    kind: str
    memory: Memory | None
    limits: Limits
    setup: dict[str, Any]
    earlier: list[Exchange] | None
    trail: list[Pose]
    ground: Ground | None
    skills: SkillSet
    executive: Executive
    eyes: MissionPerception
    perception: Perception | None
    reading: StateReader
    planner: Planner
    mission: Mission | None
    embed: Callable[[Sequence[str]], Any] | None

    @property
    def model(self) -> Model | None:
        """The model that is asked, where there is one."""

    async def open(self) -> None:
        """Connect the robot and start its world."""

    def prepare(self) -> None:
        """Prepare a mission: fresh skills, and the model's budget counts anew."""

    def alive(self) -> None:
        """Reset the watchdog: somebody is there."""

    def watch(self) -> None:
        """Stop where nobody has been there for too long."""

    def known(self, seen: Observation, earlier: Sequence[Exchange], wish: str = "") -> SelfModel:
        """What the robot knows of itself, with what is seen and what was wished for before; `wish` is what it is at."""


class Mission:
    """One wish, from the sentence to the verdict."""

    def __init__(self, agent: MissionHost, wish: Wish, approve: Approve | None, earlier: Sequence[Exchange]) -> None:
        self.agent, self.wish, self.earlier = agent, wish, tuple(earlier)
        self.id = new_id()
        self.happened: asyncio.Queue[ev.Event | None] = asyncio.Queue()
        self.over = asyncio.Event()
        self.left = False
        self._began_s = asyncio.get_running_loop().time()
        self.record = MissionRecorder(agent.memory, self.break_off)
        self._broken = ""
        self._work: asyncio.Future[ev.MissionEnded] | None = None
        self._given_up = asyncio.Event()
        self._before = _before(self.earlier)
        self.metrics = Metrics(self._moves, self._answers)
        known = agent.robot.knowledge if isinstance(agent.robot, Knowing) else {}
        sizes_m = {k["name"]: k["size_m"] for k in known.get("objects", ()) if "size_m" in k}
        self.watch = Watch(
            lambda: agent.executive.skills,
            {name: (size[2], max(size[:2])) for name, size in sizes_m.items()},
            home=agent.trail[0] if agent.trail else None,
            ground=agent.ground,
            reader=EMBEDDED,
        )
        self.understanding = Understanding(
            lambda: self.session.request,
            lambda: agent.executive.skills,
            self.watch,
            self.emit,
            agent.model is not None and is_terse(agent.model),
            lambda: self.session.how,
            lambda: self.session.kept,
            self._beyond,
            agent.embed or Embedding(),
        )
        self.session = MissionSession(
            wish=lambda: self.instruction,
            executive=agent.executive,
            eyes=agent.eyes,
            given=Brief(
                "",
                agent.executive.skills,
                limits=agent.limits,
                knowledge=known,
                kind=agent.kind,
                words=words_for(agent.kind),
                earlier=self.earlier,
            ),
            metrics=self.metrics,
            emit=self.emit,
            foresee=self._foresee,
            understanding=self.understanding,
            bounding=Bounding(
                agent.limits,
                lambda: agent.executive.skills,
                agent.reading.now,
                self.watch,
                agent.ground,
                agent.perception is not None,
                lambda: self.understanding.goal,
            ),
            asked_back=lambda: self.wish if self.wish.replies else None,
            known=lambda seen: agent.known(seen, self.earlier),
            holding=lambda: self.watch.held,
            approve=approve,
        )

    @property
    def instruction(self) -> str:
        """The wish in one sentence that stands for itself. "Hold it" and its like stay what they are."""
        said = sentence(self.wish)
        return said if urgent(said) else referred(said, self._before)

    async def run(self) -> None:
        """Run the mission; its last event is its `MissionEnded`, and the robot is at rest then (S13)."""
        self._begin()
        telemetry = asyncio.ensure_future(self._telemetry())
        try:
            await asyncio.sleep(0)  # whoever listens is told first, and may say stop
            await self.acknowledged()
            ended = await self._watched()
        except Exception as bug:
            log.exception("mission %s", self.id)
            ended = self._verdict("error", f"{type(bug).__name__}: {bug}")
        except asyncio.CancelledError:
            ended = self._verdict("stopped", "the loop is closing")
        telemetry.cancel()
        self.emit(ended)
        self._remember(ended)
        self.happened.put_nowait(None)
        self.agent.mission = None
        self.over.set()

    def _begin(self) -> None:
        """Put the wish on record, before anything else can happen."""
        self.record.begin(self.id)
        self.emit(
            ev.MissionStarted(
                instruction=self.wish.text,
                setup=self.agent.setup | self._conversation(),
                wall=dt.datetime.now().astimezone().isoformat(timespec="seconds"),
                version=sayso.__version__,
                replies=tuple((r.question, r.answer) for r in self.wish.replies),
            )
        )

    def _conversation(self) -> dict[str, Any]:
        """What a replay of a wish has to know of those before it."""
        earlier, trail = self.earlier, self.agent.trail
        told: dict[str, Any] = {"earlier": [dataclasses.asdict(e) for e in earlier]} if earlier else {}
        return told | ({"home": dataclasses.astuple(trail[0])} if trail else {})

    def _remember(self, ended: ev.MissionEnded) -> None:
        """This wish becomes a part of the conversation, where there is one."""
        if self.agent.earlier is None or self.session.request.act.aside:
            return
        about = dict[str, str]()
        for call in self.metrics.called:
            if skill := self.agent.skills.get(call.skill):
                about |= {param.kind: str(arg) for param, arg in zip(skill.params, call.args, strict=False)}
        ran, said = tuple(self.metrics.ever_ran), tuple(self.metrics.ever_said)
        outcome = f"{ended.outcome.replace('_', ' ')}: {ended.reason}"
        thing, place = about.get("thing", "").partition("#")[0], about.get("place", "")
        self.agent.earlier.append(Exchange(self.instruction, ran, said, outcome, thing, place))
        del self.agent.earlier[:-EARLIER_MAX]

    def leave(self) -> None:
        """Bring the robot to rest, since nobody listens any more; nothing is latched (S7)."""
        self.left = True
        self.agent.executive.stop("the listener left", own=True)
        self.abandon()

    def abandon(self) -> None:
        """Give up at once; called when the robot has been stopped."""
        self._given_up.set()
        if self._work:
            self._work.cancel()

    def break_off(self, reason: str) -> None:
        """End the mission with an error: something that it needs is broken."""
        self._broken = self._broken or reason
        self.abandon()

    def emit(self, event: ev.Event) -> None:
        """Stamp an event and have it recorded: a motion waits until it is on record, a stop for nothing."""
        event = self._stamped(event)
        self.record.put(event)
        self.metrics.see(event)
        try:
            if isinstance(event, ev.TaskEnded) and (state := self.agent.reading.now()).connected:
                self.watch.stands(state.pose, event.at_s)  # telemetry is seldom, and the next motion begins at once
            self.watch.see(event)
        except Exception:  # evidence that cannot be read proves nothing; what is emitted here may be a stop
            log.exception("evidence of mission %s", self.id)
        self.happened.put_nowait(event)
        if isinstance(event, ev.StopAsked):
            self.abandon()

    def afterwards(self, event: ev.Event) -> None:
        """Record an event after the mission's end."""
        self.record.put(self._stamped(event))

    def _stamped(self, event: ev.Event) -> ev.Event:
        return dataclasses.replace(event, at_s=round(asyncio.get_running_loop().time() - self._began_s, 6))

    async def acknowledged(self) -> None:
        """Wait until all events are on record, or cannot be."""
        with contextlib.suppress(JournalError):
            await self.record.kept()
        await asyncio.sleep(0)  # who has much to hear and need not wait for the record still gives way to a stop

    # From the instruction to the verdict

    async def _watched(self) -> ev.MissionEnded:
        """`_pursue` under the mission's time limit, ready to be stopped at any moment."""
        agent, executive = self.agent, self.agent.executive
        try:
            await agent.open()
            agent.prepare()
        except Exception as error:
            return self._verdict("error", f"the robot: {str(error) or type(error).__name__}")
        await executive.over()
        await executive.settled()
        aside = self.session.request.act.aside and not self._given_up.is_set()
        if (by := executive.stopped_by) and not aside:
            before = "" if self._given_up.is_set() else "; a person has to release it"
            return self._verdict("stopped", f"stopped by {by}{before}")
        self._work = asyncio.ensure_future(self._pursue())
        try:
            ended, halt = await self._judged(self._work)
        finally:
            self._work.cancel()
        await executive.over(halt=halt)
        if self.left and not agent.reading.now().resting:
            await executive.land()
        return ended

    async def _judged(self, work: asyncio.Future[ev.MissionEnded]) -> tuple[ev.MissionEnded, bool]:
        """What came of the work, and whether the robot has to be halted for it."""
        executive, given_up = self.agent.executive, asyncio.ensure_future(self._given_up.wait())
        late = asyncio.ensure_future(self._late())
        either: tuple[asyncio.Future[Any], ...] = (work, given_up, late)
        if self._broken:
            work.cancel()
        try:
            await asyncio.wait(either, return_when=FIRST_COMPLETED)
            if not (work.done() or given_up.done()):
                executive.stop("mission time", own=True)
                await executive.settled()
                work.cancel()
                missed = [why for part in self.understanding.missing() if (why := part.why)]
                return self._verdict("not_achieved", "; ".join((late.result(), *missed))), False
            if given_up.done():
                await asyncio.wait([work], timeout=GRACE_S)
        finally:
            given_up.cancel()
            late.cancel()
        if self._broken:
            if urgent(self.instruction) == "land":  # to come to rest waits for nothing (S16)
                await executive.land()
            return self._verdict("error", self._broken), True
        if given_up.done() or not work.done() or work.cancelled():
            if not executive.stopped_by:
                executive.stop("cancelled", own=True)
            await executive.settled()
            return self._verdict("stopped", f"stopped by {executive.stopped_by}"), False
        error = work.exception()
        if error is None:
            return work.result(), False
        if isinstance(error, RobotError):
            return self._verdict("error", f"the robot: {error}"), True
        if isinstance(error, JournalError):
            return self._verdict("error", str(error)), True
        log.error("mission %s", self.id, exc_info=error)
        executive.stop("an error in sayso", own=True)
        await executive.settled()
        return self._verdict("error", f"{type(error).__name__}: {error}"), False

    async def _late(self) -> str:
        """Return when the time is over that the limits or the wish give, with which it was."""
        most_s, began_s = self.agent.limits.mission_max_s, asyncio.get_running_loop().time()
        while (own_s := began_s + most_s - asyncio.get_running_loop().time()) > 0:
            if self.session.left_s <= 0:
                return f"The {self.session.within_s:g} s are over"
            await asyncio.sleep(min(own_s, self.session.left_s, TELEMETRY_S))
        return f"The time limit of {most_s:g} s is over"

    def _beyond(self) -> str:
        """Where the robot is otherwise than the wish allows, now that all is done."""
        pose = self.agent.reading.now().pose
        refused = next((r for b in self.session.bounds.bounds if (r := b.refusal(pose))), None)
        return refused.reason if refused else ""

    async def _pursue(self) -> ev.MissionEnded:
        """The planner works on the wish until it is met or given up; plain words that stop need none."""
        planner, request = Reflex() if urgent(self.instruction) else self.agent.planner, self.session.heed()
        if request.asks and not exact(await self.session.look()):  # what a robot's own skills count has no unit
            return self._verdict("asked", request.asks)
        if unheld := self.session.bounding.unheld(request):
            return self._verdict("asked", unheld)
        if request.act.aside:
            answer = reply(request.core, self.session.known((await self.session.look()).seen))
            self.emit(ev.Said(text=answer.said, itself=True))
            outcome, reason = ("achieved", "answered") if answer.known else ("not_achieved", "I do not know that")
            verdict = self._verdict(outcome, reason, answer.said)
            return dataclasses.replace(verdict, verified=answer.known or None)
        if request.first and not self.session.goes_on(said := self.aside(request.first)):
            return self._verdict("achieved", "answered", said)
        try:
            end = await planner.act(self.session)
        except Unclear as error:
            return self._verdict("asked", str(error))
        except (NotUnderstood, Declined) as error:
            return self._verdict("refused", str(error))
        except (ModelError, Spent) as error:
            end = End(False, str(error))
        self.session.pursue(())
        if urgent(self.instruction):
            if untold := self.answer_behind(self.instruction):
                end = End(False, untold, asks=True)
        elif request.behind:
            self.aside(request.behind)
        return self._checked(end)

    def _checked(self, end: End) -> ev.MissionEnded:
        """What came of it: never the plan's word alone, where the goal can be held against what was observed, and a
        question is met by an answer."""
        if (
            end.met
            and self.session.request.act is Act.WORLD
            and end.value in (None, True)
            and not self.metrics.ever_said
        ):
            end = End(False, "I found no answer to that")
        told = self.understanding.ended(end)
        unmet = "asked" if end.asks else "not_achieved"
        verdict = self._verdict("achieved" if told.met else unmet, told.reason, end.value)
        return dataclasses.replace(verdict, **told.figures)

    def aside(self, question: str) -> str:
        """Answer a question about the robot, or talk, while the mission goes on (U2); what was said."""
        answer = reply(question, self.agent.known(Observation(), self.earlier, self.instruction))
        self.emit(ev.Said(text=answer.said))
        return answer.said

    def answer_behind(self, said: str) -> str:
        """Answer what is asked of the robot behind a word that stops, and ask for what is ordered there and not done;
        empty where nothing is."""
        if asks := asked_behind(said):
            self.aside(asks)
        elif (rest := ordered_behind(said)) and urgent(said) == "stop" and not urgent(rest):
            text = f"I only stop. Please say by itself what I should do then: “{rest}”."
            self.emit(ev.Said(text=text))
            return text
        return ""

    def _foresee(self, plan: Plan) -> PlanError | None:
        agent = self.agent
        state, session = agent.reading.now(), self.session
        rises = state.resting and agent.skills.flies
        begin = outset(state.pose, session.limits, session.bounds, rises=rises)
        return foresee(plan, agent.skills, begin, session.limits)

    # What is told

    def _answers(self, skill: str) -> bool:
        known = self.agent.skills.get(skill)
        return known is not None and not known.means

    def _moves(self, skill: str) -> bool:
        known = self.agent.skills.get(skill)
        return known is None or bool({*known.uses} - {"camera"})

    def _verdict(self, outcome: str, reason: str, value: Value = None) -> ev.MissionEnded:
        return self.metrics.ended(outcome, reason, value)

    async def _telemetry(self) -> None:
        """Journal where the robot is, and let the watchdog look. Neither ends because something fails (S9)."""
        self.agent.alive()
        while True:
            self.agent.watch()
            if (state := self.agent.reading.now()).connected:
                p = state.pose
                self.emit(ev.Moved(x_m=p.x_m, y_m=p.y_m, z_m=p.z_m, yaw_rad=p.yaw_rad, charge=state.charge))
            await asyncio.sleep(TELEMETRY_S)


def _before(earlier: Sequence[Exchange]) -> Before:
    """What a conversation was about: its last wish, and the last thing and place of any. One of several that are called
    alike has no name of its own."""
    said = earlier[::-1]
    thing = next((e.about for e in said if e.about), "")
    place = next((e.where for e in said if e.where), "")
    return Before(said[0].wish if said else "", "" if "[" in thing else thing, place)
