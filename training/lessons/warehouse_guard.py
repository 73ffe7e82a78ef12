"""What no warehouse lesson may say: the suite's instructions and their like, nor what people wrote for evaluation."""

from __future__ import annotations

import functools
import re
import tomllib
from pathlib import Path

import sayso
from lessons.guard import normal, trigrams

CLOSE = 0.85
TASKS = Path(sayso.__file__).parent / "bench" / "warehouse_tasks.toml"
_SAID = re.compile(r'"(?:say|then)": *"((?:[^"\\]|\\.)*)"')
SENTENCES = Path(__file__).parent.parent / "sentences" / "warehouse.jsonl"


@functools.cache
def suite() -> tuple[str, ...]:
    """The suite's instructions."""
    return tuple(t["instruction"] for t in tomllib.loads(TASKS.read_text("utf-8"))["task"])


@functools.cache
def written() -> frozenset[str]:
    """What people wrote, in normal form; one or two words belong to everybody."""
    if not SENTENCES.exists():
        return frozenset()
    return frozenset(text for text in map(normal, _SAID.findall(SENTENCES.read_text("utf-8"))) if len(text.split()) > 2)


def forbidden(sentence: str) -> bool:
    """Whether a lesson may not say this."""
    said = normal(sentence)
    if said in written() or any(f" {own} " in f" {said} " for own in _normal_suite()):
        return True
    mine = trigrams.__wrapped__(sentence)
    return any(2 * len(mine & trigrams(s)) > CLOSE * (len(mine) + len(trigrams(s))) for s in suite())


@functools.cache
def _normal_suite() -> tuple[str, ...]:
    return tuple(normal(s) for s in suite())
