"""The adapter of a ROS 2 base against the face of one, on simulated time: what it drives and refuses, what it tries
before it drives, and what odometry that lies does to it."""

from __future__ import annotations

import asyncio
import math
import sys
import threading
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from ros_wire import ROOM, Nothing, Wire, Wired, call_stop, changed, drive, on_the_floor

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import RobotError, SkillFailed, UsageError
from sayso.events import Warned
from sayso.limits import LimitReached
from sayso.plugins.kits import kits
from sayso.plugins.machines import machines, reached
from sayso.robots.base.ros.adapter import CRUISE_MPS, Ros
from sayso.robots.base.ros.cdr import write
from sayso.robots.base.ros.emulator import STANDS, Emulator, Rehearsal
from sayso.robots.base.ros.messages import Odometry, Twist, TwistStamped, Vector3
from sayso.robots.base.ros.node import Graph, Node
from sayso.robots.base.world import Hall
from sayso.robots.check import check, exercise
from sayso.scene import Pose, wrap

PLAIN = {
    "go forward 1 metre": STANDS.moved(1.0),
    "drive back 60 cm": STANDS.moved(-0.6),
    "turn left, turn left 45 degrees": STANDS.moved(turn_rad=math.radians(135)),
    "turn around": STANDS.moved(turn_rad=math.pi),
    "go forward 1 metre, turn right, go forward 50 cm": STANDS.moved(1.0, turn_rad=-math.pi / 2).moved(0.5),
    "drive to point x 1 m y 1 m": STANDS.moved(1.0, 1.0, 0.0, math.pi / 4),
    "go forward 1 metre, turn left, go forward 1 metre, come back": STANDS,
}


def told(machine: Rehearsal) -> list[str]:
    """What its face was told to do that was not to stand."""
    return [text for _, text in machine.face.log if text != "0.000 0.000"]


class Liar(Emulator):
    """Its odometry is what `lie` makes of it."""

    def __init__(self, lie: Callable[[Odometry], Odometry] = lambda odometry: odometry) -> None:
        super().__init__(Hall(STANDS))
        self.lie = lie

    def odometry(self) -> Odometry:
        return self.lie(super().odometry())


class Stuck:
    """Wheels that are watched no more: it stands where it was first, they say."""

    def __init__(self) -> None:
        self.first: Odometry | None = None

    def __call__(self, odometry: Odometry) -> Odometry:
        self.first = self.first or odometry
        return changed(self.first, header=odometry.header, twist=Odometry().twist)


def elsewhere(odometry: Odometry, position: Vector3) -> Odometry:
    spot = odometry.pose.pose
    return changed(odometry, pose=changed(odometry.pose, pose=changed(spot, position=position)))


@pytest.mark.parametrize("wish", PLAIN)
def test_plain_commands_end_where_they_should(wish: str) -> None:
    driven = drive(Wired(), wish)
    assert driven.ended.outcome == "achieved"
    assert driven.truth.pose.distance_m(PLAIN[wish]) < 0.06
    assert abs(wrap(driven.truth.pose.yaw_rad - PLAIN[wish].yaw_rad)) < math.radians(6)
    assert not driven.truth.contacts


def test_a_base_that_takes_only_stamped_words_is_told_so() -> None:
    driven = drive(Wired(face=Emulator(Hall(STANDS), hears=TwistStamped)), "go forward 1 metre")
    assert driven.ended.outcome == "achieved" and driven.truth.pose.distance_m(STANDS.moved(1.0)) < 0.06


def test_one_of_several_robots_is_meant_by_its_namespace() -> None:
    machine = Wired(face=Emulator(Hall(STANDS), Graph(namespace="/robot1")))
    with pytest.raises(RobotError, match="nobody listens on /cmd_vel in domain 0"):
        drive(machine, "go forward 1 metre")
    machine = Wired(face=Emulator(Hall(STANDS), Graph(namespace="/robot1")))
    machine.graph = machine.face.graph
    assert drive(machine, "go forward 1 metre").ended.outcome == "achieved"


