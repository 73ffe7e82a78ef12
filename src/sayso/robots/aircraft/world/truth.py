"""What is really so over open country: who is out there, and how the search stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sayso.truth import Done, Real, Truth


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost(Real):
    """Somebody who is out there; seconds of the world, None for never."""

    open_to_sky: bool
    found_s: float | None
    confirmed_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTruth(Truth):
    """A search at one moment. `things` are the named areas, which anybody may know, `present` is everybody there, and

    `pictures` are the times of its images, with who is in them.
    """

    flying: bool
    crashed: bool
    at_home: bool
    present: Mapping[str, Lost]
    pictures: tuple[tuple[float, frozenset[str]], ...]

    @property
    def landed(self) -> bool:
        return not self.flying and not self.crashed

    @property
    def there(self) -> Mapping[str, Real]:
        """Areas, and those who are there."""
        return {**self.things, **self.present}

    @property
    def done(self) -> tuple[Done, ...]:
        times = ((id_, one.confirmed_s) for id_, one in self.present.items())
        confirmed = (Done(at_s, "confirmed", frozenset({id_})) for id_, at_s in times if at_s is not None)
        return (*confirmed, *(Done(at_s, "picture", shown) for at_s, shown in self.pictures))
