"""Fly or play the hand-written sentences, and count what the world says came of them.

    python training/evaluate.py --planner reflex
    python training/evaluate.py --planner double        (reads the judges: shows that scenes and judges are right)
    python training/evaluate.py --model scripted:plans.json --group go --json result.json
    python training/evaluate.py --robot humanoid --planner rolling --model pocket --workers 2 --confusions
    python training/evaluate.py --robot warehouse --planner stepwise --model pocket
    python training/evaluate.py --robot home --model pocket --ids even      (its own options: see judged_home.py)

A sentence is flown once for each seed; its judge reads the world, never the plan. The table has one row a group. The
columns say what happened instead: nothing (refused), given up, something else, a touch or a fall; the confusions, for
the humanoid, what that something was. `executable` is the share of its model's answers that were in the right form and
named only tasks that there are.
"""

from __future__ import annotations

import argparse
import concurrent.futures as cf
import json
import multiprocessing
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

import judged_home
import judged_soccer
import judged_warehouse
import play
from double import double
from judged import Sentence, refused, sentences
from sayso.agent import Agent
from sayso.bench.suite import wilson
from sayso.clock import SimClock
from sayso.events import TaskStarted
from sayso.mission.defaults import make_planner
from sayso.models import make as make_model
from sayso.robots.humanoid.suite.episode import executable
from sayso.worlds import make as make_world
from witness import Witness

WAYS = ("right", "refused", "gave up", "did something else", "touched something", "fell", "broke")
"""What can come of a sentence. A refusal that was right counts as right."""

PLANNERS = {"drone": ("reflex", "stream", "reflex+stream", "double"), "humanoid": ("rolling", "double"),
            "warehouse": ("stepwise",)}  # fmt: skip
"""By robot."""

AnySentence: TypeAlias = Sentence | judged_soccer.Sentence | judged_warehouse.Sentence


@dataclass(frozen=True, slots=True)
class Flown:
    """What came of one sentence. The answers are those of the humanoid's model, `did` is all that the robot did."""

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
    seed: int = 0
    answers: int = 0
    executable: int = 0
    did: tuple[str, ...] = ()


def fly_or_play(sentence: AnySentence, planner: str, model: str, seed: int = 0) -> Flown:
    """One sentence, by the robot that it was said to."""
    if isinstance(sentence, judged_soccer.Sentence):
        return play_one(sentence, planner, model, seed)
    if isinstance(sentence, judged_warehouse.Sentence):
        return step_one(sentence, model, seed)
    return fly(sentence, planner, model, seed)


def play_one(sentence: judged_soccer.Sentence, planner: str, model: str, seed: int = 0) -> Flown:
    """One sentence on the pitch."""
    played = play.play(sentence, planner, model, seed)
    ended, good = played.ended, executable(played.events)
    moved_s = next((e.at_s for e in played.events if isinstance(e, TaskStarted)), None)
    return Flown(
        sentence.id, sentence.group, "soccer", sentence.say, play.came(played), ended.outcome if ended else "",
        ended.reason if ended else "the judge was content", (), moved_s, played.met_s, seed,
        len(good), sum(good), played.did,
    )  # fmt: skip


def step_one(sentence: judged_warehouse.Sentence, model: str, seed: int = 0) -> Flown:
    """One sentence in the warehouse."""
    played = judged_warehouse.play(sentence, model, seed=seed)
    score, outcome = played.score, played.score.reason.split(": ")[1]
    came = "right" if played.right else "broke" if outcome == "error" else "gave up"
    if came == "gave up" and (outcome == "achieved" or played.did):
        came = "did something else"
    return Flown(
        sentence.id, sentence.group, sentence.task, sentence.say, came, outcome, score.reason, (), score.r_time_s,
        score.c_time_s, seed, did=played.did,
    )  # fmt: skip


def fly(sentence: Sentence, planner: str, model: str, seed: int = 0) -> Flown:
    """One sentence in virtual time. A mission that fails is a result, not an exception."""
    clock = SimClock()
    world = make_world("office", scene=sentence.scene, seed=seed)

    async def mission() -> Flown:
        if planner == "double":
            agent = Agent(world=world, model=double(sentence.spec))
        else:
            brain = make_model(model) if model else None
            agent = Agent(world=world, model=brain, planner=make_planner(planner, brain))
        async with agent:
            witness = Witness(world.truth)
            async for event in agent.say(sentence.say):
                witness.see(event)
            return _flown(sentence, witness, seed)  # before the agent lands and leaves

    return clock.run(mission())


def _flown(sentence: Sentence, w: Witness, seed: int) -> Flown:
    assert w.ended is not None, "every mission ends"
    came = _came(sentence, w)
    spoken = tuple(fact.text for fact in w.said)
    return Flown(
        sentence.id, sentence.group, sentence.scene, sentence.say, came, w.ended.outcome, w.ended.reason, spoken,
        w.ended.r_time_s, w.ended.c_time_s, seed,
    )  # fmt: skip


def _came(sentence: Sentence, w: Witness) -> str:
    assert w.ended is not None
    if sentence.judge(w):
        return "right"
    if w.collisions:
        return "touched something"
    if w.ended.outcome == "error":
        return "broke"
    if refused()(w):
        return "refused"
    return "gave up" if w.ended.outcome in ("not_achieved", "asked", "refused") else "did something else"