def test_without_a_zone_nothing_moves_and_the_person_is_told_how_to_set_one() -> None:
    machine = Wired(room=None)
    ended = drive(machine, "go forward 1 metre").ended
    assert ended.outcome == "refused" and "--zone ahead=3" in ended.reason
    assert told(machine) == []


def test_the_check_list_is_told_before_the_first_motion() -> None:
    said = [e.text for e in drive(Wired(), "go forward 1 metre").events if isinstance(e, Warned)]
    assert said == [
        "before it moves: link answers; battery 99%; zone x -2.5..2.5 m, y -2..2 m; place stands at x 0.0 m, y 0.0 m; "
        "time-out is tried before its first motion"
    ]


def test_a_battery_that_is_low_keeps_it_where_it_is() -> None:
    machine = Wired(face=Emulator(Hall(STANDS, charge=0.2)))
    ended = drive(machine, "go forward 1 metre").ended
    assert ended.outcome == "refused" and "must be at least 25%" in ended.reason
    assert told(machine) == []


def test_per_cent_are_a_battery_too() -> None:
    machine = Wired(face=Emulator(Hall(STANDS, charge=87.0)))
    assert drive(machine, "wait 1 second").ended.outcome == "achieved" and machine.state().charge == pytest.approx(0.87)


def test_a_way_out_of_the_zone_is_refused_before_it_is_driven() -> None:
    machine = Wired()
    ended = drive(machine, "go forward 4 metres").ended
    assert ended.outcome != "achieved" and "geofence" in ended.reason
    assert told(machine) == []


def test_before_its_first_motion_it_is_turned_a_little_and_left_alone() -> None:
    """Once for each connection; then it is not told anything until it stands by itself."""
    machine = Wired()
    drive(machine, "go forward 50 cm", "go back 50 cm")
    turns = [text for text in told(machine) if text == "0.000 0.250"]
    assert told(machine)[: len(turns)] == turns, "all of them before anything else"
    times = [s for s, _ in machine.face.log]
    assert max(b - a for a, b in pairwise(times) if b < times[0] + 3) > 0.5


def test_a_base_that_would_drive_on_when_the_program_dies_drives_nowhere() -> None:
    machine = Wired()
    machine.face.timeout_s = 60.0
    driven = drive(machine, "go forward 1 metre", "go forward 1 metre")
    assert driven.ended.outcome != "achieved" and "drives on when nobody speaks to it" in driven.ended.reason
    assert driven.truth.pose.distance_m(STANDS) < 0.01 and driven.truth.speed_mps < 0.01
    assert abs(driven.truth.pose.yaw_rad - STANDS.yaw_rad) < 0.8


def test_a_base_that_turns_the_other_way_drives_nowhere() -> None:
    machine = Wired()
    turn = machine.hall.base.drive
    machine.hall.base.drive = lambda ahead, left: turn(ahead, -left)  # type: ignore[method-assign]
    driven = drive(machine, "go forward 1 metre")
    assert "turns right when it is told to turn left" in driven.ended.reason
    assert driven.truth.pose.distance_m(STANDS) < 0.01


def test_what_is_told_to_move_and_does_not_is_given_up() -> None:
    machine = Wired()
    machine.face.hall.base.drive = lambda ahead, left: None  # type: ignore[method-assign]
    assert "odometry shows nothing of it" in drive(machine, "go forward 1 metre").ended.reason


def test_who_is_driven_by_somebody_else_does_not_set_out() -> None:
    machine = Wired()

    async def script(agent: Agent) -> None:
        lead = Node(machine.bus.end(), machine.graph, "teleop").publishes("cmd_vel", Twist)
        for _ in range(20):
            lead(Twist(Vector3(0.2)))
            await asyncio.sleep(0.05)
        assert not machine.state().resting
        assert "is driven by somebody else" in next(c.found for c in machine.checks() if c.what == "place")
        with pytest.raises(SkillFailed, match="is driven by somebody else"):
            await machine.move(0.5)

    on_the_floor(machine, script)


