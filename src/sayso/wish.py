"""A wish: what a person said, their answers to what was asked back, and what kind of sentence it is.

A robot that lacks what matters asks one short question and ends its mission as `asked`. The answer completes the wish
that it was asked about, as data: planners are told wish, question and answer, each for itself. An answer is no more
than words: it allows nothing, and no limit hears of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

QUESTION_MARKS = ("?", "？", "؟")


@dataclass(frozen=True, slots=True)
class Reply:
    """A question that was asked back about a wish, and the person's answer."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Wish:
    """A person's sentence, with what was asked back about it in order."""

    text: str
    replies: tuple[Reply, ...] = ()

    def answered(self, question: str, answer: str) -> Wish:
        """The same wish, gone on with."""
        return Wish(self.text, (*self.replies, Reply(question, answer.strip())))

    @property
    def latest(self) -> str:
        """What was said last."""
        return self.replies[-1].answer if self.replies else self.text


def is_question(text: str) -> bool:
    """Whether a sentence is a question, so that its speaker waits for an answer."""
    return text.rstrip().endswith(QUESTION_MARKS)


class Act(StrEnum):
    """The kind of sentence that a wish is (U1)."""

    COMMAND = "command"
    """It wants something done: the only act that may change the world."""
    SELF = "self"
    """A question about the robot, answered from its state, limits, skills and journal."""
    WORLD = "world"
    """A question about what is there: the robot may look, and changes nothing."""
    TALK = "talk"
    """Thanks, praise, a greeting: answered in kind."""

    @property
    def aside(self) -> bool:
        """Whether the robot answers it from what it knows of itself: no planner hears of it, and a mission goes on."""
        return self in (Act.SELF, Act.TALK)


class How(StrEnum):
    """The kind of bound that a manner sets; the unit of its value is in brackets."""

    CEILING = "ceiling"
    """No higher above the floor [m]."""
    FLOOR = "floor"
    """No lower above the floor [m]."""
    SPEED = "speed"
    """No faster [m/s]."""
    GENTLY = "gently"
    """No faster than this share of what the robot may [1]."""
    HASTE = "haste"
    """As fast as its limits allow; it bounds nothing."""
    FORCE = "force"
    """So hard; it bounds nothing."""
    APART = "apart"
    """No nearer to what it is about, or to what the wish goes to where that is not said [m]."""
    WITHIN = "within"
    """Over after so long [s]."""
    OFF = "off"
    """Not over or into the place or thing that it is about [no value]."""
    ALONE = "alone"
    """Nothing done to the thing or person that it is about [no value]."""
    TELL = "tell"
    """Somebody is told how it ended, as always; it bounds nothing."""
    STAY = "stay"
    """No further from where the wish found the robot [m]."""


@dataclass(frozen=True, slots=True)
class Manner:
    """A manner in which a wish is to be done: a limit of its mission, which only tightens (U5). `text` is what was said
    of it, and `about` the thing, person or place that it speaks of, as it was called."""

    how: How
    value: float = 0.0
    about: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """A wish as code has taken it apart, before any planner reads it.

    `core` is the sentence without its manners and what was taken back, with its amounts unchanged. Where an amount
    cannot be told, `asks` is the question that has to be answered first (U4); nothing moves then. `first` and `behind`
    are questions about the robot that it begins and ends with.
    """

    text: str
    act: Act = Act.COMMAND
    core: str = ""
    manners: tuple[Manner, ...] = ()
    asks: str = ""
    first: str = ""
    behind: str = ""
