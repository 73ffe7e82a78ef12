"""What people said about searches, written by hand and never trained on: how many a model reads right.

    python -m lessons.rescue_written --model pocket --show 10      (in the folder training)

Right means the whole mission, as the planner's reader grounds it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from lessons.guard import SENTENCES
from sayso.bench.suite import wilson
from sayso.errors import NotUnderstood
from sayso.grounding.lexicon import means
from sayso.models import make
from sayso.robots.aircraft.kit import KIT
from sayso.robots.aircraft.mission import mission_prompt, read_mission
from sayso.robots.aircraft.operator_wish import Grounds, clauses_of, heard
from sayso.robots.aircraft.search.lost import categories
from sayso.robots.aircraft.search.terrain import KINDS
from sayso.robots.aircraft.search.wish import SearchWish, Sought, lies_still
from sayso.roles import Brief, Model, Observation, answered
from sayso.skill import SkillSet


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence, the search that is running, the map, and what should come of it: None where it is no search."""

    say: str
    running: SearchWish | None
    grounds: Grounds
    wish: SearchWish | None


def cases() -> Iterator[Case]:
    """All of them, in the order of the file."""
    for line in (SENTENCES / "rescue.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        grounds = Grounds(tuple(row["places"]), KINDS, categories())
        running = _wish(row.get("running"), grounds)
        yield Case(row["say"], running, grounds, _wish(row["mission"], grounds))


def _wish(mission: dict[str, Any] | None, grounds: Grounds) -> SearchWish | None:
    return read_mission(json.dumps(mission), "", grounds) if mission else None


async def read(model: Model, case: Case) -> tuple[bool, str]:
    """Whether the model's answer means what it should, and the answer."""
    seen = Observation.of(*([case.running.in_short()] if case.running else []))
    brief = Brief(case.say, SkillSet(), seen, kind=KIT.kind)
    text = await answered(model, mission_prompt(brief, case.grounds))
    wish = _meant(text, case)
    return wish == case.wish if wish is None or case.wish is None else _alike(wish, case.wish), text


def _meant(text: str, case: Case) -> SearchWish | None:
    clauses = clauses_of(text)
    try:
        if not clauses:
            return read_mission(text, "", case.grounds)
        return heard(clauses, case.say, case.grounds, case.running)
    except NotUnderstood:
        return None


def _alike(wish: SearchWish, other: SearchWish) -> bool:
    """The same search, whatever a thing is called, and whether or not it is told that things lie still."""
    pairs = [*zip(wish.sought, other.sought, strict=False)]
    return (
        len(wish.sought) == len(other.sought)
        and (wish.areas, wish.avoid, wish.on_find) == (other.areas, other.avoid, other.on_find)
        and all(a.label == b.label or means(a.label, b.label) or means(b.label, a.label) for a, b in pairs)
        and all(replace(a, label=b.label, mobility=_pace(a)) == replace(b, mobility=_pace(b)) for a, b in pairs)
    )


def _pace(one: Sought) -> str:
    return "still" if lies_still(one.label) else one.mobility


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--model", default="pocket")
    asked.add_argument("--show", type=int, default=0, help="so many of what was wrong")
    options = asked.parse_args()
    model = make(options.model)
    some = list(cases())
    heard = [asyncio.run(read(model, case)) for case in some]
    right = sum(good for good, _ in heard)
    low, high = wilson(right, len(some))
    print(f"{right} of {len(some)} read right ({right / len(some):.0%}, 95 %: {low:.0%}-{high:.0%})")
    wrong = [(case, text) for case, (good, text) in zip(some, heard, strict=True) if not good]
    for case, text in wrong[: options.show]:
        print(f"{case.say}\n   wrote  {text}\n   wanted {case.wish.in_short() if case.wish else 'nothing'}")


if __name__ == "__main__":
    main()
