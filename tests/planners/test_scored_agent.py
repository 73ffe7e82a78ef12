"""The scored planner in an agent: one checked statement a decision, on the clock, with the world's own limits."""

from __future__ import annotations

import asyncio
import json

import pytest

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import Event, Instructed, MissionEnded, PlanEnded, PlanRefused, Said, StatementReady, TaskEnded
from sayso.mission.defaults import make_planner, settled
from sayso.models.latency import ModelledLatency
from sayso.planners.reflex.first import behind
from sayso.planners.scored import Scored
from sayso.planners.scored_skills import SkillDomain
from sayso.prompts.score import score_prompt
from sayso.robots.aircraft.domain import RescueDomain, Rules
from sayso.robots.aircraft.mission import searches
from sayso.robots.aircraft.reach import Flight
from sayso.robots.aircraft.search.pay import Effort
from sayso.robots.aircraft.suite.double import RescueDouble
from sayso.robots.aircraft.world.country import Rescue
from sayso.roles import Brief, Model, Observation
from sayso.scene import TextBelief
from sayso.skill import SkillSet

SENTENCE = "Search the park for a child in yellow. Confirm a find, then return home and land."
CHILD = {"label": "child", "colour": "yellow", "category": "child"}
MEANS = {
    says: json.dumps({"find": [sought], "in": ["park"]})
    for says, sought in (
        (SENTENCE, CHILD),
        (SENTENCE.replace("yellow", "red"), CHILD | {"colour": "red"}),
        (SENTENCE.replace("child in yellow", "dog"), {"label": "dog"}),
    )
}


def planner(world: Rescue, made: list[RescueDomain]) -> object:
    def make(model: Model) -> Scored:
        search = searches(world.charts, model, Rules(effort=Effort(focus=3, expansions=8)))

        async def domain(brief: Brief) -> RescueDomain:
            made.append(await search(brief))
            return made[-1]

        return Scored(model, domain, score_prompt)

    return make


def fly(change_after: int = 0) -> tuple[list[Event], RescueDomain, Rescue]:
    world = Rescue("night", 18)
    made: list[RescueDomain] = []
    events: list[Event] = []

    async def mission() -> None:
        make = planner(world, made)
        model = ModelledLatency(RescueDouble(MEANS))
        agent = Agent(world=world, model=model, planner=make)  # type: ignore[arg-type]
        ran = 0
        async with agent:
            async for event in agent.say(SENTENCE):
                events.append(event)
                ran += isinstance(event, TaskEnded)
                if change_after and ran == change_after and isinstance(event, TaskEnded):
                    agent.change(SENTENCE.replace("yellow", "red"))

    SimClock().run(mission())
    return events, made[-1], world


def test_a_whole_mission_by_statements_that_pass_the_ordinary_checks() -> None:
    events, domain, world = fly()
    ended = events[-1]
    assert isinstance(ended, MissionEnded)
    assert (ended.outcome == "achieved") == domain.all_found
    assert world.truth().at_home
    assert not [e for e in events if isinstance(e, PlanRefused)]
    ready = [e.text for e in events if isinstance(e, StatementReady)]
    assert ready[0].startswith("log(") and ready[1] == "take_off"
    told = next(e.text for e in events if isinstance(e, Said))
    assert told.startswith("I search for a yellow child")
    assert sum(isinstance(e, PlanEnded) for e in events) == len(domain.steps) + 1


def test_a_change_in_flight_is_followed_and_nothing_begins_again() -> None:
    events, domain, _ = fly(change_after=3)
    assert any(isinstance(e, Instructed) for e in events)
    said = [e.text for e in events if isinstance(e, Said)]
    assert any("is now a red child" in text for text in said)
    ran = [e.skill for e in events if isinstance(e, TaskEnded)]
    assert ran.count("take_off") == 1
    assert domain.wish is not None and domain.wish.sought[0].colour == "red"


def test_a_brief_tells_where_the_aircraft_is_and_what_its_battery_holds() -> None:
    world = Rescue("valley", 3)
    world.frame.fly(world.charts.level(world.aircraft.at))
    world.step_to(120.0)
    told = Flight.told(
        Brief(
            "",
            SkillSet(),
            Observation(world.camera.scene(), world.aircraft.state(), (TextBelief("s1: person 64% sure"),)),
        ),
        world.terrain,
    )
    assert told.at == pytest.approx(world.aircraft.at)
    assert abs(told.charge - world.aircraft.state().charge) <= 0.005
    assert told.now_s == world.time_s


def test_the_aircraft_gets_this_planner_and_other_robots_one_over_their_skills() -> None:
    assert settled("some model", "", "aircraft") == ("some model", "scored")
    aircraft, drone = (make_planner("scored", RescueDouble(MEANS), r) for r in (Rescue().robot, None))
    for make, kind in ((aircraft, RescueDomain), (drone, SkillDomain)):
        scored = make(RescueDouble(MEANS))  # type: ignore[operator]
        assert isinstance(asyncio.run(scored.domain(Brief("", SkillSet()))), kind)


def test_the_grammar_stands_before_the_search_and_the_search_is_still_to_be_seen() -> None:
    """To take off is the grammar's, to search is not; and who draws the map of what is believed finds it."""
    world = Rescue("night", 18)
    told: list[str] = []

    async def mission() -> object:
        make = make_planner("reflex+scored", RescueDouble(MEANS), world.robot)
        async with Agent(world=world, model=ModelledLatency(RescueDouble(MEANS)), planner=make) as agent:
            for sentence in ("take off", SENTENCE.replace("child in yellow", "dog")):
                async for event in agent.say(sentence):
                    if isinstance(event, StatementReady):
                        told.append(event.text)
            return agent.planner

    planner = SimClock().run(mission())
    assert told[0] == "take_off" and told[1].startswith("log(")
    deciding = behind(planner)
    assert isinstance(deciding, Scored) and isinstance(deciding.now, RescueDomain)
    told_of = deciding.believed()
    assert told_of is not None and "where the dog may be" in told_of.says


def test_go_home_in_the_middle_of_a_search_is_the_grammars_and_done_at_once() -> None:
    world = Rescue("night", 18)
    events: list[Event] = []

    async def mission() -> None:
        make = make_planner("reflex+scored", RescueDouble(MEANS), world.robot)
        async with Agent(world=world, model=ModelledLatency(RescueDouble(MEANS)), planner=make) as agent:
            async for event in agent.say(SENTENCE):
                events.append(event)
                if isinstance(event, TaskEnded) and event.skill == "search_area":
                    agent.change("go home")

    SimClock().run(mission())
    ran = [e.skill for e in events if isinstance(e, TaskEnded)]
    assert ran[-2:] == ["search_area", "return_home"] and ran.count("search_area") == 1
    assert world.truth().at_home
    assert isinstance(events[-1], MissionEnded) and events[-1].outcome == "achieved"
