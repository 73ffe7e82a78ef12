"""The judge of every suite: it holds a task's goal against the world's truth. It reads the world, never a plan.

A `TruthRecorder` stands by while a mission runs and writes the world's truth down as evidence. That evidence is closed:
what is not in it was not so.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import cache

from sayso.events import Event, MissionEnded, Observed, PictureTaken, Said
from sayso.goal import Clause, Which
from sayso.goals.evidence import Deed, Evidence, Moment, reading
from sayso.goals.judge import Verdict, judge
from sayso.goals.text import parse
from sayso.scene import Thing
from sayso.world import ROBOT, Real, Truth

LOOKS = (Observed, PictureTaken, Said)
"""What is in the frame counts when the robot looks, takes a picture or speaks; not what it drives past."""


class TruthRecorder:
    """Records the world's truth at every event of a mission."""

    def __init__(self, truth: Callable[[], Truth], choices: Mapping[str, Collection[str]] | None = None) -> None:
        """`choices` name the words of which an answer may be one."""
        self._truth, self._choices = truth, choices or {}
        self._moments: list[Moment] = []
        self._deeds: list[Deed] = []
        self._things: dict[str, tuple[Real, Thing]] = {}
        self.ended: MissionEnded | None = None
        self.note()

    def see(self, event: Event) -> None:
        """Record an event with the truth of that instant."""
        truth = self.note(looks=isinstance(event, LOOKS))
        match event:
            case PictureTaken():
                self._deeds.append(Deed(truth.time_s, "picture", (), truth.in_frame))
            case Said(text=text):
                self._deeds.append(Deed(truth.time_s, "said", (text,)))
            case MissionEnded():
                self.ended = event

    def note(self, *, looks: bool = False) -> Truth:
        """Record one more moment; `looks` where what is in the robot's frame is seen."""
        truth = self._last = self._truth()
        things = {id_: self._thing(id_, real) for id_, real in truth.there.items()}
        in_view = truth.in_frame if looks else frozenset[str]()
        at = {id_: real.at | ({real.holder or real.on, real.room} - {""}) for id_, real in truth.there.items()}
        now = Moment(
            truth.time_s, truth.pose, things, in_view, truth.holding, truth.landed, truth.upright, whereabouts=at,
            readings=dict(reading(*one) for one in truth.readings.items()),
        )  # fmt: skip
        if self._moments and self._moments[-1].at_s == now.at_s:  # of one instant there is one moment
            now = replace(now, in_view=in_view | self._moments.pop().in_view)
        self._moments.append(now)
        return truth

    def _thing(self, id_: str, real: Real) -> Thing:
        """One thing as evidence has it; the same object while nothing of it changes."""
        known = self._things.get(id_)
        if known is None or known[0] != real:
            on = "" if real.holder == ROBOT else real.holder or real.on
            kept = {"category": real.category, "on": on}
            thing = Thing(id_, real.label, pose=real.pose, attributes={**real.attributes, **kept})
            known = self._things[id_] = real, thing
        return known[1]

    def evidence(self) -> Evidence:
        """The evidence so far."""
        truth = self._last
        sizes_m = {i: (r.size_m[2], max(r.size_m[:2])) for i, r in truth.there.items() if r.size_m}
        deeds = sorted([*self._deeds, *self._done(truth)], key=lambda deed: deed.at_s)
        given_up = self.ended is not None and self.ended.outcome != "achieved"
        moments = list(self._moments)
        for deed in deeds:  # each has a moment of its own, so that what follows can follow it
            at = bisect_left(moments, deed.at_s, key=lambda m: m.at_s)
            if at < len(moments) and moments[at].at_s > deed.at_s:
                moments.insert(at, replace(moments[at], at_s=deed.at_s))
        people = {"person": frozenset(one.label.lower() for one in truth.people.values())}
        return Evidence(
            moments, deeds, closed=True, alike=people, sizes_m=sizes_m, choices=self._choices, given_up=given_up,
        )  # fmt: skip

    def _done(self, truth: Truth) -> Iterator[Deed]:
        """What the world says has happened; who holds what nobody had at first was given it."""
        for one in truth.done:
            args = (one.text,) if one.text else tuple(Which(id_) for id_ in sorted(one.to))
            yield Deed(one.at_s, one.what, args, one.to & {*truth.there})
        for id_, real in truth.things.items():
            first = self._moments[0].things.get(id_)
            if real.holder in truth.people and (first is None or first.attributes["on"] != real.holder):
                yield Deed(truth.time_s, "given", (Which(id_), Which(real.holder)), frozenset({id_, real.holder}))

    def verdict(self, goal: str | Clause) -> Verdict:
        """The verdict on a goal by now."""
        return judge(_read(goal) if isinstance(goal, str) else goal, self.evidence())

    @property
    def collisions(self) -> int:
        return len(self._last.contacts)


_read = cache(parse)
