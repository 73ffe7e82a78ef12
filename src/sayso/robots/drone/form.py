"""The short form in which the embedded model is asked about a wish to the drone: what it says, as a goal.

    <plan>fly 40 cm up and go to the rubber duck<do>moved(up, 40 cm) then at('rubber duck')<end>

Code writes the plan from that, and mends it when it fails.
"""

from __future__ import annotations

from sayso.forms import brief_of
from sayso.models.pocket.reading import PlannedForm, Sayable
from sayso.parts import Prompt
from sayso.robots.drone.mends import mended
from sayso.robots.drone.reading import REPLIES, planned

SAYABLE = Sayable(
    mark="plan",
    goals=("at(which)", "facing(which)", "found(which)", "picture(which?)", "sees(which)", "named(which)",
           "visited(which)", "home", "landed", "airborne", "stayed", "moved(way, distance?)", "turned(side, angle?)",
           "waited(time)", "said(text)", "answered(question, which?, which?)"),
    tests=("sees(which)", "found(which)", "turned(side, angle)"),
    refusals=("absurd", "away", "chat", "foreign", "handle", "harm", "inject", "knowledge", "negative", "nonsense",
              "order", "other"),
    missing=("count", "move", "picture", "say", "turn", "wait", "what", "where", "which"),
    questions=("how far", "how many", "how many all round", "is it here", "is it in view", "what colour",
               "what does it say", "what is held", "what is here", "what is next to", "what is on", "where",
               "which are more"),
    clauses=("if", "until", "times", "each", "within"),
    unsaid=("person", "thing", "place", *REPLIES["hints"]),
)  # fmt: skip
"""What something is called that a wish only lets be guessed, and what else there is."""


class DroneForm(PlannedForm):
    lessons, threshold, says = "drone reading", SAYABLE.mark, SAYABLE

    def planned(self, prompt: Prompt, written: str) -> str:
        brief = brief_of(prompt)
        return mended(brief) if brief.history else planned(written, brief.instruction, brief.scene)
