"""The meaning of a mission's wish: the goal of its planner, said back to the person, and checked against the wish.

A plan may end with its goal (`want …`). Where it is a small model's, what code reads of the wish is held against it
before anything moves, and where the two part the person is asked (`account`). When a plan has run, the goal is
evaluated on what the robot observed, and that is the mission's verdict.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from typing import Any

from sayso import events as ev
from sayso.errors import Unclear
from sayso.goal import IT, PREDICATES, All, Clause, If, Never, Not, Part, Pred, Then, Which
from sayso.goal import Any as AnyOf
from sayso.goals.clauses import changed, joined, preds
from sayso.goals.deeds import recorded
from sayso.goals.judge import Verdict, judge
from sayso.goals.observed import Watch
from sayso.goals.planned import fails, planned
from sayso.goals.query import Query
from sayso.goals.spoken import ONLY, claim, doing, done, doubtful, fact, spoken, unmet
from sayso.goals.text import show
from sayso.grounding.inflection import sentence
from sayso.grounding.utterance import Utterance, read
from sayso.language import Plan
from sayso.roles import DONE, End
from sayso.scene import Scene
from sayso.skill import SkillSet
from sayso.understanding.amounts import as_said, assumed
from sayso.understanding.gaps import ALONG, gaps, question, unsaid_in
from sayso.understanding.manners import applied
from sayso.understanding.operators import undone
from sayso.wish import Request

ALIKE = 0.5
"""Cosine from which two names mean the same thing: on lessons it lets pass 65 % of other words for a thing that is
meant, and 5 % of things that are not (`training/alarms.py`)."""

PHRASES_MAX = 60
"""Of a wish that may name a thing: two milliseconds each, within a turn of the loop."""

PUT = ("placed", "given")
SO_FAR = "As far as I could see, "
"""Begins what is told of things of which there may be more."""

NOTHING = "I had nothing to do."
"""Of a condition that did not hold."""

ONLY_DONE = "I cannot tell whether this is what you wished for: nobody said what the wish means"
FORKED = "I cannot tell whether the answer by which I chose my way is right"
"""What is not known of a goal that is only what was done."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a mission ended: whether the wish is met and why; `figures` are those of a `MissionEnded`."""

    met: bool
    reason: str
    figures: dict[str, Any]


