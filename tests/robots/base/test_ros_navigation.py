"""The adapter of a ROS 2 base as a client of Nav2, on simulated time: where it leads is driven under our limits, and
what it says of itself is not believed."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence

import pytest
from ros_nav import Nav2
from ros_wire import ROOM, Driven, Wire, Wired, call_stop, changed, drive, on_the_floor

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import SkillFailed
from sayso.events import TaskEnded, Warned
from sayso.robots.base.ros.adapter import CRUISE_MPS, THERE_M, TURN_RADPS
from sayso.robots.base.ros.emulator import ODOM, STANDS
from sayso.robots.base.ros.messages import Odometry, Twist
from sayso.robots.base.ros.node import Line, Node
from sayso.robots.check import check, exercise
from sayso.scene import Pose

POINT = "drive to point x 1.5 m y 0.5 m"


def from_start(ahead_m: float, left_m: float = 0.0) -> Pose:
    """In the hall; the odometry's own frame lies elsewhere."""
    return STANDS.moved(ahead_m, left_m)


def in_odometry(at: Pose) -> Pose:
    return ODOM.moved(at.x_m, at.y_m, 0.0, at.yaw_rad)


class Found(Wired):
    """The dry run, with a server in its graph."""

    def __init__(self, mood: str = "", via: Sequence[Pose] = (), wire: Wire | None = None, speeds: str = "") -> None:
        super().__init__(wire)
        on = {"speeds": speeds} if speeds else {}
        self.nav = Nav2(self.face, mood, [in_odometry(at) for at in via], **on)

    async def _joined(self) -> Line:
        line = await super()._joined()
        self.nav.open(self.bus.end())
        return line

    async def close(self) -> None:
        await super().close()
        self.nav.close()


def told(machine: Wired) -> list[tuple[float, float]]:
    """The speeds that its face was told, since its time-out was tried."""
    speeds = [(float(a), float(b)) for a, b in (text.split() for _, text in machine.face.log)]
    tried = [i for i, said in enumerate(speeds) if said == (0.0, 0.25)]
    return [said for said in speeds[tried[-1] + 1 :] if any(said)] if tried else []


def failed(driven: Driven) -> TaskEnded:
    [ended] = [e for e in driven.events if isinstance(e, TaskEnded) and e.skill == "drive_to_point"]
    return ended


def test_it_comes_to_a_point_on_the_way_that_nav2_finds() -> None:
    """In the frame of the odometry, wherever that lies; no faster than by itself."""
    machine = Found(via=[from_start(0.2, -1.0)])
    driven = drive(machine, POINT)
    assert driven.ended.outcome == "achieved"
    assert driven.truth.pose.distance_m(from_start(1.5, 0.5)) < THERE_M
    [goal] = machine.nav.goals
    at = goal.pose.pose.position
    assert math.hypot(at.x - in_odometry(from_start(1.5, 0.5)).x_m, at.y - in_odometry(from_start(1.5, 0.5)).y_m) < 0.01
    assert goal.pose.header.frame_id == "odom" and goal.behavior_tree == ""
    furthest = max(abs(ahead) for ahead, _ in told(machine))
    assert furthest == pytest.approx(CRUISE_MPS, abs=0.001) and max(abs(w) for _, w in told(machine)) <= TURN_RADPS
    assert len(told(machine)) * 0.05 * CRUISE_MPS > 2.0, "it went about"


def test_it_comes_home_as_nav2_leads_and_turns_as_it_stood() -> None:
    driven = drive(Found(), f"{POINT} and come back")
    assert driven.ended.outcome == "achieved"
    assert driven.truth.pose.distance_m(STANDS) < 0.4
    assert abs(math.remainder(driven.truth.pose.yaw_rad - STANDS.yaw_rad, 2 * math.pi)) < math.radians(8)


def test_straight_on_is_straight_on() -> None:
    machine = Found()
    assert drive(machine, "go forward 1 metre and turn left").ended.outcome == "achieved" and machine.nav.goals == []


def test_the_check_list_tells_that_it_is_there() -> None:
    said = [e.text for e in drive(Found(), "go forward 1 metre").events if isinstance(e, Warned)]
    assert said[0].endswith("; navigation Nav2 finds the way to points")


def test_one_that_speaks_past_us_is_not_used_and_that_is_told() -> None:
    """What reaches the wheels by itself could not be stopped here."""
    machine = Found(speeds="cmd_vel_nav")
    driven = drive(machine, POINT)
    assert driven.ended.outcome == "achieved" and machine.nav.goals == []
    [said] = [e.text for e in driven.events if isinstance(e, Warned)]
    assert "not used, since it says its speeds past sayso, not on sayso/cmd_vel" in said


@pytest.mark.parametrize(
    ("mood", "code", "says"),
    [
        ("refuses", "not taken", "does not take this goal"),
        ("silent", "no answer", "does not answer"),
        ("in vain", "no way", "finds no way there (9003)"),
        ("cancelled", "given up", "somebody else told Nav2"),
        ("liar", "elsewhere", "odometry shows it 1.3 m away"),
    ],
)
def test_a_server_that_does_not_lead_there_is_an_outcome_with_a_code(mood: str, code: str, says: str) -> None:
    machine = Found(mood)
    driven = drive(machine, POINT)
    assert driven.ended.outcome == "not_achieved"
    assert failed(driven).code == code and says in failed(driven).detail
    assert driven.truth.speed_mps < 0.02 and driven.truth.pose.distance_m(STANDS) < 0.7


