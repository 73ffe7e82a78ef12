"""Write the data sheet of the lessons: `python training/datasheet.py [--n 20000] [--out training/DATASHEET.md]`.

Every number in it is counted here, from lessons made with seed 0 and from the data files.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from knowledge import items, qualities
from lessons import Lesson, lessons
from lessons.guard import DRONE, likeness
from lessons.phrasing import Frame, everything
from lessons.written import lines

HERE = Path(__file__).parent
SAMPLES = 40

HEAD = """\
# Data sheet: the lessons of pocket

Written by `python training/datasheet.py`; do not edit. What the lessons are and how they are split is told in
`lessons/__init__.py` and in the file of each robot there (`humanoid.py`, `home.py`, `errands.py`, `rescue.py`), the
rules of the right answers in `reading.py` and `humanoid_oracle.py`, the short forms in the package
(`robots/*/form.py`).

Everything is generated from data files of this folder, written for this project: no text was collected from people or
from the web. The knowledge table is common sense, in English, with a European household in mind.
"""

ROBOTS = {
    "drone": ("reading", "probe"),
    "humanoid": ("tasks",),
    "service robot": ("household",),
    "warehouse robot": ("errand",),
    "search aircraft": ("mission", "score"),
}
"""The kinds of lessons that each is taught by."""


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def every_frame() -> list[Frame]:
    """Those that are filled by an intent, and the sentences that were written whole."""
    return [*everything(), *(line.frame for held_out in (False, True) for line in lines(held_out))]


def sizes(some: Sequence[Lesson]) -> str:
    frames = every_frame()
    wordings = sum(len(frame.wordings()) for frame in frames)
    held_things = [item.label for item in items().values() if item.held_out]
    closest = max(likeness(lesson.sentence, own) for lesson in some[:3000] for own in DRONE.suite)
    rows = [
        ("things in the knowledge table", len(items())),
        ("of them never shown in training", f"{len(held_things)} ({', '.join(held_things)})"),
        ("qualities that wishes can name", len(qualities())),
        ("frames (lines)", len(frames)),
        ("wordings of these frames, before anything is put in", wordings),
        (
            "frames never shown in training",
            f"{sum(f.held_out for f in frames)} ({sum(f.held_out for f in frames) / len(frames):.1%})",
        ),
        *(_by_robot(robot, [x for x in some if x.kind in kinds], len(some)) for robot, kinds in ROBOTS.items()),
        ("different sentences among these lessons", f"{len({lesson.sentence for lesson in some})} of {len(some)}"),
        (
            "likeness of any of 3000 lessons to a sentence of the drone's benchmark, at most",
            f"{closest:.2f} (refused above {DRONE.close})",
        ),
        ("sentences written by hand for the evaluation", ", ".join(_written())),
    ]
    return table(("what", "how many"), rows)


def _by_robot(robot: str, own: Sequence[Lesson], of: int) -> tuple[str, str]:
    answers = len({lesson.target for lesson in own})
    return f"lessons for the {robot}", f"{len(own)} of {of}, with {answers} different answers"


def _written() -> Iterator[str]:
    for file in sorted((HERE / "sentences").glob("*.jsonl")):
        yield f"{file.stem} {sum(1 for line in file.read_text('utf-8').splitlines() if line.strip())}"


def intents(some: Sequence[Lesson]) -> str:
    sides = Counter((lesson.intent, lesson.held) for lesson in some)
    kinds = {lesson.intent: lesson.kind for lesson in some}
    frames = Counter(frame.id.partition("/")[0] for frame in every_frame())
    held = Counter(frame.id.partition("/")[0] for frame in every_frame() if frame.held_out)
    rows = [
        (
            intent,
            kinds[intent],
            frames[intent] or "",
            held[intent] or "",
            *(sides[intent, side] or "" for side in ("", "frame", "object", "combo")),
        )
        for intent in sorted(kinds, key=lambda i: (kinds[i], i))
    ]
    return table(("intent", "kind", "frames", "held out", "training", "frame", "object", "combo"), rows)


def samples(some: Sequence[Lesson]) -> str:
    step = len(some) // SAMPLES
    shown = some[::step][:SAMPLES]
    return "\n".join(
        f"{lesson.intent}{f' ({lesson.held})' if lesson.held else ''}\n    {lesson.prompt}\n    {lesson.target}\n"
        for lesson in shown
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--n", type=int, default=20_000)
    options.add_argument("--out", type=Path, default=HERE / "DATASHEET.md")
    chosen = options.parse_args()
    some = list(lessons(chosen.n, seed=0))
    shares = Counter(lesson.held or "training" for lesson in some)
    counted = ", ".join(f"{side} {n} ({n / len(some):.1%})" for side, n in shares.most_common())
    parts = [
        HEAD,
        "## Sizes\n",
        sizes(some),
        f"\n## Lessons by intent\n\nOf {len(some)} lessons with seed 0: {counted}.\n"
        "Frames that several intents share, such as\n"
        "ways to be polite or to join two orders, are counted above but not below.\n",
        intents(some),
        f"\n## {SAMPLES} samples\n\nIntent, what the model reads, what it should write.\n\n```\n{samples(some)}```\n",
    ]
    chosen.out.write_text("\n".join(parts), "utf-8")


if __name__ == "__main__":
    main()
