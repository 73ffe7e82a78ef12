"""The domain of any robot's skills for the planner `scored`.

Nothing is known of its long run, so Pay is alike for all and the planner is SayCan. Arguments are what the scene and
the signature offer.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sayso.planners.scored_domain import STEPS_MAX, Candidate, Domain, Kind, literal
from sayso.roles import Attempt, Brief, End
from sayso.scene import Scene, TextBelief
from sayso.skill import Param, Skill, Value
from sayso.task import Ran

DONE = "done"
CANDIDATES_MAX = 48
HOPE = 2.0
"""A skill that was never tried counts as having worked so often."""


class SkillDomain(Domain):
    """The skills of a brief."""

    def __init__(self) -> None:
        self._brief: Brief | None = None
        self._steps: list[Attempt] = []
        self._chosen: Candidate | None = None

    async def take_in(self, brief: Brief) -> None:
        """The outcome of the last step stands in the last attempt of the brief."""
        if self._chosen is not None and brief.history:
            last = brief.history[-1]
            self._steps.append(Attempt(self._chosen.says, last.ran, "; ".join(map(str, last.missing or last.ran))))
        self._brief, self._chosen = brief, None

    def told(self) -> Brief:
        brief = self._present
        in_view = TextBelief(f"in view: {', '.join(t.label for t in brief.scene) or 'nothing'}")
        seen = replace(brief.seen, recalled=(*brief.seen.recalled, in_view))
        return replace(brief, seen=seen, history=tuple(self._steps), failure="")

    def over(self) -> End | None:
        tried = len(self._steps)
        return End(False, f"{tried} steps without an end") if tried >= STEPS_MAX else None

    def kinds(self) -> Sequence[Kind]:
        """Every skill that has arguments to offer, and the end."""
        brief = self._present
        usable = [s for s in brief.skills.skills if any(True for _ in arguments(s, brief.scene))]
        ran = [one for step in self._steps for one in step.ran]
        kinds = [Kind(s.name, s.description or s.name, _rate(r for r in ran if r.skill == s.name)) for s in usable]
        return [*kinds, Kind(DONE, "nothing more: the goal is reached")]

    def candidates(self, kind: str) -> Sequence[Candidate]:
        if kind == DONE:
            return [Candidate(DONE, "->True", "the goal is reached")]
        skill, scene = self._present.skills[kind], self._present.scene
        some = itertools.islice(arguments(skill, scene), CANDIDATES_MAX)
        return [_candidate(skill, args, self._worked(f"{skill.description} ({_words(args)})")) for args in some]

    def everything(self) -> Sequence[Candidate]:
        return [step for kind in self.kinds() for step in self.candidates(kind.name)]

    def pay(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        return [1.0] * len(candidates)

    def chosen(self, candidate: Candidate) -> None:
        self._chosen = candidate

    @property
    def _present(self) -> Brief:
        assert self._brief is not None, "a domain is told the brief before it is asked"
        return self._brief

    def _worked(self, says: str) -> float:
        return _rate(one for step in self._steps if step.plan == says for one in step.ran)


def arguments(skill: Skill, scene: Scene) -> Iterable[tuple[Value, ...]]:
    """Every combination of values that the scene and the signature offer; none where one has to be invented."""
    return itertools.product(*(_values(p, scene) for p in skill.params))


def _values(param: Param, scene: Scene) -> Sequence[Value]:
    if param.options:
        return param.options
    if param.kind in ("thing", "place"):
        return tuple(dict.fromkeys(t.label for t in scene))
    if param.kind == "flag":
        return (True, False)
    if param.kind in ("number", "integer") and param.range:
        low, high = param.range.low, param.range.high
        return tuple(dict.fromkeys(_round(low + (high - low) * share) for share in (0.0, 0.25, 0.5, 1.0)))
    return ()


def _round(value: float) -> int | float:
    return int(value) if float(value).is_integer() else round(value, 2)


def _rate(some: Iterable[Ran]) -> float:
    """How often it worked, a little hope added."""
    outcomes = [one.done for one in some]
    return (HOPE + sum(outcomes)) / (HOPE + len(outcomes))


def _candidate(skill: Skill, args: Sequence[Value], can: float) -> Candidate:
    listed = ",".join(map(literal, args))
    return Candidate(skill.name, f"{skill.name}({listed})", f"{skill.description} ({_words(args)})", can)


def _words(args: Sequence[Value]) -> str:
    return ", ".join(map(str, args))
