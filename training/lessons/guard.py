"""What no lesson may say: the benchmarks' own sentences, those written for the evaluation, and their like.

There is a guard for each robot, since its benchmark is its own. `likeness` compares two sentences by their letters,
0 to 1: a lesson that comes closer to a benchmark's sentence than the guard's `close`, or says word for word what a
person wrote, is thrown away.
"""

from __future__ import annotations

import functools
import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import sayso
from sayso.robots.aircraft.suite.episode import missions
from sayso.robots.drone.suite.episode import SUITE
from sayso.robots.humanoid.suite.goals import GOALS

CLOSE = 0.72
SENTENCES = Path(__file__).parent.parent / "sentences"
SAID = ("say", "then")
"""Under which names a sentence stands in those files."""

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


@dataclass(frozen=True)
class Guard:
    """What the lessons of one robot may not say.

    `files` have what was written, `own` gives the benchmark's sentences. `within`: none of these of several words may
    stand within a longer sentence either. `alike`: what was written in more than four words is not to be mimicked.
    """

    files: tuple[str, ...]
    own: Callable[[], tuple[str, ...]] = tuple
    close: float = 1.0
    within: bool = False
    alike: bool = False

    @functools.cached_property
    def suite(self) -> tuple[str, ...]:
        """The benchmark's sentences."""
        return self.own()

    @functools.cached_property
    def written(self) -> frozenset[str]:
        """What was written, in normal form; sentences of one or two words belong to everybody."""
        there = (SENTENCES / name for name in self.files)
        lines = (line for file in there if file.exists() for line in file.read_text("utf-8").splitlines())
        rows = [json.loads(line) for line in lines if line.strip()]
        said = (normal(row[name]) for row in rows for name in SAID if name in row)
        return frozenset(text for text in said if len(text.split()) > 2)

    def forbids(self, sentence: str) -> bool:
        """Whether a lesson may not say this."""
        said = normal(sentence)
        if said in self.written or (self.within and self._quotes(said)):
            return True
        if self.close >= 1:
            return False
        mine = trigrams.__wrapped__(sentence)
        return any(2 * len(mine & theirs) > self.close * (len(mine) + len(theirs)) for theirs in self._theirs)

    def _quotes(self, said: str) -> bool:
        return any(own == said or (" " in own and f" {own} " in f" {said} ") for own in self._normal)

    @functools.cached_property
    def _normal(self) -> frozenset[str]:
        return frozenset(map(normal, self.suite))

    @functools.cached_property
    def _theirs(self) -> tuple[frozenset[str], ...]:
        """The letters of all that a lesson may not come close to; of short sentences too much is alike."""
        long = (text for text in self.written if len(text.split()) > 4)
        return tuple(map(trigrams, (*self.suite, *(long if self.alike else ()))))


def _warehouse() -> tuple[str, ...]:
    file = Path(sayso.__file__).parent / "robots" / "warehouse" / "suite" / "tasks.toml"
    return tuple(task["instruction"] for task in tomllib.loads(file.read_text("utf-8"))["task"])


DRONE = Guard(("drone.jsonl", "nonsense.jsonl"), lambda: tuple(t.sentence for t in SUITE.tasks), CLOSE, alike=True)
HUMANOID = Guard(
    ("humanoid.jsonl",), lambda: tuple(said for goal in GOALS for said in (goal.sentence, goal.then) if said),
    within=True,
)  # fmt: skip
HOME = Guard(("home.jsonl",))
RESCUE = Guard(("rescue.jsonl",), lambda: tuple(mission.says for mission in missions()), CLOSE, alike=True)
WAREHOUSE = Guard(("warehouse.jsonl",), _warehouse, 0.85, within=True)
