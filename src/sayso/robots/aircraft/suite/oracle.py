"""How many missions could be won at all: a pilot who knows where the missing one is, within the same bounds.

It peeks at the truth and is no planner: it flies to the square that holds the place, sweeps it until the camera sights
what is there, lets the operator look, and comes home. What it cannot win, nobody can: someone out of sight from the
air, a place beyond the battery, an operator who keeps saying no.
"""

from __future__ import annotations

from collections.abc import Mapping

from sayso.planners.scored import Choice
from sayso.planners.scored_domain import Candidate, Domain, literal
from sayso.planners.scored_say import Say
from sayso.robots.aircraft.search.terrain import Terrain
from sayso.robots.aircraft.suite.baselines import possible
from sayso.robots.aircraft.world.country import Rescue

FIRST = ("take_off", "ascend(60)")


class OracleRule:
    """Chooses by the truth of `world`."""

    name = "oracle"

    def __init__(self, world: Rescue) -> None:
        self.world = world

    async def __call__(self, domain: Domain, say: Say | None) -> Choice | None:
        """The next step; None where none is possible."""
        steps = {c.statement: c for c, _ in possible(domain)}
        return Choice(self._choose(steps), processed=1) if steps else None

    def _choose(self, steps: Mapping[str, Candidate]) -> Candidate:
        truth = self.world.truth()
        missing = [one for one in truth.present.values() if one.sought and one.confirmed_s is None]
        wanted = [f"{first}()" if first == "take_off" else first for first in FIRST if missing]
        wanted += [s for s in steps if s.startswith("confirm") and self.world.camera.cause(_argument(s))]
        seen = [one.pose for one in missing if one.open_to_sky]
        squares = [square_of(self.world.terrain, pose.x_m, pose.y_m) for pose in seen]
        wanted += [f"search_area({literal(square)})" for square in squares]
        return next((steps[s] for s in wanted if s in steps), steps.get("return_home()", next(iter(steps.values()))))


def square_of(terrain: Terrain, x_m: float, y_m: float) -> str:
    """The square of the search grid that holds a place."""
    row, column = terrain.cell(x_m, y_m)
    return next(name for name in terrain.squares if _holds(terrain, name, row, column))


def _holds(terrain: Terrain, name: str, row: int, column: int) -> bool:
    rows, columns = terrain.areas[name].window
    return bool(rows.start <= row < rows.stop and columns.start <= column < columns.stop)


def _argument(statement: str) -> str:
    return statement.partition("(")[2].rstrip(")").strip('"')
