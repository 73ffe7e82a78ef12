"""Who plans when nobody says, and the planners by name, with the prompts that they ask in.

The embedded model is taken for the robots that it was taught; for any other, plain commands are what works without
naming a model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sayso.errors import UsageError
from sayso.parts import Model, Planner, Steering
from sayso.planners.reflex import Reflex
from sayso.planners.reflex.first import ReflexFirst
from sayso.planners.rolling import Rolling
from sayso.planners.stream import Stream
from sayso.prompts import plan_prompt, rolling_prompt

PLANNERS: Mapping[str, str] = {
    "reflex": "no model: direct commands in plain English; stop and land always work",
    "stream": "a model's plan runs while it streams (TypeFly)",
    "reflex+stream": "reflex for what concerns the robot alone, stream for the rest",
    "rolling": "a model chooses tasks anew every two seconds (the humanoid)",
}

TAUGHT: Mapping[str, str] = {"drone": "reflex+stream", "humanoid": "rolling"}
"""The kinds of robots that the embedded model has had lessons for, and the planner that asks it."""


def settled(model: str, planner: str, kind: str) -> tuple[str, str]:
    """Model and planner by name, for a robot of `kind`; what was given is kept. An empty model is none."""
    if not model and planner != "reflex" and (planner or kind in TAUGHT):
        return "pocket", planner or TAUGHT[kind]
    if planner or not model:
        return model, planner or "reflex"
    return model, "rolling" if kind == "humanoid" else "stream"


def make_planner(name: str, model: Model | None) -> Planner | Steering | Callable[[Model], Planner | Steering]:
    """The planner of that name, for `Agent`; without a name what fits the model.

    Raises `UsageError` for an unknown one, and where a model is missing.
    """
    name = name or ("stream" if model else "reflex")
    if name == "reflex":
        return Reflex()
    if name not in PLANNERS:
        raise UsageError(f"no planner is called {name!r}; there are {', '.join(PLANNERS)}")
    if model is None:
        raise UsageError(f"the planner {name} needs a model; connect one with --model (see `sayso models`)")
    match name:
        case "rolling":
            return lambda heard: Rolling(heard, rolling_prompt)
        case "reflex+stream":
            return lambda heard: ReflexFirst(Stream(heard, plan_prompt))
        case _:
            return lambda heard: Stream(heard, plan_prompt)
