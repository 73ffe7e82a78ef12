"""Write the lexicon of the package: the nouns of WordNet for what a robot may be asked about.

    python training/lexicon.py /usr/share/wordnet      (Debian: apt install wordnet-base)

What is kept: animals, plants, food, substances, things of nature and what people make, by their usual names (no proper
names), a word's first few meanings. What `sayso.grounding.lexicon` says about the file holds.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

from sayso.grounding.lexicon import FILE, SENSES, joined

KEPT = frozenset((3, 5, 6, 13, 17, 20, 27))
"""Lexicographer files of WordNet: noun.Tops, animal, artifact, food, object, plant, substance."""
WORDS_MAX = 3


def main(folder: Path) -> None:
    meanings: dict[str, tuple[list[str], list[str]]] = {}
    for fields in _rows(folder / "data.noun"):
        if int(fields[1]) not in KEPT:
            continue
        names = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
        rest = fields[5 + 2 * len(names) :]
        pointers = zip(rest[0::4], rest[1::4], strict=False)
        meanings[fields[0]] = names, [to for sign, to in pointers if sign == "@"]
    rank = {}
    for fields in _rows(folder / "index.noun"):
        kept = [at for at in fields[-int(fields[2]) :] if at in meanings]
        rank.update({(fields[0], at): n for n, at in enumerate(kept)})
    known = {name for name, _ in rank}  # "trumpets" are a plant: no meaning of "trumpet"
    number = {at: n for n, at in enumerate(sorted(meanings))}
    lines = []
    for at in sorted(meanings):
        names, above = meanings[at]
        told = {joined(n): rank[n, at] for n in names if n.islower() and n.count("_") < WORDS_MAX}
        told = {name: n for name, n in told.items() if name in names or name not in known}
        usual = [f"{name}{n or ''}" for name, n in told.items() if n < SENSES and name.isalpha()]
        lines.append(f"{';'.join(usual)}>{','.join(str(number[a]) for a in above if a in number)}")
    text = "\n".join(lines)
    FILE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{len(lines)} meanings, {FILE.stat().st_size} bytes, {FILE}")


def _rows(file: Path) -> list[list[str]]:
    lines = file.read_text("latin1").splitlines()
    return [line.partition(" | ")[0].split() for line in lines if not line.startswith(" ")]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
