"""Memory's figures: how long recall takes at a thousand and at a hundred thousand units, and one look's learning."""

from __future__ import annotations

import itertools
import random
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from sayso.memory.agent_memory import AgentMemory
from sayso.memory.journal import Journal
from sayso.memory.recall import Floats, Recall
from sayso.memory.thing_record import Look, ThingRecord
from sayso.scene import Pose, Scene, Thing
from speed_references import CALL, PASS, Row, call_s, median_s, pass_s

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
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows


def _units(count: int, alike: bool) -> Iterator[ThingRecord]:
    """So many units; `alike` shares at most `LABELS` x `MAKES` descriptions among them, else each has its own."""
    chance = random.Random(1)
    for n in range(count):
        make = str(chance.randrange(MAKES)) if alike else str(n)
        label, likes = f"thing{n % LABELS}", {"make": f"make{make}"}
        yield ThingRecord(n + 1, label, "lab", Pose(n % 300, n // 300), attributes=likes, seen_s=float(n))


def recall_s(count: int, *, alike: bool = False) -> float:
    """The median CPU time of one wish of four words, of which one may name something, after the index was filled."""
    recall = Recall(_units(count, alike), embed=_Random())
    recall.ask("warm up")
    numbers = itertools.count()

    def once() -> None:
        n = next(numbers)
        found = recall.ask(f"bring me thing{n}" if n % 2 else f"something for purpose {n}")
        assert len(found) == 10

    return median_s(once, WISHES)


def look_s() -> tuple[float, float]:
    """The median CPU time of learning from one look at twenty known things, kept on disk; and of a bare commit."""
    things = tuple(Thing(f"t{n}", f"thing{n}", None, 2.0, Pose(1 + n % 5, n // 5 - 2.0)) for n in range(20))
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.sqlite") as journal:
        memories, times = AgentMemory(journal, "lab"), itertools.count()

        def once() -> None:
            at_s = float(next(times))
            memories.see(Look(Scene(things, seen_s=at_s), at_s, "m"))

        with sqlite3.connect(Path(folder) / "bare.sqlite") as bare:
            bare.execute("PRAGMA journal_mode = WAL")
            bare.execute("CREATE TABLE kept (text)")

            def commit() -> None:
                bare.executemany("INSERT INTO kept VALUES (?)", [("x" * 200,)] * len(things))
                bare.commit()

            took = median_s(once, WISHES), median_s(commit, WISHES)
        bare.close()
    return took


def rows() -> Iterator[Row]:
    """Recall against reading all of its vectors once; a look against a commit of as many rows."""
    yield Row("recall_of_10^3", recall_s(1_000), f"1000 × {CALL}", 1000 * call_s(), 25)
    every = recall_s(100_000)
    yield Row("recall_of_10^5", every, PASS, pass_s(4 * DIMS * 100_000), 4)
    # fewer vectors than fit a cache: what is left is the ordering of some thousand units that share the best ones
    yield Row("recall_of_10^5_alike", recall_s(100_000, alike=True), "recall where none are alike", every, 0.7)
    look, commit = look_s()
    yield Row("remember_a_look", look, "a commit of 20 rows", commit, 6)
