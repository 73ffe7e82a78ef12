"""Fly the sentences that people wrote, and count what the world says came of them.

    python training/evaluate.py --planner reflex
    python training/evaluate.py --planner double        (reads the judges: shows that scenes and judges are right)
    python training/evaluate.py --model scripted:plans.json --group go --json result.json

A sentence is flown once in its scene; its judge reads the world, never the plan. The table has one row a group. The
confusions say what happened instead: nothing (refused), given up, something else, or a touch.
"""

from __future__ import annotations

import argparse
import concurrent.futures as cf
import json
import multiprocessing
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from double import double
from judged import Sentence, refused, sentences
from sayso.agent import Agent
from sayso.bench.judge import Witness
from sayso.bench.suite import wilson
from sayso.clock import SimClock
from sayso.models import make as make_model
from sayso.planners.reflex import Reflex
from sayso.worlds import make as make_world

WAYS = ("right", "refused", "gave up", "did something else", "touched something", "broke")
"""What can come of a sentence. A refusal that was right counts as right."""


@dataclass(frozen=True, slots=True)
class Flown:
    """What came of one sentence."""

    id: str
    group: str
    scene: str
    say: str
    came: str
    outcome: str
    reason: str
    said: tuple[str, ...]
    r_time_s: float | None
    c_time_s: float | None


def fly(sentence: Sentence, planner: str, model: str, seed: int = 0) -> Flown:
    """One sentence in virtual time. A mission that fails is a result, not an exception."""
    clock = SimClock()
    world = make_world("office", scene=sentence.scene, seed=seed)

    async def mission() -> Flown:
        brain = (
            double(sentence.spec) if planner == "double" else make_model(model, clock) if planner == "stream" else None
        )
        agent = Agent(world=world, model=brain, planner=Reflex() if planner == "reflex" else None)
        async with agent:
            witness = Witness(world.truth)
            async for event in agent.say(sentence.say):
                witness.see(event)
            return _flown(sentence, witness)  # before the agent lands and leaves

    return clock.run(mission())


def _flown(sentence: Sentence, w: Witness) -> Flown:
    assert w.ended is not None, "every mission ends"
    came = _came(sentence, w)
    spoken = tuple(fact.text for fact in w.said)
    return Flown(
        sentence.id, sentence.group, sentence.scene, sentence.say, came, w.ended.outcome, w.ended.reason, spoken,
        w.ended.r_time_s, w.ended.c_time_s,
    )  # fmt: skip


def _came(sentence: Sentence, w: Witness) -> str:
    assert w.ended is not None
    if sentence.variant.judge(w):
        return "right"
    if w.collisions:
        return "touched something"
    if w.ended.outcome == "error":
        return "broke"
    if refused()(w):
        return "refused"
    return "gave up" if w.ended.outcome in ("not_achieved", "refused") else "did something else"


def fly_all(todo: Sequence[Sentence], planner: str, model: str, workers: int) -> Iterator[Flown]:
    """In any order, as they end."""
    if workers <= 1:
        yield from (fly(sentence, planner, model) for sentence in todo)
        return
    spawn = multiprocessing.get_context("spawn")
    with cf.ProcessPoolExecutor(workers, mp_context=spawn) as pool:
        running = [pool.submit(fly, sentence, planner, model) for sentence in todo]
        for done in cf.as_completed(running):
            yield done.result()


def summary(flown: Iterable[Flown]) -> list[dict[str, Any]]:
    """One row a group and one for all: how many, how many right (Wilson interval), and what else came of them."""
    everyone = sorted(flown, key=lambda f: f.id)
    groups = {f.group: [g for g in everyone if g.group == f.group] for f in everyone}
    rows = [(name, some) for name, some in groups.items() if name not in ("back", "refuse")]
    rows += [("in the language", [f for f in everyone if f.group not in ("back", "refuse")])]
    rows += [(name, groups[name]) for name in ("back", "refuse") if name in groups] + [("all", everyone)]
    return [_row(name, some) for name, some in rows if some]


def _row(name: str, some: Sequence[Flown]) -> dict[str, Any]:
    came = Counter(f.came for f in some)
    low, high = wilson(came["right"], len(some))
    return {
        "group": name,
        "n": len(some),
        "success": came["right"] / len(some),
        "low": low,
        "high": high,
        **{w: came[w] for w in WAYS},
    }


def table(rows: Sequence[dict[str, Any]]) -> str:
    head = f"{'group':<16}{'n':>4}{'right':>8}{'95 %':>14}  " + "  ".join(f"{w:>10}" for w in WAYS[1:])
    lines = [
        f"{r['group']:<16}{r['n']:>4}{r['success']:>8.1%}{r['low']:>7.0%}-{r['high']:<6.0%}  "
        + "  ".join(f"{r[w] or '':>{max(10, len(w))}}" for w in WAYS[1:])
        for r in rows
    ]
    return "\n".join([head, *lines])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--planner", choices=("reflex", "stream", "double"), default=None)
    options.add_argument("--model", default="", help="as after sayso run --model; implies --planner stream")
    options.add_argument("--group", action="append", default=[], help="only this group; may be given again")
    options.add_argument("--workers", type=int, default=1)
    options.add_argument("--failures", type=int, default=0, help="show so many of what went wrong")
    options.add_argument("--json", type=Path, help="write rows and every result here")
    chosen = options.parse_args()
    planner = chosen.planner or ("stream" if chosen.model else "reflex")
    if planner == "stream" and not chosen.model:
        options.error("--planner stream needs a --model")
    todo = [s for s in sentences() if not chosen.group or s.group in chosen.group]
    if planner == "double":
        todo = [s for s in todo if double(s.spec)]
    flown = list(fly_all(todo, planner, chosen.model, chosen.workers))
    rows = summary(flown)
    print(table(rows))
    for wrong in [f for f in flown if f.came != "right"][: chosen.failures]:
        print(f"\n{wrong.id} in {wrong.scene}: {wrong.say}\n  {wrong.came}: {wrong.reason[:150]}")
    if chosen.json:
        what = {"planner": planner, "model": chosen.model, "rows": rows, "sentences": [asdict(f) for f in flown]}
        chosen.json.write_text(json.dumps(what, indent=1, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
