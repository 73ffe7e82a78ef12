"""From steps to MiniSpec, for the skills that this robot has.

Every call is put to the skill's own signature before it is written, so what comes out is admissible; a distance beyond
a skill's range becomes several calls, and what is not possible is said with the limit's name. A thing is looked for
all round before the robot goes to it, unless the step before has just brought it into view.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from sayso.errors import NotUnderstood
from sayso.goals.text import quoted
from sayso.planners.reflex.signatures import Motion
from sayso.planners.reflex.tree import (
    Answer,
    Call,
    Face,
    Find,
    GoTo,
    If,
    Land,
    LookAround,
    Move,
    Picture,
    Return,
    Say,
    Steps,
    TakeOff,
    Times,
    Turn,
    TurnUntil,
    Wait,
    spoken,
)  # fmt: skip
from sayso.skill import SkillSet, Value

TURN_AT_ONCE_DEG = 180.0
"""A larger turn in one call may end in a wish for a new plan, which this planner would not have."""

PIECES_MAX = 100
SIDES = {"cw": "clockwise", "ccw": "counterclockwise"}


class Writer:
    """Writes the statements of one plan. `motions` are the skills by direction; `aloft` tells whether the robot is in
    the air when it starts."""

    def __init__(self, skills: SkillSet, motions: Mapping[str, Motion], aloft: bool, search_step_deg: float) -> None:
        self._skills, self._motions = skills, motions
        self._answers = 0
        self._aloft = aloft
        self._search_step_deg = search_step_deg
        self._seen = ""
        self._faced = ""
        self._rules: dict[type, Callable[..., str]] = {
            TakeOff: self._take_off, Land: self._land, Return: self._return, Move: self._move, Turn: self._turn,
            TurnUntil: self._turn_until, LookAround: self._look_around, GoTo: self._go_to, Find: self._find,
            Face: self._face, Picture: self._picture, Wait: self._wait, Say: self._say, Answer: self._answer,
            If: self._if, Times: self._times, Call: self._asked,
        }  # fmt: skip

    def statements(self, steps: Steps) -> list[str]:
        """The text of each step in order. Raises `NotUnderstood` where the robot lacks a skill or its range."""
        return [self._rules[type(step)](step) for step in steps]

    # Calls

    def _call(self, name: str, *args: Value) -> str:
        """`mf(100)`; refused where this robot cannot."""
        skill = self._skills.get(name)
        if skill is None:
            raise NotUnderstood(f"I understand, but this robot has no skill {name}.")
        if problem := skill.problem(args):
            raise NotUnderstood(f"I understand, but {problem}.")
        return f"{skill.short}({', '.join(map(_literal, args))})" if args else skill.short

    def _amounts(self, name: str, total: float, at_once: float = math.inf) -> str:
        """One call, or as many as the range of the skill's one parameter needs."""
        skill = self._skills.get(name)
        span = skill.params[0].range if skill and skill.params else None
        low, high = (span.low, min(span.high, at_once)) if span else (0.0, at_once)
        parts = pieces(total, low, high)
        if len(parts) > PIECES_MAX:
            raise NotUnderstood(f"I understand, but {name} does at most {high:g} at once, and this is {total:g}.")
        return "".join(f"{self._call(name, part)};" for part in parts)

    def _along(self, way: str, does: str, total: float, at_once: float = math.inf) -> str:
        """The skill for one direction, by an amount in cm or deg."""
        motion = self._motions.get(way)
        if motion is None:
            raise NotUnderstood(f"I understand, but this robot has no skill to {does}.")
        if motion.size < 0:
            return f"{self._call(motion.skill, round(total / motion.size, 6))};"
        return self._amounts(motion.skill, total / motion.size, at_once / motion.size)

    def _asked(self, step: Call) -> str:
        """A skill by its name. What a mere question finds is told."""
        skill, call = self._skills[step.skill], self._call(step.skill, *step.args)
        self._moved("", self._aloft)
        if not skill.returns or skill.uses or "log" not in self._skills:
            return f"{call};"
        self._answers += 1
        return f"_{self._answers}={call};{self._call('log', 'x').replace(_literal('x'), f'_{self._answers}')};"

    def _climb_first(self) -> str:
        """A search begins in the air, since from the ground one sees little; so does a hover."""
        if self._aloft or "take_off" not in self._skills:
            return ""
        return self._take_off()

    def _moved(self, text: str, aloft: bool = True) -> str:
        """After a motion the view is another one."""
        self._aloft, self._seen, self._faced = aloft, "", ""
        return text

    def _fail(self, thing: str) -> str:
        return f"{self._call('log', f'I looked all round and found no {spoken(thing)}.')};->False"

    def _looked_for(self, thing: str, then: str) -> str:
        """`then` when the thing is found, else the mission has failed."""
        climb = self._climb_first()
        return f"{climb}?{self._call('scan', thing)}==True{{{then}}}:{{{self._fail(thing)}}}"

    # Motions

    def _take_off(self, step: TakeOff | None = None) -> str:
        return self._moved(f"{self._call('take_off')};")

    def _land(self, step: Land) -> str:
        """Who comes down at home alone goes there: that is its way to land."""
        home_only = "land" not in self._skills and "return_home" in self._skills
        return self._moved(f"{self._call('return_home' if home_only else 'land')};", aloft=False)

    def _return(self, step: Return) -> str:
        return self._moved(f"{self._call('return_home')};")

    def _move(self, step: Move) -> str:
        return self._moved(self._along(step.way, f"move {step.way}", step.cm))

    def _turn(self, step: Turn) -> str:
        return self._moved(self._along(SIDES[step.way], "turn", step.deg, TURN_AT_ONCE_DEG))

    def _turn_until(self, step: TurnUntil) -> str:
        """No return inside the loop, so that the plan can go on: a thing in view stays in view."""
        unseen = f"?{self._call('is_visible', step.thing)}==False"
        turn = self._along(SIDES[step.way], "turn", step.step_deg).rstrip(";")
        climb = self._climb_first()
        loop = f"{climb}{math.ceil(360 / step.step_deg)}{{{unseen}{{{turn}}}}}"
        self._moved("")
        self._seen = step.thing
        return f"{loop}{unseen}{{{self._fail(step.thing)}}}"

    def _look_around(self, step: LookAround) -> str:
        n = math.ceil(360 / self._search_step_deg)
        turn = self._along(SIDES["cw"], "turn", self._search_step_deg).rstrip(";")
        return self._moved(f"{n}{{{turn}}}")

    # Seeing

    def _go_to(self, step: GoTo) -> str:
        go = f"{self._call('goto', step.thing)};"
        text = go if self._seen == step.thing else self._looked_for(step.thing, go)
        self._moved("")
        self._seen = self._faced = step.thing
        return text

    def _find(self, step: Find) -> str:
        text = self._looked_for(step.thing, f"{self._call('log', f'I see the {spoken(step.thing)}.')};")
        self._moved("", self._aloft)
        self._seen = step.thing
        return text

    def _face(self, step: Face) -> str:
        return self._facing(step.thing, "")

    def _picture(self, step: Picture) -> str:
        take = f"{self._call('take_picture')};"
        if not step.thing or step.thing == self._faced:
            return take
        return self._facing(step.thing, take)

    def _facing(self, thing: str, then: str) -> str:
        """Turn to the thing, looking for it first where it may be out of view, and go on with `then`."""
        face = f"{self._call('orienting', thing)};{then}"
        text = face if self._seen == thing else self._looked_for(thing, face)
        self._seen = self._faced = thing
        return text

    def _answer(self, step: Answer) -> str:
        yes = self._call("log", f"Yes, I see the {spoken(step.thing)}.")
        no = self._call("log", f"No, I see no {spoken(step.thing)}.")
        return f"?{self._call('is_visible', step.thing)}==True{{{yes}}}:{{{no}}}"

    # Waiting, saying

    def _wait(self, step: Wait) -> str:
        if not step.s and "delay" not in self._skills:  # to stop where nothing moves is done already
            return "->True"
        climb = self._climb_first() if step.hovering else ""
        return climb + self._amounts("delay", step.s)

    def _say(self, step: Say) -> str:
        return f"{self._call('log', step.text)};"

    # Conditions and repetitions

    def _if(self, step: If) -> str:
        climb = self._climb_first() if step.search else ""
        test = f"{self._call('scan' if step.search else 'is_visible', step.thing)}=={not step.negated}"
        before = self._aloft
        self._seen, self._faced = ("" if step.negated else step.thing), ""
        then, aloft = "".join(self.statements(step.then)), self._aloft
        self._aloft, self._seen, self._faced = before, (step.thing if step.negated else ""), ""
        other = self._fail(step.thing) if step.must else "".join(self.statements(step.other or ()))
        self._moved("", aloft and self._aloft)
        return f"{climb}?{test}{{{then}}}" + (f":{{{other}}}" if other else "")

    def _times(self, step: Times) -> str:
        if step.n == 1:
            return " ".join(self.statements(step.body))
        self._seen = self._faced = ""
        body = "".join(self.statements(step.body))
        self._seen = self._faced = ""
        return f"{step.n}{{{body}}}"


def pieces(total: float, low: float, high: float) -> Sequence[float]:
    """`total` in parts of at most `high`, none below `low` where that can be."""
    if total <= high:
        return [total]
    full = int(total // high)
    rest = total - full * high
    if rest < 1e-6:
        return [high] * full
    if rest >= low:
        return [*[high] * full, rest]
    return [*[high] * (full - 1), (high + rest) / 2, (high + rest) / 2]


def _literal(value: Value) -> str:
    if isinstance(value, str):
        return quoted("".join(c if c.isprintable() else " " for c in value))
    return f"{value:.10g}" if isinstance(value, float) else str(value)
