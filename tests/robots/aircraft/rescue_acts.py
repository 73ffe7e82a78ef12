"""Actions of a rescue world, each on a clock of its own, as an executive without guards would have it."""

from __future__ import annotations

import asyncio

from sayso.clock import SimClock
from sayso.errors import SkillFailed
from sayso.limits import LimitReached
from sayso.robots.aircraft.world.country import Rescue
from sayso.skill import SkillSet, Value, skills_of
from sayso.task import Done, Failed, Outcome


def act(world: Rescue, action: str, *args: Value) -> Outcome:
    body = SkillSet(skills_of(world.aircraft))[action].body
    assert body is not None, "an aircraft's skills are its own"

    async def acted() -> Outcome:
        running = asyncio.ensure_future(world.run())
        try:
            return Done(await body(*args))
        except LimitReached as reached:
            return reached.refused
        except SkillFailed as failed:
            return Failed(str(failed))
        finally:
            running.cancel()

    return SimClock().run(acted())
