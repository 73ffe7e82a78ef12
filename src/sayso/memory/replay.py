"""Doubles that play back a recorded mission: robot, perception, model and person say and do what is on record.

The planner, the language and the agent are the real ones, so a replay that ends otherwise shows a change in them, or in
the record. What is played comes in the record's order and at its times; poses are played, not compared.
"""

import asyncio
from bisect import bisect_right
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from sayso import events as ev
from sayso.clock import current
from sayso.errors import ModelBroke, ModelUnavailable, RobotError
from sayso.limits import Limits
from sayso.memory.comparison import short
from sayso.memory.record import LATE_S, UNCOMPARED, PlaybackOrder, Record, never
from sayso.memory.thing_record import Remembered
from sayso.plugins.kits import beliefs
from sayso.roles import Chunk, Prompt, Robot, RobotState, Usage
from sayso.scene import Belief, Pose, Scene, belief_from, scene_from
from sayso.skill import SkillSet
from sayso.task import Done, Failed, Outcome, Preempted, Refused, Task

STATED = ("charge", "holding", "doing", "speed_mps", "resting", "trouble")
"""What a look has on record of the robot's own state."""

Emit = Callable[[ev.Event], None]
Ask = Callable[[ev.Prompted], Awaitable[None]]

OWN_STOPS = ("mission time", "an error in sayso")
"""Who stops a mission from within the agent; a replay stops by itself then."""


class RecordedExecutive:
    """An executive that plays back every task's recorded events and outcome.

    What a skill asked a model is asked again: `ask` puts a recorded prompt to the model that plays the answers.
    """

    def __init__(self, record: Record, order: PlaybackOrder, skills: SkillSet, emit: Emit, ask: Ask) -> None:
        self.skills, self.emit, self._ask = skills, emit, ask
        self._record, self._order = record, order
        self._calls = deque(record.calls)
        self._stopped_by, self._own = "", False
        self._beside = [asyncio.ensure_future(self._play_asides())]

    @property
    def stopped_by(self) -> str:
        return self._stopped_by

    async def do(self, task: Task, statement: int = 0) -> Outcome:
        """The recorded outcome of the same task. Raises `Diverged` when another task is asked for."""
        if not self._calls:
            await self._record.beyond(f"{task.type}{tuple(task.data)}")
        events = deque(self._calls.popleft())
        self._must_match(events[0], task, statement)
        if not self._record.before_stop(events[0]):
            self._order.caught()
        asking: set[asyncio.Future[None]] = set()
        try:
            while events and self._record.before_stop(events[0]):
                await self._play(event := events.popleft(), asking)
                if isinstance(event, ev.TaskEnded):
                    return self._outcome(event)
            return await self._never_ended()
        except asyncio.CancelledError:
            for event in events:  # what the stop made of the task
                await self._play(event, asking)
            raise
        finally:
            for asked in asking:
                asked.cancel()

    async def _play(self, event: ev.Event, asking: set[asyncio.Future[None]]) -> None:
        await self._order.turn(event)
        if isinstance(event, ev.Prompted):
            asking.add(asyncio.ensure_future(self._ask(event)))
        elif not isinstance(event, ev.ChunkArrived | ev.AnswerEnded | ev.AnswerFailed):  # those come by asking
            self.emit(event)

    def tighten(self, wish: Limits) -> None:
        """What a bound refused is in the record."""

    def only(self, skills: frozenset[str] | None) -> None:
        """What a question may not do is refused in the record."""

    def pursue(self, tasks: Sequence[Task]) -> None:
        """What became of pursued tasks is played beside the mission, whatever is wanted."""

    def stop(self, by: str, *, own: bool = False) -> None:
        if not self._stopped_by:
            self._stopped_by, self._own = by, own
            self.emit(ev.StopAsked(by=by))
            self._beside.append(asyncio.ensure_future(self._play_asides(after_stop=True)))

    async def settled(self) -> None:
        """Return when the robot has confirmed the stop, as long after it as it did."""
        if self._stopped_by:
            await asyncio.shield(self._beside[-1])

    def release(self, by: str) -> None:
        if self._stopped_by:
            self._stopped_by = ""
            self.emit(ev.Released(by=by))

    async def over(self, *, halt: bool = False) -> None:
        if self._own:
            self.release(self._stopped_by)

    async def land(self) -> str:
        return ""

    def tree(self) -> list[dict[str, Any]]:
        return []

    async def close(self) -> None:
        for playing in self._beside:
            playing.cancel()
        await asyncio.gather(*self._beside, return_exceptions=True)

    def _must_match(self, first: ev.Event, task: Task, statement: int) -> None:
        same = isinstance(first, ev.TaskStarted | ev.TaskEnded | ev.LimitHeld) and first.skill == task.type
        if isinstance(first, ev.TaskStarted):
            same = same and tuple(first.args) == tuple(task.data) and first.statement == statement
        if not same:
            self._record.part(f"the record has {short(first)} where the plan asks for {task.type}{tuple(task.data)}")

    async def _never_ended(self) -> Outcome:
        """A stop or the death of the process comes next; or the body raised what nobody expects of a body."""
        stop, ended = self._record.stop, self._record.ended
        if stop and ended and stop.by == "an error in sayso":
            await self._order.turn(stop)
            kind, _, message = ended.reason.partition(": ")
            raise type(kind, (Exception,), {})(message)
        return await never()

    async def _play_asides(self, after_stop: bool = False) -> None:
        """What happened beside the plan's tasks: before the stop, or after it, up to the robot's confirmation."""
        for event in self._record.asides:
            if self._record.before_stop(event) != after_stop:
                await self._order.turn(event)
                self.emit(event)
                if isinstance(event, ev.Stopped):
                    return

    def _outcome(self, ended: ev.TaskEnded) -> Outcome:
        match ended.outcome:
            case "done":
                return Done(ended.value, replan=ended.detail)
            case "failed":
                return Failed(ended.detail, ended.code, tuple(a for a in ended.about if isinstance(a, str | float)))
            case "preempted":
                return Preempted(ended.detail)
        held = [e for call in self._record.calls if call[-1] is ended for e in call if isinstance(e, ev.LimitHeld)]
        if not held:
            self._record.part(f"the record has {short(ended)}, but not the limit that refused")
        return Refused(held[-1].limit, held[-1].asked, held[-1].bound)


