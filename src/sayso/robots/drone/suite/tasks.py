"""The eleven tasks of TypeFly's Table 1, flown in the office. Published figures: 10 runs each on a real drone.

The model `reference` is a test double: plans written by hand, spoken with the latency that the paper's law gives to
GPT-4. It shows that worlds, skills and judges are right; it does not understand anything.
"""

from __future__ import annotations

from itertools import starmap

from sayso.bench.suite import BenchTask, Variant

HALF = "{ { turned(left, 180 deg) or turned(right, 180 deg) }; not turned(left, 225 deg); not turned(right, 225 deg) }"
ROUND = "{ { turned(left, 360 deg) or turned(right, 360 deg) }; not turned(left, 405 deg); not turned(right, 405 deg) }"
"""That far and no further."""
UNHARMED = "never touched(thing)"


def _task(number: int, sentence: str, published: tuple[str, str, str, str], *variants: tuple[str, str]) -> BenchTask:
    columns = ("success", "r_time_s", "c_time_s", "tokens")
    return BenchTask(
        f"{number}", sentence, tuple(starmap(Variant, variants)), dict(zip(columns, published, strict=True))
    )


TASKS = (
    _task(
        1, "Go and take a picture of the chair.", ("10/10", "1.24", "7.83", "7"),
        ("task01", "picture(chair, 1.2 m); only picture(chair)"),
    ),
    _task(
        2, "Could you find an apple? If so, go to it.", ("10/10", "1.28", "12.51", "10"),
        ("task02", "at(apple)"),
    ),
    _task(
        3, "Go to the largest item you can see right now.", ("10/10", "1.26", "7.28", "6"),
        ("task03", "at(person, 0.8 m)"),
    ),
    _task(
        4, "Find something yellow and sweet.", ("10/10", "1.35", "15.84", "21"),
        ("task04", "{ named(banana) or at(banana) }; not named(lemon)"),
    ),
    _task(
        5, "Can you find something for cutting paper on the table? The table is on your left.",
        ("10/10", "1.19", "11.07", "27"),
        ("task05", "named(scissors) or at(scissors)"),
    ),
    _task(
        6, "Find a chair and go to the object that is closest to the chair.", ("10/10", "1.22", "9.95", "38"),
        ("task06", "at(apple, 0.8 m)"),
    ),
    _task(
        7, "Move up for 1m and check the top of the cabinet, if you see anything red and sweet, take a picture of it. "
        "Otherwise, return to the original position.", ("10/10", "1.19", "38.00", "40"),
        ("task07", "picture(apple); only picture(apple)"),
        ("task07-empty", "{ moved(up, 1 m) then moved(down, 1 m) }; home; not picture"),
    ),
    _task(
        8, "Can you find something for me to eat? If you can, go for it and return. Otherwise, find and go to "
        "something drinkable.", ("10/10", "1.32", "47.90", "47.1"),
        ("task08", "at(coke)"), ("task08-food", "visited(sandwich) then home"),
    ),
    _task(
        9, "Turn around and go to the apple.", ("7/10", "1.10", "15.44", "15"),
        ("task09", "at(apple)"),
    ),
    _task(
        10, "If you can see more than two people behind you, then turn to the tallest one that is behind you.",
        ("10/10", "1.22", "12.35", "35.0"),
        ("task10", f"{HALF} or {ROUND}; not toward('person-4', 10 deg); not toward('person-5', 10 deg)"),
        ("task10-three", "facing(tallest person)"),
    ),
    _task(
        11, "Turn around in a 45-degree step until you see a person with a cup in hand.",
        ("10/10", "1.60", "26.10", "33"),
        ("task11", ROUND), ("task11-cup", "toward(person.cup, 40 deg)"),
    ),
)  # fmt: skip