def fly_all(todo: Sequence[AnySentence], planner: str, model: str, workers: int, seeds: int = 1) -> Iterator[Flown]:
    """In any order, as they end."""
    jobs = [(sentence, planner, model, seed) for seed in range(seeds) for sentence in todo]
    if workers <= 1:
        yield from (fly_or_play(*job) for job in jobs)
        return
    spawn = multiprocessing.get_context("spawn")
    with cf.ProcessPoolExecutor(workers, mp_context=spawn) as pool:
        running = [pool.submit(fly_or_play, *job) for job in jobs]
        for done in cf.as_completed(running):
            yield done.result()


def summary(flown: Iterable[Flown]) -> list[dict[str, Any]]:
    """One row a group and one for all: how many, how many right (Wilson interval), and what else came of them."""
    everyone = sorted(flown, key=lambda f: (f.id, f.seed))
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
    ways = [w for w in WAYS[1:] if w not in ("touched something", "fell") or any(r[w] for r in rows)]
    head = f"{'group':<16}{'n':>4}{'right':>8}{'95 %':>14}  " + "  ".join(f"{w:>10}" for w in ways)
    lines = [
        f"{r['group']:<16}{r['n']:>4}{r['success']:>8.1%}{r['low']:>7.0%}-{r['high']:<6.0%}  "
        + "  ".join(f"{r[w] or '':>{max(10, len(w))}}" for w in ways)
        for r in rows
    ]
    return "\n".join([head, *lines])


def executability(flown: Iterable[Flown]) -> float | None:
    """The share of answers that could be executed as they were; None where no model was asked task by task."""
    everyone = list(flown)
    answers = sum(f.answers for f in everyone)
    return sum(f.executable for f in everyone) / answers if answers else None


def confusions(flown: Iterable[Flown]) -> list[tuple[str, str, int]]:
    """Of what went wrong: the group, what was done instead, and how often; the most frequent first."""
    wrong = Counter((f.group, " + ".join(f.did) or f.came) for f in flown if f.came != "right")
    return [(group, did, count) for (group, did), count in wrong.most_common()]


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--robot", choices=tuple(PLANNERS), default="drone")
    options.add_argument("--planner", choices=sorted({p for some in PLANNERS.values() for p in some}), default=None)
    options.add_argument("--model", default="", help="as after sayso run --model; implies --planner stream or rolling")
    options.add_argument("--group", action="append", default=[], help="only this group; may be given again")
    options.add_argument("--ids", choices=("all", "even", "odd"), default="all", help="by the number of an id")
    options.add_argument("--workers", type=int, default=1)
    options.add_argument("--seeds", type=int, default=1, help="play each sentence with so many seeds")
    options.add_argument("--failures", type=int, default=0, help="show so many of what went wrong")
    options.add_argument("--confusions", action="store_true", help="show what was done instead, by group")
    options.add_argument("--json", type=Path, help="write rows and every result here")
    return options


def _planner(options: argparse.ArgumentParser, chosen: argparse.Namespace) -> str:
    asks_model = {"drone": "stream", "humanoid": "rolling", "warehouse": "stepwise"}[chosen.robot]
    planner: str = chosen.planner or (asks_model if chosen.model or chosen.robot != "drone" else "reflex")
    if planner not in PLANNERS[chosen.robot]:
        options.error(f"for the {chosen.robot} there are the planners {', '.join(PLANNERS[chosen.robot])}")
    if planner in (asks_model, "reflex+stream") and not chosen.model:
        options.error(f"--planner {planner} needs a --model")
    return planner


def _chosen(robot: str, planner: str, groups: Sequence[str]) -> list[AnySentence]:
    said = {"drone": sentences, "humanoid": judged_soccer.sentences, "warehouse": judged_warehouse.sentences}[robot]
    everything: list[AnySentence] = [*said()]
    some = [s for s in everything if not groups or s.group in groups]
    return [s for s in some if planner != "double" or not isinstance(s, Sentence) or double(s.spec)]


def _asked_for(id_: str, ids: str) -> bool:
    """Sentences with even numbers may be looked at while something is made better; the others stay unseen."""
    return ids == "all" or (int(id_.rpartition("-")[2]) % 2 == 0) == (ids == "even")


def _robot() -> str:
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument("--robot", default="drone")
    return str(options.parse_known_args()[0].robot)


def main() -> None:
    if _robot() == "home":  # whose figures are its own
        options = argparse.ArgumentParser(description=judged_home.__doc__)
        options.add_argument("--robot", choices=("home",))
        judged_home.add_options(options)
        judged_home.report(options.parse_args())
        return
    options = _options()
    chosen = options.parse_args()
    planner = _planner(options, chosen)
    began_s = time.perf_counter()
    todo = [s for s in _chosen(chosen.robot, planner, chosen.group) if _asked_for(s.id, chosen.ids)]
    flown = list(fly_all(todo, planner, chosen.model, chosen.workers, chosen.seeds))
    rows, share = summary(flown), executability(flown)
    print(table(rows))
    print(f"\n{(time.perf_counter() - began_s) / max(1, len(flown)):.2f} s each", end="")
    print("" if share is None else f", {share:.1%} of the answers executable")
    for group, did, count in confusions(flown) if chosen.confusions else ():
        print(f"{group:<16}{count:>4}  {did}")
    for wrong in [f for f in flown if f.came != "right"][: chosen.failures]:
        print(f"\n{wrong.id} in {wrong.scene}: {wrong.say}\n  {wrong.came}: {wrong.reason[:150]}")
    if chosen.json:
        what = {"robot": chosen.robot, "planner": planner, "model": chosen.model, "executability": share, "rows": rows}
        what["sentences"] = [asdict(f) for f in flown]
        chosen.json.write_text(json.dumps(what, indent=1, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
