"""Memory's figures: how long recall takes at a thousand and at a hundred thousand units, and one look's learning."""

from __future__ import annotations

import random
import tempfile
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from sayso.memory.journal import Journal
from sayso.memory.recall import Floats, Recall
from sayso.memory.remember import Memories
from sayso.memory.units import Look, Unit
from sayso.scene import Pose, Scene, Thing

DIMS = 384
LABELS, MAKES = 200, 100
WISHES = 41


class _Random:
    """A test double for a model of meaning: any text has a random direction. Making it costs next to nothing, so the
    figures are those of recall alone."""

    name = "random"

    def __call__(self, texts: Sequence[str]) -> Floats:
        chance = np.random.default_rng(zlib.crc32(texts[0].encode()))
        rows = chance.standard_normal((len(texts), DIMS), dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)  # type: ignore[no-any-return]


def _units(count: int, alike: bool) -> Iterator[Unit]:
    """So many units; `alike` shares at most `LABELS` x `MAKES` descriptions among them, else each has its own."""
    chance = random.Random(1)
    for n in range(count):
        make = str(chance.randrange(MAKES)) if alike else str(n)
        label, likes = f"thing{n % LABELS}", {"make": f"make{make}"}
        yield Unit(n + 1, label, "lab", Pose(n % 300, n // 300), attributes=likes, seen_s=float(n))


def recall_ms(count: int, *, alike: bool = False) -> float:
    """The median CPU time of one wish of four words, of which one may name something, after the index was filled."""
    recall = Recall(_units(count, alike), embed=_Random())
    recall.ask("warm up")
    took = []
    for n in range(WISHES):
        began = time.process_time()
        found = recall.ask(f"bring me thing{n}" if n % 2 else f"something for purpose {n}", map_id="lab")
        took.append(time.process_time() - began)
        assert len(found) == 10
    return sorted(took)[WISHES // 2] * 1e3


def look_ms() -> float:
    """The median CPU time of learning from one look at twenty known things, kept on disk."""
    things = tuple(Thing(f"t{n}", f"thing{n}", None, 2.0, Pose(1 + n % 5, n // 5 - 2.0)) for n in range(20))
    took = []
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.sqlite") as journal:
        memories = Memories(journal, "lab")
        for n in range(WISHES):
            began = time.process_time()
            memories.see(Look(Scene(things, seen_s=float(n)), float(n), "m"))
            took.append(time.process_time() - began)
    return sorted(took)[WISHES // 2] * 1e3


def figures() -> Iterator[tuple[str, float, str, float, bool]]:
    """(id, value, unit, bar, whether the bar is an upper bound)."""
    yield "recall_of_10^3", recall_ms(1_000), "ms", 1, True
    yield "recall_of_10^5", recall_ms(100_000), "ms", 10, True
    yield "recall_of_10^5_alike", recall_ms(100_000, alike=True), "ms", 10, True
    yield "remember_a_look", look_ms(), "ms", 10, True
