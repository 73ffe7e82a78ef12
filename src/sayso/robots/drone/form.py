"""The short form in which the embedded model is asked for a drone's plan.

    <plan>go to the chair<see>chair 42 37 13 28 blue by table;table 72 43 25 15 by chair<ground><do>g('chair')<end>

The wish comes first, so that the scene is read with it in mind. `<ground>` or `<air>` says whether the drone flies.
"""

from __future__ import annotations

from sayso.forms import brief_of
from sayso.models.pocket.plans import PlanForm, earlier
from sayso.models.pocket.seeing import seen
from sayso.models.pocket.text import clean
from sayso.parts import Brief, Prompt

AIRBORNE_M = 0.2


class FlightForm(PlanForm):
    """Plans of what is to be flown."""

    lessons = "drone"
    untaught = frozenset(("look_round", "how_many", "nth", "go_behind", "circle"))

    def reads(self, prompt: Prompt) -> str:
        return plan_input(brief_of(prompt))


def plan_input(brief: Brief) -> str:
    """A brief in short, up to the mark behind which the plan begins."""
    state = "<air>" if brief.scene.observer.z_m >= AIRBORNE_M else "<ground>"
    return f"<plan>{clean(brief.instruction)}{earlier(brief)}<see>{seen(brief.scene)}{state}<do>"
