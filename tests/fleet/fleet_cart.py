"""A cart in a program of its own, as a member of a fleet: `python fleet_cart.py ENDPOINT NAME [WHAT]`.

It prints `rolls`, and how its mission ended. `WHAT` is `deaf`, whose brakes do not work.
"""

from __future__ import annotations

import asyncio
import sys
import time

from sayso import Limits, Pose, Robot, RobotState, Zone, skill
from sayso.agent import Agent
from sayso.events import Event, MissionEnded
from sayso.executive import supervisor
from sayso.models.scripted import Scripted
from sayso.serving.fleet import Fleet

SPEED_MPS = 0.2
LASTS_S = 600.0


def tell(line: str) -> None:
    print(line, flush=True)


class Cart(Robot):
    """Rolls on and on, until its brakes are put on."""

    limits = Limits(zone=Zone(-1000, 1000, -1000, 1000), mission_max_s=LASTS_S)

    def __init__(self, name: str, what: str = "") -> None:
        self.name = name  # type: ignore[misc]  # one class, several carts
        self.what = what
        self.rolling_s = self.halted_s = 0.0
        self.halts = 0

    def state(self) -> RobotState:
        rolled_s = (self.halted_s or time.monotonic()) - self.rolling_s if self.rolling_s else 0.0
        moving = bool(self.rolling_s and not self.halted_s)
        return RobotState(Pose(SPEED_MPS * rolled_s), 1.0, SPEED_MPS * moving, not moving, True, "rolls" * moving)

    def halt_now(self) -> None:
        self.halts += 1
        if self.rolling_s and self.what != "deaf":
            self.halted_s = self.halted_s or time.monotonic()

    async def halt(self) -> None:
        self.halt_now()

    @skill(uses="wheels")
    async def roll(self) -> None:
        """Roll."""
        self.rolling_s = time.monotonic()
        tell("rolls")
        await asyncio.sleep(LASTS_S)


async def rolled(agent: Agent) -> list[Event]:
    """What happened on the wish to roll."""
    return [event async for event in agent.say("go")]


async def roll(cart: Cart, stays_s: float = 0.0) -> None:
    """Roll until something ends it, and stay for so long, to be asked how it is."""
    async with Agent(cart, model=Scripted(["roll"])) as agent:
        async for event in agent.say("go"):
            if isinstance(event, MissionEnded):
                tell(f"{event.outcome}: {event.reason}")
        tell(f"latched: {agent.executive.stopped_by}")
        await asyncio.sleep(stays_s)


if __name__ == "__main__":
    supervisor.BLOCKED_S = 60.0  # as in the tests' own program: on a busy machine a loop stands still for longer
    where, name, what = (*sys.argv[1:], "")[:3]
    with Fleet(where):
        asyncio.run(roll(Cart(name, what), stays_s=LASTS_S))
