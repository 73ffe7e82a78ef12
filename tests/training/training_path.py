"""Training is flat and not part of the package: its folder is put on the path, as it is when its scripts run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TRAINING = ROOT / "training"

if str(TRAINING) not in sys.path:
    sys.path.insert(0, str(TRAINING))


class Once:
    """Lessons that are made when a test first asks for them: whoever only collects tests waits for none."""

    def __init__(self, make: Callable[[], Iterable[Any]]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> list[Any]:
        return list(self._make())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)

    def __getitem__(self, which: Any) -> Any:
        return self._made[which]
