"""Fly lessons that training held out: the model's plan, and the oracle's beside it, and compare what came of them.

    python training/fly_lessons.py --lessons 200
    python training/fly_lessons.py --model pocket:/tmp/weights --side frame --show 10

`recite.py` compares letters; here two drones are told the same in two rooms that look as the lesson's scene does, one
with the oracle's plan, the other with the model's. Right is who met the same outcome, said the same, took the same
pictures, went the same way, turned as far, took as long and ended in the same place. Nothing of a plan is compared.
Questions about the scene are the model's own in both rooms; recite counts those. Left out are lessons whose room does
not read as its scene does (one thing hides another), and those whose oracle had to plan anew there, since who is to be
believed then; the last column counts them.
"""

from __future__ import annotations

import argparse
import math
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

from lessons import SIDES, Lesson
from lessons.rooms import HALF_HEIGHT, HALF_WIDTH
from recite import WRITTEN, asked
from sayso.agent import Agent
from sayso.bench.suite import wilson
from sayso.clock import SimClock
from sayso.defaults import make_planner
from sayso.models import make as make_model
from sayso.models.pocket.seeing import seen
from sayso.parts import Chunk, Model, Prompt
from sayso.perception.geometry import GeometricCamera
from sayso.robots.drone.ways import AIRBORNE_M
from sayso.robots.drone.world.office import Office
from sayso.scene import Pose, Scene, Thing, wrap
from sayso.worlds.scenery import Placed, Stage
from witness import LANDED_M, Fact, Witness, turned_rad

ROOM_M = (24.0, 24.0, 6.0)
CAMERA_AHEAD_M = 0.055
THICK_M = 0.02
"""Hardly any: the sides of what is thick would show, and make it look larger."""
SEEN_MIN = 0.013
"""Of the image's width; what is smaller, no detector finds."""

END_M, WAY_M, END_RAD, TURNED_RAD = 0.3, 0.5, math.radians(15), math.radians(30)
LATER_S, LATER_SHARE = 2.0, 0.15
PLACE = 0.03
"""How much may differ; where a thing stands in the picture, as in `cup[0.31]`, in widths of it."""
LOOKED_AT = 20
"""Times as many lessons are drawn as are wanted, before it makes do with fewer: some sides have no lines by hand."""


# A room that looks like a scene


def stage(scene: Scene) -> Stage:
    """A wide empty room with the things of a lesson's scene before the drone, each a plate as large as its box."""
    start = Pose(z_m=scene.observer.z_m)
    things = tuple(_plate(thing, start.z_m) for thing in scene)
    hovering = start.z_m > AIRBORNE_M
    return Stage("lesson", "a lesson", ROOM_M, start, hovering, things, {"grey": (0.5, 0.5, 0.5)})


def _plate(thing: Thing, camera_m: float) -> Placed:
    """A plate that faces the camera, the point of it that is nearest to the camera as far away as the thing."""
    assert thing.box is not None and thing.distance_m is not None, "lessons have both"
    box, aside, above = thing.box, 2 * HALF_WIDTH, 2 * HALF_HEIGHT
    width, height = max(SEEN_MIN, box.width), max(SEEN_MIN, box.height)
    off = aside * max(0.0, abs(0.5 - box.x) - width / 2), above * max(0.0, abs(0.5 - box.y) - height / 2)
    ahead_m = thing.distance_m / math.hypot(1.0, *off)
    wide, tall = width * aside * ahead_m, height * above * ahead_m
    left_m, up_m = (0.5 - box.x) * aside * ahead_m, (0.5 - box.y) * above * ahead_m
    part = {"shape": "box", "size": [THICK_M, wide, tall], "at": [0.0, 0.0, tall / 2], "paint": "main"}
    at = Pose(CAMERA_AHEAD_M + ahead_m + THICK_M / 2, left_m, max(0.0, camera_m + up_m - tall / 2))
    model = {"parts": [part], "height_m": tall}
    return Placed(thing.id, thing.label, at, model, "grey", attributes=thing.attributes)


