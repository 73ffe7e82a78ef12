"""How people put things, distances, angles and times into words, beside what they mean."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from knowledge import Item, items
from lessons.lists import lists
from sayso.scene import Thing

NUMBERS = {
    1: "one",
    2: "two",
    3: "three",
    4: "four",
    5: "five",
    6: "six",
    7: "seven",
    8: "eight",
    9: "nine",
    10: "ten",
    12: "twelve",
    15: "fifteen",
    20: "twenty",
    25: "twenty five",
    30: "thirty",
    40: "forty",
    45: "forty-five",
    50: "fifty",
    60: "sixty",
    70: "seventy",
    80: "eighty",
    90: "ninety",
    100: "a hundred",
    120: "a hundred and twenty",
    150: "one hundred fifty",
    180: "one hundred eighty",
    200: "two hundred",
}

LITTLE_CM, LITTLE_DEG = 20, 15
"""What "a bit" means; the reflex planner reads it in the same way."""


def a(noun: str) -> str:
    """With its indefinite article."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def some(label: str) -> str:
    """The label as one says that there is one: "an apple", "some scissors"."""
    item = items().get(label)
    return f"{item.some} {label}" if item else a(label)


def plural(label: str) -> str:
    item = items().get(label)
    return item.plural if item else f"{label}s"


def number(rng: Random, n: int) -> str:
    return NUMBERS[n] if n in NUMBERS and rng.random() < 0.5 else str(n)


@dataclass(frozen=True, slots=True)
class Named:
    """A noun phrase for a thing: `text` to stand in a sentence, `bare` without its article."""

    text: str
    bare: str


def naming(rng: Random, item: Item, definite: float = 0.6) -> Named:
    """A way to name one thing of this kind."""
    bare = synonym(rng, item.label, 0.25)
    if bare in ("somebody", "someone"):
        return Named(bare, "person")
    if item.some == "some" and bare == item.label:
        article = rng.choice(("the", "the", "some", "some", "my", ""))
    elif rng.random() < definite:
        article = rng.choice(("the", "the", "the", "the", "the", "the", "that", "my", "our", "this"))
    else:
        article = rng.choice(("a", "a", "a", "a", "one", "any", "some kind of", ""))
    if article == "a":
        return Named(a(bare), bare)
    return Named(f"{article} {bare}".strip(), bare)


def synonym(rng: Random, label: str, chance: float) -> str:
    others = lists("synonyms").get(label)
    return rng.choice(others) if others and rng.random() < chance else label


def shade(rng: Random, colour: str) -> str:
    """What a colour is called: mostly what the camera calls it."""
    return rng.choice(lists("shades")[colour]) if rng.random() < SHADES and colour in lists("shades") else colour


SHADES = 0.22
_WHO = ("person", "person", "man", "woman", "guy")


def _who(rng: Random) -> str:
    return rng.choice(lists("synonyms")["person"]) if rng.random() < 0.2 else rng.choice(_WHO)


def with_colour(rng: Random, thing: Thing, article: str = "the") -> str | None:
    """ "the red chair", "the person in the blue shirt"; None where the thing shows no colour."""
    if thing.label == "person":
        return wearing(rng, thing.attributes["shirt"], article)
    colour = thing.attributes.get("color")
    if colour is None:
        return None
    return f"{article} {shade(rng, colour)} {synonym(rng, thing.label, 0.1)}"


def wearing(rng: Random, shirt: str, article: str = "the") -> str:
    """Somebody told apart by a shirt of that colour; the article stands first."""
    said = rng.choice(lists("wearing")["plain" if rng.random() < 0.65 else "rare"])
    top = rng.choice(lists("wearing")["tops"])
    return f"{article} {said.format(who=_who(rng), c=shade(rng, shirt), top=top)}"


def holding(rng: Random, what: str, article: str = "a") -> str:
    """ "a person with a cup in hand", in many ways."""
    said = rng.choice(lists("holding")["plain" if rng.random() < 0.7 else "rare"])
    return said.format(who=f"{article} {_who(rng)}", what=a(what), bare=what)