@dataclass
class Understanding:
    """What is understood of one mission. `watch` has seen everything that happened so far."""

    request: Callable[[], Request]
    skills: Callable[[], SkillSet]
    watch: Watch
    emit: Callable[[ev.Event], None]
    reads: bool = False
    """Whether the planner's own model has been held to every word that it read."""
    how: Callable[[], Sequence[str]] = tuple
    kept: Callable[[], Sequence[str]] = tuple
    """How the wish will be done, a sentence each, and how it was."""
    beyond: Callable[[], str] = str
    """Where the robot stands otherwise than the wish allows, in words."""
    embed: Callable[[Sequence[str]], Any] | None = None
    left_out: tuple[str, ...] = ()
    _goal: Clause | None = field(default=None, init=False)
    _of: str = field(default="", init=False)
    """The wish that the goal is of."""
    _given: bool = field(default=False, init=False)
    """Whether its planner gave it, and not its plan."""
    _forks: bool = field(default=False, init=False)
    """Whether the way that its plan takes could not be told before."""
    _whole: bool = field(default=False, init=False)
    _told: str = field(default="", init=False)

    def given(self, goal: Clause, scene: Scene, *, whole: bool = False, heeds: Sequence[str] = ()) -> None:
        """A planner says what it understood; `whole` that nothing is left out of it, `heeds` what is minded beside it.
        One that is whole gives way to no other of the same wish."""
        if self._whole and self._of == self.request().text and not whole:
            return
        self._take(goal, given=True)
        self._whole = whole
        lost = [] if whole or self.reads else unsaid_in(self.request().core, goal, scene)
        self._tell([g.what for g in lost if g.what not in heeds])

    def before_moving(self, plan: Plan, scene: Scene, *, terse: bool, again: bool) -> None:
        """A whole plan is about to move the robot: where no goal was given it is what the plan works towards.

        A `terse` model knows less of words than code does: where its plan and the wish part, this
        raises `Unclear` with a question. A repair (`again`) need not do again what is done, and may go another way:
        the goal of the first plan stays.
        """
        given = self._given and self._of == self.request().text
        if given and not (terse and not again):
            return
        meant, again = planned(plan, self.skills(), scene), again and self._of == self.request().text
        if meant.sure and fails(plan.body.statements) and all(p.name == "said" for p in preds(meant.want)):
            return  # who declines leaves out what was said
        meaning = partial(alike, embed=self.embed) if terse and self.embed is not None else None
        wish = self.request().core
        parted = gaps(read(wish), meant.want, scene, alike=meaning)
        if given and parted:  # what stands in the goal is not made up
            of_goal = gaps(read(wish), self._goal, scene, alike=meaning)
            parted = [g for g in parted if g in of_goal]
        lost = [] if given else unsaid_in(wish, meant.want, scene)
        if again:
            lost = [g for g in lost if g.what in self.left_out]
        if not given and (not again or self._forks or self._goal is None):
            self._take(meant.want, forks=not meant.sure)
        if terse and (asked := parted if again else [*parted, *lost]):
            raise Unclear(question(asked))
        if not given:
            self._tell([g.what for g in lost])

    def _take(self, goal: Clause | None, *, given: bool = False, forks: bool = False) -> None:
        self._goal = applied(goal, self.request().manners) if goal is not None else None
        self._of, self._given, self._forks, self._whole = self.request().text, given, forks, False

    def _tell(self, left_out: Sequence[str]) -> None:
        """Say it back, once for each understanding."""
        self.left_out = tuple(left_out)
        if self._goal is None or (text := show(self._goal)) == self._told:
            return
        self._told = text
        core = self.request().core
        never = (
            f"I do not {doing(Pred(name))}." for name in undone(core, self._goal) if not PREDICATES[name].parameters
        )
        told = (as_said(core, spoken(self._goal)), assumed(core, self._goal), *never, *self.how())
        self.emit(ev.Understood(goal=text, told=" ".join(filter(None, told)), left_out=self.left_out))

    @property
    def goal(self) -> Clause | None:
        """The goal; where none was said, or the plan chose by what it found, what the steps done mean."""
        known = None if self._forks else self._known
        return known if known is not None else joined(self.watch.meant)

    @property
    def _known(self) -> Clause | None:
        """What the present wish was taken to mean."""
        return self._goal if self._of == self.request().text else None

    def verdict(self) -> Verdict | None:
        """How the goal stands on what was observed; None where there is none."""
        return judge(self.goal, self.watch.evidence()) if self.goal is not None else None

    def missing(self) -> tuple[Part, ...]:
        """The clauses that are false on what was observed."""
        verdict = self.verdict()
        return verdict.missing if verdict else ()

    def ended(self, end: End) -> Ending:
        """What came of the wish, when its planner has said so."""
        verdict = self.verdict()
        already_so = self._given and self._known is not None and verdict and verdict.truth
        if end.met and (missing := self.missing()):
            end = End(False, unmet(missing), end.value)
        elif end.met and (beyond := self.beyond()):
            end = End(False, beyond, end.value)
        elif end.met and end.value in (None, True) and not (self.watch.acted or already_so):
            end = End(False, "I did nothing and said nothing.", end.value)
        elif end.met and end.reason == DONE and verdict and self._known is not None:
            told = as_said(self.request().core, self._done(self._known, verdict))
            end = replace(end, reason=" ".join((told or end.reason, *self.kept())))
        elif verdict and not (end.met or end.asks):
            some = "; ".join(p.why for p in verdict.missing if p.why.startswith(ONLY))
            if some and some.removeprefix(ONLY) not in end.reason:
                end = replace(end, reason=sentence(f"{some}: {end.reason}"))
        return Ending(end.met, end.reason, self._figures(verdict))

    def _done(self, goal: Clause, verdict: Verdict) -> str:
        """What is said of a goal that is met; of one of which not all is known, that so far it is. What is where it
        should be, and was put there by nobody, is there."""
        wanted = {pred.name for pred in preds(goal)}
        said = [pred for pred in preds(goal) if pred.name == "said"]  # not what it says on its way
        every = (
            one
            for meant in self.watch.meant
            for one in preds(meant)
            if one.name in wanted and (one.name != "said" or one in said)
        )
        some = ([*alike] for _, alike in groupby(every))  # a skill that is a plan, and what it called, are one
        deeds = [one for alike in some for one in (alike if alike[0].name in ALONG else alike[:1])]
        did = joined(deeds)
        match goal, deeds:
            case Pred("placed", (Which(count=1, kind=kind), to)), [Pred("placed", (Which() as brought, *_))] if (
                kind != IT and brought != Which()
            ):
                goal = Pred("placed", (brought, to))  # which one of those that were meant
        if isinstance(goal, All):  # what is left alone is told before
            goal = joined([one for one in goal.parts if not isinstance(one, Never)]) or goal
        seen = Query(self.watch.evidence())
        parts = goal.parts if isinstance(goal, All | Then) else (goal,)
        there = [p for p in parts if all(o.name in PUT and not recorded(seen, o.name, o.args[:1]) for o in preds(p))]
        so_far = "" if verdict.truth or not wanted <= {*PUT} else SO_FAR
        if there:
            rest = [done(self._taken(one)) for one in parts if one not in there]
            return " ".join([sentence(so_far + " and ".join(map(fact, there))), *rest])
        told = done(self._taken(goal)) or (did and done(did)) or NOTHING * isinstance(goal, If)
        return f"{so_far}{told}" if told else ""

    def _taken(self, goal: Clause) -> Clause:
        """The goal with the alternatives that it was reached by."""
        match goal:
            case AnyOf(parts):
                return next((one for one in parts if judge(one, self.watch.evidence()).truth), goal)
            case If(Pred("found") | Not(Pred("found")) as test, yes, no):
                way = yes if judge(test, self.watch.evidence()).truth else no
                return self._taken(way) if way else goal
        return changed(goal, self._taken)

    def _figures(self, verdict: Verdict | None) -> dict[str, Any]:
        goal = show(self.goal) if self.goal is not None else ""
        figures: dict[str, Any] = {"goal": goal, "left_out": self.left_out}
        if verdict:
            claims = [said for one in self.watch.told if (said := claim(one))]
            only_done = () if self._known is not None else (ONLY_DONE,)
            only_done = (() if claims else (FORKED,)) if self._forks else only_done
            figures["verified"] = verdict.truth is True and not (only_done or claims)
            figures["missing"] = tuple(map(str, verdict.missing))
            figures["unknown"] = (*map(doubtful, verdict.unknown), *only_done)
            figures["judged"] = tuple(dict.fromkeys([*map(claim, self.watch.judged), *claims]))
        return figures


def alike(label: str, said: Utterance, embed: Callable[[Sequence[str]], Any]) -> bool:
    """Whether words of a wish mean a thing of this label, by the vectors that `embed` gives (length 1, one a row)."""
    names = [p for p in said.phrases()[:PHRASES_MAX] if not p.endswith(label.lower())]  # a wheelchair is no chair
    texts = [label, *names]
    meanings = embed(texts)
    return len(texts) > 1 and float((meanings[1:] @ meanings[0]).max()) >= ALIKE
