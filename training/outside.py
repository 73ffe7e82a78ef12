"""How far outside its language a prompt is: a line between lessons that ask for something and lessons that are refused.

    python training/outside.py                            (into the card of the shipped weights)
    python training/outside.py runs/pocket/weights --lessons 2000

The model writes only what could be meant, and of what it was never told it makes the nearest goal, often without doubt.
What its encoder makes of a prompt tells more: through the meanings (384 numbers of length 1) of some thousand lessons
runs a line, by logistic regression, that has refusals and questions back on one side; one for each kind of robot in
whose lessons there are such. Lessons alone decide where; the sentences by hand only tell, in `doubt.py`, how much it
should count.
"""

from __future__ import annotations

import argparse
import concurrent.futures as cf
import functools
import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lessons import FAMILIES, reading_lesson
from lessons.errands import errand_lesson
from lessons.home import home_lesson
from lessons.record import Lesson
from sayso.models.pocket import net, words

Array = NDArray[np.float64]

DRAWN = {**FAMILIES, "refuse": 200, "ask": 25}
WISHES: Mapping[str, Callable[[int, int, float], Lesson]] = {
    "plan": functools.partial(reading_lesson, families=DRAWN), "next": errand_lesson, "command": home_lesson
}  # fmt: skip
"""Who makes wishes that begin with which mark."""
SEED = 11
WEIGHT = 0.3
"""What a nat of being outside adds to the certainty that each token needs, in nats; chosen by the even sentences."""
STIFF = 0.3
"""How much the line is held back from following single lessons."""
STEPS = 12


def meanings(folder: Path, mark: str, numbers: Iterable[int]) -> tuple[Array, Array]:
    """(lessons, 384) of what is read, and whether each is to be refused or asked back."""
    model, found, refused = net.load(folder), [], []
    for number in numbers:
        one = WISHES[mark](SEED, number, 0.0)
        ids = model.tokenizer.read(words.mended(one.prompt, model.tokenizer.ids))
        if len(ids) <= model.read_max:
            found.append(model.read(tuple(ids)).meaning)
            refused.append(one.target.startswith(("refuse ", "ask ")))
    return np.array(found, float), np.array(refused, float)


def line(x: Array, refused: Array) -> Array:
    """(385,): factors of a meaning and a constant; their sum is the logarithm of the odds that it is to be refused."""
    x = np.c_[x, np.ones(len(x))]
    factors = np.zeros(x.shape[1])
    for _ in range(STEPS):  # Newton's
        chance = 1 / (1 + np.exp(-x @ factors))
        bent = (x * (chance * (1 - chance))[:, None]).T @ x + STIFF * np.eye(len(factors))
        factors += np.linalg.solve(bent, x.T @ (refused - chance) - STIFF * factors)
    return factors


def write_card(card: Mapping[str, Any], folder: Path) -> None:
    """Rows of numbers each in one line."""
    text = json.dumps(card, indent=1)
    rows = re.sub(r"\[[-\d.e,\s]+\]", lambda row: f"[{' '.join(row[0][1:-1].split())}]", text)
    (folder / "card.json").write_text(rows + "\n", "utf-8")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("weights", type=Path, nargs="?", default=net.FOLDER)
    options.add_argument("--lessons", type=int, default=8000)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--weight", type=float, default=WEIGHT)
    chosen = options.parse_args()
    shares = [range(n, chosen.lessons, 8 * chosen.workers) for n in range(8 * chosen.workers)]
    lines = {}
    with cf.ProcessPoolExecutor(chosen.workers) as pool:
        for mark in WISHES:
            parts = list(pool.map(functools.partial(meanings, chosen.weights, mark), shares))
            x, refused = np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
            factors = line(x[::2], refused[::2])
            right = ((np.c_[x, np.ones(len(x))] @ factors > 0) == refused)[1::2].mean()
            print(f"{mark}: of one half of {len(x)} lessons, the line of the other half tells {right:.1%} right")
            lines[mark] = [round(f, 3) for f in chosen.weight * line(x, refused)]
    write_card({**net.read_card(chosen.weights), "outside": lines}, chosen.weights)


if __name__ == "__main__":
    main()
