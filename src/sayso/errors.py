"""The tree of errors, ordered by who has to read them.

    SaysoError
    ├── PlanError             the author of the plan, model or person: carries the place and what was expected
    │   ├── PlanSyntaxError       the text is not MiniSpec
    │   ├── PlanCheckError        it is, but this robot cannot do it
    │   │   └── PlanLimitError        it can, and a limit forbids it
    │   └── PlanRunError          it started, and a value turned out wrong
    ├── NotUnderstood         the person who spoke: says what would have been understood
    │   └── Unclear               what matters is missing or ambiguous: one short question
    ├── SkillFailed           the planner: a skill could not do its work, and why
    ├── ReplanWanted          the planner: a skill did its work and changed so much that the plan needs a new look
    ├── ModelError            the agent: no (more) text from the model
    │   ├── ModelUnavailable      before the first token: refused, unreachable, timed out
    │   └── ModelBroke            in the middle of an answer
    ├── RobotError            the operator: a driver or its link failed
    ├── JournalError          the operator: the record of truth cannot be read or written
    └── UsageError            the developer or the person at the keyboard

A limit that refuses, a preemption and a failed skill are not errors but outcomes (`task.Outcome`): a plan may go on
after them.
"""

from dataclasses import dataclass

SHOWN = 120
"""Characters of a line that an error shows around its spot: a plan may be one very long line."""


class SaysoError(Exception):
    """Root of everything that sayso raises on purpose."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where in a plan's text: `offset` counts characters from 0; `line` and `column` count from 1."""

    offset: int = 0
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


class PlanError(SaysoError):
    """A plan that cannot be run as written.

    `message` says what is wrong, `expected` what would be right, `place` where, `snippet` the offending line.
    """

    def __init__(self, message: str, place: Place | None = None, *, expected: str = "", snippet: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = place or Place()
        self.expected = expected
        self.snippet = snippet

    def __str__(self) -> str:
        hint = f" (expected {self.expected})" if self.expected else ""
        return f"{self.place}: {self.message}{hint}"

    def pointed(self) -> str:
        """The error with its line of text and a caret under the spot."""
        if not self.snippet:
            return str(self)
        column = self.place.column - 1
        start = max(0, column - SHOWN // 2)
        line = "".join(c if c.isprintable() else "·" for c in self.snippet[start : start + SHOWN])
        return f"{self}\n  {line}\n  {' ' * (column - start)}^"


class PlanSyntaxError(PlanError):
    """The text is not MiniSpec."""


class PlanCheckError(PlanError):
    """Well-formed, but not admissible for this set of skills."""


class PlanLimitError(PlanCheckError):
    """A plan that would break a limit. A person is told the limit; where in the text, only the caret shows."""

    def __str__(self) -> str:
        return self.message


class PlanRunError(PlanError):
    """A value that only became known while running was wrong."""


class NotUnderstood(SaysoError):
    """The sentence is outside what this planner can read. The message helps the person to rephrase."""


class Unclear(NotUnderstood):
    """What matters is missing or ambiguous. The message is one short question, whose answer completes the wish."""


class SkillFailed(SaysoError):
    """Raised by a native skill's body; becomes a `Failed` outcome with this reason.

    `code` tells in a word or two what went wrong, for those who act on it and do not read it, and `about` is what it
    is about: a place, a side, the x and y of a point in metres.
    """

    def __init__(self, reason: str, code: str = "", *about: str | float) -> None:
        super().__init__(reason)
        self.code, self.about = code, about


class ReplanWanted(SaysoError):
    """Raised by a native skill's body when its work is done; the message says what changed."""


class ModelError(SaysoError):
    """No usable text from the model. The message never holds a key."""


class ModelUnavailable(ModelError):
    """Nothing was received: unreachable, refused, or silent until the time-out."""


class ModelBroke(ModelError):
    """The answer stopped in the middle; `received` is what had arrived."""

    def __init__(self, message: str, received: str = "") -> None:
        super().__init__(message)
        self.received = received


class RobotError(SaysoError):
    """A driver failed or lost its link. Whoever sees it must assume that the robot still moves."""


class JournalError(SaysoError):
    """The journal is damaged, foreign or not writable. It is never overwritten."""


class UsageError(SaysoError):
    """Called in a way that cannot work; the message says what would."""
