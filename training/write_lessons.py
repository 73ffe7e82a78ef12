"""Write lessons as JSON lines: `python training/write_lessons.py --n 10000 --seed 0 --out lessons.jsonl`.

A line holds id, held ("" for training, else frame, object or combo), kind (reading, probe, tasks …), intent, sentence,
prompt, target and the ids of the frames. The same n and seed write the same bytes on every machine.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from lessons import lessons


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--n", type=int, default=10_000, help="how many lessons")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--start", type=int, default=0, help="number of the first one, to write in parts")
    options.add_argument("--held-out", type=float, default=0.1, help="share that is for measuring only")
    options.add_argument("--out", type=Path, required=True)
    chosen = options.parse_args()
    began_s, sides = time.perf_counter(), Counter[str]()
    with chosen.out.open("w", encoding="utf-8") as out:
        for lesson in lessons(chosen.n, chosen.seed, chosen.held_out, chosen.start):
            sides[lesson.held or "training"] += 1
            out.write(json.dumps(asdict(lesson), ensure_ascii=False) + "\n")
    took_s = time.perf_counter() - began_s
    shares = ", ".join(f"{side} {n}" for side, n in sides.most_common())
    print(f"{chosen.n} lessons in {took_s:.1f} s ({chosen.n / took_s:.0f} a second): {shares}", file=sys.stderr)


if __name__ == "__main__":
    main()
