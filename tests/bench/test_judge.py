"""The judge of every suite: a goal on the world's truth, docs/goals.md, rule G35."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sayso.bench.judge import TruthRecorder
from sayso.events import MissionEnded, Moved, PictureTaken, Said
from sayso.scene import Pose
from sayso.world import ROBOT, Real, Touch, Truth

CHAIR = Real(label="chair", pose=Pose(2.0), size_m=(0.5, 0.5, 0.9), attributes={"color": "red"}, on="floor")
CUP = Real(label="cup", pose=Pose(0.5), size_m=(0.1, 0.1, 0.1), holder=ROBOT)
MARY = Real(label="Mary", pose=Pose(0.0, 3.0), size_m=(0.4, 0.4, 1.7), room="kitchen")

MOVED = Moved(x_m=0.0, y_m=0.0, z_m=0.0, yaw_rad=0.0)


def told(*moments: Truth) -> Iterator[Truth]:
    """Each truth once, the last one for ever."""
    yield from moments
    while True:
        yield moments[-1]


def at(time_s: float, x_m: float, *, frame: tuple[str, ...] = (), contacts: tuple[Touch, ...] = (),
       cup: Real = CUP) -> Truth:  # fmt: skip
    things = {"seat": CHAIR, "cup": cup}
    return Truth(
        time_s=time_s, pose=Pose(x_m), things=things, people={"Mary": MARY}, in_frame=frozenset(frame),
        contacts=contacts,
    )  # fmt: skip


def witness(*moments: Truth) -> TruthRecorder:
    truths = told(*moments)
    return TruthRecorder(lambda: next(truths))


def test_what_is_not_there_was_not_so() -> None:
    """G35"""
    w = witness(at(0.0, 0.0))
    assert w.verdict("not picture").truth is True
    assert w.verdict("at(piano)").truth is False


def test_a_picture_shows_what_was_in_the_frame_when_it_was_taken() -> None:
    """G35"""
    w = witness(at(0.0, 0.0), at(1.0, 1.0, frame=("seat",)), at(2.0, 0.0))
    w.see(PictureTaken(at_s=9.0, file="", labels=("cup",)))
    w.see(MOVED)
    assert w.verdict("picture(chair, 1.5 m); only picture(chair)").truth is True
    assert w.verdict("picture(cup)").truth is False, "what the robot takes for a cup is no cup"
    assert w.verdict("picture(chair, 0.5 m)").truth is False


def test_what_it_drives_past_was_not_found() -> None:
    """G35"""
    w = witness(at(0.0, 0.0), at(1.0, 1.0, frame=("seat",)), at(2.0, 1.0))
    w.see(MOVED)
    assert w.verdict("found(chair)").truth is False


@pytest.mark.parametrize(("outcome", "wants"), [("achieved", True), ("not_achieved", False)])
def test_who_gives_up_has_named_nothing(outcome: str, wants: bool) -> None:
    """G35"""
    w = witness(at(0.0, 0.0), at(1.0, 1.0, frame=("seat",)))
    w.see(Said(at_s=1.0, text="There is a chair."))
    w.see(MissionEnded(at_s=2.0, outcome=outcome, reason=""))
    assert w.verdict("named(chair)").truth is wants


def test_who_has_what_and_what_was_touched_is_the_worlds_word() -> None:
    """G35"""
    bumped = at(1.0, 0.0, contacts=(Touch("wall", 0.5),), cup=Real(label="cup", pose=Pose(0.5), holder="Mary"))
    w = witness(at(0.0, 0.0), bumped)
    assert w.verdict("holding(cup)").truth is True
    w.see(MOVED)
    assert w.verdict("holding(cup)").truth is False
    assert w.verdict("placed(cup, Mary)").truth is True
    assert w.verdict("placed(person, kitchen); not placed(thing but person, kitchen)").truth is True
    assert w.verdict("never touched(thing)").truth is False
    assert w.verdict("toward(tallest thing, 95 deg); not facing(tallest thing)").truth is True, "Mary is the tallest"
