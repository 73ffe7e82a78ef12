"""What a search works towards, in the language of goals."""

from __future__ import annotations

from collections.abc import Sequence

from sayso.goal import IT, All, Amount, Clause, Each, Never, Pred, Then, Which, Within
from sayso.robots.aircraft.search.wish import SearchWish, Sought


def goal(wish: SearchWish) -> Clause:
    """What a sentence asks for, as the world's truth tells it: everyone confirmed, pictures of them where they are
    asked for, and home again."""
    found = (_found(sought, "image" in wish.on_find) for sought in wish.sought)
    return All((*found, Pred("home"), Pred("landed")))


def _found(sought: Sought, pictured: bool) -> Clause:
    which = Which(sought.label, (sought.colour,) if sought.colour else (), sought.count)
    meant = which if sought.count == 1 else Which(IT)
    confirmed = Pred("confirmed", (meant,))
    asked = Then((confirmed, Pred("picture", (meant,)))) if pictured else confirmed
    return asked if sought.count == 1 else Each(which, asked)


def wanted(wish: SearchWish, kept_off: Sequence[str]) -> Clause:
    """The same as far as the aircraft observes it: no camera tells a colour, the operator's word does; what is in an
    image it does not know. With it, ground that can be `kept_off`, and the time."""
    if wish.over:
        return Pred("home")
    found = (_found(Sought(sought.label, count=sought.count), False) for sought in wish.sought)
    off = (Never(Pred("over", (Which(name),))) for name in kept_off)
    clause: Clause = All((*found, Pred("home"), *off))
    return Within(Amount(wish.bounds.within_s, "s"), clause) if wish.bounds.within_s else clause
