"""The same planner over any robot's skills: arguments from the scene, chances from what has failed."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, Sequence

from scored_desk import Opinion

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import Event, MissionEnded, TaskEnded
from sayso.mission.defaults import make_planner
from sayso.planners.scored import Scored
from sayso.planners.scored_domain import STEPS_MAX
from sayso.planners.scored_skills import SkillDomain, arguments
from sayso.prompts.score import score_prompt
from sayso.roles import Attempt, Brief, Chunk, Observation, Prompt
from sayso.scene import Scene, Thing
from sayso.skill import Param, Range, Skill, SkillSet
from sayso.task import Ran
from sayso.worlds import make as make_world


async def body(*args: object) -> None:
    """Never run here."""


GOTO = Skill("goto", (Param("thing", "thing"),), description="Go to a thing", body=body)
TURN = Skill("turn", (Param("angle_deg", "number", "deg", Range(0, 180)),), description="Turn", body=body)
SAY = Skill("say", (Param("text", "text"),), description="Say something", body=body)
SKILLS = SkillSet([GOTO, TURN, SAY])
SCENE = Scene((Thing("c", "chair"), Thing("d", "chair"), Thing("t", "table")))


def brief(*attempts: Attempt, scene: Scene = SCENE) -> Brief:
    return Brief("go to the table", SKILLS, Observation(scene), history=attempts)


def test_arguments_come_from_the_scene_and_the_signature() -> None:
    assert list(arguments(GOTO, SCENE)) == [("chair",), ("table",)]
    assert list(arguments(TURN, SCENE)) == [(0,), (45,), (90,), (180,)]
    assert list(arguments(SAY, SCENE)) == []


def test_a_step_that_cannot_be_named_is_not_offered() -> None:
    domain = SkillDomain()
    asyncio.run(domain.take_in(brief(scene=Scene())))
    assert [k.name for k in domain.kinds()] == ["turn", "done"]


def test_failures_make_a_skill_less_likely() -> None:
    domain = SkillDomain()
    asyncio.run(domain.take_in(brief()))
    before = {k.name: k.can for k in domain.kinds()}
    step = next(c for c in domain.candidates("goto") if "chair" in c.statement)
    domain.chosen(step)
    asyncio.run(domain.take_in(brief(Attempt("x", (Ran("goto", (), "failed", "the way is blocked"),)))))
    after = {k.name: k.can for k in domain.kinds()}
    assert before == {"goto": 1.0, "turn": 1.0, "done": 1.0}
    assert after["goto"] < 1.0
    cans = {c.statement: c.can for c in domain.candidates("goto")}
    assert cans['goto("chair")'] < cans['goto("table")'] == 1.0


def test_a_whole_mission_by_say_alone() -> None:
    model = Opinion({"Go to a thing": 0.8, "Go to a thing (table)": 0.9, "Go to a thing (chair)": 0.1})

    async def made(first: Brief) -> SkillDomain:
        return SkillDomain()

    from sayso.planners.scored import ScoredRule

    planner = Scored(model, made, score_prompt, rule=ScoredRule(ask_steps=True))

    async def plan(told: Brief) -> str:
        return "".join([piece async for piece in planner.step(told)])

    async def mission() -> list[str]:
        first = await plan(brief())
        model.likes = {"nothing more: the goal is reached": 0.9}
        return [first, await plan(brief(Attempt(first, (Ran("goto"),))))]

    assert asyncio.run(mission()) == ['goto("table")', "->True"]


def test_it_gives_up_in_the_end() -> None:
    domain = SkillDomain()
    asyncio.run(domain.take_in(brief()))
    for _ in range(STEPS_MAX):
        domain.chosen(domain.candidates("turn")[0])
        asyncio.run(domain.take_in(brief(Attempt("x", (Ran("turn"),)))))
    verdict = domain.over()
    assert verdict is not None and not verdict.met


class Pilot:
    """A model double for one errand of the office drone: what is due, by the steps that the prompt tells so far."""

    name = "pilot double"

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        told = prompt.messages[-1][1].partition("Choices:")[0]
        due = "Go to a thing" if "Take off" in told else "Take off"
        due = "nothing more" if "Go to a thing" in told else due
        return [self._likes(choice, due) for choice in prompt.question.splitlines()][: len(continuations)]

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        raise AssertionError("it scores")
        yield Chunk("")

    def _likes(self, choice: str, due: str) -> float:
        asked = "(" not in choice or "(apple)" in choice
        return math.log(0.9 if choice.startswith(due) and asked else 0.01)


def test_another_robot_flies_an_errand_by_it() -> None:
    """The office drone, which has no charts: kinds and parameters are its skills and what it sees."""
    world = make_world("office")
    events: list[Event] = []

    async def mission() -> None:
        make = make_planner("scored", Pilot(), world.robot)
        async with Agent(world=world, model=Pilot(), planner=make) as agent:
            async for event in agent.say("fly to the apple"):
                events.append(event)

    SimClock().run(mission())
    ran = [(e.skill, e.outcome.__class__.__name__) for e in events if isinstance(e, TaskEnded)]
    ended = events[-1]
    assert isinstance(ended, MissionEnded) and ended.outcome == "achieved", (ran, ended)
    assert [skill for skill, _ in ran] == ["take_off", "goto"]
