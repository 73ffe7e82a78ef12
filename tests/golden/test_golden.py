"""What may not change while code is moved: skills, prompts, and what the embedded model reads, of every world.

`WORLD.txt` holds a world's skill signatures and, for some wishes, the first prompt that its own planner asks, with the
text that the embedded model makes of it; `WORLD_again.txt` all prompts of a scripted mission in which things go wrong,
with what was tried, what failed and what is believed by then. `python tests/golden/test_golden.py` writes the files
anew; whoever does so says why.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.mission.defaults import make_planner, settled
from sayso.models.pocket.any_robot import form_for
from sayso.models.scripted import Scripted
from sayso.robots.aircraft.suite.double import RescueDouble
from sayso.roles import Chunk, Prompt
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
        agent = Agent(world=world, model=heard, planner=make_planner(planner, heard, world.robot))
        if not lines:
            lines += [f"kind {world.robot.kind}, planner {planner}", ""]
            lines += [f"{s}  uses {', '.join(s.uses) or 'nothing'}" for s in agent.skills.values()]
        clock.run(_say(agent, wish, heard.prompts, 1))
        for prompt in heard.prompts[:1]:
            lines += ["", f"=== {wish}", f"--- pocket reads, for {prompt.purpose}", form_for(prompt).reads(prompt)]
            for role, text in prompt.messages:
                lines += [f"--- {role}", text]
    return "\n".join(lines) + "\n"


def _step(call: str, *steps: str) -> str:
    """What a model answers that chooses a step; `steps` are its list."""
    return json.dumps({"reasoning": "", "action_list": steps, "first_action": call} if steps else {"next_action": call})


AGAIN: dict[str, tuple[str, list[str]]] = {
    "office": (
        "look for a unicorn, then say who painted it",
        ["tp;g('unicorn')", "l('well');tc(45);rp", "fly(3)", "to;mf(20);g('cow');l('never')", "->False"],
    ),
    "soccer": (
        "score a goal, then wave",
        ["Task: WalkToBall Priority: 1", "Task: Jump Priority: 1\nTask: LookAround Priority: 2", "well",
         "Task: KickBall Priority: 2\nTask: WalkToBall Priority: 1", "", "Task: Wave Priority: 3", "Cannot", "Cannot"],
    ),
    "home": (
        "ask me what I would like and bring it to me",
        ["jump()", "_1=ak('What would you like?');gr('apple')", "_1=ak('What would you like?');sp('a '+_1);gr('apple')",
         "mt('sink');_1=ak('Sure?');lo('apple in the sink')", "_1=ak('Sure?');mt('desk');lo('apple')",
         "sp('hm');mt('bed');gr('apple')", "->False"],
    ),
    "warehouse": (
        "bring the lemon and every red toy to the receiving shelf",
        [_step("go_to(toy rack)", "go_to(fruit table)", "pick_up(lemon)", "go_to(receiving shelf)", "place(lemon)",
               "go_to(toy rack)", "pick_up(every red toy)", "go_to(receiving shelf)", "place(every red toy)", "done"),
         "hm", _step("pick_up(banana)"), _step("go_to(nowhere)"), _step("go_to(fruit table)"), _step("pick_up(lemon)"),
         _step("pick_up(apple)"), _step("done"), _step("go_to(receiving shelf)"), _step("place(plum)"),
         _step("place(lemon)"), _step("describe(lemon)"), _step("done"), _step("give_up(no more)")],
    ),
    "rescue": (
        "find the hiker who wears a red jacket, last seen in the village",
        ['{"find": [{"label": "person", "colour": "red", "category": "hiker", "seen_at": "village"}]}'],
    ),
}  # fmt: skip
ASKED = 14


class _Asked:
    """Hands every prompt on to another model, and keeps it."""

    def __init__(self, model: Scripted | RescueDouble) -> None:
        self.name, self._model = model.name, model
        self.prompts: list[Prompt] = []

    def stream(self, prompt: Prompt) -> AsyncIterator[Chunk]:
        self.prompts.append(prompt)
        return self._model.stream(prompt)

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        self.prompts.append(prompt)
        return await self._model.score(prompt, continuations)


def told_again(name: str) -> str:
    """The prompts of the mission in which things go wrong, without what has not changed since the one before."""
    wish, answers = AGAIN[name]
    clock, heard = SimClock(), _Asked(RescueDouble({wish: answers[0]}) if name == "rescue" else Scripted(answers))
    world = make(name, seed=7)
    _, planner = settled("pocket", "", world.robot.kind)
    agent = Agent(world=world, model=heard, planner=make_planner(planner, heard, world.robot))
    clock.run(_say(agent, wish, heard.prompts, ASKED))
    lines, before = [], set[tuple[str, str]]()
    for prompt in heard.prompts[:ASKED]:
        lines += ["", f"=== {prompt.purpose}", form_for(prompt).reads(prompt)]
        for role, text in prompt.messages:
            if (role, text) not in before and role != "system":
                lines += [f"--- {role}", text]
            before.add((role, text))
    return "\n".join(lines) + "\n"


async def _say(agent: Agent, wish: str, prompts: list[Prompt], asked: int) -> None:
    """Until so many prompts were asked: what comes after them is no matter here."""
    async with agent:
        async for _ in agent.say(wish):
            if len(prompts) >= asked:
                break


@pytest.mark.parametrize("name", WISHES)
def test_skills_prompts_and_what_pocket_reads_are_as_they_were(name: str) -> None:
    assert told(name) == (HERE / f"{name}.txt").read_text("utf-8")


@pytest.mark.parametrize("name", AGAIN)
def test_what_is_asked_after_things_went_wrong_is_as_it_was(name: str) -> None:
    assert told_again(name) == (HERE / f"{name}_again.txt").read_text("utf-8")


if __name__ == "__main__":
    for one in sys.argv[1:] or WISHES:
        (HERE / f"{one}.txt").write_text(told(one), "utf-8")
        (HERE / f"{one}_again.txt").write_text(told_again(one), "utf-8")
