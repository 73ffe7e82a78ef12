"""Sentences written by hand for a warehouse robot, `sentences/warehouse.jsonl`, played and judged as the suite's tasks.

Each says in other words what one instruction of the suite says, and is judged by that task's goal in that task's world;
those with `expect` "give_up" ask for what cannot be done, and are right where nothing was moved and the robot gives up.

    python training/judged_warehouse.py --model pocket --ids even --failures 5
    python training/judged_warehouse.py --model rules --level 1 --json result.json

The same runs under `training/evaluate.py --robot warehouse`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sayso.bench.suite import Score, Trial
from sayso.robots.warehouse.suite.episode import run_episode, told
from sayso.robots.warehouse.suite.goal import task

FILE = Path(__file__).parent / "sentences" / "warehouse.jsonl"


@dataclass(frozen=True, slots=True)
class Sentence:
    """What somebody said, and the instruction that it says in other words. `by` is the kind of person."""

    id: str
    level: int
    task: str
    by: str
    say: str
    expect: str = ""
    world: str = ""

    @property
    def group(self) -> str:
        return f"level {self.level}" if self.level else "refuse"


def sentences(file: Path = FILE) -> Iterator[Sentence]:
    for line in file.read_text("utf-8").splitlines():
        if line.strip():
            yield Sentence(**json.loads(line))


def even(sentence: Sentence) -> bool:
    """Half of the sentences can be looked at while something is made better; the other half stays unseen."""
    return int(sentence.id.rpartition("-")[2]) % 2 == 0


@dataclass(frozen=True, slots=True)
class Played:
    """What came of one: how the suite scores it, whether it was right, and what it did."""

    score: Score
    right: bool
    did: tuple[str, ...] = ()


def play(sentence: Sentence, model: str, ablation: str = "", seed: int = 0) -> Played:
    """One sentence in virtual time, in the world of its task."""
    wanted = sentence.task if not sentence.expect else REFUSAL_TASK.get(sentence.world, "L1-01")
    trial = Trial("warehouse", wanted, 0, seed, "stepwise", model, ablation)
    score = run_episode(trial, say=_heard(sentence))
    moved = score.figures["moved"]
    right = score.success
    if sentence.expect:
        right = not moved and score.reason.split(": ")[1] != "achieved"
    return Played(score, right, (f"moved {moved:g} things",) if moved else ())


def _heard(sentence: Sentence) -> str:
    """Who speaks of a list and does not read it out hands it over, as in the suite."""
    wanted = task(sentence.task) if sentence.task else None
    if wanted is None or "task list" not in wanted.instruction.lower() or "apple" in sentence.say.lower():
        return sentence.say
    return f"{sentence.say}{told(wanted).removeprefix(wanted.instruction)}"


REFUSAL_TASK = {"store": "L1-01", "inbound": "L2-06", "inbound_full": "L4-05", "real": "R-01"}
"""A task of each world: what cannot be done is said in that world."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--model", default="pocket")
    options.add_argument("--level", type=int, action="append", default=[], help="only this level; 0 is what to refuse")
    options.add_argument("--ids", choices=("all", "even", "odd"), default="all")
    options.add_argument("--ablation", default="")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--failures", type=int, default=0, help="show so many of what went wrong, even ids only")
    options.add_argument("--json", type=Path, help="a line for each, added as they end; what is there is not run again")
    chosen = options.parse_args()
    some = [s for s in sentences() if not chosen.level or s.level in chosen.level]
    some = [s for s in some if chosen.ids == "all" or even(s) == (chosen.ids == "even")]
    rows = list(_run(some, chosen))
    for group in dict.fromkeys(r["group"] for r in rows):
        mine = [r for r in rows if r["group"] == group]
        print(f"{group:<10}{sum(r['right'] for r in mine):>4} of {len(mine):<4}{_share(mine):>7.1%}")
    print(f"{'all':<10}{sum(r['right'] for r in rows):>4} of {len(rows):<4}{_share(rows):>7.1%}")
    for row in [r for r in rows if not r["right"] and int(r["id"].rpartition("-")[2]) % 2 == 0][: chosen.failures]:
        print(f"\n{row['id']} ({row['task']}): {row['say']}\n  {row['reason'][:120]}\n  {'; '.join(row['did'])}")


def _run(some: Sequence[Sentence], chosen: argparse.Namespace) -> Iterator[dict[str, object]]:
    known = {}
    if chosen.json and chosen.json.exists():
        known = {r["id"]: r for r in map(json.loads, chosen.json.read_text("utf-8").splitlines())}
    for sentence in some:
        if sentence.id in known:
            yield known[sentence.id]
            continue
        played = play(sentence, chosen.model, chosen.ablation, chosen.seed)
        row = {"id": sentence.id, "group": sentence.group, "task": sentence.task, "say": sentence.say,
               "right": played.right, "reason": played.score.reason, "did": played.did}  # fmt: skip
        if chosen.json:
            with chosen.json.open("a", encoding="utf-8") as out:
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
        yield row


def _share(rows: Sequence[dict[str, object]]) -> float:
    return sum(bool(r["right"]) for r in rows) / max(1, len(rows))


if __name__ == "__main__":
    main()
