"""sayso: robots act on your say-so.

What stands here is public; `docs/public.md` says what that means. Most names are imported when they are first
asked for, so that `import sayso` costs little.
"""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sayso.skill import Choice, PlaceName, Range, Skill, SkillSet, ThingName, skill  # now: the module is called so too

if TYPE_CHECKING:
    from sayso import sync
    from sayso.agent import Agent
    from sayso.clock import SimClock, WallClock
    from sayso.errors import RobotError, SaysoError, SkillFailed, UsageError
    from sayso.limits import Limits, Zone
    from sayso.models import make as connect
    from sayso.planners.text_planner import TextPlanner
    from sayso.result import Result
    from sayso.roles import Brief, End, Memory, Model, Perception, Planner, Robot, RobotState, Session
    from sayso.scene import Pose, Scene, Thing
    from sayso.skills import skills_for
    from sayso.task import Ran
    from sayso.wish import Wish
    from sayso.world import World

__version__ = "0.1.0"

__all__ = [
    "Agent", "Brief", "Choice", "End", "Limits", "Memory", "Model", "Perception", "PlaceName", "Planner", "Pose", "Ran",
    "Range", "Result", "Robot", "RobotError", "RobotState", "SaysoError", "Scene", "Session", "SimClock", "Skill",
    "SkillFailed", "SkillSet", "TextPlanner", "Thing", "ThingName", "UsageError", "WallClock", "Wish", "World", "Zone",
    "__version__", "connect", "skill", "skills_for", "sync",
]  # fmt: skip

_HOMES = {
    "sayso.agent": "Agent",
    "sayso.clock": "SimClock WallClock",
    "sayso.errors": "RobotError SaysoError SkillFailed UsageError",
    "sayso.limits": "Limits Zone",
    "sayso.roles": "Brief End Memory Model Perception Planner Robot RobotState Session",
    "sayso.planners.text_planner": "TextPlanner",
    "sayso.result": "Result",
    "sayso.scene": "Pose Scene Thing",
    "sayso.skills": "skills_for",
    "sayso.task": "Ran",
    "sayso.wish": "Wish",
    "sayso.world": "World",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}


_RENAMED: dict[str, tuple[str, dict[str, str]]] = {
    "sayso.grounding.said": ("sayso.grounding.utterance", {"Said": "Utterance"}),
    "sayso.memory.remember": ("sayso.memory.agent_memory", {"Memories": "AgentMemory"}),
    "sayso.parts": ("sayso.roles", {}),
    "sayso.planners.texts": ("sayso.planners.text_planner", {"Given": "FixedPlan"}),
}
"""Modules that pages named: their new names, and those of what is in them; the old ones work for one version."""


class _Renamed(Loader):
    """Finds a module by its old name, with a warning that says the new one."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname in _RENAMED else None

    def exec_module(self, module: ModuleType) -> None:
        new, names = _RENAMED[module.__name__]
        warnings.warn(f"{module.__name__} is called {new}", DeprecationWarning, stacklevel=2)
        found = vars(import_module(new))
        vars(module).update(found, **{old: found[name] for old, name in names.items()})


sys.meta_path.append(_Renamed())


def __getattr__(name: str) -> Any:
    if name == "sync":
        return import_module("sayso.sync")
    if name == "connect":
        return import_module("sayso.models").make
    if name not in _HOME:
        raise AttributeError(f"sayso has no {name!r}; what is public stands in sayso.__all__")
    return vars(import_module(_HOME[name]))[name]


def __dir__() -> list[str]:
    return __all__
