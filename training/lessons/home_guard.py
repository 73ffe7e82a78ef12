"""What no household lesson may say: the sentences that people wrote for its evaluation, word for word."""

from __future__ import annotations

import functools
import json

from lessons.guard import SENTENCES, normal


@functools.cache
def written() -> frozenset[str]:
    """What people wrote, in normal form; sentences of one or two words belong to everybody."""
    file = SENTENCES.with_name("home.jsonl")
    if not file.exists():
        return frozenset()
    rows = (json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip())
    return frozenset(text for row in rows if len((text := normal(str(row.get("say", "")))).split()) > 2)
