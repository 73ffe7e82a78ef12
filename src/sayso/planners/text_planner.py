"""Planners that only write plans as text, one whole plan or one step after another. Here is the loop around them."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterable

from sayso.planners.plan_answer import GoalReporter
from sayso.roles import Brief, End, Session


class TextPlanner(ABC):
    """A planner that writes a whole plan for a brief, and up to `replans` others where one fails.

    Behind its plan may stand its goal, `want …`.
    """

    name = "text"
    steers = False
    replans = 0
    terse = False
    """Whether its text comes in a moment, so that a plan can be held against its wish before anything moves."""

    @abstractmethod
    def plan(self, brief: Brief) -> AsyncIterator[str]:
        """MiniSpec for `brief`, in chunks of any size. `brief.failure` is what to mend."""

    async def act(self, session: Session) -> End:
        """Plan, run, and mend the plan until it ends well or the budget is spent."""
        wants = GoalReporter(session)
        while True:
            brief = await session.look()
            plan = await session.run(wants.plan(self.plan(brief), brief.instruction), terse=self.terse)
            if plan.whole or not self.replans:
                return End.of(plan)
            if len(brief.history) >= self.replans:
                return End(False, f"gave up after {self.replans} new plans; the last one: {plan.ended}")


class FixedPlan(TextPlanner):
    """A planner that runs one given plan, without a model; a goal behind it (`want …`) judges it."""

    name = "plan"

    async def plan(self, brief: Brief) -> AsyncIterator[str]:
        yield brief.instruction


async def stepped(session: Session, brief: Brief, write: Callable[[Brief], AsyncIterator[str]], steps_max: int) -> End:
    """Run one step after another, each a MiniSpec of its own, until one of them returns whether the wish is met."""
    while True:
        step = await session.run(write(brief), step=True)
        if step.how == "returned":
            return End.of(step)
        if len(brief.history) >= steps_max:
            return End(False, f"gave up after {steps_max} steps; the last one: {step.ended or step.plan}")
        brief = await session.look()


async def written(statements: Iterable[str]) -> AsyncIterator[str]:
    """Statements that are there already, as the stream that `Session.run` takes."""
    for statement in statements:
        yield statement
