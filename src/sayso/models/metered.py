"""A model whose prompts and answers are recorded, and whose calls, tokens and cost stay within a mission's budget."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import asdict, astuple, dataclass

from sayso.errors import ModelBroke, ModelError, ModelUnavailable
from sayso.events import AnswerEnded, AnswerFailed, ChunkArrived, Event, Prompted, Warned
from sayso.limits import Limits
from sayso.models.fallback import Connected, FallbackModel
from sayso.models.tokens import counted
from sayso.roles import Chunk, Model, Prompt, Usage, closing

ERROR_MAX = 500
TEXT_MAX = 200_000
"""Characters of one answer: three times the longest plan."""


@dataclass
class Spent:
    """The calls and tokens of a mission so far."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


class MeteredModel:
    """Records what `model` is asked and answers, and refuses calls beyond the budget of `limits`. Calls count from 1,
    together with those of the model `beside`, where there is one."""

    def __init__(
        self, model: Model, emit: Callable[[Event], None], limits: Limits, beside: MeteredModel | None = None
    ) -> None:
        self.name = model.name
        if isinstance(model, FallbackModel):
            model.tell = lambda text: emit(Warned(text=text))
        self._model, self._emit, self._limits = model, emit, limits
        self._spent: Spent = beside._spent if beside else Spent()

    def begin(self) -> None:
        """Begin a mission: the counts start anew."""
        self._spent.calls = self._spent.tokens_in = self._spent.tokens_out = 0
        if isinstance(self._model, FallbackModel):
            self._model.begin()

    async def stream(self, prompt: Prompt) -> AsyncIterator[Chunk]:
        """The model's answer. Nobody sees a piece of it before it is on record."""
        call = self._asked(prompt)
        received: list[str] = []
        usage: Usage | None = None
        length = 0
        try:
            async with closing(self._model.stream(prompt)) as answer:
                async for chunk in answer:
                    usage = chunk.usage or usage
                    if chunk.text or chunk.thought:
                        length += len(chunk.text)
                        if length > TEXT_MAX:
                            raise ModelBroke(f"the answer is longer than {TEXT_MAX} characters", "".join(received))
                        received.append(chunk.text)
                        self._emit(ChunkArrived(call=call, text=chunk.text, thought=chunk.thought))
                        yield chunk
        except ModelError as error:
            self._emit(AnswerFailed(call=call, error=str(error), received="".join(received)))
            raise
        except Exception as error:  # a model of anybody's making
            broke = ModelBroke(f"{self.name}: {type(error).__name__}: {error}"[:ERROR_MAX], "".join(received))
            self._emit(AnswerFailed(call=call, error=str(broke), received=broke.received))
            raise broke from error
        self._ended(call, usage or counted(prompt, "".join(received)))

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        """The model's scores. They count as a call, and the likeliest continuation as the answer."""
        call = self._asked(prompt)
        try:
            scores = await self._model.score(prompt, continuations)
        except ModelError as error:
            self._emit(AnswerFailed(call=call, error=str(error)))
            raise
        weighed = tuple(zip(continuations, scores, strict=True))
        self._ended(call, counted(prompt, max(weighed, key=lambda pair: pair[1], default=("", 0.0))[0]), weighed)
        return scores

    async def close(self) -> None:
        """Close the model's connections, where it has any."""
        if isinstance(self._model, Connected):
            await self._model.close()

    def _ended(self, call: int, usage: Usage, scores: tuple[tuple[str, float], ...] = ()) -> None:
        self._spent.tokens_in += usage.tokens_in
        self._spent.tokens_out += usage.tokens_out
        self._emit(AnswerEnded(call=call, **asdict(usage), scores=scores))

    def _asked(self, prompt: Prompt) -> int:
        """The number of the next call, where there may be one."""
        refused = self._limits.model_refusal(*astuple(self._spent))
        if refused and not (
            isinstance(self._model, FallbackModel) and refused.limit == "cost" and self._model.cheaper()
        ):
            raise ModelUnavailable(refused.reason)
        self._spent.calls += 1
        call, by = self._spent.calls, self._model.name
        self._emit(Prompted(call=call, purpose=prompt.purpose, model=by, messages=prompt.messages))
        return call
