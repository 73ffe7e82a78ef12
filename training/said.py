"""Write the list of what people say and no dictionary has: "thats", "foto", "pls". `slips.py` leaves such words alone.

    python training/said.py                      (to src/sayso/models/pocket/weights/said.txt)

They are counted in what lessons are made from: the sentences under `lessons/written` and the frames. A word counts
where neither the model's tokens nor the dictionary have it and it was used at least `LEAST` times, so that a slip which
an author made on purpose does not become a word.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sayso.models.pocket import slips
from sayso.models.pocket.net import FOLDER
from sayso.models.pocket.tokenizer import Tokenizer

LEAST = 3
LESSONS = Path(__file__).parent / "lessons"
_NO_WORD = re.compile(r"\{[^}]*\}|\[[^\]]*\]|^\w+ = |^#.*", re.MULTILINE)
"""Slots, references, names of lists, comments."""


def sentences() -> Iterator[str]:
    for file in sorted([*LESSONS.glob("written/*.txt"), *LESSONS.glob("frames/*.toml")]):
        for line in _NO_WORD.sub(" ", file.read_text("utf-8")).splitlines():
            yield line.rpartition(" :: ")[2].lower()


def said() -> list[str]:
    tokens, spelled = Tokenizer.load(FOLDER / "vocab.txt").ids, slips.dictionary()
    used = Counter(word for sentence in sentences() for word in slips.WORD.findall(sentence))
    return sorted(w for w, n in used.items() if n >= LEAST and w not in tokens and w not in spelled)


if __name__ == "__main__":
    slips.SAID.write_text(textwrap.fill(" ".join(said()), 118) + "\n", "utf-8")
