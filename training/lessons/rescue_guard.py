"""What no lesson about a search may say: the rescue suite's own sentences, what people wrote, and their like."""

from __future__ import annotations

import functools
import json

from lessons.guard import CLOSE, SENTENCES, normal, trigrams
from sayso.bench.rescue import missions

WRITTEN = SENTENCES.parent / "rescue.jsonl"


@functools.cache
def suite() -> tuple[str, ...]:
    """The benchmark's sentences."""
    return tuple(mission.says for mission in missions())


@functools.cache
def written() -> frozenset[str]:
    """What people wrote for the evaluation, in normal form; one or two words belong to everybody."""
    if not WRITTEN.exists():
        return frozenset()
    rows = [json.loads(line) for line in WRITTEN.read_text("utf-8").splitlines() if line.strip()]
    return frozenset(said for row in rows if len((said := normal(row["say"])).split()) > 2)


def forbidden(sentence: str) -> bool:
    """Whether a lesson may not say this."""
    if normal(sentence) in written():
        return True
    mine = trigrams.__wrapped__(sentence)
    return any(2 * len(mine & trigrams(s)) > CLOSE * (len(mine) + len(trigrams(s))) for s in suite())
