"""What no lesson may say: the benchmark's own sentences, those that people wrote for the evaluation, and their like.

`likeness` compares two sentences by their letters, 0 to 1. A lesson that comes closer to a benchmark
sentence than `CLOSE`, or that says word for word what a person wrote for the evaluation, is thrown away.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path

from sayso.bench.drone import TASKS

CLOSE = 0.72
SENTENCES = Path(__file__).parent.parent / "sentences" / "drone.jsonl"

_OTHER = re.compile(r"[^\w ]+")


def normal(sentence: str) -> str:
    """Letters and digits only, of any script, in lower case."""
    return " ".join(_OTHER.sub(" ", sentence.lower().replace("'", "")).split())


@functools.lru_cache(maxsize=4096)
def trigrams(sentence: str) -> frozenset[str]:
    """All groups of three letters of the normal form."""
    text = f"  {normal(sentence)} "
    return frozenset(text[i : i + 3] for i in range(len(text) - 2))


def likeness(one: str, other: str) -> float:
    """Dice's coefficient of the letter trigrams: 1 for the same words in the same order, near 0 for strangers."""
    a, b = trigrams(one), trigrams(other)
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 1.0


@functools.cache
def suite() -> tuple[str, ...]:
    """The benchmark's sentences."""
    return tuple(task.sentence for task in TASKS)


@functools.cache
def written() -> frozenset[str]:
    """What people wrote for the evaluation, in normal form; sentences of one or two words belong to everybody."""
    if not SENTENCES.exists():
        return frozenset()
    rows = (json.loads(line) for line in SENTENCES.read_text("utf-8").splitlines() if line.strip())
    return frozenset(text for row in rows if len((text := normal(row["say"])).split()) > 2)


def too_close(sentence: str) -> bool:
    """Whether a lesson may not say this."""
    if normal(sentence) in written():
        return True
    mine = trigrams.__wrapped__(sentence)
    return any(2 * len(mine & trigrams(s)) > CLOSE * (len(mine) + len(trigrams(s))) for s in suite())
