"""The matching of a description with the things or people in view.

    the red one · a drink · object on top of the potato chips · biggest fruit · leftmost object
    Mary · person waving · man in the red t-shirt · woman raising her left arm · somebody lying down

A description is read as what it says, never as a name that must exist: a kind of thing or person, and the conditions
that the words add to it. A word that means nothing here is no condition.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sayso.errors import SkillFailed
from sayso.grounding.inflection import listed
from sayso.grounding.names import OPERATOR_NAMES, Names, bare
from sayso.grounding.people import looks
from sayso.grounding.utterance import PERSON, table
from sayso.scene import Thing
from sayso.tables import toml
from sayso.task import UNKNOWN_NAME

RELATIONS = ("on top of", "left of", "right of", "next to", "beside", "behind", "in front of", "under", "underneath")
RELATION_NAMES = {"to the left of": "left of", "to the right of": "right of", "above": "on top of", "beneath": "under",
                  "at the left of": "left of", "at the right of": "right of", "near": "next to",
                  "on the left of": "left of", "on the right of": "right of"}  # fmt: skip
SUPERLATIVES: Mapping[str, str] = toml(__package__, "things.toml")["superlatives"]
ANY_THING = ("object", "objects", "thing", "things", "item", "items", "one", "something", "anything", "it")

BUT = " but not "
"""What leads over to what is excepted, one or the other."""
MISPLACED = "misplaced"
"""What a description says of a thing that is not where its kind belongs."""

Pick = Callable[[Sequence[Thing]], list[Thing]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a description asks for: `pick` finds it in a view, best first; `name` says it back.

    `usual` is the name to look up a usual place for: an object or a category. `place` is where it is said to be.
    """

    name: str
    pick: Pick
    usual: str = ""
    place: str = ""


# Things


def wanted_thing(text: str, names: Names) -> Wanted | None:
    """A description of a thing, or None where no word of it is known."""
    said, excepted, out = _relations(bare(text)).partition(BUT)
    if excepted:
        return _without(wanted_thing(said, names), [must_want(one, names) for one in out.split(" or ")])
    for relation in RELATIONS:
        head, found, tail = said.partition(f" {relation} ")
        if found and (anchor := names.thing(tail) or names.category(tail)):
            return Wanted(said, _related(relation, anchor, _simple(head, names)), anchor)
    said, there = _on(said, names)
    plain = _simple(said, names, there)
    best = next((key for word, key in SUPERLATIVES.items() if word in said), "")
    usual = names.thing(said) or names.category(said)
    colour = _colour(said)
    if not (usual or best or colour or any(w in said.split() for w in ANY_THING)):
        return None
    if best:
        return Wanted(said, lambda view: ranked([t for t in view if plain(t)], best, names), usual, there)
    return Wanted(said, lambda view: [t for t in view if plain(t)], usual, there)


def _without(wanted: Wanted | None, out: Sequence[Wanted]) -> Wanted | None:
    """What is meant, but for what is excepted."""
    if wanted is None:
        return None
    meant = wanted.pick
    name = f"{wanted.name}{BUT}{' or '.join(one.name for one in out)}"
    return replace(wanted, name=name, pick=lambda view: [t for t in meant(view) if not any(o.pick([t]) for o in out)])


def must_want(text: str, names: Names) -> Wanted:
    """Raises `SkillFailed` with the known names."""
    if wanted := wanted_thing(text, names):
        return wanted
    raise SkillFailed(f"no object is called {text!r}; the objects are {listed(list(names.kinds))}", UNKNOWN_NAME)


def _on(said: str, names: Names) -> tuple[str, str]:
    """A description without the place that it ends with, and that place's name."""
    found = re.match(r"(.+?) (?:that is |which is |lying |standing )?(?:on|at|in|from) (?:the )?(.+)$", said)
    place = names.place(found[2]) if found else None
    return (found[1], place.name) if found and place else (said, "")


def _simple(said: str, names: Names, there: str = "") -> Callable[[Thing], bool]:
    """A condition on one thing: its name, else its category, its colour, and the place that it is on."""
    name, category = names.thing(said), names.category(said)
    colour = _colour(said) if name != "orange" and not name.startswith(_colour(said) or "?") else ""
    misplaced = MISPLACED in said.split()

    def fits(thing: Thing) -> bool:
        if thing.label == "person":
            return False
        if there and (room := names.places[there]).is_room and not (thing.pose and room.holds(thing.pose)):
            return False
        if there and not names.places[there].is_room and thing.attributes.get("on") != there:
            return False
        if misplaced and not _misplaced(thing, names):
            return False
        if name and thing.label != name:
            return False
        if not name and category and thing.attributes.get("category") != category:
            return False
        shades = thing.attributes.get("color", "").split()  # dark purple is purple
        return not colour or colour.replace("gray", "grey") in shades

    return fits


def _misplaced(thing: Thing, names: Names) -> bool:
    usual = names.usual_place(thing.label)
    return usual is not None and thing.attributes.get("on", usual.name) != usual.name


