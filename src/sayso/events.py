"""Everything that can happen, as frozen records: one format for journal, console, benchmark and replay.

`at_s` is seconds on the mission's clock since the mission began. An event names tasks, model calls and statements by
small integers that count up within the mission, so that two runs of the same mission compare line by line.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from sayso.errors import JournalError
from sayso.wish import Reply, Wish

Json: TypeAlias = Any
"""What `json` can hold: None, bool, int, float, str, list, dict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened, `at_s` seconds into the mission."""

    at_s: float = 0.0


# The mission


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionStarted(Event):
    """A person wished for something. `setup` is all it takes to run the same mission again; `wall` is ISO 8601.

    `replies` are pairs: what was asked back about this wish by missions before, and the person's answer.
    """

    instruction: str
    setup: Mapping[str, Json]
    wall: str = ""
    version: str = ""
    replies: tuple[tuple[str, str], ...] = ()

    @property
    def wish(self) -> Wish:
        """All that the person said."""
        return Wish(self.instruction, tuple(Reply(*pair) for pair in self.replies))


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionEnded(Event):
    """The end of a mission: `outcome` is achieved, not_achieved, asked, refused, stopped or error; of one that asked,
    the `reason` is the question, whose answer completes the same wish. Times are None when nothing moved or spoke.

    `verified` tells whether every clause of the `goal` is true on what was observed; `missing` are those that are
    false, `unknown` in a person's words what nothing observed decides, each with why; None and empty where a mission
    has no goal.
    `judged` is what models said on whose word it went: those that were shown pictures with how sure they are, and those
    that were only asked, on common sense, with which nothing is `verified`.
    """

    outcome: str
    reason: str
    value: Json = None
    r_time_s: float | None = None
    c_time_s: float | None = None
    plan_tokens: int = 0
    model_calls: int = 0
    replans: int = 0
    goal: str = ""
    verified: bool | None = None
    missing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    judged: tuple[str, ...] = ()

    @property
    def asked(self) -> str:
        """The question that waits for an answer; empty where there is none."""
        return self.reason if self.outcome == "asked" else ""

    @property
    def verdict(self) -> str:
        """How it ended and why, in words; what nothing observed decides is said."""
        judged = f", going by {'; '.join(self.judged)}" if self.judged else ""
        if self.outcome == "achieved" and self.unknown:
            return f"achieved, not verified: {'; '.join(self.unknown)}{judged}"
        reason = f"{self.reason.removesuffix('.')}{judged}" if judged else self.reason
        return reason if self.outcome == "stopped" else f"{self.outcome.replace('_', ' ')}: {reason}"

    @property
    def doubtful(self) -> bool:
        """Whether it counts as achieved, and nothing that was observed tells all of it."""
        return self.outcome == "achieved" and (bool(self.unknown) or self.verified is False)

    @property
    def declined(self) -> bool:
        """Whether it was refused, or the plan itself said that it cannot be done: an answer, no accident."""
        return self.outcome == "refused" or (self.outcome == "not_achieved" and self.value is False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Instructed(Event):
    """A person added to or changed the wish while the mission ran."""

    instruction: str


# The model


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompted(Event):
    """A model was asked; `purpose` is plan, replan, probe, … `messages` are (role, text) pairs."""

    call: int
    purpose: str
    model: str
    messages: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkArrived(Event):
    """A piece of the answer, as it came; `thought` is what the model thought before it, and no part of it."""

    call: int
    text: str
    thought: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerEnded(Event):
    """The answer is whole. Token counts are the endpoint's where it gives them, else counted by `counter`.

    `scores` is the answer where continuations were weighed: each one with its log-probability.
    """

    call: int
    tokens_in: int
    tokens_out: int
    counter: str = ""
    scores: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFailed(Event):
    """The model gave nothing, or stopped in the middle."""

    call: int
    error: str
    received: str = ""


# The plan


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementReady(Event):
    """A statement of the plan is complete and admissible. `depth` counts enclosing blocks.

    `behind` is what stands between it and the branch before: `:` before another condition, `:{` before the first
    statement of what runs otherwise.
    """

    statement: int
    text: str
    line: int
    column: int
    depth: int = 0
    behind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRefused(Event):
    """Text that was no plan for this robot: `error` says what and where, `pointed` shows it with a caret."""

    error: str
    pointed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanEnded(Event):
    """One plan is over: `how` is finished, returned, replan, failed or cut."""

    how: str
    value: Json = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replanned(Event):
    """A new plan is asked for, and why. `round` counts from 1."""

    round: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalAsked(Event):
    """A person is shown the whole plan before anything moves."""

    plan: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalGiven(Event):
    """What the person answered to the plan."""

    approved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood(Event):
    """The mission's goal as text, and in a sentence; `left_out` was said and stands in no clause."""

    goal: str
    told: str
    left_out: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """What is said back to the person."""
        return self.told + "".join(f" I leave out “{words}”." for words in self.left_out)


