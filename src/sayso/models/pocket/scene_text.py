"""A scene in short: the things in view, with what a picture shows at a glance and figures do not.

    chair 42 37 13 28 blue by table;table 72 43 25 15 by chair

A thing is its label (with the index that a plan can use, where one label stands for several), then x, y, width and
height in hundredths of the image, then its attributes, what it is closest to (`by chair`), and what it is the most of:
`tallest` of all in view, `+tallest` of its kind, of which there are `of 3`. The nearest thing comes first.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from sayso.scene import Box, Scene, Thing, plain

THINGS_MAX = 16
_WIDTH_PER_M = 1.4
"""How wide the image of a usual camera is a metre away: 70 degrees."""


def seen(scene: Scene) -> str:
    """The things in view, nearest first, with what they are the most of."""
    things = sorted(scene.things, key=_away)[:THINGS_MAX]
    return ";".join(_thing(t, scene.things) for t in things)


def _thing(thing: Thing, things: Sequence[Thing]) -> str:
    if thing.box is None:
        return _reference(thing, things)
    alike = [t for t in things if t.label == thing.label]
    alike = alike if len(alike) > 1 else []
    count = [f"of {len(alike)}"] if alike else []
    near = next(iter(closest(thing, things)), None)
    beside = [f"by {_reference(near, things)}"] if near else []
    most = (*_most(thing, things), *(f"+{word}" for word in _most(thing, alike)))
    return " ".join([_reference(thing, things), *count, *_percents(thing), *_attributes(thing), *beside, *most])


def _reference(thing: Thing, things: Sequence[Thing]) -> str:
    """What a plan calls it: its label, with an index where that stands for several."""
    several = sum(t.label == thing.label for t in things) > 1 and thing.box is not None
    return f"{plain(thing.label).lower()}[{_box(thing).x:.2f}]" if several else plain(thing.label).lower()


def _most(thing: Thing, things: Sequence[Thing]) -> Iterator[str]:
    """What the thing is the most of among `things`: to compare numbers is not for so small a model."""
    boxed = [t for t in things if t.box is not None]
    if len(boxed) < 2:
        return
    for word, key in MOST.items():
        if max(boxed, key=key) is thing:
            yield word


def closest(thing: Thing, things: Sequence[Thing]) -> list[Thing]:
    """The others with a place in the image, the one that is closest to `thing` first."""
    others = [t for t in things if t is not thing and t.box is not None]
    return sorted(others, key=lambda t: gap_m(thing, t)) if thing.box is not None else []


def gap_m(one: Thing, other: Thing) -> float:
    """About how far apart two things are on the ground, between their sides, with a camera of the usual width."""
    a, b = _box(one), _box(other)
    a_wide_m, b_wide_m = _WIDTH_PER_M * _away(one), _WIDTH_PER_M * _away(other)
    centres_m = abs((a.x - 0.5) * a_wide_m - (b.x - 0.5) * b_wide_m)
    aside_m = centres_m - (a.width * a_wide_m + b.width * b_wide_m) / 2
    return math.hypot(max(0.0, aside_m), _away(one) - _away(other)) + 0.05 * centres_m


def tall(thing: Thing) -> float:
    """How tall it is, in image heights a metre away: what stands further off looks smaller than it is."""
    box = _box(thing)
    return box.height * (thing.distance_m or 1.0) / math.hypot(1.0, (box.x - 0.5) * _WIDTH_PER_M)


def _away(thing: Thing) -> float:
    return thing.distance_m if thing.distance_m is not None else 0.0


def _box(thing: Thing) -> Box:
    assert thing.box is not None, "only what has a place in the image is compared"
    return thing.box


MOST: Mapping[str, Callable[[Thing], float]] = {
    "largest": lambda t: _box(t).width * _box(t).height,
    "smallest": lambda t: -_box(t).width * _box(t).height,
    "tallest": tall,
    "shortest": lambda t: -tall(t),
    "nearest": lambda t: -_away(t),
    "furthest": _away,
    "leftmost": lambda t: -_box(t).x,
    "rightmost": lambda t: _box(t).x,
    "highest": lambda t: -_box(t).y,
    "lowest": lambda t: _box(t).y,
}


def _percents(thing: Thing) -> Iterator[str]:
    assert thing.box is not None
    box = thing.box
    return (str(min(99, max(0, round(100 * part)))) for part in (box.x, box.y, box.width, box.height))


def _attributes(thing: Thing) -> Iterator[str]:
    for key, value in sorted(thing.attributes.items()):
        yield plain(value).lower() if key == "color" else f"{plain(key)}:{plain(value)}".lower()
