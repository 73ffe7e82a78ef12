"""The planner `stream`, of TypeFly: one prompt, and the model's text passed on as it comes.

All that makes it fast happens after it: the agent checks and runs each statement while this one still talks.
"""

from collections.abc import AsyncIterator, Callable

from sayso.planners.text_planner import TextPlanner
from sayso.roles import Brief, Model, Prompt, closing

REPLANS = 4


class Stream(TextPlanner):
    """Streams the model's plan for a brief. `render` turns the brief into a prompt."""

    name = "stream"

    def __init__(
        self, model: Model, render: Callable[[Brief], Prompt], *, replans: int = REPLANS, terse: bool = False
    ) -> None:
        self.model, self.render, self.replans, self.terse = model, render, replans, terse

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        async with closing(self.model.stream(self.render(brief))) as answer:
            async for chunk in answer:
                if chunk.text:
                    yield chunk.text
