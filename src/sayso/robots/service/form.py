"""The short form in which the embedded model is asked about a household wish: what it says, as a goal.

    <command>bring mary at the sink a cola from the kitchen<do>given(cola from kitchen, mary from sink)<end>

Code finds what the words stand for, writes the plan, and mends it when it fails.
"""

from __future__ import annotations

from sayso.forms import brief_of
from sayso.goal import ME
from sayso.models.pocket.reading import PlannedForm, Sayable
from sayso.parts import Prompt
from sayso.robots.service.goal_plan import KNOWN, QUESTIONS
from sayso.robots.service.mends import mended
from sayso.robots.service.named import ANYONE, SOMEWHERE, USUAL
from sayso.robots.service.reading import REPLIES, planned

SAYABLE = Sayable(
    mark="command",
    goals=("given(which, which)", "placed(which, which)", "holding(which)", "found(which)", "at(which)", "home",
           "guided(which, which)", "followed(which, which?)", "introduced(which, which)", "gone(which)",
           "heard(which, text)", "said(text)", "asked(which, text)", "named(which)", "answered(asking, which?, which?)",
           "informed(which, asking, which?, which?)", "there(which)", "stayed"),
    tests=("found(which)", "agreed(which)", "there(which)"),
    refusals=tuple(REPLIES["refuse"]),
    missing=tuple(REPLIES["ask"]),
    questions=("question", *QUESTIONS, *KNOWN),
    clauses=("if", "times", "each"),
    relations=("on", "in", "beside", "behind", "before", "under", "left_of", "right_of"),
    unsaid=(ANYONE, "thing", SOMEWHERE, USUAL, ME, "open", "closed", *REPLIES["hints"]),
    spoken=("hello", "goodbye", "yes", "no", "dinner is ready"),
    among=True,
    units=False,
)  # fmt: skip
"""What a household wish can say, and the names that may be written though nobody said them."""


class CommandForm(PlannedForm):
    lessons, threshold, says = "service reading", SAYABLE.mark, SAYABLE
    mends = 12
    """So many plans at most does code make of one reading, and ends by itself: every room of a home is looked into."""

    def planned(self, prompt: Prompt, written: str) -> str:
        brief = brief_of(prompt)
        return mended(brief) if brief.history else planned(written, brief)
