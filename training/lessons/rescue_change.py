"""Changes of a search that is running: a new sighting, another object, another area, another wish for the find.

The model sees the running search in one line and writes all of it as it is after the operator's words, so a change says
for itself what stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from lessons.rescue_caller import Caller
from lessons.rescue_goal import MINUTES, Goal, Named, named, on_find, some, toward
from lessons.rescue_where import called, going
from lessons.rescue_where import some as spoken_list
from lessons.rescue_words import Phrase, coloured, finished, phrase, shade, then, timed
from lessons.telling import Unsaid
from sayso.robots.aircraft.search.wish import STEPS

Change = tuple[str, Goal]
"""What is said, and what the search is then."""

_THEM = {"he": "they", "him": "them", "his": "their"}


def change(c: Caller, goal: Goal) -> Change:
    """Something new about a running search, now and then two things at once."""
    if len({n.sought.label for n in goal.objects}) < len(goal.objects):
        raise Unsaid("two of a kind cannot be told apart")
    said, after = _one(c, goal)
    if c.chance(0.12):
        more, then_after = _one(c, after)
        if _apart(goal, after, then_after):
            said, after = f"{said}{c.rng.choice(('. ', ' and ', ', and ', '. also, '))}{more}", then_after
    if after.wish == goal.wish:
        raise Unsaid("nothing changed")
    framed = c.say("change", "frames", s=said)
    return finished(c, framed, goal.where, _of(c, goal, goal.objects[0])), after


def _apart(before: Goal, between: Goal, after: Goal) -> bool:
    """Whether the second change leaves what the first one did."""
    first = [f for f in ("objects", "areas", "avoid", "on_find") if getattr(before, f) != getattr(between, f)]
    return all(getattr(between, f) == getattr(after, f) for f in first) and not {"areas", "avoid"} <= {
        f for f in ("areas", "avoid") if getattr(before, f) != getattr(after, f)
    }


def _one(c: Caller, goal: Goal) -> Change:
    makers = [maker for maker, weight in _MAKERS.items() for _ in range(weight)]
    return c.rng.choice(makers)(c, goal)


def _of(c: Caller, goal: Goal, one: Named) -> Phrase:
    """Its pronouns, nothing else of it."""
    bare = replace(one, sought=replace(one.sought, colour="", mobility="unknown"))
    return phrase(Caller(c.rng, c.side), bare, alone=len(goal.objects) == 1)


def _with(goal: Goal, at: int, **facts: object) -> Goal:
    objects = list(goal.objects)
    objects[at] = replace(objects[at], sought=replace(objects[at].sought, **facts))  # type: ignore[arg-type]
    return replace(goal, objects=tuple(objects))


def _some_object(c: Caller, goal: Goal) -> tuple[int, Named, dict[str, str]]:
    at = c.rng.randrange(len(goal.objects))
    return at, goal.objects[at], dict(_of(c, goal, goal.objects[at]).pronouns)


def _seen(c: Caller, goal: Goal) -> Change:
    """A new sighting. When the old one was is no longer of interest."""
    at, _, slots = _some_object(c, goal)
    name = some(c.rng, goal.where, 1)[0]
    slots |= {"place": called(c, goal.where, name)}
    if c.chance(0.5):
        said = c.say("new_seen_at", main=True, **slots)
        return said, _with(goal, at, seen_at=name, seen_ago_s=None)
    minutes = c.rng.choice((0, 0, 1, *MINUTES))
    said = c.say("new_seen", "both", main=True, **slots, **timed(c, 60.0 * minutes))
    return said, _with(goal, at, seen_at=name, seen_ago_s=60.0 * minutes)


def _colour(c: Caller, goal: Goal) -> Change:
    at, one, slots = _some_object(c, goal)
    fresh = shade(c.rng, one.sought.colour)
    said = c.say("new_colour" if one.person else "new_painted", main=True, **slots, **coloured(c.rng, fresh))
    return said, _with(goal, at, colour=fresh)


def _when(c: Caller, goal: Goal) -> Change:
    """The time alone."""
    at, one, slots = _some_object(c, goal)
    if one.sought.seen_ago_s is None and not one.sought.seen_at:
        raise Unsaid("that was no sighting")
    minutes = c.rng.choice(MINUTES)
    return c.say("new_ago", "both", main=True, **slots, **timed(c, 60.0 * minutes)), _with(
        goal, at, seen_ago_s=60.0 * minutes
    )


def _ill(c: Caller, goal: Goal) -> Change:
    at, one, slots = _some_object(c, goal)
    if one.sought.category or one.sought.label != "person":
        raise Unsaid("it is in a category")
    return c.say("new_dementia", main=True, **slots), _with(goal, at, category="dementia")


def _toward(c: Caller, goal: Goal) -> Change:
    at, one, slots = _some_object(c, goal)
    if not one.alive:
        raise Unsaid("it goes nowhere")
    name = toward(c.rng, goal.where)
    return c.say("toward", main=True, **slots, goal=going(c, goal.where, name)), _with(goal, at, toward=name)


def _moves(c: Caller, goal: Goal) -> Change:
    at, one, slots = _some_object(c, goal)
    if not one.alive:
        raise Unsaid("it does not move")
    how = c.rng.choice(("still", "slow", "walking"))
    return c.say(how, main=True, **slots), _with(goal, at, mobility=how)


def _instead(c: Caller, goal: Goal) -> Change:
    fresh = _fresh(c, goal)
    spoken = _of(c, goal, goal.objects[0]).pronouns if len(goal.objects) == 1 else _THEM
    said = c.say("instead", main=True, **spoken, who=phrase(c, fresh, alone=False).text)
    return _elsewhere(c, said, replace(goal, objects=(fresh,)))


def _elsewhere(c: Caller, said: str, goal: Goal) -> Change:
    """A new search often comes with its own area, and with what to do on a find."""
    if c.chance(0.35):
        names = tuple(n for n in some(c.rng, goal.where, c.rng.choice((1, 1, 2))) if n not in goal.avoid)
        if names:
            where = c.say("areas", **_of(c, goal, goal.objects[0]).pronouns, where=spoken_list(c, goal.where, names))
            said, goal = f"{said}{c.rng.choice(('. ', ', ', '; '))}{where}", replace(goal, areas=names, kind="")
    if c.chance(0.35):
        steps = on_find(c.rng)
        order = then(c, steps, _of(c, goal, goal.objects[0]), terse=False).removeprefix(", ")
        said, goal = f"{said}{c.rng.choice(('. ', ', ', '; '))}{order}", replace(goal, on_find=steps)
    return said, goal


def _also(c: Caller, goal: Goal) -> Change:
    fresh = _fresh(c, goal)
    if len(goal.objects) > 2:
        raise Unsaid("enough to look for")
    said = c.say("also", main=True, **_of(c, goal, goal.objects[0]).pronouns, who=phrase(c, fresh, alone=False).text)
    return said, replace(goal, objects=(*goal.objects, fresh))


def _fresh(c: Caller, goal: Goal) -> Named:
    """Something else to look for, with no more facts than a noun phrase tells."""
    one = named(c.rng, goal.where)
    if one.sought.label in {n.sought.label for n in goal.objects} or "," in one.noun:
        raise Unsaid("that is sought already")
    kept = replace(one.sought, size_m=None, toward="", seen_at="", seen_ago_s=None)
    if one.group == "dementia" or one.owned:
        kept = replace(kept, mobility="unknown")
    fresh = replace(one, sought=kept)
    left = phrase(Caller(Random(0), c.side), fresh, alone=False).left
    if left:
        raise Unsaid("the phrase does not tell all of it")
    return fresh


def _found(c: Caller, goal: Goal) -> Change:
    if len(goal.objects) < 2:
        raise Unsaid("then the search would be over")
    at, _, slots = _some_object(c, goal)
    return c.say("found", main=True, **slots), replace(
        goal, objects=tuple(n for i, n in enumerate(goal.objects) if i != at)
    )


def _areas(c: Caller, goal: Goal) -> Change:
    names = tuple(n for n in some(c.rng, goal.where, c.rng.choice((1, 1, 2))) if n not in goal.avoid)
    if not names:
        raise Unsaid("those are left out")
    slots = _of(c, goal, goal.objects[0]).pronouns
    said = c.say("new_areas", main=True, **slots, where=spoken_list(c, goal.where, names))
    return said, replace(goal, areas=names, kind="")


def _more_areas(c: Caller, goal: Goal) -> Change:
    names = tuple(n for n in some(c.rng, goal.where, c.rng.choice((1, 1, 2))) if n not in (*goal.areas, *goal.avoid))
    if not names or not goal.areas:
        raise Unsaid("nothing to add")
    slots = _of(c, goal, goal.objects[0]).pronouns
    said = c.say("more_areas", main=True, **slots, where=spoken_list(c, goal.where, names))
    return said, replace(goal, areas=(*goal.areas, *names), kind="")


def _no_areas(c: Caller, goal: Goal) -> Change:
    if not goal.areas:
        raise Unsaid("it is everywhere already")
    return c.say("no_areas", main=True, **_of(c, goal, goal.objects[0]).pronouns), replace(goal, areas=(), kind="")


def _avoid(c: Caller, goal: Goal) -> Change:
    """Leave something out. If it was an area of the search, it is one no more."""
    if len(goal.areas) > 1 and c.chance(0.8):
        names: tuple[str, ...] = (c.rng.choice(goal.areas),)
    else:
        names = tuple(n for n in some(c.rng, goal.where, c.rng.choice((1, 1, 2))) if n not in goal.avoid)
    rest = tuple(a for a in goal.areas if a not in names)
    if not names or (goal.areas and not rest):
        raise Unsaid("nothing would be left to search")
    slots = _of(c, goal, goal.objects[0]).pronouns
    said = c.say("avoid", main=True, **slots, where=spoken_list(c, goal.where, names))
    return said, replace(goal, areas=rest, avoid=(*goal.avoid, *names), kind="")


def _free_again(c: Caller, goal: Goal) -> Change:
    if not goal.avoid:
        raise Unsaid("nothing is left out")
    name = c.rng.choice(goal.avoid)
    said = c.say("free_again", main=True, where=spoken_list(c, goal.where, (name,)))
    return said, replace(goal, avoid=tuple(a for a in goal.avoid if a != name))


def _then(c: Caller, goal: Goal) -> Change:
    steps = on_find(c.rng)
    if steps == goal.on_find:
        raise Unsaid("as before")
    order = then(c, steps, _of(c, goal, goal.objects[0]), terse=False, many=len(goal.objects) > 1).removeprefix(", ")
    return c.say("new_then", "frames", main=True, t=order), replace(goal, on_find=steps)


def _not_there(c: Caller, goal: Goal) -> Change:
    """Another area in the place of one."""
    fresh = tuple(n for n in some(c.rng, goal.where, 1) if n not in (*goal.areas, *goal.avoid))
    if not fresh or not goal.areas:
        raise Unsaid("nothing to put in its place")
    old = c.rng.choice(goal.areas)
    slots = _of(c, goal, goal.objects[0]).pronouns | {"old": spoken_list(c, goal.where, (old,))}
    said = c.say("not_there", main=True, **slots, where=spoken_list(c, goal.where, fresh))
    return said, replace(goal, areas=tuple(fresh[0] if a == old else a for a in goal.areas), kind="")


def _more_then(c: Caller, goal: Goal) -> Change:
    """A picture or a hover beside what is to be done on a find already."""
    step = c.rng.choice(("image", "image", "hover"))
    if step in goal.on_find:
        raise Unsaid("that is asked for already")
    steps = tuple(s for s in STEPS if s in (*goal.on_find, step))
    pronouns = _of(c, goal, goal.objects[0]).pronouns if len(goal.objects) == 1 else _THEM
    return c.say(f"then_add_{step}", main=True, **pronouns), replace(goal, on_find=steps)


def _less_then(c: Caller, goal: Goal) -> Change:
    if "image" not in goal.on_find or len(goal.on_find) < 3:
        raise Unsaid("no picture was asked for")
    pronouns = _of(c, goal, goal.objects[0]).pronouns if len(goal.objects) == 1 else _THEM
    steps = tuple(s for s in goal.on_find if s != "image")
    return c.say("then_no_image", main=True, **pronouns), replace(goal, on_find=steps)


_MAKERS: dict[Callable[[Caller, Goal], Change], int] = {
    _seen: 13, _colour: 6, _toward: 5, _moves: 4, _instead: 8, _also: 9, _found: 6, _areas: 8, _more_areas: 6,
    _no_areas: 3, _avoid: 12, _free_again: 3, _then: 4, _not_there: 9, _more_then: 5, _when: 2, _ill: 2, _less_then: 2,
}  # fmt: skip
