"""Sentences that people said to a service robot: `sentences/home.jsonl`, judged as the suite's commands are.

Each comes with its world and its goals. Two figures, as in the suite: whether the first plan was right, as such, and
whether the mission did what was said. Those with `expect` "refuse" ask for what cannot be done, or for nothing that
makes sense: right is that the robot says something, moves nothing, and does not say that it has done it.

    python training/judged_home.py --model pocket --ids even --failures 5
    python training/judged_home.py --model reference --category guide --json rows.jsonl

The same runs under `training/evaluate.py --robot home`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sayso.bench.episode import Outcome
from sayso.bench.suite import wilson
from sayso.events import TaskStarted
from sayso.models import make as make_model
from sayso.planners.sequence import Sequence as SequencePlanner
from sayso.robots.service.admit import admit
from sayso.robots.service.prompt import sequence_prompt
from sayso.robots.service.suite.commands import Command
from sayso.robots.service.suite.episode import admissible, carry_out, double, first_plan, plan_right
from sayso.roles import Model

FILE = Path(__file__).parent / "sentences" / "home.jsonl"
SPOKEN = ("speak", "answer", "ask")
"""What may be done about a sentence that nothing can be done about: words."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """What somebody said, and its goals in its world. `by` is the kind of person."""

    id: str
    category: str
    by: str
    say: str
    command: Command
    expect: str = ""

    @property
    def group(self) -> str:
        return self.category


@dataclass(frozen=True, slots=True)
class Done:
    """What came of one: the first plan, whether it was admissible and right, and whether the mission did it."""

    id: str
    group: str
    say: str
    plan: str
    admissible: bool
    plan_right: bool
    right: bool
    outcome: str
    reason: str
    missed: tuple[str, ...]
    r_time_s: float | None
    simulated_s: float


def sentences(file: Path = FILE) -> Iterator[Sentence]:
    for line in file.read_text("utf-8").splitlines():
        if line.strip():
            yield _sentence(json.loads(line))


def _sentence(row: dict[str, Any]) -> Sentence:
    goal = {"after_s": 0.0, **row["goal"]}
    goals = tuple(goal.pop("goals", ()))
    command = Command(id=row["id"], category=row["category"], text=row["say"], goals=goals, **goal)
    return Sentence(row["id"], row["category"], row["by"], row["say"], command, row.get("expect", ""))


def even(id_: str) -> bool:
    """Half of the sentences can be looked at while something is made better; the other half stays unseen."""
    return int(id_.rpartition("-")[2]) % 2 == 0


def carried_out(sentence: Sentence, model: str, seed: int = 0) -> Done:
    """One sentence in virtual time, in its own world."""
    brain = double(sentence.command) if model == "reference" else make_model(model)
    outcome = carry_out(sentence.command, brain, _planner, seed)
    done = outcome.ended.outcome == "achieved" and not outcome.missed
    right = _refused(outcome) if sentence.expect else done
    planned = right if sentence.expect else (done and not outcome.ended.replans)
    planned = planned or (not sentence.expect and plan_right(sentence.command, outcome, seed))
    return Done(
        sentence.id, sentence.group, sentence.say, first_plan(outcome.events), admissible(outcome.events)[1], planned,
        right, outcome.ended.outcome, outcome.ended.reason, outcome.missed, outcome.ended.r_time_s, outcome.ended.at_s,
    )  # fmt: skip


def _planner(model: Model) -> SequencePlanner:
    return SequencePlanner(model, sequence_prompt, admit)


def _refused(outcome: Outcome) -> bool:
    """Nothing but words: a refusal, a question back, or an answer."""
    did = [e.skill for e in outcome.events if isinstance(e, TaskStarted)]
    return bool(did) and all(skill in SPOKEN for skill in did)


def run(some: Sequence[Sentence], model: str, seed: int = 0, file: Path | None = None) -> Iterator[Done]:
    """One after the other; what `file` holds already is not done again."""
    known = {}
    if file and file.exists():
        known = {row["id"]: row for row in map(json.loads, file.read_text("utf-8").splitlines())}
    for sentence in some:
        if sentence.id in known:
            row = known[sentence.id]
            yield Done(**{**row, "missed": tuple(row["missed"])})
            continue
        done = carried_out(sentence, model, seed)
        if file:
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(asdict(done), ensure_ascii=False) + "\n")
        yield done


def table(rows: Sequence[Done]) -> str:
    """Plan right and carried out, by category, with 95 % intervals."""
    lines = [f"{'category':<14}{'n':>4}{'plan right':>20}{'carried out':>20}"]
    groups = {r.group: [o for o in rows if o.group == r.group] for r in rows}
    commands = [r for r in rows if r.group != "refuse"]
    for name, some in [*groups.items(), ("commands", commands), ("all", list(rows))]:
        if some:
            shares = "".join(f"{_share([getattr(r, key) for r in some]):>20}" for key in ("plan_right", "right"))
            lines.append(f"{name:<14}{len(some):>4}{shares}")
    return "\n".join(lines)


def _share(right: Sequence[bool]) -> str:
    low, high = wilson(sum(right), len(right))
    return f"{sum(right) / len(right):.1%} {low:.0%}-{high:.0%}"


def add_options(options: argparse.ArgumentParser) -> None:
    options.add_argument("--model", default="pocket", help="as after sayso run --model; `reference` is a double")
    options.add_argument("--category", action="append", default=[], help="only this one; may be given again")
    options.add_argument("--ids", choices=("all", "even", "odd"), default="all")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--failures", type=int, default=0, help="show so many of what went wrong, even ids only")
    options.add_argument("--json", type=Path, help="a line for each, added as they end; what is there is not run again")


def report(chosen: argparse.Namespace) -> None:
    some = [s for s in sentences() if not chosen.category or s.category in chosen.category]
    some = [s for s in some if chosen.ids == "all" or even(s.id) == (chosen.ids == "even")]
    rows = list(run(some, chosen.model, chosen.seed, chosen.json))
    print(table(rows))
    wrong = [r for r in rows if even(r.id) and not (r.plan_right and r.right)]
    for row in wrong[: chosen.failures]:
        print(
            f"\n{row.id}: {row.say}\n  {row.plan}\n  {row.outcome}: {row.reason[:120]}; missed {', '.join(row.missed)}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    report(parser.parse_args())
