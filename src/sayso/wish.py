"""What a person wants: what they said, and what they answered where something was asked back.

A robot that lacks what matters asks one short question and ends its mission as `asked`. The answer completes the wish
that it was asked about, as data: planners are told wish, question and answer, each for itself. An answer is no more
than words: it allows nothing, and no limit hears of it.
"""

from __future__ import annotations

from dataclasses import dataclass

QUESTION_MARKS = ("?", "？", "؟")


@dataclass(frozen=True, slots=True)
class Reply:
    """What was asked back about a wish, and what the person said to it."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Wish:
    """A sentence, with what was asked back about it in order."""

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
    """Whether somebody who says this waits for an answer."""
    return text.rstrip().endswith(QUESTION_MARKS)
