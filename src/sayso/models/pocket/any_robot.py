"""What is asked of every robot alike: a question about a scene, and which of several choices is sensible.

    <ask>what can be eaten<see>apple 55 24 2 3 red<say>apple<end>
    <score>find the man<tried>take off: done;search b2: nothing new<see>in the air at 60 m;battery 71%
        <ask>take off;search an area;...<say>B<end>

A question comes first, so that one put at eight headings shares its prefix. The nth choice is asked for by the nth
letter. What else is asked, the robot's own form knows.
"""

import re
from collections.abc import Collection

from sayso.errors import ModelUnavailable
from sayso.models.pocket.constraints import LineConstraint
from sayso.models.pocket.scene_text import seen
from sayso.models.pocket.text import clean, item
from sayso.plugins.kits import kits
from sayso.roles import Prompt
from sayso.scene import Scene
from sayso.understanding.forms import UNTAUGHT, Form, brief_of

GOAL_CHARS = 240
STEPS_SHOWN, NOTES_SHOWN = 6, 10


class Probe(Form):
    """A question about one scene. To one in doubt there is no other answer than that it is not so."""

    ways = frozenset({"probe"})
    lessons, threshold, whole_wish = "", "probe", False

    def reads(self, prompt: Prompt) -> str:
        return probe_input(prompt.question, brief_of(prompt).scene)

    def constraint(self, prompt: Prompt, reads: str) -> LineConstraint:
        return LineConstraint()

    def declined(self, prompt: Prompt, says: str) -> str:
        return "False"


class Choice(Form):
    """Which of the choices, the lines of a prompt's question, is the sensible next step."""

    ways = frozenset({"score", "rank"})
    lessons, threshold, whole_wish = "score", "score", False

    def reads(self, prompt: Prompt) -> str:
        brief = brief_of(prompt)
        tried = ";".join(item(f"{_step(a.plan)}: {a.ended}", 70) for a in brief.history[-STEPS_SHOWN:])
        state = ";".join(item(n, 60) for n in brief.notes[:NOTES_SHOWN])
        choices = ";".join(item(_step(c), 40) for c in prompt.question.splitlines())
        return f"<score>{item(brief.instruction, GOAL_CHARS)}<tried>{tried}<see>{state}<ask>{choices}<say>"

    def constraint(self, prompt: Prompt, reads: str) -> LineConstraint:
        return LineConstraint()

    def declined(self, prompt: Prompt, says: str) -> str:
        return ""


def probe_input(question: str, scene: Scene) -> str:
    """A question about one scene in short, up to the mark behind which the answer begins."""
    return f"<ask>{clean(question)}<see>{seen(scene)}<say>"


SHARED: tuple[Form, ...] = (Probe(), Choice())


def form_for(prompt: Prompt) -> Form:
    """The form in which the model reads this prompt. Raises `ModelUnavailable` for a robot that it was not taught, and
    for what it was not taught to do with this one."""
    if shared := next((form for form in SHARED if prompt.purpose in form.ways), None):
        return shared
    kit = kits().get(brief_of(prompt).kind)
    if kit is None or kit.form is None:
        raise ModelUnavailable(UNTAUGHT)
    if prompt.purpose not in kit.form.ways:
        had = " and ".join(sorted(kit.form.ways))
        raise ModelUnavailable(
            f"pocket learnt to {had} for this robot, not {prompt.purpose}; name another --planner or --model"
        )
    return kit.form


def must_be_taught(form: Form, taught: Collection[str]) -> None:
    """Raises `ModelUnavailable` for what weights had no lessons in: they would write something all the same."""
    if form.lessons and form.lessons not in taught:
        raise ModelUnavailable(f"these weights of pocket had no lessons in {form.lessons}; name another --model")


def _step(says: str) -> str:
    """Without what explains it."""
    return re.split(r"[,;]| and ", says, maxsplit=1)[0]