_FIGURES = re.compile(r" \d+ \d+ \d+ \d+\b|\[\d\.\d+\]")


def looks_like(office: Office, scene: Scene) -> bool:
    """Whether the model reads the same of both but for figures: the order, what is by what, what is the tallest."""
    camera = office.perception
    assert isinstance(camera, GeometricCamera)
    one, other = (_FIGURES.sub("", seen(some)) for some in (camera.see(), scene))
    return one == other


# Two flights of one lesson


class Oracle:
    """Answers a wish with the lesson's target, and leaves all else to the model. Not a model of anything."""

    name = "the lesson's oracle"

    def __init__(self, one: Lesson, model: Model) -> None:
        self._plan, self._model = one.target.removesuffix("<end>"), model
        self.asked_again = False

    async def stream(self, prompt: Prompt) -> AsyncIterator[Chunk]:
        self.asked_again |= prompt.purpose == "replan"
        if prompt.purpose == "plan":
            yield Chunk(self._plan)
            return
        async for chunk in self._model.stream(prompt):
            yield chunk

    async def score(self, prompt: Prompt, continuations: list[str]) -> list[float]:
        return await self._model.score(prompt, continuations)


@dataclass(frozen=True, slots=True)
class Flight:
    """What came of a lesson that was flown. The way has a pose for every event; nothing of a plan is in here."""

    outcome: str
    way: tuple[Pose, ...]
    end: Pose
    said: tuple[Fact, ...]
    pictures: tuple[Fact, ...]
    touched: int
    took_s: float


def fly(one: Lesson, name: str, oracle: bool) -> Flight | None:
    """One of the two flights; None where it says nothing."""
    assert one.scene is not None
    clock, world = SimClock(), Office(stage(one.scene), perception=GeometricCamera)
    if not looks_like(world, one.scene):
        return None
    model = make_model(name)
    brain = Oracle(one, model) if oracle else model

    async def mission() -> Flight:
        async with Agent(world=world, model=brain, planner=make_planner("stream", brain)) as agent:
            w = Witness(world.truth)
            async for event in agent.say(one.sentence):
                w.see(event)
            assert w.ended is not None, "every mission ends"
            said, pictures = tuple(w.said), tuple(w.pictures)
            return Flight(w.ended.outcome, tuple(w.trail), w.pose, said, pictures, w.collisions, w.ended.at_s)

    flight = clock.run(mission())
    return None if isinstance(brain, Oracle) and brain.asked_again else flight


# Whether the same came of both


def differs(wanted: Flight, flown: Flight, labels: frozenset[str]) -> str:
    """In what way, in a word; empty where the same came of both."""
    if flown.touched > wanted.touched:
        return "touched something"
    if (wanted.outcome == "achieved") != (flown.outcome == "achieved"):
        return "outcome"
    if _gap_m(wanted.way, flown.way) > WAY_M or _gap_m(flown.way, wanted.way) > WAY_M:
        return "way"
    landed = wanted.end.z_m < LANDED_M
    if landed != (flown.end.z_m < LANDED_M) or wanted.end.distance_m(flown.end) > END_M:
        return "end"
    turned = abs(turned_rad(wanted.way) - turned_rad(flown.way)) > TURNED_RAD
    if turned or abs(wrap(wanted.end.yaw_rad - flown.end.yaw_rad)) > END_RAD:
        return "turns"
    if [p.in_frame for p in wanted.pictures] != [p.in_frame for p in flown.pictures]:
        return "pictures"
    if wanted.outcome == "achieved" and not told_the_same(wanted.said, flown.said, labels):
        return "words"
    if abs(wanted.took_s - flown.took_s) > LATER_S + LATER_SHARE * wanted.took_s:
        return "time"
    return ""


