"""The interfaces of a model, a planner, a robot, perception and memory, and the records that pass between them.

Whoever brings an own model, planner, robot, perception or memory implements one of these.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, TypeVar, runtime_checkable

from sayso.errors import ModelUnavailable
from sayso.events import Event
from sayso.goal import Clause, Part
from sayso.limits import Limits
from sayso.scene import Belief, Pose, Scene, TextBelief, Thing, View
from sayso.skill import SkillSet, Value, say
from sayso.tables.thoughts import behind
from sayso.tables.words import UNSAID, Words
from sayso.task import Ran, Task
from sayso.wish import Request, Wish, is_question

T = TypeVar("T")


DONE = "done"
"""The reason of a planner that has nothing to say but that its plan ran to its end."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One earlier plan of this mission: its text, what of it ran with which outcome, and why it ended.

    `how` is finished, returned (a `value`), replan (it asks for a new one), failed, cut (its text broke off) or unmet:
    it ran to its end, and the clauses in `missing` are false on what was observed. `said` is what its last task was to
    say, if it was.
    """

    plan: str
    ran: tuple[Ran, ...] = ()
    ended: str = ""
    how: str = "failed"
    value: Value = None
    said: str = ""
    missing: tuple[Part, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether it ran to its end, and nothing that was observed speaks against it."""
        return self.how in ("finished", "returned")


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier wish of a conversation, standing for itself: what ran for it, what was said, how it ended, and which
    thing and place it was last about."""

    wish: str
    ran: tuple[str, ...]
    said: tuple[str, ...]
    outcome: str
    about: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class RobotState:
    """What a robot knows of itself. `resting` is a safe state in which it can be left alone.

    `summary` says in a line how it is, `doing` in a word that is another one only when it does something else;
    `holding` is what the hand holds, as far as the robot can tell; `trouble` what keeps it from working, such as
    "fallen over"; empty for nothing.
    """

    pose: Pose = Pose()
    charge: float = 1.0
    speed_mps: float = 0.0
    resting: bool = True
    connected: bool = True
    summary: str = ""
    doing: str = ""
    holding: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """One line of a check list: what was looked at, what was found, and what it `must` be, where it is not so."""

    what: str
    found: str
    must: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """What there is to know at one moment: what is in view, how the robot is, what perception believes besides, what
    memory recalls of what the wish speaks of, and which tasks have ended (since the present plan began)."""

    scene: Scene = field(default_factory=Scene)
    state: RobotState | None = None
    believed: tuple[Belief, ...] = ()
    recalled: tuple[Belief, ...] = ()
    ended: tuple[Ran, ...] = ()

    @classmethod
    def of(cls, *beliefs: Belief | str, scene: Scene | None = None, state: RobotState | None = None) -> Self:
        """What somebody believes; mere lines as well."""
        told = (TextBelief(b) if isinstance(b, str) else b for b in beliefs)
        return cls(scene or Scene(), state, tuple(told))

    @property
    def notes(self) -> tuple[str, ...]:
        """All but the scene in words, a line each."""
        summary = () if self.state is None else (self.state.summary,)
        return (*summary, *map(str, (*self.believed, *self.recalled, *self.ended)))


@dataclass(frozen=True, slots=True)
class Brief:
    """All that a planner is told: the wish, what the robot can do, what is `seen`, what was tried.

    `failure` is the one thing to mend (an error with its place, a failed outcome), empty on the first round.
    `knowledge` is the robot's own table of names and places, where it has one, for checks; models read `notes`.
    `kind` is the robot's, as its kit is registered; a model that was taught some kinds asks for it. `words` is how
    people speak to it. `earlier` is the conversation so far, where there is one.

    `instruction` is the wish in one sentence. Where something was asked back about it, `wish` has what was said, what
    was asked and what was answered, each for itself; large models are told those. `request` is what code has read
    of it, and `how` says which limits of this wish hold already, whatever is planned. `itself` is what the robot knows
    of itself, a line each, for large models.
    """

    instruction: str
    skills: SkillSet
    seen: Observation = field(default_factory=Observation)
    history: tuple[Attempt, ...] = ()
    failure: str = ""
    limits: Limits = field(default_factory=Limits)
    knowledge: Mapping[str, Any] = field(default_factory=dict)
    kind: str = ""
    words: Words = UNSAID
    earlier: tuple[Exchange, ...] = ()
    wish: Wish | None = None
    request: Request | None = None
    how: tuple[str, ...] = ()
    itself: tuple[str, ...] = ()

    @property
    def core(self) -> str:
        """The wish without its manners, for who reads one sentence; a mission's limits hold those."""
        return self.request.core if self.request else self.instruction

    @property
    def scene(self) -> Scene:
        """What is in view."""
        return self.seen.scene

    @property
    def notes(self) -> tuple[str, ...]:
        """What else is seen, in words."""
        return self.seen.notes

    @property
    def known(self) -> tuple[str, ...]:
        """What a large model is told besides the scene: how the robot is, and what it knows of itself."""
        return (*self.notes, *self.itself)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked. A large model reads `messages` ((role, text) pairs, the stable part first); a small one
    that was trained here reads `brief` in its own short form. `grammar` is GBNF for endpoints that take it. `picture`
    is a JPEG that belongs to the last message, for a model that is `Seeing`; empty for none."""

    purpose: str
    messages: tuple[tuple[str, str], ...]
    brief: Brief | None = None
    question: str = ""
    grammar: str = ""
    max_tokens: int = 1024
    picture: bytes = b""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one model call, and who counted them."""

    tokens_in: int
    tokens_out: int
    counter: str = "endpoint"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of an answer. The last one may carry the usage and no text. `thought` is no part of the answer."""

    text: str
    usage: Usage | None = None
    thought: str = ""


@runtime_checkable
class Model(Protocol):
    """Text in, token stream out."""

    name: str

    def stream(self, prompt: Prompt) -> AsyncIterator[Chunk]:
        """The answer, as it is made.

        Raises `ModelUnavailable` before the first chunk (after its own retries) and `ModelBroke` after it. Closing the
        iterator early ends the request.
        """

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        """Log-probability of each continuation after the prompt. Raises `ModelUnavailable` where it cannot, as here."""
        raise ModelUnavailable(f"{self.name} cannot score: it has no probabilities")


@runtime_checkable
class Seeing(Model, Protocol):
    """A model that takes pictures: `picture_px` is how long the longer side of one may be."""

    picture_px: int


@runtime_checkable
class Closable(Protocol):
    """A stream that can be ended early."""

    async def aclose(self) -> None: ...


@asynccontextmanager
async def closing(stream: AsyncIterator[T]) -> AsyncIterator[AsyncIterator[T]]:
    """End a stream on the way out. An async generator left half-read would keep its request open for a while."""
    try:
        yield stream
    finally:
        if isinstance(stream, Closable):
            await stream.aclose()


async def answered(model: Model, prompt: Prompt, most: float = math.inf) -> str:
    """The text of a whole answer. One of more than `most` characters ends there: nobody will read it."""
    text = ""
    async with closing(model.stream(prompt)) as answer:
        async for chunk in answer:
            text += chunk.text
            if len(text) > most:
                break
    return behind(text)


@dataclass(frozen=True, slots=True)
class End:
    """What a wish came to: whether it is met, why it is over, and an answer, where it asked for one.

    One that `asks` is not met: its reason is a question to the person, whose answer completes the wish.
    """

    met: bool
    reason: str
    value: Value = None
    asks: bool = False

    @classmethod
    def of(cls, plan: Attempt) -> Self:
        """A plan that ran to its end did what its skills measured; one that returns False says that it could not.

        One that ends with words gives its reason so, or asks back; a skill that fails with a question asks as well.
        """
        if not plan.whole:
            why = plan.ended.partition("\n")[0]
            return cls(False, why, asks=is_question(why))
        if plan.value is False:
            return cls(False, plan.said or "it could not be done", False, is_question(plan.said))
        return cls(True, DONE if plan.value in (None, True) else f"answer: {say(plan.value)}", plan.value)


class Session(Protocol):
    """One mission, as its planner works in it."""

    async def look(self) -> Brief:
        """The present wish (a person may change it), what is seen now, and all that was tried so far."""

    async def run(self, text: AsyncIterator[str], *, step: bool = False, terse: bool = False) -> Attempt:
        """Run one plan while its text arrives, checked statement by statement; how it ended.

        Before it moves it is said what a plan works towards, unless it is only a `step`; `terse` says that all of its
        text comes in a moment and is held against the wish. One that claims to have met the wish, as every plan does
        that ends well and a step only by the value that it returns, is `unmet` where the goal is false on what was
        observed, a few times in a mission: what is missing is to be mended. Raises what `text` raises that is no fault
        of the plan's, `NotUnderstood` where plan and wish part, and `Declined` where a person does not approve it.
        """

    def pursue(self, tasks: Sequence[Task]) -> None:
        """Replace the tasks that are pursued, which compete as optional children of the mission."""

    def understood(self, goal: Clause, *, whole: bool = False, heeds: Sequence[str] = ()) -> None:
        """What this planner takes the present wish to mean: it is said to the person and is what the mission is judged
        by, until the wish is another one or this is called again. `whole`: no word of the wish is left out of it;
        `heeds`: words that are minded and stand in no clause, since nothing observed decides them."""

    def missing(self) -> tuple[Part, ...]:
        """The clauses of the goal that are false on what was observed so far; none where there is no goal."""
        raise NotImplementedError

    def tighten(self, wish: Limits) -> None:
        """What this planner reads of the present wish to be allowed where that is less than the limits do, enforced
        below it until the mission is over. It takes the place of what an earlier wish did, and loosens no limit."""

    def note(self, text: str) -> None:
        """Tell an operator something."""


@runtime_checkable
class Planner(Protocol):
    """Works on a wish until it is met or given up: it looks, has plans run or tasks pursued, and looks again.

    `steers` says whether it looks while what it wants is going on, so that a changed wish reaches it in time. How often
    it tries is its own affair, within the mission's limits of time, calls and tokens.
    """

    name: str
    steers: bool

    async def act(self, session: Session) -> End:
        """Raises `NotUnderstood` when the wish is outside what this planner reads, and what its model raises."""


class Robot(ABC):
    """A machine that acts. Its `@skill` methods are what can be asked of it; skills shared by all robots of one
    `kind` are added by the agent. An adapter for a real robot is one file with one such class."""

    name: ClassVar[str] = "robot"
    kind: ClassVar[str] = ""
    limits: Limits = Limits()
    photograph: Callable[[], Awaitable[Any]] | None = None
    """Takes a `picture` without holding up the loop, where somebody provides that; a renderer takes its time."""
    endurance_s: float = 0.0
    """How long a full battery lasts while it works; 0 where nobody knows."""
    identity: str = ""
    """Which machine this is, such as tello:192.168.10.1, so that nobody else drives it (S14). Simulated: none."""
    cut: Callable[[], Awaitable[None]] | None = None
    """The last resort where halting fails again and again (S3), such as cutting the motors: what flies then falls.

    Off unless a person who knows the machine sets it."""

    told_to_stop: Callable[[str], None] | None = None
    """What to call, from any thread, where somebody at the machine stops it by its own button or network, with who. Set
    by whoever drives it, to whom that is a person's stop."""

    told_to_say: Callable[[str, Callable[[str], None]], None] | None = None
    """What to call, on its loop, where somebody at the machine says a wish, with who hears what came of it. Set only
    where a person approves what others wish for (S20)."""

    on_stop: ClassVar[str] = ""
    """What a stop does on this machine, in a sentence for who is about to stop it."""

    @abstractmethod
    def state(self) -> RobotState:
        """The latest known state; never blocks."""

    @abstractmethod
    async def halt(self) -> None:
        """Give up every motion and come to rest in the nearest safe state (hover, stand, brakes on).

        May be called at any time, twice as well, from any task; returns when the robot rests. Raises `RobotError`
        when the machine cannot be reached, in which case it must be assumed to be moving.
        """

    def halt_now(self) -> None:
        """Tell the machine to halt from any thread, at once, without waiting, where an adapter can: a datagram needs no
        event loop. Called beside `halt`, and by the supervisor while the loop is blocked (S5)."""

    async def rest(self) -> None:
        """Go from halted to where the robot can be left alone (what flies lands). Halted may be enough; what is to stay
        as it is at the end, such as a lamp that is on, is left alone here."""
        await self.halt()

    def checks(self) -> Sequence[Check]:
        """What has to be well before the robot leaves its rest; a machine in the world has such a list (S19)."""
        return ()

    def bounded(self, wish: Limits) -> None:
        """What the wish of the present mission allows, where that is less than the limits do; all when it is over. The
        executive enforces it in any case, and `limits` are as tight by then; a robot that finds its own ways may keep
        to it by itself."""

    def picture(self, width_px: int = 480, height_px: int = 360) -> Any:
        """What the robot's camera sees as (height, width, 3) uint8, or None where there is no camera or no GL."""
        return None

    def view(self) -> View | None:
        """How the camera that takes the `picture` stands now and how wide it looks; None where that is not known, and
        what a picture shows has no place then."""
        return None

    async def open(self) -> None:
        """Connect. Raises `RobotError`."""

    async def close(self) -> None:
        """Disconnect; the robot is at rest by then."""


