"""A fallback chain of models, `--model a,b`: the next one answers where the first is down or has cost enough."""

from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Protocol, runtime_checkable

from sayso.errors import ModelUnavailable
from sayso.roles import Chunk, Model, Prompt, closing


@runtime_checkable
class Connected(Protocol):
    """A model that holds connections."""

    async def close(self) -> None: ...


class FallbackModel(Model):
    """Asks the first of `models` until it is down or has cost what a mission may, then the next for the rest of the
    mission; `tell` hears why. A price is that of the first one."""

    def __init__(self, models: Sequence[Model]) -> None:
        self.models = tuple(models)
        self.tell: Callable[[str], None] = lambda text: None
        self.begin()

    def begin(self) -> None:
        """Begin a mission: the first one is asked again. `name` is whose turn it is."""
        self._at, self.name = 0, self.models[0].name

    def cheaper(self) -> bool:
        """Leave the present one, which has cost enough, and return whether there is another."""
        return self._at > 0 or self._next("it has cost what a mission may")

    def _next(self, why: str) -> bool:
        if self._at + 1 >= len(self.models):
            return False
        left, self._at = self.name, self._at + 1
        self.name = self.models[self._at].name
        self.tell(f"{self.name} answers from here on, in the place of {left}: {why}")
        return True

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        """The answer of the present model. Raises `ModelUnavailable` where it is the last one's, and none came."""
        while True:
            try:
                async with closing(self.models[self._at].stream(prompt)) as answer:
                    async for chunk in answer:
                        yield chunk
                return
            except ModelUnavailable as error:
                if not self._next(str(error)):
                    raise

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        """The scores of the present model."""
        return await self.models[self._at].score(prompt, continuations)

    async def close(self) -> None:
        """Close the connections of all."""
        for model in self.models:
            if isinstance(model, Connected):
                await model.close()
