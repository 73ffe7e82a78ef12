"""What the tests ask the embedded model, with a double of its networks: plans, tasks, flights; and what it answers."""

from __future__ import annotations

from typing import Any

from pocket_double import Dice

from sayso.clock import SimClock
from sayso.models.pocket import Pocket
from sayso.roles import Brief, Chunk, Observation, Prompt
from sayso.scene import Scene
from sayso.skill import Param, Range, Skill, SkillSet
from sayso.skills import skills_for
from sayso.understanding.forms import UNSURE
from sayso.worlds import make as make_world


async def _never(*args: Any) -> None:
    raise AssertionError("nobody runs these")


SKILLS = SkillSet(
    [
        Skill("move_forward", (Param("distance_cm", "number", "cm", Range(20, 500)),), body=_never, short="mf"),
        Skill("goto", (Param("object", "thing"),), body=_never, short="g"),
        Skill("log", (Param("text", "text"),), body=_never, short="l"),
        Skill("is_visible", (Param("object", "thing"),), "flag", body=_never, short="iv"),
        Skill("lamp", (Param("colour", "text", options=("red", "green")),), body=_never),
        Skill("take_off", body=_never, short="to"),
    ]
)

OFFICE = make_world("office")

DRONE = skills_for(OFFICE.robot, OFFICE.perception)

TASKS = SkillSet([Skill(name, provided=True) for name in ("WalkToBall", "KickBall", "StandStill", "TurnOnSpot")])


def plan(wish: str = "go", scene: Scene | None = None, kind: str = "scribe", **more: Any) -> Prompt:
    return Prompt("plan", (), brief=Brief(wish, SKILLS, Observation(scene or Scene()), kind=kind, **more))


def flight(wish: str, scene: Scene | None = None) -> Prompt:
    return Prompt("plan", (), brief=Brief(wish, DRONE, Observation(scene or Scene()), kind="drone"))


def rolling(wish: str = "kick the ball") -> Prompt:
    return Prompt("rolling", (), brief=Brief(wish, TASKS, Observation.of("walking"), kind="humanoid"), max_tokens=160)


def pocket(double: Dice) -> Pocket:
    return Pocket(double)


def chunks(model: Pocket, prompt: Prompt) -> list[Chunk]:
    async def main() -> list[Chunk]:
        return [chunk async for chunk in model.stream(prompt)]

    return SimClock().run(main())


def answer(model: Pocket, prompt: Prompt) -> str:
    return "".join(chunk.text for chunk in chunks(model, prompt))


DOUBT = "I am not sure that I understood. Is this what you want: I {}?"

DECLINED = f"{UNSURE} Please say it in other words."