def test_it_has_come_when_odometry_shows_it_there_whatever_the_server_says() -> None:
    machine = Found("mute")
    assert drive(machine, POINT).ended.outcome == "achieved"
    assert machine.nav.left, "and gives the goal up"


@pytest.mark.parametrize("mood", ["idle", "spinning"])
def test_a_server_that_leads_nowhere_is_given_up_in_time(mood: str) -> None:
    machine = Found(mood)
    driven = drive(machine, POINT)
    assert driven.ended.outcome == "not_achieved" and "not there in time" in failed(driven).detail
    assert machine.nav.left and driven.truth.speed_mps < 0.02


def test_a_point_outside_the_zone_is_refused_before_nav2_hears_of_it() -> None:
    machine = Found()
    ended = drive(machine, "drive to point x 4 m y 0 m").ended
    assert ended.outcome != "achieved" and "geofence" in ended.reason and machine.nav.goals == []


def test_a_way_that_leaves_the_zone_is_stopped_at_its_edge() -> None:
    """The zone is watched all the way (S10)."""
    machine = Found("deaf", via=[from_start(0.5, -3.0)])
    driven = drive(machine, POINT)
    assert driven.ended.outcome != "achieved" and "geofence" in driven.ended.reason
    assert driven.truth.pose.seen_from(STANDS).y_m > -ROOM.right - 0.2 and driven.truth.speed_mps < 0.02


@pytest.mark.parametrize("mood", ["", "deaf"])
def test_stop_gives_the_goal_up_and_needs_nobody_to_obey(mood: str) -> None:
    """S1: whatever Nav2 says after it reaches no wheel."""
    machine = Found(mood)

    async def script(agent: Agent) -> None:
        moving = asyncio.ensure_future(agent.do(POINT))
        await asyncio.sleep(6.0)
        assert machine.hall.truth().speed_mps > 0.2
        answer = call_stop(machine.bus.end(), b"")
        stopped_s = asyncio.get_running_loop().time()
        assert answer.success and (await moving).outcome == "stopped"
        await asyncio.sleep(2.0)
        later = {text for s, text in machine.face.log if s > stopped_s}
        assert later == {"0.000 0.000"} and machine.hall.truth().speed_mps < 0.02
        assert machine.nav.left[0] == machine.nav.goals[0].goal_id

    on_the_floor(machine, script)


def test_whoever_speaks_there_without_a_goal_of_ours_drives_nothing() -> None:
    machine = Found()

    async def script(agent: Agent) -> None:
        lead = Node(machine.bus.end(), machine.graph, "stranger").publishes("sayso/cmd_vel", Twist)
        for _ in range(40):
            lead(changed(Twist(), linear=changed(Twist().linear, x=0.3)))
            await asyncio.sleep(0.05)
        assert not machine.face.log and machine.pose.distance_m(Pose()) < 0.01

    on_the_floor(machine, script)


def test_a_goal_that_is_taken_too_late_is_given_up() -> None:
    machine = Found("late")

    async def script(agent: Agent) -> None:
        with pytest.raises(SkillFailed, match="does not answer"):
            await machine.go(1.5, 0.5)
        await asyncio.sleep(0.5)
        before = len(machine.nav.left)
        machine.nav.take()
        await asyncio.sleep(0.5)
        assert machine.nav.left[before:] == [machine.nav.goals[0].goal_id]
        assert machine.hall.truth().pose.distance_m(STANDS) < 0.01

    on_the_floor(machine, script)


def test_odometry_that_stands_still_ends_it() -> None:
    """Nav2 would drive on for as long as it believes that it is not there."""
    machine = Found()
    honest = machine.face.odometry

    async def script(agent: Agent) -> None:
        going = asyncio.ensure_future(machine.go(2.2, 0.5))
        await asyncio.sleep(4.0)
        first = honest()
        stuck = changed(first, twist=Odometry().twist)
        machine.face.odometry = lambda: changed(stuck, header=honest().header)  # type: ignore[method-assign]
        with pytest.raises(SkillFailed, match="less than it was told to go"):
            await going
        await asyncio.sleep(1.0)
        assert machine.hall.truth().speed_mps < 0.02

    on_the_floor(machine, script)


def test_a_tenth_of_all_messages_may_get_lost() -> None:
    """A goal or its answer as well; then it is an outcome, and nothing moves on."""
    for seed in range(4):
        driven = drive(Found(wire=Wire(0.1, seed)), POINT)
        assert driven.ended.outcome == "achieved" or failed(driven).code == "no answer"
        assert driven.truth.speed_mps < 0.02


def test_the_contract_of_adapters_is_met() -> None:
    assert check(Found()) == [] and SimClock().run(exercise(Found())) == []
