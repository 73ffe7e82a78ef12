"""Skills shared by all robots of one kind.

A robot's own `@skill` methods come from its adapter; what every drone can do besides is here, and the agent puts both
into one set.
"""

from __future__ import annotations

import tomllib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any, Protocol, TypeAlias, cast

from sayso.language import Composed, compose
from sayso.parts import Perception, Robot
from sayso.skill import Skill, SkillSet, skills_of
from sayso.skills.flight import DEFAULT_RULES, Flight, FlightRules, Flyer, Tell
from sayso.skills.recalling import LookingBack, Recaller, Recollection
from sayso.skills.service import PAPER, Service
from sayso.skills.service_search import ServiceRobot
from sayso.skills.sight import Camera, Shown, Sight
from sayso.skills.soccer import OPPONENT_GOAL, RECOVERY, TASKS, BallSense, Humanoid, soccer_providers, watch_robot
from sayso.skills.talk import Ask, Talk, asking
from sayso.skills.warehouse import Picking, PickingRobot
from sayso.task import Provider, Task

Senses: TypeAlias = Callable[[Callable[[str, int], None], Callable[[str, Any], None]], Awaitable[None]]
"""(tell a state, send a message) -> runs until cancelled."""


class CameraDrone(Flyer, Camera, Protocol):
    """A drone with a camera: all that the shared skills of drones need."""


def drone_skills(
    robot: CameraDrone,
    perception: Perception,
    ask: Ask | None,
    tell: Tell,
    picture_taken: Shown,
    *,
    since_s: Callable[[], float] | None = None,
    rules: FlightRules = DEFAULT_RULES,
    recalling: Recaller | None = None,
) -> SkillSet:
    """Everything that a drone can do in one mission: its own skills, the shared native ones, and the composed ones.
    With a memory it can go to what it saw earlier.

    A skill that the adapter declares itself replaces the shared one of its name. Make a fresh set for every mission:
    home is where its first motion starts.
    """
    flight = Flight(robot, perception, tell, rules, recalling.recall if recalling else None)
    kits: list[object] = [flight, Sight(robot, perception, picture_taken), Talk(tell, ask, perception, since_s)]
    plans = {plan.name: plan for plan in composed("drone")}
    if recalling:
        kits += [Recollection(robot, recalling), LookingBack(robot, perception, recalling, flight.get_aloft)]
        plans.update((plan.name, plan) for plan in composed("drone_recall"))
    own = skills_of(robot)
    shared = [s for kit in kits for s in skills_of(kit) if s.name not in {o.name for o in own}]
    return compose(SkillSet([*map(_remembering, shared), *own] if recalling else [*shared, *own]), list(plans.values()))


def _remembering(skill: Skill) -> Skill:
    """The same skill, told as it is where there is a memory."""
    says = "Go to a thing in view or seen earlier, to within a metre; fails when it is not there or the way is blocked."
    return replace(skill, description=says) if skill.name == "goto" else skill


UAV_SHARES = ("is_visible", "take_picture", "log", "probe", "time")
"""Of the shared skills, those that mean something from far above: there is no place in the image to ask for."""


@dataclass(frozen=True, slots=True)
class Kit:
    """What the robots of a kind bring into a mission.

    `skills` can be asked for; `providers` make those of them happen that have no body of their own; `siblings` are root
    tasks beside every mission; `senses(tell, send)` turns what the robot feels into states and messages for them.
    """

    skills: SkillSet
    providers: tuple[Provider, ...] = ()
    siblings: tuple[Task, ...] = ()
    senses: Senses | None = None


def kit(
    robot: Robot,
    perception: Perception | None,
    eyes: Perception,
    ask: Ask | None,
    tell: Tell,
    picture_taken: Shown,
    since_s: Callable[[], float],
    *,
    recalling: Recaller | None = None,
) -> Kit:
    """The kit of any robot: its own skills, those of its kind, talking, and asking its memory where it has one. `eyes`
    is the perception that skills see through, `perception` what the kind's providers keep an eye on."""
    if robot.kind == "drone":
        # its adapter offers what the shared skills ask for; `robots.check` tells when it does not
        asked = cast(Any, robot), eyes, ask, tell, picture_taken
        return Kit(drone_skills(*asked, since_s=since_s, recalling=recalling))
    kits: list[object] = [robot, Talk(tell, ask, eyes, since_s)]
    if recalling:
        kits.append(Recollection(robot, recalling))
    if perception is not None:
        kits.append(Sight(robot, eyes, picture_taken))
    own = [s for k in kits for s in skills_of(k)]
    if robot.kind == "service":
        return Kit(service_skills(cast(Any, robot), eyes, ask, tell, since_s))
    if robot.kind == "warehouse":
        picking = Picking(cast(PickingRobot, robot), eyes, tell)
        return Kit(SkillSet(s for k in (picking, *kits[1:]) if not isinstance(k, Sight) for s in skills_of(k)))
    if robot.kind == "uav":
        return Kit(SkillSet(own).only({*(s.name for s in skills_of(robot)), *UAV_SHARES}))
    if robot.kind == "humanoid":
        return _humanoid(cast(Any, robot), cast(Any, perception), own)
    return Kit(SkillSet(own))


def service_skills(
    robot: ServiceRobot, perception: Perception, ask: Ask | None, tell: Tell, since_s: Callable[[], float] | None = None
) -> SkillSet:
    """Everything that a service robot can do in one mission, which begins where it stands."""
    kits: list[object] = [robot, Service(robot, perception, tell, ask), Talk(tell, ask, perception, since_s)]
    return compose(SkillSet(s for k in kits for s in skills_of(k)), composed("service"))


def _humanoid(robot: Humanoid, ball: BallSense, own: Sequence[Skill]) -> Kit:
    tasks = [Skill(name, description=says, provided=True, uses=("body",)) for name, says in TASKS.items()]
    return Kit(
        SkillSet([*tasks, *own]),
        tuple(soccer_providers(robot, ball, aim=OPPONENT_GOAL)),
        (RECOVERY,),
        lambda say, send: watch_robot(robot, say, send),
    )


def composed(kind: str) -> list[Composed]:
    """The composed skills of robots of `kind`, from this room's data file; empty where there is none."""
    file = resources.files(__package__).joinpath(f"{kind}.toml")
    if not file.is_file():
        return []
    return [_read(entry) for entry in tomllib.loads(file.read_text("utf-8")).get("skill", [])]


def _read(entry: dict[str, Any]) -> Composed:
    return Composed(
        name=entry["name"],
        source=entry["source"],
        description=entry["description"],
        short=entry["short"],
        params=tuple(entry["params"]),
    )


__all__ = [
    "PAPER", "CameraDrone", "Flight", "FlightRules", "Flyer", "Kit", "Service", "ServiceRobot", "Sight", "Talk",
    "asking", "composed", "drone_skills", "kit", "service_skills",
]  # fmt: skip
