"""Hand-written sentences, each with a scene and a judge: `sentences/drone.jsonl` made ready to fly.

A judge is written as data: `{"at": "chair"}` is `witness.at("chair")`, several keys must all hold, and
`{"any": [...]}`, `{"every": [...]}`, `{"not": {...}}` combine. What `witness` does not know is added here: where
the drone ended relative to its start, how it turned, what it said, and that a refusal moves nothing.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sayso.errors import UsageError
from sayso.scene import wrap
from witness import (
    Judge,
    Witness,
    at,
    back,
    either,
    every,
    facing,
    ground_m,
    named,
    no,
    pictured,
    turned_rad,
    unharmed,
    was_at,
)

FILE = Path(__file__).parent / "sentences" / "drone.jsonl"

GROUNDED_M = 0.2
STILL_M, STILL_RAD = 0.1, math.radians(5)
REFUSALS = ("refused", "asked", "not_achieved")


@dataclass(frozen=True, slots=True)
class Sentence:
    """What somebody said, where, and when it counts as done. `by` is the kind of person."""

    id: str
    group: str
    scene: str
    by: str
    say: str
    spec: Mapping[str, Any]

    @property
    def judge(self) -> Judge:
        """Nothing may be touched, whatever was asked."""
        return every(judge(self.spec), unharmed)


def sentences(file: Path = FILE) -> list[Sentence]:
    """All of them, in the order of the file."""
    rows = (json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip())
    return [Sentence(r["id"], r["group"], r["scene"], r["by"], r["say"], r["judge"]) for r in rows]


def judge(spec: Mapping[str, Any]) -> Judge:
    """The judge that `spec` describes. Raises `UsageError` for a key that is none."""
    return every(*(_one(key, value) for key, value in spec.items()))


def _one(key: str, value: Any) -> Judge:
    if key not in JUDGES:
        raise UsageError(f"there is no judge {key!r}; there are {', '.join(sorted(JUDGES))}")
    if isinstance(value, Mapping) and key not in ("not", "went"):
        return JUDGES[key](**value)
    return JUDGES[key](value)


# What witness does not know


def refused(yes: bool = True) -> Judge:
    """Nothing moved, nothing was photographed, and the mission says that it was not done."""

    def asked_for_nothing(w: Witness) -> bool:
        moved = any(
            p.distance_m(w.start) > STILL_M or abs(wrap(p.yaw_rad - w.start.yaw_rad)) > STILL_RAD for p in w.trail
        )
        return w.ended is not None and w.ended.outcome in REFUSALS and not moved and not w.pictures

    return asked_for_nothing if yes else no(asked_for_nothing)


def said(*words: str | list[str]) -> Judge:
    """One of the words was spoken."""
    wanted = [word for w in words for word in ([w] if isinstance(w, str) else w)]
    pattern = re.compile("|".join(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])" for word in wanted))
    return lambda w: any(pattern.search(fact.text) for fact in w.said)


def went(by: Mapping[str, float], within_m: float = 0.2) -> Judge:
    """Where the drone ended, in the frame of its start; only what is given counts. Taking off is part of going up."""

    def end(w: Witness) -> bool:
        dx, dy = w.pose.x_m - w.start.x_m, w.pose.y_m - w.start.y_m
        c, s = math.cos(w.start.yaw_rad), math.sin(w.start.yaw_rad)
        real = {"forward_cm": c * dx + s * dy, "left_cm": c * dy - s * dx, "up_cm": w.pose.z_m - w.start.z_m}
        asked = dict(by)
        if "right_cm" in asked:
            asked["left_cm"] = -asked.pop("right_cm")
        return all(abs(real[name] - cm / 100) <= within_m for name, cm in asked.items())

    return end


def turned(left_deg: float, within_deg: float = 12.0) -> Judge:
    """The heading at the end against that of the start, left positive."""
    return lambda w: abs(wrap(w.pose.yaw_rad - w.start.yaw_rad - math.radians(left_deg))) <= math.radians(within_deg)


def spun(deg: float, within_deg: float = 30.0) -> Judge:
    """All turning, in either direction."""
    return lambda w: abs(abs(turned_rad(w.trail)) - math.radians(deg)) <= math.radians(within_deg)


def landed(yes: bool = True) -> Judge:
    return lambda w: (w.pose.z_m < GROUNDED_M) == yes


def was_up(height_m: float) -> Judge:
    """It was that high at some time."""
    return lambda w: max(p.z_m for p in w.trail) >= height_m


def pictures(count: int) -> Judge:
    return lambda w: len(w.pictures) == count


def at_id(thing: str, near_m: float = 1.2) -> Judge:
    """The robot ends at this very thing."""
    return lambda w: ground_m(w.pose, w.pose_of(thing)) <= near_m


def facing_id(thing: str, within_deg: float = 15.0) -> Judge:
    return facing(lambda w: thing, within_deg)


def waited(seconds: float) -> Judge:
    """It took at least that long."""
    return lambda w: w.ended is not None and (w.ended.c_time_s or 0.0) >= seconds


JUDGES: dict[str, Callable[..., Judge]] = {
    "at": at, "was_at": was_at, "back": back, "pictured": pictured, "named": named, "facing": facing_id, "at_id": at_id,
    "refused": refused, "said": said, "went": went, "turned": turned, "spun": spun, "landed": landed,
    "airborne": lambda yes: landed(not yes), "was_up": was_up, "pictures": pictures, "waited": waited,
    "any": lambda specs: either(*map(judge, specs)), "every": lambda specs: every(*map(judge, specs)),
    "not": lambda spec: no(judge(spec)),
}  # fmt: skip
"""Every key that a judge may have."""