@pytest.mark.parametrize(
    ("lie", "says"),
    [
        (Stuck(), "shows less than it was told to go"),
        (lambda o: changed(o, pose=Odometry().pose), "jumped by"),
        (lambda o: elsewhere(o, Vector3(math.nan, 0.0)), "no word from the base"),
        (lambda o: changed(o, header=Odometry().header), "no word from the base"),
    ],
    ids=["stands still", "jumps", "no number", "says the same again"],
)
def test_odometry_that_lies_on_the_way_ends_the_motion(lie: Callable[[Odometry], Odometry], says: str) -> None:
    machine = Wired(face=(face := Liar()))

    async def script(agent: Agent) -> None:
        await machine.move(0.3)
        face.lie = lie
        with pytest.raises((SkillFailed, RobotError), match=says):
            await machine.move(1.5)
        face.lie = lambda o: o
        await asyncio.sleep(1.0)
        assert machine.hall.truth().speed_mps < 0.01

    on_the_floor(machine, script)
    assert machine.hall.truth().pose.distance_m(STANDS) < 1.5


@pytest.mark.parametrize("share", [0.4, 1.8])
def test_odometry_that_shows_less_or_more_than_it_drives_ends_the_motion(share: float) -> None:
    first: list[Vector3] = []

    def scaled(odometry: Odometry) -> Odometry:
        at = odometry.pose.pose.position
        first.append(at)
        zero = first[0]
        return elsewhere(odometry, Vector3(zero.x + share * (at.x - zero.x), zero.y + share * (at.y - zero.y)))

    driven = drive(Wired(face=Liar(scaled)), "go forward 2 metres")
    assert driven.ended.outcome == "not_achieved" and "than it was told to go" in driven.ended.reason
    assert driven.truth.pose.distance_m(STANDS) < 1.2 and driven.truth.speed_mps < 0.01


def test_a_place_that_jumped_ends_all_motion() -> None:
    machine = Wired(face=(face := Liar()))

    async def script(agent: Agent) -> None:
        face.lie = lambda o: elsewhere(o, Vector3(9.0, 9.0))
        await asyncio.sleep(0.2)
        with pytest.raises(LimitReached, match="its odometry has jumped"):
            await machine.move(0.5)
        assert "the zone is elsewhere" in machine.unfit()

    on_the_floor(machine, script)


def test_stop_is_to_stand_and_the_next_motion_goes_on() -> None:
    machine = Wired()

    async def script(agent: Agent) -> None:
        moving = asyncio.ensure_future(machine.move(2.0))
        await asyncio.sleep(5.0)
        assert machine.hall.truth().speed_mps == pytest.approx(CRUISE_MPS, abs=0.05)
        moving.cancel()
        await machine.halt()
        assert machine.hall.truth().speed_mps < 0.02 and machine.face.log[-1][1] == "0.000 0.000"
        await asyncio.sleep(3.0)
        here, count = machine.pose, len(machine.face.log)
        await asyncio.sleep(3.0)
        assert len(machine.face.log) == count, "who stands is left to others"
        await machine.move(0.3)
        assert machine.pose.distance_m(here.moved(0.3)) < 0.05

    on_the_floor(machine, script)


def test_it_halts_from_any_thread_and_while_the_loop_is_blocked() -> None:
    """A message needs no loop (S5)."""
    machine = Wired()

    async def script(agent: Agent) -> None:
        moving = asyncio.ensure_future(machine.move(2.0))
        await asyncio.sleep(5.0)
        thread = threading.Thread(target=machine.halt_now)
        thread.start()
        thread.join()
        with pytest.raises(SkillFailed, match="told to stop"):
            await moving
        await asyncio.sleep(1.0)
        assert machine.hall.truth().speed_mps < 0.02

    on_the_floor(machine, script)


@pytest.mark.parametrize("asked", [write(Nothing()), b"", bytes(100)])
def test_a_node_that_calls_its_stop_is_a_person_who_stops_it(asked: bytes) -> None:
    """Whatever it asks; it is latched, whoever wishes for what, until it is released here (S2)."""
    machine = Wired()

    async def script(agent: Agent) -> None:
        async for _ in agent.say("wait 1 second"):
            pass
        moving = asyncio.ensure_future(agent.do("go forward 2 metres"))
        await asyncio.sleep(5.0)
        answer = call_stop(machine.bus.end(), asked)
        assert answer.success and answer.message == "told to stand"
        assert (await moving).outcome == "stopped"
        assert machine.hall.truth().speed_mps < 0.02 and agent.executive.stopped_by == "ros"
        assert (await agent.do("go forward 50 cm")).outcome != "achieved"
        agent.release()
        assert (await agent.do("go forward 50 cm")).outcome == "achieved"

    on_the_floor(machine, script)
    assert machine.told_to_stop is None, "nobody drives it any more"


