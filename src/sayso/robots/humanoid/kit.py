"""What a humanoid brings along."""

from __future__ import annotations

from typing import Any

from sayso.language import compose
from sayso.plugins.kits import Given, Kit, Outfit, fitting
from sayso.robots.humanoid.answers import answered
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
from sayso.robots.humanoid.strides import Strides
from sayso.skill import SkillSet, skills_of
from sayso.skills import composed, shared
from sayso.skills.around import LookRound
from sayso.skills.naming import Meanings, Named
from sayso.tables.guidance import read_guidance
from sayso.tables.words import Words
from sayso.world import World
from sayso.worlds import Entry


def _outfit(given: Given) -> Outfit:
    robot, ball = fitting(given.robot, Humanoid), fitting(given.perception, BallSense)
    eyes = Named(given.eyes, Meanings(given.embed))
    strides = Strides(robot, eyes, ball, given.trail)
    around = LookRound(strides.turn, eyes, strides.look_ahead)
    own = SkillSet([*SKILLS, *skills_of(strides), *skills_of(around), *shared(given)], read_guidance(__package__))
    return Outfit(
        compose(own, composed(__package__, "plans.toml")),
        tuple(soccer_providers(robot, ball, aim=OPPONENT_GOAL)),
        (RECOVERY,),
        lambda say, send: watch_robot(robot, say, send),
    )


LOOKING = frozenset(("LookAround", "LookAtBall", "TurnOnSpot", "StandStill", "turn_cw", "turn_ccw", "scan", "orienting",
                     "where_is", "look_round", "delay"))  # fmt: skip

KIT = Kit(
    kind="humanoid",
    adapter=Humanoid,
    outfit=_outfit,
    planner="rolling",
    form=TasksForm(),
    taught_planner="reflex+rolling",
    plans=answered,
    wishes=("find the ball", "approach the ball", "where is the ball?"),
    commands=("walk forward 1 metre and turn left", "go to the ball", "wave twice and turn right"),
    words=Words.read(__package__),
    beliefs=(Ball,),
    looking=LOOKING,
)


def _world(**options: Any) -> World:
    from sayso.robots.humanoid.world.pitch import Soccer  # with all of its physics, which nobody else waits for

    return Soccer(**options)


PITCH = Entry(_world, "a field with a humanoid and a ball")
