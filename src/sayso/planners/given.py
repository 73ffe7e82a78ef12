"""A wish that is a plan already: MiniSpec as another program or a person wrote it, checked and run as it stands."""

from __future__ import annotations

from collections.abc import AsyncIterator

from sayso.parts import Brief
from sayso.planners.texts import TextPlanner


class Given(TextPlanner):
    """Needs no model and mends nothing. A goal may stand behind the plan (`want …`), and then judges it."""

    name = "plan"

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        yield brief.instruction