@runtime_checkable
class Perception(Protocol):
    """Sensors in, scene out."""

    async def look(self) -> Scene:
        """What is in view now. Raises `RobotError` when the sensor is gone."""


@runtime_checkable
class Tracking(Perception, Protocol):
    """A perception that believes more than what is in view. One that `remembers` keeps track of things by itself, so
    that no memory is asked what it has seen."""

    remembers: bool

    def believed(self) -> Sequence[Belief]:
        """What a planner may be told besides the scene."""


@runtime_checkable
class Knowing(Protocol):
    """A robot that has a table of names and places."""

    knowledge: Mapping[str, Any]


@runtime_checkable
class Scanning(Protocol):
    """A robot with a lidar."""

    def lidar(self) -> tuple[Sequence[float], Sequence[float], float]:
        """One sweep: bearings (rad) in the world, ranges (m), and how far it reaches (m)."""


@runtime_checkable
class Ranging(Protocol):
    """A robot that measures how far it is to the next thing."""

    def clearance_m(self, bearing_rad: float = 0.0) -> float:
        """In one direction from the heading; rays of a robot on the ground meet the ground."""


class MissionRecord(Protocol):
    """One mission's part of the memory."""

    def record(self, event: Event) -> object:
        """Take the event, in order. Never waits for a disk; what goes wrong is told by `kept`."""

    async def kept(self) -> None:
        """Return when everything taken so far is on disk. Raises `JournalError` when it does not or will not."""


