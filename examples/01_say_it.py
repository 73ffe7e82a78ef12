"""Say something, watch the events. No model, no network: the reflex planner reads direct commands."""

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import MissionEnded, TaskEnded
from sayso.worlds import make


async def main() -> None:
    async with Agent(world=make("office", scene="tour")) as agent:
        async for event in agent.say("take off, go up half a metre and turn left 90 degrees"):
            match event:
                case TaskEnded():
                    print(event.skill, event.outcome)
                case MissionEnded():
                    print(event.outcome)


SimClock().run(main())

# Output:
# take_off done
# move_up done
# turn_ccw done
# achieved
