"""The short form in which the embedded model is asked for a humanoid's tasks.

    <tasks>shoot<tried>turn on spot 2;look around 1<ran>turn on spot 4;look around 4<see>walking;ball visible 0.8 m
        <do>kick ball 2;walk to ball 1<end>

Tasks are their names in plain words, with a priority where they are asked for, with whole seconds where they go on. Of
the ball it says in a word what the limits of the skills make of its figures.
"""

import functools
import json
import re
from collections.abc import Callable, Sequence

from sayso.grounding.tokens import tokens
from sayso.grounding.utterance import read
from sayso.models.pocket.constraints import GrammarConstraint
from sayso.models.pocket.text import clean
from sayso.robots.humanoid.ball import Ball
from sayso.roles import Attempt, Brief, Observation, Prompt
from sayso.tables import toml
from sayso.task import PURSUED, Ran
from sayso.understanding.forms import Form, brief_of
from sayso.understanding.gaps import leaving_out
from sayso.understanding.operators import Operator, at_hand, operators, with_its_name
from sayso.wish import is_question

RAN_MAX = 8
FAILURE_CHARS = 160
WALKABLE_S, AT_FEET_M = 3.0, 0.4
"""A ball unseen for longer has to be found again; one at most this far away is where a foot can reach it."""
PURSUED_MAX_S = 30
NOTES_MAX, NOTE_CHARS = 8, 80
UNTOLD = ("amount", "alternative", "bound", "comparison", "condition", "exception", "extent", "manner", "measure",
          "ordinal", "quantifier", "repetition", "signal", "state", "waiting")  # fmt: skip
"""Kinds of words that no task has room for."""

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENTRY = re.compile(r"Task: (\w+) Priority: (\d+)")
_SHORT_ENTRY = re.compile(r"([a-z][a-z0-9 ]*?) ?(\d+)")


class TasksForm(Form):
    """Which tasks to pursue now. Where it is in doubt, it cannot."""

    ways = frozenset({"rolling"})
    lessons, threshold = "humanoid", "rolling"

    def reads(self, prompt: Prompt) -> str:
        return rolling_input(brief_of(prompt))

    def constraint(self, prompt: Prompt, reads: str) -> GrammarConstraint:
        tasks = [task_words(s.name) for s in brief_of(prompt).skills.skills if s.provided]
        return GrammarConstraint(tasks_grammar(tasks))

    def answer(self, prompt: Prompt, written: str) -> str:
        return rolling_answer(written)

    def completed(self, prompt: Prompt, written: str, ask: Callable[[Prompt], str]) -> str:
        """Without the tasks that are not to be done, where others are left."""
        unsaid = {*_unsaid(_allowed(core), written)} if (core := brief_of(prompt).core) and _denied(core) else set()
        return ";".join(one for one in written.split(";") if not {*_tasks(one)} & unsaid) or written

    def ignored(self, prompt: Prompt, written: str, reread: Callable[[Prompt], str]) -> str:
        """Tasks are names: how far, how often, how hard, whereto, on what condition and which of several none tells."""
        core, called = brief_of(prompt).core, brief_of(prompt).words.called
        whose = re.search(r"\b(our|your|own)( own)? goal\b", core)  # every kick is one towards the other
        if whose or not {*_said(_allowed(core))} - _small():
            return leaving_out(core, [Operator("state", whose[0])] if whose else _denied(core))
        lost = [o for o in operators(core) if o.kind in UNTOLD or (o.kind == "place" and not at_hand(o))]
        if len(sides := read(core).sides & {"left", "right"}) == 1:  # who looks to both looks around
            lost += [Operator("place", side) for side in sides]
        return leaving_out(
            core, lost or [Operator("place", word) for word in _said(core) if word not in {*_heard(), *called}]
        )

    def hindered(self, prompt: Prompt, written: str) -> str:
        """A task of which nobody spoke is not pursued."""
        core = _allowed(brief_of(prompt).core)
        unsaid = _unsaid(core, written)
        return UNSAID.format(unsaid[0]) if unsaid and _said(core) else ""

    def refuses(self, prompt: Prompt, written: str) -> bool:
        return written == "cannot"

    def declined(self, prompt: Prompt, says: str) -> str:
        return f"Ask: {says}" if is_question(says) else "Cannot"


UNSAID = "I am not sure that I understood: nobody said “{}”. What should I do?"


def _unsaid(core: str, written: str) -> list[str]:
    """The tasks for which no word was said."""
    needs, said = toml(__package__, "tasks.toml")["needs"], {*_said(core)}
    return [task for task in _tasks(written) if not said & {*needs.get(task_name(task), said)}]


def _denied(core: str) -> list[Operator]:
    return [one for one in operators(core) if one.kind == "negation"]


