"""A model that reads the writing in a picture, with rapidocr, and answers no other question. An extra, and asked on
request only: its networks come in its wheel, 437 MB with all that it needs."""

import asyncio
import io
import json
from collections.abc import AsyncGenerator
from typing import Any

import numpy as np
from PIL import Image

from sayso.clock import current
from sayso.grounding.phrases import asks_what_is_written
from sayso.models.tokens import counted
from sayso.plugins.loading import extra
from sayso.roles import Chunk, Model, Prompt


class TextInPicture(Model):
    """Reads a picture's text, as sure as of its least sure word. Raises `UsageError` where the extra is missing."""

    name = "signs (rapidocr)"
    picture_px = 1280

    def __init__(self) -> None:
        with extra("signs", "reading signs"):
            from rapidocr import RapidOCR
        self._read = RapidOCR(params={"Global.log_level": "critical"})

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        """What is written, where that is asked; null for anything else, and where nothing is."""
        read: Any = None
        if prompt.picture and asks_what_is_written(prompt.question):
            shown = np.asarray(Image.open(io.BytesIO(prompt.picture)).convert("RGB"))[:, :, ::-1]  # it takes blue first
            with current().real():
                read = await asyncio.to_thread(self._read, shown)
        there = read is not None and read.txts
        text = json.dumps({"answer": " ".join(read.txts), "sure": float(min(read.scores))} if there else NOTHING)
        yield Chunk(text, counted(prompt, text))


NOTHING = {"answer": None, "sure": 1.0}
