"""The kit of drones."""

import math
from dataclasses import replace
from typing import Protocol

from sayso.drawing import Figure
from sayso.errors import SkillFailed
from sayso.language import compose
from sayso.plugins.kits import Capabilities, Kit, MissionServices, fitting
from sayso.robots.drone.flight import Flight
from sayso.robots.drone.flyer import Flyer
from sayso.robots.drone.form import DroneForm, reached
from sayso.roles import Perception
from sayso.scene import Scene, Thing
from sayso.skill import Range, Skill, SkillSet, skills_of
from sayso.skills import composed
from sayso.skills.around import LookRound
from sayso.skills.naming import Meanings, Named
from sayso.skills.recalling import LookingBack, Recollection
from sayso.skills.sight import Camera, Sight
from sayso.skills.talk import Talk
from sayso.tables import toml
from sayso.tables.guidance import read_guidance
from sayso.tables.words import Words
from sayso.worlds import Entry, Errand


class CameraDrone(Flyer, Camera, Protocol):
    """A drone with a camera: all that the shared skills of drones need."""


def _remembering(skill: Skill) -> Skill:
    """The same skill, told as it is where there is a memory."""
    says = "Go to a thing in view or seen earlier, to within a metre; fails when it is not there or the way is blocked."
    return replace(skill, description=says) if skill.name == "goto" else skill


BY_SIGHT = ("goto", "go_behind", "circle", "look_round")


class Eyeless:
    """The perception of a drone that has no camera."""

    async def look(self) -> Scene:
        raise SkillFailed("this drone sees nothing: no perception is plugged in, so it flies plain commands only")

    async def go(self, *thing: str) -> None:
        """Going by what is seen, before anything moves."""
        await self.look()


def _able(skill: Skill, robot: CameraDrone, perception: Perception) -> Skill:
    """The same skill, as far as this drone can: it moves by no less than it can, and goes to nothing without eyes."""
    if skill.name in BY_SIGHT and isinstance(perception, Eyeless):
        return replace(skill, body=perception.go)
    least = Range(100 * robot.least_move_m, math.inf)
    params = [replace(p, range=p.range.within(least)) if p.unit == "cm" and p.range else p for p in skill.params]
    return replace(skill, params=tuple(params))


def _capabilities(given: MissionServices) -> Capabilities:
    """Its own skills, the shared native ones, and the composed ones. With a memory it can go to what it saw earlier.

    A skill that the adapter declares itself replaces the shared one of its name.
    """
    robot, recalling = fitting(given.robot, CameraDrone), given.recalling
    eyes = given.eyes if given.perception else Eyeless()
    perception = Named(eyes, Meanings(given.embed))

    def recall(name: str) -> Thing | None:
        return around.recall(name) or (recalling.recall(name) if recalling and "#" not in name else None)

    flight = Flight(robot, perception, given.tell, recall, given.trail)
    around = LookRound(robot.turn, perception, flight.get_aloft)
    talk = Talk(given.tell, given.ask, perception, given.since_s)
    kits: list[object] = [flight, around, Sight(robot, perception, given.shown), talk]
    plans = {plan.name: plan for plan in composed(__package__, "plans.toml")}
    if recalling:
        kits += [Recollection(robot, recalling), LookingBack(robot, perception, recalling, flight.get_aloft)]
        plans.update((plan.name, plan) for plan in composed(__package__, "plans_with_memory.toml"))
    own = skills_of(robot)
    shared = [s for kit in kits for s in skills_of(kit) if s.name not in {o.name for o in own}]
    able = [_able(skill, robot, eyes) for skill in (map(_remembering, shared) if recalling else shared)]
    return Capabilities(compose(SkillSet([*able, *own], read_guidance(__package__)), list(plans.values())))


FLY = ("take off and go to the chair", "take off, turn around and take a picture", "do you see a chair?")
MOVE = ("take off and land", "take off, go forward 1 metre and turn around", "move up 50 cm")

KIT = Kit(
    kind="drone",
    adapter=CameraDrone,
    capabilities=_capabilities,
    form=DroneForm(),
    plans=reached,
    taught_planner="reflex+stream",
    wishes=FLY,
    commands=MOVE,
    figure=Figure.of(toml(__package__, "figure.toml")),
    words=Words.read(__package__),
    looking=frozenset(("take_off", "land", "turn_cw", "turn_ccw", "look_round", "delay")),
)


OFFICE = Entry.of(
    "sayso.robots.drone.world.office:Office",
    "a furnished office with a small quadrotor",
    "tour",
    Errand(
        "could you get right up close to the chair",
        "at(chair)",
        "goto('chair')",
        frozenset(("take_off", "land", "goto", "approach", "orienting", "scan", "look_round", "turn_cw", "turn_ccw")),
    ),
)
