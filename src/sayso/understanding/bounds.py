"""The limits of a mission that the manners of its wish become (U5).

A limit only tightens, and holds from before the first motion until the mission is over, whoever plans. One that speaks
of things is held for those that were seen so far, also where they are seen later; what it is that the wish goes to is
read from its goal, and from the sentence while there is none. What cannot be held is asked about, and nothing moves.
"""

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from sayso.goal import IT, Amount, Clause, Which
from sayso.goals.clauses import preds
from sayso.goals.observed import Watch
from sayso.grounding.lexicon import kind, means, words
from sayso.grounding.phrases import called, coloured
from sayso.grounding.utterance import read, table
from sayso.limits import FREE, REST_MPS, Apart, Area, Limits, Stay
from sayso.roles import RobotState
from sayso.scene import Ground, Pose, Thing
from sayso.skill import SkillSet
from sayso.understanding.manners import AIMS, as_always, kept, sentence, the
from sayso.wish import How, Manner, Request

STAYS_M = 0.3
"""Who is to stay where it is may sway so far."""

RINGS_M, SIDES = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0), 12
"""Where it is asked how far a place reaches: so far around, in so many directions."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place of which the robot's ground only tells whether a pose is inside."""

    id: str
    ground: Ground

    def gap_m(self, pose: Pose) -> float:
        """To its edge, in steps of the rings; negative inside."""
        return _gap_m(self.id, self.ground, round(pose.x_m, 1), round(pose.y_m, 1))


@functools.lru_cache(10_000)
def _gap_m(name: str, ground: Ground, x_m: float, y_m: float) -> float:
    inside = name in ground.below(Pose(x_m, y_m))
    sides = [(math.cos(n * math.tau / SIDES), math.sin(n * math.tau / SIDES)) for n in range(SIDES)]
    for ring_m in RINGS_M:
        ring = (Pose(x_m + c * ring_m, y_m + s * ring_m) for c, s in sides)
        if any((name in ground.below(at)) is not inside for at in ring):
            return -ring_m if inside else ring_m
    return -RINGS_M[-1] if inside else math.inf


