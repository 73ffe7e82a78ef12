"""The short form in which the embedded model is asked about a wish to the drone: what it says, as a goal.

    <plan>fly 40 cm up and go to the rubber duck<do>moved(up, 40 cm) then at('rubber duck')<end>

Code writes the plan from that, and mends it when it fails.
"""

from __future__ import annotations

from sayso.errors import NotUnderstood, PlanSyntaxError
from sayso.forms import Constraint, brief_of
from sayso.models.pocket.plans import PlanForm
from sayso.models.pocket.reading import reading_constraint, reading_input
from sayso.parts import Prompt
from sayso.robots.drone.mends import mended
from sayso.robots.drone.reading import REPLIES, planned

HINTS: tuple[str, ...] = tuple(REPLIES["hints"])
"""What something is called that a wish only lets be guessed."""


class ReadingForm(PlanForm):
    lessons = "drone reading"
    streams = False

    def reads(self, prompt: Prompt) -> str:
        return reading_input(brief_of(prompt).instruction)

    def constraint(self, prompt: Prompt, reads: str) -> Constraint:
        return reading_constraint(reads, HINTS)

    def answer(self, prompt: Prompt, written: str) -> str:
        brief = brief_of(prompt)
        if brief.history:
            return mended(brief)
        try:
            return planned(written, brief.instruction, brief.scene)
        except (PlanSyntaxError, NotUnderstood) as error:
            return self.declined(prompt, str(error).replace("'", ""))

    def refuses(self, prompt: Prompt, written: str) -> bool | None:
        return written.startswith(("refuse", "ask"))
