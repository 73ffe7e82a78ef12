"""What code reads of an operator's words by itself: bounds, an order, an end of it all and who is to be told are kept
as they were said, whatever a large model made of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sayso.grounding.terms import Terms
from sayso.robots.aircraft.search.craft import LEVELS_M
from sayso.robots.aircraft.search.wish import Bounds, SearchWish

NO_HANDS = "I fly and look; I cannot carry, fetch or handle anything. I can find, confirm and report: say that alone."


@dataclass(frozen=True)
class Words:
    """The terms of an operator's words over a map."""

    terms: Terms

    @property
    def bounds(self) -> Bounds:
        """What they say that holds throughout."""
        t = self.terms
        return Bounds(t.under_m, t.most_m, t.least_m, t.at_m, t.off, t.within_s, t.reserve)

    @property
    def governs(self) -> bool:
        """Whether they say something of a running search that takes no model."""
        return self.terms.ends or self.bounds != Bounds() or bool(self.terms.skip or self.terms.report)

    def refusal(self) -> str:
        """Why this cannot be flown at all, whatever else it says; empty where it can."""
        if self.terms.carry:
            return f"“{self.terms.carry}”: {NO_HANDS}"
        return out_of_reach(self.bounds)

    def kept(self, wish: SearchWish, running: SearchWish | None) -> SearchWish:
        """The wish with all that holds throughout, as it was said now or before."""
        t, before = self.terms, running.bounds if running else Bounds()
        said = {name: value for name in Bounds.__slots__ if (value := getattr(self.bounds, name))}
        if said.keys() & {"under_m", "most_m", "least_m", "at_m"}:
            before = replace(before, under_m=None, most_m=None, least_m=None, at_m=None)
        avoid = tuple(dict.fromkeys((*wish.avoid, *t.skip, *t.off)))
        return replace(
            wish,
            areas=tuple(a for a in wish.areas if a not in avoid),
            avoid=avoid,
            ordered=t.ordered or (running is not None and running.ordered and wish.areas == running.areas),
            bounds=replace(before, **said),
            report=tuple(dict.fromkeys((*(running.report if running else ()), *t.report))),
            left_out=t.unread,
            over=t.ends,
        )


def out_of_reach(bounds: Bounds) -> str:
    """Why a search within these bounds cannot be flown; empty where it can."""
    if bounds.levels(LEVELS_M):
        return ""
    levels = ", ".join(f"{h:g}" for h in LEVELS_M)
    return f"{bounds}: I search from {levels} m above the ground and do not fly lower; say one of these"
