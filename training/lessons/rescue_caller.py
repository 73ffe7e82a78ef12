"""One who says something about a search: the dice, the side of the split, and the frames used so far."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from lessons.phrasing import Frame, fill, tables
from lessons.telling import Side, Unsaid


@dataclass(slots=True)
class Caller:
    """One who says something about a search: the dice, the side of the split, the frames used so far."""

    rng: Random
    side: Side
    frames: list[str] = field(default_factory=list)
    held_frames: int = 0

    def say(
        self,
        table: str,
        kind: str = "sentences",
        *,
        main: bool = False,
        fits: Callable[[str], bool] | None = None,
        **slots: str,
    ) -> str:
        """A wording, of those that fit. Raises `Unsaid` where this side of the split has none."""
        choice: Sequence[Frame] = self.side.frames(f"rescue.{table}", kind, main)
        choice = [frame for frame in choice if fits(frame.text)] if fits else choice
        if not choice:
            raise Unsaid(f"no frames for {table}/{kind}")
        chosen = self.rng.choice(choice)
        self.held_frames += chosen.held_out
        self.frames.append(chosen.id)
        text = chosen.say(self.rng)
        return fill(text, slots) if "{" in text else text

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def name(self) -> str:
        return self.rng.choice(lines("words", "names"))

    def complete(self, joined: bool) -> None:
        """Raises `Unsaid` unless the sentence belongs to its side."""
        if not {"": not joined, "frame": self.held_frames > 0 and not joined, "combo": joined}[self.side.held]:
            raise Unsaid("on the wrong side of the split")


@functools.cache
def lines(table: str, kind: str) -> Sequence[str]:
    return tuple(tables()[f"rescue.{table}"][kind].strip().splitlines())