@dataclass
class Bounding:
    """The bounds of one mission's wish. `limits` are those without the wish, `state` how the robot is, `watch` what it
    has seen; `sees` tells whether it can see at all, and `goal` what the wish is taken to mean, None before that."""

    limits: Limits
    skills: Callable[[], SkillSet]
    state: Callable[[], RobotState]
    watch: Watch
    ground: Ground | None
    sees: bool
    goal: Callable[[], Clause | None]

    def of(self, request: Request) -> Limits:
        """What the wish allows."""
        return reduce(Limits.within, (self._of(m, request) for m in request.manners), FREE)

    def _of(self, manner: Manner, request: Request) -> Limits:
        match manner.how:
            case How.CEILING if self._rises:
                return replace(FREE, altitude_max_m=manner.value)
            case How.FLOOR:
                return replace(FREE, altitude_min_m=manner.value)
            case How.SPEED:
                return replace(FREE, speed_max_mps=manner.value)
            case How.GENTLY:
                return replace(FREE, speed_max_mps=manner.value * self.limits.speed_max_mps)
            case How.WITHIN:
                return replace(FREE, mission_max_s=manner.value)
            case How.ALONE:
                return replace(FREE, untouched=(manner.about,))
            case How.STAY:
                return replace(FREE, bounds=(Stay(self.state().pose, manner.value or STAYS_M),))
            case How.APART | How.OFF:
                metres = manner.value if manner.how is How.APART else 0.0
                apart = Apart(the(manner.about), metres, self._areas(manner.about, request))
                alone = (manner.about,) if metres and not _is_it(manner) else ()
                return replace(FREE, bounds=(apart,), untouched=alone)
        return FREE

    @property
    def _rises(self) -> bool:
        return self.skills().flies

    # Told or asked

    def told(self, request: Request) -> tuple[str, ...]:
        """How the wish will be done, a sentence for each manner."""
        return tuple(f"{sentence(m, self._of(m, request))}{self._yet(m, request)}" for m in request.manners)

    def kept(self, request: Request) -> tuple[str, ...]:
        """How it was done, as far as its goal does not tell that."""
        aims = [arg for pred in preds(self.goal()) for arg in pred.args]
        how = (m for m in request.manners if Amount(m.value, "m") not in aims and not self._yet(m, request))
        return tuple(told for m in how if (told := kept(m, self._of(m, request))))

    def _yet(self, manner: Manner, request: Request) -> str:
        """Where it could be held against nothing, or there is nothing yet."""
        if manner.how in (How.GENTLY, How.HASTE) and (fixed := as_always(self.goal())):
            return f" {fixed}"
        if manner.how is How.GENTLY and math.isinf(self.limits.speed_max_mps):
            return " How fast I am I cannot tell, though."
        if manner.how not in (How.APART, How.OFF) or _is_it(manner) or self._areas(manner.about, request)():
            return ""
        return f" I see no {manner.about} yet."

    def unheld(self, request: Request) -> str:
        """The question that a manner leaves, since this robot cannot hold it; empty where it can."""
        return next((f"{why} What should I do?" for m in request.manners if (why := self._why_not(m))), "")

    def _why_not(self, manner: Manner) -> str:
        metres, about = f"{manner.value:g} m", the(manner.about)
        top_m = self.limits.altitude_max_m
        if manner.how is How.FLOOR and not self._rises:
            return f"I cannot rise from the floor, so I cannot stay above {metres}."
        if manner.how is How.FLOOR and manner.value > top_m:
            return f"I may go no higher than {top_m:g} m, so I cannot stay above {metres}."
        if manner.how is How.SPEED and manner.value <= REST_MPS:
            return f"I cannot move as slowly as {manner.value:g} m/s."
        if manner.how not in (How.APART, How.OFF) or _is_it(manner) or self._places(manner.about):
            return ""
        if not self.sees:
            return f"I see nothing, and know no place called {about}, so I cannot keep away from it."
        untold = self.watch.untold(kind(manner.about))
        return f"I cannot keep away from {about}: {untold}." if untold else ""

    # What it speaks of

    def _places(self, about: str) -> tuple[Place, ...]:
        """The places that the robot knows by that name."""
        return tuple(Place(name, self.ground) for name in called(about, self.ground.names)) if self.ground else ()

    def _areas(self, about: str, request: Request) -> Callable[[], Sequence[Area]]:
        """What is known by now of what is called so; looked for again after each look."""
        places, of, areas = self._places(about) if about else (), (object(), object()), list[Area]()
        said = read(request.core)

        def found() -> Sequence[Area]:
            nonlocal of, areas
            spots, goal = self.watch.spots, self.goal()
            if of[0] is not spots or of[1] is not goal:
                aims = [which for pred in preds(goal) if pred.name in AIMS for which in pred.args]
                kinds = [about] if about not in ("", IT) else [w.kind for w in aims if isinstance(w, Which)]
                things = [t for id_ in spots if (t := self.watch.known(id_))]
                meant = [t for t in things if any(is_meant(k, t) for k in kinds) or (not kinds and said.names(t.label))]
                of, areas = (spots, goal), [*(spots[t.id] for t in meant), *places]
            return areas

        return found


def _is_it(manner: Manner) -> bool:
    return manner.about in ("", IT)


def is_meant(phrase: str, thing: Thing) -> bool:
    """Whether a phrase may speak of a thing: by its name, unless it has a colour and another one was said."""
    if phrase == thing.id:
        return True
    said, telling = words(phrase), table()["phrases"]["telling"]
    head = " ".join(said[: next((n for n, w in enumerate(said) if n and w in telling), len(said))])
    name = coloured(head)[1]
    if not (kind(name) == kind(thing.label) or means(name, thing.label)):
        return False
    colours = [w for w in said if w in table()["traits"]["colours"]]
    looks = " ".join(thing.attributes.values()).lower()
    return not looks or all(colour in looks for colour in colours)
