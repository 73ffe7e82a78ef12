"""What a humanoid brings along."""

from __future__ import annotations

from typing import Any

from sayso.guidance import read_guidance
from sayso.kits import Given, Kit, Outfit, fitting
from sayso.robots.humanoid.ball import Ball
from sayso.robots.humanoid.form import TasksForm
from sayso.robots.humanoid.soccer import (
    OPPONENT_GOAL,
    RECOVERY,
    SKILLS,
    BallSense,
    Humanoid,
    soccer_providers,
    watch_robot,
)
from sayso.skill import SkillSet
from sayso.skills import shared
from sayso.world import World
from sayso.worlds import Entry


def _outfit(given: Given) -> Outfit:
    robot, ball = fitting(given.robot, Humanoid), fitting(given.perception, BallSense)
    return Outfit(
        SkillSet([*SKILLS, *shared(given)], read_guidance(__package__)),
        tuple(soccer_providers(robot, ball, aim=OPPONENT_GOAL)),
        (RECOVERY,),
        lambda say, send: watch_robot(robot, say, send),
    )


KIT = Kit(
    kind="humanoid",
    adapter=Humanoid,
    outfit=_outfit,
    planner="rolling",
    form=TasksForm(),
    taught_planner="rolling",
    wishes=("find the ball", "approach the ball"),
    beliefs=(Ball,),
)


def _world(**options: Any) -> World:
    from sayso.robots.humanoid.world.pitch import Soccer  # with all of its physics, which nobody else waits for

    return Soccer(**options)


PITCH = Entry(_world, "a field with a humanoid and a ball")
