"""The short forms in which the embedded model is asked about a wish to the drone: for a plan, or for what it says.

Weights tell which of the two they were taught. Those in the package write plans:

    <plan>go to the chair<see>chair 42 37 13 28 blue by table;table 72 43 25 15 by chair<ground><do>g('chair')<end>

The wish comes first, so that the scene is read with it in mind. `<ground>` or `<air>` says whether the drone flies.
"""

from __future__ import annotations

from sayso.errors import NotUnderstood, PlanSyntaxError
from sayso.forms import Constraint, brief_of
from sayso.grounding.said import figured
from sayso.models.pocket.plans import PlanForm, earlier
from sayso.models.pocket.reading import reading_constraint, reading_input
from sayso.models.pocket.seeing import seen
from sayso.models.pocket.text import clean
from sayso.parts import Brief, Prompt
from sayso.robots.drone.mends import mended
from sayso.robots.drone.reading import planned
from sayso.robots.drone.ways import AIRBORNE_M


class ReadingForm(PlanForm):
    """What a wish says; code writes the plan, and mends it."""

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


class FlightForm(PlanForm):
    """Plans of what is to be flown."""

    lessons = "drone"
    better = ReadingForm()
    untaught = frozenset(("look_round", "how_many", "nth", "go_behind", "circle"))

    def reads(self, prompt: Prompt) -> str:
        return plan_input(brief_of(prompt))


def plan_input(brief: Brief) -> str:
    """A brief in short, up to the mark behind which the plan begins."""
    state = "<air>" if brief.scene.observer.z_m >= AIRBORNE_M else "<ground>"
    return f"<plan>{clean(figured(brief.instruction))}{earlier(brief)}<see>{seen(brief.scene)}{state}<do>"


HINTS = (
    "fruit",
    "pet",
    "piece of furniture",
    "animal or a person",
    "some decoration",
    "something against the rain",
    "something alive",
    "something bitter",
    "something electric",
    "something for a wound",
    "something for sports",
    "something fragile",
    "something healthy",
    "something heavy",
    "something juicy",
    "something made of cloth",
    "something made of glass",
    "something made of metal",
    "something made of paper",
    "something made of wood",
    "something round",
    "something salty",
    "something sharp",
    "something soft",
    "something sour",
    "something sweet",
    "something that cools the room",
    "something that gives light",
    "something that keeps me warm",
    "something that tells the time",
    "something tiny",
    "something to call with",
    "something to carry my things in",
    "something to charge my phone with",
    "something to clean with",
    "something to cook with",
    "something to cut with",
    "something to draw with",
    "something to drink",
    "something to drink from",
    "something to drive in a nail",
    "something to eat",
    "something to eat my soup with",
    "something to hold papers together",
    "something to lie on",
    "something to listen to music with",
    "something to make music with",
    "something to measure with",
    "something to open the lock with",
    "something to pay with",
    "something to play with",
    "something to put my cup on",
    "something to put out a fire",
    "something to read",
    "something to ride",
    "something to sit on",
    "something to sleep on",
    "something to stick things together",
    "something to store things in",
    "something to take photos with",
    "something to throw rubbish into",
    "something to tighten a screw with",
    "something to type on",
    "something to wash my hands with",
    "something to watch a film on",
    "something to wear",
    "something to wipe the table with",
    "something to write on",
    "something to write with",
)
"""What something is called that a wish only lets be guessed."""
