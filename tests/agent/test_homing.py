"""Where home is, in a conversation: docs/goals.md, rule G46."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

from sayso import events as ev
from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.models.scripted import Scripted
from sayso.robots.drone.world.office import Office
from sayso.scene import Pose
from sayso.worlds import make


class Talk:
    """A conversation in a simulated world, each wish answered by a plan. `poses` are where the robot was before the
    first and after each of them."""

    def __init__(self, world: str, *plans: str, charges: Sequence[float] = (), **setup: object) -> None:
        self.missions: list[list[ev.Event]] = []
        self.poses: list[Pose] = []
        SimClock().run(self._talk(make(world, seed=3, **setup), plans))

    async def _talk(self, world: object, plans: Sequence[str]) -> None:
        async with Agent(world=world, model=Scripted(list(plans))) as agent:  # type: ignore[arg-type]
            self.poses.append(agent.robot.state().pose)
            for _ in plans:
                self.missions.append([event async for event in agent.say("do so")])
                self.poses.append(agent.robot.state().pose)

    def end(self, n: int) -> ev.MissionEnded:
        last = self.missions[n][-1]
        assert isinstance(last, ev.MissionEnded)
        return last

    def apart_m(self, one: int, other: int) -> float:
        """On the ground."""
        a, b = self.poses[one], self.poses[other]
        return Pose(a.x_m, a.y_m).distance_m(Pose(b.x_m, b.y_m))


def test_a_wish_that_only_goes_back_goes_to_where_the_conversation_began() -> None:
    """G46"""
    talk = Talk("office", "g('chair')", "rh; want home")
    assert talk.apart_m(1, 0) > 1.0
    assert (talk.end(1).outcome, talk.end(1).verified) == ("achieved", True)
    assert talk.apart_m(2, 0) < 0.2


def test_who_claims_to_be_back_and_is_not_has_not_come_home() -> None:
    """G46"""
    talk = Talk("office", "mf(100)", "tu(90); want home")
    assert (talk.end(1).outcome, talk.end(1).verified) == ("not_achieved", False)
    assert talk.end(1).missing == ("home: I am 1 m away from home",)


def test_a_wish_that_went_away_comes_back_to_where_it_began_itself() -> None:
    """G46"""
    talk = Talk("office", "mf(100)", "ml(100);rh; want moved(left, 1 m) then home", "mu(50);rh; want home")
    assert [talk.end(n).verified for n in (1, 2)] == [True, True]
    assert talk.apart_m(2, 1) < 0.2 and talk.apart_m(3, 1) < 0.2


def test_a_wish_that_set_out_for_home_goes_on_to_mean_it() -> None:
    """G46"""
    talk = Talk("office", "mf(100)", "rh;ml(80);rh; want home")
    assert talk.end(1).verified is True and talk.apart_m(2, 0) < 0.2


def test_who_is_home_already_says_so() -> None:
    """G46"""
    talk = Talk("office", "rh; want home", "mf(100)", "rh", "rh; want home", "la", "rh; want home")
    for n in (0, 3, 5):
        assert [e.text for e in talk.missions[n] if isinstance(e, ev.Said)] == ["I am back already."]
        assert talk.end(n).verified is True
        assert not talk.apart_m(n + 1, n)
    assert talk.poses[6].z_m < 0.2, "who stands on the ground at home stays there"


def test_an_empty_battery_leads_to_where_the_conversation_began_and_not_to_where_the_wish_did() -> None:
    """G46"""
    world = make("office", seed=3)
    assert isinstance(world, Office)

    async def main() -> tuple[Pose, Pose]:
        async with Agent(world=world, model=Scripted(["mf(100)", "ml(100);d(30)"])) as agent:
            home = agent.robot.state().pose
            await agent.do("go")
            began = agent.robot.state().pose
            async for event in agent.say("go on"):
                if isinstance(event, ev.TaskStarted) and event.skill == "delay":
                    world.quadrotor.charge = 0.05
            await asyncio.sleep(20)
            return home, began

    (home, began), last = SimClock().run(main()), world.truth().pose
    assert began.distance_m(home) > 1.0
    assert last.distance_m(home) < 0.3, "down at home"


def test_the_operator_of_a_service_robot_stays_where_the_conversation_began() -> None:
    """G46"""
    talk = Talk("home", "mt('kitchen')", "mt('initial location')", setup={"people": []})
    assert talk.apart_m(1, 0) > 2.0 and talk.apart_m(2, 0) < 0.7
    began = talk.missions[1][0]
    assert isinstance(began, ev.MissionStarted)
    assert json.loads(json.dumps(began.setup["home"]))[:2] == [talk.poses[0].x_m, talk.poses[0].y_m]
