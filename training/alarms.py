"""How often code's own reading of a wish contradicts a right one: lessons, whose reading is right.

    python training/alarms.py --lessons 3000
    python training/alarms.py --side frame --show 20

What contradicts is `sayso.understanding.gaps`, where plan and goal both part from the wish: it asks before the drone
moves. Each alarm here is a false one. Left out are plans that move nothing.
"""

from __future__ import annotations

import argparse
from collections import Counter
from functools import partial
from itertools import islice

from lessons import SIDES, Lesson
from lessons.skillset import drone_set
from recite import asked
from sayso.bench.suite import wilson
from sayso.goal import Clause
from sayso.goals.clauses import preds
from sayso.goals.planned import planned
from sayso.goals.text import parse as parse_goal
from sayso.grounding.utterance import read
from sayso.language import Plan
from sayso.language.parser import parse
from sayso.models.pocket import Embedding
from sayso.models.pocket.reading import with_units
from sayso.robots.drone.form import grounded
from sayso.robots.drone.goal_plan import plan_of
from sayso.scene import Scene
from sayso.understanding.gaps import Gap, gaps
from sayso.understanding.meaning import alike as alike_by


def alarms(one: Lesson) -> list[Gap]:
    """Where plan and goal part from the wish, as code reads it."""
    goal, plan, scene = _meant(one)
    said = read(one.sentence)
    of_plan, of_goal = (
        gaps(said, want, scene, alike=partial(alike_by, embed=Embedding()))
        for want in (planned(plan, drone_set(), scene).want, grounded(goal, scene))
    )
    return [gap for gap in of_plan if gap in of_goal]


def moves(one: Lesson) -> bool:
    """Whether anything is done but to speak."""
    if one.kind != "reading" or one.target.startswith(("refuse ", "ask ")):
        return False
    _, plan, scene = _meant(one)
    return any(p.name != "said" for p in preds(planned(plan, drone_set(), scene).want))


def _meant(one: Lesson) -> tuple[Clause, Plan, Scene]:
    """The goal that the lesson has, and what code plans for it in the lesson's scene."""
    assert one.scene is not None
    goal = parse_goal(with_units(one.target.removesuffix("<end>")))
    return goal, parse(plan_of(goal, one.sentence, one.scene)), one.scene


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lessons", type=int, default=1000, help="of each side")
    options.add_argument("--side", action="append", choices=(*SIDES, "recall"), default=[])
    options.add_argument("--show", type=int, default=0, help="so many of the false alarms, of each side")
    chosen = options.parse_args()
    print(f"{'side':<10}{'lines':<12}{'n':>6}{'alarms':>9}{'95 %':>13}  by kind")
    for side in chosen.side or ("recall", *SIDES):
        plans = [one for one in islice(asked(side), 4 * chosen.lessons) if moves(one)]
        for lines, by_hand in (("by hand", True), ("of frames", False)):
            some = [one for one in plans if (one.intent == "written") == by_hand][: chosen.lessons]
            false = [(one, found) for one in some if (found := alarms(one))]
            low, high = wilson(len(false), len(some)) if some else (0.0, 1.0)
            kinds = Counter(g.kind for _, found in false for g in found)
            told = ", ".join(f"{n} {kind}" for kind, n in kinds.most_common())
            share = f"{len(false) / max(1, len(some)):>9.1%}{low:>8.1%}-{high:<5.1%}"
            print(f"{side:<10}{lines:<12}{len(some):>6}{share} {told}", flush=True)
            for one, found in false[: chosen.show]:
                print(f"   {one.sentence}\n      {one.target}\n      {'; '.join(map(str, found))}")


if __name__ == "__main__":
    main()
