"""An operator's choices before a mission: world, planner, model and limits, and the agent made of them."""

import asyncio
import math
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from sayso.agent import Agent
from sayso.errors import ModelUnavailable, UsageError
from sayso.limits import Limits
from sayso.memory.journal import Journal
from sayso.mission.defaults import PLANNERS as KNOWN
from sayso.mission.defaults import make_planner, settled
from sayso.models import listed
from sayso.models import make as make_model
from sayso.models.pocket import Embedding
from sayso.plugins.loading import is_file
from sayso.plugins.machines import FAKE, machines
from sayso.roles import Robot
from sayso.setup import Setup
from sayso.world import World
from sayso.worlds import places

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
class ConsoleSetup(Setup):
    """A setup as operators choose it, in real time, with a memory and stricter limits."""

    memory: bool = True
    real_time: bool = True
    dead_man_s: float = 0.0
    limits: tuple[tuple[str, float], ...] = ()

    async def agent(
        self,
        journal: Journal | None = None,
        pictures: Path | None = None,
        loaded: tuple[Robot, World | None] | None = None,
    ) -> Agent:
        """An agent for the world's robot, which keeps its events in `journal`. Raises `UsageError`.

        What takes long and is not yet `loaded` is done in a thread, since the robot that is given up for it may have to
        be stopped meanwhile.
        """
        robot, world = loaded if loaded else await asyncio.to_thread(self.loaded)
        return self.make_agent(
            robot,
            world,
            memory=self.remembers(journal) if journal else None,
            limits=tightened(robot.limits, dict(self.limits)),
            pictures=pictures,
            watchdog_s=self.dead_man_s,
            earlier=(),
        )

    def loaded(self) -> tuple[Robot, World | None]:
        """The robot and its world. Model, planner and embedder are asked as well, and let go: what they load stays
        loaded. Raises `UsageError` for what is not there."""
        refuse_secrets(self.model)
        robot, world = self.make_robot()
        name, planner = settled(self.model, self.planner, robot.kind)
        make_planner(planner, make_model(name) if name else None, robot)
        if self.memory:
            Embedding()(["ready"])
        return robot, world


def tightened(limits: Limits, wanted: Mapping[str, float]) -> Limits:
    """The robot's limits, made stricter. Raises `UsageError` for a looser one: a page lifts no limit."""
    for name, value in wanted.items():
        if name not in LIMITS:
            raise UsageError(f"the page offers no limit {name!r}; it offers {', '.join(LIMITS)}")
        own = asdict(limits)[name]
        looser = value < own if name in UPWARD else value > own
        if looser or math.isnan(value) or value < 0:
            side = "at least" if name in UPWARD else "at most"
            raise UsageError(f"{LIMITS[name]}: {value:g} is not possible, it must be {side} {own:g} here")
        limits = replace(limits, **{name: type(own)(value)})
    return limits


async def try_model(spec: str) -> tuple[bool, str]:
    """Whether a model can be reached, of several one, and what they say; for the test button. Raises nothing."""
    told = [await _reached(one.strip()) for one in spec.split(",")]
    return any(good for good, _ in told), "; ".join(says for _, says in told)


async def _reached(spec: str) -> tuple[bool, str]:
    try:
        refuse_secrets(spec)
        if spec.startswith(("openai:", "http:", "https:")):
            from sayso.models.openai import Patience  # its client takes a second to load

            return True, masked(await listed(spec, Patience(connect_s=3.0, first_token_s=5.0, retries=0)))
        return True, f"{make_model(spec).name} is ready" if spec else "no model: plain commands only"
    except (UsageError, ModelUnavailable) as error:
        return False, masked(str(error))


def refuse_secrets(spec: str) -> None:
    """Raises `UsageError` for a model's address with a password or a key, since it would be journaled."""
    if any("@" in one.split("#")[0] for one in spec.split(",")) or "key=" in spec.lower() or holds_secret(spec):
        raise UsageError("keys belong in OPENAI_API_KEY, not in the model's address, which is kept in the journal")


def masked(text: str) -> str:
    """Text without the values of this process's secrets."""
    for secret in _secrets():
        text = text.replace(secret, "•••")
    return text


def holds_secret(text: str) -> bool:
    """Whether a sentence holds a key, which would be journaled."""
    return any(secret in text for secret in _secrets())


def _secrets() -> list[str]:
    telling = ("KEY", "TOKEN", "SECRET", "PASSWORD")
    return [v for k, v in os.environ.items() if len(v) >= 8 and k.upper().endswith(telling)]


def robots(now: str) -> dict[str, str]:
    """Who can be chosen to act, with what it is: the robot of a world, machines, their dry runs, and who acts `now`."""
    own = {"": "the simulated robot of the world below"}
    real = {name: machine.says for name, machine in machines().items()}
    dry = {f"{FAKE}:{name}": f"the dry run of {says}" for name, says in real.items()}
    there = own | real | dry
    return there if machine_of(now) in there else there | {now: "the robot that is connected"}


def machine_of(robot: str) -> str:
    """`robot` without the address of a machine."""
    name = robot.partition(":")[0]
    return name if name in machines() else robot


def with_address(robot: str, address: str) -> str:
    """The machine at an address, as `--robot` has it. Raises `UsageError`: a page names no file to be run."""
    if address and (robot not in machines() or is_file(f"{robot}:{address}")):
        raise UsageError(f"no address can be {address!r} here")
    return f"{robot}:{address}" if address else robot


def worlds() -> dict[str, str]:
    """What can be chosen, with what it is."""
    return {name: entry.says for name, entry in places().items()}
