"""A model that talks nonsense now and then, or says that all is done: a test double around any.

    Lapsing(model, nonsense=0.1, early=0.1, seed=3)

These two are failures of the model and not of the world, so they are injected here: an answer is replaced as a whole,
by words that name no step, by a step that does not exist, or by `done`. The same seed lapses at the same answers.
"""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator, Sequence

from sayso.models.tokens import counted
from sayso.parts import Chunk, Model, Prompt, closing

NONSENSE = (
    "As a language model I cannot touch things.", "", "fly_to(moon)", '{"next_action": "dance(tango)"}',
    '{"step_by_step_reasoning": "the apple is', "pick_up()", "place(apple, gently, now)", "banana banana banana",
)  # fmt: skip
EARLY = '{"step_by_step_reasoning": "all is done", "next_action": "done"}'


class Lapsing:
    """`model`, with these shares of its answers replaced. `lapses` counts them, nonsense first."""

    def __init__(self, model: Model, nonsense: float = 0.0, early: float = 0.0, seed: int = 0) -> None:
        self.name = f"{model.name}, {nonsense:.0%} nonsense, {early:.0%} done too early"
        self.lapses = [0, 0]
        self._model, self._nonsense, self._early = model, nonsense, early
        self._chance = random.Random(f"lapses {seed}")

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        """The inner answer, or another one; the inner model is asked all the same, since it may keep count."""
        roll = self._chance.random()
        first = not any(role == "assistant" for role, _ in prompt.messages)
        lapse = self._lapse(roll, first)
        async with closing(self._model.stream(prompt)) as answer:
            async for chunk in answer:
                if lapse is None:
                    yield chunk
        if lapse is not None:
            yield Chunk(lapse, counted(prompt, lapse))

    def _lapse(self, roll: float, first: bool) -> str | None:
        """What is said instead, if anything; to say that all is done is no answer to the task itself."""
        if roll < self._nonsense:
            self.lapses[0] += 1
            return self._chance.choice(NONSENSE)
        if not first and roll < self._nonsense + self._early:
            self.lapses[1] += 1
            return EARLY
        return None

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        """As the inner model scores."""
        return await self._model.score(prompt, continuations)
