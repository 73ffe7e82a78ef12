"""A check of the rescue planner beside its missions: does a decision stay quick?

The same map cut into finer squares, so that there are 5 to 125 actions with their parameters to choose from.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sayso.planners.scored import Choice, Rule, Say
from sayso.prompts.score import score_prompt
from sayso.robots.aircraft.domain import RescueDomain, Rules
from sayso.robots.aircraft.reach import Flight
from sayso.robots.aircraft.search.craft import Charts
from sayso.robots.aircraft.search.detection import detection
from sayso.robots.aircraft.search.terrain import Terrain, squares
from sayso.robots.aircraft.search.wish import SearchWish, Sought
from sayso.robots.aircraft.suite.baselines import RULES
from sayso.robots.aircraft.suite.double import RescueDouble
from sayso.robots.aircraft.world.scene import read_scene
from sayso.roles import Brief, Model, Observation
from sayso.skill import SkillSet

ACTIONS = (5, 25, 50, 75, 100, 125)
"""The paper's Figure 3."""

OTHER_ACTIONS = 6
"""Beside sweeps: an image, a hover, two levels, home, and a confirmation where something was sighted."""


def decision_times(
    rule: str = "scored", actions: Sequence[int] = ACTIONS, repeats: int = 5, model: Model | None = None
) -> Iterator[tuple[int, float, Choice]]:
    """(actions with parameters, CPU seconds of one decision at the median, the choice).

    With a model of this machine's its time is in it; without one a double answers, which takes none.
    """
    for count in actions:
        domain = _airborne(with_actions(read_scene("valley").terrain, count))
        taken = [_decide(domain, RULES[rule], model or RescueDouble()) for _ in range(repeats)]
        yield count, statistics.median(s for s, _ in taken), taken[-1][1]


def with_actions(terrain: Terrain, actions: int) -> Terrain:
    """The same ground cut into squares so that there are about so many actions with their parameters."""
    areas = max(1, actions - OTHER_ACTIONS)
    across = max(1, round(areas**0.5))
    down = max(1, areas // across)
    return replace(terrain, areas={square.name: square for square in squares(terrain.shape, across, down)})


def _airborne(terrain: Terrain) -> RescueDomain:
    """A domain in the air, its tables filled, with a wish and nothing searched yet."""

    async def read(brief: Brief, running: SearchWish | None) -> SearchWish:
        return SearchWish((Sought("person", "red", category="hiker"),))

    flight = Flight((0.0, 0.0, 60.0), 0.95)
    charts = Charts(terrain, detection())
    domain = RescueDomain(charts, terrain.places, lambda brief: flight, read, Rules(mapping_areas=0))
    asyncio.run(domain.take_in(Brief("search", SkillSet(), Observation())))
    return domain


def _decide(domain: RescueDomain, rule: Rule, model: Model) -> tuple[float, Choice]:
    """One decision from a tree that is planted anew."""
    domain._ahead.clear()
    began = time.process_time()
    choice = asyncio.run(_choose(domain, rule, model))
    return time.process_time() - began, choice


async def _choose(domain: RescueDomain, rule: Rule, model: Model) -> Choice:
    choice = await rule(domain, Say(model, score_prompt))
    assert choice is not None, "in the air something is always possible"
    return choice
