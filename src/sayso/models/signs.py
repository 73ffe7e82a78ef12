"""What is written in a picture, read by rapidocr: an onlooker that answers no other question.

An extra, and asked on request only: its networks come in its wheel, 437 MB with all that it needs. What is read is
text from the world: an answer, never a plan.
"""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncGenerator, Sequence

import numpy as np
from PIL import Image

from sayso.clock import current
from sayso.errors import ModelUnavailable, UsageError
from sayso.grounding.phrases import asks_what_is_written
from sayso.models.tokens import counted
from sayso.parts import Chunk, Prompt

LONGEST_PX = 1280
"""Small letters are lost in a smaller picture."""


class Signs:
    """`sure` is the least sure of all that was read. Raises `UsageError` where the extra is missing."""

    name = "signs (rapidocr)"
    picture_px = LONGEST_PX

    def __init__(self) -> None:
        try:
            from rapidocr import RapidOCR
        except ModuleNotFoundError as error:
            raise UsageError("reading signs needs its extra: pip install 'sayso[signs]'") from error
        self._reader = RapidOCR(params={"Global.log_level": "critical"})

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        """What is written, where that is asked; null for anything else, and where nothing is."""
        if not prompt.picture:
            raise ModelUnavailable(f"{self.name} is shown pictures and reads nothing else; name it with --eyes")
        answer: dict[str, object] = {"answer": None, "sure": 1.0}
        if asks_what_is_written(prompt.question):
            with current().real():
                answer = await asyncio.to_thread(self._written, prompt.picture)
        text = json.dumps(answer)
        yield Chunk(text, counted(prompt, text))

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        """Always `ModelUnavailable`: it reads and has no opinion."""
        raise ModelUnavailable(f"{self.name} cannot score")

    def _written(self, picture: bytes) -> dict[str, object]:
        shown = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))[:, :, ::-1]  # it takes blue first
        read = self._reader(shown)
        if not read.txts:
            return {"answer": None, "sure": 1.0}
        return {"answer": " ".join(read.txts), "sure": float(min(read.scores))}
