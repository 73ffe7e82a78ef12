"""Flights by what a detector sees: with a double that needs no GL, and with a real network where there is GL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from by_geometry import office
from rich.console import Console

from sayso.agent import Agent
from sayso.bench import load, report
from sayso.bench.suite import Trial
from sayso.clock import SimClock
from sayso.errors import UsageError
from sayso.perception.detecting import DetectingCamera, seen_through
from sayso.result import Result
from sayso.robots.drone.suite.episode import run_episode
from sayso.robots.drone.world.office import Office
from sayso.scene import Pose
from sayso.setup import Setup
from sayso.world import World

NETWORK = Path(__file__).with_name("networks") / "v8.onnx"


def flown(world: World, camera: DetectingCamera, wish: str) -> Result:
    async def main() -> Result:
        async with Agent(world=world, perception=camera) as agent:
            return await agent.do(wish)

    return SimClock().run(main())


def gap_m(world: Office, thing: str) -> float:
    here, there = world.truth().pose, world.truth().things[thing].pose
    return Pose(here.x_m, here.y_m).distance_m(Pose(there.x_m, there.y_m))


def test_it_goes_to_what_the_detector_found() -> None:
    world, camera = office()
    result = flown(world, camera, "take off and go to the apple")
    assert result.outcome == "achieved" and result.ended.verified, result.ended
    assert gap_m(world, "apple-1") < 1.1 and not world.truth().contacts


def test_what_the_detector_has_no_label_for_stays_unknown_and_that_is_said() -> None:
    world, camera = office(blind=["apple"])
    result = flown(world, camera, "is there an apple?")
    assert result.outcome != "achieved" and not [text for text in result.said if "apple" in text]
    assert "by geometry cannot tell apple from other things" in result.reason
    result = flown(*office(blind=["apple"]), "take off and go to the apple")
    assert result.outcome != "achieved" and "cannot tell apple from other things" in result.reason


def test_what_is_only_perhaps_there_is_neither_there_nor_absent() -> None:
    world, camera = office(confidence=lambda t: 0.35 if t.label == "apple" else 0.9)
    result = flown(world, camera, "look for the apple")
    assert result.outcome != "achieved" or not result.ended.verified
    assert any("I may have seen an apple, 35% sure" in why for why in result.ended.unknown), result.ended


def test_a_robot_that_does_not_tell_how_its_camera_stands_sees_through_no_detector() -> None:
    with pytest.raises(UsageError, match="how its camera stands"):
        setup = Setup(robot="fake:tello", detector=str(NETWORK))
        setup.make_agent(*setup.make_robot())


@pytest.mark.rendered
def test_a_real_network_flies_where_pictures_are_rendered() -> None:
    world = Office("task08")
    picture: Any = world.robot.picture(64, 48)
    if picture is None:
        pytest.skip("no GL library here")
    result = flown(world, seen_through(world.robot, str(NETWORK)), "take off and go to the chair")
    assert result.outcome == "achieved" and result.ended.verified, result.ended
    assert gap_m(world, "chair-1") < 1.4 and not world.truth().contacts
    world.close()


@pytest.mark.rendered
def test_the_suite_is_flown_through_a_detector_and_says_so() -> None:
    if Office("empty").robot.picture(16, 12) is None:
        pytest.skip("no GL library here")
    score = run_episode(Trial("drone", "1", 0, 0, "stream", "reference", detector=str(NETWORK)))
    assert score.success and score.verified, score
    suite = load("drone").seeing(str(NETWORK))
    assert "rendered pictures" in suite.conditions.told and "no pixels" in load("drone").conditions.told


def test_a_suite_that_renders_no_pictures_is_not_played_through_a_detector() -> None:
    with pytest.raises(UsageError, match="renders no pictures"):
        report.run(Console(), "soccer", report.BenchOptions(detector=str(NETWORK)))
