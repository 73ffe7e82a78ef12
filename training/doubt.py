"""How sure the model must be before a robot moves: what each threshold costs and saves on the hand-written sentences.

    python training/doubt.py /tmp/bold                    (writes the shipped weights there, with no threshold)
    python training/evaluate.py --model pocket:/tmp/bold --json /tmp/flown.json
    python training/doubt.py /tmp/bold /tmp/flown.json

Asks these weights for a plan of each sentence in its scene, and of sentences that mean nothing. Below a threshold
the robot asks back instead of flying, which is right for what it should refuse and wrong for the rest. What counts is
the chance of what was read, all its writings together, held against a threshold that grows the further outside the
language a wish is: a table for each weight of that, as multiples of what is in the card (`outside.py`). Threshold and
weight are to be chosen by the sentences with even numbers; those with odd ones then tell what they are worth.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import json
import math
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from judged import FILE, Sentence, sentences
from lessons.skillset import drone_set
from outside import write_card
from sayso.models.pocket import net
from sayso.models.pocket.answer import Answering, Confidence
from sayso.prompts import plan_prompt
from sayso.roles import Brief, Observation
from sayso.scene import Scene
from sayso.worlds import make as make_world

THRESHOLDS = (0.0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)
WEIGHTS = (0.0, 0.5, 1.0, 2.0)
OUTSIDE = ("refuse", "back", "nonsense")
NONSENSE = FILE.with_name("nonsense.jsonl")


@dataclass(frozen=True, slots=True)
class Sure:
    """One sentence: whether what came of it was right, how sure the model was, and whether its plan moves."""

    sentence: Sentence
    right: bool
    confidence: Confidence
    moves: bool

    @property
    def even(self) -> bool:
        return int(self.sentence.id.rpartition("-")[2]) % 2 == 0

    @property
    def side(self) -> str:
        return self.sentence.group if self.sentence.group == "nonsense" else "outside" if self.outside else "wishes"

    @property
    def outside(self) -> bool:
        return self.sentence.group in OUTSIDE

    def flies_at(self, weight: float, threshold: float) -> bool:
        return self.moves and self.confidence.sure >= threshold * math.exp(max(0.0, weight * self.confidence.outside))

    def right_at(self, weight: float, threshold: float) -> bool:
        asks_back = self.moves and not self.flies_at(weight, threshold)
        return self.outside if asks_back else self.right


@functools.cache
def scene(name: str) -> Scene:
    return asyncio.run(make_world("office", scene=name, seed=0).perception.look())


def planned(weights: net.Net, sentence: Sentence, seen: Scene) -> tuple[str, Confidence]:
    answering = Answering(weights, plan_prompt(Brief(sentence.say, drone_set(), Observation(seen), kind="drone")))
    return answering.text(), replace(answering.confidence, sure=answering.meaning())


def measured(weights: net.Net, flown: dict[str, bool]) -> list[Sure]:
    found = list[Sure]()
    for sentence in (*sentences(), *sentences(NONSENSE)):
        text, confidence = planned(weights, sentence, scene(sentence.scene))
        still = text.startswith("l(") and text.endswith("->False")
        found.append(Sure(sentence, flown.get(sentence.id, still), confidence, moves=not still))
    return found


def cells(some: list[Sure], weight: float, threshold: float) -> str:
    """Of wishes, of what is outside the language, and of nonsense: the share that comes out right; wrong flights."""
    shares = []
    for side in ("wishes", "outside", "nonsense"):
        there = [s for s in some if s.side == side]
        shares.append(f"{sum(s.right_at(weight, threshold) for s in there) / max(1, len(there)):7.1%}")
    wrong = sum(s.flies_at(weight, threshold) and not s.right for s in some if s.side == "wishes")
    return f"{' '.join(shares)} {wrong:>6}"


def table(every: list[Sure], weight: float) -> str:
    head = f"x {weight:<7}  {'even: wishes, outside, nonsense, wrong flights':<50}odd: the same"
    even, odd = ([s for s in every if s.even == even] for even in (True, False))
    return "\n".join([head, *(f"{t:9.2f}  {cells(even, weight, t):<50}{cells(odd, weight, t)}" for t in THRESHOLDS)])


def embolden(folder: Path) -> None:
    """The shipped weights, with a card that knows no doubt."""
    shutil.copytree(net.FOLDER, folder, dirs_exist_ok=True)
    card = net.read_card(folder)
    write_card({**card, "doubt": {}, "unlearned": {}}, folder)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("weights", type=Path, help="a folder of weights without a threshold; made where it is missing")
    options.add_argument("flown", type=Path, nargs="?", help="what evaluate.py --json wrote, flown with these weights")
    chosen = options.parse_args()
    if not chosen.flown:
        return embolden(chosen.weights)
    rows = json.loads(chosen.flown.read_text("utf-8"))["sentences"]
    every = measured(net.load(chosen.weights), {row["id"]: row["came"] == "right" for row in rows})
    print(*(table(every, weight) for weight in WEIGHTS), sep="\n\n")
    return None


if __name__ == "__main__":
    main()
