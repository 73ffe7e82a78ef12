"""Speech recognition: the interface of a recogniser, and the registered ones, by entry point:

    [project.entry-points."sayso.recognisers"]
    mine = "my_ears:Mine"

A recogniser can mishear, so what it says is shown, read back and approved before anything moves; one that is not sure
says so, and then nothing is done but to ask.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Any, ClassVar

from sayso.agent import Agent
from sayso.errors import UsageError
from sayso.grounding.lexicon import kind
from sayso.plugins.kits import words_for
from sayso.plugins.loading import checked, is_file, made
from sayso.roles import Brief, Observation

RATE_HZ = 16_000
USUAL = "embedded"


@dataclass(frozen=True, slots=True, eq=False)
class Sound:
    """The sound of one utterance. `samples` is (n,) int16, one channel, 16 000 a second."""

    samples: Any

    @property
    def seconds(self) -> float:
        return len(self.samples) / RATE_HZ


@dataclass(frozen=True, slots=True)
class Heard:
    """The words of an utterance, empty for none; only what is `sure` may be taken for a wish."""

    text: str
    sure: bool


def confirms(again: Heard, before: Heard) -> bool:
    """Whether a sentence that was said once more was heard the same: two who err do not err alike."""
    return bool(before.text) and kind(again.text) == kind(before.text)


class Recogniser(ABC):
    """Turns an utterance into words. Made without arguments; loads what it needs when it first hears."""

    name: ClassVar[str] = "recogniser"

    @abstractmethod
    def hear(self, sound: Sound, brief: Brief) -> Heard:
        """Called in a thread, one utterance after the other. `brief` has the robot's skills and what is in view, for
        whoever can make use of what is likely to be said; its instruction is empty."""


async def understood(hears: Recogniser, sound: Sound, agent: Agent) -> Heard:
    """What is heard beside this robot, of what it can do and sees at this moment. The loop goes on meanwhile."""
    seen = Observation(await agent.perception.look()) if agent.perception else Observation()
    kind = agent.robot.kind
    brief = Brief("", agent.executive.skills, seen, limits=agent.limits, kind=kind, words=words_for(kind))
    return await asyncio.to_thread(hears.hear, sound, brief)


def heard_here() -> bool:
    """Whether what the usual one takes is installed; nothing is loaded."""
    return all(map(find_spec, ("moonshine_voice", "pocketsphinx")))


def recogniser(where: str = "") -> Recogniser:
    """A registered one by name, or `FILE.py[:NAME]` of your own. Raises `UsageError`."""
    where = where or USUAL
    if is_file(where):
        return made(where, Recogniser)
    there: Mapping[str, Any] = {entry.name: entry for entry in entry_points(group="sayso.recognisers")}
    if where not in there:
        raise UsageError(
            f"there is no recogniser {where!r}; there are {', '.join(there)}, and FILE.py:NAME of your own"
        )
    return checked(there[where].load()(), Recogniser, f"the entry point {where} of sayso.recognisers")
