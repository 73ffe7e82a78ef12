"""What code reads of an operator's words by itself, held against what a model made of them.

Bounds, an order, an end of it all and who is to be told are kept as they were said, whatever the model made of them.
A small model, which writes the short form, makes things up: what nobody said is taken out of its reading again, what it
forgot is put in, and where the two still part, or what matters was not said, one short question is asked before flying.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sayso.grounding.said import read
from sayso.grounding.terms import Terms, count_of, nouns_of, terms
from sayso.robots.aircraft.search.craft import LEVELS_M
from sayso.robots.aircraft.search.wish import STEPS, Bounds, SearchWish, Sought

GREY = {"gray": "grey"}
NO_HANDS = "I fly and look; I cannot carry, fetch or handle anything. I can find, confirm and report: say that alone."
PEOPLE = ("person", "child")
OFFERED = 4
"""So many places are named in a question."""


@dataclass(frozen=True)
class Words:
    """An operator's words over a map: `places` are its names, `kinds` those of its ground."""

    text: str
    places: tuple[str, ...]
    kinds: tuple[str, ...]
    terms: Terms

    @classmethod
    def of(cls, text: str, places: Sequence[str], kinds: Sequence[str]) -> Words:
        return cls(text, tuple(places), tuple(kinds), terms(text, places))

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
        if self.bounds.levels(LEVELS_M):
            return ""
        levels = ", ".join(f"{h:g}" for h in LEVELS_M)
        return f"{self.bounds}: I search from {levels} m above the ground and do not fly lower; say one of these"

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

    # A small model's reading

    def mended(self, wish: SearchWish, running: SearchWish | None) -> SearchWish:
        """Without what nobody said, and with what code reads for sure."""
        before = running or SearchWish(())
        sought = [s if s in before.sought else self._sought(s, before) for s in wish.sought]
        sought = list(dict.fromkeys(sought))
        counts = [count_of(s.label, self.text) for s in sought]
        if len({s.label for s in sought}) == len(sought) and sum(c > 1 for c in counts) == 1:
            sought = [replace(s, count=max(s.count, count)) for s, count in zip(sought, counts, strict=True)]
        if len(sought) == 1:
            sought = [self._alone(sought[0])]
        known = {*self.terms.places, *before.areas, *before.avoid}
        steps = ({*wish.on_find} & {"home", "confirm", *before.on_find} | self.terms.wanted) - self.terms.unwanted
        return replace(
            wish,
            sought=tuple(sought),
            areas=tuple(a for a in wish.areas if a in known),
            avoid=tuple(a for a in wish.avoid if a in known),
            on_find=tuple(s for s in STEPS if s in steps),
        )

    def _sought(self, sought: Sought, before: SearchWish) -> Sought:
        """What is told of one, without what neither these words nor those before say."""
        known = next((b for b in before.sought if b.label == sought.label), Sought(sought.label))
        said, ago_s = read(self.text), self.terms.ago_s
        lengths = [q.value for q in said.quantities if q.unit == "m"]
        colour = GREY.get(sought.colour, sought.colour)
        return replace(
            sought,
            colour=colour if colour in (known.colour, *self._colours) else known.colour,
            size_m=sought.size_m if sought.size_m in lengths else known.size_m,
            seen_ago_s=known.seen_ago_s if ago_s is None else ago_s if sought.seen_at or sought.seen_ago_s else None,
            category=sought.category if said.names(sought.category) else known.category,
            toward=sought.toward if self._spoken(sought.toward) else known.toward,
            seen_at=sought.seen_at if self._spoken(sought.seen_at) else known.seen_at,
        )

    def _alone(self, one: Sought) -> Sought:
        """Of the only one, the only colour and the only time that were said are its own."""
        colour = one.colour or (next(iter(self._colours)) if len(self._colours) == 1 else "")
        return replace(one, colour=colour, seen_ago_s=self.terms.ago_s if one.seen_ago_s is None else one.seen_ago_s)

    @property
    def _colours(self) -> frozenset[str]:
        return frozenset(GREY.get(c, c) for c in read(self.text).colours)

    def _spoken(self, place: str) -> bool:
        """Whether a place or a kind of ground was named."""
        return place in self.terms.places or (place in self.kinds and read(self.text).names(place))

    def question(self, wish: SearchWish, running: SearchWish | None) -> str:
        """What has to be asked before this is flown; empty where nothing."""
        return self._whom(wish, running) or self._where(wish, running)

    def _whom(self, wish: SearchWish, running: SearchWish | None) -> str:
        """Every one of them was spoken of, and there are as many as were spoken of."""
        said, before = read(self.text), {s.label for s in running.sought} if running else set()
        labels = Counter(s.label for s in wish.sought if s.label not in before)
        colours = Counter(s.colour for s in wish.sought if s.colour and s.label not in before)
        for label, entries in labels.items():
            if not nouns_of(label, self.text) or any(
                n > said.text.split().count(c) for c, n in colours.items() if c in said.colours
            ):
                return "Who or what is missing?"
            several = sum(s.count for s in wish.sought if s.label == label)
            if entries > 1 and several != count_of(label, self.text):
                return f"Is it one {label}, or {entries}?"
        people = count_of("person", self.text)
        if people > 1 and not running and sum(s.count for s in wish.sought if s.label in PEOPLE) not in (1, people):
            return f"Are {people} people missing, and what else?"
        return ""

    def _where(self, wish: SearchWish, running: SearchWish | None) -> str:
        """Every place that was named has its part, and there is one to begin with."""
        t, seen = self.terms, self._seen(wish)
        if vague := next((v for v in t.vague if {*v[1]} <= {*wish.areas, *seen}), None):
            return f"Which {vague[0]}: {_either(vague[1])}?"
        used = {*wish.areas, *wish.avoid, *seen, *(s.toward for s in wish.sought)}
        loose = [p for p in t.places if p not in used and not any(p in group for _, group in t.vague)]
        loose += [p for p in wish.avoid if p not in (*t.skip, *t.off) and not (running and p in running.avoid)]
        if loose:
            return f"What is it with {_either(loose)}: shall I search there, or leave it out?"
        if t.ordered and len(wish.areas) < 2 and not running:
            return f"In which order shall I search: {_either(t.places)}?"
        placed = wish.areas or seen or any(s.toward for s in wish.sought)
        if not (placed or t.everywhere or running):
            return f"Where shall I search: {_either(self._named())}, or everywhere?"
        return ""

    @staticmethod
    def _seen(wish: SearchWish) -> list[str]:
        return [s.seen_at for s in wish.sought if s.seen_at]

    def _named(self) -> Sequence[str]:
        """Some places, those of the grid left aside."""
        return [p for p in self.places if len(p) > 3][:OFFERED] or self.places[:OFFERED]


def _either(names: Sequence[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
