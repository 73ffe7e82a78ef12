"""What is really so over open country: who is out there, and how the search stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sayso.truth import Real, Truth


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost(Real):
    """Somebody who is out there; seconds of the world, None for never."""

    sought: bool
    open_to_sky: bool
    found_s: float | None
    confirmed_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTruth(Truth):
    """A search at one moment. `things` are the named areas, which anybody may know; `present` is everybody there."""

    flying: bool
    crashed: bool
    at_home: bool
    flown_m: float
    present: Mapping[str, Lost]
