"""The questions of predicates to the evidence: which things are meant, and whether enough of them pass.

True and False are what was observed; None is what nothing observed decides.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from sayso.goal import ALL, Amount, Argument, Pred, Truth, Which
from sayso.goals.evidence import Deed, Evidence, Moment, wanted
from sayso.goals.spoken import noun, short, unseen, untold
from sayso.scene import Thing

Args: TypeAlias = tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """The truth of a clause, when it was decided, and what is missing or unknown, in a person's words."""

    truth: Truth
    at: int
    why: str = ""


def every(truths: Iterable[Truth]) -> Truth:
    """Kleene's and."""
    known = tuple(truths)
    return False if False in known else None if None in known else True


def some(truths: Iterable[Truth]) -> Truth:
    """Kleene's or."""
    known = tuple(truths)
    return True if True in known else None if None in known else False


def opposite(truth: Truth) -> Truth:
    return None if truth is None else not truth


@dataclass(frozen=True, slots=True)
class Query:
    """One evidence, asked of the moment `since` on: nearest and left are as seen from where the robot was then. `it` is
    the id of the thing that an enclosing `Each` is at."""

    seen: Evidence
    it: str = ""
    since: int = 0

    def deeds(self, name: str) -> Iterator[tuple[int, Deed]]:
        """What was done of that kind, each with the moment from which on it is so."""
        return ((self.seen.at(d.at_s), d) for d in self.seen.deeds_of(name, self.seen.moments[self.since].at_s))

    def things(self, which: Which, moment: Moment) -> list[Thing]:
        return self.seen.known(which, self.seen.at(moment.at_s), self.since, self.it)

    def ever(self, which: Which) -> list[Thing]:
        """Everything that is meant, as it was when that part of the wish began or when it was first known."""
        found: dict[str, Thing] = {}
        for at in range(self.seen.last, -1, -1):
            found.update((t.id, t) for t in self.seen.known(which, at, self.since, self.it))
        return list(found.values())

    def none(self, which: Which) -> Finding:
        """There is no such thing, if everything was looked at and can be told; else it may be unseen."""
        if why := self.seen.untold(which):
            return Finding(None, self.seen.last, why)
        return Finding(False if self.seen.complete(which) else None, self.seen.last, unseen(which))

    def enough(self, which: Which, at: int) -> Finding:
        """All that are known pass; of `all` there may be more where not everything was looked at, and the most of them
        may be one that was not seen."""
        if (which.count != ALL and not which.rank) or self.seen.complete(which) or self.it:
            return Finding(True, at)
        return Finding(None, at, f"there may be another {noun(which)} that I did not see")

    def count(self, which: Which, moment: Moment, test: Callable[[Thing], Truth], pred: Pred, why: str = "") -> Finding:
        """Whether enough of the things that are meant pass a test, which is what a predicate asks of each."""
        things = self.things(which, moment)
        if not things:
            return self.none(which)
        need = len(things) if which.count == ALL else wanted(which)
        if which.rank:
            things = things[:need]
        passed = [test(t) for t in things]
        if sum(p is True for p in passed) >= need:
            return self.enough(which, self.seen.at(moment.at_s))
        if sum(p is not False for p in passed) >= need:
            return Finding(None, self.seen.last, untold(which))
        met = sum(p is True for p in passed)
        return Finding(False, self.seen.last, why if why and not met else short(pred, which, met, need))


def which_of(args: Args, n: int = 0) -> Which:
    found = args[n] if len(args) > n else None
    assert isinstance(found, Which)
    return found


def value_of(args: Args, n: int, otherwise: float) -> float:
    found = args[n] if len(args) > n else None
    return found.value if isinstance(found, Amount) else otherwise
