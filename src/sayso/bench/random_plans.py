"""A double that has the right goal and no idea how to reach it: the model `random`.

Its plans are drawn: admissible, of the robot's own skills, and of the names and amounts that there are, those of the
goal among them. So nothing but luck does what is wanted, and what is called achieved is the verdict's own work: a
mission that says so and saw it, where the world says no, is a mistake in evidence or in evaluation.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sayso.defaults import MakePlanner
from sayso.goal import IT, Amount, Argument, Clause, Which
from sayso.goals.planned import preds
from sayso.goals.text import parse
from sayso.language import check
from sayso.models.scripted import Scripted
from sayso.parts import Brief, End, Model, Planner, Prompt, Session
from sayso.skill import Param, Skill

RANDOM, RANDOM_IS = "random", "a double with the right goal and random plans"
STATEMENTS_MAX, TRIES = 4, 60
GOALS_OWN = 0.5
"""So often a name or an amount of the goal is taken, where it fits."""

Admits = Callable[[str, Brief], bool]


def admits(plan: str, brief: Brief) -> bool:
    """Whether the robot's language lets it run."""
    return not check(plan, brief.skills)


def random_plans(goal: str, seed: int, admits: Admits = admits) -> Scripted:
    """The double. `admits` tells which plans may run."""
    draw = _Draw(random.Random(f"{seed} {goal}"), parse(goal), admits)
    return Scripted(draw.answer, name="random plans (a test double)")


class Wishing:
    """A planner that knows beforehand what is wanted: it tells its session, and plans as it always does."""

    def __init__(self, inner: Planner, goal: str) -> None:
        self.name, self.steers = inner.name, inner.steers
        self._inner, self._goal = inner, parse(goal)

    async def act(self, session: Session) -> End:
        """See `parts.Planner`."""
        session.understood(self._goal, whole=True)
        return await self._inner.act(session)


def wishing(planner: Planner | MakePlanner, goal: str) -> MakePlanner:
    """What makes a planner that knows the goal of one that does not."""

    def make(model: Model) -> Planner:
        return Wishing(planner if isinstance(planner, Planner) else planner(model), goal)

    return make


@dataclass
class _Draw:
    """Draws answers. `names` and `amounts` are the goal's, amounts in all units that a skill may count in."""

    dice: random.Random
    goal: Clause
    admits: Admits
    names: list[str] = field(init=False)
    amounts: list[float] = field(init=False)

    def __post_init__(self) -> None:
        args = [arg for pred in preds(self.goal) for arg in pred.args]
        self.names = [name for arg in args for name in _names(arg)]
        values = [arg.value for arg in args if isinstance(arg, Amount)]
        self.amounts = [round(v * factor, 3) for v in values for factor in (1, 100)]

    def answer(self, prompt: Prompt) -> str:
        """A plan, or to a question something that is in view, or not."""
        assert prompt.brief is not None
        if prompt.purpose == "probe":
            return self.dice.choice(["True", "False", *(t.label for t in prompt.brief.seen.scene)])
        texts = (self._plan(prompt.brief) for _ in range(TRIES))
        return next((text for text in texts if self.admits(text, prompt.brief)), "")

    def _plan(self, brief: Brief) -> str:
        told = {t.label for t in brief.seen.scene} | set(_told(brief.knowledge))
        here = sorted(told) or ["thing"]
        many = self.dice.randint(1, STATEMENTS_MAX)
        return ";".join(self._statement(brief, here) for _ in range(many))

    def _statement(self, brief: Brief, here: list[str]) -> str:
        call = self._call(self.dice.choice(list(brief.skills.values())), here)
        match self.dice.random():
            case chance if chance < 0.1:
                return f"{self.dice.randint(2, 4)}{{{call}}}"
            case chance if chance < 0.2:
                return f"?{call}{{{self._call(self.dice.choice(list(brief.skills.values())), here)}}}"
        return call

    def _call(self, skill: Skill, here: list[str]) -> str:
        return f"{skill.short or skill.name}({','.join(self._argument(p, here) for p in skill.params)})"

    def _argument(self, parameter: Param, here: list[str]) -> str:
        own = self.dice.random() < GOALS_OWN
        match parameter.kind:
            case "number" | "integer":
                return f"{self._number(parameter, own):g}"
            case "flag":
                return str(self.dice.random() < 0.5)
        pool = parameter.options or (self.names if own and self.names else here)
        return "'" + self.dice.choice(list(pool)).replace("\\", "\\\\").replace("'", "\\'") + "'"

    def _number(self, parameter: Param, own: bool) -> float:
        fits = [v for v in self.amounts if parameter.problem(v) is None]
        if own and fits:
            return self.dice.choice(fits)
        least, most = (parameter.range.low, parameter.range.high) if parameter.range else (1, 100)
        return float(round(self.dice.uniform(least, most)))


def _names(arg: Argument) -> Iterator[str]:
    if isinstance(arg, Which) and arg.kind != IT:
        yield arg.kind
        if arg.traits:
            yield " ".join((*arg.traits, arg.kind))
    if isinstance(arg, str):
        yield arg


def _told(known: Any) -> Iterable[str]:
    """Every name in what the robot was taught of its house."""
    if isinstance(known, Mapping):
        if isinstance(name := known.get("name"), str):
            yield name
        for part in known.values():
            yield from _told(part)
    elif isinstance(known, list | tuple):
        for part in known:
            yield from _told(part)