def _colour(said: str) -> str:
    return next((c for c in table()["traits"]["colours"] if c in said.split()), "")


def _relations(said: str) -> str:
    for long, short in RELATION_NAMES.items():
        said = re.sub(rf"\b{long}\b", short, said)
    return said


def _related(relation: str, anchor: str, fits: Callable[[Thing], bool]) -> Pick:
    def pick(view: Sequence[Thing]) -> list[Thing]:
        anchors = [t for t in view if anchor in (t.label, t.attributes.get("category"))]
        things = [t for t in view if t.label != "person" and t not in anchors and fits(t)]
        near = [(_off(relation, thing, a), thing.id, thing) for a in anchors for thing in things]
        if relation in ("next to", "beside"):
            near = [one for one in near if not any(between(one[2], a, view) for a in anchors)]
        return [thing for off, _, thing in sorted(near, key=lambda e: e[:2]) if off < 1.0]

    return pick


def _off(relation: str, thing: Thing, anchor: Thing) -> float:
    """How badly a thing stands in a relation to another: below 1 it does. Sides are the viewer's, in the image."""
    if thing.pose is None or anchor.pose is None:
        return 9.0
    apart_m, up_m = thing.pose.level_m(anchor.pose), thing.pose.z_m - anchor.pose.z_m
    if relation == "on top of":
        return 0.0 if thing.attributes.get("on") == anchor.label or (apart_m < 0.08 and up_m > 0.03) else 9.0
    if relation in ("under", "underneath"):
        return 0.0 if anchor.attributes.get("on") == thing.label or (apart_m < 0.08 and up_m < -0.03) else 9.0
    if apart_m > 0.9:
        return 9.0
    if relation in ("left of", "right of"):
        aside = thing.box.x - anchor.box.x if thing.box and anchor.box else 0.0
        good = aside < 0 if relation == "left of" else aside > 0
        return min(0.99, apart_m) if good else 9.0
    nearer = (anchor.distance_m or 0.0) - (thing.distance_m or 0.0)
    if relation in ("behind", "in front of"):
        good = nearer < -0.04 if relation == "behind" else nearer > 0.04
        return min(0.99, apart_m) if good else 9.0
    return min(0.99, apart_m) if apart_m < 0.5 else 9.0


def ranked(things: Sequence[Thing], key: str, names: Names) -> list[Thing]:
    """Things by a superlative, the best first; `key` is a value of `SUPERLATIVES`."""
    sign = -1.0 if key.startswith("-") else 1.0

    def measure(thing: Thing) -> float:
        kind = names.kinds.get(thing.label, {})
        length, width, height = kind.get("size_m", (0.0, 0.0, 0.0))
        values = {
            "size": length * width * height,
            "height": height,
            "mass": float(kind.get("mass_kg", 0.0)),
            "width": min(length, width, height),
            "left": -(thing.box.x if thing.box else 0.5),
        }
        return sign * float(values[key.lstrip("-")])

    return sorted(things, key=measure, reverse=True)


def between(thing: Thing, anchor: Thing, view: Iterable[Thing]) -> bool:
    """Whether another thing stands nearer to both of them than they stand to each other."""
    if thing.pose is None or anchor.pose is None:
        return False
    apart_m, near = thing.pose.level_m(anchor.pose), (thing.id, anchor.id)
    poses = [one.pose for one in view if one.pose and one.id not in near and one.label != PERSON]
    return any(max(pose.level_m(thing.pose), pose.level_m(anchor.pose)) < apart_m for pose in poses)


# People


def wanted_person(text: str, names: Names, last: Thing | None) -> Wanted:
    """A description of a person. `me` is the operator; a pronoun is the person found last."""
    said = bare(text)
    words = re.findall(r"[a-z'-]+", said)
    if said in OPERATOR_NAMES or "operator" in words:
        return Wanted("operator", lambda view: [p for p in _people(view) if p.attributes.get("name") == "operator"])
    if name := names.person(text):
        return Wanted(name, lambda view: [p for p in _people(view) if p.attributes.get("name") == name])
    if last is not None and said in ("him", "her", "them", "he", "she", "this person", "that person", "the person"):
        return Wanted(said, lambda view: [p for p in _people(view) if p.id == last.id])
    conditions = looks(said)

    def pick(view: Sequence[Thing]) -> list[Thing]:
        return [p for p in _people(view) if p.attributes.get("name") != "operator" and _suits(p, conditions)]

    return Wanted(said, pick)


def _suits(person: Thing, asked: Mapping[str, str]) -> bool:
    garment = asked.get("garment")
    if garment and not person.attributes.get("clothing", "").endswith(f" {garment}"):
        return False
    return all(person.attributes.get(key, "") == value for key, value in asked.items() if key != "garment")


def _people(view: Sequence[Thing]) -> list[Thing]:
    return [t for t in view if t.label == "person"]
