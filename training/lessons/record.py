"""What one lesson is, whichever robot it is for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lesson:
    """`prompt` is what the model reads, `target` what it should write. `held` is its side, "" is training."""

    id: str
    held: str
    kind: str
    intent: str
    sentence: str
    prompt: str
    target: str
    frames: tuple[str, ...]