class RecordedAnswers:
    """A model that gives its recorded answers again, piece by piece; one that its reader left stays open."""

    def __init__(self, record: Record, order: PlaybackOrder) -> None:
        prompts = [e for e in record.events if isinstance(e, ev.Prompted)]
        self._names = deque([*(e.model for e in prompts), "recorded"])
        self.name = self._names.popleft()
        self._order = order
        self._answers: deque[list[ev.Event]] = deque(
            [
                e
                for e in record.events
                if isinstance(e, ev.ChunkArrived | ev.AnswerEnded | ev.AnswerFailed) and e.call == prompted.call
            ]
            for prompted in prompts
        )

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        """The next recorded answer; whether the prompt was the same is for the comparison to say."""
        for event in self._next():
            await self._order.turn(event)
            match event:
                case ev.ChunkArrived():
                    yield Chunk(event.text, thought=event.thought)
                case ev.AnswerEnded():
                    yield Chunk("", Usage(event.tokens_in, event.tokens_out, event.counter))
                    return
                case ev.AnswerFailed(received=""):
                    raise ModelUnavailable(event.error)
                case ev.AnswerFailed():
                    raise ModelBroke(event.error, event.received)
        await never()

    def _next(self) -> list[ev.Event]:
        """The next answer; whose the one after it is, is known by then. Raises `ModelUnavailable` for none."""
        if not self._answers:
            raise ModelUnavailable("the record holds no further answer")
        self.name = self._names.popleft()
        return self._answers.popleft()

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        """The next recorded scores, of the same continuations."""
        for event in self._next():
            await self._order.turn(event)
            if isinstance(event, ev.AnswerFailed):
                raise ModelUnavailable(event.error)
            if isinstance(event, ev.AnswerEnded) and [c for c, _ in event.scores] == list(continuations):
                return [score for _, score in event.scores]
            raise ModelUnavailable("the record has another answer where scores are asked for")
        return await never()


