"""Ask the shipped model lessons that training held out, and count what it writes exactly as the lesson has it.

    python training/recite.py --lessons 300
    python training/recite.py --model /tmp/weights --side object --show 10

Exactly: what means the same in other words counts as wrong here, so flown success is higher; `evaluate.py` flies.
The column `deeds` takes every answer that only says why nothing is done for the same.
`recall` are lessons in training's own frames with other dice, `typos` the same with slips of the finger put in.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from random import Random

from lessons import SIDES, Lesson, lesson
from lessons.voice import typed
from sayso.bench.suite import wilson
from sayso.models.pocket import net as nets
from sayso.models.pocket import words
from sayso.models.pocket.net import Net

SEED = 1  # training has 0
KINDS = {
    "drone": ("reading", "probe"),
    "humanoid": ("tasks",),
    "home": ("household",),
    "errand": ("errand",),
    "rescue": ("mission",),
}


WRITTEN = "written"
"""Whole sentences that somebody wrote, instead of a frame that a thing or a number is put into: a row of their own."""

DRAWN = "score"
"""Where several letters are right, and one is drawn: exactness says nothing."""


def asked(side: str) -> Iterator[Lesson]:
    """Lessons of one side, without end."""
    if side in SIDES:
        every = (lesson(SEED, n, held_out=1.0) for n in count(1_000_000))
        return (one for one in every if one.held == side)
    plain = (lesson(SEED, n, held_out=0.0) for n in count())
    return map(_mistyped, plain) if side == "typos" else plain


def _mistyped(one: Lesson) -> Lesson:
    """The same with the wish written in a hurry."""
    said = form_of(one)
    return replace(one, prompt=one.prompt.replace(said, typed(Random(one.id), said, 1).lower(), 1))


def form_of(one: Lesson) -> str:
    """The wish as the model reads it: what stands behind the first mark."""
    return one.prompt.partition(">")[2].partition("<")[0]


def written(net: Net, one: Lesson) -> str:
    """What the model writes for a lesson, its best token each time, without a guide."""
    text = words.mended(one.prompt, net.tokenizer.ids)
    known = net.read(tuple(net.tokenizer.read(text)[: net.read_max]))
    tokens, kept, last = [], net.empty_cache(1), net.tokenizer.ids[one.prompt[one.prompt.rindex("<") :]]
    while len(tokens) < net.write_max:
        scores, kept = net.write(known, [[last]], kept)
        last = int(scores[0, -1].argmax())
        if last == net.tokenizer.end:
            break
        tokens.append(last)
    return f"{net.tokenizer.text(tokens)}<end>"


_STAYS = re.compile(r"(?:refuse|ask) \w+<end>")


def same(text: str, target: str) -> bool:
    """Whether both do the same; the reason of a refusal or of a question back is no deed."""
    return text == target or bool(_STAYS.fullmatch(text) and _STAYS.fullmatch(target))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--model", type=Path, help="a folder of weights; the package's where left out")
    options.add_argument("--lessons", type=int, default=200, help="of each side")
    options.add_argument("--side", action="append", choices=(*SIDES, "recall", "typos"), default=[])
    options.add_argument("--show", type=int, default=0, help="so many of what was wrong, of each side")
    chosen = options.parse_args()
    net = nets.load(chosen.model) if chosen.model else nets.load()
    print(f"{'side':<10}{'robot':<16}{'n':>5}{'exact':>8}{'95 %':>12}{'deeds':>8}")
    for side in chosen.side or ("recall", *SIDES, "typos"):
        right, alike, asked_of = Counter[str](), Counter[str](), Counter[str]()
        wrong = defaultdict[str, list[str]](list)
        told = (one for one in asked(side) if one.kind != DRAWN)
        for one in islice(told, chosen.lessons):
            robot = next(name for name, kinds in KINDS.items() if one.kind in kinds)
            robot += ", by hand" * (one.intent == WRITTEN)
            text = written(net, one)
            asked_of[robot] += 1
            right[robot] += text == one.target
            alike[robot] += same(text, one.target)
            if text != one.target:
                wrong[robot].append(f"{one.prompt}\n   wanted {one.target}\n   wrote  {text}")
        for robot, n in asked_of.items():
            low, high = wilson(right[robot], n)
            shares = f"{right[robot] / n:>8.1%}{low:>7.0%}-{high:<5.0%}{alike[robot] / n:>7.1%}"
            print(f"{side:<10}{robot:<16}{n:>5}{shares}", flush=True)
        for text in [t for some in wrong.values() for t in some][: chosen.show]:
            print(text)


if __name__ == "__main__":
    main()
