"""The eleven tasks of TypeFly's Table 1, flown in the office. Published figures: 10 runs each on a real drone.

The model `reference` is a test double: plans written by hand, spoken with the latency that the paper's law gives to
GPT-4. It shows that worlds, skills and judges are right; it does not understand anything.
"""

from __future__ import annotations

import math

from sayso.bench.judge import (
    Judge,
    Witness,
    answered,
    at,
    back,
    either,
    every,
    facing,
    full_round,
    ground_m,
    no,
    no_picture,
    picture_of,
    turned_rad,
    unharmed,
    was_at,
)
from sayso.bench.suite import BenchTask, Variant
from sayso.truth import Real


def _high_m(thing: Real) -> float:
    return thing.size_m[2] if thing.size_m else 0.0


def _tallest(w: Witness) -> str:
    behind = {i: t for i, t in w.things("person").items() if abs(w.start.bearing_rad(t.pose)) > math.pi / 2}
    return max(behind, key=lambda i: _high_m(behind[i]))


def _with_cup(w: Witness) -> str:
    return next(i for i, t in w.things("person").items() if t.attributes.get("holding") == "cup")


def _left_people_alone(w: Witness) -> bool:
    """Looked behind and turned to nobody: all turning is the half turn, or a whole one that leads back."""
    return min(abs(abs(turned_rad(w.trail)) - half) for half in (math.pi, 2 * math.pi)) < math.radians(6)


def _closer(to: str, than: str) -> Judge:
    def nearest_m(w: Witness, label: str) -> float:
        return min(ground_m(w.pose, t.pose) for t in w.things(label).values())

    return lambda w: nearest_m(w, to) < nearest_m(w, than)


def _task(number: int, sentence: str, published: tuple[str, str, str, str], *variants: tuple[str, Judge]) -> BenchTask:
    columns = ("success", "r_time_s", "c_time_s", "tokens")
    tried = tuple(Variant(scene, every(judge, unharmed)) for scene, judge in variants)
    return BenchTask(f"{number}", sentence, tried, dict(zip(columns, published, strict=True)))


TASKS = (
    _task(
        1, "Go and take a picture of the chair.", ("10/10", "1.24", "7.83", "7"),
        ("task01", picture_of("chair", near_m=1.5)),
    ),
    _task(
        2, "Could you find an apple? If so, go to it.", ("10/10", "1.28", "12.51", "10"),
        ("task02", at("apple")),
    ),
    _task(
        3, "Go to the largest item you can see right now.", ("10/10", "1.26", "7.28", "6"),
        ("task03", at("person")),
    ),
    _task(
        4, "Find something yellow and sweet.", ("10/10", "1.35", "15.84", "21"),
        ("task04", every(either(answered("banana"), at("banana")), no(answered("lemon")))),
    ),
    _task(
        5, "Can you find something for cutting paper on the table? The table is on your left.",
        ("10/10", "1.19", "11.07", "27"),
        ("task05", either(answered("scissors"), at("scissors"))),
    ),
    _task(
        6, "Find a chair and go to the object that is closest to the chair.", ("10/10", "1.22", "9.95", "38"),
        ("task06", every(at("apple"), _closer("apple", "bottle"))),
    ),
    _task(
        7, "Move up for 1m and check the top of the cabinet, if you see anything red and sweet, take a picture of it. "
        "Otherwise, return to the original position.", ("10/10", "1.19", "38.00", "40"),
        ("task07", picture_of("apple")), ("task07-empty", every(back(0.3, from_m=0.8), no_picture)),
    ),
    _task(
        8, "Can you find something for me to eat? If you can, go for it and return. Otherwise, find and go to "
        "something drinkable.", ("10/10", "1.32", "47.90", "47.1"),
        ("task08", at("coke")), ("task08-food", every(was_at("sandwich"), back(0.5, from_m=0.8))),
    ),
    _task(
        9, "Turn around and go to the apple.", ("7/10", "1.10", "15.44", "15"),
        ("task09", at("apple")),
    ),
    _task(
        10, "If you can see more than two people behind you, then turn to the tallest one that is behind you.",
        ("10/10", "1.22", "12.35", "35.0"),
        ("task10", _left_people_alone), ("task10-three", facing(_tallest)),
    ),
    _task(
        11, "Turn around in a 45-degree step until you see a person with a cup in hand.",
        ("10/10", "1.60", "26.10", "33"),
        ("task11", full_round()), ("task11-cup", facing(_with_cup, within_deg=40.0)),
    ),
)  # fmt: skip
