"""The test double of the rescue suite's model, which understands nothing.

It weighs lettered choices by a rule written by hand, from the state that the prompt tells, as a model would have to;
and it is told what the suite's own sentences mean. A score with it says that world, beliefs, search and judges work; it
says nothing about language.
"""

import json
import math
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from functools import cache

from sayso.errors import ModelUnavailable
from sayso.models.tokens import counted
from sayso.roles import Chunk, Prompt
from sayso.tables import toml

SURE, LIKELY, UNLIKELY = 0.0, math.log(0.25), math.log(0.01)

_CHOICE = re.compile(r"^([A-Za-z])\) (.*)$", re.MULTILINE)
_OPEN = re.compile(r"sightings not checked: (.*)")
_HEIGHT = re.compile(r"in the air at (\d+) m")
_LEFT = re.compile(r"(\d+) actions left")
_TODO = re.compile(r"still to do: (.*)")
_REACH = re.compile(r"areas within reach of the battery: (\d+)")


@cache
def meanings() -> Mapping[str, str]:
    """What each sentence of the suite means, as the JSON that a model is asked for."""
    return {
        entry["says"]: json.dumps(
            {"find": [entry["find"]], "in": entry.get("in", []), "then": entry.get("then", ["confirm", "home"])}
        )
        for entry in toml(__package__, "missions.toml")["mission"]
    }


class RescueDouble:
    """Answers `score` and `rank` prompts by a rule, and `mission` prompts by what their sentences mean (`means`)."""

    def __init__(self, means: Mapping[str, str] | None = None, scores: bool = True) -> None:
        self.name = "rescue double (a test double)"
        self._means, self._scores = meanings() if means is None else means, scores

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        text = prompt.messages[-1][1]
        answer = meant(text, self._means) if prompt.purpose == "mission" else ranking(text)
        yield Chunk(answer)
        yield Chunk("", counted(prompt, answer))

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        """Log-probabilities of the letters. Raises `ModelUnavailable` for a double that is made not to score."""
        if not self._scores:
            raise ModelUnavailable(f"{self.name} has no probabilities")
        liked = weights(prompt.messages[-1][1])
        return [liked.get(letter, UNLIKELY) for letter in continuations]


def meant(text: str, means: Mapping[str, str]) -> str:
    """What the sentence means that a prompt quotes."""
    said = text.rpartition("Operator:\n| ")[2].removesuffix("\nJSON:")
    return means.get(said, "nothing")


def weights(text: str) -> dict[str, float]:
    """How sensible each lettered choice of a prompt is: the rule of this double."""
    state = text.rpartition("Choices:\n")[0]
    return {letter: _liked(says, state) for letter, says in _CHOICE.findall(text)}


def ranking(text: str) -> str:
    liked = weights(text)
    return " ".join(sorted(liked, key=lambda letter: -liked[letter]))


def _liked(says: str, state: str) -> float:
    """By what the step says and what the state tells: one step is due, others are possible, the rest is not."""
    due = _due(state)
    if says == "something else":
        return math.log(0.1)
    if says.startswith(due):
        return SURE
    return LIKELY if says.startswith(("search", "climb", "ascend")) and "search" in due else UNLIKELY


def _due(state: str) -> tuple[str, ...]:
    """How the choice begins that is due: up, to a height, to a sighting, home, or on with the search."""
    height = _HEIGHT.search(state)
    if not height:
        return ("take off",)
    open_, left = _OPEN.search(state), _LEFT.search(state)
    if (todo := _TODO.search(state)) and left and int(left[1]) > 1:
        return (todo[1],)
    if "not found yet" not in state or (left and int(left[1]) <= 1):
        return ("fly home",)
    if open_ and open_[1] != "none":
        return ("fly to a sighting", "confirm")
    if (reach := _REACH.search(state)) and reach[1] == "0":
        return ("fly home",)
    return ("climb", "ascend") if int(height[1]) <= 30 else ("search",)