def _allowed(core: str) -> str:
    """A wish without what is not to be done."""
    for one in _denied(core):
        core = core.replace(with_its_name(core, one), " ")
    return core


def _said(core: str) -> list[str]:
    return [word.text.removesuffix("'s") for word in tokens(core.lower()) if word.kind == "word"]


@functools.cache
def _heard() -> frozenset[str]:
    """Words of which a task, or what it is done to, tells what comes of them."""
    table = toml(__package__, "tasks.toml")
    said = {*table["heard"]["words"], *_small(), *(word for some in table["needs"].values() for word in some)}
    return frozenset(said - {"from"})


def _small() -> frozenset[str]:
    return frozenset(toml("sayso.grounding", "questions.toml")["polar"]["small"])


def _tasks(written: str) -> list[str]:
    """The names of the tasks, in plain words."""
    return [match[1] for entry in written.split(";") if (match := _SHORT_ENTRY.fullmatch(entry.strip()))]


def tasks_grammar(names: Sequence[str]) -> str:
    """`kick ball 2;walk to ball 1`: tasks that exist, each once, with a priority from 1 to 9. Or done, or cannot.

    There is a rule for those that are left, whichever they are.
    """

    def entry(name: str, rest: int) -> str:
        return f"{json.dumps(name + ' ')} /[1-9]/" + (f' (";" left{rest})?' if rest else "")

    start = f'start: "done" | "cannot" | left{2 ** len(names) - 1}'
    rules = [
        f"left{left}: " + " | ".join(entry(name, left - 2**n) for n, name in enumerate(names) if left >> n & 1)
        for left in range(1, 2 ** len(names))
    ]
    return "\n".join([start, *rules])


def rolling_input(brief: Brief) -> str:
    """The request and the moment in short, up to the mark behind which the tasks begin."""
    earlier = _course(brief.history[-1]) if brief.history else ""
    refused = f"<failed>{_refusal(brief.failure)}" if brief.failure else ""
    return f"<tasks>{clean(brief.core)}{earlier}{refused}<see>{_state(brief.seen)}<do>"


def rolling_answer(short: str) -> str:
    """What the model wrote, as the planner reads it: lines `Task: NAME Priority: NUMBER`, or Done or Cannot."""
    text = short.partition("<end>")[0].strip()
    if text in ("done", "cannot"):
        return text.capitalize()
    found = (_SHORT_ENTRY.fullmatch(entry.strip()) for entry in text.split(";"))
    return "\n".join(f"Task: {task_name(m[1])} Priority: {m[2]}" for m in found if m)


def task_words(name: str) -> str:
    """`WalkToBall` as "walk to ball"."""
    return _HUMP.sub(" ", name).lower()


def task_name(words: str) -> str:
    """ "walk to ball" as `WalkToBall`."""
    return "".join(word[0].upper() + word[1:] for word in words.split())


def entries(plan: str) -> str:
    """Such lines as the model writes them."""
    return ";".join(f"{task_words(name)} {priority}" for name, priority in _ENTRY.findall(plan))


def _refusal(failure: str) -> str:
    """What was not accepted first, without the advice behind it."""
    return clean(task_words(failure.partition("\n")[0].partition(";")[0]), FAILURE_CHARS)


def _course(attempt: Attempt) -> str:
    ran = ";".join(_fate(one) for one in attempt.ran[-RAN_MAX:])
    return f"<tried>{entries(attempt.plan)}<ran>{ran}"


def _fate(one: Ran) -> str:
    """`Wave: pursued for 4 s` as "wave 4", `KickBall: done` as "kick ball done"."""
    if one.outcome == PURSUED and isinstance(one.value, int):
        return f"{task_words(one.skill)} {min(one.value, PURSUED_MAX_S)}"
    return f"{clean(task_words(one.skill))} {one.outcome}"


def _state(seen: Observation) -> str:
    summary = [] if seen.state is None else [clean(seen.state.summary, NOTE_CHARS)]
    told = [_ball(b) if isinstance(b, Ball) else clean(str(b), NOTE_CHARS) for b in (*seen.believed, *seen.recalled)]
    return ";".join([*summary, *told][:NOTES_MAX])


def _ball(ball: Ball) -> str:
    """Visible, hidden for a moment, lost or never seen; and at the feet, or how far away."""
    if ball.unseen_s is None or ball.distance_m is None:
        return "ball never seen"
    hidden = "visible" if ball.visible else "hidden" if ball.unseen_s < WALKABLE_S else "lost"
    where = "at feet" if ball.distance_m <= AT_FEET_M else f"{min(ball.distance_m, 9.9):.1f} m"
    return f"ball {hidden} {where}"
