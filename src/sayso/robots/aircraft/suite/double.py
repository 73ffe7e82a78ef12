"""Doubles for the rescue suite: rules written by hand that read a prompt's text, and understand nothing.

One weighs lettered choices by the state that the prompt tells, as a model would have to; one reads the suite's own
sentences by their words. A score with them says that world, beliefs, search and judges work; it says nothing about
language.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

from sayso.errors import ModelUnavailable
from sayso.models.tokens import counted
from sayso.parts import Chunk, Prompt

SURE, LIKELY, UNLIKELY = 0.0, math.log(0.25), math.log(0.01)

_CHOICE = re.compile(r"^([A-Za-z])\) (.*)$", re.MULTILINE)
_OPEN = re.compile(r"sightings not checked: (.*)")
_HEIGHT = re.compile(r"in the air at (\d+) m")
_LEFT = re.compile(r"(\d+) actions left")
_TODO = re.compile(r"still to do: (.*)")
_REACH = re.compile(r"areas within reach of the battery: (\d+)")


class RescueDouble:
    """Answers `score` and `rank` prompts by a rule, and `mission` prompts by looking for words."""

    def __init__(self, scores: bool = True) -> None:
        self.name = "rescue double (a test double)"
        self._scores = scores

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        text = prompt.messages[-1][1]
        answer = mission_by_words(text) if prompt.purpose == "mission" else ranking(text)
        yield Chunk(answer)
        yield Chunk("", counted(prompt, answer))

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        """Log-probabilities of the letters. Raises `ModelUnavailable` for a double that is made not to score."""
        if not self._scores:
            raise ModelUnavailable(f"{self.name} has no probabilities")
        liked = weights(prompt.messages[-1][1])
        return [liked.get(letter, UNLIKELY) for letter in continuations]


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


COLOURS = ("red", "orange", "yellow", "blue", "green", "white", "black", "grey", "brown")
LABELS = ("person", "child", "dog", "car", "boat", "tent", "backpack")
SYNONYMS: Mapping[str, str] = {
    "man": "person", "woman": "person", "hiker": "person", "patient": "person", "someone": "person", "people": "person",
    "boy": "child", "girl": "child", "rucksack": "backpack", "vehicle": "car",
}  # fmt: skip
CATEGORIES: Mapping[str, str] = {"dementia": "dementia", "patient": "dementia", "hiker": "hiker", "child": "child"}

_WORD = re.compile(r"[a-z0-9']+")
_RUNNING = re.compile(r"Running search:\n\| (.*)")
_AGO = re.compile(r"(\d+) (minute|min|hour)s? ago")
_TOWARD = re.compile(r"(?:toward|towards|heading for|heading to|walking to) the ([a-z ]+?)(?: in | wearing|[.,;]|$)")
_SEEN = re.compile(r"last seen (?:[a-z ]*?)(?:in|at|on|near) (?:the )?([a-z0-9 ]+?)(?: \d| half| an | wearing|[.,;]|$)")
_IN = re.compile(r"search(?: in| over)?(?: all)?(?: the)? ([a-z0-9, ]+?)(?: for |[.;]|$)")


def mission_by_words(text: str) -> str:
    """The JSON for a sentence of the suite, by its words."""
    said = text.rpartition("Operator:\n")[2].removesuffix("\nJSON:").replace("| ", " ").lower()
    words = _WORD.findall(said)
    find: dict[str, Any] = {"label": _label(words)}
    colour = next((w for w in words if w in COLOURS), "")
    find |= {"colour": colour} if colour else {}
    category = next((CATEGORIES[w] for w in words if w in CATEGORIES), "")
    find |= {"category": category} if category else {}
    find |= {"mobility": "still"} if {"lying", "injured", "still", "unconscious"} & set(words) else {}
    for name, pattern in (("toward", _TOWARD), ("seen_at", _SEEN)):
        find |= {name: found[1].strip()} if (found := pattern.search(said)) else {}
    if ago := _AGO.search(said):
        find["seen_ago_min"] = int(ago[1]) * (60 if ago[2] == "hour" else 1)
    elif "half an hour ago" in said:
        find["seen_ago_min"] = 30
    areas = _areas(said)
    then = ["confirm", *(["image"] if {"image", "picture", "photo"} & set(words) else []), "home"]
    return json.dumps(_merged(text, find, areas) | {"then": then})


def _merged(text: str, find: dict[str, Any], areas: list[str]) -> dict[str, Any]:
    """The running search of a prompt with what is new: an object of the same label is the same object."""
    running = _RUNNING.search(text)
    data = _told(running[1]) if running else {"find": []}
    known = {entry["label"]: entry for entry in data["find"]}
    known[find["label"]] = known.get(find["label"], {}) | find
    return data | {"find": list(known.values()), "in": areas or data.get("in", [])}


def _told(running: str) -> dict[str, Any]:
    """`find person;colour red|in north field|then confirm home`, as `SearchWish.in_short` tells of a running search."""
    data: dict[str, Any] = {"find": []}
    for part in running.split("|"):
        word, _, rest = part.partition(" ")
        if word == "find":
            label, *facts = rest.split(";")
            data["find"].append({"label": label, **dict(fact.split(" ", 1) for fact in facts)})
        elif word in ("in", "not"):
            data[word] = rest.split(";")
    return data


def _label(words: Sequence[str]) -> str:
    return next((w for w in words if w in LABELS), "") or next((SYNONYMS[w] for w in words if w in SYNONYMS), "person")


def _areas(said: str) -> list[str]:
    found = _IN.search(said)
    if not found or found[1].strip() in ("everywhere", "area", "whole area", "for"):
        return []
    return [part.strip() for part in re.split(r",| and ", found[1]) if part.strip()]
