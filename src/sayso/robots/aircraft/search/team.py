"""The team of several aircraft over one search: who holds which ground, and who has the operator's attention. Pure.

Each aircraft decides for itself, from the same belief. What must not happen twice at once is left to a `Team`: two
aircraft over the same ground, and two sightings shown to one operator. Who decides first holds what
it chose until its next decision; the others choose from what is left, so that no ground is searched twice.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sayso.robots.aircraft.search.terrain import Terrain


@dataclass(slots=True)
class Seat:
    """One aircraft's place in the team: what it holds. Ask it before a choice, tell it of the choice."""

    who: str
    team: Team = field(repr=False)
    area: str = ""
    asks: bool = False

    def may_search(self, area: str) -> bool:
        """Whether nobody else is over this area or a part of it."""
        return not any(self.team.overlap(area, other.area) for other in self._others() if other.area)

    @property
    def may_ask(self) -> bool:
        """Whether the operator has time to look at a sighting."""
        return not any(other.asks for other in self._others())

    def owns(self, sighting: str) -> bool:
        """Who sighted something is nearest to it, and looks closer."""
        return sighting.startswith(self.who)

    def hold(self, area: str = "", asks: bool = False) -> None:
        """This is what it does next; what it held before is given back."""
        self.area, self.asks = area, asks

    def _others(self) -> list[Seat]:
        return [seat for seat in self.team.seats if seat is not self]


@dataclass(slots=True)
class Team:
    """All aircraft of one search, over one map.

    Neighbouring areas may be searched at once: a multicopter turns on the spot, and a gap around each would leave the
    best ground to nobody while its neighbours are taken.
    """

    terrain: Terrain
    seats: list[Seat] = field(default_factory=list)
    _known: dict[tuple[str, str], bool] = field(default_factory=dict)

    def join(self, who: str) -> Seat:
        """A seat for one more aircraft, under a name that its sightings begin with."""
        self.seats.append(Seat(who, self))
        return self.seats[-1]

    def overlap(self, area: str, other: str) -> bool:
        """Whether two areas have ground in common."""
        if (area, other) not in self._known:
            found = bool((self.terrain.cells(area) & self.terrain.cells(other)).any())
            self._known[area, other] = self._known[other, area] = found
        return self._known[area, other]
