"""Write the list of words that the lessons have: what the embedded model can know. `words.py` reads it.

    python training/learned.py                      (to src/sayso/models/pocket/weights/learned.txt)

A word counts that stands in the prompt of a lesson of those that are drawn, none of them held out. So that a slip of
the finger does not become a word, one that neither the model's tokens nor the dictionary have ("thats", "pls") has to
stand in `LEAST` of the sentences that lessons are made from.
"""

from __future__ import annotations

import argparse
import concurrent.futures as cf
import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from lessons import lessons
from sayso.models.pocket import words
from sayso.models.pocket.net import FOLDER
from sayso.models.pocket.tokenizer import Tokenizer

LEAST = 3
SEED = 0
LESSONS = Path(__file__).parent / "lessons"
_NO_WORD = re.compile(r"\{[^}]*\}|\[[^\]]*\]|^\w+ = |^#.*", re.MULTILINE)
"""Slots, references, names of lists, comments."""


def written() -> Iterator[str]:
    """The sentences that lessons are made from."""
    for file in sorted([*LESSONS.glob("written/*.txt"), *LESSONS.glob("frames/*.toml")]):
        for line in _NO_WORD.sub(" ", file.read_text("utf-8")).splitlines():
            yield line.rpartition(" :: ")[2].lower()


def drawn(numbers: range) -> set[str]:
    """The words of these lessons."""
    some = lessons(len(numbers), SEED, 0.1, numbers.start)
    return {word for one in some if not one.held for word in words.WORD.findall(one.prompt.lower())}


def learned(count: int, workers: int) -> list[str]:
    tokens, spelled = Tokenizer.load(FOLDER / "vocab.txt").ids, words.dictionary()
    used = Counter(word for sentence in written() for word in words.WORD.findall(sentence))
    with cf.ProcessPoolExecutor(workers) as pool:
        shares = pool.map(drawn, [range(n, min(n + 2000, count)) for n in range(0, count, 2000)])
        seen = set[str]().union(*shares)
    real = {word for word in seen if word in tokens or word in spelled}
    return sorted(real | {w for w, n in used.items() if n >= LEAST and w not in tokens and w not in spelled})


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lessons", type=int, default=100_000)
    options.add_argument("--workers", type=int, default=2)
    chosen = options.parse_args()
    found = learned(chosen.lessons, chosen.workers)
    words.LEARNED.write_text(textwrap.fill(" ".join(found), 118) + "\n", "utf-8")
    print(f"{len(found)} words")


if __name__ == "__main__":
    main()
