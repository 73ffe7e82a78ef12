"""Replay in the scene: what a record knows of moves, the robot's and those of things."""

from __future__ import annotations

import math

import pytest
from console_shown import show_all

from sayso import events as ev
from sayso.console.archive import Recording
from sayso.console.solids import MOVED_M, Body, Place, Spot
from sayso.console.views.past import bodies_at
from sayso.drawing import NO_TURN, Solid
from sayso.memory.mission_view import MissionView
from sayso.scene import Pose, Scene, Thing, scene_json

BLOCK = (Solid("box", (0.1, 0.1, 0.1), (0, 0, 0), NO_TURN, "#888888"),)
PLACE = Place(
    (
        Body(1, "", BLOCK, moves=True, robot=True, thing="base"),
        Body(2, "cup", BLOCK, moves=True, thing="cup-1"),
        Body(3, "ball", BLOCK, moves=True, thing="ball"),
        Body(4, "table", BLOCK, moves=False, thing="table"),
    ),
    (0, 0, 0),
    5.0,
)
SPOTS = {1: Spot((0, 0, 0), NO_TURN), 2: Spot((1, 0, 0.5), NO_TURN), 3: Spot((2, 2, 0.1), NO_TURN)}


def seen(at_s: float, **poses: tuple[float, float, float]) -> ev.Observed:
    things = (Thing(id_.replace("_", "-"), id_.split("_")[0], pose=Pose(*at)) for id_, at in poses.items())
    return ev.Observed(at_s=at_s, scene=scene_json(Scene(tuple(things))))


def where(events: list[ev.Event]) -> dict[int, tuple[float, float, float]]:
    recording, shown = Recording("m", events, []), show_all(events)
    return {n: spot.at_m for n, spot in bodies_at(PLACE, shown, recording.first, Pose(), SPOTS).items()}


def test_what_was_seen_elsewhere_has_moved_by_as_much() -> None:
    bias = 0.04
    spots = where([seen(1, ball=(2 + bias, 2, 0)), seen(5, ball=(3 + bias, 2.5, 0))])
    assert spots[3] == pytest.approx((3, 2.5, 0.1)), "perception's own error is no motion"
    assert spots[2] == SPOTS[2].at_m, "what was not seen stays"
    assert 4 not in spots


def test_noise_moves_nothing() -> None:
    assert where([seen(1, ball=(2, 2, 0)), seen(2, ball=(2 + 0.9 * MOVED_M, 2, 0))])[3] == SPOTS[3].at_m


def test_what_was_seen_first_far_from_where_it_was_built_is_there() -> None:
    assert where([seen(1, ball=(4, 4, 0))])[3] == pytest.approx((4, 4, 0.1))


def test_a_thing_is_carried_and_put_down() -> None:
    events: list[ev.Event] = [
        seen(0, cup_1=(1, 0, 0.5)),
        ev.Moved(at_s=1, x_m=0.5, y_m=0, z_m=0, yaw_rad=0),
        ev.TaskStarted(at_s=1, task=1, skill="grasp", args=("cup",), statement=0),
        ev.TaskEnded(at_s=2, task=1, skill="grasp", outcome="done"),
        ev.Moved(at_s=6, x_m=5, y_m=5, z_m=0, yaw_rad=math.pi / 2),
    ]
    held = where(events)[2]
    assert math.dist(held[:2], (5, 5)) < 0.7 and held[1] > 5, "in the hand, ahead of the robot"
    events += [
        ev.TaskStarted(at_s=6, task=2, skill="place", args=("table",), statement=0),
        ev.TaskEnded(at_s=7, task=2, skill="place", outcome="done"),
        ev.Moved(at_s=9, x_m=0, y_m=0, z_m=0, yaw_rad=0),
    ]
    down = where(events)[2]
    assert math.dist(down[:2], (5, 5.6)) < 0.1, "it stays where it was put when the robot goes"
    assert where([*events, seen(10, cup_1=(5.2, 5.5, 0.7))])[2][:2] == pytest.approx((5.2, 5.5))


def test_a_grasp_that_failed_holds_nothing() -> None:
    events = [
        seen(0, cup_1=(1, 0, 0.5)),
        ev.TaskStarted(at_s=1, task=1, skill="grasp", args=("cup",)),
        ev.TaskEnded(at_s=2, task=1, skill="grasp", outcome="failed", detail="it slipped"),
        ev.Moved(at_s=6, x_m=5, y_m=5, z_m=0, yaw_rad=0),
    ]
    assert where(events)[2] == SPOTS[2].at_m


def test_without_a_pose_the_robot_stays_where_it_was_built() -> None:
    assert 1 not in bodies_at(PLACE, MissionView(), {}, Pose(), SPOTS)
