"""A test double that spoils a share of another model's plans, to measure the handling of bad answers.

At a set rate an answer is spoiled as language models spoil them: a name of something that does not exist, an action
that the robot does not have, or a form that is no plan. The same seed spoils the same answers in the same way. Only
plans are spoiled, not the answers to small questions. `spoil` may be another way of going wrong.
"""

import random
import re
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import TypeAlias

from sayso.errors import UsageError
from sayso.models.tokens import counted
from sayso.roles import Chunk, Model, Prompt, closing

NAMES = ("garage", "unicorn", "Gandalf", "swimming pool", "flux capacitor", "Zaphod", "wine cellar", "lava lamp")
ACTIONS = ("open_fridge()", "jump('high')", "vacuum('floor')", "teleport('kitchen')", "wait_for_a_miracle()")
SPOKEN = ("speak", "answer", "ask", "log", "probe", "person_info")
"""Skills whose texts are words to be said or asked about, not names."""

Spoil: TypeAlias = Callable[[str, Prompt, random.Random], str]
"""(answer, what was asked, dice) -> the answer that is given instead."""

_NAMED = re.compile(r"([a-z_]+)\('([^'\\]*)'")


class Corrupted:
    """`model`, with a share `rate` of its plans spoiled. `spoiled` counts them."""

    def __init__(self, model: Model, rate: float, seed: int = 0, spoil: Spoil | None = None) -> None:
        if not 0.0 <= rate <= 1.0:
            raise UsageError(f"a rate of corruption is from 0 to 1, not {rate:g}")
        self.name = f"{model.name}, {rate:.0%} corrupted (a test double)"
        self.spoiled = 0
        self._model, self._rate, self._chance, self._spoil = model, rate, random.Random(seed), spoil or any_way

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        """The inner answer, whole; spoiled or not."""
        async with closing(self._model.stream(prompt)) as answer:
            chunks = [chunk async for chunk in answer]
        if prompt.purpose != "probe" and self._chance.random() < self._rate:
            text = self._spoil("".join(chunk.text for chunk in chunks), prompt, self._chance)
            self.spoiled += 1
            chunks = [Chunk(text, counted(prompt, text))]
        for chunk in chunks:
            yield chunk

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        """As the inner model scores."""
        return await self._model.score(prompt, continuations)


def read_corrupted(spec: str, make: Callable[[str], Model], seed: int = 0) -> Corrupted:
    """`RATE:MODEL` around what `make` makes of MODEL. Raises `UsageError`."""
    rate, _, inner = spec.partition(":")
    try:
        share = float(rate)
    except ValueError:
        raise UsageError(f"write corrupted:RATE:MODEL, such as corrupted:0.3:pocket, not {spec!r}") from None
    if not inner:
        raise UsageError(f"write corrupted:RATE:MODEL, such as corrupted:{rate}:pocket")
    return Corrupted(make(inner), share, seed)


def any_way(text: str, prompt: Prompt, chance: random.Random) -> str:
    """The plan, spoiled in one of the three ways."""
    way = chance.choice((wrong_name, broken_form, invented_action))
    return way(text, prompt, chance)


def wrong_name(text: str, prompt: Prompt, chance: random.Random) -> str:
    """The plan with a name that does not exist, or with an invented action where it names nothing."""
    named = [m for m in _NAMED.finditer(text) if not _is_spoken(m[1], prompt)]
    if not named:
        return invented_action(text, prompt, chance)
    at = chance.choice(named)
    return text[: at.start(2)] + chance.choice(NAMES) + text[at.end(2) :]


def broken_form(text: str, prompt: Prompt, chance: random.Random) -> str:
    """The plan as prose, as a numbered list, with a quote left open, or half of it."""
    steps = "\n".join(f"{n}. {step}" for n, step in enumerate(text.split(";"), 1))
    unclosed = text.replace("'", "", 1) + "'"
    return chance.choice((f"Sure! Here is what I would do: {text}", steps, unclosed, f"{text[: len(text) // 2]}('"))


def invented_action(text: str, prompt: Prompt, chance: random.Random) -> str:
    """The plan with a call that no robot here can do, somewhere between the others."""
    steps = text.split(";")
    steps.insert(chance.randrange(len(steps) + 1), chance.choice(ACTIONS))
    return ";".join(steps)


def _is_spoken(name: str, prompt: Prompt) -> bool:
    known = prompt.brief.skills.find(name) if prompt.brief else None
    return known is not None and known.name in SPOKEN