# Amounts


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in the unit of its skill, and how it was said."""

    value: float
    text: str


def distance_cm(rng: Random) -> Amount:
    """Mostly what fits into a room."""
    if rng.random() < 0.12:
        return Amount(LITTLE_CM, rng.choice(("a bit", "a little", "a little bit", "slightly", "a tad")))
    cm = rng.choice(
        (
            20,
            25,
            30,
            40,
            50,
            50,
            60,
            70,
            75,
            80,
            90,
            100,
            100,
            100,
            120,
            150,
            150,
            180,
            200,
            200,
            200,
            250,
            300,
            300,
            400,
            500,
            600,
            800,
        )
    )
    return Amount(*_imperial(rng, cm)) if rng.random() < 0.08 else Amount(cm, _metric(rng, cm))


def _metric(rng: Random, cm: int) -> str:
    named = {
        50: ("half a metre", "half a meter", "0.5 m"),
        100: ("a metre", "one metre", "a meter", "1m", "1 m"),
        150: ("one and a half metres", "1.5 m", "1.5 meters", "a metre and a half"),
        200: ("two metres", "2m", "a couple of metres"),
        250: ("two and a half metres", "2.5 metres"),
    }
    if cm in named and rng.random() < 0.5:
        return rng.choice(named[cm])
    if cm % 100 == 0:
        unit = rng.choice(("metres", "meters", "m") if cm > 100 else ("metre", "meter", "m"))
        return f"{number(rng, cm // 100)} {unit}" if unit != "m" else f"{cm // 100} m"
    if cm > 100 and rng.random() < 0.5:
        return f"{cm / 100:g} {rng.choice(('m', 'metres', 'meters'))}"
    unit = rng.choice(("cm", "cm", "centimetres", "centimeters", "cms"))
    return f"{cm if unit.startswith('cm') else number(rng, cm)} {unit}"


def _imperial(rng: Random, cm: int) -> tuple[float, str]:
    if cm < 60:
        inches = rng.choice((8, 10, 12, 15, 20))
        return round(inches * 2.54), f"{number(rng, inches)} {rng.choice(('inches', 'inch'))}"
    feet = rng.choice((2, 3, 4, 5, 6, 7, 8, 10))
    return round(feet * 30.48), f"{number(rng, feet)} {rng.choice(('feet', 'ft', 'foot'))}"


def angle_deg(rng: Random) -> Amount:
    if rng.random() < 0.08:
        return Amount(LITTLE_DEG, rng.choice(("a bit", "a little", "slightly", "a little bit")))
    if rng.random() < 0.08:
        return rng.choice((Amount(90, "a quarter turn"), Amount(180, "half a turn"), Amount(90, "a right angle")))
    deg = rng.choice(
        (10, 15, 20, 25, 30, 30, 45, 45, 45, 60, 60, 70, 80, 90, 90, 90, 90, 100, 120, 135, 150, 180, 180, 270, 360)
    )
    return Amount(deg, degrees(rng, deg) if rng.random() < 0.9 else str(deg))


def degrees(rng: Random, deg: float) -> str:
    unit = rng.choice(("degrees", "degrees", "degrees", "deg", "°", "degree"))
    spelled = number(rng, int(deg)) if deg == int(deg) and unit == "degrees" else f"{deg:g}"
    return f"{spelled}{'' if unit == '°' else ' '}{unit}"


def step(rng: Random) -> tuple[str, str]:
    """A step that divides the circle: "30 degrees", "30-degree"."""
    deg = rng.choice((10, 15, 20, 30, 30, 36, 40, 45, 60, 60, 72, 90, 90, 120))
    spelled = number(rng, deg)
    told = degrees(rng, deg)
    return told, f"{spelled}{rng.choice(('-', ' '))}{rng.choice(('degree', 'degree', 'degrees', 'deg'))}"


def duration_s(rng: Random) -> Amount:
    if rng.random() < 0.1:
        return rng.choice(
            (Amount(60, "a minute"), Amount(60, "one minute"), Amount(30, "half a minute"), Amount(120, "two minutes"))
        )
    s = rng.choice((1, 2, 2, 3, 3, 4, 5, 5, 5, 6, 7, 8, 10, 10, 12, 15, 20, 25, 30, 40, 45, 60))
    unit = rng.choice(("seconds", "seconds", "seconds", "s", "sec", "secs") if s > 1 else ("second",))
    return Amount(s, f"{number(rng, s) if unit.startswith('second') else s} {unit}")


def times(rng: Random) -> tuple[int, str]:
    n = rng.choice((2, 2, 3, 3, 3, 4, 5, 6))
    if n == 2 and rng.random() < 0.6:
        return n, "twice"
    return n, f"{number(rng, n)} times"


# What a comparison of counts is called

MORE: tuple[tuple[str, str], ...] = (
    (">{n}", "more than {N}"),
    (">{n}", "over {N}"),
    (">={n}", "at least {N}"),
    (">={n}", "{N} or more"),
    ("<{n}", "fewer than {N}"),
    ("<{n}", "less than {N}"),
    ("=={n}", "exactly {N}"),
    ("<={n}", "at most {N}"),
)


def comparison(rng: Random) -> tuple[str, str]:
    """The end of an expression, as ">2", and its words."""
    expression, words = rng.choice(MORE)
    n = rng.choice((1, 1, 2, 2, 3, 4))
    if n == 1 and expression[0] != ">":
        n = 2
    return expression.replace("{n}", str(n)), words.replace("{N}", number(rng, n))


@functools.cache
def direction(name: str) -> Sequence[str]:
    return lists("directions")[name]


SIDES: Mapping[str, str] = {
    "behind": "turned(back)", "left": "turned(left)", "right": "turned(right)", "above": "moved(up)",
}  # fmt: skip
"""How to bring a side into view, in the language of goals."""


def side(rng: Random, *names: str) -> tuple[str, str]:
    """A side's motion and its words."""
    name = rng.choice(names or ("behind", "left", "right", "above"))
    return SIDES[name], rng.choice(lists("sides")[name])
