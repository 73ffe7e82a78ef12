"""What one lesson is, whichever robot it is for."""

from __future__ import annotations

from dataclasses import dataclass

from sayso.scene import Scene


@dataclass(frozen=True, slots=True)
class Lesson:
    """`prompt` is what the model reads, `target` what it should write. `held` is its side, "" is training.

    `scene` is what the drone sees as it is told a wish.
    """

    id: str
    held: str
    kind: str
    intent: str
    sentence: str
    prompt: str
    target: str
    frames: tuple[str, ...]
    scene: Scene | None = None


def output(answer: str) -> str:
    """A plan or an answer as the model writes it."""
    return f"{answer.strip()}<end>"
