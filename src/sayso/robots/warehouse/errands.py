"""The errands of one mission: what its wish names, what is owed, and what was seen on the way.

Added to the paper: what the first list amounts to is the mission's goal; `done` is asked about while something of it is
open; goals over all of a kind close by evidence only. Of a wish that the model has read, every step is told from here.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from sayso.errors import NotUnderstood
from sayso.goal import ANYTHING, All, Clause, Pred, Then
from sayso.goals.clauses import several
from sayso.grounding.inflection import counted
from sayso.plugins.steps import DONE, GIVE_UP, Ledger, Step, StepResult
from sayso.robots.warehouse.ledger import GO, HAND, PICK, PUT, Aside, Choice, Goal, Owed, bare, goals_of, owed
from sayso.robots.warehouse.names import HOME, RANKS, Table
from sayso.robots.warehouse.next_step import Way
from sayso.robots.warehouse.wanted import wanted
from sayso.roles import Brief
from sayso.skills.finding import FIND_OUT, UNTOLD


class Errands(Ledger):
    """The ledger of one mission in a warehouse: open and met goals, of a list or of a wish that the model has read."""

    def __init__(self, brief: Brief) -> None:
        super().__init__()
        self.way = Way(Table(brief.knowledge))
        self.open, self.met = list[Goal](), list[Goal]()
        self._goals: list[Goal] = []
        """All that ever were, in the order in which they came up."""
        self._waiting: list[Goal] = []
        self._read, self._over = False, False
        """Whether the model has read the wish; whether all was said to be done."""
        self._ahead: list[Owed] = []
        self._lost: list[str] = []
        self._already: list[str] = []
        """What was where it belongs before anything was done."""
        self._at = ""
        self._told: list[str] = []
        """What was found out of what was asked."""
        self._asides: list[tuple[int, Pred]] = []
        """What moves no thing, each with how many goals were owed before it."""
        self._steps: list[Step] = []
        """What is left to do of the last of them."""

    @property
    def owed(self) -> str:
        return ", ".join(map(str, self.open)) if self.open or self.met or self._list else super().owed

    def wanted(self) -> Clause | None:
        """Up to the next choice; in order, where nothing stands between two goals."""
        goals, asides = [*self._goals], [*self._asides]
        for one in takewhile(lambda one: not isinstance(one, Choice), self._ahead):
            if isinstance(one, Goal):
                goals.append(one)
            elif isinstance(one, Aside):
                asides.append((len(goals), one.pred))
        goal = wanted(goals, self.way)
        before, behind = [pred for at, pred in asides if not at], [pred for at, pred in asides if at]
        parts = [*before, *([goal] if goal else []), *behind]
        ordered = all(at == len(goals) for at, _ in asides if at)
        return several(Then if ordered else All, parts) if parts else None

    def take(self, plan: Sequence[Step]) -> str:
        """A list that the model wrote; what is new about it, where there was one before."""
        if not plan or tuple(plan) == self._list:
            return ""
        fresh = goals_of(plan)
        rest = [goal for goal in fresh if goal not in self.met]
        if self.met and len(fresh) - len(rest) >= len(set(self.met)) and len(rest) < len(fresh):
            fresh = rest  # the whole list again, not what is left of it
        same, self.open, known = fresh == self.open, fresh, [*self._goals]
        for goal in fresh:
            if goal in known:
                known.remove(goal)
            elif goal not in self.met:
                self._goals.append(goal)
        departed = super().take(plan)
        return "" if same else departed

    def owe(self, goal: Clause) -> None:
        self._read = True
        self._ahead = owed(goal, self.way.table)
        self._take_up()

    def hear(self, step: Step | None, heard: StepResult | None) -> None:
        super().hear(step, heard)
        if step and heard and step.skill == FIND_OUT:
            last = heard.ran[-1] if heard.ran else None
            if last and last.done:
                self._told.append(str(last.value))
            else:
                self._lost.append(last.reason if last else UNTOLD)
        if heard:
            self.way.hear(step, heard)
        if step and (heard is None or heard.worked):
            self._worked(step)
        for goal in self.way.settled(self.open):
            self._close(goal)

    def _worked(self, step: Step) -> None:
        """A way ends where the robot is, a thing where it was put down."""
        if step.skill == GO:
            self._at = bare(step.args[0])
            if self.open and self.open[0] == Goal("", self._at):
                self._close(self.open[0])
        elif step.skill == PUT and self._at:
            thing, at = bare(step.args[0]), self._at
            single = [g for g in self.open if g.thing and not g.every]
            if goal := next((g for g in single if self._meets(g, thing, at)), None):
                self._close(goal)

    def _meets(self, goal: Goal, thing: str, place: str) -> bool:
        """Whether a goal is met by a thing, as it was called, that was put down at a place."""
        words, asked = {*thing.split()}, {*goal.thing.split()}
        alike = asked <= words or words <= asked or self.way.table.fits(goal.thing, thing)
        return goal.place == place and goal.means(thing) and alike

    def _close(self, goal: Goal) -> None:
        if goal in self.open:
            self.open.remove(goal)
            self.met.append(goal)

    def follows(self) -> Step | None:
        return self._next() if self._read else None

    def put_off(self) -> str:
        first = next(iter(self.open), None)
        if first is None or len(self.open) < 2 or first in self._waiting:
            return ""
        self._waiting.append(first)
        self.open = [*self.open[1:], first]
        return str(first)

    def due(self) -> Sequence[str]:
        return [str(goal) for goal in self.way.due(self.open)]

    def doubts(self) -> bool:
        """Open again the goals that the model let go of, where what was seen says otherwise."""
        gone = [g for g in dict.fromkeys(self._goals) if g.thing and not g.every and g not in (*self.open, *self.met)]
        self.open += [g for g in gone if not self.way.fitting(g, g.place) and self._elsewhere(g)]
        return any(
            self.way.next_of(g, self.open) is not None if g.every else self._elsewhere(g) for g in self.open if g.thing
        )

    def _elsewhere(self, goal: Goal) -> bool:
        """Whether it was seen where it should not be."""
        return any(self.way.fitting(goal, place) for place in self.way.seen if place != goal.place)

    # Where the model read the wish

    def _take_up(self) -> None:
        """What is owed up to the next choice."""
        while self._ahead and not self._steps and isinstance(goal := self._ahead[0], Goal):
            self._ahead.pop(0)
            self.open.append(goal)
            self._goals.append(goal)

    def _next(self) -> Step:
        """What a failure asks for, what is due, where to look for a choice, the end."""
        try:
            if mended := self.way.mended():
                return mended
        except NotUnderstood as why:
            self._lose(self._first(), str(why))
        while True:
            if self._steps:
                return self._steps.pop(0)
            self._take_up()
            goal = self._first()
            if goal is None or goal.every:
                if self.way.hand and not any(map(self.way.holds_for, self.met)):
                    return self.way.rid()
                if goal is not None:
                    self._lose(goal, self._none_of(goal))
                elif (step := self._chosen()) is not None:
                    return step
                continue
            try:
                step = self.way.towards(goal)
            except NotUnderstood as why:
                self._lose(goal, self._in_part(goal) or str(why))
                continue
            if step is not None:
                self._told_apart(goal, step)
                return step
            there = f"The {goal.called} is on the {goal.place} already"
            put = any(at == goal.place and self.way.fits(goal, thing) for thing, at in self.way.put)
            if put or goal.belongs or goal.place == HAND or not goal.thing:
                self._already += [f"{there}, where it belongs."] if goal.belongs and not put else []
                self._close(goal)
            else:
                self._lose(goal, f"{there}, and I found no other.")

    def _first(self) -> Goal | None:
        return next(iter(self.way.due(self.open)), None)

    def _chosen(self) -> Step | None:
        """Where to look for what a choice hangs on, or the end; None once it is decided what is next."""
        if not self._ahead:
            return self._end()
        choice = self._ahead[0]
        if isinstance(choice, Aside):
            self._asides.append((len(self._goals), choice.pred))
            self._steps = [*choice.steps]
            self._ahead.pop(0)
            return None
        assert isinstance(choice, Choice)
        holds = self.way.holds(choice.test)
        if isinstance(holds, Step):
            return holds
        self._ahead[:1] = choice.yes if holds else choice.no
        self._take_up()
        return None

    def _end(self) -> Step | None:
        single = [g for g in self.met if self._over and g.thing and not g.every]
        again = [g for g in single if not (self.way.holds_for(g) or (g.place != HAND and self.way.fitting(g, g.place)))]
        if again:  # it was said to be done, and is not so
            self.open, self.met = again, [g for g in self.met if g not in again]
            self._over = False
            return None
        if self._lost or self._over:
            lost = "; ".join(dict.fromkeys(self._lost))
            return Step(GIVE_UP, (lost or "It is not so, and I know of nothing more to do.",))
        self._over = True
        told = [*self._already, *self._told] if self._goals or self._told else ["There was nothing to do."]
        return Step(DONE, ("; ".join(told),) if told else ())

    def _lose(self, goal: Goal | None, why: str) -> None:
        """What cannot be done is told at the end; the rest goes on."""
        if goal is not None and goal not in self.open:  # one of all of a kind: it is not there any more
            some = self.way.seen.get(goal.source, [])
            gone = next((s for s in some if self.way.fits(goal, s)), None)
            if gone is not None:
                some.remove(gone)
                return
            goal = next((g for g in self.open if g.every), goal)
        self._lost.append(why)
        if goal in self.open:
            self.open.remove(goal)

    def _in_part(self, goal: Goal) -> str:
        """How many were brought of several that are alike; empty where none was."""
        done = sum(one == goal for one in self.met)
        return f"I brought {counted(done, goal.called)} and found no other." if done else ""

    def _none_of(self, goal: Goal) -> str:
        """There is nothing to be brought; what is at home already may have been meant for another place."""
        if goal.place == HOME and goal.source and self.way.seen.get(goal.source):
            return f"What is on the {goal.source} belongs there. Where should it go?"
        return (
            f"There is nothing on the {goal.source}"
            if goal.only and goal.called == ANYTHING
            else f"I found no {goal.called}"
        )

    def _told_apart(self, goal: Goal, step: Step) -> None:
        """The smallest of those that were seen is that one from now on, whatever is seen beside it later."""
        if step.skill == PICK and goal in self.open and any(w in RANKS for w in goal.thing.split()):
            one = replace(goal, thing=step.args[0], nth=1)
            for goals in (self.open, self._goals):
                goals[goals.index(goal)] = one
