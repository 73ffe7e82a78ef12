"""What may not change while code is moved: skills, prompts, and what the embedded model reads, of every world.

Each file beside this one holds a world's skill signatures and, for some wishes, the first prompt that its own planner
asks, with the text that the embedded model makes of it. `python tests/golden/test_golden.py` writes the files anew;
whoever does so says why.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.defaults import make_planner, replans, settled
from sayso.models.pocket.any_robot import form_for
from sayso.models.scripted import Scripted
from sayso.worlds import make

HERE = Path(__file__).parent
WISHES = {
    "office": (
        "go to the chair and take its picture, then say how far away it was",
        "who of those over there wears a hat?",
    ),
    "soccer": ("score a goal", "wave at the crowd, then stop"),
    "home": ("bring me the apple from the kitchen", "tell me how many people are in the living room"),
    "warehouse": ("bring every hammer to the packing table", "is there a screwdriver on rack 2?"),
    "rescue": ("find the hiker who wears a red jacket", "search the forest first and stay below 60 m"),
}


def told(name: str) -> str:
    """The file's text."""
    lines: list[str] = []
    for wish in WISHES[name]:
        clock, heard = SimClock(), Scripted([])
        world = make(name, seed=7)
        _, planner = settled("pocket", "", world.robot.kind)
        agent = Agent(world=world, model=heard, planner=make_planner(planner, heard, world.robot), replans=0)
        if not lines:
            lines += [f"kind {world.robot.kind}, planner {planner}, new plans {replans(planner)}", ""]
            lines += [f"{s}  uses {', '.join(s.uses) or 'nothing'}" for s in agent.skills.values()]
        clock.run(_say(agent, wish))
        for prompt in heard.prompts[:1]:
            lines += ["", f"=== {wish}", f"--- pocket reads, for {prompt.purpose}", form_for(prompt).reads(prompt)]
            for role, text in prompt.messages:
                lines += [f"--- {role}", text]
    return "\n".join(lines) + "\n"


async def _say(agent: Agent, wish: str) -> None:
    async with agent:
        async for _ in agent.say(wish):
            pass


@pytest.mark.parametrize("name", WISHES)
def test_skills_prompts_and_what_pocket_reads_are_as_they_were(name: str) -> None:
    assert told(name) == (HERE / f"{name}.txt").read_text("utf-8")


if __name__ == "__main__":
    for one in sys.argv[1:] or WISHES:
        (HERE / f"{one}.txt").write_text(told(one), "utf-8")
