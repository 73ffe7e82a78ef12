"""Lessons in reading a wish: the sentence with its amounts in figures, and what it says in the language of goals.

Things are called by the very words of the sentence, so that a name is copied and never guessed; what a robot does about
it is no matter of reading. What the model may not write is drawn again: a slip of the finger in a name, an amount that
code does not read as it was meant.
"""

from __future__ import annotations

from lessons.record import Lesson, output
from lessons.simple import Clause
from lessons.telling import Teller, Unsaid
from sayso.models.pocket.reading import Sayable
from sayso.robots.drone.form import SAYABLE


def reading(held: str, id_: str, clause: Clause, sentence: str, t: Teller, says: Sayable = SAYABLE) -> Lesson:
    """The lesson of a wish that was made and said. Raises `Unsaid` where it cannot be read to the letter."""
    prompt = says.reads(sentence)
    held_to = says.constraint(prompt)
    if not (held_to.take(clause.goal) and held_to.may_end):
        raise Unsaid(f"{clause.goal!r} is not in {prompt!r}")
    frames = tuple(t.frames)
    return Lesson(id_, held, "reading", clause.intent, sentence, prompt, output(clause.goal), frames, t.room.scene)
