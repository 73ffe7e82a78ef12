"""What an operator chooses before a mission: place, planner, model, limits; and the agent that follows from it."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from sayso.agent import Agent
from sayso.clock import WallClock
from sayso.defaults import PLANNERS as KNOWN
from sayso.defaults import make_planner, replans, settled
from sayso.errors import UsageError
from sayso.limits import Limits
from sayso.memory.journal import Journal
from sayso.memory.remember import Memories
from sayso.models import make as make_model
from sayso.models import probe_endpoint
from sayso.parts import Memory, World
from sayso.worlds import WORLDS, first_scene
from sayso.worlds import make as make_world

PLANNERS: Mapping[str, str] = {"": "chosen by itself", **KNOWN}

LIMITS: Mapping[str, str] = {
    "altitude_max_m": "highest altitude, m",
    "speed_max_mps": "highest speed, m/s",
    "battery_reserve": "battery reserve, 0 to 1",
    "mission_max_s": "longest mission, s",
    "model_calls_max": "model calls a mission",
    "tokens_max": "tokens a mission",
    "cost_max_usd": "cost a mission, $",
}
"""The limits that the page offers. They can be tightened there, never loosened beyond the robot's own."""

UPWARD = frozenset({"battery_reserve"})
"""Limits that are tighter when they are larger."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Where, how and with whom. Those up to `memory` are what the journal keeps, under the command line's names."""

    model: str = ""
    planner: str = ""
    world: str = "office"
    scene: str = ""
    seed: int = 0
    wind_mps: float = 0.0
    approve: bool = False
    memory: bool = True
    dead_man_s: float = 0.0
    limits: tuple[tuple[str, float], ...] = ()

    def setup(self) -> dict[str, Any]:
        """All it takes to run a mission again, besides the instruction; nothing secret is in it."""
        return {k: v for k, v in asdict(self).items() if k not in ("dead_man_s", "limits")}

    def make_world(self) -> World:
        """The simulated world. Raises `UsageError` for one that cannot be."""
        if not 0 <= self.wind_mps < math.inf:
            raise UsageError(f"a wind of {self.wind_mps:g} m/s cannot blow; 0 is calm, 3 a breeze")
        options: dict[str, Any] = {"wind_mps": self.wind_mps} if self.wind_mps else {}
        return make_world(self.world, self.scene, self.seed, **options)

    def _remembers(self, journal: Journal) -> Memory:
        """What the agent keeps its events in, and what it may recall: by place, the same for all of its seeds."""
        place = f"{self.world}/{self.scene or first_scene(self.world)}"
        return Memories(journal, place) if self.memory else journal

    def make_agent(self, journal: Journal | None = None, pictures: Path | None = None) -> Agent:
        """An agent for the world's robot, on wall time, which keeps its events in `journal`. Raises `UsageError`."""
        refuse_secrets(self.model)
        world = self.make_world()
        name, chosen = settled(self.model, self.planner, world.robot.kind)
        model = make_model(name, WallClock()) if name else None
        return Agent(
            world=world,
            model=model,
            planner=make_planner(chosen, model, world.robot),
            replans=replans(chosen),
            memory=self._remembers(journal) if journal else None,
            limits=tightened(world.robot.limits, dict(self.limits)),
            setup=replace(self, model=name, planner=chosen).setup(),
            pictures=pictures,
            watchdog_s=self.dead_man_s,
        )


def tightened(limits: Limits, wanted: Mapping[str, float]) -> Limits:
    """The robot's limits, made stricter. Raises `UsageError` for a looser one: a page lifts no limit."""
    for name, value in wanted.items():
        if name not in LIMITS:
            raise UsageError(f"the page offers no limit {name!r}; it offers {', '.join(LIMITS)}")
        own = getattr(limits, name)
        looser = value < own if name in UPWARD else value > own
        if looser or math.isnan(value) or value < 0:
            side = "at least" if name in UPWARD else "at most"
            raise UsageError(f"{LIMITS[name]}: {value:g} is not possible, it must be {side} {own:g} here")
        limits = replace(limits, **{name: type(own)(value)})
    return limits


def from_setup(setup: Mapping[str, Any]) -> Choice:
    """The choice that a journal's setup records, as far as it is known here."""
    known = {f.name for f in fields(Choice)} - {"limits", "dead_man_s"}
    return Choice(**{k: v for k, v in setup.items() if k in known})


async def try_model(spec: str) -> tuple[bool, str]:
    """Whether a model can be reached, and what it says; for the test button. Raises nothing."""
    try:
        refuse_secrets(spec)
        if spec.startswith(("openai:", "http:", "https:")):
            from sayso.models.openai import Patience  # its client takes a second to load

            reached = await probe_endpoint(spec, patience=Patience(connect_s=3.0, first_token_s=5.0, retries=0))
            return reached.answers, masked(reached.text)
        return True, f"{make_model(spec).name} is ready" if spec else "no model: plain commands only"
    except UsageError as error:
        return False, masked(str(error))


# Secrets


def refuse_secrets(spec: str) -> None:
    """Raises `UsageError` where a model's address carries a password or a key: it would be journaled."""
    if "@" in spec.split("#")[0] or "key=" in spec.lower() or any(s in spec for s in _secrets()):
        raise UsageError("keys belong in OPENAI_API_KEY, not in the model's address, which is kept in the journal")


def masked(text: str) -> str:
    """Text without the values of this process's secrets."""
    for secret in _secrets():
        text = text.replace(secret, "•••")
    return text


def holds_secret(text: str) -> bool:
    """Whether a person is about to say a key aloud, which would be journaled."""
    return any(secret in text for secret in _secrets())


def _secrets() -> list[str]:
    telling = ("KEY", "TOKEN", "SECRET", "PASSWORD")
    return [v for k, v in os.environ.items() if len(v) >= 8 and k.upper().endswith(telling)]


def worlds() -> dict[str, str]:
    """What can be chosen, with what it is."""
    return {name: entry.says for name, entry in WORLDS.items()}
