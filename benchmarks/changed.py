"""Whether any part of a sentence is dropped without a word (U3): pairs of sentences in which one part is another.

    python benchmarks/changed.py [--worlds office,home] [--show] [--model pocket]

Each sentence is read as a mission would read it where its world begins, by the kind's own planner, up to the plan. A
pair is `changed` where what is understood differs, `told` where the part is asked about or named as left out or nothing
would be done, and `silent` where both would do the same without a word.
"""

from __future__ import annotations

import argparse
import itertools
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sayso.clock import SimClock
from sayso.events import MissionEnded, Said, TaskStarted, Understood
from sayso.setup import Setup

PAIRS = Path(__file__).parent.parent / "tests" / "understanding" / "changed.toml"
SCENES = {"home": "flat", "warehouse": "store", "rescue": "valley", "office": "tour", "soccer": ""}
_SLOT = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Heard:
    """What a mission made of a sentence before it moved: the goal as it is read back, what it asked or said, and with
    which outcome it ended, where it did."""

    told: str = ""
    said: tuple[str, ...] = ()
    outcome: str = ""
    left_out: tuple[str, ...] = ()


def pairs(world: str) -> Iterator[tuple[str, str]]:
    """Every two neighbouring ways to say each sentence."""
    for line in tomllib.loads(PAIRS.read_text("utf-8"))[world]:
        ways = [[way.strip() for way in slot.split("|")] for slot in _SLOT.findall(line)]
        said = [" ".join(_filled(line, [way[n] for way in ways]).split()) for n in range(len(ways[0]))]
        yield from itertools.pairwise(said)


def _filled(line: str, words: Sequence[str]) -> str:
    left = iter(words)
    return re.sub(r"\s+([,.?;])", r"\1", _SLOT.sub(lambda _: f" {next(left)} ", line))


def heard(world: str, sentence: str, model: str = "") -> Heard:
    """What a mission makes of it, left as soon as something moves."""
    chosen = Setup(model=model, world=world, scene=SCENES[world])

    async def said() -> Heard:
        robot, around = chosen.make_robot()
        agent, told, words, left_out = chosen.make_agent(robot, around), "", list[str](), ()
        async with agent:
            happening = agent.say(sentence)
            async for event in happening:
                match event:
                    case Understood():
                        told, left_out = event.told, event.left_out
                    case Said():
                        words.append(event.text)
                    case TaskStarted() if (skill := agent.skills.get(event.skill)) and {*skill.uses} - {
                        "camera",
                        "head",
                    }:
                        words.append(f"{event.skill}{event.args}")
                        if told:
                            break
                    case MissionEnded():
                        return Heard(told, (*words, event.reason), event.outcome, event.left_out)
            await happening.aclose()
        return Heard(told, tuple(words), "", tuple(left_out))

    return SimClock().run(said())


def came(one: Heard, other: Heard) -> str:
    """changed, told or silent."""
    if one != other:
        return "changed"
    return "told" if one.left_out or one.outcome in ("asked", "refused", "not_achieved") else "silent"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--worlds", default=",".join(SCENES))
    options.add_argument("--model", default="")
    options.add_argument("--show", action="store_true", help="every pair, and not only the silent ones")
    given = options.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    for world in given.worlds.split(","):
        for one, other in pairs(world):
            first, second = heard(world, one, given.model), heard(world, other, given.model)
            verdict = came(first, second)
            counts[world, verdict] += 1
            if given.show or verdict == "silent":
                print(f"{verdict:8} {world:10} {one} <> {other}: {first.told or first.said}", flush=True)
    for world in given.worlds.split(","):
        print(f"{world:10}", {v: counts[world, v] for v in ("changed", "told", "silent")})
    print(
        f"{'all':10}",
        sum(counts.values()),
        {v: sum(n for (_, w), n in counts.items() if w == v) for v in ("changed", "told", "silent")},
    )


if __name__ == "__main__":
    main()
