"""The writer of plans for plain commands, which keeps track of where the robot stands.

Every call is put to the skill's own signature before it is written, so what comes out is admissible; a distance beyond
a skill's range becomes several calls, and what is not possible is said with the limit's name.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sayso.errors import NotUnderstood
from sayso.goal import Clause, Which
from sayso.goals.clauses import preds
from sayso.goals.evidence import reading
from sayso.goals.text import quoted
from sayso.scene import Scene
from sayso.skill import Range, SkillSet, Value
from sayso.tables.units import signed

PIECES_MAX = 100


@dataclass(frozen=True, slots=True)
class Motion:
    """The skill for one direction. `size` is its unit in cm or deg; a negative one is a skill for the other side."""

    skill: str
    size: float


@dataclass(slots=True)
class Writer:
    """Writes one plan. `motions` are the skills by direction. `aloft` tells whether the robot is in the air, `seen` the
    thing that the step before has brought into view, `faced` the one in the middle of it."""

    skills: SkillSet
    motions: Mapping[str, Motion]
    scene: Scene
    search_step_deg: float
    aloft: bool
    seen: str = field(default="", init=False)
    faced: str = field(default="", init=False)
    _answers: int = field(default=0, init=False)

    def call(self, name: str, *args: Value) -> str:
        """`mf(100)`. Raises `NotUnderstood` where this robot cannot."""
        skill = self.skills.get(name)
        if skill is None:
            raise NotUnderstood(f"I understand, but this robot has no skill {name}.")
        if problem := skill.problem(args):
            raise NotUnderstood(f"I understand, but {problem}.")
        return f"{skill.short}({', '.join(map(literal, args))})" if args else skill.short

    def amounts(self, name: str, total: float, at_once: float = math.inf) -> str:
        """One call, or as many as the range of the skill's one parameter needs; of less than nothing too."""
        skill = self.skills.get(name)
        span = skill.params[0].range if skill and skill.params else None
        sign = -1.0 if total < 0 else 1.0
        low, high = sorted((sign * span.low, sign * span.high)) if span else (0.0, at_once)
        high = min(high, at_once)
        parts = Range(max(low, 0.0), high).parts(abs(total)) if high > 0 else [abs(total)]
        if len(parts) > PIECES_MAX:
            raise NotUnderstood(f"I understand, but {name} does at most {high:g} at once, and this is {total:g}.")
        return "".join(f"{self.call(name, round(sign * part, 6))};" for part in parts)

    def rising(self) -> str:
        """The skill that leads to a height: the usual one, else what means it."""
        means = (s.name for s in self.skills.values() if (s.means or s.leads).startswith("height({"))
        return "fly_at" if "fly_at" in self.skills else next(means, "fly_at")

    def sensors(self, meant: Clause | None) -> Iterator[str]:
        """A look at every measure by which it is told whether that was brought about."""
        names = {str(pred.args[0]) for pred in preds(meant) if pred.name == "measured"}
        return (s.short for s in self.skills.values() if s.measures and reading(s.name, 0.0)[0] in names)

    def sized(self, name: str, cm: float) -> float:
        """A length in the unit in which a skill takes it."""
        skill = self.skills.get(name)
        unit = signed(skill.params[0].unit) if skill else None
        return unit.of(cm) if unit else cm

    def along(self, way: str, total: float, at_once: float = math.inf) -> str:
        """The skill for one direction, by an amount in cm or deg."""
        motion = self.motions.get(way)
        if motion is None:
            raise NotUnderstood(
                f"I understand, but this robot has no skill to {'turn' if 'clock' in way else f'move {way}'}."
            )
        return self.amounts(motion.skill, total / motion.size, at_once / abs(motion.size))

    def told(self, value: str) -> str:
        """A value, said aloud; as it is where the robot has no voice for it."""
        if "log" not in self.skills:
            return value
        name = self.variable()
        return f"{name}={value};{self.skills['log'].short}({name})"

    def variable(self) -> str:
        """A name that stands for nothing yet."""
        self._answers += 1
        return f"_{self._answers}"

    def climb(self) -> str:
        """A search begins in the air, since from the ground one sees little; so does a hover."""
        if self.aloft or "take_off" not in self.skills:
            return ""
        return self.moved(f"{self.call('take_off')};")

    def moved(self, text: str, aloft: bool = True) -> str:
        """After a motion the view is another one."""
        self.aloft, self.seen, self.faced = aloft, "", ""
        return text

    def fail(self, thing: str) -> str:
        return f"{self.call('log', f'I looked all round and found no {spoken(thing)}.')};->False"

    def found(self, thing: str, then: str) -> str:
        """`then` when the thing is found, else the mission has failed."""
        return f"{self.climb()}?{self.call('scan', thing)}==True{{{then}}}:{{{self.fail(thing)}}}"

    def which(self, thing: str) -> Which:
        """A thing by its label; by its id where the command picks one of several."""
        picked = self.scene.find(thing) if thing.endswith("]") else None
        return Which(picked.id if picked else spoken(thing))


def spoken(thing: str) -> str:
    """A thing's name as one would say it, without the index that picks one of several."""
    return thing.partition("[")[0]


def literal(value: Value) -> str:
    if isinstance(value, str):
        return quoted("".join(c if c.isprintable() else " " for c in value))
    return f"{value:.10g}" if isinstance(value, float) else str(value)
