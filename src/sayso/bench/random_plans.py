"""The baseline model `random`, which has the right goal and writes random plans.

Its plans, steps, tasks and scores are drawn: admissible, of the robot's own skills, and of the names and amounts that
there are, those of the goal among them. So nothing but luck does what is wanted, and what is called achieved is the
verdict's own work: a mission that says so and saw it, where the world says no, is a mistake in evidence or in
evaluation.
"""

import json
import random
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sayso.goal import IT, Amount, Argument, Which
from sayso.goals.clauses import preds
from sayso.goals.text import parse, show
from sayso.language import check
from sayso.models.scripted import Scripted
from sayso.planners.scored_domain import literal
from sayso.planners.stepwise import ASIDE
from sayso.prompts.rolling import task_names
from sayso.roles import Brief, Chunk, Model, Prompt, closing
from sayso.skill import Param, Skill, Value

RANDOM, RANDOM_IS = "random", "a double with the right goal and random plans"
STATEMENTS_MAX, TRIES = 4, 60
GOALS_OWN = 0.5
"""So often a name or an amount of the goal is taken, where it fits."""

DONE = 0.15
"""So often it says that all is done, where it chooses one step or a few tasks at a time."""

WAYS = frozenset({"plan", "replan", "probe", "rolling", "stepwise"})
"""Purposes of prompts that ask what to do."""

Admits = Callable[[str, Brief], bool]


def admits(plan: str, brief: Brief) -> bool:
    """Whether the robot's language admits a plan."""
    return not check(plan, brief.skills)


class RandomPlans(Scripted):
    """The model `random`. `goals` tells what each wish means, as text, and `admits` which plans may run; `reader`
    answers what is no question of what to do."""

    def __init__(self, goals: Mapping[str, str], seed: int, reader: Model, admits: Admits = admits) -> None:
        super().__init__(self._drawn, name="random plans (a test double)")
        self._goals = {wish: parse(goal) for wish, goal in goals.items()}
        self._dice = random.Random(f"{seed} {'; '.join(goals.values())}")
        self._reader, self._admits = reader, admits
        args = [arg for goal in self._goals.values() for pred in preds(goal) for arg in pred.args]
        self._names = [name for arg in args for name in _names(arg)]
        values = [arg.value for arg in args if isinstance(arg, Amount)]
        self._amounts = [round(v * factor, 3) for v in values for factor in (1, 100)]  # as skills count

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        inner = super().stream(prompt) if prompt.purpose in WAYS else self._reader.stream(prompt)
        async with closing(inner) as answer:
            async for chunk in answer:
                yield chunk

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        """One as good as the other, and all of them another time."""
        return [self._dice.gauss(0.0, 3.0) for _ in continuations]

    def _drawn(self, prompt: Prompt) -> str:
        """A plan, a step or tasks, with the goal behind it; or to a question something that is in view, or not."""
        brief = prompt.brief
        assert brief is not None
        if prompt.purpose == "probe":
            return self._dice.choice(["True", "False", *(t.label for t in brief.seen.scene)])
        want = show(self._goals[brief.instruction])
        if prompt.purpose == "stepwise":
            return json.dumps({"next_action": self._step(brief), "want": want})
        if prompt.purpose == "rolling":
            return "Done" if self._dice.random() < DONE else f"{self._tasks(brief)}\n{want}"
        texts = (self._plan(brief) for _ in range(TRIES))
        return f"{next((text for text in texts if self._admits(text, brief)), '')}\n{want}"

    def _tasks(self, brief: Brief) -> str:
        names = task_names(brief.skills)
        some = self._dice.sample(names, self._dice.randint(1, min(3, len(names))))
        return "\n".join(f"Task: {name} Priority: {n}" for n, name in enumerate(some, start=1))

    def _step(self, brief: Brief) -> dict[str, Any] | str:
        if self._dice.random() < DONE:
            return "done"
        skill = self._dice.choice([skill for name, skill in brief.skills.items() if name not in ASIDE])
        return {"skill": skill.name, "params": [str(self._argument(p, self._here(brief))) for p in skill.params]}

    def _plan(self, brief: Brief) -> str:
        here = self._here(brief)
        many = self._dice.randint(1, STATEMENTS_MAX)
        return ";".join(self._statement(brief, here) for _ in range(many))

    def _here(self, brief: Brief) -> list[str]:
        """Names that there are."""
        return sorted({t.label for t in brief.seen.scene} | set(_told(brief.knowledge))) or ["thing"]

    def _statement(self, brief: Brief, here: list[str]) -> str:
        call = self._call(self._dice.choice(list(brief.skills.values())), here)
        match self._dice.random():
            case chance if chance < 0.1:
                return f"{self._dice.randint(2, 4)}{{{call}}}"
            case chance if chance < 0.2:
                return f"?{call}{{{self._call(self._dice.choice(list(brief.skills.values())), here)}}}"
        return call

    def _call(self, skill: Skill, here: list[str]) -> str:
        return f"{skill.short or skill.name}({','.join(literal(self._argument(p, here)) for p in skill.params)})"

    def _argument(self, parameter: Param, here: list[str]) -> Value:
        own = self._dice.random() < GOALS_OWN
        match parameter.kind:
            case "number" | "integer":
                return self._number(parameter, own)
            case "flag":
                return self._dice.random() < 0.5
        return self._dice.choice(list(parameter.options or (self._names if own and self._names else here)))

    def _number(self, parameter: Param, own: bool) -> float:
        fits = [v for v in self._amounts if parameter.problem(v) is None]
        if own and fits:
            return self._dice.choice(fits)
        least, most = (parameter.range.low, parameter.range.high) if parameter.range else (1, 100)
        return float(round(self._dice.uniform(least, most)))


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