class RecordedPerception:
    """A perception that gives the recorded scenes again, in order.

    `ran` says how many tasks have ended: the agent tells their outcomes by itself.
    """

    remembers = True

    def __init__(self, record: Record, ran: Callable[[], int]) -> None:
        self._record, self._looks, self._ran = record, deque(record.looks), ran
        self._kinds = {**beliefs(), Remembered.__name__: Remembered}

    async def look(self) -> Scene:
        ended = self._record.ended
        if not self._looks and ended and ended.outcome == "error" and ended.reason.startswith("the robot: "):
            raise RobotError(ended.reason.removeprefix("the robot: "))
        if not self._looks:
            await self._record.beyond("another look at the scene")
        look = self._looks.popleft()
        return scene_from(look.scene)

    def told(self, state: RobotState) -> RobotState:
        """How the robot described itself at the next look."""
        if not self._looks:
            return state
        look = self._looks[0]
        return replace(state, summary=(*look.notes, "")[0], **{name: getattr(look, name) for name in STATED})

    def believed(self) -> tuple[Belief, ...]:
        """What perception believed, and memory recalled."""
        look, notes = (self._looks[0], self._looks[0].notes) if self._looks else (None, ())
        lines = notes[1 : max(1, len(notes) - self._ran())]
        data = look.beliefs if look and look.beliefs else (None,) * len(lines)
        return tuple(belief_from(d, line, self._kinds) for d, line in zip(data, lines, strict=True))


class RecordedRobot(Robot):
    """A robot that stands where the record says it stood. It cannot be moved."""

    name = "recorded"
    knowledge: Mapping[str, Any]
    """Of a robot that has such a table."""

    def __init__(self, record: Record, told: Callable[[RobotState], RobotState]) -> None:
        self._moves, self._told = record.moves, told
        self._origin_s: float | None = None

    def state(self) -> RobotState:
        now_s = asyncio.get_running_loop().time()
        self._origin_s = now_s if self._origin_s is None else self._origin_s
        known = bisect_right(self._moves, now_s - self._origin_s + 1e-6, key=lambda m: m.at_s)
        if not self._moves:
            return self._told(RobotState())
        m = self._moves[max(0, known - 1)]
        return self._told(RobotState(Pose(m.x_m, m.y_m, m.z_m, m.yaw_rad), m.charge))

    async def halt(self) -> None:
        """Nothing moves."""


class ReplayMemory:
    """A memory for one replay: it holds the events, and asks for the stop exactly where the record has it.

    `stop` is called between two events: when all that came before it has happened and the time has come, before
    anything else can happen. Where the process died, the replay is stopped after the last event.
    """

    def __init__(self, record: Record, order: PlaybackOrder, stop: Callable[[str], None]) -> None:
        self.events: list[ev.Event] = []
        self._order, self._stop = order, stop
        self._by, self._due_s, self._after = "", 0.0, 0
        if record.stop and record.stop.by not in OWN_STOPS:
            self._by, self._due_s, self._after = record.stop.by, record.stop.at_s, record.place(record.stop)
        elif record.stop is None and record.ended is None:
            died_s = record.events[-1].at_s + 1e-3
            self._by, self._due_s, self._after = "the end of the record", died_s, record.size
        if record.caught:
            self._after, order.caught = -1, self._stop_when_due

    def begin(self, mission: str) -> Self:
        if self._by:
            asyncio.get_running_loop().call_later(self._order.left_s(self._due_s) + LATE_S, self._stop, self._by)
        return self

    def record(self, event: ev.Event) -> None:
        self.events.append(event)
        self._order.count(event)
        if not self._by or isinstance(event, UNCOMPARED) or self._order.happened != self._after:
            return
        if isinstance(event, ev.MissionStarted):  # a signal is heard one turn of the loop after the mission has begun
            asyncio.get_running_loop().call_soon(self._stop_when_due)
        else:
            self._stop_when_due()

    async def kept(self) -> None:
        """It is only listened to; whoever waited for the disk goes on in the same order."""
        await current().held(asyncio.sleep(0))

    def _stop_when_due(self) -> None:
        """At its time; at once where that is now, except in the very turn in which the mission begins."""
        left_s = self._order.left_s(self._due_s)
        if left_s or self._order.happened == 1:
            asyncio.get_running_loop().call_later(left_s, self._stop, self._by)
        else:
            self._stop(self._by)
