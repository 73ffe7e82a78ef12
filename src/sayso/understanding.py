"""What a mission understood: the goal that its planner wrote, or what its plan works towards; said back, and checked.

A large model ends its plan with its goal (`want …`). A small one writes a plan alone: then what code reads of the wish
is held against it before anything moves, and where the two part the person is asked (`goals.gaps`). When a plan has
run, the goal is evaluated on what the robot observed, and that is the mission's verdict.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sayso import events as ev
from sayso.errors import NotUnderstood, PlanSyntaxError
from sayso.goals.gaps import Gap, gaps
from sayso.goals.holds import Verdict, judge
from sayso.goals.nodes import Clause
from sayso.goals.observed import Watch
from sayso.goals.planned import decides, want_of
from sayso.goals.spoken import spoken
from sayso.goals.text import parse, show
from sayso.grounding.said import read
from sayso.language import Plan
from sayso.parts import End
from sayso.scene import Scene
from sayso.skill import SkillSet

_WANT = re.compile(r"(?:^|[;\n}])\s*(want\b)")
_BEGUN = re.compile(r"(?:^|[;\n}])\s*(w|wa|wan|want)$")

QUESTION_GAPS_MAX = 3
"""More than so many at once help nobody to say it better."""


class Apart:
    """Takes a goal behind a plan apart from the plan, while the text arrives. A piece costs what it is long, however
    much came before it: a stop is heard beside the longest plan."""

    def __init__(self) -> None:
        self._before = ";"
        """What stands before that which is held: the end of a statement, or a letter inside one."""
        self._held, self._goal = "", list[str]()

    def plan(self, chunk: str) -> str:
        """What of the text so far is the plan's and was not handed out yet."""
        if self._goal:
            self._goal.append(chunk)
            return ""
        text = self._before + self._held + chunk
        goal = _WANT.search(text)
        held = goal or _BEGUN.search(text)
        end = held.start(1) if held else len(text)
        if goal:
            self._goal.append(text[end:])
        self._held = "" if goal else text[end:]
        said = text[:end].rstrip()
        self._before = ";" if said[-1] in ";}" or "\n" in text[len(said) : end] else "x"
        return text[1:end]

    def rest(self) -> str:
        """What was held back because it could have become a goal."""
        fresh, self._held = self._held, ""
        return fresh

    @property
    def goal(self) -> str:
        """The text of the goal; empty where none was written."""
        return "".join(self._goal).strip()


@dataclass(frozen=True, slots=True)
class Ending:
    """Whether the wish is met and why; `figures` are those of a `MissionEnded`."""

    met: bool
    reason: str
    figures: dict[str, Any]


@dataclass
class Understanding:
    """Of one mission. `watch` has seen everything that happened so far."""

    wish: Callable[[], str]
    skills: Callable[[], SkillSet]
    watch: Watch
    emit: Callable[[ev.Event], None]
    want: Clause | None = None
    left_out: tuple[str, ...] = ()
    whole: bool = False
    """Whether a plan for the whole wish was run."""
    _told: str = field(default="", init=False)
    _binding: bool = field(default=False, init=False)
    """Whether a false clause decides: of a model's own goal it does, and of a plan that was held to the wish."""

    def before_moving(self, plan: Plan, goal: str, scene: Scene, *, terse: bool, again: bool) -> None:
        """A whole plan is about to move the robot: say what was understood, and what of the wish is left out.

        A `terse` model writes no goal and knows less of words than code does: where its plan and the wish part, this
        raises `NotUnderstood` with a question. A repair (`again`) need not do again what is done.
        """
        self.whole = True
        self.want, said = self._written(goal), read(self.wish())
        own = self.want is not None
        self._binding = own or terse
        meant = want_of(plan, self.skills(), scene)
        parted = gaps(said, self.want if own else meant, scene, decides=decides(plan))
        self.want = self.want if own else meant
        self.left_out = tuple(g.what for g in parted if g.kind == "left_out")
        asked = [g for g in parted if not again or g.kind == "unsaid"]
        if terse and asked and not own:
            raise NotUnderstood(question(asked))
        self._tell()

    def _written(self, goal: str) -> Clause | None:
        """The goal that a model wrote; one that is none is told and left."""
        if not goal:
            return None
        try:
            return parse(goal)
        except PlanSyntaxError as error:
            self.emit(ev.Warned(text=f"the goal behind the plan is none: {error}"))
            return None

    def _tell(self) -> None:
        """Say it back, once for each understanding."""
        if self.want is None or (text := show(self.want)) == self._told:
            return
        self._told = text
        self.emit(ev.Understood(goal=text, told=spoken(self.want), left_out=self.left_out))

    def ended(self, end: End) -> Ending:
        """What came of the wish, when its planner has said so."""
        if self.whole and end.met and end.value in (None, True) and not self.watch.acted:
            end = End(False, "nothing was done and nothing was said", end.value)
        verdict = self.verdict() if end.met else None
        if verdict and verdict.truth is False and self._binding:
            end = End(False, "; ".join(p.why or p.clause for p in verdict.missing), end.value)
        return Ending(end.met, end.reason, self._figures(verdict))

    def verdict(self) -> Verdict | None:
        """How the goal stands on what was observed; None where there is none."""
        return judge(self.want, self.watch.evidence()) if self.want is not None else None

    def _figures(self, verdict: Verdict | None) -> dict[str, Any]:
        goal = show(self.want) if self.want is not None else ""
        figures: dict[str, Any] = {"goal": goal, "left_out": self.left_out}
        if verdict:
            figures["verified"] = verdict.truth is True
            figures["missing"] = tuple(map(str, verdict.missing))
            figures["unknown"] = tuple(map(str, verdict.unknown))
        return figures


def question(asked: list[Gap]) -> str:
    """What is asked of a person where wish and plan part."""
    told = "; ".join(str(g) for g in asked[:QUESTION_GAPS_MAX])
    return f"I am not sure that I understood: in my plan {told}. Could you say it in other words?"
