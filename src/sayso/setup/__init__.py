"""The setup of a mission: robot, world, planner and model by name, as a journal records it, and the agent made of it.

The command line and the console choose the same things, so a journal written by either is replayed by either.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from sayso.agent import Agent
from sayso.errors import UsageError
from sayso.memory.agent_memory import AgentMemory
from sayso.memory.journal import Journal
from sayso.mission.defaults import make_planner, settled
from sayso.models import make as make_model
from sayso.models.pocket import Embedding
from sayso.perception.detecting import seen_through
from sayso.plugins.loading import located
from sayso.plugins.machines import reached
from sayso.roles import Knowing, Memory, Robot
from sayso.world import World
from sayso.worlds import first_scene
from sayso.worlds import make as make_world

PLACED = ("model", "planner", "world", "robot", "detector", "eyes")
"""What may be a file."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The setup of a mission: what is chosen before it. With `real_time` it runs on the clock on the wall, else
    on a simulated one.

    `robot` is a machine or one of somebody's own, which stands in no simulated world (`sayso.plugins.machines`); `zone`
    is where a person lets a machine be. `detector` is what it sees with (`sayso.perception.detector`), instead of what
    its world tells it; `eyes` is the model that is shown its pictures, where something is asked about them.
    """

    model: str = ""
    planner: str = ""
    world: str = "office"
    scene: str = ""
    seed: int = 0
    wind_mps: float = 0.0
    approve: bool = False
    memory: bool = False
    real_time: bool = False
    robot: str = ""
    zone: str = ""
    detector: str = ""
    eyes: str = ""

    @classmethod
    def recorded(cls, data: Mapping[str, Any]) -> Self:
        """The setup that a journal holds, as far as it is known here."""
        known = {f.name for f in fields(Setup)}
        return cls(**{k: v for k, v in data.items() if k in known})

    def record(self) -> dict[str, Any]:
        """What the journal keeps, good in any folder; nothing secret is in it."""
        said = {f.name: getattr(self, f.name) for f in fields(Setup)}
        return said | {name: located(said[name]) for name in PLACED}

    @property
    def map_id(self) -> str:
        """The frame in which this world's things have their places: the same for all of its seeds."""
        if self.robot:
            return f"robot/{located(self.robot)}"
        return f"{located(self.world)}/{self.scene or first_scene(self.world)}".rstrip("/")

    @property
    def untimed(self) -> bool:
        """Whether what happens waits for somebody outside, so that no two runs have the same times."""
        outside = self.eyes or any(kind in self.model for kind in ("openai:", "http:", "https:"))
        return self.real_time or self.approve or bool(outside or self.detector)

    def remembers(self, journal: Journal) -> Memory:
        """The memory that the agent keeps its events in, and what it may recall."""
        return AgentMemory(journal, self.map_id, embed=Embedding()) if self.memory else journal

    def make_robot(self) -> tuple[Robot, World | None]:
        """The robot, and the simulated world around it, where there is one. Raises `UsageError`."""
        if self.robot:
            return reached(self.robot, self.zone), None
        if self.zone:
            raise UsageError("a simulated world has its own zone: --zone goes with --robot")
        world = self.make_world()
        return world.robot, world

    def make_world(self) -> World:
        """The simulated world. Raises `UsageError` for one that cannot be."""
        if not 0 <= self.wind_mps < math.inf:
            raise UsageError(f"a wind of {self.wind_mps:g} m/s cannot blow; 0 is calm, 3 a breeze")
        if self.seed < 0:
            raise UsageError(f"a seed is a whole number from 0, not {self.seed}")
        options: dict[str, Any] = {"wind_mps": self.wind_mps} if self.wind_mps else {}
        return make_world(self.world, self.scene, self.seed, **options)

    def make_agent(self, robot: Robot, world: World | None, **more: Any) -> Agent:
        """An agent for the robot. Raises `UsageError` for an unknown model or planner."""
        name, planner = settled(self.model, self.planner, robot.kind)
        model = make_model(name) if name else None
        setup = replace(self, model=name, planner=planner).record()
        if isinstance(memory := more.get("memory"), AgentMemory) and isinstance(robot, Knowing):
            memory.teach(robot.knowledge)
        planning = make_planner(planner, model, robot)
        more = {"embed": Embedding(), "onlooker": self.eyes or None, **more}
        if self.detector and "perception" not in more:
            more["perception"] = seen_through(robot, self.detector)
        return Agent(robot, world=world, model=model, planner=planning, setup=setup, **more)
