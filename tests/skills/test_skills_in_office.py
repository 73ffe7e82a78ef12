"""The shared skills on the simulated drone, in the real office: physics, walls, a camera that can be blocked."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from plan_driver import fly_plan

from sayso.clock import SimClock
from sayso.language import Ended
from sayso.plugins.kits import MissionServices
from sayso.robots.drone.kit import KIT
from sayso.robots.drone.world.office import Office
from sayso.roles import Perception
from sayso.scene import Scene, Thing


class Blurred:
    """Eyes that are no better than a real detector: by seed they err by 3 % and miss every tenth thing."""

    def __init__(self, eyes: Perception, seed: int) -> None:
        self._eyes, self._chance = eyes, random.Random(seed)

    async def look(self) -> Scene:
        scene = await self._eyes.look()
        return replace(scene, things=tuple(self._seen(t) for t in scene if self._chance.random() > 0.1))

    def _seen(self, thing: Thing) -> Thing:
        assert thing.pose is not None and thing.distance_m is not None
        along, aside = (self._chance.gauss(0.0, 0.03 * thing.distance_m) for _ in range(2))
        pose = replace(thing.pose, x_m=thing.pose.x_m + along, y_m=thing.pose.y_m + aside)
        return replace(thing, pose=pose, distance_m=thing.distance_m + along, confidence=0.85)


def fly(
    scene: str, text: str, seed: int = 0, blurred: bool = False, **world: Any
) -> tuple[Office, Ended, list[str], list[Sequence[str]]]:
    """The world after a plan was flown in it, how the plan ended, what was said, the labels of each picture."""
    office = Office(scene, seed, **world)
    eyes = Blurred(office.perception, seed) if blurred else office.perception
    said: list[str] = []
    pictures: list[Sequence[str]] = []

    async def main() -> Ended:
        running = asyncio.create_task(office.run())
        given = MissionServices(
            robot=office.robot,
            eyes=eyes,
            perception=eyes,
            tell=said.append,
            shown=lambda _, labels: pictures.append(labels),
            since_s=lambda: 0.0,
        )
        try:
            return await fly_plan(text, KIT.capabilities(given).skills)
        finally:
            running.cancel()

    return office, SimClock().run(main()), said, pictures


def level_m(office: Office, label: str) -> float:
    """Level distance from the drone to the middle of the nearest thing of that label."""
    truth = office.truth()
    here = truth.pose
    poses = [t.pose for t in truth.things.values() if t.label == label]
    return min(math.hypot(here.x_m - p.x_m, here.y_m - p.y_m) for p in poses)


@pytest.mark.parametrize(
    ("scene", "plan", "label"),
    [
        ("tour", "to;tc(180);g('chair');tp", "chair"),
        ("tour", "g('person')", "person"),
        ("tour", "tu(90);g('apple')", "apple"),
        ("tour", "?s('cabinet')==True{g('cabinet')}", "cabinet"),
        ("task04", "tc(180);g('banana')", "banana"),
        ("task05", "tu(90);g('scissors')", "scissors"),
        ("task06", "tc(180);g('chair');g('apple')", "apple"),
    ],
)
def test_goto_ends_at_the_thing_in_frame_and_touches_nothing(scene: str, plan: str, label: str) -> None:
    office, ended, _, pictures = fly(scene, plan)
    truth = office.truth()
    assert ended.how == "finished", ended.reason
    assert level_m(office, label) < 1.2
    assert any(truth.things[i].label == label for i in truth.in_frame)
    assert truth.contacts == ()
    assert all(label in labels for labels in pictures)


@pytest.mark.parametrize("seed", [1, 2])
def test_goto_copes_with_eyes_that_err_and_with_wind(seed: int) -> None:
    office, ended, _, _ = fly("tour", "tc(180);g('chair')", seed, blurred=True, wind_mps=1.0)
    assert ended.how == "finished", ended.reason
    assert level_m(office, "chair") < 1.3
    assert office.truth().contacts == ()


def test_a_chair_in_between_is_flown_round_without_a_touch() -> None:
    office, ended, _, _ = fly("task09", "tc(180);g('apple')")
    assert ended.how == "finished" and level_m(office, "apple") < 1.2
    assert office.truth().contacts == ()


def test_the_drone_returns_to_where_the_mission_began() -> None:
    office, ended, said, _ = fly("tour", "tc(180);g('chair');mu(30);rh")
    truth = office.truth()
    assert ended.how == "finished", ended.reason
    start, here = truth.start, truth.pose
    assert math.hypot(here.x_m - start.x_m, here.y_m - start.y_m) < 0.1
    assert abs(here.yaw_rad - start.yaw_rad) < 0.05
    assert truth.flying and truth.contacts == ()
    assert len(said) == 1 and "take off" in said[0]