@runtime_checkable
class Memory(Protocol):
    """What outlives the moment. Every event passes through it before anything acts on it."""

    def begin(self, mission: str) -> MissionRecord:
        """Open the record of a mission."""


@runtime_checkable
class Filed(Memory, Protocol):
    """A memory that keeps its missions in a journal."""

    @property
    def file(self) -> Path: ...


@runtime_checkable
class Recalling(Memory, Protocol):
    """A memory that learns from the record, and can be asked what was seen, on earlier missions too.

    What it tells comes from the world: data, to be quoted where a model reads it.
    """

    def recall(self, name: str) -> Thing | None:
        """The thing that a plan's name stands for, where it was last seen; None where it is not known or not there."""
        return None

    def where(self, name: str, here: Pose) -> str:
        """Where a thing was last seen, in words; empty where nothing of that name was."""
        return ""

    def recalled(self, instruction: str, scene: Scene) -> tuple[Belief, ...]:
        """What is remembered of what an instruction speaks of, and is not in view, for a planner."""
        return ()

    def news(self) -> tuple[str, ...]:
        """What was noticed since the last time: things gone from their place, or found elsewhere."""
        return ()

    def sweep(self, eye: Pose, bearings_rad: Sequence[float], ranges_m: Sequence[float], reach_m: float) -> None:
        """Learn the map from one turn of rays; a range of `reach_m` or more met nothing."""
