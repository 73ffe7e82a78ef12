"""How sure the model must be before a robot moves: what each threshold costs and saves on the hand-written sentences.

    python training/evaluate.py --model pocket --json /tmp/flown.json
    python training/doubt.py /tmp/flown.json

Asks the shipped weights for a plan of each sentence in its scene and notes the least chance of a token. Below a
threshold the robot asks back instead of flying, which is right for what it should refuse and wrong for the rest. The
threshold is to be chosen by the sentences with even numbers; those with odd ones then tell what it is worth.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import json
from dataclasses import dataclass
from pathlib import Path

from judged import Sentence, sentences
from lessons.skillset import drone_set
from sayso.models.pocket import Pocket
from sayso.parts import Brief
from sayso.prompts import plan_prompt
from sayso.scene import Scene
from sayso.worlds import make as make_world

THRESHOLDS = (0.0, 0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7)
OUTSIDE = ("refuse", "back")


@dataclass(frozen=True, slots=True)
class Sure:
    """One sentence: whether what came of it was right, the least chance of a token, and whether its plan moves."""

    sentence: Sentence
    right: bool
    least: float
    moves: bool

    @property
    def even(self) -> bool:
        return int(self.sentence.id.rpartition("-")[2]) % 2 == 0

    def right_at(self, threshold: float) -> bool:
        asks_back = self.moves and self.least < threshold
        return self.sentence.group in OUTSIDE if asks_back else self.right


@functools.cache
def scene(name: str) -> Scene:
    return asyncio.run(make_world("office", scene=name, seed=0).perception.look())


async def planned(model: Pocket, sentence: Sentence, seen: Scene) -> tuple[str, float]:
    prompt = plan_prompt(Brief(sentence.say, drone_set(), seen))
    text = "".join([chunk.text async for chunk in model.stream(prompt)])
    assert model.sureness is not None
    return text, model.sureness.least


def measured(flown: dict[str, bool]) -> list[Sure]:
    model, found = Pocket(), list[Sure]()
    for sentence in sentences():
        text, least = asyncio.run(planned(model, sentence, scene(sentence.scene)))
        still = text.startswith("l(") and text.endswith("->False")
        found.append(Sure(sentence, flown[sentence.id], least, moves=not still))
    return found


def share(some: list[Sure], threshold: float) -> str:
    return f"{sum(s.right_at(threshold) for s in some) / max(1, len(some)):7.1%}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("flown", type=Path, help="what evaluate.py --json wrote, flown without a threshold")
    rows = json.loads(options.parse_args().flown.read_text("utf-8"))["sentences"]
    every = measured({row["id"]: row["came"] == "right" for row in rows})
    print(f"{'least':>6}  {'even: in the language, outside of it':<40}odd: the same")
    for threshold in THRESHOLDS:
        cells = [
            share([s for s in every if s.even == even and (s.sentence.group in OUTSIDE) == outside], threshold)
            for even in (True, False)
            for outside in (False, True)
        ]
        print(f"{threshold:6.2f}  {cells[0]} {cells[1]:<32}{cells[2]} {cells[3]}")


if __name__ == "__main__":
    main()
