"""The skill of finding out what is asked about known places: it drives there, looks, and says what it has seen.

A question about a place is decided there. Of the whole home it looks first where things of the kind belong; that it has
to look in every room is said before, since it takes long. What is in view is told as it is seen.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from sayso.errors import NotUnderstood, PlanSyntaxError, SkillFailed
from sayso.goal import ALL, ANYTHING, YOU, Which
from sayso.goals.clauses import whiches
from sayso.goals.spoken import told
from sayso.goals.text import parse, quoted
from sayso.grounding.inflection import (
    about,
    counted,
    definite,
    indefinite,
    is_are,
    none_of,
    plural,
    row,
    sentence,
    singular,
)
from sayso.grounding.lexicon import means
from sayso.grounding.matching import must_want, wanted_person
from sayso.grounding.names import Names, Place
from sayso.scene import Thing
from sayso.skill import skill
from sayso.skills.looking import Search
from sayso.skills.name_resolver import ANYONE, SIDES, Nameless, NameResolver, What
from sayso.tables import toml
from sayso.task import UNSENSED

There: TypeAlias = Callable[[str, Place], Awaitable[Mapping[str, Thing]]]
"""(description, place) -> the things or people of it that are seen there, by id."""

GOES = "I go and look first."
EVERYWHERE = "I look in every room for that. It may take a while."
UNTOLD = "I cannot find that out"
FIND_OUT = "find_out"
"""The skill's name."""
SIZES = {"largest": (0, 1), "smallest": (0, -1), "tallest": (1, 1), "shortest": (1, -1)}
"""Ranks that known sizes decide: by all of it or by its height, and which way round."""
FARTHER, NEXT_M = {"nearest": -1, "farthest": 1}, 2.0
"""Ranks that the way decides, and which way round; how far what is next to a place is from it."""


