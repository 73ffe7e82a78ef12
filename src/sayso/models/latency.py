"""A model's latency, simulated: how long a large model would take for the same tokens.

TypeFly (§2) finds the latency of a remote model linear in the tokens read and written,
`latency = a·N_in + b·N_out + c`. Charged token by token on the running loop's clock, this law makes response times
of a scripted plan comparable with the published ones. The name says that the times are modelled.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence

from sayso.errors import ModelError
from sayso.models.tokens import Count, pieces
from sayso.models.tokens import count as pieces_in
from sayso.roles import Chunk, Model, Prompt, closing

A_S, B_S, C_S = 1.19e-5, 0.0339, 0.50
"""Seconds a token read, a token written and a call, by a refit of the authors' raw measurements of GPT-4."""


class ModelledLatency:
    """`model`'s words at the pace of the paper's law.

    The first token comes after `A_S`·N_in + `c_s` + `B_S`, each further one `B_S` later; a model that is slower than
    that stays slower. N_in is counted by `count`, output tokens are the pieces of `tokens.pieces`.
    """

    def __init__(self, model: Model, *, c_s: float = C_S, count: Count | None = None) -> None:
        self.name = f"{model.name}, modelled latency"
        self._model, self._c_s = model, c_s
        self._count = count or pieces_in

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        """The inner model's text, one token-like piece a chunk. Its errors come when the text before them is out."""
        due_s = asyncio.get_running_loop().time() + self._overhead_s(prompt)
        kept, usage, broke = "", None, None
        try:
            async with closing(self._model.stream(prompt)) as answer:
                async for chunk in answer:
                    usage = chunk.usage or usage
                    *ready, kept = pieces(kept + chunk.text) or [""]  # the last piece may go on in the next chunk
                    for piece in ready:
                        due_s += B_S
                        await until(due_s)
                        yield Chunk(piece)
        except ModelError as error:
            broke = error
        due_s += B_S if kept else 0.0
        await until(due_s)
        if kept or usage:
            yield Chunk(kept, usage)
        if broke:
            raise broke

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        """The inner model's scores, after the time that one token takes."""
        due_s = asyncio.get_running_loop().time() + self._overhead_s(prompt) + B_S
        scores = await self._model.score(prompt, continuations)
        await until(due_s)
        return scores

    def _overhead_s(self, prompt: Prompt) -> float:
        return A_S * sum(self._count(text) for _, text in prompt.messages) + self._c_s


async def until(due_s: float) -> None:
    """Wait for a moment of the running loop's clock; let others run if it has passed."""
    await asyncio.sleep(max(0.0, due_s - asyncio.get_running_loop().time()))
