"""Whether a frame is too near to a sentence that the robot is measured with: the same words but for the names in it.

A sentence's names (rooms, places, things, people) and a frame's slots both become a gap, pronouns of either gender one
word; what is left is compared word by word, in order.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from lessons.home_table import shipped
from sayso.robots.service.suite import commands as service_commands

FILE = Path(__file__).parents[1] / "sentences" / "home.jsonl"
GAP = "_"
TOO_LIKE, FEWEST, RUN = 0.72, 5, 7
"""Share of words in common, from how many words on it counts, and how many in a row are too many."""

EVERYBODYS = 4
"""A structure of fewer words belongs to everybody: "follow me"."""

_SLOT = re.compile(r"\{[^}]*\}|\[[^\]]*\]")
_VERB = re.compile(r"<([a-z]+)>")
_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")
_PRONOUNS: Mapping[str, str] = {"she": "he", "her": "him", "his": "him", "they": "he", "them": "him", "their": "him"}


def words(text: str) -> list[str]:
    """The words of a sentence or a frame, with gaps for names."""
    text = _CHOICE.sub(lambda m: m[1].partition("|")[0], _SLOT.sub(f" {GAP} ", text.lower()))
    found = re.findall(r"[a-z0-9'_]+", _names().sub(f" {GAP} ", text))
    plain = [_PRONOUNS.get(w.removesuffix("'s"), w.removesuffix("'s")) for w in found]
    return [w for at, w in enumerate(plain) if w != GAP or at == 0 or plain[at - 1] != GAP]


def mimics(text: str) -> bool:
    """Whether a frame says what one of the sentences says in nearly the same words."""
    mine = words(text)
    told = sum(w != GAP for w in mine)
    return told >= FEWEST and any(_alike(mine, other) for other in _measured())


def _alike(one: Sequence[str], other: Sequence[str]) -> bool:
    told, both = (sum(w != GAP for w in one) + sum(w != GAP for w in other)), set(one) & set(other) - {GAP}
    at_most = min(sum(w in both for w in one), sum(w in both for w in other))
    if at_most < RUN and 2 * at_most < TOO_LIKE * told:
        return False
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    shared = [sum(w != GAP for w in one[b.a : b.a + b.size]) for b in blocks]
    few = sum(w != GAP for w in other) < FEWEST
    return max(shared) >= RUN or (not few and 2 * sum(shared) >= TOO_LIKE * told)


@functools.cache
def _measured() -> list[list[str]]:
    return [words(json.loads(line)["say"]) for line in FILE.read_text("utf-8").splitlines() if line.strip()]


@functools.cache
def _names() -> re.Pattern[str]:
    table = shipped().data
    named = [e for key in ("rooms", "places", "outside", "objects", "categories") for e in table[key]]
    names = {n.lower() for e in named for n in (e["name"], *e.get("aliases", ()))}
    names |= {n.lower() for people in table["people"].values() for n in people}
    longest = sorted(names, key=len, reverse=True)
    return re.compile(r"\b(?:" + "|".join(map(re.escape, longest)) + r")\b")


def of_the_suite(text: str) -> bool:
    """Whether a wording, its slots open, is one of the suite's sentence structures, whichever of its verbs it has."""
    said = words(text)
    return sum(w != GAP for w in said) >= EVERYBODYS and " ".join(said) in _structures()


@functools.cache
def _structures() -> frozenset[str]:
    verbs = service_commands.FRAMES["verbs"]
    said = [way for entry in service_commands.frames() for way in entry["says"]]
    every = (text for way in said for text in _with_verbs(way, verbs))
    return frozenset(" ".join(words(text)) for text in every)


def _with_verbs(text: str, verbs: Mapping[str, Sequence[str]]) -> list[str]:
    mark = _VERB.search(text)
    if not mark:
        return [text]
    rest = _with_verbs(text[mark.end() :], verbs)
    return [f"{text[: mark.start()]}{verb}{end}" for verb in verbs[mark[1]] for end in rest]
