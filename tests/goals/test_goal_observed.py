"""Evidence from a mission's events: docs/goals.md, rules G25 and G26."""

from __future__ import annotations

from plans_of_a_drone import SKILLS

from sayso.events import Event, Moved, Observed, PictureTaken, Said, TaskEnded, TaskStarted
from sayso.goal import Truth
from sayso.goals.holds import judge
from sayso.goals.observed import Watch
from sayso.goals.text import parse
from sayso.scene import Pose, Scene, Thing, scene_json

LAMP = Thing("lamp-1", "lamp", pose=Pose(3.0), attributes={"color": "white"})


def seen(*events: Event) -> Watch:
    watch = Watch(lambda: SKILLS)
    for event in events:
        watch.see(event)
    return watch


def at(at_s: float, x_m: float, z_m: float = 1.0) -> Moved:
    return Moved(at_s=at_s, x_m=x_m, y_m=0.0, z_m=z_m, yaw_rad=0.0)


def looked(at_s: float, *things: Thing) -> Observed:
    return Observed(at_s=at_s, scene=scene_json(Scene(things, Pose(z_m=1.0), at_s)))


def call(n: int, at_s: float, skill: str, *args: str | float, value: bool | None = None) -> tuple[Event, Event]:
    began = TaskStarted(at_s=at_s, task=n, skill=skill, args=args)
    return began, TaskEnded(at_s=at_s + 1, task=n, skill=skill, outcome="done", value=value)


def truth(text: str, watch: Watch) -> Truth:
    return judge(parse(text), watch.evidence()).truth


def test_poses_come_from_telemetry_and_things_from_looks() -> None:
    """G25"""
    watch = seen(looked(0, LAMP), at(0, 0), at(5, 2.4))
    assert truth("at(lamp.white)", watch) is True
    assert truth("moved(forward, 2.4 m)", watch) is True
    assert truth("at(piano)", watch) is None


def test_where_a_motion_ended_is_known_between_two_readings_of_telemetry() -> None:
    """G25"""
    watch = seen(looked(0, LAMP), at(0, 0))
    assert truth("want moved(forward, 1 m)", watch) is not True
    watch.stands(Pose(1.0, 0.0, 1.0), 2.1)
    watch.stands(Pose(1.0, 0.0, 1.0), 2.4)
    assert truth("want moved(forward, 1 m)", watch) is True


def test_a_skill_that_ended_well_did_what_it_means() -> None:
    """G26"""
    watch = seen(at(0, 0), *call(1, 1, "delay", 4.0), *call(2, 3, "land"), at(5, 0, 0))
    assert truth("waited(4 s) then landed", watch) is True
    assert truth("landed", seen(at(0, 0))) is None


def test_a_search_all_round_in_vain_is_a_whole_look() -> None:
    """G26"""
    watch = seen(at(0, 0), *call(1, 1, "scan", "piano", value=False))
    assert truth("found(piano)", watch) is False
    assert truth("at(piano)", watch) is False


def test_pictures_and_words_are_what_was_shown_and_said() -> None:
    """G25"""
    watch = seen(looked(0, LAMP), at(0, 0), PictureTaken(at_s=1, file="", labels=("lamp",)), Said(at_s=2, text="done"))
    assert truth("picture(lamp)", watch) is True
    assert truth("picture(chair)", watch) is False
    assert truth("said('done')", watch) is True


def test_of_a_time_in_which_nothing_changes_the_beginning_and_the_end_are_kept() -> None:
    """G25"""
    watch = seen(*(at(n / 4, 0) for n in range(400)), at(101, 2))
    assert [m.at_s for m in watch.evidence().moments] == [0, 99.75, 101]
    assert truth("waited(90 s)", watch) is True
