"""The replay of a mission from its journal, and the comparison with the record."""

import logging
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from rich.console import Console

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import ModelError
from sayso.events import ApprovalAsked, Event, Prompted, StatementReady
from sayso.language.printer import whole_names
from sayso.memory.agent_memory import EmptyMemory
from sayso.memory.comparison import difference
from sayso.memory.record import PlaybackOrder, Record
from sayso.memory.replay import RecordedAnswers, RecordedExecutive, RecordedPerception, RecordedRobot, ReplayMemory
from sayso.mission.defaults import make_planner
from sayso.planners.plan_run import Approve
from sayso.roles import Exchange, Knowing, Prompt, Robot
from sayso.scene import Pose
from sayso.setup import Setup
from sayso.skill import SkillSet
from sayso.terminal.live import LiveView
from sayso.world import World

SAME_S = 1e-3
LIVE_S = 1.0
"""How far times may lie apart where the mission ran on real time or waited for somebody outside: computing took time
then, too."""


def replay(events: Sequence[Event], console: Console, pace: float = 0.0) -> str | None:
    """Run a mission again with its robot, sensors, model and person played back from the record.

    Returns what went otherwise, or None where it ended the same. Nothing is journaled.
    """
    record = Record(events)
    clock = SimClock(pace=pace)
    setup = Setup.recorded(record.started.setup)
    with _quiet():
        seen, skills = clock.run(_again(record, setup, console))
    then = [_named(event, skills) for event in record.events]
    return record.diverged or difference(then, seen, within_s=LIVE_S if setup.untimed else SAME_S)


async def _again(record: Record, setup: Setup, console: Console) -> tuple[Sequence[Event], SkillSet]:
    robot, world = setup.make_robot()
    order = PlaybackOrder(record)
    agent = _agent(record, order, setup, robot, world)
    agent.memory = heard = ReplayMemory(record, order, agent.stop)
    approve = _approve(record, order) if setup.approve else None
    async with agent:
        with LiveView(console) as live:
            async for event in agent.say(record.started.wish, approve=approve):
                live.see(event)
    return heard.events, agent.skills


def _named(event: Event, skills: SkillSet) -> Event:
    """Older records have plans with the abbreviations in which they were written."""
    match event:
        case StatementReady():
            return replace(event, text=whole_names(event.text, skills))
        case ApprovalAsked():
            return replace(event, plan=whole_names(event.plan, skills))
    return event


def _agent(record: Record, order: PlaybackOrder, setup: Setup, own: Robot, world: World | None) -> Agent:
    """The real agent with the record's robot, which offers what the `own` one offers."""
    model = RecordedAnswers(record, order) if setup.model or setup.eyes else None
    original = Agent(own, world=world, model=model, memory=EmptyMemory() if setup.memory else None)
    eyes = RecordedPerception(record, lambda: len(agent.mission.metrics.ran) if agent.mission else 0)
    robot = RecordedRobot(record, eyes.told)
    robot.limits, robot.endurance_s = original.limits, own.endurance_s
    if isinstance(own, Knowing):
        robot.knowledge = own.knowledge

    async def ask(prompted: Prompted) -> None:
        assert agent.model is not None, "only a mission with a model asks it"
        with suppress(ModelError):
            async for _ in agent.model.stream(Prompt(prompted.purpose, prompted.messages)):
                pass

    earlier = record.started.setup.get("earlier")
    agent = Agent(
        robot,
        perception=eyes if original.perception else None,
        model=model,
        planner=make_planner(setup.planner, model, own),
        skills=lambda _: original.skills,
        kind=own.kind,
        executive=lambda skills, emit: RecordedExecutive(record, order, skills, emit, ask),
        setup={k: v for k, v in record.started.setup.items() if k not in ("earlier", "home")},
        earlier=earlier and [_exchange(e) for e in earlier],
    )
    agent.ground = original.ground
    if home := record.started.setup.get("home"):
        agent.trail.append(Pose(*home))
    return agent


def _exchange(kept: Mapping[str, Any]) -> Exchange:
    ran, said = tuple(kept["ran"]), tuple(kept["said"])
    return Exchange(kept["wish"], ran, said, kept["outcome"], kept["about"], kept["where"])


def _approve(record: Record, order: PlaybackOrder) -> Approve:
    """The person's answers, each when it came."""
    answers = deque(record.approvals)

    async def approve(plan: str) -> bool:
        if not answers:
            await record.beyond("an answer to the plan")
        given = answers.popleft()
        await order.turn(given)
        return given.approved

    return approve


@contextmanager
def _quiet() -> Iterator[None]:
    """A replay that parts from its record ends in the agent as an error; it is told here, not logged there."""
    log = logging.getLogger("sayso")
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before
