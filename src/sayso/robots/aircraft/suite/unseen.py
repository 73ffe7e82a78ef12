"""How much a planner's sweeps would find, without the luck of where somebody is.

Each mission is flown once with a camera that never reports anything, so that the search goes on to its end. What it
would have found stands in the belief: looks take from what can be seen and leave alone what cannot be seen from the
air, so the probability that all of them missed is how much likelier "out of sight" has become. 22 flights say what
takes thousands of missions by counting; false sightings and doubtful confirmations are not in it.

    python -m sayso.robots.aircraft.suite.unseen --planners scored,saycan-saycanpay
"""

from __future__ import annotations

import argparse
import json
import statistics
from typing import Any

from sayso.parts import Model
from sayso.robots.aircraft.aerial import AerialCamera
from sayso.robots.aircraft.search.whereabouts import Whereabouts
from sayso.robots.aircraft.suite.double import RescueDouble
from sayso.robots.aircraft.suite.episode import RescueMission, missions, play


class Unseeing(AerialCamera):
    """A camera double: every look is taken and told, and nothing is ever sighted."""

    def _notice(self, run: Any, before: float) -> bool:
        return False


def would_find(
    row: RescueMission, planner: str = "scored", model: Model | None = None, seed: int = 777, **knobs: Any
) -> float:
    """The probability that the sweeps of one mission find whom it is after."""
    played = play(row, seed, planner, model, perception=Unseeing, **knobs)
    where = played.domain.hunted[0].where
    before = Whereabouts(where.subject, where.terrain, where.model).belief.hidden
    return 1 - before / where.belief.hidden


def main() -> None:
    """Print one line of JSON for each planner: the mean over all missions, and each."""
    asked = argparse.ArgumentParser(description="What the sweeps of each planner would find.")
    asked.add_argument("--planners", default="scored")
    asked.add_argument("--at-once", action="store_true", help="the model takes no time")
    asked.add_argument("--squares", action="store_true", help="no sweeps of four squares for anybody")
    options = asked.parse_args()
    knobs = {"blocks": False} if options.squares else {}
    for planner in options.planners.split(","):
        model = RescueDouble() if options.at_once else None
        found = {row.id: round(would_find(row, planner, model, **knobs), 3) for row in missions()}
        print(
            json.dumps({"planner": planner, "finds": round(statistics.fmean(found.values()), 4), **found}), flush=True
        )


if __name__ == "__main__":
    main()