def test_a_tenth_of_all_messages_may_get_lost() -> None:
    wish = "go forward 1 metre, turn left, go forward 1 metre, come back"
    assert [drive(Wired(Wire(0.1, seed)), wish).ended.outcome for seed in range(3)] == ["achieved"] * 3


def test_rubbish_on_its_topics_is_left() -> None:
    machine = Wired()

    async def script(agent: Agent) -> None:
        stranger = machine.bus.end()
        for data in (b"", b"\0\1", b"\0\1\0\0", b"\7" * 1000, bytes(4)):
            for key in [*machine._line._heard]:  # type: ignore[union-attr]
                stranger.put(key, data, b"")
        await machine.move(0.5)

    on_the_floor(machine, script)


def test_what_is_wrong_is_told_with_what_to_look_at() -> None:
    silent = Wired()
    silent.face.open = lambda line: line.declare("")  # type: ignore[method-assign]
    with pytest.raises(RobotError, match="RMW_IMPLEMENTATION=rmw_zenoh_cpp"):
        SimClock().run(silent.open())
    with pytest.raises(RobotError, match="nobody tells on /battery_state"):
        SimClock().run(Wired(face=Emulator(Hall(STANDS, charge=math.nan))).open())
    mute = Wired(face=Liar(lambda o: elsewhere(o, Vector3(math.inf))))
    with pytest.raises(RobotError, match="tells no odometry on /odom"):
        SimClock().run(mute.open())


def test_it_is_one_machine_with_an_identity_and_its_dry_run_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("zenoh")
    assert {"ros"} <= machines().keys() and "base" in kits()
    assert reached("fake:ros", "").identity == "" and reached("ros", "").identity == "ros:/@tcp/127.0.0.1:7447"
    monkeypatch.setenv("ROS_DOMAIN_ID", "7")
    robot = reached("ros:/robots/r1@tcp/10.0.0.2:7447", "")
    assert robot.identity == "ros:/robots/r1@tcp/10.0.0.2:7447 in domain 7"
    assert check(reached("ros", "ahead=1,back=1,left=1,right=1")) == [] and check(Rehearsal(ROOM)) == []


def test_the_contract_of_adapters_is_met() -> None:
    assert SimClock().run(exercise(Wired())) == []


@pytest.mark.parametrize("text", ["/1st", "a b", "/x//y", "/ä"])
def test_what_is_no_name_of_ros_is_a_clear_refusal(text: str) -> None:
    pytest.importorskip("zenoh")
    with pytest.raises(UsageError, match="is written"):
        reached(f"ros:{text}", "")


def test_a_domain_that_is_none_is_a_clear_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("zenoh")
    monkeypatch.setenv("ROS_DOMAIN_ID", "233")
    with pytest.raises(UsageError, match="at most 232"):
        reached("ros", "")


def test_without_zenoh_the_person_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "sayso.robots.base.ros.session", raising=False)
    monkeypatch.setitem(sys.modules, "zenoh", None)
    with pytest.raises(UsageError, match=r"pip install 'sayso\[ros\]'"):
        reached("ros", "")
    assert reached("fake:ros", ""), "the dry run needs none"


def test_ours_is_theirs_turned_by_how_it_stood() -> None:
    machine: Any = Ros(ROOM, "", Graph(), lambda: None)  # type: ignore[arg-type, return-value]
    machine._origin, machine.told.pose = Pose(10.0, 20.0, 0.0, math.pi / 2), Pose(9.0, 22.0, 0.0, math.pi)
    assert machine.pose.distance_m(Pose(2.0, 1.0)) < 1e-9 and machine.pose.yaw_rad == pytest.approx(math.pi / 2)