def _gap_m(some: tuple[Pose, ...], way: tuple[Pose, ...]) -> float:
    """How far the pose that strays most is from a way."""
    legs = list(pairwise(way)) or [(way[0], way[0])]
    return max(min(_off_m(pose, a, b) for a, b in legs) for pose in some)


def _off_m(pose: Pose, a: Pose, b: Pose) -> float:
    """How far a pose is from the straight leg between two others."""
    leg = (b.x_m - a.x_m, b.y_m - a.y_m, b.z_m - a.z_m)
    to = (pose.x_m - a.x_m, pose.y_m - a.y_m, pose.z_m - a.z_m)
    long = sum(v * v for v in leg)
    share = min(1.0, max(0.0, sum(u * v for u, v in zip(to, leg, strict=True)) / long)) if long else 0.0
    return math.dist(to, [share * v for v in leg])


_PLACED = re.compile(r"\[(\d\.\d+)\]")


def told_the_same(some: tuple[Fact, ...], others: tuple[Fact, ...], labels: frozenset[str]) -> bool:
    """Whether both name the same things, places and figures, or, where they name none, say the same words."""
    one, other = (" ".join(fact.text for fact in said) for said in (some, others))
    places, there = ([float(v) for v in _PLACED.findall(text)] for text in (one, other))
    near = len(places) == len(there) and all(abs(a - b) <= PLACE for a, b in zip(places, there, strict=True))
    return near and _named(one, labels) == _named(other, labels)


def _named(text: str, labels: frozenset[str]) -> list[str]:
    text = _PLACED.sub("", text)
    named = sorted(set(re.findall(r"[a-z]+|\d+", text)) & (labels | {"yes", "no"})) + re.findall(r"\d+", text)
    return named or re.findall(r"[a-z]+", text)


@dataclass(frozen=True, slots=True)
class Pair:
    """A lesson and what came of it: `came` is empty where all is right, None where it was left out."""

    one: Lesson
    came: str | None


def pairs(side: str, name: str, by_hand: bool, most: int) -> Iterator[Pair]:
    """The plans among the lessons of one side, of sentences written whole or of frames, flown."""
    plans = (one for one in islice(asked(side), LOOKED_AT * most) if one.kind == "plan" and one.scene)
    for one in islice((one for one in plans if (one.intent == WRITTEN) == by_hand), most):
        assert one.scene is not None
        wanted = fly(one, name, oracle=True)
        flown = fly(one, name, oracle=False) if wanted else None
        labels = frozenset(word for thing in one.scene for word in thing.label.split())
        yield Pair(one, differs(wanted, flown, labels) if wanted and flown else None)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--model", default="pocket", help="as after sayso run --model")
    options.add_argument("--lessons", type=int, default=200, help="of each side, so many by hand and so many of frames")
    options.add_argument("--side", action="append", choices=(*SIDES, "recall", "typos"), default=[])
    options.add_argument("--show", type=int, default=0, help="so many of what went wrong, of each")
    chosen = options.parse_args()
    print(f"{'side':<10}{'lines':<14}{'n':>5}{'right':>8}{'95 %':>12}{'left out':>10}  otherwise")
    for side in chosen.side or ("recall", *SIDES, "typos"):
        for lines, by_hand in (("by hand", True), ("of frames", False)):
            if not (some := list(pairs(side, chosen.model, by_hand, chosen.lessons))):
                continue
            came = [pair.came for pair in some if pair.came is not None]
            low, high = wilson(right := came.count(""), len(came))
            others = ", ".join(f"{n} {what}" for what, n in Counter(filter(None, came)).most_common())
            share = f"{right / max(1, len(came)):>8.1%}{low:>7.0%}-{high:<5.0%}{len(some) - len(came):>9}"
            print(f"{side:<10}{lines:<14}{len(came):>5}{share}  {others}", flush=True)
            for pair in [pair for pair in some if pair.came][: chosen.show]:
                print(f"{pair.came}: {pair.one.prompt}\n   wanted {pair.one.target}")


if __name__ == "__main__":
    main()
