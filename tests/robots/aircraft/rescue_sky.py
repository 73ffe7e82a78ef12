"""A test double of an aircraft over a field with a wood, and of what it reports to the search domain."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sayso.planners.scored_domain import Candidate
from sayso.robots.aircraft.domain import RescueDomain, Rules
from sayso.robots.aircraft.reach import Flight
from sayso.robots.aircraft.search.craft import Charts
from sayso.robots.aircraft.search.detection import detection
from sayso.robots.aircraft.search.sweep import Look, as_thing
from sayso.robots.aircraft.search.terrain import Terrain, area_of, squares
from sayso.robots.aircraft.search.wish import SearchWish, Sought
from sayso.roles import Attempt, Brief, Observation
from sayso.scene import Pose, Scene, Thing
from sayso.skill import SkillSet

RED = SearchWish((Sought("person", "red", mobility="still"),))


def terrain(across: int = 3) -> Terrain:
    """A field of 600 m with a wood in its east, in squares."""
    kinds = np.zeros((30, 30), dtype=np.uint8)
    kinds[:, 24:] = 1
    wood = area_of("wood", "forest", kinds == 1)
    areas = {"wood": wood, **{s.name: s for s in squares(kinds.shape, across, across)}}
    return Terrain(kinds, np.zeros(kinds.shape), 20.0, areas)


@dataclass
class Sky:
    """An aircraft and its reports, as a test wants them."""

    ground: Terrain = field(default_factory=terrain)
    flight: Flight = field(default_factory=lambda: Flight((0.0, 0.0, 0.0), 1.0))
    things: list[Thing] = field(default_factory=list)
    says: str = "find her"
    wishes: dict[str, SearchWish] = field(default_factory=lambda: {"find her": RED})
    history: list[Attempt] = field(default_factory=list)

    def domain(self, **rules: object) -> RescueDomain:
        async def read(brief: Brief, running: SearchWish | None) -> SearchWish:
            return self.wishes[brief.instruction]

        charts = Charts(self.ground, detection())
        names = tuple(self.ground.areas)
        return RescueDomain(charts, names, lambda brief: self.flight, read, Rules(**rules))  # type: ignore[arg-type]

    def tell(self, domain: RescueDomain, chosen: Candidate | None = None, failure: str = "") -> None:
        if chosen:
            domain.chosen(chosen)
            self.history.append(Attempt(chosen.statement))
        scene = Scene(tuple(self.things), Pose())
        brief = Brief(self.says, SkillSet(), Observation(scene), tuple(self.history), failure)
        asyncio.run(domain.take_in(brief))

    def fly(self, at: tuple[float, float, float] = (0.0, 0.0, 60.0), charge: float = 0.9) -> None:
        self.flight = Flight(at, charge, self.flight.now_s)

    def swept(self, area: str, seen: Sequence[tuple[float, float]] = ()) -> None:
        n = len(self.things) + 1
        look = Look("sweep", "eo", 60.0, 1.4, area, 58.0, 0, 1e6, from_s=10.0 * n, at_s=10.0 * n + 9, id=f"look {n}")
        self.things.append(as_thing(look))
        for k, (x, y) in enumerate(seen):
            told = {"look": look.id, "status": "unconfirmed"}
            self.things.append(
                Thing(f"s{n}{k}", "person", pose=Pose(x, y), confidence=0.9, attributes=told, seen_s=10.0 * n + 5)
            )

    def asked(self, sighting: str, said: str, at: tuple[float, float]) -> None:
        n = len(self.things) + 1
        look = Look(
            "stare", "eo", 30.0, 1.0, x_m=at[0], y_m=at[1], from_s=10.0 * n, at_s=10.0 * n + 9, asked=sighting,
            said=said, id=f"look {n}",
        )  # fmt: skip
        self.things.append(as_thing(look))


def can(domain: RescueDomain) -> dict[str, float]:
    return {k.name: k.can for k in domain.kinds() if k.can > 0}


def step(domain: RescueDomain, kind: str, which: int = 0) -> Candidate:
    return domain.candidates(kind)[which]