class Finding:
    """The questions of one mission. `tell` says something to the person."""

    def __init__(self, search: Search, names: Names, there: There, tell: Callable[[str], None]) -> None:
        self._search, self._names, self._there, self._tell = search, names, there, tell
        self._named, self._told = NameResolver(names), set[str]()

    @skill(uses=("base", "head"), short="fo", again=True, means="answered({question}, {things})")
    async def find_out(self, question: str, things: str) -> str:
        """The answer to a question of goals about things ('how many', 'drink on counter'), looked up where they are."""
        try:
            asked = parse(f"answered({quoted(question)}, {things})")
            about = list(whiches(asked))
            answer = await self._answered(question, about)
        except Nameless as none:
            raise SkillFailed(await self._instead(none, self._place(self._placed(about[0]))), UNSENSED) from none
        except NotUnderstood as unknown:
            raise SkillFailed(f"I cannot tell. {unknown}", UNSENSED) from unknown
        except PlanSyntaxError as wrong:
            raise SkillFailed(str(wrong)) from wrong
        if not answer:
            raise SkillFailed(UNTOLD, UNSENSED)
        return sentence(answer)

    async def _instead(self, none: Nameless, place: str) -> str:
        """What is told of a thing that it would not recognise: what else is at the place that was asked of."""
        there = Which(source=place)
        seen = self._i_see(await self._look(there), there, self._where(there)) if place else ""
        return f"{none.unseen}. {sentence(seen)}".removesuffix(" .").strip()

    async def _answered(self, question: str, about: Sequence[Which]) -> str:
        which, other = (*map(self._placed, about), Which())[:2]
        if places := self._named.places_asked_of(question, which):
            return self._of_places(question, which, places)
        match question:
            case "what is here":
                return self._i_see(await self._view(which), which, "from here")
            case "how many" | "is it in view":
                return self._in_view(question, which, await self._view(which))
            case "how many all round":
                seen = await self._look(which, all_=True)
                there = f"there {'are' if len(seen) > 1 else 'is'} {counted(len(seen), self._noun(which))}"
                besides = "besides you" if self._named.is_who(which) and self._text(which) == ANYONE else ""
                return f"{there} {self._where(which)} {besides}"
            case "is it here" if which.count == ALL and self._place(which):
                here = await self._seen_at(self._place(which), which)
                some = await self._look(replace(which, source=""), all_=True)
                told = f"of {counted(len({*some, *here}), self._noun(which))} I see {len(here)} {self._where(which)}"
                return f"{'yes' if here and not {*some} - {*here} else 'no'}, {told}"
            case "is it here":
                return self._is_there(which, await self._look(which))
            case "what is on" | "what is all round" | "who is there":
                which = which if question != "what is on" else Which(source=which.kind)
                person = self._named.is_who(which)
                if which.kind != ANYTHING and not (which.source or person) and len(self._sorts(which)) == 1:
                    which = replace(which, source=self._what(which).usual)  # which drinks there are
                return self._i_see(await self._look(which, all_=True), which, self._where(which))
            case "is it so":
                looks = bool(other.traits) or any(one.traits for one in other.among)
                return self._told_of("what colour" if looks else "where", which, await self._look(which))
            case "where" | "what colour" | "what is worn":
                every = which.count == ALL
                seen = await self._look(which, all_=every)
                if every and question == "where" and self._named.is_who(which):
                    return "; ".join(self._stands(_all([one]), one) for one in seen.values())
                return self._told_of(question, which, seen)
            case "how far":
                return self._far(which)
            case "how big" | "how tall":
                return self._measures(which, sides=question == "how big")
            case "where it belongs":
                usual = self._what(which).usual
                name = plural(singular(which.kind)) if which.count == ALL else which.kind
                return f"the place of {definite(name)} is the {usual}" if usual else ""
            case "which one":
                seen = await self._look(which)
                return f"it is {definite(next(iter(seen.values())).label)}" if seen else "I see none of them"
            case "what is next to" if place := self._named.find_place(which.kind):
                known = self._names.places
                beside = [f"the {name}" for name, one in known.items() if _adjacent(one, known[place])]
                return f"next to the {place} I know {row(beside)}"
            case "what is next to":
                what = self._named.what(which)
                seen = await self._look(Which(source=what.where))
                near = must_want(f"object next to {what.text}", self._names).pick(list(seen.values()))
                return f"next to {definite(what.text)} I see {_all(near)}" if seen else ""
            case "which are more":
                return self._more(which, other, await self._look(which, all_=True), await self._look(other, all_=True))
        return self._compared(question.removeprefix("which is "), which, other)

    def _of_places(self, question: str, which: Which, places: Sequence[str]) -> str:
        known, rooms = [self._names.places[one] for one in places if one in self._names.places], self._named.rooms()
        match question:
            case "how many" | "how many all round":
                return f"there {'are' if len(places) > 1 else 'is'} {counted(len(places), singular(which.kind))}"
            case "what is all round" | "is it here":
                return f"{'yes, ' if question == 'is it here' else ''}there is {row([definite(one) for one in places])}"
            case "where" | "how far" if known:
                return row([self._way(one, far=question == "how far" or one.name in rooms) for one in known])
        return ""

    def _way(self, place: Place, *, far: bool) -> str:
        """In which room a place is, or how long the way is to it."""
        if not far:
            return f"the {place.name} is in the {place.room}"
        long_m = self._way_m(place)
        return f"it is {about(long_m, 'm')} from here to the {place.name}" if long_m is not None else ""

    def _way_m(self, place: Place) -> float | None:
        return self._search.robot.way_m(place.stand.x_m, place.stand.y_m, near_m=1.0)

    async def _look(self, which: Which, *, all_: bool = False) -> Mapping[str, Thing]:
        """What is meant, where it was said to be; else where it belongs, and in every room until one is found, or with
        `all_` in all of them."""
        who, seen = self._named.is_who(which), dict[str, Thing]()
        if place := self._place(which):
            return await self._seen_at(place, which)
        kinds = [] if who else [self._what(which), self._what(Which(self._sorts(which)[0]))]
        if usual := next((one.usual for one in kinds if one.usual and not all_), ""):
            seen.update(await self._seen_at(usual, which))
        if usual and not seen and which.relation and await self._seen_at(usual, which.relation.to):
            return seen  # what it should stand beside is there, and it is not beside that
        if not seen:
            self._says(EVERYWHERE)
        for room in self._named.rooms() if who else self._named.furnished():
            if seen and not all_:
                break
            seen.update(await self._seen_at(room, which))
        return seen

    async def _seen_at(self, place: str, which: Which) -> Mapping[str, Thing]:
        """What is meant of a place, without what is excepted."""
        sorts = self._sorts(which)
        if not self._told:
            self._says(GOES)
        seen = await self._there(sorts[0] if len(sorts) == 1 else "object", self._names.places[place])
        some = [*seen.values()]
        meant = {t.id for sort in sorts for t in self._pick(Which(sort))(some)} if len(sorts) > 1 else {*seen}
        out = {t.id for but in which.but for t in self._picked(but, some)}
        return {id_: t for id_, t in seen.items() if id_ in meant - out}

    def _says(self, what: str) -> None:
        """That it goes to look, once."""
        if what not in self._told:
            self._tell(what)
        self._told.add(what)

    async def _view(self, which: Which) -> Mapping[str, Thing]:
        """What is meant, of what is before the robot as it stands."""
        view = await self._search.in_view()
        picked = view if which.kind == ANYTHING else self._pick(which)(view)
        if self._named.is_who(which) and self._text(which) == ANYONE:
            picked = [one for one in view if one.label == ANYONE]  # who asks is somebody too
        out = [t for but in which.but for t in self._picked(but, view)]
        return {t.id: t for t in picked if t not in out}

    def _picked(self, which: Which, view: Sequence[Thing]) -> list[Thing]:
        """What is meant, of any of the kinds that a word may stand for."""
        kinds = () if self._named.is_who(which) else self._what(which).choices
        return [t for kind in kinds or (which.kind,) for t in self._pick(replace(which, kind=kind))(view)]

    def _pick(self, which: Which) -> Callable[[Sequence[Thing]], list[Thing]]:
        if self._named.is_who(which):
            return wanted_person(self._text(which), self._names, None).pick
        return must_want(self._text(which), self._names).pick

    def _text(self, which: Which) -> str:
        return self._named.who(which).text if self._named.is_who(which) else self._what(which).text

    def _sorts(self, which: Which) -> list[str]:
        """The kinds that are looked for; for a use, also what is of it by the dictionary: fruit is food."""
        text, of = self._text(which), dict[str, list[bool]]()
        if choices := self._what(which).choices if not self._named.is_who(which) else ():
            return [self._text(replace(which, kind=kind)) for kind in choices]
        if text not in toml("sayso.grounding", "things.toml")["uses"]:
            return [text]
        for name, known in self._names.kinds.items():
            of.setdefault(known.get("category", ""), []).append(means(text, name))
        return list(dict.fromkeys([text, *(c for c, are in of.items() if sum(are) * 2 > len(are))]))

    def _what(self, which: Which) -> What:
        """What to look for; what of it is excepted is left out of what is seen."""
        return self._named.what(replace(which, but=()))

    def _placed(self, which: Which) -> Which:
        """A thing at a place as one from there."""
        to = which.relation.to.kind if which.relation else ""
        place = self._named.find_place(to, which.kind) if to else ""
        if not place and which.relation and which.relation.word == "in":  # in with the toys, or a room that is none
            place = self._named.place(Which(to)) if self._named.is_who(which) else ""
            place = place or self._named.usual(self._names.category(to))
        if to and to != YOU and not (place or self._names.thing(to) or self._names.category(to)):
            raise NotUnderstood(f"I know of no {to} here.")
        return replace(which, relation=None, source=place) if place else which

    def _place(self, which: Which) -> str:
        return self._named.find_place(which.source) if which.source else ""

    def _where(self, which: Which) -> str:
        """At which place, as it goes on behind a sentence."""
        known = self._names.places.get(self._place(which))
        return f"{'in' if known.is_room else 'on' if known.placement else 'at'} the {known.name}" if known else ""

    def _far(self, which: Which) -> str:
        """How far it is to a place, or to where a thing belongs; empty where that is not known."""
        place = self._named.find_place(which.kind)
        usual = "" if place or self._named.is_who(which) else self._what(which).usual
        if not (known := self._names.places.get(place or usual)):
            return ""
        far_m = known.stand.level_m(self._search.robot.state().pose)
        way = f"it is {about(far_m, 'm')} to the {known.name}"
        return f"{way}, where {definite(which.kind)} belongs" if usual else way

    def _measures(self, which: Which, *, sides: bool) -> str:
        if not (size := self._size_m(which)):
            return ""
        long, wide, high = (about(one, "m") for one in size)
        return f"{definite(which.kind)} is {f'{long} by {wide} and ' if sides else ''}{high} high"

    def _i_see(self, seen: Mapping[str, Thing], which: Which, where: str) -> str:
        if self._named.is_who(which):
            stand = "; ".join(self._stands(_all([one]), one) for one in seen.values())
            if not seen or not where:
                return stand or f"nobody is {where or 'here'}"
        return f"I see {_all(seen.values()) if seen else none_of(self._noun(which))} {where}"

    def _in_view(self, question: str, which: Which, seen: Mapping[str, Thing]) -> str:
        some = counted(len(seen), self._noun(which)) if question == "how many" else _all(seen.values())
        yes = "" if question == "how many" else "yes, " if seen else "no, "
        return f"{yes}I see {some if seen else none_of(self._noun(which))} from here"

    def _is_there(self, which: Which, seen: Mapping[str, Thing]) -> str:
        """Whether there is so much of it, and where one is."""
        where = self._where(which)
        if self._named.is_who(which):
            who = self._named.who(which)
            there = "; ".join(self._stands(_all([one]), one) for one in seen.values())
            if seen:
                return f"yes, {f'I see {_all(seen.values())} {where}' if where else there}"
            if who.text == ANYONE:
                return f"no, nobody is {where or 'here'}"
            return f"no, I do not see {who.text} {where}" if who.named else f"no, I see no {who.text} {where}"
        if len(seen) < max(1, which.count):
            none = none_of(told(replace(which, kind=self._noun(which), traits=(), count=1, source="")))
            few = f"I see {counted(len(seen), self._noun(which))}" if seen else f"there is {none}"
            return f"no, {few} {where}"
        on = {t.attributes.get("on", "") for t in seen.values()} - {""}
        spot = where or f"on {row([f'the {place}' for place in sorted(on)])}"
        if near := which.relation:
            spot = f"{SIDES.get(near.word, near.word)} {definite(self._text(near.to))} {spot}"
        return f"yes, I see {_all(seen.values())} {spot}"

    def _told_of(self, question: str, which: Which, seen: Mapping[str, Thing]) -> str:
        person, name = self._named.is_who(which), self._text(which)
        called = name if person and self._named.who(which).named else definite(name)
        if not seen:
            return f"I did not find {called} {self._where(which)}"
        one = next(iter(seen.values()))
        match question:
            case "where" if person:
                return self._stands(called, one)
            case "where":
                on = one.attributes.get("on", "floor")
                return f"{called} {is_are(name)} on the {on}"
            case "what is worn" if worn := one.attributes.get("clothing", ""):
                return f"{called} wears {indefinite(worn)}"
            case "what colour" if colour := one.attributes.get("shirt" if person else "color", ""):
                return f"{called} {'wears' if person else 'is'} {colour}"
        return ""

    def _stands(self, called: str, one: Thing) -> str:
        near = self._names.place_at(one.pose) if one.pose else None
        are = "are" if called == "you" else "is"
        return f"{called} {are} {'in' if near.is_room else 'at'} the {near.name}" if near else f"I see {called}"

    def _more(self, one: Which, other: Which, some: Mapping[str, Thing], others: Mapping[str, Thing]) -> str:
        first, second = (f"{plural(self._noun(which))} {self._where(which)}".strip() for which in (one, other))
        told = f"{counted(len(some), self._noun(one))} and {counted(len(others), self._noun(other))}"
        if len(some) == len(others):
            return f"there are as many {first} as {second}: {told}"
        return f"there are more {first if len(some) > len(others) else second}: {told}"

    def _compared(self, rank: str, one: Which, other: Which) -> str:
        """Of two kinds of things, by how large the robot knows them to be; of two places, by the way to them."""
        places = [self._names.places.get(self._named.find_place(which.kind)) for which in (one, other)]
        if rank in FARTHER:
            ways = [self._way_m(place) if place else None for place in places]
            measured = [None if far is None else far * FARTHER[rank] for far in ways]
            both = zip(places, (one, other), strict=True)
            names = [f"the {place.name}" if place else definite(self._text(which)) for place, which in both]
        else:
            sizes = [self._size_m(which) for which in (one, other)]
            by, way = SIZES.get(rank, (0, 0))
            measured = [way * (s[0] * s[1] * s[2], s[2])[by] if s and way else None for s in sizes]
            names = [
                definite(which.kind if place else self._text(which))
                for which, place in zip((one, other), places, strict=True)
            ]
        a, b = measured
        if a is None or b is None:
            return ""
        more = definite(rank) + " of the two"
        return f"{row(names)} are alike in that" if a == b else f"{names[0] if a > b else names[1]} is {more}"

    def _size_m(self, which: Which) -> Sequence[float] | None:
        """Of a place or of a kind of thing, where it is known."""
        place = self._names.places.get(self._named.find_place(which.kind))
        size: Sequence[float] | None = place.size_m if place else self._named.size_m(which)
        return size if size and any(size) else None

    def _noun(self, which: Which) -> str:
        """One of what is meant, without an article."""
        if which.kind == ANYTHING:
            return " ".join((*which.traits, ANYTHING))
        return singular(ANYONE if self._text(which) == ANYONE else " ".join((*which.traits, which.kind)))


def _all(things: Iterable[Thing]) -> str:
    """People by name, and each kind of things once, with how many of it."""
    kinds = Counter(t.attributes.get("name", "somebody") if t.label == ANYONE else t.label for t in things)
    return row([_called(label, many) for label, many in kinds.items()])


def _adjacent(place: Place, other: Place) -> bool:
    if place.at is None or other.at is None or place is other:
        return False
    return place.at.level_m(other.at) <= NEXT_M


def _called(label: str, many: int) -> str:
    if label == "operator":
        return "you"
    if label == "somebody":
        return label if many == 1 else counted(many, ANYONE)
    return counted(many, singular(label)) if many > 1 else definite(label)