# The executive


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskStarted(Event):
    """A skill's body begins to run. `statement` is 0 where no statement asked for it."""

    task: int
    skill: str
    args: tuple[Json, ...] = ()
    statement: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskEnded(Event):
    """`outcome` is done, failed, preempted or refused; `detail` is the reason, the limit or who preempted; `code` and
    `about` are those of a failure."""

    task: int
    skill: str
    outcome: str
    value: Json = None
    detail: str = ""
    code: str = ""
    about: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillEnded(Event):
    """A skill that is a plan itself came to its end, with a value. What it called has ended as tasks of its own."""

    skill: str
    args: tuple[Json, ...] = ()
    value: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSuspended(Event):
    """Something stronger holds what the task needs; it begins again when that lets go, unless patience ends first."""

    task: int
    skill: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskResumed(Event):
    """What the task needs came back, and its skill begins again."""

    task: int
    skill: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitHeld(Event):
    """A limit refused or cut something short."""

    limit: str
    asked: str
    bound: str
    skill: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StopAsked(Event):
    """A stop of everything was asked for. `by` is key, word, api, watchdog or a provider's name."""

    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped(Event):
    """The robot was told and has confirmed: `state` says how it rests. Latched until `Released`."""

    state: str
    confirmed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Released(Event):
    """A person lifted the stop."""

    by: str


# The robot and its world


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed(Event):
    """What perception delivered to a planner or, where `task` is not 0, to a skill. `scene` is `scene_json`.

    `notes` are what a planner was told besides: the robot's own state in words, what perception remembers, which tasks
    have ended. Behind the first note, `beliefs` say the same as data, where they are more than a line. What follows
    is the robot's own state.
    """

    scene: Mapping[str, Json]
    task: int = 0
    notes: tuple[str, ...] = ()
    beliefs: tuple[Mapping[str, Json] | None, ...] = ()
    charge: float = 1.0
    holding: str = ""
    doing: str = ""
    speed_mps: float = 0.0
    resting: bool = True
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Event):
    """Where the robot is, at a low rate: metres and radians in the world frame; `charge` is a fraction of full."""

    x_m: float
    y_m: float
    z_m: float
    yaw_rad: float
    charge: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Said(Event):
    """The robot told the person something; `itself` where that is the whole answer to a question about the robot."""

    text: str
    itself: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureTaken(Event):
    """`file` is where the picture lies, empty where nothing could render it; `labels` is what was in frame."""

    file: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged(Event):
    """A model that was shown what the camera sees answered a question about it: `by` is its name, `confidence` how sure
    it says it is (0 to 1), `thing` the id of what it named, where that is in view."""

    question: str
    answer: str
    confidence: float
    by: str
    thing: str = ""

    def __str__(self) -> str:
        return f"{self.by}, {self.confidence:.0%} sure: {self.question} {self.answer}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Warned(Event):
    """Something an operator should know: a link that lags, a name that was read charitably."""

    text: str


KINDS: dict[str, type[Event]] = {cls.__name__: cls for cls in Event.__subclasses__()}


def to_json(event: Event) -> str:
    """One line of JSON, the kind left out: it stands beside it in the journal."""
    return json.dumps(
        {f.name: getattr(event, f.name) for f in dataclasses.fields(event)}, ensure_ascii=False, default=str
    )


def to_line(event: Event) -> str:
    """The same with its kind in it, to stand for itself."""
    return json.dumps({"kind": type(event).__name__, **json.loads(to_json(event))}, ensure_ascii=False)


def from_json(kind: str, text: str) -> Event:
    """The event that `to_json` wrote. Unknown kinds and fields are a `JournalError`, not a guess."""
    cls = KINDS.get(kind)
    if cls is None:
        raise JournalError(f"the journal holds an event of unknown kind {kind!r}; was it written by a newer sayso?")
    data = json.loads(text)
    names = {f.name for f in dataclasses.fields(cls)}
    if unknown := set(data) - names:
        raise JournalError(f"{kind} has unknown fields {sorted(unknown)}")
    return cls(**{k: _frozen(v) for k, v in data.items()})


def _frozen(value: Json) -> Json:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
